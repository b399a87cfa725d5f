//! Packed rows: cells as bytes, one after another.
//!
//! A number is written plus one, since 0 means that it is absent, with seven bits to a byte. A text is
//! its length and its bytes; a list is its elements and 0; a point in time is the microseconds since
//! 1970, with the sign in the lowest bit.

#[cfg(feature = "tables")]
use std::borrow::Cow;

#[cfg(feature = "tables")]
use urlint_list::DataType;
use urlint_list::{Cell, Time};
#[cfg(feature = "tables")]
use urlint_standard::{Span, text::Spans};

use super::varint;
use urlint_report::json::in_utf8;

/// Packs a cell.
#[inline]
pub(super) fn put(out: &mut Vec<u8>, cell: &Cell<'_>) {
    match cell {
        Cell::Text(text) => put_text(out, text),
        Cell::Name(name) => put_text(out, name.as_bytes()),
        Cell::Texts(texts) => {
            texts.iter().for_each(|text| put_text(out, text));
            out.push(0);
        }
        Cell::Number(number) => put_number(out, *number),
        Cell::Flag(flag) => put_number(out, u64::from(*flag)),
        Cell::Time(Time { microseconds, .. }) => {
            put_number(out, (microseconds << 1 ^ microseconds >> 63) as u64);
        }
        Cell::Ranges(ranges) => {
            for span in ranges.iter() {
                put_number(out, span.start);
                put_number(out, span.end);
            }
            out.push(0);
        }
        _ => out.push(0),
    }
}

fn put_number(out: &mut Vec<u8>, number: u64) {
    varint::put_number(out, number.saturating_add(1));
}

fn put_text(out: &mut Vec<u8>, text: &[u8]) {
    let text = in_utf8(text);
    put_number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Unpacks rows; holds the bytes that are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unpack<'p>(pub(super) &'p [u8]);

impl<'p> Unpack<'p> {
    /// Takes a cell.
    #[cfg(feature = "tables")]
    #[inline]
    pub(super) fn cell(&mut self, data_type: DataType) -> Cell<'p> {
        match data_type {
            DataType::Texts => Cell::texts(std::iter::from_fn(|| self.text())),
            DataType::Number => self.number().into(),
            DataType::Flag => self.number().map(|flag| flag > 0).into(),
            DataType::Time => self.time().into(),
            DataType::Ranges => self
                .ranges()
                .map(Cow::Owned)
                .map_or(Cell::Absent, Cell::Ranges),
            _ => self.text().into(),
        }
    }

    /// Takes a number; `None` if it is absent.
    #[inline]
    pub(super) fn number(&mut self) -> Option<u64> {
        let (number, rest) = varint::number(self.0);
        self.0 = rest;
        number.checked_sub(1)
    }

    /// Takes a point in time; `None` if it is absent.
    pub(super) fn time(&mut self) -> Option<Time> {
        let number = self.number()?;
        let microseconds = (number >> 1) as i64 ^ -((number & 1) as i64);
        Some(Time::of_unix(microseconds))
    }

    /// Takes a text; `None` if it is absent.
    #[inline]
    pub(super) fn text(&mut self) -> Option<&'p [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text)
    }

    /// Takes a list of ranges; `None` if it is empty.
    #[cfg(feature = "tables")]
    fn ranges(&mut self) -> Option<Spans> {
        Spans::of(std::iter::from_fn(|| {
            let start = self.number()?;
            Some(Span::new(start, self.number().unwrap_or(start)))
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back() {
        let times = ["1994-12-01T12:00:00Z", "1969-12-31T23:59:59.999999Z"].map(Time::parse);
        let [early, earlier] = times.map(Cell::from);
        let mut bytes = Vec::new();
        for cell in [
            Cell::Absent,
            Cell::from(&b""[..]),
            Cell::from(&b"a\xff\xc3\xa9"[..]),
            Cell::texts([&b"x"[..], b"y"]),
            Cell::Number(u64::MAX - 1),
            Cell::Flag(false),
            early,
            earlier,
        ] {
            put(&mut bytes, &cell);
        }
        let mut unpack = Unpack(&bytes);
        assert_eq!(unpack.text(), None);
        assert_eq!(unpack.text(), Some(&b""[..]));
        assert_eq!(unpack.text(), Some("a\u{fffd}é".as_bytes()));
        assert_eq!(unpack.text(), Some(&b"x"[..]));
        assert_eq!(unpack.text(), Some(&b"y"[..]));
        assert_eq!(unpack.text(), None);
        assert_eq!(unpack.number(), Some(u64::MAX - 1));
        assert_eq!(unpack.number(), Some(0));
        assert_eq!(unpack.time(), Some(Time::of_unix(786_283_200_000_000)));
        assert_eq!(unpack.time(), Some(Time::of_unix(-1)));
        assert_eq!(unpack.0, b"");
        assert_eq!(unpack.number(), None);
    }
}
