//! Findings for the problems of the judge, with messages and fixes.

use super::finding::Finding;
use super::link::is_script;
use super::messages::words;
use super::remedy::remedy;
use super::report::Report;
use super::rule::{Group, Rule};
use super::schemes::slip_of_address;
use super::severity::severity;
use super::url::Url;
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::standard::{Part, Problem, ProblemKind, Standard};

/// Reports every problem of the URL.
pub(super) fn grammar(url: &Url<'_>, report: &mut Report<'_>) {
    for &problem in &url.problems {
        if report.wants(Rule::from(problem.kind)) && !is_stand_in(url, problem) {
            report.add(finding(url, problem));
        }
    }
}

/// Returns whether `problem` is about a word in the place of a host or port: `http://host:port/`,
/// `http://.../`; or about a slip that its rule names itself, or a program.
fn is_stand_in(url: &Url<'_>, problem: Problem) -> bool {
    match problem.kind {
        _ if is_script(url) => true,
        ProblemKind::BadPort => url.slice(problem.part).eq_ignore_ascii_case(b"port"),
        ProblemKind::BadHost => url.host() == b"...",
        ProblemKind::MailtoAddrSpec => slip_of_address(url).is_some(),
        _ => false,
    }
}

/// Reports every problem of the fragment.
pub(super) fn fragment(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(fragment) = url.candidate.fragment() else {
        return;
    };
    let text = Part::all(&url.candidate.text);
    let place = Part::new(text.len().saturating_sub(fragment.len()), text.len());
    // A text directive is recognized only while its `~` is not encoded.
    let has_directive = memchr::memmem::find(fragment, b":~:").is_some();
    url.standard.judge_fragment(fragment, |mut problem| {
        let is_directive = has_directive && problem.part.of(fragment) == b"~";
        if report.wants(Rule::from(problem.kind)) && !is_directive {
            problem.part = place.within(problem.part);
            report.add(finding(url, problem));
        }
    });
}

pub(super) fn finding(url: &Url<'_>, problem: Problem) -> Finding {
    let Problem { kind, part, .. } = problem;
    let component = component(url, part);
    let (message, label) = words(url, problem, component);
    let finding = url
        .finding(Rule::from(kind), part, message, label)
        .severity(severity(url, problem, component))
        .fix(remedy(url, problem, component));
    let is_structure = Rule::from(kind).group() == Group::Syntax;
    let is_by_decision = url.standard == Standard::Rfc1738 && is_structure;
    let finding = if is_by_decision && url.predefined == Some(Predefined::Https) {
        finding.note("https is judged as http (RFC 2818, section 2.4)")
    } else {
        finding
    };
    match (kind, part.of(&url.candidate.text)) {
        (ProblemKind::UnsafeCharacter, b"\\") if url.standard != Standard::Whatwg => {
            finding.note("browsers read `\\` as `/`; a `\\` in a name is written `%5C`")
        }
        (ProblemKind::UnsafeCharacter | ProblemKind::ReservedCharacter, b"#") => {
            finding.note("the first `#` begins the fragment, which cannot contain another")
        }
        (ProblemKind::BadPort, port) if looks_like_ipv6(url, port) => {
            finding.note("brackets are missing, if it is an IPv6 address")
        }
        (ProblemKind::BadPort, _) if url.is_secret(part) => {
            finding.note("it may be a path, which follows a slash, or a password, in which delimiters are encoded")
        }
        _ => finding,
    }
}

/// Returns whether the host and the `port` are an IPv6 address without brackets.
fn looks_like_ipv6(url: &Url<'_>, port: &[u8]) -> bool {
    let is_of_address = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b':';
    port.contains(&b':') && port.iter().chain(url.host()).all(is_of_address)
}

/// Returns the name of the component that `part` lies in; under RFC 1738, the name in its section
/// 3.
fn component(url: &Url<'_>, part: Part) -> Option<&'static str> {
    let within = |whole: Part| whole.contains(part);
    // Something missing is between two components.
    if part.is_empty() {
        return None;
    }
    // Of a scheme without a grammar of its own, it is a part of the URL that a program reads, not the server.
    let own = memchr::memchr(b'#', url.text).filter(|_| url.predefined.is_none());
    if part.start as usize > own.unwrap_or(url.text.len()) {
        return Some("fragment");
    }
    let is_rfc1738 = url.standard == Standard::Rfc1738;
    let split = [
        ("user name", url.split.user),
        ("password", url.split.password),
        ("host", url.split.host),
        ("port", url.split.port),
        ("path", Some(url.split.path).filter(|_| !is_rfc1738)),
        ("query", url.split.query.filter(|_| !is_rfc1738)),
    ];
    let found = split.iter().find(|(_, part)| part.is_some_and(within));
    match found {
        Some((name, _)) => Some(name),
        None if is_rfc1738 => component_of_rfc1738(url, part),
        None => None,
    }
}

/// The same for the part after user, password, host and port, where each scheme has its own
/// components.
fn component_of_rfc1738(url: &Url<'_>, part: Part) -> Option<&'static str> {
    let parts = url.own_parts();
    let next = parts.partition_point(|(_, whole)| whole.start <= part.start);
    let &(name, whole) = parts.get(next.checked_sub(1)?)?;
    if !whole.contains(part) {
        return None;
    }
    Some(match name {
        "gtype" => "gopher type",
        "gopher_plus" => "gopher+ string",
        "addr" => "address",
        "group" => "newsgroup",
        "article" if url.predefined == Some(Predefined::Nntp) => "number of an article",
        "article" => "identifier of an article",
        "wtype" => "type of a document",
        "wpath" => "path of a document",
        "hsoname" => "name of an object",
        "fieldname" => "name of a field",
        "fieldvalue" => "value of a field",
        "schemepart" => "URL",
        "search" => "query",
        name => name,
    })
}
