//! Fixes for the problems of the judge.

use super::diagnostic::Applicability::{self, DisplayOnly, Safe, Unsafe};
use super::diagnostic::Fix;
use super::messages::{
    is_doubled_hash, is_trailing_dot, lacks_all, lacks_colon, second_url, takes_escapes,
};
use super::repair::{at_most, host_of_first, host_to_browsers, is_drive_mark, is_special, repair};
use super::rule::{Group, Rule};
use super::unicode::{is_bidi_or_invisible, is_joined_sign, twin};
use super::url::Url;
use urlint_find::Flag;
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::standard::{Part, Problem, ProblemKind, Standard};
use urlint_standard::url::schemes::lookup;

/// Returns the fix of `problem`, if there is one.
pub(super) fn remedy(url: &Url<'_>, problem: Problem, component: Option<&str>) -> Option<Fix> {
    let Problem { kind, part, .. } = problem;
    let text = part.of(&url.candidate.text);
    let by_standard = match url.standard {
        Standard::Rfc1738 => None,
        Standard::Rfc3986 | Standard::Rfc3987 => of_uri(url, problem, component),
        _ => repair(url, problem),
    };
    if by_standard.is_some() {
        return by_standard;
    }
    let is_address =
        url.predefined == Some(Predefined::Mailto) && matches!(component, Some("address" | "path"));
    match (kind, component) {
        (ProblemKind::UnsafeCharacter, _) if text == b"\\" && url.standard != Standard::Whatwg => {
            url.fix("write a slash", DisplayOnly, part, "/")
        }
        (ProblemKind::BadHost, _) if text == b"." && is_trailing_dot(url, part) => {
            // Browsers keep the character.
            let is_kept = url.standard == Standard::Whatwg;
            let applicability = if is_kept { Unsafe } else { DisplayOnly };
            url.fix("drop the dot", applicability, part, "")
        }
        (ProblemKind::NonAscii, _) if twin(url, part).is_some() => {
            let twin = twin(url, part)?;
            url.fix(format!("write `{twin}`"), Unsafe, part, twin)
        }
        (_, Some(name)) if !takes_escapes(name) => None,
        (ProblemKind::UnsafeCharacter, _) if is_doubled_hash(url, part) => {
            url.fix("drop it", DisplayOnly, part, "")
        }
        (ProblemKind::UnsafeCharacter, _)
            if text.first().is_some_and(|byte| b"#[]".contains(byte)) =>
        {
            encode(url, part, DisplayOnly)
        }
        // No address contains a space: `joe at a.example` is intended. Several spaces come from a broken
        // line, and before another URL a space ends the first one.
        (ProblemKind::RawSpace, _)
            if is_address || is_of_text(url, part) || second_url(url, part).is_some() =>
        {
            None
        }
        (ProblemKind::UnsafeCharacter | ProblemKind::RawSpace, _) => {
            let applicability = match is_inner(url, part) && may_be_meant(url) {
                true if may_be_safe(url, part, text) => Safe,
                true => Unsafe,
                false => DisplayOnly,
            };
            encode(url, part, applicability)
        }
        (ProblemKind::ReservedCharacter, _)
            if matches!(text, b"[" | b"]") && url.standard == Standard::Whatwg =>
        {
            // Servers see another path or query.
            let is_inner = is_inner(url, part);
            encode(url, part, if is_inner { Unsafe } else { DisplayOnly })
        }
        (ProblemKind::ControlCharacter, _) if url.standard == Standard::Whatwg => {
            let is_safe = url.is_wrapped() && may_be_safe(url, part, text);
            encode(url, part, if is_safe { Safe } else { Unsafe })
        }
        (ProblemKind::NonAscii, _) => {
            let c = std::str::from_utf8(text).ok()?.chars().next()?;
            let is_wide = matches!(c, '\u{FF01}'..='\u{FF5E}' | '\u{3002}' | '\u{2026}');
            if is_wide || is_bidi_or_invisible(c) || is_joined_sign(url, part) {
                return None;
            }
            // Browsers encode it too, except in a path that is opaque to them.
            let is_safe = url.standard == Standard::Whatwg && may_be_safe(url, part, text);
            encode(url, part, if is_safe { Safe } else { Unsafe })
        }
        (ProblemKind::BadEscape, _) => {
            let percent = part.before(part.start + 1);
            if is_in_directive(url, part) {
                return None;
            }
            url.fix("encode the `%`", Unsafe, percent, "%25")
        }
        (ProblemKind::ReservedCharacter, _) => encode(url, part, DisplayOnly),
        (ProblemKind::NoScheme | ProblemKind::BadScheme, _) => {
            let scheme = lacks_colon(url)?;
            let is_there = part.start == 0 || part.start == scheme.end;
            let end = is_there.then_some(Part::at(scheme.end))?;
            url.fix("insert the colon", DisplayOnly, end, ":")
        }
        _ => structural(url, problem),
    }
}

/// Returns the fix of `problem` that applies only to URIs.
fn of_uri(url: &Url<'_>, problem: Problem, component: Option<&str>) -> Option<Fix> {
    let Problem { kind, part, .. } = problem;
    let text = part.of(&url.candidate.text);
    let is_mailto = url.predefined == Some(Predefined::Mailto);
    match kind {
        // RFC 8089, appendices E.2.2 and E.3.2.
        ProblemKind::UnsafeCharacter if is_drive_mark(url, part) => {
            url.fix("write a colon", Unsafe, part, ":")
        }
        ProblemKind::MissingSlash if is_drive(url.after(part)) => {
            url.fix("insert the slashes", Unsafe, part, "///")
        }
        ProblemKind::MissingSlash => url.fix("insert the slash", DisplayOnly, part, "/"),
        // `file:////host/share` (RFC 8089, appendix E.3.2).
        ProblemKind::ExtraSlash if text == b"/" && !url.after(part).is_empty() => {
            let slashes = part.starting_at(part.start - 1);
            url.fix("drop two slashes", DisplayOnly, slashes, "")
        }
        ProblemKind::NonAscii if component == Some("host") => {
            let host = host_of_first(url, problem)?;
            let looked_up = [b"http://", url.slice(host), b"/"].concat();
            let ascii = host_to_browsers(&looked_up)?;
            url.fix("write its ASCII form", DisplayOnly, host, &ascii)
        }
        ProblemKind::ReservedCharacter if is_mailto && component == Some("query") => {
            let applicability = at_most(url, Unsafe, DisplayOnly);
            encode(url, part, applicability)
        }
        ProblemKind::MailtoAddrSpec if text.contains(&b';') => {
            let has_at = |address: &[u8]| memchr::memchr(b'@', address).is_some();
            if !text.split(|&byte| byte == b';').all(has_at) {
                return None;
            }
            let places = memchr::memchr_iter(b';', text);
            let commas: Vec<_> = places
                .map(|at| (part.within(Part::new(at, at + 1)), ","))
                .collect();
            url.fix_all("write commas", DisplayOnly, &commas)
        }
        _ => None,
    }
}

/// Returns whether `path` begins with a drive letter.
pub(super) fn is_drive(path: &[u8]) -> bool {
    match path {
        [letter, b':' | b'|'] | [letter, b':' | b'|', b'/', ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Returns whether the URL may stay the same when the character `text` at `part` is encoded. Under
/// standards other than RFC 1738, each fix is [tried](super::fix_safety) anyway, so only a path
/// that is opaque to browsers rules it out.
fn may_be_safe(url: &Url<'_>, part: Part, text: &[u8]) -> bool {
    match url.standard {
        Standard::Rfc1738 => is_same_encoded(url, part, text),
        _ => url.split.authority.is_some() || is_special(url),
    }
}

/// Returns whether `part` certainly belongs to the URL: at its ends it may belong to the delimiter.
fn is_inner(url: &Url<'_>, part: Part) -> bool {
    url.is_wrapped() && part.start > 0 && !belongs_to_end(url, part.of(&url.candidate.text))
}

/// Returns whether white space is next to the space at `part`, or the name of an attribute follows, before
/// which the quote is missing.
fn is_of_text(url: &Url<'_>, part: Part) -> bool {
    let text = &url.candidate.text;
    if text.ends_with(b"=") && !text[part.range().end..].contains(&b' ') {
        return true;
    }
    let before = text[..part.range().start].last();
    let beside = [before, text.get(part.range().end)];
    beside.into_iter().flatten().any(u8::is_ascii_whitespace)
}

/// Returns whether the URL ends with `text`, or with its closing counterpart.
fn belongs_to_end(url: &Url<'_>, text: &[u8]) -> bool {
    match url.candidate.text.last() {
        Some(b'}') => text == b"{" || text == b"}",
        last => last == text.first(),
    }
}

/// Returns whether the text in the wrapper is a URL apart from its characters, and not, say, a
/// grammar rule with quoted literals.
fn may_be_meant(url: &Url<'_>) -> bool {
    let encoding = |problem: &Problem| {
        let group = Rule::from(problem.kind).group();
        let kinds = [ProblemKind::MissingSlash, ProblemKind::EmptyPort];
        group == Group::Encoding || kinds.contains(&problem.kind)
    };
    !url.candidate.flags.has(Flag::InteriorSpace) && url.problems.iter().all(encoding)
}

fn structural(url: &Url<'_>, problem: Problem) -> Option<Fix> {
    let Problem { kind, part, .. } = problem;
    match kind {
        ProblemKind::MissingSlash => {
            let applicability = if url.is_web() { Safe } else { Unsafe };
            url.fix("insert the slash", applicability, part, "/")
        }
        ProblemKind::EmptyPort => drop_colon(url, part),
        // Slashes alone would not make it a URL.
        ProblemKind::MissingSlashes if lacks_all(url, part).is_some() => None,
        ProblemKind::MissingSlashes => {
            let (slashes, applicability) = match (url.predefined, url.after(part)) {
                // `file:/x` has an empty host (RFC 8089).
                (Some(Predefined::File), _) => ("//", DisplayOnly),
                (_, [b'/', ..]) => ("/", Unsafe),
                // `http:x` may be intended as relative.
                _ => ("//", DisplayOnly),
            };
            url.fix("insert the slashes", applicability, part, slashes)
        }
        ProblemKind::UserinfoNotAllowed => url.fix("remove it", DisplayOnly, part, ""),
        _ => None,
    }
}

/// Drops the `colon` after which a port is missing.
pub(super) fn drop_colon(url: &Url<'_>, colon: Part) -> Option<Fix> {
    if !url.after(colon).starts_with(b"//") {
        // Browsers read no host with a colon in `file`, and it may be that of a drive: `file://c:/x`.
        let applicability = if url.scheme() == "file" { Unsafe } else { Safe };
        return url.fix("drop the colon", applicability, colon, "");
    }
    // Without the colon, a second scheme would be taken for the host.
    let host = url.split.host;
    let host = host.filter(|&host| is_web_scheme(url.slice(host)))?;
    let first = Part::at(0).before(host.start);
    url.fix("drop the first scheme", Unsafe, first, "")
}

/// Returns whether `name` is one of the web's schemes, which are sometimes doubled by mistake.
fn is_web_scheme(name: &[u8]) -> bool {
    lookup(name).is_some_and(|scheme| scheme.is_web)
}

/// Returns whether the URL stays the same to every reader when the character `text` at `part` is
/// encoded. RFC 1738 and RFC 3986 must require the encoding, which excludes `~`. Browsers must
/// encode the character themselves in that component, since they distinguish other characters from
/// their escapes. They do so for `{` and `}` in a path, but `{name}` may be a placeholder.
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

/// Returns whether `part` is in a fragment with a text directive, which browsers parse before they
/// decode it.
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
    url.fix("encode it", applicability, part, &escapes)
}
