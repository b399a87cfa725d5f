//! Characters that must be encoded, or are not allowed at all, and escapes.

use super::case::Case;
use crate::diagnostic::Applicability::{self, DisplayOnly, Safe, Unsafe};
use crate::diagnostic::Fix;
use crate::finding::{Finding, Sentence};
use crate::rule::{Group, Rule};
use crate::understood::is_ipv6_literal;
use crate::unicode::{is_bidi_or_invisible, is_joined_sign, twin};
use crate::url::{Url, host_to_browsers};
use urlint_find::Flag;
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::standard::{Problem, ProblemKind};
use urlint_standard::url::schemes::{MAX_KNOWN, lookup_known};

pub(super) fn control(case: &Case<'_>) -> Finding {
    let finding = match case.text {
        b"\t" | b"\n" | b"\r" if case.is_whatwg() => case.about(
            "the control character {} is|are dropped by browsers",
            "dropped",
        ),
        _ => {
            let subject = format!("the control character {}", case.shown);
            case.finding(must_be_encoded(case, subject), "control character")
        }
    };
    let fix = || {
        let is_safe = case.url.is_wrapped() && may_be_safe(case);
        encode(case, if is_safe { Safe } else { Unsafe })
    };
    let fix = if case.is_whatwg() {
        drop_as_browsers(case).or_else(fix)
    } else {
        None
    };
    finding.fix(fix)
}

pub(super) fn space(case: &Case<'_>) -> Finding {
    let is_before_url = is_before_url(case);
    let finding = if is_before_url {
        let message = "there are two URLs where one is expected";
        case.finding(message, "the second one follows")
    } else {
        case.finding(must_be_encoded(case, "a space".to_owned()), "space")
    };
    let is_mailto = case.url.predefined == Some(Predefined::Mailto);
    let is_address = is_mailto && matches!(case.component, Some("address" | "path"));
    // No address contains a space: `joe at a.example` is intended. Several spaces come from a broken
    // line, and before another URL a space ends the first one.
    let fix = drop_as_browsers(case).or_else(|| {
        let is_meant = !is_address && !is_before_url && !is_of_text(case);
        is_meant.then(|| encode_meant(case)).flatten()
    });
    // Programs of mail take the subject as it is.
    let query = case.url.split.query;
    let is_subject = is_mailto && query.is_some_and(|query| query.contains(case.part));
    finding.hint_if(is_subject).fix(fix)
}

pub(super) fn non_ascii(case: &Case<'_>) -> Finding {
    let Case { url, part, .. } = *case;
    let (twin, is_sign) = (twin(url, part), is_joined_sign(url, part));
    let c = str::from_utf8(case.text).unwrap_or_default().chars().next();
    let finding = match twin {
        Some(letters) => {
            let form = ["fullwidth form", "ligature"][usize::from(letters.len() > 1)];
            let message = format!("is|are the {form} of `{letters}`");
            case.finding(Sentence::about(&case.shown, message), form)
        }
        None if is_sign => {
            let shown = url.shown();
            let message = format!("was|were probably made from other characters in {shown}");
            case.finding(Sentence::about(&case.shown, message), "probably wrong")
        }
        None => case.finding(must_be_encoded(case, case.shown.clone()), "not US-ASCII"),
    };
    // It is allowed in an IRI (RFC 3987), and browsers read it in the same way.
    let is_slip = case.is_rfc1738() && (twin.is_some() || is_sign);
    let finding = finding.hint_if(!case.is_whatwg() && !is_slip && is_iri_character(c));
    let ascii_host = || {
        let host = case.host_of_first().filter(|_| url.is_uri())?;
        let looked_up = [b"http://", url.slice(host), b"/"].concat();
        let ascii = host_to_browsers(&looked_up)?;
        url.fix("write its ASCII form", DisplayOnly, host, &ascii)
    };
    let encoded = || {
        let c = c?;
        let is_wide = matches!(c, '\u{FF01}'..='\u{FF5E}' | '\u{3002}' | '\u{2026}');
        if is_wide || is_bidi_or_invisible(c) || is_sign {
            return None;
        }
        // Browsers encode it too, except in a path that is opaque to them.
        let is_safe = case.is_whatwg() && may_be_safe(case);
        encode(case, if is_safe { Safe } else { Unsafe })
    };
    finding.fix(ascii_host().or_else(|| match twin {
        Some(twin) => case.fix(&format!("write `{twin}`"), Unsafe, twin),
        None => encoded(),
    }))
}

pub(super) fn unsafe_character(case: &Case<'_>) -> Finding {
    let Case { url, part, .. } = *case;
    let is_backslash = case.text == b"\\";
    let is_slash = is_backslash && case.is_whatwg() && is_slash(case);
    let finding = if is_slash {
        let message = "{} is|are read as a| slash|slashes by browsers, and as a| character|characters by others";
        case.about(message, "a slash?")
    } else {
        case.finding(must_be_encoded(case, case.shown.clone()), "unsafe")
    };
    let mut finding = finding.hint_if(case.is_rfc1738() && is_allowed_later(case));
    if case.text == b"#" {
        finding = finding.note(SECOND_HASH);
    }
    let fix = match case.text {
        b"\\" if is_slash => {
            let is_before_host = part.start < url.split.host.unwrap_or_default().start;
            // In running text, a backslash may belong to the text, or to a program in it.
            let bare = if is_before_host { Unsafe } else { DisplayOnly };
            case.fix("write a slash", case.at_most(Safe, bare), "/")
        }
        b"\\" if !case.is_whatwg() => case.fix("write a slash", DisplayOnly, "/"),
        // RFC 8089, appendices E.2.2 and E.3.2.
        b"|" if !case.is_rfc1738() && is_drive_mark(case) => {
            let applicability = if case.is_whatwg() { Safe } else { Unsafe };
            case.fix("write a colon", applicability, ":")
        }
        b"#" | b"[" | b"]" => encode(case, DisplayOnly),
        _ => encode_meant(case),
    };
    let finding = finding.fix(fix);
    if is_backslash && !case.is_whatwg() {
        return finding.note("browsers read `\\` as `/`; a `\\` in a name is written `%5C`");
    }
    finding
}

pub(super) fn escape(case: &Case<'_>) -> Finding {
    let shown = case.url.shown();
    let message = format!("`%` must be followed by two hexadecimal digits in {shown}");
    let finding = case.finding(message, "not an escape");
    // Browsers compare a fragment with the names in the page before they decode it.
    let finding = finding.hint_if(case.is_rfc1738() && case.component == Some("fragment"));
    let is_encoded = case.takes_escapes() && !is_in_directive(case);
    let percent = case.part.before(case.part.start + 1);
    let fix = is_encoded.then(|| case.url.fix("encode the `%`", Unsafe, percent, "%25"));
    finding.fix(fix.flatten())
}

pub(super) fn reserved(case: &Case<'_>) -> Finding {
    let url = case.url;
    let message = match case.component {
        Some(name) if case.takes_escapes() => {
            let predicate = format!("must be encoded in the {name} of {}", url.shown());
            Sentence::about(&case.shown, predicate)
        }
        _ => must_be_encoded(case, case.shown.clone()),
    };
    let finding = case.finding(message, "reserved");
    let is_mailto = url.predefined == Some(Predefined::Mailto);
    let applicability = match case.text {
        _ if url.is_uri() && is_mailto && case.component == Some("query") => {
            case.at_most(Unsafe, DisplayOnly)
        }
        // Servers see another path or query.
        b"[" | b"]" if case.is_whatwg() && is_inner(case) => Unsafe,
        _ => DisplayOnly,
    };
    let finding = finding.fix(encode(case, applicability));
    match case.text {
        b"#" => finding.note(SECOND_HASH),
        _ => finding,
    }
}

pub(super) fn misplaced(case: &Case<'_>) -> Finding {
    let finding = case.finding(is_misplaced(case, &case.shown), "misplaced");
    // By RFC 3986, section 3.2.2, it is a host, but not by RFC 1123. Such hosts exist.
    let is_of_host = case.component == Some("host") && case.text == b"_";
    let finding = finding.hint_if(case.is_rfc1738() && is_of_host);
    finding.fix(case.usual_host())
}

/// Returns the message that `subject` must be encoded, if that helps.
fn must_be_encoded(case: &Case<'_>, subject: String) -> Sentence {
    if case.takes_escapes() {
        let predicate = format!("must be encoded in {}", case.url.shown());
        Sentence::about(subject, predicate)
    } else {
        is_misplaced(case, &subject)
    }
}

fn is_misplaced(case: &Case<'_>, subject: &str) -> Sentence {
    let place = match case.component {
        Some(name) => format!("the {name} of {}", case.url.shown()),
        None => case.url.shown().to_owned(),
    };
    Sentence::about(subject, format!("is|are not allowed in {place}"))
}

const SECOND_HASH: &str = "the first `#` begins the fragment, which cannot contain another";

/// Returns whether another URL begins after the space, with a separator before the space or none.
fn is_before_url(case: &Case<'_>) -> bool {
    let after = &case.url.candidate.text[case.part.range().end..];
    let after = &after[after.iter().take_while(|byte| **byte == b' ').count()..];
    let name = after.iter().take(MAX_KNOWN + 1);
    let len = name.take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, rest) = after.split_at(len);
    rest.starts_with(b"://") && lookup_known(name).is_some()
}

/// Returns whether browsers read a backslash there as a slash.
fn is_slash(case: &Case<'_>) -> bool {
    super::case::is_special(case.url) && case.part.start < case.url.split.path.end
}

/// Returns whether the character follows a drive letter in place of a colon: `C|`.
fn is_drive_mark(case: &Case<'_>) -> bool {
    let Case { url, part, .. } = *case;
    let path = url.split.path;
    if url.predefined != Some(Predefined::File) || part.end > path.end {
        return false;
    }
    let is_first = match url.slice(path.before(part.start)) {
        [letter] | [b'/' | b'\\', letter] => letter.is_ascii_alphabetic(),
        _ => false,
    };
    let after = url.slice(path.starting_at(part.end)).first();
    is_first && matches!(after, None | Some(b'/' | b'\\'))
}

/// Returns whether RFC 3986 allows the character, or browsers send it as it is or encode it themselves, and servers
/// expect that: `list[]=1`, `a|b` and `{"a":1}` in a query. A bracket without the other one belongs to the text.
fn is_allowed_later(case: &Case<'_>) -> bool {
    let Case { url, component, .. } = *case;
    let all = &url.candidate.text;
    let number = |byte| memchr::memchr_iter(byte, all).count();
    let are_pairs = |open, close| number(open) == number(close);
    let is_of_query = matches!(component, Some("query" | "fragment"));
    match case.text {
        // RFC 3986, section 2.3.
        b"~" => true,
        // Sites that route by the fragment write `/#/#room`.
        b"#" => component == Some("fragment"),
        b"[" | b"]" if component == Some("host") => is_ipv6_literal(url.host()),
        b"[" | b"]" => are_pairs(b'[', b']') && (url.is_web() || all.contains(&b'?')),
        // A shell reads `\&` as `&`.
        b"\\" => matches!(url.after(case.part).first(), Some(b'&' | b'?' | b'=')),
        b"{" | b"}" => url.is_web() && is_of_query && are_pairs(b'{', b'}'),
        // The phrase that a query looks for.
        b"\"" => url.is_web() && is_of_query && number(b'"') % 2 == 0,
        b"^" | b"|" => is_of_query && (url.is_web() || component == Some("fragment")),
        _ => false,
    }
}

/// Returns whether the character need not be encoded in an IRI.
fn is_iri_character(c: Option<char>) -> bool {
    c.is_some_and(|c| {
        !c.is_control()
            && !c.is_whitespace()
            && !matches!(c as u32, 0xE000..=0xF8FF | 0xFDD0..=0xFDEF | 0xFFF0..=0xFFFF | 0xE0000..)
    })
}

/// Removes the character if browsers drop it: a tab or a line break, and what stands at the ends.
fn drop_as_browsers(case: &Case<'_>) -> Option<Fix> {
    let text = &*case.url.candidate.text;
    let place = case.part.range();
    let are_spaces = |text: &[u8]| text.iter().all(|byte| *byte <= b' ');
    let is_dropped = matches!(case.text, b"\t" | b"\n" | b"\r")
        || are_spaces(&text[..place.end])
        || are_spaces(&text[place.start..]);
    let applicability = case.at_most(Safe, DisplayOnly);
    (is_dropped && case.is_whatwg()).then(|| case.fix("remove it", applicability, ""))?
}

/// Encodes the character, with an applicability that depends on how certain it is that a URL was intended.
fn encode_meant(case: &Case<'_>) -> Option<Fix> {
    let applicability = match is_inner(case) && may_be_meant(case.url) {
        true if may_be_safe(case) => Safe,
        true => Unsafe,
        false => DisplayOnly,
    };
    encode(case, applicability)
}

fn encode(case: &Case<'_>, applicability: Applicability) -> Option<Fix> {
    if !case.takes_escapes() || is_in_directive(case) {
        return None;
    }
    let bytes = case.text.iter();
    let escapes: String = bytes.map(|byte| format!("%{byte:02X}")).collect();
    case.fix("encode it", applicability, &escapes)
}

/// Returns whether the URL may stay the same when the character is encoded. Under
/// standards other than RFC 1738, each fix is [tried](crate::fix_safety) anyway, so only a path
/// that is opaque to browsers rules it out.
///
/// RFC 1738 and RFC 3986 must require the encoding, which excludes `~`. Browsers must
/// encode the character themselves in that component, since they distinguish other characters from
/// their escapes. They do so for `{` and `}` in a path, but `{name}` may be a placeholder.
fn may_be_safe(case: &Case<'_>) -> bool {
    let Case { url, part, .. } = *case;
    if !case.is_rfc1738() {
        return url.split.authority.is_some() || super::case::is_special(url);
    }
    let is_special = url.scheme_facts().is_some_and(|scheme| scheme.is_special);
    if !is_special || url.split.authority.is_none() {
        return false;
    }
    let is_of_fragment = part.range().end > url.text.len();
    let browsers_encode: &[u8] = if is_of_fragment || url.split.path.contains(part) {
        b" \"<>`"
    } else if url.split.query.is_some_and(|query| query.contains(part)) {
        b" \"<>"
    } else {
        b""
    };
    let first = case.text.first();
    first.is_some_and(|byte| browsers_encode.contains(byte))
}

/// Returns whether the character certainly belongs to the URL: at its ends it may belong to the delimiter.
fn is_inner(case: &Case<'_>) -> bool {
    let is_of_end = match case.url.candidate.text.last() {
        Some(b'}') => case.text == b"{" || case.text == b"}",
        last => last == case.text.first(),
    };
    case.url.is_wrapped() && case.part.start > 0 && !is_of_end
}

/// Returns whether white space is next to the space, or the name of an attribute follows, before
/// which the quote is missing.
fn is_of_text(case: &Case<'_>) -> bool {
    let text = &case.url.candidate.text;
    let place = case.part.range();
    let beside = [text[..place.start].last(), text.get(place.end)];
    (text.ends_with(b"=") && !text[place.end..].contains(&b' '))
        || beside.into_iter().flatten().any(u8::is_ascii_whitespace)
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

/// Returns whether the character is in a fragment with a text directive, which browsers parse before they
/// decode it.
fn is_in_directive(case: &Case<'_>) -> bool {
    let fragment = case.url.candidate.fragment().unwrap_or_default();
    let is_of_fragment = case.part.range().end > case.url.text.len();
    is_of_fragment && memchr::memmem::find(fragment, b":~:").is_some()
}
