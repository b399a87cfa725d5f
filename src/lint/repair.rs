//! What browsers repair by themselves, written down: problems of the URL Standard for which its parser
//! does not fail.

use super::diagnostic::{Applicability, Fix};
use super::url::Url;
use crate::find::candidate::Delimiter;
use crate::standard::rfc1738::Predefined;
use crate::standard::{Part, Problem, ProblemKind, whatwg};
use crate::url::Split;

/// What mends `problem`, if browsers make of the URL what they made of it before.
pub(super) fn repair(url: &Url<'_>, problem: Problem) -> Option<Fix> {
    let Problem { kind, part } = problem;
    let text = part.of(&url.candidate.text);
    match kind {
        ProblemKind::UnsafeCharacter if text == b"\\" && is_slash(url, part) => slash(url, part),
        ProblemKind::UnsafeCharacter if is_drive_mark(url, part) => {
            url.fix("write a colon", Applicability::Safe, &[(part, ":")])
        }
        ProblemKind::MissingSlashes => slashes(url, part),
        ProblemKind::ExtraSlash => url.fix("drop it", Applicability::Safe, &[(part, "")]),
        ProblemKind::ControlCharacter | ProblemKind::RawSpace if is_dropped(url, part) => {
            let applicability = at_most(url, Applicability::Safe, Applicability::DisplayOnly);
            url.fix("remove it", applicability, &[(part, "")])
        }
        ProblemKind::MisplacedCharacter
        | ProblemKind::BadHost
        | ProblemKind::Ipv4LeadingZero
        | ProblemKind::Ipv4Range
        | ProblemKind::Ipv6Form => host(url, problem),
        ProblemKind::DriveLetter => {
            let slash = (Part::at(part.start), "/");
            url.fix("insert a slash", Applicability::DisplayOnly, &[slash])
        }
        _ => None,
    }
}

/// Returns whether browsers read a scheme's URLs as they read those of `http` or `file`.
pub(super) fn is_special(url: &Url<'_>) -> bool {
    url.predefined == Some(Predefined::File)
        || url.scheme_facts().is_some_and(|scheme| scheme.is_special)
}

/// `wrapped` for a URL whose end is not in doubt, `bare` for others.
pub(super) fn at_most(url: &Url<'_>, wrapped: Applicability, bare: Applicability) -> Applicability {
    if url.is_wrapped() { wrapped } else { bare }
}

/// Returns whether browsers read a backslash at `part` as a slash.
pub(super) fn is_slash(url: &Url<'_>, part: Part) -> bool {
    is_special(url) && part.start < url.split.path.end
}

fn slash(url: &Url<'_>, part: Part) -> Option<Fix> {
    let is_before_host = part.start < url.split.host.unwrap_or_default().start;
    // In running text a backslash may be one of the text, or of a program in it.
    let bare = if is_before_host {
        Applicability::Unsafe
    } else {
        Applicability::DisplayOnly
    };
    let applicability = at_most(url, Applicability::Safe, bare);
    url.fix("write a slash", applicability, &[(part, "/")])
}

/// Returns whether the character at `part` follows the letter of a drive in place of a colon: `C|`.
pub(super) fn is_drive_mark(url: &Url<'_>, part: Part) -> bool {
    let path = url.split.path;
    if url.predefined != Some(Predefined::File) || url.slice(part) != b"|" || part.end > path.end {
        return false;
    }
    let before = url.slice(path.before(part.start));
    let after = url.slice(path.starting_at(part.end)).first();
    let is_first = match before {
        [letter] | [b'/' | b'\\', letter] => letter.is_ascii_alphabetic(),
        _ => false,
    };
    is_first && matches!(after, None | Some(b'/' | b'\\'))
}

/// Writes the slashes before the authority, of which those at `part` are there. A file has an empty one.
fn slashes(url: &Url<'_>, part: Part) -> Option<Fix> {
    let is_file = url.predefined == Some(Predefined::File);
    let rest = url.after(part);
    if rest.is_empty() && !is_file {
        return None;
    }
    let slashes = match rest {
        // The slash of the path, and those before it.
        [b'/' | b'\\', ..] if is_file && part.is_empty() => "//",
        _ if is_file => "///",
        _ => "//",
    };
    // In a page of the same scheme it is relative, and `http:x` may be meant so elsewhere.
    let is_relative = part.is_empty() && !is_file;
    let applicability = if url.candidate.delimiter == Delimiter::Target {
        Applicability::DisplayOnly
    } else {
        match (url.is_wrapped(), is_relative) {
            (true, false) => Applicability::Safe,
            (false, true) => Applicability::DisplayOnly,
            _ => Applicability::Unsafe,
        }
    };
    url.fix("write the slashes", applicability, &[(part, slashes)])
}

/// Returns whether the parser drops the character at `part`.
fn is_dropped(url: &Url<'_>, part: Part) -> bool {
    let text = &*url.candidate.text;
    let is_at_end = || {
        let is_space = |byte: &u8| *byte <= b' ';
        text[..part.range().end].iter().all(is_space)
            || text[part.range().start..].iter().all(is_space)
    };
    matches!(part.of(text), b"\t" | b"\n" | b"\r") || is_at_end()
}

/// The host, if `problem` is the first of its kind in it, so that one fix of a rule mends all of it.
pub(super) fn host_of_first(url: &Url<'_>, problem: Problem) -> Option<Part> {
    let host = url.split.host?;
    let is_of_host = |one: &&Problem| one.kind == problem.kind && host.contains(one.part);
    (url.problems.iter().find(is_of_host) == Some(&problem)).then_some(host)
}

/// Writes the host as browsers show it: in US-ASCII, an address in its usual form.
fn host(url: &Url<'_>, problem: Problem) -> Option<Fix> {
    let host = host_of_first(url, problem)?;
    let usual = host_to_browsers(&url.candidate.text)?;
    if usual.as_bytes() == url.slice(host) {
        return None;
    }
    url.fix(
        "write what browsers make of it",
        Applicability::Safe,
        &[(host, &usual)],
    )
}

/// The host that browsers make of that of `url`.
pub(super) fn host_to_browsers(url: &[u8]) -> Option<String> {
    let href = whatwg::href(url)?;
    let host = Split::of(href.as_bytes()).host?;
    let host = std::str::from_utf8(host.of(href.as_bytes())).ok()?;
    (!host.is_empty()).then(|| host.to_owned())
}
