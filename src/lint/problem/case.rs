//! A problem of a URL, with the facts that several kinds ask for.

use crate::diagnostic::Applicability::{self, Safe};
use crate::diagnostic::Fix;
use crate::finding::{Finding, Sentence};
use crate::rule::{Rule, Severity};
use crate::url::{Url, host_to_browsers};
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::standard::{Part, Problem, ProblemKind, Standard};

/// A problem, with the facts that several kinds ask for.
pub(super) struct Case<'u> {
    pub(super) url: &'u Url<'u>,
    pub(super) problem: Problem,
    pub(super) part: Part,
    /// The bytes at fault.
    pub(super) text: &'u [u8],
    /// The bytes at fault as messages show them.
    pub(super) shown: String,
    /// The component that they are in.
    pub(super) component: Option<&'static str>,
}

impl<'u> Case<'u> {
    pub(super) fn new(url: &'u Url<'u>, problem: Problem) -> Self {
        let part = problem.part;
        let is_hidden = url.is_secret(part) && problem.kind != ProblemKind::BadPort;
        Case {
            url,
            problem,
            part,
            text: part.of(&url.candidate.text),
            shown: if is_hidden {
                "a hidden character".to_owned()
            } else {
                url.quoted(part)
            },
            component: component(url, part),
        }
    }

    pub(super) fn is_rfc1738(&self) -> bool {
        self.url.standard == Standard::Rfc1738
    }

    pub(super) fn is_whatwg(&self) -> bool {
        self.url.standard == Standard::Whatwg
    }

    /// Returns the finding about the problem, which is at most a warning if browsers repair it.
    pub(super) fn finding(&self, message: impl Into<Sentence>, label: &'static str) -> Finding {
        let rule = Rule::from(self.problem.kind);
        let finding = self.url.finding(rule, self.part, message, label);
        if self.is_whatwg() && !self.problem.is_failure {
            finding.at_most(Severity::Warning)
        } else {
            finding
        }
    }

    /// The same, with the bytes at fault for `{}` in the message. If it has both forms of a word, they are the
    /// subject of the [sentence](Sentence::about).
    pub(super) fn about(&self, message: &str, label: &'static str) -> Finding {
        match message.split_once("{} ") {
            Some((before, predicate)) if predicate.contains('|') => {
                let subject = format!("{before}{}", self.shown);
                self.finding(Sentence::about(subject, predicate), label)
            }
            _ => {
                let message = message.replace("{scheme}", self.url.scheme());
                self.finding(message.replace("{}", &self.shown), label)
            }
        }
    }

    /// Returns whether the component may contain escapes.
    pub(super) fn takes_escapes(&self) -> bool {
        !matches!(
            self.component,
            Some("host" | "port" | "newsgroup" | "number of an article")
        )
    }

    /// Returns a fix of the bytes at fault.
    pub(super) fn fix(
        &self,
        message: &str,
        applicability: Applicability,
        text: &str,
    ) -> Option<Fix> {
        self.url.fix(message, applicability, self.part, text)
    }

    /// Returns `wrapped` for a URL whose end is certain, and `bare` for others.
    pub(super) fn at_most(&self, wrapped: Applicability, bare: Applicability) -> Applicability {
        if self.url.is_wrapped() { wrapped } else { bare }
    }

    /// Returns the host if the problem is the first of its kind in it, so that one fix of a rule covers
    /// the whole host.
    pub(super) fn host_of_first(&self) -> Option<Part> {
        let host = self.url.split.host?;
        let is_of_host = |one: &&Problem| one.kind == self.problem.kind && host.contains(one.part);
        (self.url.problems.iter().find(is_of_host) == Some(&self.problem)).then_some(host)
    }

    /// Under the URL Standard, writes the host as browsers show it: in US-ASCII, an address in its usual form.
    pub(super) fn usual_host(&self) -> Option<Fix> {
        let host = self.host_of_first().filter(|_| self.is_whatwg())?;
        let usual = host_to_browsers(&self.url.candidate.text)?;
        if usual.as_bytes() == self.url.slice(host) {
            return None;
        }
        self.url
            .fix("write the host as browsers read it", Safe, host, &usual)
    }
}

/// Returns whether the URL's scheme is special to browsers, like `http` or `file`.
pub(super) fn is_special(url: &Url<'_>) -> bool {
    url.predefined == Some(Predefined::File)
        || url.scheme_facts().is_some_and(|scheme| scheme.is_special)
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
