//! What one standard says about a URL.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use urlint::lint::{Diagnostic, lint};
use urlint::standard::rfc1738::Components;
use urlint::standard::{Part, Problem, ProblemKind, Standard, rfc1738, rfc3986, whatwg};
use urlint::url::Split;
use urlint::url::password::{hidden_in_url, redacted, redacted_part};
use urlint::{Candidate, Rule, Settings, Severity};

use crate::report::json::Text;
use crate::terminal;

/// What a standard says about a URL.
pub(crate) struct Judgement<'u> {
    pub(crate) standard: Standard,
    pub(crate) url: &'u [u8],
    /// What of the URL is hidden.
    hidden: Vec<Range<usize>>,
    /// The scheme in lower case.
    scheme: Option<String>,
    /// With the names that the standard gives them; `None` if it does not split the URL.
    components: Option<Vec<(&'static str, Component)>>,
    pub(crate) problems: Vec<JudgedProblem>,
    /// What `check` reports besides, except hints: it is valid.
    others: Vec<JudgedProblem>,
    /// What the host is by RFC 3986.
    host_kind: Option<&'static str>,
    /// What browsers make of the URL, by the URL Standard.
    pub(crate) web: Option<Web>,
}

/// A component of a URL.
#[derive(Clone)]
enum Component {
    Part(Option<Part>),
    /// The fields of prospero: names and values.
    Fields(Vec<(Part, Part)>),
}

/// A place at which a URL departs from a standard.
#[derive(Serialize)]
pub(crate) struct JudgedProblem {
    rule: &'static str,
    start: u32,
    end: u32,
    /// What `check` makes of it.
    #[serde(serialize_with = "as_name")]
    severity: Severity,
    message: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'static str>,
    /// The standard's own name of it, and whether the parser fails for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<bool>,
}

fn as_name<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.name())
}

/// What browsers make of a URL.
pub(crate) struct Web {
    pub(crate) parses: bool,
    /// `None` if the URL does not parse, or if it cannot be shown without a password.
    pub(crate) href: Option<String>,
}

impl<'u> Judgement<'u> {
    /// Judges `url` by `standard`, up to the limits of what `check` reads and reports. With `redact`,
    /// passwords are shown as `***`.
    pub(crate) fn new(whole: &'u [u8], standard: Standard, redact: bool) -> Self {
        let url = &whole[..whole.len().min(Candidate::MAX_LEN)];
        let hidden = redact.then(|| hidden_in_url(url));
        let mut judgement = Judgement {
            standard,
            url,
            hidden: hidden.unwrap_or_default(),
            scheme: None,
            components: None,
            problems: Vec::new(),
            others: Vec::new(),
            host_kind: None,
            web: None,
        };
        match standard {
            Standard::Rfc3986 => judgement.by_rfc3986(&rfc3986::parse(url)),
            Standard::Rfc3987 => judgement.by_rfc3986(&rfc3986::parse_iri(url)),
            Standard::Whatwg => judgement.by_whatwg(&whatwg::parse(url)),
            _ => judgement.by_rfc1738(&rfc1738::parse(url)),
        }
        let mut places: BTreeMap<_, usize> = BTreeMap::new();
        judgement.problems.retain(|problem| {
            let places = places.entry(problem.rule).or_default();
            *places += 1;
            *places <= Diagnostic::MAX_PLACES
        });
        judgement.add_diagnostics();
        if url.len() < whole.len() {
            judgement.problems.push(JudgedProblem::cut_off(url));
        }
        judgement
    }

    /// Takes the severity of each problem from the diagnostics about the URL, and what else they say
    /// that is no hint. A problem without a diagnostic is in what is no part of the URL, as a fragment.
    fn add_diagnostics(&mut self) {
        let settings = Settings::default().with_standard(self.standard);
        let mut others = lint(&Candidate::whole(self.url), &settings);
        let is_at = |diagnostic: &Diagnostic, problem: &JudgedProblem| {
            let mut parts = diagnostic.parts.iter();
            parts.any(|part| part.start <= problem.end && problem.start <= part.end)
        };
        for problem in &mut self.problems {
            let severities = others.iter().filter(|found| is_at(found, problem));
            // Where another rule says it all, that one decides.
            let own = severities
                .clone()
                .filter(|found| found.rule.name() == problem.rule);
            let severity = own.map(|found| found.severity).max();
            let severity = severity.or_else(|| severities.map(|found| found.severity).max());
            problem.severity = severity.unwrap_or(Severity::Hint);
        }
        others.retain(|found| {
            let is_told = self.problems.iter().any(|problem| is_at(found, problem));
            found.severity > Severity::Hint && !is_told
        });
        self.others = others.iter().map(JudgedProblem::of).collect();
    }

    fn by_rfc1738(&mut self, parsed: &rfc1738::Parsed<'_>) {
        self.scheme = parsed.scheme().map(str::to_ascii_lowercase);
        self.by_problems(&parsed.problems);
        if parsed.components != Components::Unknown {
            let mut components = named(&parsed.components.named_parts());
            if let Components::Prospero { fields, .. } = &parsed.components {
                components.push(("fields", Component::Fields(fields.clone())));
            }
            self.components = Some(components);
        }
    }

    fn by_rfc3986(&mut self, parsed: &rfc3986::Parsed<'_>) {
        self.scheme = parsed.scheme().map(str::to_ascii_lowercase);
        self.by_problems(&parsed.problems);
        self.host_kind = parsed.host_kind().map(rfc3986::HostKind::name);
        if parsed.components.scheme.is_some() {
            self.components = Some(named(&parsed.components.named_parts()));
        }
    }

    fn by_problems(&mut self, problems: &[Problem]) {
        let problems = problems.iter();
        self.problems = problems
            .map(|problem| JudgedProblem::new(self.standard, problem.kind, problem.part))
            .collect();
    }

    fn by_whatwg(&mut self, parsed: &whatwg::Parsed<'_>) {
        let scheme = parsed.components.scheme.map(|scheme| parsed.slice(scheme));
        self.scheme = scheme.map(|scheme| String::from_utf8_lossy(scheme).to_ascii_lowercase());
        let problem = |violation: &whatwg::Violation| JudgedProblem {
            error: Some(violation.error.name()),
            failure: Some(violation.is_failure),
            ..JudgedProblem::new(self.standard, violation.kind, violation.part)
        };
        self.problems = parsed.problems.iter().map(problem).collect();
        if scheme.is_some() {
            self.components = Some(named(&parsed.named_parts()));
        }
        self.web = Some(Web {
            parses: parsed.parses(),
            href: self.href(),
        });
    }

    /// Returns what browsers make of the URL. Passwords are hidden before parsing, since the parser encodes
    /// what it writes; `None` if that would change the host.
    fn href(&self) -> Option<String> {
        let href = whatwg::href(self.url)?;
        if self.hidden.is_empty() {
            return Some(href);
        }
        let host = |href: &[u8]| Split::of(href).host.map(|host| host.of(href).to_vec());
        let hidden = whatwg::href(&redacted_part(self.url, 0..self.url.len(), &self.hidden))?;
        let hidden = redacted(hidden.as_bytes());
        let is_same = host(&hidden) == host(href.as_bytes());
        is_same.then(|| String::from_utf8_lossy(&hidden).into_owned())
    }

    pub(crate) fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }

    /// Returns whether there is an error or a warning.
    pub(crate) fn has_errors_or_warnings(&self) -> bool {
        self.said().any(|said| said.severity > Severity::Hint)
    }

    /// Returns the problems, and what else is reported.
    pub(crate) fn said(&self) -> impl Iterator<Item = &JudgedProblem> {
        self.problems.iter().chain(&self.others)
    }

    /// Returns the component `name`; `None` if it is absent.
    pub(crate) fn component(&self, name: &str) -> Option<Part> {
        let mut components = self.components.iter().flatten();
        match components.find(|(other, _)| *other == name)? {
            (_, Component::Part(part)) => *part,
            (_, Component::Fields(_)) => None,
        }
    }

    /// Returns the host as it is written, without hiding passwords.
    pub(crate) fn host(&self) -> Option<&'u [u8]> {
        self.component("host").map(|part| part.of(self.url))
    }

    /// Returns in a few words whether the URL is valid, and what browsers do with it.
    pub(crate) fn verdict(&self) -> &'static str {
        match &self.web {
            _ if self.is_valid() => "valid",
            None => "not valid",
            Some(web) if web.parses => "not valid, but parses",
            Some(_) => "not valid, does not parse",
        }
    }

    /// Writes the URL, its components, and its problems with their offsets.
    pub(crate) fn text(&self, out: &mut Vec<u8>) {
        let mut put = |line: &str| {
            let line = terminal::without_commands(line.trim_end());
            out.extend_from_slice(line.as_bytes());
            out.push(b'\n');
        };
        put(&format!(
            "{}: {}",
            self.shown(Part::all(self.url)),
            self.verdict()
        ));
        let row = |name: &str, value: &str| format!("  {name:<11} {value}");
        if self.standard == Standard::Rfc1738
            && let Some(scheme) = &self.scheme
        {
            put(&row("scheme", scheme));
        }
        for (name, component) in self.components.iter().flatten() {
            match component {
                Component::Part(None) => {}
                Component::Part(Some(part)) => put(&row(name, &self.shown(*part))),
                Component::Fields(fields) => {
                    for (name, value) in fields {
                        let (name, value) = (self.shown(*name), self.shown(*value));
                        put(&row("field", &format!("{name}={value}")));
                    }
                }
            }
        }
        if let Some(kind) = self.host_kind {
            put(&row("host_kind", kind));
        }
        if let Some(href) = self.web.as_ref().and_then(|web| web.href.as_ref()) {
            put(&row("href", &terminal::line(href.as_bytes())));
        }
        for problem in self.said() {
            let names_section = self.standard != Standard::Rfc1738;
            put(&format!("  {}", self.problem_line(problem, names_section)));
        }
    }

    /// Returns a line about a problem, with the section of the standard if `names_section`.
    pub(crate) fn problem_line(&self, problem: &JudgedProblem, names_section: bool) -> String {
        let JudgedProblem {
            rule,
            start,
            end,
            severity,
            message,
            ..
        } = problem;
        let line = format!("{severity}[{rule}] at {start}..{end}: {message}");
        if !names_section {
            return line;
        }
        let reference = problem.reference.unwrap_or_default();
        let failure = match problem.failure {
            Some(true) => ", a failure",
            _ => "",
        };
        match problem.error {
            None => format!("{line} ({reference})"),
            Some(error) => format!("{line} ({error}{failure}; {reference})"),
        }
    }

    /// Returns `part` of the URL for a terminal.
    pub(crate) fn shown(&self, part: Part) -> String {
        terminal::line(&self.slice(part)).into_owned()
    }

    /// Returns a part of the URL with the passwords hidden.
    fn slice(&self, part: Part) -> Vec<u8> {
        redacted_part(self.url, part.range(), &self.hidden)
    }

    pub(crate) fn text_of(&self, part: Part) -> Text<Vec<u8>> {
        Text(self.slice(part))
    }

    /// Returns the judgement as a JSON object. One that stands alone has the URL, and its problems name a
    /// section only if the standard is not the default, RFC 1738.
    pub(crate) fn row(&self, is_alone: bool) -> JudgementObject<'_> {
        let names_section = !is_alone || self.standard != Standard::Rfc1738;
        let problem = |problem: &JudgedProblem| JudgedProblem {
            reference: problem.reference.filter(|_| names_section),
            ..*problem
        };
        JudgementObject {
            url: is_alone.then(|| self.text_of(Part::all(self.url))),
            standard: self.standard.name(),
            valid: self.is_valid(),
            parses: self.web.as_ref().map(|web| web.parses),
            href: self.web.as_ref().map(|web| web.href.as_deref()),
            scheme: self.scheme.as_deref(),
            host_kind: matches!(self.standard, Standard::Rfc3986 | Standard::Rfc3987)
                .then_some(self.host_kind),
            components: (self.components.as_ref()).map(|_| JsonComponents(self)),
            problems: self.problems.iter().map(problem).collect(),
            others: self.others.iter().map(problem).collect(),
        }
    }
}

fn named(parts: &[(&'static str, Option<Part>)]) -> Vec<(&'static str, Component)> {
    let parts = parts.iter();
    parts
        .map(|(name, part)| (*name, Component::Part(*part)))
        .collect()
}

impl JudgedProblem {
    /// What a diagnostic says.
    fn of(diagnostic: &Diagnostic) -> Self {
        let part = diagnostic.parts.first().copied().unwrap_or_default();
        JudgedProblem {
            rule: diagnostic.rule.name(),
            start: part.start,
            end: part.end,
            severity: diagnostic.severity,
            message: diagnostic.rule.summary(),
            reference: Some(diagnostic.reference()),
            error: None,
            failure: None,
        }
    }

    /// The problem of a URL that is too long, of which `url` is the start.
    fn cut_off(url: &[u8]) -> Self {
        let end = url.len() as u32;
        JudgedProblem {
            rule: Rule::TooLong.name(),
            start: end,
            end,
            severity: Rule::TooLong.severity(),
            message: Rule::TooLong.summary(),
            reference: None,
            error: None,
            failure: None,
        }
    }

    fn new(standard: Standard, kind: ProblemKind, part: Part) -> Self {
        let rule = Rule::from(kind);
        JudgedProblem {
            rule: rule.name(),
            start: part.start,
            end: part.end,
            severity: rule.severity(),
            message: rule.summary(),
            reference: standard.reference(kind),
            error: None,
            failure: None,
        }
    }
}

/// A URL as a JSON object. Fields that a standard does not have are left out.
#[derive(Serialize)]
pub(crate) struct JudgementObject<'j> {
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<Text<Vec<u8>>>,
    standard: &'static str,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    parses: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    href: Option<Option<&'j str>>,
    scheme: Option<&'j str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host_kind: Option<Option<&'static str>>,
    components: Option<JsonComponents<'j>>,
    problems: Vec<JudgedProblem>,
    others: Vec<JudgedProblem>,
}

/// The components that the scheme of a URL has, in order.
struct JsonComponents<'j>(&'j Judgement<'j>);

impl Serialize for JsonComponents<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let judgement = self.0;
        let mut object = serializer.serialize_map(None)?;
        for (name, component) in judgement.components.iter().flatten() {
            match component {
                Component::Part(part) => {
                    object.serialize_entry(name, &part.map(|part| judgement.text_of(part)))?;
                }
                Component::Fields(fields) => {
                    let pair = |(name, value): &(Part, Part)| {
                        [*name, *value].map(|part| judgement.text_of(part))
                    };
                    object.serialize_entry(name, &fields.iter().map(pair).collect::<Vec<_>>())?;
                }
            }
        }
        object.end()
    }
}
