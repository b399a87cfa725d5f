//! Messages for the problems of the judge.

use super::finding::Sentence;
use super::repair::is_slash;
use super::rule::Rule;
use super::url::Url;
use urlint_core::standard::rfc1738::Predefined;
use urlint_core::standard::{Part, Problem, ProblemKind, Standard};
use urlint_core::url::schemes::{MAX_KNOWN, lookup_known};

/// The message, and a short label.
pub(super) type Words = (Sentence, &'static str);

pub(super) fn words(url: &Url<'_>, problem: Problem, component: Option<&'static str>) -> Words {
    let kind = problem.kind;
    let text = if url.is_secret(problem.part) && kind != ProblemKind::BadPort {
        "a character of the password".to_owned()
    } else {
        url.quoted(problem.part)
    };
    to_browsers(url, problem, &text)
        .or_else(|| character(url, kind, &text, component))
        .or_else(|| not_admitted(kind, &text, url.scheme()))
        .unwrap_or_else(|| missing(url, problem, &text))
}

/// Messages for problems that the URL Standard treats differently from the RFCs.
fn to_browsers(url: &Url<'_>, problem: Problem, text: &str) -> Option<Words> {
    if url.standard != Standard::Whatwg {
        return None;
    }
    let Problem { kind, part, .. } = problem;
    let raw = part.of(&url.candidate.text);
    Some(match kind {
        ProblemKind::UnsafeCharacter if raw == b"\\" && is_slash(url, part) => {
            let predicate = "is|are read as a| slash|slashes by browsers, and as a| character|characters by others";
            (Sentence::about(text, predicate), "a slash?")
        }
        ProblemKind::ControlCharacter if matches!(raw, b"\t" | b"\n" | b"\r") => {
            let subject = format!("the control character {text}");
            let sentence = Sentence::about(subject, "is|are dropped by browsers");
            (sentence, "dropped")
        }
        ProblemKind::UserinfoNotAllowed => (
            "a valid URL string has no user name or password".into(),
            "not valid",
        ),
        _ => return None,
    })
}

/// Messages for a character that must be encoded, or is not allowed at all.
fn character(
    url: &Url<'_>,
    kind: ProblemKind,
    text: &str,
    component: Option<&'static str>,
) -> Option<Words> {
    let misplaced = |text: &str| {
        let place = match component {
            Some(name) => format!("allowed in the {name} of {}", url.shown()),
            None => format!("allowed in {}", url.shown()),
        };
        Sentence::about(text, format!("is|are not {place}"))
    };
    // Encoding does not help where the component takes no escapes.
    let takes_escapes = component.is_none_or(takes_escapes);
    let encoded = |text: &str, place: &str| {
        if takes_escapes {
            Sentence::about(text, format!("must be encoded in {place}{}", url.shown()))
        } else {
            misplaced(text)
        }
    };
    let raw = |text: &str| encoded(text, "");
    Some(match kind {
        ProblemKind::ControlCharacter => (
            raw(&format!("the control character {text}")),
            "control character",
        ),
        ProblemKind::RawSpace => (raw("a space"), "space"),
        ProblemKind::NonAscii => (raw(text), "not US-ASCII"),
        ProblemKind::UnsafeCharacter => (raw(text), "unsafe"),
        ProblemKind::BadEscape => {
            let message = format!(
                "`%` must be followed by two hexadecimal digits in {}",
                url.shown()
            );
            (message.into(), "not an escape")
        }
        ProblemKind::ReservedCharacter => match component {
            Some(name) => (encoded(text, &format!("the {name} of ")), "reserved"),
            None => (raw(text), "reserved"),
        },
        ProblemKind::MisplacedCharacter => (misplaced(text), "misplaced"),
        ProblemKind::BadScheme => (
            Sentence::about(text, "is|are not allowed in a scheme"),
            "not allowed in a scheme",
        ),
        _ => return None,
    })
}

pub(super) fn takes_escapes(component: &str) -> bool {
    !matches!(
        component,
        "host" | "port" | "newsgroup" | "number of an article"
    )
}

/// Messages for a component that the scheme does not have, or not in this form.
fn not_admitted(kind: ProblemKind, text: &str, scheme: &str) -> Option<Words> {
    let has_no = |what: &str| {
        let message = format!("a URL of the scheme {scheme} has no {what}");
        (Sentence::from(message), "not allowed")
    };
    Some(match kind {
        ProblemKind::UserinfoNotAllowed => has_no("user name or password"),
        ProblemKind::PortNotAllowed => has_no("port"),
        ProblemKind::PathNotAllowed => has_no("path"),
        ProblemKind::QueryNotAllowed => has_no("query"),
        ProblemKind::FragmentNotAllowed => has_no("fragment"),
        ProblemKind::AuthorityNotAllowed => has_no("server"),
        ProblemKind::BadIpLiteral if text.ends_with("]`") => (
            format!("there is no IP address in {text}").into(),
            "not an address",
        ),
        ProblemKind::BadIpLiteral => (
            format!("the bracket of {text} is not closed").into(),
            "`]` is missing",
        ),
        ProblemKind::BadNamespace => (
            format!("the namespace {text} is not of 2 to 32 letters, digits and inner hyphens")
                .into(),
            "not a namespace",
        ),
        ProblemKind::MailtoAddrSpec => (
            format!("the address {text} is not one of mail").into(),
            "not an address of mail",
        ),
        ProblemKind::PortRange => (
            format!("the port {text} is greater than 65535").into(),
            "no such port",
        ),
        ProblemKind::Ipv4Range => (
            Sentence::about(text, "is|are too great for an IPv4 address"),
            "no such address",
        ),
        ProblemKind::Ipv4LeadingZero => (
            Sentence::about(
                text,
                "is|are not decimal, and browsers read it|them as octal or hexadecimal",
            ),
            "not decimal",
        ),
        ProblemKind::Ipv6Form => (
            Sentence::about(text, "begins|begin with a zero"),
            "leading zero",
        ),
        ProblemKind::DriveLetter => (
            format!("{text} is a drive, and not a host").into(),
            "a drive",
        ),
        ProblemKind::IpLiteral => (
            format!("the address in brackets {text} is not a host by RFC 1738").into(),
            "address in brackets",
        ),
        ProblemKind::BadPort => (
            format!("the port {text} is not a number").into(),
            "not a number",
        ),
        ProblemKind::BadTypecode if text != "``" => (
            format!("the typecode {text} is not `a`, `i` or `d`").into(),
            "unknown typecode",
        ),
        ProblemKind::BadGroup => (
            format!("the name of a newsgroup begins with a letter, not with {text}").into(),
            "not a letter",
        ),
        ProblemKind::BadArticle if scheme == "news" => (
            format!("the article {text} is not named by a message identifier").into(),
            "not an identifier",
        ),
        ProblemKind::BadArticle => (
            format!("the number of an article {text} is not a number").into(),
            "not a number",
        ),
        _ => return None,
    })
}

/// Messages for something that is missing.
fn missing(url: &Url<'_>, problem: Problem, text: &str) -> Words {
    let (message, label) = match problem.kind {
        ProblemKind::BadHost => return bad_host(url, problem.part, text),
        ProblemKind::HostLength => return host_length(url, problem.part),
        ProblemKind::ExtraSlash => {
            let message = Sentence::about(text, "is|are one| slash|slashes too many");
            return (message, "too many");
        }
        ProblemKind::MissingPath => return missing_path(url),
        ProblemKind::MissingComponent => return missing_component(url, problem.part),
        ProblemKind::BadField => {
            let field = format!("the field {text}");
            let sentence = Sentence::about(field, "has|have no `=`");
            return (sentence, "`=` is missing");
        }
        ProblemKind::MissingSlashes => {
            // To browsers both are missing.
            let is_alone = url.standard == Standard::Whatwg;
            let message = match lacks_all(url, problem.part).filter(|_| !is_alone) {
                Some(what) => format!("`//` and {what} are missing after `{}:`", url.scheme()),
                None => format!("`//` is missing after `{}:`", url.scheme()),
            };
            return (message.into(), "`//` is missing here");
        }
        ProblemKind::NoScheme => match lacks_colon(url) {
            Some(scheme) => {
                let message = format!("`:` is missing after {}", url.quoted(scheme));
                return (message.into(), "no scheme");
            }
            None if url.text.contains(&b'@') => (
                "`mailto:` is missing before the mail address",
                "a scheme is missing",
            ),
            None => ("the URL has no scheme", "a scheme is missing"),
        },
        ProblemKind::EmptyHost => ("the host is missing", "a host is missing here"),
        ProblemKind::EmptyPort => empty_port(url, problem.part),
        ProblemKind::MissingSlash if url.split.authority.is_none() => {
            ("the path does not begin with `/`", "`/` is missing here")
        }
        ProblemKind::MissingSlash => ("`/` is missing after the host", "`/` is missing here"),
        ProblemKind::BadTypecode => ("the typecode is empty", "a typecode is missing"),
        kind => (Rule::from(kind).summary(), "here"),
    };
    (message.into(), label)
}

/// Returns the message and the label for a colon without a port at `colon`.
pub(super) fn empty_port(url: &Url<'_>, colon: Part) -> (&'static str, &'static str) {
    if url.after(colon).starts_with(b"//") {
        ("the scheme is written twice", "the second scheme")
    } else {
        ("there is a colon without a port", "a port is missing")
    }
}

/// Returns the component that is missing in addition to the slashes, if nothing that follows `place` can be it.
pub(super) fn lacks_all(url: &Url<'_>, place: Part) -> Option<&'static str> {
    match (url.predefined, url.after(place)) {
        (Some(Predefined::File), []) => Some("a path"),
        (Some(Predefined::File), _) => None,
        (_, [] | [b'/']) => Some("a host"),
        _ => None,
    }
}

/// Returns the name of a scheme that is followed by slashes without a colon: `http//host`.
pub(super) fn lacks_colon(url: &Url<'_>) -> Option<Part> {
    let mut head = url.text.iter().take(MAX_KNOWN + 1);
    let (name, rest) = url.text.split_at(head.position(|&byte| byte == b'/')?);
    let is_scheme = rest.starts_with(b"//") && lookup_known(name).is_some();
    is_scheme.then(|| Part::new(0, name.len()))
}

fn bad_host(url: &Url<'_>, part: Part, text: &str) -> Words {
    let label = |predicate: &str| Sentence::about(format!("the label {text}"), predicate);
    match url.slice(part) {
        b"." if is_trailing_dot(url, part) => ("the host ends in a dot".into(), "dot at the end"),
        b"." => (
            "the host has an empty label".into(),
            "no label next to this dot",
        ),
        [b'-', ..] => (
            label("begins|begin with a hyphen"),
            "hyphen at the edge",
        ),
        [.., b'-'] => (
            label("ends|end with a hyphen"),
            "hyphen at the edge",
        ),
        _ if url.standard == Standard::Whatwg => bad_host_to_browsers(url, part, text),
        _ if url.standard != Standard::Rfc1738 => (
            format!("{text} follows the address in brackets").into(),
            "neither port nor path",
        ),
        _ => (
            format!(
                "the last label {text} does not begin with a letter, and the host is not an IPv4 address"
            )
            .into(),
            "no letter first",
        ),
    }
}

fn bad_host_to_browsers(url: &Url<'_>, part: Part, text: &str) -> Words {
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let is_host = url.split.host == Some(part);
    let message = if !is_host && !url.slice(part).starts_with(b"xn--") && url.slice(part).is_ascii()
    {
        format!("the host ends in a number, and {text} is none")
    } else if url.host().iter().all(is_of_number) {
        format!("{text} is not an IPv4 address of four numbers")
    } else {
        format!("{text} is not the name of a host, nor an address")
    };
    (message.into(), "not a host")
}

fn host_length(url: &Url<'_>, part: Part) -> Words {
    let is_host = url.split.host == Some(part);
    let (what, most) = if is_host {
        ("the host", 253)
    } else {
        ("a label", 63)
    };
    let len = part.len();
    let message = format!("{what} of {len} characters is longer than {most}");
    (message.into(), "too long")
}

/// Returns whether the dot is the host's last character and ends a label.
pub(super) fn is_trailing_dot(url: &Url<'_>, dot: Part) -> bool {
    let host = url.split.host;
    host.is_some_and(|host| dot.end == host.end && dot.start > host.start)
}

fn missing_path(url: &Url<'_>) -> Words {
    let what = match url.predefined {
        Some(Predefined::Nntp) => "a newsgroup",
        Some(Predefined::Wais) => "a database",
        _ => "a path",
    };
    (
        format!("`/` and {what} are missing after the host").into(),
        "`/` is missing here",
    )
}

fn missing_component(url: &Url<'_>, part: Part) -> Words {
    if url.scheme().eq_ignore_ascii_case("urn") {
        let what = match url.split.query {
            Some(query) if query.start < part.start => "the component after `?`",
            _ if part.start as usize == "urn:".len() => "the namespace",
            _ => "the name in the namespace",
        };
        return (format!("{what} is missing").into(), "missing here");
    }
    let what = match url.predefined {
        Some(Predefined::Mailto) => "the address",
        Some(Predefined::News) if url.own(Predefined::News, "article").is_some() => {
            "the identifier of the article"
        }
        Some(Predefined::News) => "the newsgroup or article",
        Some(Predefined::Nntp) if url.own(Predefined::Nntp, "article").is_some() => {
            "the number of the article"
        }
        Some(Predefined::Nntp) => "the newsgroup",
        Some(Predefined::Wais) => "the path of the document",
        _ => "a component",
    };
    (format!("{what} is missing").into(), "missing here")
}
