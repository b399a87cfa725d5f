//! A URL that was found: its text, its place, and how it is delimited.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use urlint_standard::standard::Standard;
use urlint_standard::text::byteset;
use urlint_standard::text::named::named;
use urlint_standard::text::window::is_blank;
use urlint_standard::text::{Span, Spans};
use urlint_standard::url::host::begins_with_host;
use urlint_standard::url::password::{hidden_in_url, merged, redacted, redacted_part};
use urlint_standard::url::split::scheme;

named! {
    /// The delimiter between a URL and the text around it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Delimiter {
        /// `<URL:…>`, as the Appendix of RFC 1738 recommends.
        Wrapper = "wrapper",
        /// `<http:…>`.
        Angle = "angle",
        /// A quotation mark on either side.
        Quotes = "quotes",
        /// Round, square or curly brackets.
        Brackets = "brackets",
        /// `URL:…` without brackets.
        Prefix = "prefix",
        /// Only white space and the punctuation of the text.
        Bare = "bare",
        /// The syntax of markup: the URL is the target of a link.
        Target = "target",
    }
}

named! {
    /// The evidence that a URL continues after a line break, unless its closing delimiter comes later.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Evidence {
        /// The line ends in a hyphen.
        Hyphen = "hyphen": "the line ends in a hyphen",
        /// The line ends in a soft hyphen, U+00AD, which is not part of the URL.
        SoftHyphen = "soft-hyphen": "the line ends in a soft hyphen",
        /// The line ends in a soft line break of quoted-printable text that was not decoded, which is
        /// not part of the URL.
        SoftBreak = "soft-break": "the line ends in a quoted-printable soft line break",
        /// The URL is valid only with the next line.
        Grammar = "grammar": "only with the next line is it valid",
        /// The next line begins with a delimiter of URLs and the text that belongs after it: `&key=`,
        /// `/path/x`.
        DelimiterFirst = "delimiter-first": "the next line begins with a delimiter of URLs",
        /// The line is full, or was cut off at the width of the text, and the next line is the rest of a
        /// word.
        MiddleOfWord = "middle-of-word": "the line is full, and the next line is the rest of a word",
        /// The line and the next word end in `/`.
        SlashToSlash = "slash-to-slash": "the line and the next word end in `/`",
        /// The line is full and ends in `/`, and the next is a single word that ends the paragraph.
        EndOfParagraph = "end-of-paragraph": "the line is full, and a single word ends the paragraph",
        /// The line ends in a delimiter of URLs, and was too full for the next word.
        DelimiterLast = "delimiter-last": "the line ends in a delimiter of URLs, and is full",
        /// A backslash folds the line (RFC 8792).
        Fold = "fold": "a backslash folds the line",
    }
}

impl Evidence {
    /// Returns whether the URL itself requires the next line, whatever text is around it.
    pub(crate) fn is_certain(self) -> bool {
        matches!(
            self,
            Evidence::Hyphen | Evidence::SoftHyphen | Evidence::SoftBreak | Evidence::Grammar
        )
    }
}

named! {
    /// Why a candidate ends where it does.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Ending {
        /// Its [delimiter](Delimiter) closes it.
        Closed = "closed": "its delimiter closes it",
        /// The line ends, and nothing shows that the URL continues on the next.
        LineEnd = "line-end": "the line ends, and nothing says that it goes on in the next",
        /// White space follows.
        Space = "space": "white space follows",
        /// Punctuation that belongs to the text follows.
        Punctuation = "punctuation": "punctuation of the text follows",
        /// Another character follows that is not part of a URL.
        Character = "character": "a character follows that is not part of a URL",
        /// The URL is [`Candidate::MAX_LEN`] bytes long.
        Limit = "limit": "it is as long as a URL may be",
        /// The text ends.
        TextEnd = "text-end": "the text ends",
    }
}

named! {
    /// Something noteworthy about how a candidate is written in its text.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Flag {
        /// A `<URL:` without its `>`.
        Unterminated = "unterminated",
        /// Nothing between `<URL:` and `>`, or only a fragment.
        Empty = "empty",
        /// White space inside a line of a wrapper was dropped.
        InteriorSpace = "interior-space",
        /// A hyphen at a line break may belong to the URL or not.
        AmbiguousHyphen = "ambiguous-hyphen",
        /// A hyphen at a line break was dropped, since the URL is valid only without it.
        HyphenResolved = "hyphen-resolved",
        /// An `=` at a line break may be a soft line break of quoted-printable (RFC 2045, section 6.7).
        PossibleQpSoftBreak = "possible-qp-soft-break",
        /// The URL may continue on the next line, but was not joined with it.
        BrokenUrl = "broken-url",
        /// The prefix is not written `URL:`.
        PrefixCase = "prefix-case",
        /// Quote marks at the start of a line were dropped.
        QuotePrefix = "quote-prefix",
        /// A line of the URL has fewer quote marks than the line on which it begins.
        QuoteDepthChange = "quote-depth-change",
        /// The lines between two pages, a footer and a header, were dropped.
        PageBreak = "page-break",
        /// The URL was cut off after [`Candidate::MAX_LEN`] bytes.
        TooLong = "too-long",
        /// The URL contains a placeholder or a pattern, such as `{x}`, `$X`, `%s`, `<x>` or `.*`, so it
        /// cannot be judged as a URL.
        ///
        /// ```
        /// use urlint::find::Flag;
        ///
        /// let found = urlint::find(b"get http://a.example/{user}/x").next().unwrap();
        /// assert_eq!(found.url(), b"http://a.example/{user}/x");
        /// assert!(found.flags.has(Flag::Placeholder));
        /// ```
        Placeholder = "placeholder",
        /// A link does not lead to the URL: its Markdown is broken, so that the URL is shown as text, which
        /// only a `Reader` [with mistakes](crate::Finder::mistakes) looks for; or its target holds more than
        /// the URL.
        BrokenLink = "broken-link",
    }
}

/// A set of [`Flag`]s.
///
/// ```
/// use urlint::find::Flag;
///
/// let found = urlint::find(b"<url:http://a.example/my file>").next().unwrap();
/// assert!(found.flags.has(Flag::InteriorSpace));
/// assert_eq!(found.flags.iter().count(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u16);

impl Flags {
    /// Adds `flag`.
    #[doc(hidden)]
    pub fn set(&mut self, flag: Flag) {
        self.0 |= 1 << flag as u16;
    }

    /// Adds all flags of `other`.
    pub(crate) fn extend(&mut self, other: Flags) {
        self.0 |= other.0;
    }

    /// Returns whether `flag` is in the set.
    pub fn has(self, flag: Flag) -> bool {
        self.0 & 1 << flag as u16 != 0
    }

    /// Returns the flags of the set, in the order in which [`Flag`] lists them.
    pub fn iter(self) -> impl Iterator<Item = Flag> {
        Flag::ALL
            .iter()
            .copied()
            .filter(move |&flag| self.has(flag))
    }
}

/// Another reading of a candidate: without a hyphen at a line end, or without the `=` of a soft line
/// break.
///
/// `Debug` shows passwords as `***`.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Alternative {
    /// The URL in this reading, with its fragment.
    pub text: Vec<u8>,
    /// The source bytes that the reading is made of.
    pub pieces: Spans,
}

impl Alternative {
    #[doc(hidden)]
    #[must_use]
    pub fn new(text: Vec<u8>, pieces: Spans) -> Self {
        Alternative { text, pieces }
    }
}

impl fmt::Debug for Alternative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Alternative");
        shown.field("text", &Shown(&self.text));
        shown.field("pieces", &self.pieces).finish()
    }
}

impl fmt::Debug for Candidate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Candidate");
        shown.field("text", &Shown(&self.text));
        shown.field("outer", &self.outer);
        shown.field("pieces", &self.pieces);
        shown.field("delimiter", &self.delimiter);
        shown.field("flags", &self.flags);
        let alternatives = self.redacted_alternatives();
        let alternatives = alternatives
            .iter()
            .map(|text| String::from_utf8_lossy(text));
        shown.field("alternatives", &alternatives.collect::<Vec<_>>());
        shown.field("spaces", &self.spaces);
        shown.field("joins", &self.joins);
        shown.finish()
    }
}

/// A URL as `Debug` shows it: as text, without passwords.
struct Shown<'u>(&'u [u8]);

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&String::from_utf8_lossy(&redacted(self.0)), f)
    }
}

/// A URL found in a text.
///
/// ```
/// use urlint::Span;
/// use urlint::find::Delimiter;
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
///
/// `Debug` shows passwords as `***`.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate<'t> {
    /// The URL with its fragment, as read: borrowed from the text if it lies in one piece.
    pub text: Cow<'t, [u8]>,
    /// The span from the first to the last source byte, delimiters included.
    pub outer: Span,
    /// The source bytes of the URL and its fragment, without the bytes that were dropped at line breaks.
    pub pieces: Spans,
    /// The delimiter of the URL.
    pub delimiter: Delimiter,
    /// Peculiarities of how the URL is written.
    pub flags: Flags,
    /// Other readings, the most likely first.
    pub alternatives: Vec<Alternative>,
    /// The white space inside a line that was dropped, if [`Flag::InteriorSpace`] is set.
    pub spaces: Vec<Span>,
    pub(crate) joins: Joins,
}

/// A set of pieces of [`Evidence`] that a URL continues after its line breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Joins(u16);

/// The maximum number of lines after its first that a URL without `<…>` around it may have, unless
/// each is full. Of 54 URLs with so many lines in unseen lists, 34 had more.
pub(crate) const MAX_LINES: usize = 3;

impl Joins {
    /// Adds `evidence`.
    pub(crate) fn set(&mut self, evidence: Evidence) {
        self.0 |= 1 << evidence as u16;
    }

    fn has(self, evidence: Evidence) -> bool {
        self.0 & 1 << evidence as u16 != 0
    }
}

impl<'t> Candidate<'t> {
    /// The length, in bytes, after which a URL without a closing delimiter is cut off:
    /// [`Flag::TooLong`].
    pub const MAX_LEN: usize = 65_536;

    /// Returns the same candidate with all of `text`, if that begins with it.
    pub(super) fn extended_to(mut self, text: &'t [u8]) -> Option<Self> {
        let begins = self.outer.start == 0 && text.starts_with(&self.text);
        self.outer = Span::new(0, text.len() as u64);
        self.pieces = self.outer.into();
        self.text = text.into();
        begins.then_some(self)
    }

    /// Makes a candidate of the target of a link.
    #[doc(hidden)]
    pub fn target(text: Cow<'t, [u8]>, outer: Span, pieces: Spans, flags: Flags) -> Self {
        Candidate {
            text,
            outer,
            pieces,
            delimiter: Delimiter::Target,
            flags,
            alternatives: Vec::new(),
            spaces: Vec::new(),
            joins: Joins::default(),
        }
    }

    /// Makes a bare candidate of all of `text`, whether that is a URL or not: for linting a URL
    /// that does not come from a text.
    ///
    /// ```
    /// use urlint::{Candidate, Standard};
    ///
    /// let candidate = Candidate::whole(b"http://a.example/~joe");
    /// assert_eq!(candidate.url(), b"http://a.example/~joe");
    /// assert!(!Standard::Rfc1738.is_valid(candidate.url()));
    /// ```
    pub fn whole(text: &'t [u8]) -> Self {
        let span = Span::new(0, text.len() as u64);
        Candidate {
            delimiter: Delimiter::Bare,
            ..Candidate::target(text.into(), span, span.into(), Flags::default())
        }
    }
}

impl Candidate<'_> {
    /// Returns the alternatives with `***` in place of passwords: their own, and the bytes of the source that are
    /// one in the candidate, which another reading may join to a name.
    ///
    /// ```
    /// let found = urlint::find(b"<http://a.example/?token=\na1b2>").next().unwrap();
    /// assert_eq!(found.alternatives[0].text, b"http://a.example/?tokena1b2");
    /// assert_eq!(found.redacted_alternatives(), [b"http://a.example/?token***"]);
    /// ```
    #[must_use]
    pub fn redacted_alternatives(&self) -> Vec<Vec<u8>> {
        if self.alternatives.is_empty() {
            return Vec::new();
        }
        let secrets = hidden_in_url(&self.text);
        let others = self.alternatives.iter();
        others.map(|other| self.redacted(other, &secrets)).collect()
    }

    fn redacted(&self, other: &Alternative, secrets: &[Range<usize>]) -> Vec<u8> {
        let text = &other.text;
        let mut hidden = hidden_in_url(text);
        if let Some(secret) = secrets.first() {
            // Another reading may lack bytes before a secret, and which of those after it belong to one is not
            // known.
            let lacking = self.text.len().saturating_sub(text.len()).max(1);
            hidden.push(secret.start.saturating_sub(lacking)..text.len());
        }
        redacted_part(text, 0..text.len(), &merged(hidden, text.len()))
    }

    /// Returns the URL without its fragment.
    pub fn url(&self) -> &[u8] {
        match self.fragment_at() {
            Some(at) => &self.text[..at],
            None => &self.text,
        }
    }

    /// Returns the bytes to judge by `standard`: the [URL](Self::url), with its fragment if that is
    /// a [part of it](Standard::has_fragments).
    ///
    /// ```
    /// use urlint::Standard;
    ///
    /// let found = urlint::find(b"http://a.example/#top").next().unwrap();
    /// assert_eq!(found.judged_by(Standard::Rfc1738), b"http://a.example/");
    /// assert_eq!(found.judged_by(Standard::Rfc3986), b"http://a.example/#top");
    /// ```
    pub fn judged_by(&self, standard: Standard) -> &[u8] {
        if standard.has_fragments() {
            &self.text
        } else {
            self.url()
        }
    }

    /// Returns the fragment, the part after the first `#`, if any.
    pub fn fragment(&self) -> Option<&[u8]> {
        self.fragment_at().map(|at| &self.text[at + 1..])
    }

    /// Returns the scheme as it is written, without its colon; `None` for a host without a scheme, such
    /// as `www.a.example:8080`.
    ///
    /// ```
    /// let found = urlint::find(b"at HTTP://a.example/").next().unwrap();
    /// assert_eq!(found.scheme(), Some("HTTP"));
    /// ```
    #[must_use]
    pub fn scheme(&self) -> Option<&str> {
        let (name, rest) = self.text.split_at(scheme(&self.text)?.len());
        let is_host = begins_with_host(name) && !rest.starts_with(b"://");
        str::from_utf8(name).ok().filter(|_| !is_host)
    }

    /// Returns the URL with its fragment, as read, if it is UTF-8. In a text that is UTF-8, as for
    /// [`find_str`](crate::find_str), it always is.
    ///
    /// ```
    /// let found = urlint::find_str("at http://a.example/ä#top.").next().unwrap();
    /// assert_eq!(found.as_str(), Some("http://a.example/ä#top"));
    /// ```
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.text).ok()
    }

    /// Returns the range of the text, in bytes, of the URL and its fragment, without their
    /// delimiters; `None` if the URL is in several [`pieces`](Self::pieces).
    ///
    /// ```
    /// let text = "at <URL:http://a.example/> and <http://b.\nexample/>";
    /// let ranges: Vec<_> = urlint::find_str(text).map(|found| found.range()).collect();
    /// assert_eq!(ranges, [Some(8..25), None]);
    /// assert_eq!(&text[8..25], "http://a.example/");
    /// ```
    #[must_use]
    pub fn range(&self) -> Option<Range<usize>> {
        self.pieces.single().map(Range::from)
    }

    /// Returns the evidence that the URL continues after its line breaks: each kind once, in the
    /// order in which [`Evidence`] lists them, and none if a closing delimiter decides it.
    ///
    /// ```
    /// use urlint::find::Evidence;
    ///
    /// let found = urlint::find(b"at http://a.example/rfc-\nindex.html").next().unwrap();
    /// assert!(found.evidence().eq([Evidence::Hyphen]));
    /// ```
    pub fn evidence(&self) -> impl Iterator<Item = Evidence> + use<> {
        let joins = self.joins;
        let all = Evidence::ALL.iter().copied();
        all.filter(move |&evidence| joins.has(evidence))
    }

    /// Returns why the URL ends where it does. `after` is the text that follows
    /// [`outer`](Self::outer), or the beginning of it.
    ///
    /// ```
    /// use urlint::find::Ending;
    ///
    /// let text = b"See http://a.example/x, and more.";
    /// let found = urlint::find(text).next().unwrap();
    /// let after = &text[found.outer.end as usize..];
    /// assert_eq!(found.ending(after), Ending::Punctuation);
    /// ```
    pub fn ending(&self, after: &[u8]) -> Ending {
        let is_open = matches!(self.delimiter, Delimiter::Bare | Delimiter::Prefix);
        if self.flags.has(Flag::TooLong) {
            return Ending::Limit;
        }
        if !is_open && !self.flags.has(Flag::Unterminated) {
            return Ending::Closed;
        }
        let blanks = after.iter().take_while(|&&byte| is_blank(byte)).count();
        match after.get(blanks) {
            None => Ending::TextEnd,
            Some(b'\n' | b'\r') => Ending::LineEnd,
            Some(_) if blanks > 0 => Ending::Space,
            Some(b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'_' | b'~') => {
                Ending::Punctuation
            }
            Some(_) => Ending::Character,
        }
    }

    fn fragment_at(&self) -> Option<usize> {
        byteset::find(b'#', &self.text)
    }

    /// Copies the candidate's text if it is borrowed, so that the candidate can outlive its source.
    pub fn into_owned(self) -> Candidate<'static> {
        Candidate {
            text: Cow::Owned(self.text.into_owned()),
            outer: self.outer,
            pieces: self.pieces,
            delimiter: self.delimiter,
            flags: self.flags,
            alternatives: self.alternatives,
            spaces: self.spaces,
            joins: self.joins,
        }
    }
}
