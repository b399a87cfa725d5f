//! The two ways to find: in bytes that are all there, and in a stream.

pub(crate) mod candidate;
pub(crate) mod chunk;
pub(crate) mod rejoin;
pub(crate) mod scan;
pub(crate) mod stream;

use crate::document::is_code;
use crate::find::candidate::Candidate;
use crate::find::scan::{Scanner, Step};
use crate::find::stream::Stream;
use crate::text::names::named;
use crate::text::window::Text;

/// How candidates are found. The default is what [`find`] does.
///
/// ```
/// use urlint::{Finder, Rejoin};
///
/// let text = b"at http://a.example/rfc-\nindex.html";
/// let urls = |finder: Finder| -> Vec<_> { finder.find(text).map(|found| found.text).collect() };
///
/// let finder = Finder::default();
/// assert_eq!(urls(finder), [&b"http://a.example/rfc-index.html"[..]]);
/// let finder = Finder { rejoin: Rejoin::Never, ..finder };
/// assert_eq!(urls(finder), [&b"http://a.example/rfc-"[..]]);
///
/// let finder = Finder { schemes: &["x-own"], ..finder };
/// let found = finder.find(b"see x-own:thing.").next().unwrap();
/// assert_eq!(found.url(), b"x-own:thing");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finder {
    /// When a URL is joined over a line break.
    pub rejoin: Rejoin,
    /// What becomes of a hyphen at a line break.
    pub hyphen: Hyphen,
    /// Whether hosts that start with `www.` or `ftp.` are found without a scheme.
    pub schemeless: bool,
    /// Schemes that are found without `//` too, like those that are known: `["x-own"]`. Case does
    /// not matter.
    pub schemes: &'static [&'static str],
    /// Whether quotes are those of source code, in which `\n`, `\r` and `\t` are white space and end
    /// a URL. [`Finder::of_path`] tells it.
    pub code: bool,
}

/// When a URL is joined over a line break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rejoin {
    /// Only inside wrappers and angles.
    Never,
    /// Also where the grammar or a hyphen asks for it, and in quotes and brackets up to the closer.
    Judged,
    /// Also on the evidence of how the lines are broken.
    #[default]
    Likely,
}

/// What becomes of a hyphen at a line break, which may belong to the URL or have been put there by
/// whoever broke the line. Either way the other readings are kept as
/// [alternatives](Candidate::alternatives).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hyphen {
    /// It belongs to the URL, unless so the URL is not valid: software that breaks lines puts none
    /// in.
    #[default]
    Keep,
    /// It does not, unless so the URL is not valid: for typeset and scanned text.
    Drop,
}

named!(Rejoin, "policy", {
    Never => "never",
    Judged => "judged",
    Likely => "likely",
});

named!(Hyphen, "policy", {
    Keep => "keep",
    Drop => "drop",
});

impl Finder {
    /// The same for a source that goes by `path`, whose extension tells whether it is source code.
    ///
    /// ```
    /// use urlint::Finder;
    ///
    /// let text = br#"print("http://a.example/x\nand so on")"#;
    /// let found = Finder::default().of_path(b"tool.py").find(text).next().unwrap();
    /// assert_eq!(found.url(), b"http://a.example/x");
    /// ```
    #[must_use]
    pub fn of_path(self, path: &[u8]) -> Finder {
        Finder {
            code: self.code || is_code(path),
            ..self
        }
    }

    /// The candidates of `text`, in order; offsets count from its first byte. Takes time linear in
    /// the length of `text`, and allocates nothing for a candidate that lies in one piece.
    pub fn find<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = Candidate<'t>> + use<'t> {
        Candidates {
            scanner: Scanner::new(*self),
            text: Text::new(text, true),
        }
    }

    /// The candidates of what `reader` gives, in bounded memory: see [`Stream`]. What the source goes
    /// by is not known here: [`Finder::of_path`] comes first where it may be source code.
    pub fn stream<R: std::io::Read>(&self, reader: R) -> Stream<R> {
        Stream::with_finder(reader, *self)
    }
}

/// The candidates of `text`, in order, as the default [`Finder`] finds them.
///
/// ```
/// let text = b"Look at <URL:http://a.example/>, (http://b.example/x) and news:comp.risks.";
/// let urls: Vec<_> = urlint::find(text).map(|found| found.text).collect();
/// assert_eq!(urls, [&b"http://a.example/"[..], b"http://b.example/x", b"news:comp.risks"]);
/// ```
pub fn find(text: &[u8]) -> impl Iterator<Item = Candidate<'_>> {
    Finder::default().find(text)
}

/// The candidates of bytes that are all there.
struct Candidates<'t> {
    scanner: Scanner,
    text: Text<'t>,
}

impl<'t> Iterator for Candidates<'t> {
    type Item = Candidate<'t>;

    #[inline(always)]
    fn next(&mut self) -> Option<Candidate<'t>> {
        // One of a list is made here and not handed on from `step`: to write it to memory and read
        // it from there at once costs a seventh of the time.
        if let Some(found) = self.scanner.listed(&self.text) {
            return Some(found.candidate(self.text.bytes, 0));
        }
        match self.scanner.search(&self.text) {
            Step::Found(found) => Some(found.candidate(self.text.bytes, 0)),
            Step::More | Step::End => None,
        }
    }
}
