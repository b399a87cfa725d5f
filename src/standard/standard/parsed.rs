//! A URL taken apart, and where it departs from a standard.

use super::{Components, Part, Problem, ProblemKind, Standard};

/// A URL taken apart by [`Standard::parse`]: its components, and where it departs from the standard.
///
/// ```
/// use urlint::standard::{Part, ProblemKind, Standard};
///
/// let parsed = Standard::Rfc3986.parse(b"HTTP://a.example/?{x#top");
/// assert_eq!(parsed.scheme().as_deref(), Some("http"));
/// assert_eq!(parsed.host(), Some(&b"a.example"[..]));
/// assert_eq!(parsed.components.fragment, Some(Part::new(21, 24)));
/// assert!(!parsed.is_valid());
/// assert_eq!(parsed.problems[0].kind, ProblemKind::UnsafeCharacter);
/// assert_eq!(parsed.problems[0].part, Part::new(18, 19));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Parsed<'u> {
    /// The standard that the URL was judged by.
    pub standard: Standard,
    /// The bytes that were judged.
    pub url: &'u [u8],
    /// The components of the URL, as written. An invalid URL has those that can still be
    /// distinguished.
    pub components: Components,
    /// Where the URL departs from the standard, ordered by start, end and name.
    pub problems: Vec<Problem>,
}

impl<'u> Parsed<'u> {
    /// Returns whether the URL is valid, and so has no problem.
    pub fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }

    /// Returns whether no problem is a [failure](Problem::is_failure). By the URL Standard, such a
    /// URL is followed by browsers, valid or not.
    ///
    /// ```
    /// use urlint::standard::whatwg::parse;
    ///
    /// assert!(parse(b"http://a_b.example/").parses());
    /// assert!(!parse(b"http://a.example:x/").parses());
    /// ```
    pub fn parses(&self) -> bool {
        !self.problems.iter().any(|problem| problem.is_failure)
    }

    /// Returns the kinds of the problems, each once, in the order of their first places.
    ///
    /// ```
    /// use urlint::standard::{ProblemKind, Standard};
    ///
    /// let parsed = Standard::Rfc1738.parse(b"http://a.example:x/~a~");
    /// assert_eq!(parsed.kinds(), [ProblemKind::BadPort, ProblemKind::UnsafeCharacter]);
    /// ```
    pub fn kinds(&self) -> Vec<ProblemKind> {
        let problems = self.problems.iter();
        let mut places: Vec<_> = problems
            .map(|problem| (problem.part, problem.kind))
            .collect();
        places.sort_unstable();
        let mut kinds = Vec::new();
        for (_, kind) in places {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    /// Returns the bytes of a part.
    pub fn slice(&self, part: Part) -> &'u [u8] {
        part.of(self.url)
    }

    /// Returns the name of the scheme in lower case.
    pub fn scheme(&self) -> Option<String> {
        let name = String::from_utf8_lossy(self.slice(self.components.scheme?));
        Some(name.to_ascii_lowercase())
    }

    /// Returns the bytes of the host, with the brackets of an IP address.
    pub fn host(&self) -> Option<&'u [u8]> {
        self.components.host.map(|part| self.slice(part))
    }

    /// Returns every component that the standard distinguishes in a URL of this scheme, with the
    /// name that the standard gives it, in the order of the URL; an absent one is `None`. By RFC
    /// 1738 the scheme is not among them, and each field of a prospero URL is a `fieldname` and a
    /// `fieldvalue`. Computed on each call.
    ///
    /// ```
    /// use urlint::standard::Standard;
    ///
    /// let names = |standard: Standard| {
    ///     let parts = standard.parse(b"nntp://news.example/comp.risks").named_parts();
    ///     let present = parts.into_iter().filter(|(_, part)| part.is_some());
    ///     present.map(|(name, _)| name).collect::<Vec<_>>()
    /// };
    /// assert_eq!(names(Standard::Rfc1738), ["host", "group"]);
    /// assert_eq!(names(Standard::Rfc3986), ["scheme", "host", "path"]);
    /// ```
    pub fn named_parts(&self) -> Vec<(&'static str, Option<Part>)> {
        self.standard.named_parts(self.url, &self.components)
    }
}
