//! The grammar's problems, each with a message of its own and what would mend it.

use super::rule::Rule;
use crate::standard::rfc1738::{
    Components, Part, Predefined, Problem, ProblemKind, judge_fragment,
};

use crate::url::schemes::{MAX_KNOWN, lookup_known};

use super::finding::{Finding, Report};
use super::remedy::remedy;
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
        .fix(remedy(url, problem, component));
    let text = url.candidate.text.get(problem.range.clone());
    match (problem.kind, text) {
        (ProblemKind::UnsafeCharacter, Some(b"\\")) => {
            finding.note("browsers read `\\` as `/`; a `\\` of the name is written `%5C`")
        }
        (ProblemKind::UnsafeCharacter, Some(b"#")) => {
            finding.note("the first `#` begins the fragment, which has none itself")
        }
        (ProblemKind::BadPort, _) if url.is_secret(&problem.range) => {
            finding.note("it may begin a password, in which a delimiter must be encoded")
        }
        _ => finding,
    }
}

/// The name of the component in which `range` stands, as section 3 has it.
fn component(url: &Url<'_>, range: &Part) -> Option<&'static str> {
    let within = |part: &Part| part.start <= range.start && range.end <= part.end;
    // Something that is missing stands between two components.
    if range.is_empty() {
        return None;
    }
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
        let next = fields.partition_point(|(name, _)| name.start <= range.start);
        match next.checked_sub(1).and_then(|last| fields.get(last)) {
            Some((name, _)) if within(name) => return Some("name of a field"),
            Some((_, value)) if within(value) => return Some("value of a field"),
            _ => {}
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
type Words = (String, &'static str);

fn words(url: &Url<'_>, problem: &Problem, component: Option<&'static str>) -> Words {
    let kind = problem.kind;
    let text = match url.is_secret(&problem.range) && kind != ProblemKind::BadPort {
        true => "a character of the password".to_owned(),
        false => url.quoted(&problem.range),
    };
    character(kind, &text, component)
        .or_else(|| not_admitted(kind, &text, url.scheme()))
        .unwrap_or_else(|| missing(url, problem, &text))
}

/// A character that must not stand raw where it stands.
fn character(kind: ProblemKind, text: &str, component: Option<&'static str>) -> Option<Words> {
    let place = match component {
        Some(name) => format!("{} {name}", article(name)),
        None => "a URL".to_owned(),
    };
    let misplaced = |text: &str| format!("{text} cannot stand in {place}");
    // Encoding is no remedy where the component takes no escapes.
    let raw = |text: &str| match component {
        Some(name) if !takes_escapes(name) => misplaced(text),
        _ => format!("{text} must be encoded in a URL"),
    };
    Some(match kind {
        ProblemKind::ControlCharacter => (
            raw(&format!("the control character {text}")),
            "control character",
        ),
        ProblemKind::RawSpace => (raw("a space"), "space"),
        ProblemKind::NonAscii => (raw(text), "not US-ASCII"),
        ProblemKind::UnsafeCharacter => (raw(text), "unsafe"),
        ProblemKind::BadEscape => {
            let message = "`%` must be followed by two hexadecimal digits";
            (message.to_owned(), "no escape")
        }
        ProblemKind::ReservedCharacter => match component {
            Some(name) if takes_escapes(name) => {
                let message = format!("{text} is reserved and must be encoded in the {name}");
                (message, "reserved")
            }
            Some(_) => (misplaced(text), "reserved"),
            None => (
                format!("{text} is reserved and must be encoded here"),
                "reserved",
            ),
        },
        ProblemKind::MisplacedCharacter => (misplaced(text), "misplaced"),
        ProblemKind::BadScheme => (
            format!("{text} cannot stand in a scheme"),
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

/// A component that the scheme does not have, or not so.
fn not_admitted(kind: ProblemKind, text: &str, scheme: &str) -> Option<Words> {
    let has_no = |what: &str| {
        let message = format!("a URL of the scheme {scheme} has no {what}");
        (message, "not allowed")
    };
    Some(match kind {
        ProblemKind::UserinfoNotAllowed => has_no("user name or password"),
        ProblemKind::PortNotAllowed => has_no("port"),
        ProblemKind::PathNotAllowed => has_no("path"),
        ProblemKind::AuthorityNotAllowed => has_no("server"),
        ProblemKind::IpLiteral => (
            format!("the address in brackets {text} is no host of RFC 1738"),
            "address in brackets",
        ),
        ProblemKind::BadPort => (format!("the port {text} is not a number"), "not a number"),
        ProblemKind::BadTypecode if text != "``" => (
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
        _ => return None,
    })
}

/// Something that must be there.
fn missing(url: &Url<'_>, problem: &Problem, text: &str) -> Words {
    let (message, label) = match problem.kind {
        ProblemKind::BadHost => return bad_host(url, &problem.range, text),
        ProblemKind::MissingPath => return missing_path(url),
        ProblemKind::MissingComponent => return missing_component(url),
        ProblemKind::BadField => return (format!("the field {text} has no `=`"), "`=` is missing"),
        ProblemKind::MissingSlashes => {
            let message = match lacks_all(url, problem.range.start) {
                Some(what) => format!("`//` and {what} are missing behind `{}:`", url.scheme()),
                None => format!("`//` is missing behind `{}:`", url.scheme()),
            };
            return (message, "`//` is missing here");
        }
        ProblemKind::NoScheme => match lacks_colon(url) {
            Some(end) => {
                let message = format!("`:` is missing behind {}", url.quoted(&(0..end)));
                return (message, "no scheme");
            }
            None => ("the URL has no scheme", "a scheme is missing"),
        },
        ProblemKind::EmptyHost => ("the host is missing", "a host is missing here"),
        ProblemKind::EmptyPort => ("there is a colon but no port", "a port is missing"),
        ProblemKind::MissingSlash => ("`/` is missing behind the host", "`/` is missing here"),
        ProblemKind::BadTypecode => ("the typecode is empty", "a typecode is missing"),
        kind => (Rule::from(kind).summary(), "here"),
    };
    (message.to_owned(), label)
}

/// What is missing behind the slashes too, if there is nothing from `start` on that could be it.
pub(super) fn lacks_all(url: &Url<'_>, start: usize) -> Option<&'static str> {
    match (url.parsed.predefined(), &url.text[start..]) {
        (Some(Predefined::File), []) => Some("a path"),
        (Some(Predefined::File), _) => None,
        (_, [] | [b'/']) => Some("a host"),
        _ => None,
    }
}

/// Where the name of a scheme ends, if slashes follow but no colon: `http//host`.
pub(super) fn lacks_colon(url: &Url<'_>) -> Option<usize> {
    let head = url.text.iter().take(MAX_KNOWN + 1);
    let end = head.copied().position(|byte| byte == b'/')?;
    let follow = url.text[end..].starts_with(b"//");
    (follow && lookup_known(&url.text[..end]).is_some()).then_some(end)
}

fn article(name: &str) -> &'static str {
    match name.as_bytes().first() {
        Some(b'a' | b'e' | b'i' | b'o') => "an",
        _ => "a",
    }
}

fn bad_host(url: &Url<'_>, range: &Part, text: &str) -> Words {
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
pub(super) fn is_trailing_dot(url: &Url<'_>, range: &Part) -> bool {
    let Some(host) = &url.host else { return false };
    range.end == host.end && range.start > host.start
}

fn missing_path(url: &Url<'_>) -> Words {
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

fn missing_component(url: &Url<'_>) -> Words {
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
