//! What would mend a problem of the grammar.

use super::diagnostic::{Applicability, Fix};
use super::rule::{Group, Rule};
use crate::find::candidate::Flag;
use crate::standard::rfc1738::{Part, Predefined, Problem, ProblemKind};
use crate::url::schemes::lookup;

use super::problems::{is_trailing_dot, lacks_all, lacks_colon, takes_escapes};
use super::unicode::is_bidi_or_invisible;
use super::url::Url;

/// What would mend `problem`.
pub(super) fn remedy(url: &Url<'_>, problem: &Problem, component: Option<&str>) -> Option<Fix> {
    let range = problem.range.clone();
    let text = url.candidate.text.get(range.clone())?;
    match (problem.kind, component) {
        (ProblemKind::UnsafeCharacter, _) if text == b"\\" => {
            url.fix("write a slash", Applicability::Display, &[(range, "/")])
        }
        (ProblemKind::BadHost, _) if text == b"." && is_trailing_dot(url, &range) => {
            url.fix("drop the dot", Applicability::Display, &[(range, "")])
        }
        (_, Some(name)) if !takes_escapes(name) => None,
        (ProblemKind::UnsafeCharacter, _) if b"#[]".contains(&text[0]) => {
            encode(url, range, text, Applicability::Display)
        }
        (ProblemKind::UnsafeCharacter | ProblemKind::RawSpace, _) => {
            // At its ends the character may belong to what marks the URL off.
            let inner = range.start > 0 && !belongs_to_end(url, text);
            let applicability = match url.is_wrapped() && inner && may_be_meant(url) {
                // `{name}` may be a place that something is put into.
                true if b"{}".contains(&text[0]) => Applicability::Unsafe,
                true => Applicability::Safe,
                false => Applicability::Display,
            };
            encode(url, range, text, applicability)
        }
        (ProblemKind::NonAscii, _) => {
            let c = std::str::from_utf8(text).ok()?.chars().next()?;
            match is_bidi_or_invisible(c) {
                true => None,
                false => encode(url, range, text, Applicability::Unsafe),
            }
        }
        (ProblemKind::BadEscape, _) => {
            let percent = range.start..range.start + 1;
            url.fix(
                "encode the `%`",
                Applicability::Display,
                &[(percent, "%25")],
            )
        }
        (ProblemKind::ReservedCharacter, _) => encode(url, range, text, Applicability::Display),
        (ProblemKind::NoScheme | ProblemKind::BadScheme, _) => {
            let end = lacks_colon(url)?;
            let is_there = range.start == 0 || range.start == end;
            let colon = is_there.then_some((end..end, ":"))?;
            url.fix("insert the colon", Applicability::Display, &[colon])
        }
        (kind, _) => structural(url, kind, range),
    }
}

/// Whether the URL ends with `text`, or with what closes it.
fn belongs_to_end(url: &Url<'_>, text: &[u8]) -> bool {
    match url.candidate.text.last() {
        Some(b'}') => text == b"{" || text == b"}",
        last => last == text.first(),
    }
}

/// Whether what stands in the wrapper is a URL but for its characters, and no rule of a grammar with
/// quoted literals, say.
fn may_be_meant(url: &Url<'_>) -> bool {
    let encoding = |problem: &Problem| {
        let group = Rule::from(problem.kind).group();
        let kinds = [ProblemKind::MissingSlash, ProblemKind::EmptyPort];
        group == Group::Encoding || kinds.contains(&problem.kind)
    };
    !url.candidate.flags.has(Flag::InteriorSpace) && url.parsed.problems.iter().all(encoding)
}

fn structural(url: &Url<'_>, kind: ProblemKind, range: Part) -> Option<Fix> {
    match kind {
        ProblemKind::MissingSlash => {
            let applicability = match url.parsed.predefined() {
                Some(Predefined::Http) => Applicability::Safe,
                _ => Applicability::Unsafe,
            };
            url.fix("insert the slash", applicability, &[(range, "/")])
        }
        ProblemKind::EmptyPort if url.text[range.end..].starts_with(b"//") => {
            // Without the colon a second scheme would be taken for the host.
            let host = url
                .host
                .clone()
                .filter(|host| is_web_scheme(url.slice(host)))?;
            let first = (0..host.start, "");
            url.fix("drop the first scheme", Applicability::Display, &[first])
        }
        ProblemKind::EmptyPort => url.fix("drop the colon", Applicability::Safe, &[(range, "")]),
        // Slashes alone would make no URL of it.
        ProblemKind::MissingSlashes if lacks_all(url, range.start).is_some() => None,
        ProblemKind::MissingSlashes => {
            let (slashes, applicability) = match (url.parsed.predefined(), &url.text[range.start..])
            {
                // `file:/x` has an empty host (RFC 8089).
                (Some(Predefined::File), _) => ("//", Applicability::Display),
                (_, [b'/', ..]) => ("/", Applicability::Unsafe),
                // `http:x` may be meant as relative.
                _ => ("//", Applicability::Display),
            };
            url.fix("insert the slashes", applicability, &[(range, slashes)])
        }
        ProblemKind::UserinfoNotAllowed => {
            url.fix("take it out", Applicability::Display, &[(range, "")])
        }
        _ => None,
    }
}

/// Returns whether `name` is one of the web's schemes, which are put before one another by mistake.
fn is_web_scheme(name: &[u8]) -> bool {
    lookup(name).is_some_and(|scheme| scheme.is_web)
}

fn encode(url: &Url<'_>, range: Part, text: &[u8], applicability: Applicability) -> Option<Fix> {
    let escapes: String = text.iter().map(|byte| format!("%{byte:02X}")).collect();
    url.fix("encode it", applicability, &[(range, &escapes)])
}
