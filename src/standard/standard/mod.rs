//! The standards by which URLs are judged.
//!
//! [`Standard::judge`] takes a URL apart and reports where it departs from a standard. A standard
//! is one folder, which knows neither the others nor the rules of the linter, and one row of
//! [`Standard`].
//!
//! ```
//! use urlint::standard::{ProblemKind, Standard};
//!
//! let url = b"http://a.example:port/~joe";
//! let mut kinds = Vec::new();
//! let components = Standard::Rfc1738.judge(url, |problem| kinds.push(problem.kind));
//! assert_eq!(components.host.map(|host| host.of(url)), Some(&b"a.example"[..]));
//! assert_eq!(kinds, [ProblemKind::BadPort, ProblemKind::UnsafeCharacter]);
//! ```

mod disallowed;
#[doc(hidden)]
pub mod escape;
mod parsed;
mod part;
mod problem;
pub mod rfc1738;
pub mod rfc3986;
mod syntax;
#[cfg(test)]
mod testing;
#[cfg(feature = "whatwg")]
pub mod whatwg;

use crate::text::named::named;
pub use parsed::Parsed;
pub use part::Part;
pub use problem::{Problem, ProblemKind};
use rfc3986::Repertoire;
pub use syntax::Syntax;

/// A standard that says which URLs are valid.
///
/// ```
/// use urlint::standard::Standard;
///
/// let standard = Standard::from_name("rfc1738").unwrap();
/// assert!(standard.is_valid(b"ftp://a.example/x"));
/// assert_eq!(standard.to_string(), "rfc1738");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Standard {
    /// RFC 1738, Uniform Resource Locators, section 5.
    #[default]
    Rfc1738,
    /// RFC 3986, Uniform Resource Identifier (STD 66), and the RFCs of the schemes. The fragment is
    /// part of the URL.
    Rfc3986,
    /// RFC 3987, Internationalized Resource Identifiers: like RFC 3986, but characters outside
    /// ASCII may occur unescaped.
    Rfc3987,
    /// The URL Standard of the WHATWG, which browsers follow. Needs the feature `whatwg`.
    #[cfg(feature = "whatwg")]
    Whatwg,
}

/// The components of a URL that every standard has. An absent component is `None`; one that is
/// present but empty is an empty [`Part`]. A standard has only those that its grammar
/// distinguishes: RFC 1738 says nothing about the text after the colon of a scheme such as ssh.
///
/// [`url::Split`](crate::url::Split) takes any URL apart, without judging it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Components {
    /// The scheme, without its colon.
    pub scheme: Option<Part>,
    /// The user name.
    pub user: Option<Part>,
    /// The password.
    pub password: Option<Part>,
    /// The host, with the brackets of an IP address.
    pub host: Option<Part>,
    /// The port, without its colon.
    pub port: Option<Part>,
    /// The path, as the standard's grammar defines it: by RFC 1738 without the slash that follows
    /// the host, and only in schemes where it uses the term; by the URL Standard with the slash.
    pub path: Option<Part>,
    /// The query, or search, without its `?`.
    pub query: Option<Part>,
    /// The fragment, without its `#`, in standards that make it part of the URL.
    pub fragment: Option<Part>,
}

impl Components {
    /// Components of which only `host` and `port` are known.
    #[inline]
    fn at_host(host: Part, port: Option<Part>) -> Components {
        Components {
            host: Some(host),
            port,
            ..Components::default()
        }
    }

    /// The same components after `scheme`.
    #[inline]
    fn after(mut self, scheme: Part) -> Components {
        self.scheme = Some(scheme);
        self
    }

    /// Returns the text before the `@` of the authority: the user name, and the password with the
    /// colon before it.
    pub fn userinfo(&self) -> Option<Part> {
        let user = self.user?;
        let end = self.password.map_or(user.end, |password| password.end);
        Some(Part { end, ..user })
    }
}

impl Standard {
    /// Judges `url` and takes it apart. Nothing is trimmed or split off.
    ///
    /// Takes any bytes and never fails, in time linear in their number. Judges no more than the
    /// first [`Part::MAX`] bytes.
    ///
    /// ```
    /// use urlint::standard::Standard;
    ///
    /// let url = b"http://a.example/~joe";
    /// assert!(!Standard::Rfc1738.parse(url).is_valid());
    /// assert!(Standard::Rfc3986.parse(url).is_valid());
    /// ```
    #[inline]
    pub fn parse(self, url: &[u8]) -> Parsed<'_> {
        let mut problems = Vec::new();
        let components = self.judge(url, |problem| problems.push(problem));
        problems.sort_by_key(|problem| (problem.part, problem.kind.name()));
        Parsed {
            standard: self,
            url,
            components,
            problems,
        }
    }

    /// Returns whether `url` is valid; it may be any bytes. Takes time linear in its length.
    #[inline]
    pub fn is_valid(self, url: &[u8]) -> bool {
        let mut is_valid = true;
        self.judge(url, |_| is_valid = false);
        is_valid
    }

    /// Judges `url`, which may be any bytes: passes each place where it departs from the standard
    /// to `report`, in any order, and returns its components. The URL is valid if there is no such
    /// place.
    ///
    /// Takes time linear in the length of the URL. Judges no more than its first [`Part::MAX`]
    /// bytes.
    #[inline]
    pub fn judge(self, url: &[u8], report: impl FnMut(Problem)) -> Components {
        match self {
            Standard::Rfc1738 => rfc1738::judge(url, report),
            Standard::Rfc3986 => rfc3986::judge(url, Repertoire::Uri, report),
            Standard::Rfc3987 => rfc3986::judge(url, Repertoire::Iri, report),
            #[cfg(feature = "whatwg")]
            Standard::Whatwg => whatwg::judge(url, report),
        }
    }

    /// Judges `fragment`, the text after the `#` of a URL, as [`Standard::judge`] judges
    /// the URL. The parts of the problems are parts of `fragment`. RFC 1738 has no fragments, so
    /// RFC 1808, section 2.2, applies there. By RFC 3986 the fragment is part of the URL, and
    /// [`Standard::judge`] judges both if it gets both; only then does it report that a scheme has
    /// no fragments.
    ///
    /// ```
    /// use urlint::standard::{Part, Standard};
    ///
    /// let mut parts = Vec::new();
    /// Standard::Rfc1738.judge_fragment(b"a#b", |problem| parts.push(problem.part));
    /// assert_eq!(parts, [Part::new(1, 2)]);
    /// ```
    #[inline]
    pub fn judge_fragment(self, fragment: &[u8], report: impl FnMut(Problem)) {
        match self {
            Standard::Rfc1738 => rfc1738::judge_fragment(fragment, report),
            Standard::Rfc3986 => rfc3986::judge_fragment(fragment, Repertoire::Uri, report),
            Standard::Rfc3987 => rfc3986::judge_fragment(fragment, Repertoire::Iri, report),
            #[cfg(feature = "whatwg")]
            Standard::Whatwg => whatwg::judge_fragment(fragment, report),
        }
    }

    /// Returns the parts of `url` by the names that the standard gives them; `components` are its
    /// components.
    fn named_parts(self, url: &[u8], components: &Components) -> Vec<(&'static str, Option<Part>)> {
        match self {
            Standard::Rfc1738 => rfc1738::named_parts(url),
            Standard::Rfc3986 | Standard::Rfc3987 => rfc3986::named_parts(components).into(),
            #[cfg(feature = "whatwg")]
            Standard::Whatwg => whatwg::named_parts(components).into(),
        }
    }

    /// Returns whether the fragment is part of the URL, so that [`Standard::judge`] should get it,
    /// too. By RFC 1738 it is not.
    #[inline]
    pub const fn has_fragments(self) -> bool {
        !matches!(self, Standard::Rfc1738)
    }

    /// Returns how URLs of `scheme`, a name in any case, are split into parts.
    pub fn syntax(self, scheme: &[u8]) -> Syntax {
        match self {
            Standard::Rfc1738 => rfc1738::syntax(scheme),
            // RFC 3986, Appendix B.
            Standard::Rfc3986 | Standard::Rfc3987 => Syntax::Generic,
            #[cfg(feature = "whatwg")]
            Standard::Whatwg => whatwg::syntax(scheme),
        }
    }

    /// Returns where the standard covers `kind`; `None` if it has no such problem.
    ///
    /// ```
    /// use urlint::standard::{ProblemKind, Standard};
    ///
    /// let reference = Standard::Rfc1738.reference(ProblemKind::BadPort);
    /// assert_eq!(reference, Some("RFC 1738, section 3.1"));
    /// assert_eq!(Standard::Whatwg.reference(ProblemKind::BadGroup), None);
    /// ```
    pub const fn reference(self, kind: ProblemKind) -> Option<&'static str> {
        let sections = problem::sections(kind);
        let section = match self {
            Standard::Rfc1738 => sections[0],
            Standard::Rfc3986 | Standard::Rfc3987 => sections[1],
            #[cfg(feature = "whatwg")]
            Standard::Whatwg => sections[2],
        };
        if section.is_empty() {
            None
        } else {
            Some(section)
        }
    }
}

// In the order of publication.
named! { Standard {
    Rfc1738 = "rfc1738": "RFC 1738, Uniform Resource Locators: the default",
    Rfc3986 = "rfc3986": "RFC 3986 (STD 66), and the RFCs of the schemes",
    Rfc3987 = "rfc3987": "RFC 3987: as `rfc3986`, but characters beyond US-ASCII need not be encoded",
    #[cfg(feature = "whatwg")]
    Whatwg = "whatwg": "The URL Standard of the WHATWG, which browsers follow",
}}
