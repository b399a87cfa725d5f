//! The URL Standard of the WHATWG, which browsers follow.
//!
//! A URL is valid here if it is an *absolute-URL-with-fragment string*: if the standard's URL
//! parser, without a base URL, neither fails nor records a validation error. The standard is a
//! living one; this is its text of July 2026.
//!
//! There are two verdicts. A URL that is not valid may still parse: browsers repair it. [`parse`]
//! returns both, and for each [`Problem`] the standard's own name of the error and its place, which
//! the standard's parser does not record. Functions are named after the states of that
//! parser; where those go from one code point to the next, these look for the end of a component
//! first.
//!
//! Unlike in RFC 1738, the fragment is part of the URL. One decision: a name that becomes an IPv4
//! address only through IDNA is invalid; the parser accepts it, but the section "URL writing" does
//! not.

mod chars;
mod domain;
mod error;
mod href;
mod input;
mod ipv4;
mod ipv6;
mod judge;

use super::survey::survey;
use super::{Components, Standard, Syntax};
pub use super::{Parsed, Part, Problem, ProblemKind};
use crate::text::byteset;
use chars::{DOMAIN, URL_UNITS, disallowed_ascii};
use domain::is_plain_name;
pub use error::ValidationError;
pub use href::href;
use input::{Input, is_any_dropped};
use judge::{Judge, Kind, Start};

/// Judges `url` by the URL Standard and takes it apart.
///
/// Takes any bytes and never fails, in time linear in their number. Bytes that are not UTF-8 are
/// problems, which the parser repairs. Judges no more than the first [`Part::MAX`] bytes. Problems
/// at the same place are in the order of their names. The path includes its leading slash; a
/// component also includes the characters that the parser drops, such as a tab.
///
/// ```
/// use urlint::standard::whatwg::{ProblemKind, ValidationError, parse};
///
/// let parsed = parse(b"http://joe@a.example/x y");
/// assert!(!parsed.is_valid());
/// assert!(parsed.parses());
/// let kinds = parsed.problems.iter().map(|problem| problem.kind);
/// assert!(kinds.eq([ProblemKind::UserinfoNotAllowed, ProblemKind::RawSpace]));
/// assert_eq!(parsed.problems[0].error, Some(ValidationError::InvalidCredentials));
///
/// assert!(parse("http://faß.example/?größe#übersicht".as_bytes()).is_valid());
/// assert!(parse(b"mailto:joe@a.example").is_valid());
/// assert!(!parse(b"//a.example/").is_valid());
/// ```
#[inline]
pub fn parse(url: &[u8]) -> Parsed<'_> {
    let mut parsed = Parsed::by(Standard::Whatwg, url, |report| judge(url, report));
    let problems = &mut parsed.problems;
    problems.sort_by_key(|problem| (problem.part, problem.kind.name()));
    parsed
}

/// Returns whether `url` is a valid URL string. Allocates nothing, except for some names outside
/// ASCII, and for escapes in names.
///
/// ```
/// assert!(urlint::standard::whatwg::is_valid(b"http://a.example:/~joe#x"));
/// assert!(!urlint::standard::whatwg::is_valid(b"http://a.example:x/"));
/// ```
#[must_use]
pub fn is_valid(url: &[u8]) -> bool {
    let url = url.get(..Part::MAX).unwrap_or(url);
    match fast_path(url) {
        FastPath::Valid(_) => true,
        FastPath::Undecided { is_clean } => {
            let mut valid = true;
            all_states(url, is_clean, &mut |_| valid = false);
            valid
        }
    }
}

/// Does the work of [`Standard::judge`].
#[inline]
pub(super) fn judge(url: &[u8], mut report: impl FnMut(Problem)) -> Components {
    let url = url.get(..Part::MAX).unwrap_or(url);
    match fast_path(url) {
        FastPath::Valid(simple) => simple.components(url),
        FastPath::Undecided { is_clean } => all_states(url, is_clean, &mut report),
    }
}

/// The result of the fast path, a survey of the URL.
enum FastPath {
    /// The URL is valid.
    Valid(SimpleUrl),
    /// The states of the parser have to decide. `is_clean` says whether all characters are URL
    /// units, and none is a `#`.
    Undecided { is_clean: bool },
}

/// A valid URL of a common scheme whose host is a name.
struct SimpleUrl {
    host: Part,
    port: Option<Part>,
    /// Path and query.
    rest: Part,
    fragment: Option<Part>,
}

#[inline]
fn fast_path(url: &[u8]) -> FastPath {
    match fast_path_without_fragment(url) {
        FastPath::Undecided { is_clean: false } => fast_path_with_fragment(url),
        fast => fast,
    }
}

/// Tries again on a `url` that has a `#`, or a character that is not a URL unit.
fn fast_path_with_fragment(url: &[u8]) -> FastPath {
    if let Some(hash) = byteset::find(b'#', url)
        && chars::URL.skip(url, hash + 1) == url.len()
        && let FastPath::Valid(simple) = fast_path_without_fragment(&url[..hash])
    {
        let fragment = Some(Part::new(hash + 1, url.len()));
        return FastPath::Valid(SimpleUrl { fragment, ..simple });
    }
    FastPath::Undecided { is_clean: false }
}

#[inline]
fn fast_path_without_fragment(url: &[u8]) -> FastPath {
    // Most URLs begin this way, which is found without a loop.
    let start = if url.starts_with(b"http://") {
        7
    } else if url.starts_with(b"https://") {
        8
    } else if url.starts_with(b"ftp://") {
        6
    } else {
        0
    };
    let survey = survey(url, start, 0, &URL_UNITS);
    if !survey.clean || start == 0 {
        let is_clean = survey.clean;
        return FastPath::Undecided { is_clean };
    }
    let rest = Part::all(url).starting_at(start);
    if let Some((host, port, rest)) = survey.hostport(rest)
        && survey.is_plain_name()
        && port.is_none_or(|port| port.len() < 5)
    {
        return FastPath::Valid(SimpleUrl {
            host,
            port,
            rest,
            fragment: None,
        });
    }
    // A name may be longer than a survey covers.
    let (host, rest) = rest.split_at(DOMAIN.skip(url, start as usize) as u32);
    let is_end = matches!(url.get(rest.range().start), None | Some(b'/' | b'?'));
    if is_end && is_plain_name(host.of(url)) {
        return FastPath::Valid(SimpleUrl {
            host,
            port: None,
            rest,
            fragment: None,
        });
    }
    FastPath::Undecided { is_clean: true }
}

impl SimpleUrl {
    #[inline]
    fn components(self, url: &[u8]) -> Components {
        let rest = self.rest;
        let query = byteset::find(b'?', rest.of(url)).map(|at| rest.start + at as u32);
        Components {
            scheme: Some(Part::at(0).before(self.host.start - 3)),
            host: Some(self.host),
            port: self.port,
            path: Some(rest.before(query.unwrap_or(rest.end))),
            query: query.map(|at| rest.starting_at(at + 1)),
            fragment: self.fragment,
            ..Components::default()
        }
    }
}

/// Judges `url` state by state; `is_clean` says whether all its characters are known to be URL
/// units.
fn all_states(url: &[u8], is_clean: bool, report: &mut dyn FnMut(Problem)) -> Components {
    if !is_clean && is_any_dropped(url) {
        return without_dropped(url, report, Start::Url);
    }
    let mut judge = Judge::new(url, report);
    judge.is_clean = is_clean;
    judge.read(Start::Url)
}

/// Judges `url`, in which the parser drops something, starting with `start`.
#[cold]
fn without_dropped(url: &[u8], report: &mut dyn FnMut(Problem), start: Start) -> Components {
    let input = Input::of(url, |byte, part| {
        let error = ValidationError::InvalidUrlUnit;
        report(error.at(disallowed_ascii(byte), part, false));
    });
    let mut report = |problem: Problem| {
        report(Problem {
            part: input.place(problem.part),
            ..problem
        });
    };
    let components = Judge::new(&input.text, &mut report).read(start);
    input.place_all(&components)
}

/// Reports where `fragment`, without the `#` before it, has something other than URL units. The
/// parts are parts of `fragment`.
pub(super) fn judge_fragment(fragment: &[u8], mut report: impl FnMut(Problem)) {
    let fragment = fragment.get(..Part::MAX).unwrap_or(fragment);
    if is_any_dropped(fragment) {
        without_dropped(fragment, &mut report, Start::Fragment);
    } else {
        Judge::new(fragment, &mut report).read(Start::Fragment);
    }
}

/// Returns how URLs of `scheme`, a name in any case, are split into parts. In file URLs a `\` is a
/// slash as well, but an authority needs two of them.
#[must_use]
pub fn syntax(scheme: &[u8]) -> Syntax {
    match Kind::of(scheme) {
        Kind::Special(_) => Syntax::Special,
        Kind::File | Kind::Other => Syntax::Generic,
    }
}

/// Returns the components by their names in the URL Standard, in the order of a URL.
pub(super) fn named_parts(components: &Components) -> [(&'static str, Option<Part>); 8] {
    [
        ("scheme", components.scheme),
        ("username", components.user),
        ("password", components.password),
        ("host", components.host),
        ("port", components.port),
        ("path", components.path),
        ("query", components.query),
        ("fragment", components.fragment),
    ]
}

#[cfg(test)]
mod tests;
