//! The login, the host and the port.

use super::case::Case;
use crate::diagnostic::Applicability::{DisplayOnly, Safe, Unsafe};
use crate::diagnostic::Fix;
use crate::finding::Finding;
use crate::rule::Rule;
use crate::understood::is_ipv6;
use crate::url::Url;
use crate::userinfo::is_constant;
use urlint_find::Delimiter;
use urlint_standard::standard::Part;

pub(super) fn userinfo(case: &Case<'_>) -> Finding {
    let finding = if case.is_whatwg() {
        let message = "a valid URL string has no user name or password";
        case.about(message, "not valid")
    } else {
        let message = "a URL of the scheme {scheme} has no user name or password";
        case.about(message, "not allowed")
    };
    finding.fix(case.fix("remove it", DisplayOnly, ""))
}

pub(super) fn bad(case: &Case<'_>) -> Finding {
    let host = case.url.split.host;
    // It ends a label.
    let is_dot_at_end = case.text == b"."
        && host.is_some_and(|host| case.part.end == host.end && case.part.start > host.start);
    let finding = match case.text {
        b"." if is_dot_at_end => case.finding("the host ends in a dot", "dot at the end"),
        b"." => case.finding("the host has an empty label", "no label next to this dot"),
        [b'-', ..] | [.., b'-'] => case.about(
            "the label {} begins|begin or ends|end with a hyphen",
            "hyphen at the edge",
        ),
        _ if case.is_whatwg() => case.about(bad_to_browsers(case), "not a host"),
        _ if case.url.is_uri() => case.about(
            "{} follows the address in brackets",
            "neither port nor path",
        ),
        _ => case.about(
            "the last label {} does not begin with a letter, and the host is not an IPv4 address",
            "no letter first",
        ),
    };
    let fix = case.usual_host();
    if !is_dot_at_end {
        return finding.fix(fix);
    }
    // Browsers keep the character.
    let applicability = if case.is_whatwg() {
        Unsafe
    } else {
        DisplayOnly
    };
    let finding = finding.fix(fix.or_else(|| case.fix("drop the dot", applicability, "")));
    // It may end the name of a host. In the target of a link, it ended a sentence.
    let is_target = case.url.candidate.delimiter == Delimiter::Target && case.url.is_web();
    finding.hint_if(case.is_rfc1738() && !is_target)
}

fn bad_to_browsers(case: &Case<'_>) -> &'static str {
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let is_host = case.url.split.host == Some(case.part);
    if !is_host && !case.text.starts_with(b"xn--") && case.text.is_ascii() {
        "the host ends in a number, but {} is not one"
    } else if case.url.host().iter().all(is_of_number) {
        "{} is not an IPv4 address of four numbers"
    } else {
        "{} is neither a host name nor an address"
    }
}

pub(super) fn bad_ip_literal(case: &Case<'_>) -> Finding {
    if case.shown.ends_with("]`") {
        return case.about("there is no IP address in {}", "not an address");
    }
    case.about("the bracket of {} is not closed", "`]` is missing")
}

/// Inserts the slash that makes a drive a part of the path.
pub(super) fn insert_slash(case: &Case<'_>) -> Option<Fix> {
    let start = Part::at(case.part.start);
    case.url.fix("insert a slash", DisplayOnly, start, "/")
}

pub(super) fn port_missing(case: &Case<'_>) -> Finding {
    // How nginx writes the path of a socket: `http://unix:/run/x.socket:/`.
    let is_socket = case.url.host() == b"unix";
    empty_port(case.url, case.part).hint_if(is_socket)
}

/// Returns the finding about the `colon` of a missing port, which RFC 3986, section 3.2.3, allows.
pub(crate) fn empty_port(url: &Url<'_>, colon: Part) -> Finding {
    // Browsers read no host with a colon in `file`, and it may be that of a drive: `file://c:/x`.
    let applicability = if url.scheme() == "file" { Unsafe } else { Safe };
    let fix = url.fix("drop the colon", applicability, colon, "");
    let message = "there is a colon without a port";
    url.finding(Rule::EmptyPort, colon, message, "a port is missing")
        .fix(fix)
}

pub(super) fn bad_port(case: &Case<'_>) -> Finding {
    let url = case.url;
    if let Some(address) = without_brackets(url) {
        let shown = String::from_utf8_lossy(url.slice(address));
        let message = format!("the IPv6 address `{shown}` has no brackets");
        return url.finding(Rule::BadPort, address, message, "`[` and `]` are missing");
    }
    let finding = case.about("the port {} is not a number", "not a number");
    // A word for the reader to replace.
    let is_word = is_constant(case.text) || url.host() == b"localhost";
    let finding = finding.hint_if(case.is_rfc1738() && is_word);
    if url.is_secret(case.part) {
        finding.note(
            "it may be a path, which follows a slash, or a password, in which delimiters are encoded",
        )
    } else {
        finding
    }
}

/// Returns the IPv6 address that the host and the port of `url` are, if its brackets are missing.
pub(super) fn without_brackets(url: &Url<'_>) -> Option<Part> {
    let (host, port) = url.split.host.zip(url.split.port)?;
    let address = Part::new(host.range().start, port.range().end);
    is_ipv6(url.slice(address)).then_some(address)
}
