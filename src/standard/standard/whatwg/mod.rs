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

use super::{Components, Standard, Syntax};
pub use super::{Parsed, Part, Problem, ProblemKind};
use chars::disallowed_ascii;
pub use error::ValidationError;
pub use href::href;
use input::Input;
use judge::{Judge, Kind};

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
    Standard::Whatwg.parse(url)
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
    Standard::Whatwg.is_valid(url)
}

/// Does the work of [`Standard::judge`].
pub(super) fn judge(url: &[u8], mut report: impl FnMut(Problem)) -> Components {
    read(url, false, &mut report)
}

/// Judges `text`, a URL or a fragment, without what the parser drops.
fn read(text: &[u8], is_fragment: bool, report: &mut dyn FnMut(Problem)) -> Components {
    let text = text.get(..Part::MAX).unwrap_or(text);
    let input = Input::of(text, |byte, part| {
        let error = ValidationError::InvalidUrlUnit;
        report(error.at(disallowed_ascii(byte), part, false));
    });
    let mut report = |problem: Problem| {
        report(Problem {
            part: input.place(problem.part),
            ..problem
        });
    };
    let mut judge = Judge::new(&input.text, &mut report);
    if is_fragment {
        judge.url_units(Part::all(&input.text));
        return Components::default();
    }
    let components = judge.url();
    input.place_all(&components)
}

/// Reports where `fragment`, without the `#` before it, has something other than URL units. The
/// parts are parts of `fragment`.
pub(super) fn judge_fragment(fragment: &[u8], mut report: impl FnMut(Problem)) {
    read(fragment, true, &mut report);
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
