//! What would mend a problem of the judge.

use super::diagnostic::{Applicability, Fix};
use super::problems::{is_trailing_dot, lacks_all, lacks_colon, takes_escapes};
use super::rule::{Group, Rule};
use super::unicode::is_bidi_or_invisible;
use super::url::Url;
use crate::find::candidate::Flag;
use crate::standard::rfc1738::Predefined;
use crate::standard::{Part, Problem, ProblemKind};
use crate::url::schemes::lookup;

/// What would mend `problem`.
pub(super) fn remedy(url: &Url<'_>, problem: Problem, component: Option<&str>) -> Option<Fix> {
    let Problem { kind, part } = problem;
    let text = part.of(&url.candidate.text);
    match (kind, component) {
        (ProblemKind::UnsafeCharacter, _) if text == b"\\" => {
            url.fix("write a slash", Applicability::DisplayOnly, &[(part, "/")])
        }
        (ProblemKind::BadHost, _) if text == b"." && is_trailing_dot(url, part) => {
            url.fix("drop the dot", Applicability::DisplayOnly, &[(part, "")])
        }
        (_, Some(name)) if !takes_escapes(name) => None,
        (ProblemKind::UnsafeCharacter, _)
            if text.first().is_some_and(|byte| b"#[]".contains(byte)) =>
        {
            encode(url, part, Applicability::DisplayOnly)
        }
        // No address has a space: `joe at a.example` is written so on purpose.
        (ProblemKind::RawSpace, Some("address")) => None,
        (ProblemKind::UnsafeCharacter | ProblemKind::RawSpace, _) => {
            // At its ends the character may belong to the delimiter.
            let inner = part.start > 0 && !belongs_to_end(url, text);
            let applicability = if !(url.is_wrapped() && inner && may_be_meant(url)) {
                Applicability::DisplayOnly
            } else if is_same_encoded(url, part, text) {
                Applicability::Safe
            } else {
                Applicability::Unsafe
            };
            encode(url, part, applicability)
        }
        (ProblemKind::NonAscii, _) => {
            let c = std::str::from_utf8(text).ok()?.chars().next()?;
            if is_bidi_or_invisible(c) {
                return None;
            }
            encode(url, part, Applicability::Unsafe)
        }
        (ProblemKind::BadEscape, _) => {
            let percent = part.before(part.start + 1);
            if is_in_directive(url, part) {
                return None;
            }
            url.fix(
                "encode the `%`",
                Applicability::DisplayOnly,
                &[(percent, "%25")],
            )
        }
        (ProblemKind::ReservedCharacter, _) => encode(url, part, Applicability::DisplayOnly),
        (ProblemKind::NoScheme | ProblemKind::BadScheme, _) => {
            let scheme = lacks_colon(url)?;
            let is_there = part.start == 0 || part.start == scheme.end;
            let colon = is_there.then_some((Part::at(scheme.end), ":"))?;
            url.fix("insert the colon", Applicability::DisplayOnly, &[colon])
        }
        _ => structural(url, problem),
    }
}

/// Returns whether the URL ends with `text`, or with what closes it.
fn belongs_to_end(url: &Url<'_>, text: &[u8]) -> bool {
    match url.candidate.text.last() {
        Some(b'}') => text == b"{" || text == b"}",
        last => last == text.first(),
    }
}

/// Returns whether the text in the wrapper is a URL but for its characters, and not, say, a rule of a
/// grammar with quoted literals.
fn may_be_meant(url: &Url<'_>) -> bool {
    let encoding = |problem: &Problem| {
        let group = Rule::from(problem.kind).group();
        let kinds = [ProblemKind::MissingSlash, ProblemKind::EmptyPort];
        group == Group::Encoding || kinds.contains(&problem.kind)
    };
    !url.candidate.flags.has(Flag::InteriorSpace) && url.problems.iter().all(encoding)
}

fn structural(url: &Url<'_>, problem: Problem) -> Option<Fix> {
    let Problem { kind, part } = problem;
    match kind {
        ProblemKind::MissingSlash => {
            let applicability = if url.is_web() {
                Applicability::Safe
            } else {
                Applicability::Unsafe
            };
            url.fix("insert the slash", applicability, &[(part, "/")])
        }
        ProblemKind::EmptyPort if url.after(part).starts_with(b"//") => {
            // Without the colon a second scheme would be taken for the host.
            let host = url
                .split
                .host
                .filter(|&host| is_web_scheme(url.slice(host)))?;
            let first = (Part::at(0).before(host.start), "");
            url.fix(
                "drop the first scheme",
                Applicability::DisplayOnly,
                &[first],
            )
        }
        ProblemKind::EmptyPort => url.fix("drop the colon", Applicability::Safe, &[(part, "")]),
        // Slashes alone would make no URL of it.
        ProblemKind::MissingSlashes if lacks_all(url, part).is_some() => None,
        ProblemKind::MissingSlashes => {
            let (slashes, applicability) = match (url.predefined, url.after(part)) {
                // `file:/x` has an empty host (RFC 8089).
                (Some(Predefined::File), _) => ("//", Applicability::DisplayOnly),
                (_, [b'/', ..]) => ("/", Applicability::Unsafe),
                // `http:x` may be meant as relative.
                _ => ("//", Applicability::DisplayOnly),
            };
            url.fix("insert the slashes", applicability, &[(part, slashes)])
        }
        ProblemKind::UserinfoNotAllowed => {
            url.fix("remove it", Applicability::DisplayOnly, &[(part, "")])
        }
        _ => None,
    }
}

/// Returns whether `name` is one of the web's schemes, which are put before one another by mistake.
fn is_web_scheme(name: &[u8]) -> bool {
    lookup(name).is_some_and(|scheme| scheme.is_web)
}

/// Returns whether every reader takes the URL for the same one when the character `text` at `part` is
/// encoded. By RFC 1738 and RFC 3986 it must be, as `~` need not. By the WHATWG's standard it must be
/// one that browsers encode themselves in that component: all others are other bytes to them encoded
/// and raw. `{` and `}` are among them in a path, but `{name}` may be a place that something is put
/// into.
fn is_same_encoded(url: &Url<'_>, part: Part, text: &[u8]) -> bool {
    let within = |whole: Part| whole.contains(part);
    let is_special = url.scheme_facts().is_some_and(|scheme| scheme.is_special);
    if !is_special || url.split.authority.is_none() {
        return false;
    }
    let is_of_fragment = part.range().end > url.text.len();
    let browsers_encode: &[u8] = if is_of_fragment || within(url.split.path) {
        b" \"<>`"
    } else if url.split.query.is_some_and(within) {
        b" \"<>"
    } else {
        b""
    };
    text.first()
        .is_some_and(|byte| browsers_encode.contains(byte))
}

/// Returns whether `part` is in a fragment with a text directive, which browsers take apart before
/// they decode it.
fn is_in_directive(url: &Url<'_>, part: Part) -> bool {
    let fragment = url.candidate.fragment().unwrap_or_default();
    part.range().end > url.text.len() && memchr::memmem::find(fragment, b":~:").is_some()
}

fn encode(url: &Url<'_>, part: Part, applicability: Applicability) -> Option<Fix> {
    if is_in_directive(url, part) {
        return None;
    }
    let text = part.of(&url.candidate.text);
    let escapes: String = text.iter().map(|byte| format!("%{byte:02X}")).collect();
    url.fix("encode it", applicability, &[(part, &escapes)])
}
