//! What one standard says of a URL.

use std::ops::Range;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use urlint::Rule;
use urlint::standard::rfc1738::Components;
use urlint::standard::{Part, ProblemKind, Standard, rfc1738, rfc3986, whatwg};
use urlint::url::Split;
use urlint::url::password::{possible_passwords, redacted, redacted_part};

use crate::report::json::Text;
use crate::terminal;

/// What a standard says of a URL.
pub(crate) struct Judgement<'u> {
    pub(super) standard: Standard,
    pub(super) url: &'u [u8],
    /// Where passwords lie that are hidden.
    passwords: Vec<Range<usize>>,
    /// The scheme in lower case.
    scheme: Option<String>,
    /// By the names that the standard gives them; `None` if nothing can be told apart.
    components: Option<Vec<(&'static str, Component)>>,
    pub(super) problems: Vec<Fault>,
    /// What the host is by RFC 3986.
    host_kind: Option<&'static str>,
    /// What browsers make of the URL, by the URL Standard.
    pub(super) web: Option<Web>,
}

/// A component of a URL.
#[derive(Clone)]
enum Component {
    Part(Option<Part>),
    /// The fields of prospero: names and values.
    Fields(Vec<(Part, Part)>),
}

/// A place at which a URL departs from a standard.
pub(super) struct Fault {
    kind: ProblemKind,
    part: Part,
    /// The standard's own name of it, and whether the parser fails for it.
    error: Option<(&'static str, bool)>,
}

/// What browsers make of a URL.
pub(super) struct Web {
    pub(super) parses: bool,
    /// `None` if the URL does not parse, or if it cannot be shown without a password.
    pub(super) href: Option<String>,
}

impl<'u> Judgement<'u> {
    /// Judges `url` by `standard`. With `redact`, passwords are shown as `***`, and what would be one if
    /// the URL were longer: it may have been cut where a line ends.
    pub(crate) fn new(url: &'u [u8], standard: Standard, redact: bool) -> Self {
        let passwords = redact.then(|| possible_passwords(url, None));
        Judgement::hiding(url, standard, passwords.unwrap_or_default())
    }

    /// Judges `url` by `standard`. What lies in `passwords` is shown as `***`.
    pub(crate) fn hiding(url: &'u [u8], standard: Standard, passwords: Vec<Range<usize>>) -> Self {
        let mut judgement = Judgement {
            standard,
            url,
            passwords,
            scheme: None,
            components: None,
            problems: Vec::new(),
            host_kind: None,
            web: None,
        };
        match standard {
            Standard::Rfc3986 => judgement.by_rfc3986(&rfc3986::parse(url)),
            Standard::Rfc3987 => judgement.by_rfc3986(&rfc3986::parse_iri(url)),
            Standard::Whatwg => judgement.by_whatwg(&whatwg::parse(url)),
            _ => judgement.by_rfc1738(&rfc1738::parse(url)),
        }
        judgement
    }

    fn by_rfc1738(&mut self, parsed: &rfc1738::Parsed<'_>) {
        self.scheme = parsed.scheme().map(str::to_ascii_lowercase);
        self.problems = parsed.problems.iter().map(Fault::from).collect();
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
        self.problems = parsed.problems.iter().map(Fault::from).collect();
        self.host_kind = parsed.host_kind().map(rfc3986::HostKind::name);
        if parsed.components.scheme.is_some() {
            self.components = Some(named(&parsed.components.named_parts()));
        }
    }

    fn by_whatwg(&mut self, parsed: &whatwg::Parsed<'_>) {
        let scheme = parsed.components.scheme.map(|scheme| parsed.slice(scheme));
        self.scheme = scheme.map(|scheme| String::from_utf8_lossy(scheme).to_ascii_lowercase());
        self.problems = parsed.problems.iter().map(Fault::from).collect();
        if scheme.is_some() {
            self.components = Some(named(&parsed.named_parts()));
        }
        self.web = Some(Web {
            parses: parsed.parses(),
            href: self.href(),
        });
    }

    /// What browsers make of the URL. The parser encodes what it writes, a password too, so that it
    /// is hidden before. `None` also where that would make it another host.
    fn href(&self) -> Option<String> {
        let href = whatwg::href(self.url)?;
        if self.passwords.is_empty() {
            return Some(href);
        }
        let host = |href: &[u8]| Split::of(href).host.map(|host| host.of(href).to_vec());
        let hidden = whatwg::href(&redacted_part(self.url, 0..self.url.len(), &self.passwords))?;
        let hidden = redacted(hidden.as_bytes());
        let is_same = host(&hidden) == host(href.as_bytes());
        is_same.then(|| String::from_utf8_lossy(&hidden).into_owned())
    }

    pub(super) fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }

    /// The component `name`; `None` if there is none.
    pub(super) fn component(&self, name: &str) -> Option<Part> {
        let mut components = self.components.iter().flatten();
        match components.find(|(other, _)| *other == name)? {
            (_, Component::Part(part)) => *part,
            (_, Component::Fields(_)) => None,
        }
    }

    /// The host as it is written, passwords not hidden.
    pub(super) fn host(&self) -> Option<&'u [u8]> {
        self.component("host").map(|part| part.of(self.url))
    }

    /// A few words on whether the URL is valid, and what browsers do with it.
    pub(super) fn verdict(&self) -> &'static str {
        match &self.web {
            _ if self.is_valid() => "valid",
            None => "not valid",
            Some(web) if web.parses => "not valid, but parses",
            Some(_) => "not valid, does not parse",
        }
    }

    /// Writes the URL, its components, and its problems with the bytes that they concern.
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
        for fault in &self.problems {
            let names_section = self.standard != Standard::Rfc1738;
            put(&format!("  {}", self.fault(fault, names_section)));
        }
    }

    /// A line about a problem, and where the standard speaks of it.
    pub(super) fn fault(&self, fault: &Fault, names_section: bool) -> String {
        let (rule, Part { start, end }) = (Rule::from(fault.kind), fault.part);
        let line = format!("error[{rule}] at {start}..{end}: {}", rule.summary());
        if !names_section {
            return line;
        }
        let reference = self.standard.reference(fault.kind).unwrap_or_default();
        match fault.error {
            None => format!("{line} ({reference})"),
            Some((error, false)) => format!("{line} ({error}; {reference})"),
            Some((error, true)) => format!("{line} ({error}, a failure; {reference})"),
        }
    }

    /// `part` of the URL for a terminal.
    pub(super) fn shown(&self, part: Part) -> String {
        terminal::line(&self.slice(part)).into_owned()
    }

    /// Returns a part of the URL, with its passwords hidden if that is asked for.
    fn slice(&self, part: Part) -> Vec<u8> {
        redacted_part(self.url, part.range(), &self.passwords)
    }

    pub(super) fn text_of(&self, part: Part) -> Text<Vec<u8>> {
        Text(self.slice(part))
    }

    /// The judgement as a JSON object. One that stands alone has the URL; its problems name a section
    /// if the standard is not RFC 1738, which it is if nobody asks for another.
    pub(super) fn row(&self, is_alone: bool) -> Row<'_> {
        let names_section = !is_alone || self.standard != Standard::Rfc1738;
        let problem = |fault: &Fault| {
            let reference = self.standard.reference(fault.kind);
            JsonProblem::new(fault, reference.filter(|_| names_section))
        };
        Row {
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
        }
    }
}

fn named(parts: &[(&'static str, Option<Part>)]) -> Vec<(&'static str, Component)> {
    let parts = parts.iter();
    parts
        .map(|(name, part)| (*name, Component::Part(*part)))
        .collect()
}

impl From<&urlint::standard::Problem> for Fault {
    fn from(problem: &urlint::standard::Problem) -> Self {
        Fault {
            kind: problem.kind,
            part: problem.part,
            error: None,
        }
    }
}

impl From<&whatwg::Violation> for Fault {
    fn from(violation: &whatwg::Violation) -> Self {
        Fault {
            kind: violation.kind,
            part: violation.part,
            error: Some((violation.error.name(), violation.is_failure)),
        }
    }
}

/// A URL as a JSON object. What other standards do not tell is left out.
#[derive(Serialize)]
pub(super) struct Row<'j> {
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
    problems: Vec<JsonProblem>,
}

#[derive(Serialize)]
struct JsonProblem {
    rule: &'static str,
    start: u32,
    end: u32,
    message: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<bool>,
}

impl JsonProblem {
    fn new(fault: &Fault, reference: Option<&'static str>) -> Self {
        let rule = Rule::from(fault.kind);
        JsonProblem {
            rule: rule.name(),
            start: fault.part.start,
            end: fault.part.end,
            message: rule.summary(),
            reference,
            error: fault.error.map(|(error, _)| error),
            failure: fault.error.map(|(_, is_failure)| is_failure),
        }
    }
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
