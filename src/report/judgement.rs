//! The judgement of one standard about a URL.

use std::ops::Range;

use urlint_find::Candidate;
use urlint_lint::{Diagnostic, Rule, Settings, Severity, lint, parse};
use urlint_standard::standard::rfc3986::HostKind;
use urlint_standard::standard::{Parsed, Part, Problem, Standard, whatwg};
use urlint_standard::text::named::Named;
use urlint_standard::url::Split;
use urlint_standard::url::password::{hidden_in_url, redacted, redacted_part};

use crate::json::Value::{self, Array, Bool, Null, Number, Object, Text};
use crate::json::in_utf8;
use crate::terminal;

/// The judgement of a standard about a URL.
pub struct Judgement<'u> {
    /// Its components and problems.
    pub parsed: Parsed<'u>,
    /// The components of the URL and then its fields, with the names that the standard gives them.
    parts: Vec<(&'static str, Option<Part>)>,
    /// The ranges of the URL that are hidden.
    hidden: Vec<Range<usize>>,
    problems: Vec<JudgedProblem>,
    /// The other diagnostics of `check`, except hints. A URL that has only these is valid.
    others: Vec<JudgedProblem>,
    /// The URL that browsers parse it to, if the standard says so. `None` if it does not parse, or if it
    /// cannot be shown without a password.
    pub href: Option<String>,
}

/// A place at which a URL departs from a standard.
pub struct JudgedProblem {
    /// The name of the kind of problem, which mostly is that of its rule; the rule's name in other diagnostics.
    rule: &'static str,
    part: Part,
    /// The severity in `check`.
    severity: Severity,
    message: &'static str,
    reference: Option<&'static str>,
    /// The standard's own name of it, and whether the parser fails for it.
    error: Option<(&'static str, bool)>,
}

impl<'u> Judgement<'u> {
    /// Judges `url` by `standard`, up to the limits of `check`. With `redact`, passwords are shown as `***`.
    pub fn new(url: &'u [u8], standard: Standard, redact: bool) -> Self {
        let parsed = parse(url, standard);
        let hidden = if redact {
            hidden_in_url(parsed.url)
        } else {
            Vec::new()
        };
        let settings = Settings::default().with_standard(standard);
        let mut others = lint(&Candidate::whole(parsed.url), &settings);
        let problems = parsed.problems.iter();
        let mut problems: Vec<_> = problems
            .map(|problem| JudgedProblem::of(problem, standard, &others))
            .collect();
        others.retain(|found| {
            let is_told = parsed
                .problems
                .iter()
                .any(|problem| is_at(found, problem.part));
            found.severity > Severity::Hint && !is_told
        });
        let others = others.iter().map(|found| {
            let part = found.parts.first().copied().unwrap_or_default();
            JudgedProblem::new(found.rule, part, found.severity, Some(found.reference()))
        });
        let others = others.collect();
        if parsed.url.len() < url.len() {
            let (rule, end) = (Rule::TooLong, Part::at(parsed.url.len() as u32));
            problems.push(JudgedProblem::new(rule, end, rule.severity(), None));
        }
        let href = (standard == Standard::Whatwg).then(|| href(parsed.url, &hidden));
        Judgement {
            parts: parsed.named_parts(),
            parsed,
            hidden,
            problems,
            others,
            href: href.flatten(),
        }
    }

    /// Returns whether the URL has no problems.
    pub fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }

    /// Returns whether the URL parses, if the standard distinguishes that.
    pub fn parses(&self) -> Option<bool> {
        (self.parsed.standard == Standard::Whatwg).then(|| self.parsed.parses())
    }

    /// Returns whether there is an error or a warning.
    pub fn has_errors_or_warnings(&self) -> bool {
        self.all().any(|problem| problem.severity > Severity::Hint)
    }

    /// Returns the problems, and the other diagnostics.
    pub fn all(&self) -> impl Iterator<Item = &JudgedProblem> {
        self.problems.iter().chain(&self.others)
    }

    /// Returns the components with their names, and the names and values of fields in turn.
    fn parts_and_fields(&self) -> (&[(&'static str, Option<Part>)], Vec<Part>) {
        let is_field = |(name, _): &(&str, _)| *name == "fieldname";
        let end = self.parts.iter().position(is_field);
        let (parts, fields) = self.parts.split_at(end.unwrap_or(self.parts.len()));
        (parts, fields.iter().filter_map(|(_, part)| *part).collect())
    }

    /// Returns the kind of the host, if the standard is RFC 3986 or RFC 3987.
    fn host_kind(&self) -> Option<Option<&'static str>> {
        let is_uri = matches!(self.parsed.standard, Standard::Rfc3986 | Standard::Rfc3987);
        is_uri.then(|| HostKind::of(self.parsed.host()?).map(HostKind::name))
    }

    /// Returns in a few words whether the URL is valid, and whether it parses.
    pub fn verdict(&self) -> &'static str {
        match self.parses() {
            _ if self.is_valid() => "valid",
            None => "not valid",
            Some(true) => "not valid, but parses",
            Some(false) => "not valid, does not parse",
        }
    }

    /// Returns each component that the URL has, with its name, for a terminal.
    pub fn components(&self) -> Vec<(&'static str, String)> {
        let (parts, fields) = self.parts_and_fields();
        let present = parts
            .iter()
            .filter_map(|(name, part)| Some((*name, self.shown((*part)?))));
        let fields = fields.chunks(2).map(|field| {
            let field = field.iter().map(|part| self.shown(*part));
            ("field", field.collect::<Vec<_>>().join("="))
        });
        present.chain(fields).collect()
    }

    /// Writes the URL, its components, and its problems with their offsets.
    pub fn text(&self, out: &mut Vec<u8>) {
        let url = self.shown(Part::all(self.parsed.url));
        put(out, &format!("{url}: {}", self.verdict()));
        self.rows(out);
        for problem in self.all() {
            let names_section = self.parsed.standard != Standard::Rfc1738;
            put(out, &format!("  {}", problem.line(names_section)));
        }
    }

    /// Writes the components, each with its name on a line.
    pub fn rows(&self, out: &mut Vec<u8>) {
        let mut row = |name: &str, value: &str| put(out, &format!("  {name:<11} {value}"));
        let is_rfc1738 = self.parsed.standard == Standard::Rfc1738;
        if let Some(scheme) = self.parsed.scheme().filter(|_| is_rfc1738) {
            row("scheme", &scheme);
        }
        for (name, value) in self.components() {
            row(name, &value);
        }
        if let Some(kind) = self.host_kind().flatten() {
            row("host_kind", kind);
        }
        if let Some(href) = &self.href {
            row("href", &terminal::line(href.as_bytes()));
        }
    }

    /// Returns `part` of the URL for a terminal.
    pub fn shown(&self, part: Part) -> String {
        terminal::line(&self.slice(part)).into_owned()
    }

    /// Returns a part of the URL with the passwords hidden.
    fn slice(&self, part: Part) -> Vec<u8> {
        redacted_part(self.parsed.url, part.range(), &self.hidden)
    }

    /// Returns the text of `part` for JSON, without passwords.
    pub fn text_of(&self, part: Part) -> Value<'static> {
        Text(in_utf8(&self.slice(part)).into_owned().into())
    }

    /// Returns the judgement as a JSON object, in which members that the standard does not have are left out. One
    /// that stands alone has the URL, and its problems name a section only if the standard is not the default, RFC 1738.
    pub fn row(&self, is_alone: bool) -> Value<'_> {
        let names_section = !is_alone || self.parsed.standard != Standard::Rfc1738;
        let name = |name: Option<&'static str>| name.map_or(Null, |name| Text(name.into()));
        let problems = |all: &[JudgedProblem]| {
            let rows = all.iter().map(|problem| problem.row(names_section));
            Array(rows.collect())
        };
        let mut row = Vec::new();
        if is_alone {
            row.push(("url", self.text_of(Part::all(self.parsed.url))));
        }
        row.push(("standard", Text(self.parsed.standard.name().into())));
        row.push(("valid", Bool(self.is_valid())));
        if let Some(parses) = self.parses() {
            let href = self.href.as_deref();
            row.push(("parses", Bool(parses)));
            row.push(("href", href.map_or(Null, |href| Text(href.into()))));
        }
        let scheme = self.parsed.scheme();
        row.push(("scheme", scheme.map_or(Null, |scheme| Text(scheme.into()))));
        row.extend(self.host_kind().map(|kind| ("host_kind", name(kind))));
        row.push(("components", self.component_row()));
        row.push(("problems", problems(&self.problems)));
        row.push(("others", problems(&self.others)));
        Object(row)
    }

    /// Returns the components that the scheme has, in order, as a JSON object.
    fn component_row(&self) -> Value<'static> {
        if self.parts.iter().all(|(_, part)| part.is_none()) {
            return Null;
        }
        let (parts, fields) = self.parts_and_fields();
        let parts = parts.iter();
        let mut row: Vec<_> = parts
            .map(|(name, part)| (*name, part.map_or(Null, |part| self.text_of(part))))
            .collect();
        if row.iter().any(|(name, _)| *name == "hsoname") {
            let field =
                |pair: &[Part]| Array(pair.iter().map(|part| self.text_of(*part)).collect());
            row.push(("fields", Array(fields.chunks(2).map(field).collect())));
        }
        Object(row)
    }
}

/// Writes a line without commands for terminals.
pub fn put(out: &mut Vec<u8>, line: &str) {
    let line = terminal::without_commands(line.trim_end());
    out.extend_from_slice(line.as_bytes());
    out.push(b'\n');
}

/// Returns the URL that browsers parse `url` to. Passwords, which are at `hidden`, are hidden before parsing,
/// since the parser encodes its output; `None` if that would change the host.
fn href(url: &[u8], hidden: &[Range<usize>]) -> Option<String> {
    let href = whatwg::href(url)?;
    if hidden.is_empty() {
        return Some(href);
    }
    let host = |href: &[u8]| Split::of(href).host.map(|host| host.of(href).to_vec());
    let shown = whatwg::href(&redacted_part(url, 0..url.len(), hidden))?;
    let shown = redacted(shown.as_bytes());
    let is_same = host(&shown) == host(href.as_bytes());
    is_same.then(|| String::from_utf8_lossy(&shown).into_owned())
}

/// Returns whether `diagnostic` is about `part`.
fn is_at(diagnostic: &Diagnostic, part: Part) -> bool {
    let mut parts = diagnostic.parts.iter();
    parts.any(|other| other.start <= part.end && part.start <= other.end)
}

impl JudgedProblem {
    fn new(
        rule: Rule,
        part: Part,
        severity: Severity,
        reference: Option<&'static str>,
    ) -> JudgedProblem {
        JudgedProblem {
            rule: rule.name(),
            part,
            severity,
            message: rule.summary(),
            reference,
            error: None,
        }
    }

    /// Takes the severity from `diagnostics`, which are all about the URL. A problem without a diagnostic
    /// is outside of the URL, as in a fragment.
    fn of(problem: &Problem, standard: Standard, diagnostics: &[Diagnostic]) -> JudgedProblem {
        let &Problem { kind, part, .. } = problem;
        let rule = Rule::from(kind);
        let near = diagnostics.iter().filter(|found| is_at(found, part));
        // Where another rule says it all, that one decides.
        let most = near.max_by_key(|found| (found.rule == rule, found.severity));
        let severity = most.map_or(Severity::Hint, |found| found.severity);
        let mut judged = JudgedProblem::new(rule, part, severity, standard.reference(kind));
        judged.rule = kind.name();
        if !kind.meaning().is_empty() {
            judged.message = kind.meaning();
        }
        judged.error = problem
            .error
            .map(|error| (error.name(), problem.is_failure));
        judged
    }

    /// Returns a line about the problem, with the section of the standard if `names_section`.
    pub fn line(&self, names_section: bool) -> String {
        let Part { start, end } = self.part;
        let (severity, rule, message) = (self.severity, self.rule, self.message);
        let line = format!("{severity}[{rule}] at {start}..{end}: {message}");
        let reference = self.reference.unwrap_or_default();
        match self.error.filter(|_| names_section) {
            Some((error, true)) => format!("{line} ({error}, a failure; {reference})"),
            Some((error, false)) => format!("{line} ({error}; {reference})"),
            None if names_section => format!("{line} ({reference})"),
            None => line,
        }
    }

    /// Returns the problem as a JSON object.
    fn row(&self, names_section: bool) -> Value<'static> {
        let mut row = vec![
            ("rule", Text(self.rule.into())),
            ("start", Number(self.part.start.into())),
            ("end", Number(self.part.end.into())),
            ("severity", Text(self.severity.name().into())),
            ("message", Text(self.message.into())),
        ];
        let reference = self.reference.filter(|_| names_section);
        row.extend(reference.map(|reference| ("reference", Text(reference.into()))));
        if let Some((error, is_failure)) = self.error {
            row.push(("error", Text(error.into())));
            row.push(("failure", Bool(is_failure)));
        }
        Object(row)
    }
}
