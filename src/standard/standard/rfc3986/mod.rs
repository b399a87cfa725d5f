//! RFC 3986 (STD 66), Appendix A, production by production, and the schemes whose RFCs say more.
//!
//! Functions are named after the nonterminals of the grammars, are preceded by their productions,
//! and are in the order of the RFCs, so that they can be checked against the RFCs. A URL is valid
//! if it can be derived from `URI`, and its part before the fragment from the production of its
//! scheme, if that is one of [`Predefined`]. `IP-literal` is as defined by RFC 6874, with zone
//! identifiers. Where an ABNF cannot express what its RFC requires, the prose decides:
//!
//! * the host of http and https, and of ws, wss, ftp, telnet, gopher and nntp, must not be empty
//!   (RFC 9110, section 4.2.1; RFC 3986, section 3.2.2);
//! * ws and wss have no fragment (RFC 6455, section 3);
//! * a mailto address and an article identifier are judged after decoding (RFC 6068, section 2;
//!   RFC 5538, section 4).
//!
//! The fragment is part of the URL here (section 3). A reference without a scheme is not a URL.
//! [`Standard::Rfc3987`] judges by RFC 3987, section 2.2, which allows most characters outside ASCII, encoded
//! in UTF-8, except in scheme and port, the brackets of an address, the namespace of a URN and the identifier of an
//! article.
//!
//! Judging continues after a problem: a URL with five mistakes has five problems.

mod authority;
mod chars;
mod ip;
mod iri;
mod schemes;

use super::{Components, Standard};
pub use super::{Parsed, Part, Problem, ProblemKind};
use chars::{ANY, FRAGMENT, PATH, QUERY, SCHEME};
pub use ip::{HostKind, zone_id};
pub(super) use iri::Repertoire;
pub use schemes::Predefined;

/// Judges `url` by RFC 3986 and the RFC of its scheme, and takes it apart. Nothing is trimmed; the
/// text after the first `#` is the fragment.
///
/// Takes any bytes and never fails, in time linear in their number. Judges no more than the first
/// [`Part::MAX`] bytes.
///
/// ```
/// use urlint::standard::rfc3986::parse;
///
/// assert!(parse(b"https://a.example/?q=/a?b#top").is_valid());
/// assert!(!parse(b"https:a.example").is_valid());
/// assert!(!parse("https://a.example/é".as_bytes()).is_valid());
/// ```
#[inline]
pub fn parse(url: &[u8]) -> Parsed<'_> {
    Standard::Rfc3986.parse(url)
}

/// Returns whether `url`, with its fragment if any, is valid by RFC 3986 and the RFC of its scheme.
/// Allocates nothing, except for addresses and article identifiers with escapes.
///
/// ```
/// assert!(urlint::standard::rfc3986::is_valid(b"file:/etc/hosts"));
/// assert!(!urlint::standard::rfc3986::is_valid(b"file:etc/hosts"));
/// ```
#[must_use]
pub fn is_valid(url: &[u8]) -> bool {
    Standard::Rfc3986.is_valid(url)
}

/// Does the work of [`Standard::judge`].
#[inline]
pub(super) fn judge(url: &[u8], repertoire: Repertoire, report: impl FnMut(Problem)) -> Components {
    Judge::new(url, repertoire, report).uri()
}

/// Reports where `fragment`, without the `#` before it, departs from section 3.5. The parts are
/// parts of `fragment`. Only [`judge`] can report that the scheme has no fragments, if it gets the
/// URL with its fragment.
pub(super) fn judge_fragment(fragment: &[u8], repertoire: Repertoire, report: impl FnMut(Problem)) {
    let mut judge = Judge::new(fragment, repertoire, report);
    judge.characters(Part::all(fragment), &FRAGMENT);
}

/// Returns the components by their names in section 3, in the order of the grammar.
pub(super) fn named_parts(components: &Components) -> [(&'static str, Option<Part>); 7] {
    [
        ("scheme", components.scheme),
        ("userinfo", components.userinfo()),
        ("host", components.host),
        ("port", components.port),
        ("path", components.path),
        ("query", components.query),
        ("fragment", components.fragment),
    ]
}

/// The URL that is being judged, and the function that each of its problems is passed to.
struct Judge<'u, F> {
    url: &'u [u8],
    repertoire: Repertoire,
    report: F,
}

impl<'u, F: FnMut(Problem)> Judge<'u, F> {
    #[inline]
    fn new(url: &'u [u8], repertoire: Repertoire, report: F) -> Self {
        let url = url.get(..Part::MAX).unwrap_or(url);
        Judge {
            url,
            repertoire,
            report,
        }
    }
}

impl<F: FnMut(Problem)> Judge<'_, F> {
    /// ```text
    /// URI            = scheme ":" hier-part [ "?" query ] [ "#" fragment ]
    /// ```
    fn uri(&mut self) -> Components {
        // In a reference, one of the others may precede the first colon (section 4.2).
        let (scheme, rest) = self.before_any(b":/?#", Part::all(self.url));
        if !rest.of(self.url).starts_with(b":") {
            self.problem(ProblemKind::NoScheme, Part::all(self.url));
            return Components::default();
        }
        let rest = rest.skip(1);
        if scheme.is_empty() {
            self.problem(ProblemKind::NoScheme, scheme);
            return Components::default();
        }
        if !self.scheme(scheme) {
            self.characters(rest, &ANY);
            return Components::default();
        }
        match Predefined::of(scheme.of(self.url)) {
            Some(predefined) => self.predefined(predefined, scheme, rest),
            None => self.generic(scheme, rest),
        }
    }

    /// ```text
    /// hier-part      = "//" authority path-abempty
    ///                / path-absolute
    ///                / path-rootless
    ///                / path-empty
    /// ```
    /// and the rest of the URL, in schemes that require nothing more.
    fn generic(&mut self, scheme: Part, rest: Part) -> Components {
        let (authority, rest) = self.before_authority(rest);
        self.authority(&authority);
        self.path_query_fragment(scheme, authority, rest)
    }

    /// ```text
    /// scheme         = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
    /// ```
    fn scheme(&mut self, part: Part) -> bool {
        let mut clean = true;
        for character in part.characters(self.url) {
            let byte = character.of(self.url)[0];
            let is_first = character.start == part.start;
            if !SCHEME.has(byte) || is_first && !byte.is_ascii_alphabetic() {
                self.problem(ProblemKind::BadScheme, character);
                clean = false;
            }
        }
        clean
    }

    /// ```text
    /// path-abempty   = *( "/" segment )
    /// path-absolute  = "/" [ segment-nz *( "/" segment ) ]
    /// path-rootless  = segment-nz *( "/" segment )
    /// path-empty     = 0pchar
    /// segment        = *pchar
    /// pchar          = unreserved / pct-encoded / sub-delims / ":" / "@"
    /// query          = *( pchar / "/" / "?" )
    /// fragment       = *( pchar / "/" / "?" )
    /// ```
    /// Judges the text after the authority: a path after it is empty or begins with a slash, and one
    /// without an authority does not begin with two, since an authority would begin there.
    fn path_query_fragment(
        &mut self,
        scheme: Part,
        authority: Components,
        rest: Part,
    ) -> Components {
        let (path, rest) = self.characters_up_to(b"?#", rest, &PATH);
        let (query, rest) = if rest.of(self.url).starts_with(b"?") {
            let (query, rest) = self.characters_up_to(b"#", rest.skip(1), &QUERY);
            (Some(query), rest)
        } else {
            (None, rest)
        };
        let fragment = (!rest.is_empty()).then(|| rest.skip(1));
        self.fragment(fragment);
        Components {
            scheme: Some(scheme),
            path: Some(path),
            query,
            fragment,
            ..authority
        }
    }

    fn query(&mut self, query: Option<Part>) {
        if let Some(query) = query {
            self.characters(query, &QUERY);
        }
    }

    fn fragment(&mut self, fragment: Option<Part>) {
        if let Some(fragment) = fragment {
            self.characters(fragment, &FRAGMENT);
        }
    }

    /// Splits the text after the scheme as Appendix B does, without judging it. Also returns the path.
    fn split(&self, scheme: Part, rest: Part) -> (Components, Part) {
        let (authority, rest) = self.before_authority(rest);
        let (rest, fragment) = rest.cut(self.url, b'#');
        let (path, query) = rest.cut(self.url, b'?');
        let components = Components {
            scheme: Some(scheme),
            path: Some(path),
            query,
            fragment,
            ..authority
        };
        (components, path)
    }

    fn problem(&mut self, kind: ProblemKind, part: Part) {
        (self.report)(Problem::new(kind, part));
    }
}

#[cfg(test)]
mod tests;
