//! Fixes that repair a URL as browsers do themselves: for problems of the URL Standard that are not
//! failures.

use super::diagnostic::Applicability::{self, DisplayOnly, Safe, Unsafe};
use super::diagnostic::Fix;
use super::url::Url;
use urlint_find::Delimiter;
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::standard::{Part, Problem, ProblemKind, whatwg};
use urlint_standard::url::Split;

/// Returns the fix of `problem`, if browsers then parse the URL as before.
pub(super) fn repair(url: &Url<'_>, problem: Problem) -> Option<Fix> {
    let Problem { kind, part, .. } = problem;
    let text = part.of(&url.candidate.text);
    match kind {
        ProblemKind::UnsafeCharacter if text == b"\\" && is_slash(url, part) => slash(url, part),
        ProblemKind::UnsafeCharacter if is_drive_mark(url, part) => {
            url.fix("write a colon", Safe, part, ":")
        }
        ProblemKind::MissingSlashes => slashes(url, part),
        ProblemKind::ExtraSlash => url.fix("drop it", Safe, part, ""),
        ProblemKind::ControlCharacter | ProblemKind::RawSpace if is_dropped(url, part) => {
            let applicability = at_most(url, Safe, DisplayOnly);
            url.fix("remove it", applicability, part, "")
        }
        ProblemKind::MisplacedCharacter
        | ProblemKind::BadHost
        | ProblemKind::Ipv4LeadingZero
        | ProblemKind::Ipv4Range
        | ProblemKind::Ipv6Form => host(url, problem),
        ProblemKind::DriveLetter => {
            let start = Part::at(part.start);
            url.fix("insert a slash", DisplayOnly, start, "/")
        }
        _ => None,
    }
}

/// Returns whether the URL's scheme is special to browsers, like `http` or `file`.
pub(super) fn is_special(url: &Url<'_>) -> bool {
    url.predefined == Some(Predefined::File)
        || url.scheme_facts().is_some_and(|scheme| scheme.is_special)
}

/// Returns `wrapped` for a URL whose end is certain, and `bare` for others.
pub(super) fn at_most(url: &Url<'_>, wrapped: Applicability, bare: Applicability) -> Applicability {
    if url.is_wrapped() { wrapped } else { bare }
}

/// Returns whether browsers read a backslash at `part` as a slash.
pub(super) fn is_slash(url: &Url<'_>, part: Part) -> bool {
    is_special(url) && part.start < url.split.path.end
}

fn slash(url: &Url<'_>, part: Part) -> Option<Fix> {
    let is_before_host = part.start < url.split.host.unwrap_or_default().start;
    // In running text, a backslash may belong to the text, or to a program in it.
    let bare = if is_before_host { Unsafe } else { DisplayOnly };
    let applicability = at_most(url, Safe, bare);
    url.fix("write a slash", applicability, part, "/")
}

/// Returns whether the character at `part` follows a drive letter in place of a colon: `C|`.
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

/// Writes the slashes before the authority, replacing those at `part`. A file URL gets an empty
/// authority.
fn slashes(url: &Url<'_>, part: Part) -> Option<Fix> {
    let is_file = url.predefined == Some(Predefined::File);
    let rest = url.after(part);
    if rest.is_empty() && !is_file {
        return None;
    }
    let slashes = match rest {
        // The slash of the path, and the slashes before it.
        [b'/' | b'\\', ..] if is_file && part.is_empty() => "//",
        _ if is_file => "///",
        _ => "//",
    };
    // In a page with the same scheme it is relative, and `http:x` may be intended so elsewhere.
    let is_relative = part.is_empty() && !is_file;
    let applicability = if url.candidate.delimiter == Delimiter::Target {
        DisplayOnly
    } else {
        match (url.is_wrapped(), is_relative) {
            (true, false) => Safe,
            (false, true) => DisplayOnly,
            _ => Unsafe,
        }
    };
    url.fix("write the slashes", applicability, part, slashes)
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

/// Returns the host if `problem` is the first of its kind in it, so that one fix of a rule covers
/// the whole host.
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
    url.fix("write the host as browsers read it", Safe, host, &usual)
}

/// Returns the host of `url` as browsers parse it.
pub(super) fn host_to_browsers(url: &[u8]) -> Option<String> {
    let href = whatwg::href(url)?;
    let host = Split::of(href.as_bytes()).host?;
    let host = std::str::from_utf8(host.of(href.as_bytes())).ok()?;
    (!host.is_empty()).then(|| host.to_owned())
}
