//! The value of a field.

use std::borrow::Cow;

use super::Time;
use urlint_standard::text::Spans;

/// The value of a field in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cell<'c> {
    /// The field is absent.
    Absent,
    /// A text.
    Text(Cow<'c, [u8]>),
    /// A text that is an identifier of lower-case letters, digits and hyphens, which no format has to
    /// escape.
    Name(&'static str),
    /// A list of texts.
    Texts(Vec<Cow<'c, [u8]>>),
    /// A number.
    Number(u64),
    /// Yes or no.
    Flag(bool),
    /// A point in time.
    Time(Time),
    /// A list of byte ranges.
    Ranges(Cow<'c, Spans>),
}

impl<'c> Cell<'c> {
    /// Returns a list of texts.
    pub fn texts(texts: impl IntoIterator<Item = impl Into<Cow<'c, [u8]>>>) -> Self {
        Cell::Texts(texts.into_iter().map(Into::into).collect())
    }

    /// Returns a list of identifiers.
    pub(super) fn names(names: impl IntoIterator<Item = &'static str>) -> Self {
        Cell::texts(names.into_iter().map(str::as_bytes))
    }
}

/// The types of values, each with the cell that it makes.
macro_rules! cells {
    ($($type:ty, |$value:ident| $cell:expr;)+) => {
        $(impl<'c> From<$type> for Cell<'c> {
            #[inline]
            fn from($value: $type) -> Self {
                $cell
            }
        })+
    };
}

cells! {
    &'c [u8], |text| Cell::Text(text.into());
    Cow<'c, [u8]>, |text| Cell::Text(text);
    Vec<u8>, |text| Cell::Text(text.into());
    String, |text| Cell::Text(text.into_bytes().into());
    &'static str, |name| Cell::Name(name);
    u64, |number| Cell::Number(number);
    bool, |flag| Cell::Flag(flag);
    Time, |time| Cell::Time(time);
    &'c Spans, |ranges| Cell::Ranges(Cow::Borrowed(ranges));
}

impl<'c, T: Into<Cell<'c>>> From<Option<T>> for Cell<'c> {
    #[inline]
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Absent, Into::into)
    }
}
