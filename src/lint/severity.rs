//! The severity of the problems of the judge.
//!
//! Under RFC 3986 each is an error, except for characters that an IRI may have. Under the URL
//! Standard, a failure is an error. A problem that browsers repair is a warning, or an error if other
//! programs read the URL differently. Under RFC 1738, a problem is a hint if both RFC 3986 and the URL
//! Standard allow it, since the URL works everywhere today. It is a warning if one of them allows it,
//! or if programs accept it anyway.

use core::net::Ipv6Addr;

use super::messages::{is_doubled_hash, is_trailing_dot};
use super::rule::{Rule, Severity};
use super::unicode::{is_joined_sign, twin};
use super::url::Url;
use super::userinfo::{is_constant, is_example_login};
use urlint_find::Delimiter;
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::standard::{Problem, ProblemKind, Standard};
use urlint_standard::url::host::is_example;

/// Returns the severity of `problem`, which is in `component`.
pub(super) fn severity(url: &Url<'_>, problem: Problem, component: Option<&str>) -> Severity {
    // Sites that route by the fragment write `/#/#room`, and every program reads it.
    if problem.part.start as usize > url.text.len() && problem.part.of(&url.candidate.text) == b"#"
    {
        let is_doubled = is_doubled_hash(url, problem.part);
        return if is_doubled {
            Severity::Warning
        } else {
            Severity::Hint
        };
    }
    match url.standard {
        Standard::Rfc1738 => by_rfc1738(url, problem, component),
        Standard::Rfc3986 | Standard::Rfc3987 => by_rfc3986(url, problem),
        _ => by_whatwg(url, problem),
    }
}

fn hint_if(is_right: bool) -> Severity {
    if is_right {
        Severity::Hint
    } else {
        Severity::Error
    }
}

fn by_rfc3986(url: &Url<'_>, problem: Problem) -> Severity {
    let text = problem.part.of(&url.candidate.text);
    // It is allowed in an IRI (RFC 3987), and browsers read it in the same way.
    hint_if(problem.kind == ProblemKind::NonAscii && is_iri_character(text))
}

fn by_whatwg(url: &Url<'_>, problem: Problem) -> Severity {
    if problem.kind == ProblemKind::HostLength && is_example(url.host()) {
        // An example of a long name is never looked up.
        return Severity::Hint;
    }
    let is_read_otherwise = match problem.kind {
        ProblemKind::MissingSlashes
        | ProblemKind::ExtraSlash
        | ProblemKind::RawSpace
        | ProblemKind::ControlCharacter => true,
        ProblemKind::UnsafeCharacter => problem.part.of(&url.candidate.text) == b"\\",
        ProblemKind::UserinfoNotAllowed => url.is_web(),
        // They cannot be looked up, whatever browsers do.
        ProblemKind::HostLength | ProblemKind::Ipv4Range | ProblemKind::PortRange => true,
        _ => false,
    };
    if is_read_otherwise || problem.is_failure {
        Severity::Error
    } else {
        Severity::Warning
    }
}

fn by_rfc1738(url: &Url<'_>, problem: Problem, component: Option<&str>) -> Severity {
    let Problem { kind, part, .. } = problem;
    let text = part.of(&url.candidate.text);
    match kind {
        // RFC 3986, sections 2.3 and 3.2.2.
        ProblemKind::UnsafeCharacter => {
            let is_address = || component == Some("host") && is_ipv6(url.host());
            let is_bracket = matches!(text, b"[" | b"]");
            // A shell reads `\&` as `&`.
            let is_of_shell =
                text == b"\\" && matches!(url.after(part).first(), Some(b'&' | b'?' | b'='));
            let is_escaped = is_of_shell || is_sent(url, text, component);
            hint_if(text == b"~" || (is_bracket && is_address()) || is_escaped)
        }
        ProblemKind::NonAscii if twin(url, part).is_some() || is_joined_sign(url, part) => {
            Severity::Warning
        }
        // RFC 3987; the WHATWG's standard reads it in the same way.
        ProblemKind::NonAscii => hint_if(is_iri_character(text)),
        // Browsers compare a fragment with the names in the page before they decode it.
        ProblemKind::BadEscape => hint_if(component == Some("fragment")),
        // RFC 3986, sections 3.3 and 3.4.
        ProblemKind::ReservedCharacter => {
            let is_generic = matches!(component, Some("path" | "query"));
            hint_if(is_generic && !text.starts_with(b"#"))
        }
        // By RFC 3986, section 3.2.2, it is a host, but not by RFC 1123. Such hosts exist.
        ProblemKind::MisplacedCharacter if component == Some("host") && text == b"_" => {
            Severity::Hint
        }
        ProblemKind::IpLiteral => hint_if(is_ipv6(text) || is_of_future(text)),
        // A word for the reader to replace.
        ProblemKind::BadPort => hint_if(is_constant(text) || url.host() == b"localhost"),
        // The command of Amazon's services reads files by such URLs: `file://policy.json`.
        ProblemKind::MissingPath => {
            let is_file = url.predefined == Some(Predefined::File) && url.host().contains(&b'.');
            let is_loose = matches!(url.candidate.delimiter, Delimiter::Bare | Delimiter::Quotes);
            hint_if(is_file && is_loose)
        }
        // How nginx writes the path of a socket: `http://unix:/run/x.socket:/`.
        ProblemKind::EmptyPort if url.host() == b"unix" => Severity::Hint,
        // RFC 3986, section 3.2.3; but before slashes, a second scheme was taken for the host.
        ProblemKind::EmptyPort if !url.after(part).starts_with(b"//") => Severity::Warning,
        ProblemKind::MissingSlash => hint_if(url.is_web()),
        // RFC 3986 allows it, but RFC 9110, section 4.2.4, deprecates it.
        ProblemKind::UserinfoNotAllowed if is_example_login(url) => Severity::Hint,
        ProblemKind::UserinfoNotAllowed => Severity::Warning,
        // It ends the name of a host, not an address.
        ProblemKind::BadHost if text == b"." && is_trailing_dot(url, part) => {
            let is_address = url
                .host()
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'.');
            if is_address {
                Severity::Warning
            } else {
                Severity::Hint
            }
        }
        // RFC 8089, appendix B.
        ProblemKind::MissingSlashes => {
            let is_file = url.predefined == Some(Predefined::File);
            hint_if(is_file && url.after(part).starts_with(b"/"))
        }
        // RFC 5538, sections 2 and 3.
        ProblemKind::BadGroup => hint_if(text.iter().all(u8::is_ascii_digit)),
        ProblemKind::AuthorityNotAllowed => Severity::Hint,
        // RFC 6068, section 2.
        ProblemKind::MissingComponent => hint_if(url.predefined == Some(Predefined::Mailto)),
        kind => Rule::from(kind).severity(),
    }
}

/// Returns whether browsers send the character as it is, or encode it themselves, and servers expect that:
/// `list[]=1`, `x@^5`, `a|b` and `{"a":1}` in a query, `<` and `>` in identifiers of articles, and `->` in a
/// name. A bracket without the other one belongs to the text.
fn is_sent(url: &Url<'_>, text: &[u8], component: Option<&str>) -> bool {
    let all = &url.candidate.text;
    let number = |byte| memchr::memchr_iter(byte, all).count();
    let are_pairs = |open, close| number(open) == number(close);
    let is_of_query = matches!(component, Some("query" | "fragment"));
    let has_query = || all.contains(&b'?');
    match text {
        b"[" | b"]" => {
            are_pairs(b'[', b']') && component != Some("host") && (url.is_web() || has_query())
        }
        b">" if memchr::memmem::find(all, b"->").is_some() => true,
        b"<" | b">" => are_pairs(b'<', b'>') && memchr::memmem::find(all, b"(SICI)").is_some(),
        b"{" | b"}" => url.is_web() && is_of_query && are_pairs(b'{', b'}'),
        b"^" if memchr::memmem::find(all, b"@^").is_some() => url.is_web(),
        b"^" | b"|" => is_of_query && (url.is_web() || component == Some("fragment")),
        _ => false,
    }
}

/// Returns whether `literal` is an address of a future version (RFC 3986, section 3.2.2).
fn is_of_future(literal: &[u8]) -> bool {
    let version = literal.strip_prefix(b"[v").unwrap_or_default();
    let digits = version.iter().take_while(|byte| byte.is_ascii_hexdigit());
    let len = digits.count();
    len > 0 && version.get(len) == Some(&b'.')
}

/// Returns whether `text` is a character that need not be encoded in an IRI.
fn is_iri_character(text: &[u8]) -> bool {
    let c = str::from_utf8(text)
        .ok()
        .and_then(|text| text.chars().next());
    c.is_some_and(|c| {
        !c.is_control()
            && !c.is_whitespace()
            && !matches!(c as u32, 0xE000..=0xF8FF | 0xFDD0..=0xFDEF | 0xFFF0..=0xFFFF | 0xE0000..)
    })
}

/// Returns whether `literal` is an IPv6 address in brackets, perhaps with a zone (RFC 6874).
fn is_ipv6(literal: &[u8]) -> bool {
    let inside = literal
        .strip_prefix(b"[")
        .and_then(|rest| rest.strip_suffix(b"]"));
    let address = inside.and_then(|inside| inside.split(|&byte| byte == b'%').next());
    let address = address.and_then(|address| str::from_utf8(address).ok());
    address.is_some_and(|address| address.parse::<Ipv6Addr>().is_ok())
}
