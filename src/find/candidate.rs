//! A URL that was found: its text, where that stands, and how it was marked off.

use std::borrow::Cow;

use crate::text::byteset;
use crate::text::names::named;
use crate::text::span::{Span, Spans};

/// What marks a URL off from the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delimiter {
    /// `<URL:…>`, as the Appendix of RFC 1738 recommends.
    Wrapper,
    /// `<http:…>`.
    Angle,
    /// A quotation mark on either side.
    Quotes,
    /// Round, square or curly brackets.
    Brackets,
    /// `URL:…` alone.
    Prefix,
    /// Nothing but the text's own punctuation.
    Bare,
    /// The place for a link target in markup.
    Target,
}

named!(Delimiter, "delimiter", {
    Wrapper => "wrapper",
    Angle => "angle",
    Quotes => "quotes",
    Brackets => "brackets",
    Prefix => "prefix",
    Bare => "bare",
    Target => "target",
});

/// Something noteworthy about how a candidate stood in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flag {
    /// A `<URL:` without its `>`.
    Unterminated,
    /// Nothing between `<URL:` and `>`, or only a fragment.
    Empty,
    /// White space inside a line of a wrapper was dropped.
    InteriorSpace,
    /// A hyphen at a line break may belong to the URL or not.
    AmbiguousHyphen,
    /// A hyphen at a line break was dropped, since only so the URL is valid.
    HyphenResolved,
    /// An `=` at a line break may be a quoted-printable soft break.
    PossibleQpSoftBreak,
    /// The URL may go on in the next line, but was not joined with it.
    BrokenUrl,
    /// The prefix is not written `URL:`.
    PrefixCase,
    /// Quote marks at the start of a line were dropped.
    QuotePrefix,
    /// A line of the URL has fewer quote marks than the one it begins in.
    QuoteDepthChange,
    /// The lines between two pages were dropped.
    PageBreak,
    /// The URL was cut at the limit of [`MAX_URL`](crate::MAX_URL) bytes.
    TooLong,
}

impl Flag {
    const ALL: [Flag; 12] = [
        Flag::Unterminated,
        Flag::Empty,
        Flag::InteriorSpace,
        Flag::AmbiguousHyphen,
        Flag::HyphenResolved,
        Flag::PossibleQpSoftBreak,
        Flag::BrokenUrl,
        Flag::PrefixCase,
        Flag::QuotePrefix,
        Flag::QuoteDepthChange,
        Flag::PageBreak,
        Flag::TooLong,
    ];
}

/// A set of [`Flag`]s.
///
/// ```
/// use urlint::Flag;
///
/// let found = urlint::find(b"<url:http://a.example/my file>").next().unwrap();
/// assert!(found.flags.has(Flag::InteriorSpace));
/// assert_eq!(found.flags.iter().count(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u16);

impl Flags {
    /// Adds `flag`.
    pub fn set(&mut self, flag: Flag) {
        self.0 |= 1 << flag as u16;
    }

    /// Whether `flag` is in the set.
    pub fn has(self, flag: Flag) -> bool {
        self.0 & 1 << flag as u16 != 0
    }

    /// The flags of the set.
    pub fn iter(self) -> impl Iterator<Item = Flag> {
        Flag::ALL.into_iter().filter(move |&flag| self.has(flag))
    }
}

/// Another reading of the same candidate: a hyphen at a line end dropped, or the mark of a
/// quoted-printable soft break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The URL so read, its fragment included.
    pub text: Vec<u8>,
    /// Where its bytes stand.
    pub pieces: Spans,
}

/// A URL that was found in a text.
///
/// ```
/// use urlint::{Delimiter, Span};
///
/// let text = b"You can get it from <URL:ftp://ds.in\n   ternic.net/rfc#top>.";
/// let found = urlint::find(text).next().unwrap();
/// assert_eq!(found.url(), b"ftp://ds.internic.net/rfc");
/// assert_eq!(found.fragment(), Some(&b"top"[..]));
/// assert_eq!(found.delimiter, Delimiter::Wrapper);
/// assert_eq!(found.outer, Span::new(20, 59));
/// let pieces: Vec<_> = found.pieces.iter().collect();
/// assert_eq!(pieces, [Span::new(25, 36), Span::new(40, 58)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate<'t> {
    /// The URL with its fragment; borrowed where it lies in one piece.
    pub text: Cow<'t, [u8]>,
    /// From the first to the last byte, delimiters included.
    pub outer: Span,
    /// The URL's own bytes, fragment included.
    pub pieces: Spans,
    /// What marks it off.
    pub delimiter: Delimiter,
    /// How it stood in the text.
    pub flags: Flags,
    /// Other readings.
    pub alternatives: Vec<Alternative>,
    /// The white space inside a line that was dropped, where [`Flag::InteriorSpace`] is set.
    pub spaces: Vec<Span>,
}

impl Candidate<'_> {
    /// The URL, without its fragment: what is judged.
    pub fn url(&self) -> &[u8] {
        match self.fragment_at() {
            Some(at) => &self.text[..at],
            None => &self.text,
        }
    }

    /// What follows the first `#`, if there is one.
    pub fn fragment(&self) -> Option<&[u8]> {
        self.fragment_at().map(|at| &self.text[at + 1..])
    }

    fn fragment_at(&self) -> Option<usize> {
        byteset::find(b'#', &self.text)
    }

    /// The same candidate with a text of its own.
    pub fn into_owned(self) -> Candidate<'static> {
        Candidate {
            text: Cow::Owned(self.text.into_owned()),
            outer: self.outer,
            pieces: self.pieces,
            delimiter: self.delimiter,
            flags: self.flags,
            alternatives: self.alternatives,
            spaces: self.spaces,
        }
    }
}
