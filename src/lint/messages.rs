//! Messages for the problems of the judge.

use super::finding::Sentence;
use super::repair::is_slash;
use super::rule::Rule;
use super::unicode::{is_joined_sign, twin};
use super::url::Url;
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::standard::{Part, Problem, ProblemKind, Standard};
use urlint_standard::url::schemes::{MAX_KNOWN, lookup_known};

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
        .or_else(|| character(url, problem, &text, component))
        .or_else(|| plain(kind, &text, url.scheme()))
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
    Problem { kind, part, .. }: Problem,
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
        ProblemKind::RawSpace if second_url(url, part).is_some() => {
            let message = "there are two URLs where one is expected";
            (message.into(), "the second one follows")
        }
        ProblemKind::RawSpace => (raw("a space"), "space"),
        ProblemKind::NonAscii => match twin(url, part) {
            Some(letters) => {
                let form = ["fullwidth form", "ligature"][usize::from(letters.len() > 1)];
                let message = format!("is|are the {form} of `{letters}`");
                (Sentence::about(text, message), form)
            }
            None if is_joined_sign(url, part) => (
                Sentence::about(
                    text,
                    format!(
                        "was|were probably made from other characters in {}",
                        url.shown()
                    ),
                ),
                "probably wrong",
            ),
            None => (raw(text), "not US-ASCII"),
        },
        ProblemKind::UnsafeCharacter if is_doubled_hash(url, part) => (
            "there are two `#` before the fragment".into(),
            "one too many",
        ),
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
        _ => return None,
    })
}

/// Returns whether the `#` at `part` is the second of two at the beginning of a fragment, after a path and
/// before a name. `https://a.example/##name` is a channel.
pub(super) fn is_doubled_hash(url: &Url<'_>, part: Part) -> bool {
    let text = &url.candidate.text;
    let next = text.get(part.range().end);
    part.of(text) == b"#"
        && part.start as usize == url.text.len() + 1
        && url.split.path.len() > 1
        && next.is_some_and(u8::is_ascii_alphanumeric)
        // Search engines of Google write it so.
        && !text[part.range().end..].starts_with(b"gsc.")
}

/// Returns where another URL begins after the space at `space`, with a separator before the space or none.
pub(super) fn second_url(url: &Url<'_>, space: Part) -> Option<Part> {
    let after = &url.candidate.text[space.range().end..];
    let start = after.iter().position(|byte| *byte != b' ')?;
    let name = after[start..].iter().take(MAX_KNOWN + 1);
    let len = name.take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, rest) = after[start..].split_at(len);
    let is_url = rest.starts_with(b"://") && lookup_known(name).is_some();
    is_url.then(|| Part::at(space.end + start as u32))
}

pub(super) fn takes_escapes(component: &str) -> bool {
    !matches!(
        component,
        "host" | "port" | "newsgroup" | "number of an article"
    )
}

macro_rules! plain {
    ($($kind:ident $message:literal, $label:literal;)+) => {
        /// Messages that are the same for every URL, with `{}` for the URL's wrong part.
        const PLAIN: &[(ProblemKind, &str, &str)] = &[$((ProblemKind::$kind, $message, $label)),+];
    };
}

plain! {
    BadScheme "{} is|are not allowed in a scheme", "not allowed in a scheme";
    UserinfoNotAllowed "a URL of the scheme {scheme} has no user name or password", "not allowed";
    PortNotAllowed "a URL of the scheme {scheme} has no port", "not allowed";
    PathNotAllowed "a URL of the scheme {scheme} has no path", "not allowed";
    QueryNotAllowed "a URL of the scheme {scheme} has no query", "not allowed";
    FragmentNotAllowed "a URL of the scheme {scheme} has no fragment", "not allowed";
    AuthorityNotAllowed "a URL of the scheme {scheme} has no server", "not allowed";
    BadNamespace "the namespace {} is not of 2 to 32 letters, digits and inner hyphens", "not a namespace";
    MailtoAddrSpec "the address {} is not a mail address", "not a mail address";
    PortRange "the port {} is greater than 65535", "no such port";
    BadPort "the port {} is not a number", "not a number";
    Ipv4Range "{} is|are greater than 255", "greater than 255";
    Ipv4LeadingZero "{} is|are not decimal, and browsers read it|them as octal or hexadecimal", "not decimal";
    Ipv6Form "{} begins|begin with a zero", "leading zero";
    DriveLetter "{} is a drive, and not a host", "a drive";
    IpLiteral "the address in brackets {} is not a host by RFC 1738", "address in brackets";
    BadGroup "the name of a newsgroup begins with a letter, not with {}", "not a letter";
    ExtraSlash "{} is|are one| slash|slashes too many", "too many";
    BadField "the field {} has|have no `=`", "`=` is missing";
    EmptyHost "the host is missing", "a host is missing here";
}

/// Returns the message of the table.
fn plain(kind: ProblemKind, text: &str, scheme: &str) -> Option<Words> {
    let (_, message, label) = PLAIN.iter().find(|(one, ..)| *one == kind)?;
    let sentence = match message.split_once("{} ") {
        Some((before, predicate)) if predicate.contains('|') => {
            Sentence::about(format!("{before}{text}"), predicate)
        }
        _ => message
            .replace("{scheme}", scheme)
            .replace("{}", text)
            .into(),
    };
    Some((sentence, label))
}

/// Messages for something that is missing.
fn missing(url: &Url<'_>, problem: Problem, text: &str) -> Words {
    let (message, label) = match problem.kind {
        ProblemKind::BadHost => return bad_host(url, problem.part, text),
        ProblemKind::HostLength => return host_length(url, problem.part),
        ProblemKind::MissingPath => return missing_path(url),
        ProblemKind::MissingComponent => return missing_component(url, problem.part),
        ProblemKind::BadIpLiteral if text.ends_with("]`") => {
            let message = format!("there is no IP address in {text}");
            return (message.into(), "not an address");
        }
        ProblemKind::BadIpLiteral => {
            let message = format!("the bracket of {text} is not closed");
            return (message.into(), "`]` is missing");
        }
        ProblemKind::BadArticle if url.scheme() == "news" => {
            let message = format!("the article {text} is not named by a message identifier");
            return (message.into(), "not an identifier");
        }
        ProblemKind::BadArticle => {
            let message = format!("the article number {text} is not a number");
            return (message.into(), "not a number");
        }
        ProblemKind::BadTypecode if text != "``" => {
            let message = format!("the typecode {text} is not `a`, `i` or `d`");
            return (message.into(), "unknown typecode");
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
        format!("the host ends in a number, but {text} is not one")
    } else if url.host().iter().all(is_of_number) {
        format!("{text} is not an IPv4 address of four numbers")
    } else {
        format!("{text} is neither a host name nor an address")
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
            _ => "the name within the namespace",
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
