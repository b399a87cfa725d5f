//! RFC 1738, section 5, production by production.
//!
//! Functions are named after the nonterminals of the grammar, are preceded by their productions,
//! and are in the RFC's order, so that they can be checked against the RFC. A URL is valid if it
//! can be derived from `genericurl`, with four decisions:
//!
//! * **O1** the slash of `gopherurl` is a literal (erratum 5118);
//! * **O2** `otherurl` is for schemes other than the predefined ones;
//! * **O3** a scheme in upper case is the same scheme (section 2.1);
//! * **O4** https is judged by `httpurl`, since RFC 2818, section 2.4, gives it the same form.
//!
//! Judging continues after a problem: a URL with five mistakes has five problems.

mod chars;
mod common;
mod schemes;

use super::{Components, Standard, Syntax};
pub use super::{Parsed, Part, Problem, ProblemKind};
use crate::text::named::named;
pub(crate) use chars::SCHEME;
use chars::XCHAR;
pub(super) use common::judge_fragment;
#[doc(hidden)]
pub use common::{is_host, is_unreserved};

named! {
    /// The ten schemes that have a production of their own, in the order of section 5, and https, which
    /// is judged by the production of http.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[expect(missing_docs, reason = "the names are the schemes")]
    pub enum Predefined {
        Ftp = "ftp",
        File = "file",
        Http = "http",
        Https = "https",
        Gopher = "gopher",
        Mailto = "mailto",
        News = "news",
        Nntp = "nntp",
        Telnet = "telnet",
        Wais = "wais",
        Prospero = "prospero",
    }
}

impl Predefined {
    /// Looks up `name`, ignoring case.
    pub fn of(name: &[u8]) -> Option<Self> {
        let mut all = Predefined::ALL.iter().copied();
        all.find(|scheme| scheme.name().as_bytes().eq_ignore_ascii_case(name))
    }
}

/// Judges `url` by RFC 1738, section 5, and takes it apart. Nothing is trimmed or split off: a `#`
/// is a problem here, since a fragment is not part of the URL (the Appendix sets it aside).
///
/// Takes any bytes and never fails, in time linear in their number. Judges no more than the first
/// [`Part::MAX`] bytes.
///
/// ```
/// use urlint::standard::rfc1738::parse;
///
/// assert!(parse(b"ftp://info.cern.ch/pub/www/doc;type=d").is_valid());
/// assert!(!parse(b"ftp:info.cern.ch").is_valid());
/// ```
#[inline]
pub fn parse(url: &[u8]) -> Parsed<'_> {
    Standard::Rfc1738.parse(url)
}

/// Returns whether `url` can be derived from the grammar of RFC 1738, section 5. Allocates nothing.
///
/// ```
/// assert!(urlint::standard::rfc1738::is_valid(b"news:comp.infosystems.www.misc"));
/// assert!(!urlint::standard::rfc1738::is_valid(b"news:"));
/// ```
#[must_use]
pub fn is_valid(url: &[u8]) -> bool {
    Standard::Rfc1738.is_valid(url)
}

/// Does the work of [`Standard::judge`].
#[inline]
pub(super) fn judge(url: &[u8], report: impl FnMut(Problem)) -> Components {
    Judge::new(url, report, |_| {}).genericurl()
}

/// Returns the components by their names in sections 3 and 5, in the order of the grammar.
#[doc(hidden)]
pub fn named_parts(url: &[u8]) -> Vec<NamedPart> {
    let mut parts = Vec::new();
    Judge::new(url, |_| {}, |found| parts.extend_from_slice(found)).genericurl();
    parts
}

/// Returns how URLs of `scheme`, a name in any case, are split into parts (section 5).
#[must_use]
pub fn syntax(scheme: &[u8]) -> Syntax {
    match Predefined::of(scheme) {
        Some(Predefined::Ftp | Predefined::File | Predefined::Telnet) => Syntax::NoQuery,
        Some(Predefined::Mailto | Predefined::News) => Syntax::NoAuthority,
        _ => Syntax::Generic,
    }
}

/// A component, with its name in the grammar.
type NamedPart = (&'static str, Option<Part>);

/// The URL that is being judged, a function that takes its problems, and a function that takes its
/// components with their names.
struct Judge<'u, F, N> {
    url: &'u [u8],
    report: F,
    name: N,
}

impl<'u, F: FnMut(Problem), N: FnMut(&[NamedPart])> Judge<'u, F, N> {
    #[inline]
    fn new(url: &'u [u8], report: F, name: N) -> Self {
        let url = url.get(..Part::MAX).unwrap_or(url);
        Judge { url, report, name }
    }
}

impl<F: FnMut(Problem), N: FnMut(&[NamedPart])> Judge<'_, F, N> {
    /// ```text
    /// genericurl     = scheme ":" schemepart
    /// url            = httpurl | ftpurl | newsurl |
    ///                  nntpurl | telneturl | gopherurl |
    ///                  waisurl | mailtourl | fileurl |
    ///                  prosperourl | otherurl
    /// ```
    fn genericurl(&mut self) -> Components {
        // Most URLs begin this way, which is found without a loop.
        if self.url.starts_with(b"http://") {
            return self
                .httpurl(Part::all(self.url).starting_at(7))
                .after(Part::new(0, 4));
        }
        if self.url.starts_with(b"https://") {
            return self
                .httpurl(Part::all(self.url).starting_at(8))
                .after(Part::new(0, 5));
        }
        if self.url.starts_with(b"ftp://") {
            return self
                .ftpurl(Part::all(self.url).starting_at(6))
                .after(Part::new(0, 3));
        }
        let (scheme, schemepart) = Part::all(self.url).cut(self.url, b':');
        let Some(schemepart) = schemepart.filter(|_| !scheme.is_empty()) else {
            self.problem(ProblemKind::NoScheme, scheme);
            return Components::default();
        };
        if !self.scheme(scheme) {
            self.xchars(schemepart);
            return Components::default();
        }
        let components = match Predefined::of(scheme.of(self.url)) {
            Some(scheme) => self.predefined(scheme, schemepart),
            None => self.otherurl(schemepart),
        };
        components.after(scheme)
    }

    /// ```text
    /// otherurl       = genericurl
    /// schemepart     = *xchar | ip-schemepart
    /// ```
    /// The second alternative derives nothing that the first does not.
    fn otherurl(&mut self, schemepart: Part) -> Components {
        self.xchars(schemepart);
        (self.name)(&[("schemepart", Some(schemepart))]);
        Components::default()
    }

    /// ```text
    /// scheme         = 1*[ lowalpha | digit | "+" | "-" | "." ]
    /// ```
    fn scheme(&mut self, part: Part) -> bool {
        let mut clean = true;
        for character in part.characters(self.url) {
            if !SCHEME.has(character.of(self.url)[0]) {
                self.problem(ProblemKind::BadScheme, character);
                clean = false;
            }
        }
        clean
    }

    fn predefined(&mut self, scheme: Predefined, schemepart: Part) -> Components {
        match scheme {
            Predefined::Mailto => return self.mailtourl(schemepart),
            Predefined::News => return self.newsurl(schemepart),
            _ => {}
        }
        if !schemepart.of(self.url).starts_with(b"//") {
            self.problem(ProblemKind::MissingSlashes, Part::at(schemepart.start));
            self.xchars(schemepart);
            return Components::default();
        }
        let rest = schemepart.skip(2);
        match scheme {
            Predefined::Ftp => self.ftpurl(rest),
            Predefined::File => self.fileurl(rest),
            // O4.
            Predefined::Http | Predefined::Https => self.httpurl(rest),
            Predefined::Gopher => self.gopherurl(rest),
            Predefined::Nntp => self.nntpurl(rest),
            Predefined::Telnet => self.telneturl(rest),
            Predefined::Wais => self.waisurl(rest),
            Predefined::Prospero => self.prosperourl(rest),
            Predefined::Mailto | Predefined::News => Components::default(),
        }
    }

    fn xchars(&mut self, part: Part) -> bool {
        self.characters(part, &XCHAR)
    }

    fn problem(&mut self, kind: ProblemKind, part: Part) {
        (self.report)(Problem::new(kind, part));
    }
}

#[cfg(test)]
mod tests;
