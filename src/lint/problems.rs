//! The grammar's problems, each with a message of its own and what would mend it.

use crate::diagnostic::{Applicability, Fix};
use crate::rfc1738::{Components, Part, Predefined, Problem, ProblemKind, judge_fragment};
use crate::rule::Rule;

use super::finding::{Finding, Report};
use super::unicode::is_bidi_or_invisible;
use super::url::Url;

/// Reports every problem of the URL.
pub(super) fn grammar(url: &Url<'_>, report: &mut Report<'_>) {
    for problem in &url.parsed.problems {
        let rule = Rule::from(problem.kind);
        if report.wants(rule) {
            report.add(finding(url, problem));
        }
    }
}

/// Reports every problem of the fragment: by RFC 1808 it is `*( uchar | reserved )`.
pub(super) fn fragment(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(fragment) = url.candidate.fragment() else {
        return;
    };
    let start = url.candidate.text.len() - fragment.len();
    judge_fragment(fragment, |problem| {
        let range = start + problem.range.start..start + problem.range.end;
        let kind = problem.kind;
        if report.wants(Rule::from(kind)) {
            report.add(finding(url, &Problem { kind, range }));
        }
    });
}

fn finding(url: &Url<'_>, problem: &Problem) -> Finding {
    let component = component(url, &problem.range);
    let (message, label) = words(url, problem, component);
    let finding = url
        .finding(Rule::from(problem.kind), problem.range.clone(), message)
        .label(label)
        .fix(fix(url, problem, component));
    match url.candidate.text.get(problem.range.clone()) {
        Some(b"\\") => {
            finding.note("browsers read `\\` as `/`; a `\\` of the name is written `%5C`")
        }
        Some(b"#") => finding.note("the first `#` begins the fragment, which has none itself"),
        _ => finding,
    }
}

/// The name of the component in which `range` stands, as section 3 has it.
fn component(url: &Url<'_>, range: &Part) -> Option<&'static str> {
    let within = |part: &Part| part.start <= range.start && range.end <= part.end;
    if range.start > url.text.len() {
        return Some("fragment");
    }
    let split = [
        ("user name", &url.user),
        ("password", &url.password),
        ("host", &url.host),
        ("port", &url.port),
    ];
    let found = split
        .into_iter()
        .find(|(_, part)| part.as_ref().is_some_and(within));
    if let Some((name, _)) = found {
        return Some(name);
    }
    if let Components::Prospero { fields, .. } = &url.parsed.components {
        if fields.iter().any(|(name, _)| within(name)) {
            return Some("name of a field");
        }
        if fields.iter().any(|(_, value)| within(value)) {
            return Some("value of a field");
        }
    }
    let (name, _) = url
        .parsed
        .named_parts()
        .into_iter()
        .find(|(_, part)| part.as_ref().is_some_and(within))?;
    Some(match name {
        "gtype" => "gopher type",
        "gopher_plus" => "gopher+ string",
        "addr" => "address",
        "group" => "newsgroup",
        "article" if url.parsed.predefined() == Some(Predefined::Nntp) => "number of an article",
        "article" => "identifier of an article",
        "wtype" => "type of a document",
        "wpath" => "path of a document",
        "hsoname" => "name of an object",
        "schemepart" => "URL",
        name => name,
    })
}

/// What is wrong, and a few words for beside the mark.
fn words(
    url: &Url<'_>,
    problem: &Problem,
    component: Option<&'static str>,
) -> (String, &'static str) {
    let text = url.quoted(&problem.range);
    let scheme = url.scheme();
    let place = match component {
        Some(name) => format!("{} {name}", article(name)),
        None => "a URL".to_owned(),
    };
    // Escapes are no remedy where the component takes none.
    let must = |text: &str| match component {
        Some("host" | "port" | "newsgroup" | "number of an article") => {
            format!("{text} cannot stand in {place}")
        }
        _ => format!("{text} must be encoded in a URL"),
    };
    match problem.kind {
        ProblemKind::ControlCharacter => (
            must(&format!("the control character {text}")),
            "control character",
        ),
        ProblemKind::RawSpace => (must("a space"), "space"),
        ProblemKind::NonAscii => (must(&text), "not US-ASCII"),
        ProblemKind::UnsafeCharacter => (must(&text), "unsafe"),
        ProblemKind::BadEscape => (
            "`%` must be followed by two hexadecimal digits".to_owned(),
            "no escape",
        ),
        ProblemKind::ReservedCharacter => match component {
            Some("host" | "port" | "newsgroup" | "number of an article") => {
                (must(&text), "reserved")
            }
            Some(name) => (
                format!("{text} is reserved and must be encoded in the {name}"),
                "reserved",
            ),
            None => (
                format!("{text} is reserved and must be encoded here"),
                "reserved",
            ),
        },
        ProblemKind::MisplacedCharacter => (format!("{text} cannot stand in {place}"), "misplaced"),
        ProblemKind::NoScheme => ("the URL has no scheme".to_owned(), "a scheme is missing"),
        ProblemKind::BadScheme => (
            format!("{text} cannot stand in a scheme"),
            "not allowed in a scheme",
        ),
        ProblemKind::MissingSlashes => (
            format!("`//` is missing behind `{scheme}:`"),
            "`//` is missing here",
        ),
        ProblemKind::UserinfoNotAllowed => (
            format!("a URL of the scheme {scheme} has no user name or password"),
            "not allowed",
        ),
        ProblemKind::EmptyHost => ("the host is missing".to_owned(), "a host is missing here"),
        ProblemKind::BadHost => bad_host(url, &problem.range, &text),
        ProblemKind::IpLiteral => (
            format!("the address in brackets {text} is no host of RFC 1738"),
            "address in brackets",
        ),
        ProblemKind::EmptyPort => (
            "there is a colon but no port".to_owned(),
            "a port is missing",
        ),
        ProblemKind::BadPort => (format!("the port {text} is not a number"), "not a number"),
        ProblemKind::PortNotAllowed => (
            format!("a URL of the scheme {scheme} has no port"),
            "not allowed",
        ),
        ProblemKind::MissingSlash => (
            "`/` is missing behind the host".to_owned(),
            "`/` is missing here",
        ),
        ProblemKind::MissingPath => missing_path(url),
        ProblemKind::MissingComponent => missing_component(url),
        ProblemKind::PathNotAllowed => (
            format!("a URL of the scheme {scheme} has no path"),
            "not allowed",
        ),
        ProblemKind::BadTypecode => (
            format!("the typecode {text} is none of `a`, `i` and `d`"),
            "unknown typecode",
        ),
        ProblemKind::BadGroup => (
            format!("the name of a newsgroup begins with a letter, not with {text}"),
            "not a letter",
        ),
        ProblemKind::BadArticle => (
            format!("the number of an article {text} is not a number"),
            "not a number",
        ),
        ProblemKind::AuthorityNotAllowed => {
            ("a news URL names no server".to_owned(), "not allowed")
        }
        ProblemKind::BadField => (format!("the field {text} has no `=`"), "`=` is missing"),
    }
}

fn article(name: &str) -> &'static str {
    match name.as_bytes().first() {
        Some(b'a' | b'e' | b'i' | b'o') => "an",
        _ => "a",
    }
}

fn bad_host(url: &Url<'_>, range: &Part, text: &str) -> (String, &'static str) {
    match url.slice(range) {
        b"." if is_trailing_dot(url, range) => {
            ("the host ends in a dot".to_owned(), "dot at the end")
        }
        b"." => (
            "the host has an empty label".to_owned(),
            "no label beside this dot",
        ),
        [b'-', ..] => (
            format!("the label {text} begins with a hyphen"),
            "hyphen at the edge",
        ),
        [.., b'-'] => (
            format!("the label {text} ends with a hyphen"),
            "hyphen at the edge",
        ),
        _ => (
            format!(
                "the last label {text} does not begin with a letter, and the host is no IPv4 address"
            ),
            "no letter first",
        ),
    }
}

/// Whether the dot is the host's last character and ends a label.
fn is_trailing_dot(url: &Url<'_>, range: &Part) -> bool {
    let Some(host) = &url.host else { return false };
    range.end == host.end && range.start > host.start
}

fn missing_path(url: &Url<'_>) -> (String, &'static str) {
    let what = match url.parsed.predefined() {
        Some(Predefined::Nntp) => "a newsgroup",
        Some(Predefined::Wais) => "a database",
        _ => "a path",
    };
    (
        format!("`/` and {what} are missing behind the host"),
        "`/` is missing here",
    )
}

fn missing_component(url: &Url<'_>) -> (String, &'static str) {
    let what = match &url.parsed.components {
        Components::Mailto { .. } => "the address",
        Components::Group { .. } => "the newsgroup or article",
        Components::Article { .. } => "the identifier of the article",
        Components::Nntp {
            article: Some(_), ..
        } => "the number of the article",
        Components::Nntp { .. } => "the newsgroup",
        Components::Wais { .. } => "the path of the document",
        _ => "a component",
    };
    (format!("{what} is missing"), "missing here")
}

/// What would mend `problem`.
fn fix(url: &Url<'_>, problem: &Problem, component: Option<&str>) -> Option<Fix> {
    let range = problem.range.clone();
    let text = url.candidate.text.get(range.clone())?;
    match (problem.kind, component) {
        // Characters of a scheme, host or port are never encoded.
        (ProblemKind::BadHost, _) if is_trailing_dot(url, &range) => {
            url.fix("drop the dot", Applicability::Unsafe, &[(range, "")])
        }
        (_, Some("host" | "port" | "newsgroup" | "number of an article")) => None,
        (ProblemKind::UnsafeCharacter, _) if text == b"\\" => {
            url.fix("write a slash", Applicability::Display, &[(range, "/")])
        }
        (ProblemKind::UnsafeCharacter, _) if b"#[]".contains(&text[0]) => {
            encode(url, range, text, Applicability::Display)
        }
        (ProblemKind::UnsafeCharacter | ProblemKind::RawSpace, _) => {
            // At its ends the character may belong to what marks the URL off.
            let inner = range.start > 0 && range.end < url.candidate.text.len();
            let applicability = match url.is_wrapped() && inner {
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
        (kind, _) => structural(url, kind, range),
    }
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
        ProblemKind::EmptyPort => url.fix("drop the colon", Applicability::Safe, &[(range, "")]),
        ProblemKind::MissingSlashes => {
            let slashes = match (url.parsed.predefined(), &url.text[range.start..]) {
                // `file:/x` has an empty host (RFC 8089).
                (Some(Predefined::File), [b'/', ..]) => "//",
                (_, [b'/', ..]) => "/",
                _ => "//",
            };
            url.fix(
                "insert the slashes",
                Applicability::Unsafe,
                &[(range, slashes)],
            )
        }
        ProblemKind::UserinfoNotAllowed => {
            url.fix("take it out", Applicability::Display, &[(range, "")])
        }
        _ => None,
    }
}

fn encode(url: &Url<'_>, range: Part, text: &[u8], applicability: Applicability) -> Option<Fix> {
    let escapes: String = text.iter().map(|byte| format!("%{byte:02X}")).collect();
    url.fix("encode it", applicability, &[(range, &escapes)])
}
