//! Packed rows: cells as bytes, one after another.
//!
//! A number is written plus one, since 0 means that it is absent, with seven bits to a byte. A text is
//! its length and its bytes; a list is its elements and 0; a point in time is the microseconds since
//! 1970, with the sign in the lowest bit.

#[cfg(feature = "tables")]
use urlint_list::DataType;
use urlint_list::{Cells, Time};
#[cfg(feature = "tables")]
use urlint_standard::Span;
use urlint_standard::text::Spans;

use super::varint;
use urlint_report::json::in_utf8;

/// Packs the cells of rows.
pub(super) struct Packed<'o>(pub(super) &'o mut Vec<u8>);

impl Packed<'_> {
    #[inline]
    fn put(&mut self, number: u64) {
        varint::put_number(self.0, number.saturating_add(1));
    }
}

impl Cells for Packed<'_> {
    #[inline]
    fn absent(&mut self) {
        self.0.push(0);
    }

    #[inline]
    fn text(&mut self, text: &[u8]) {
        let text = in_utf8(text);
        self.put(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn texts<T: AsRef<[u8]>>(&mut self, texts: impl IntoIterator<Item = T>) {
        texts.into_iter().for_each(|text| self.text(text.as_ref()));
        self.0.push(0);
    }

    #[inline]
    fn number(&mut self, number: u64) {
        self.put(number);
    }

    #[inline]
    fn flag(&mut self, flag: bool) {
        self.put(u64::from(flag));
    }

    fn time(&mut self, time: Time) {
        let microseconds = time.microseconds;
        self.put((microseconds << 1 ^ microseconds >> 63) as u64);
    }

    fn ranges(&mut self, ranges: &Spans) {
        for span in ranges.iter() {
            self.put(span.start);
            self.put(span.end);
        }
        self.0.push(0);
    }
}

/// Unpacks rows; holds the bytes that are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unpack<'p>(pub(super) &'p [u8]);

impl<'p> Unpack<'p> {
    /// Takes a cell, and passes it to `cells`.
    #[cfg(feature = "tables")]
    #[inline]
    pub(super) fn cell(&mut self, data_type: DataType, cells: &mut impl Cells) {
        match data_type {
            DataType::Texts => return cells.texts(std::iter::from_fn(|| self.text())),
            DataType::Number => self.number().map(|number| cells.number(number)),
            DataType::Flag => self.number().map(|flag| cells.flag(flag > 0)),
            DataType::Time => self.time().map(|time| cells.time(time)),
            DataType::Ranges => self.ranges().map(|ranges| cells.ranges(&ranges)),
            _ => self.text().map(|text| cells.text(text)),
        }
        .unwrap_or_else(|| cells.absent());
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
        let mut bytes = Vec::new();
        let mut cells = Packed(&mut bytes);
        cells.absent();
        cells.text(b"");
        cells.text(b"a\xff\xc3\xa9");
        cells.texts([b"x", b"y"]);
        cells.number(u64::MAX - 1);
        cells.flag(false);
        for date in ["1994-12-01T12:00:00Z", "1969-12-31T23:59:59.999999Z"] {
            Time::parse(date)
                .into_iter()
                .for_each(|time| Packed(&mut bytes).time(time));
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
