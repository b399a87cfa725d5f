//! The URL Standard of the WHATWG: what browsers do.
//!
//! A URL is valid here if it is an *absolute-URL-with-fragment string*, which is to say: if the
//! standard's URL parser neither fails nor records a validation error, there being no base URL. The
//! standard lives; this is its text of July 2026.
//!
//! There are two verdicts. A URL that is not valid may still parse: browsers repair it. [`parse`]
//! tells both, and for each [`Violation`] the standard's own name of the error and its place, which
//! the parser of the standard does not have. Functions are named after the states of that parser;
//! where theirs go on from one code point to the next, these look for the end of a component first.
//!
//! Unlike in RFC 1738, the fragment is part of the URL. One decision: a name that becomes an IPv4
//! address by IDNA only, which the parser takes and the section "URL writing" does not, is not valid.

mod chars;
mod domain;
mod error;
mod href;
mod input;
mod ipv4;
mod ipv6;
mod judge;

use super::Syntax;
use super::survey::survey;
pub use super::{Components, Part, Problem, ProblemKind};
use crate::text::byteset;
use chars::{DOMAIN, URL_UNITS, misfit_of_ascii};
use domain::is_plain_name;
pub use error::{ValidationError, Violation};
pub use href::href;
use input::{Input, is_any_dropped};
use judge::{Judge, Kind, Start};

/// A URL taken apart by [`parse`]: its components, and where it is not a valid URL string.
///
/// ```
/// use urlint::standard::whatwg::{ProblemKind, parse};
///
/// let parsed = parse(b"http://joe@a.example/x y");
/// assert!(!parsed.is_valid());
/// assert!(parsed.parses());
/// assert_eq!(parsed.href().unwrap(), "http://joe@a.example/x%20y");
/// let kinds = parsed.problems.iter().map(|problem| problem.kind);
/// assert!(kinds.eq([ProblemKind::UserinfoNotAllowed, ProblemKind::RawSpace]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<'u> {
    /// The bytes that were judged.
    pub url: &'u [u8],
    /// The components, as they are written. The path has the slash in front; a host has brackets if
    /// it is an IPv6 address. What the parser drops, such as a tab, is in them too.
    pub components: Components,
    /// Where the URL is not a valid URL string, ordered by start, end and the name of the kind.
    pub problems: Vec<Violation>,
}

/// Judges `url` by the URL Standard and takes it apart.
///
/// Takes any bytes and never fails; takes time linear in their number. Bytes that are not UTF-8 are
/// problems, which the parser repairs. Of a URL longer than [`Part::MAX`] bytes only so many are
/// judged.
///
/// ```
/// use urlint::standard::whatwg::parse;
///
/// assert!(parse("http://faß.example/?größe#übersicht".as_bytes()).is_valid());
/// assert!(parse(b"mailto:joe@a.example").is_valid());
/// assert!(!parse(b"//a.example/").is_valid());
/// ```
#[must_use]
pub fn parse(url: &[u8]) -> Parsed<'_> {
    let mut problems = Vec::new();
    let components = violations(url, |violation| problems.push(violation));
    problems.sort_by_key(|problem| (problem.part, problem.kind.name()));
    Parsed {
        url,
        components,
        problems,
    }
}

/// Returns whether `url` is a valid URL string. Allocates nothing but for some names that are not in
/// US-ASCII, and for escapes in them.
///
/// ```
/// assert!(urlint::standard::whatwg::is_valid(b"http://a.example:/~joe#x"));
/// assert!(!urlint::standard::whatwg::is_valid(b"http://a.example:x/"));
/// ```
#[must_use]
pub fn is_valid(url: &[u8]) -> bool {
    let url = url.get(..Part::MAX).unwrap_or(url);
    match look(url) {
        Look::Ordinary(_) => true,
        Look::Other { is_clean } => {
            let mut valid = true;
            all_states(url, is_clean, &mut |_| valid = false);
            valid
        }
    }
}

/// Judges `url` as [`parse`] does, but hands each problem to `report` when it is found, which is not
/// always in the order of their parts, and keeps none. Returns the components.
///
/// ```
/// let mut count = 0;
/// urlint::standard::whatwg::judge(b"http://a.example/{x}", |_| count += 1);
/// assert_eq!(count, 2);
/// ```
#[inline]
pub fn judge(url: &[u8], mut report: impl FnMut(Problem)) -> Components {
    violations(url, |violation| report(violation.problem()))
}

/// Judges `url` as [`judge()`] does, but hands on also which validation error each problem is, and
/// whether the parser fails for it.
///
/// ```
/// let mut errors = Vec::new();
/// urlint::standard::whatwg::violations(b"http://1.2.3.256/", |violation| {
///     errors.push((violation.error.name(), violation.is_failure));
/// });
/// assert_eq!(errors, [("IPv4-out-of-range-part", true)]);
/// ```
#[inline]
pub fn violations(url: &[u8], mut report: impl FnMut(Violation)) -> Components {
    let url = url.get(..Part::MAX).unwrap_or(url);
    match look(url) {
        Look::Ordinary(ordinary) => ordinary.components(url),
        Look::Other { is_clean } => all_states(url, is_clean, &mut report),
    }
}

/// What is seen of a URL at once.
enum Look {
    /// It is valid.
    Ordinary(Ordinary),
    /// The states of the parser have to tell; whether all characters are URL units, and none is a
    /// `#`.
    Other { is_clean: bool },
}

/// A valid URL of a scheme that most have, with a name for a host.
struct Ordinary {
    host: Part,
    port: Option<Part>,
    /// Path and query.
    rest: Part,
    fragment: Option<Part>,
}

#[inline]
fn look(url: &[u8]) -> Look {
    match look_without_fragment(url) {
        Look::Other { is_clean: false } => look_with_fragment(url),
        look => look,
    }
}

/// Looks at `url`, which is known to have a character that is no URL unit, or a `#`.
fn look_with_fragment(url: &[u8]) -> Look {
    if let Some(hash) = byteset::find(b'#', url)
        && chars::URL.skip(url, hash + 1) == url.len()
        && let Look::Ordinary(ordinary) = look_without_fragment(&url[..hash])
    {
        let fragment = Some(Part::new(hash + 1, url.len()));
        return Look::Ordinary(Ordinary {
            fragment,
            ..ordinary
        });
    }
    Look::Other { is_clean: false }
}

#[inline]
fn look_without_fragment(url: &[u8]) -> Look {
    // Most URLs begin so, and it is seen without a loop.
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
        return Look::Other { is_clean };
    }
    let rest = Part::all(url).starting_at(start);
    if let Some((host, port, rest)) = survey.hostport(rest)
        && survey.is_plain_name()
        && port.is_none_or(|port| port.len() < 5)
    {
        return Look::Ordinary(Ordinary {
            host,
            port,
            rest,
            fragment: None,
        });
    }
    // A name that is longer than a survey sees.
    let (host, rest) = rest.split_at(DOMAIN.skip(url, start as usize) as u32);
    let is_end = matches!(url.get(rest.range().start), None | Some(b'/' | b'?'));
    if is_end && is_plain_name(host.of(url)) {
        return Look::Ordinary(Ordinary {
            host,
            port: None,
            rest,
            fragment: None,
        });
    }
    Look::Other { is_clean: true }
}

impl Ordinary {
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

/// Judges `url`, about which nothing is known but that it `is_clean`, if so.
fn all_states(url: &[u8], is_clean: bool, report: &mut dyn FnMut(Violation)) -> Components {
    if !is_clean && is_any_dropped(url) {
        return without_dropped(url, report, Start::Url);
    }
    let mut judge = Judge::new(url, report);
    judge.is_clean = is_clean;
    judge.read(Start::Url)
}

/// Judges `url`, of which the parser drops something, from `start` on.
#[cold]
fn without_dropped(url: &[u8], report: &mut dyn FnMut(Violation), start: Start) -> Components {
    let input = Input::of(url, |byte, part| {
        report(Violation {
            error: ValidationError::InvalidUrlUnit,
            is_failure: false,
            kind: misfit_of_ascii(byte),
            part,
        });
    });
    let mut report = |violation: Violation| {
        report(Violation {
            part: input.place(violation.part),
            ..violation
        });
    };
    let components = Judge::new(&input.text, &mut report).read(start);
    input.place_all(&components)
}

/// Hands to `report` where `fragment`, without the `#` before it, has something else than URL units.
/// Parts are those of `fragment`.
///
/// ```
/// let mut kinds = Vec::new();
/// urlint::standard::whatwg::judge_fragment(b"a b#c", |problem| kinds.push(problem.kind.name()));
/// assert_eq!(kinds, ["raw-space", "reserved-character"]);
/// ```
pub fn judge_fragment(fragment: &[u8], mut report: impl FnMut(Problem)) {
    let fragment = fragment.get(..Part::MAX).unwrap_or(fragment);
    let mut report = |violation: Violation| report(violation.problem());
    if is_any_dropped(fragment) {
        without_dropped(fragment, &mut report, Start::Fragment);
    } else {
        Judge::new(fragment, &mut report).read(Start::Fragment);
    }
}

/// Returns whether the parser fails for `problem`, which [`judge()`] found in `url`.
///
/// ```
/// use urlint::standard::whatwg::{is_failure, judge};
///
/// let url = b"http://a_b.example:x/";
/// let mut problems = Vec::new();
/// judge(url, |problem| problems.push(problem));
/// assert!(!is_failure(url, problems[0]));
/// assert!(is_failure(url, problems[1]));
/// ```
#[must_use]
pub fn is_failure(url: &[u8], problem: Problem) -> bool {
    let mut found = false;
    violations(url, |violation| {
        found |= violation.is_failure && violation.problem() == problem;
    });
    found
}

/// Returns how URLs of `scheme`, a name in any case, fall into parts. In file URLs a `\` is a slash
/// too, but an authority needs two of them.
#[must_use]
pub fn syntax(scheme: &[u8]) -> Syntax {
    match Kind::of(scheme) {
        Kind::Special(_) => Syntax::Special,
        Kind::File | Kind::Other => Syntax::Generic,
    }
}

/// Returns where the URL Standard speaks of what a kind of problem is about. Sections are named, since
/// their numbers change; states are found in the section "URL parsing". `None` for a kind that is no
/// problem by it.
#[must_use]
pub const fn reference(kind: ProblemKind) -> Option<&'static str> {
    Some(match kind {
        ProblemKind::ControlCharacter
        | ProblemKind::RawSpace
        | ProblemKind::NonAscii
        | ProblemKind::UnsafeCharacter
        | ProblemKind::BadEscape
        | ProblemKind::ReservedCharacter => "URL Standard, URL writing",
        ProblemKind::NoScheme | ProblemKind::BadScheme => "URL Standard, scheme state",
        ProblemKind::MissingSlashes => "URL Standard, special authority slashes state",
        ProblemKind::ExtraSlash => "URL Standard, special authority ignore slashes state",
        ProblemKind::UserinfoNotAllowed => "URL Standard, authority state",
        ProblemKind::EmptyHost => "URL Standard, host state",
        ProblemKind::BadHost | ProblemKind::MisplacedCharacter => "URL Standard, host writing",
        ProblemKind::HostLength => "URL Standard, IDNA",
        ProblemKind::Ipv4Range | ProblemKind::Ipv4LeadingZero => "URL Standard, IPv4 parser",
        ProblemKind::BadIpLiteral | ProblemKind::Ipv6Form => "URL Standard, IPv6 parser",
        ProblemKind::BadPort | ProblemKind::PortRange => "URL Standard, port state",
        ProblemKind::DriveLetter => "URL Standard, file host state",
        // Of other standards.
        _ => return None,
    })
}

impl<'u> Parsed<'u> {
    /// Returns whether the URL is a valid URL string: whether it has no problem.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }

    /// Returns whether the parser does not fail: whether browsers follow the URL.
    #[must_use]
    pub fn parses(&self) -> bool {
        !self.problems.iter().any(|problem| problem.is_failure)
    }

    /// What browsers make of the URL: see [`href()`]. Computed anew with each call.
    #[must_use]
    pub fn href(&self) -> Option<String> {
        href(self.url)
    }

    /// The bytes of one part.
    #[must_use]
    pub fn slice(&self, part: Part) -> &'u [u8] {
        part.of(self.url)
    }

    /// Returns every component with the name that the URL Standard gives it, in the order in which they
    /// stand in a URL; an absent one is `None`.
    ///
    /// ```
    /// use urlint::standard::whatwg::parse;
    ///
    /// let parsed = parse(b"http://joe@a.example/");
    /// let present = parsed.named_parts().into_iter().filter(|(_, part)| part.is_some());
    /// let names: Vec<_> = present.map(|(name, _)| name).collect();
    /// assert_eq!(names, ["scheme", "username", "host", "path"]);
    /// ```
    #[must_use]
    pub fn named_parts(&self) -> [(&'static str, Option<Part>); 8] {
        let components = &self.components;
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
}

#[cfg(test)]
mod tests;
