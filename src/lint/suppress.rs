//! Marks in a text that keep diagnostics from being reported.
//!
//! `urlint: ignore[rule] reason` keeps those of its own line and of the next one back,
//! `urlint: file-ignore[rule]` those of the whole source, `urlint: disable[rule]` all from its line
//! on until `urlint: enable[rule]`. What comment signs stand around a mark does not matter; free
//! text has none.

use std::collections::HashMap;
use std::ops::Range;

use memchr::{memchr, memchr2, memmem, memrchr2};

use super::diagnostic::Diagnostic;
use super::rule::{Group, Rule};
use super::settings::Selection;
use crate::text::span::Span;

/// What marks begin with.
const MARK: &[u8] = b"urlint:";

/// What follows that, perhaps after a space, and what each mark does.
const KEYWORDS: [(&[u8], Kind); 4] = [
    (b"ignore", Kind::Ignore),
    (b"file-ignore", Kind::File),
    (b"disable", Kind::Disable),
    (b"enable", Kind::Enable),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Ignore,
    File,
    Disable,
    Enable,
}

/// The marks of a source, and which of them have kept a diagnostic back.
///
/// ```
/// use urlint::{Settings, Suppressions};
///
/// let source = b"# urlint: ignore[unsafe-character] an old server\nhttp://a.example/~joe\n";
/// assert!(urlint::check(source, &Settings::default()).is_empty());
///
/// let mut marks = Suppressions::of(source);
/// let unused = marks.unused(&Settings::default().selection);
/// assert_eq!(unused[0].message, "nothing is suppressed by `unsafe-character`");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Suppressions {
    names: Vec<Name>,
    by_rule: HashMap<Rule, Scopes>,
}

/// A name between the brackets of a mark.
#[derive(Clone, Debug)]
struct Name {
    span: Span,
    text: String,
    /// The rules that it names; none if it is unknown.
    rules: Vec<Rule>,
    used: bool,
}

/// Where a rule does not report, and by which name.
#[derive(Clone, Debug, Default)]
struct Scopes {
    file: Option<usize>,
    /// Pairs of lines, in order.
    lines: Vec<(Range<u64>, usize)>,
    /// Disjoint, in order.
    stretches: Vec<(Range<u64>, usize)>,
}

impl Suppressions {
    /// The marks of `source`; takes time linear in its length.
    pub fn of(source: &[u8]) -> Self {
        let mut marks = Suppressions::default();
        for start in memmem::find_iter(source, MARK) {
            let before = start.checked_sub(1).map(|at| source[at]);
            if before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
                continue;
            }
            let rest = &source[start + MARK.len()..];
            let rest = rest.strip_prefix(b" ").unwrap_or(rest);
            let keyword = KEYWORDS
                .iter()
                .find(|(keyword, _)| rest.starts_with(keyword));
            if let Some((keyword, kind)) = keyword {
                let end = source.len() - rest.len() + keyword.len();
                marks.mark(source, *kind, start..end);
            }
        }
        marks
    }

    /// Reads the brackets of the mark whose keyword is `keyword`.
    fn mark(&mut self, source: &[u8], kind: Kind, keyword: Range<usize>) {
        let rest = &source[keyword.end..];
        let line_end = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let Some(b'[') = rest.first() else {
            return;
        };
        let Some(close) = memchr(b']', &rest[..line_end]) else {
            return;
        };
        let Ok(list) = std::str::from_utf8(&rest[1..close]) else {
            return;
        };
        // `ignore[...]` is how marks are written about, and no mark.
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let mut at = keyword.end + 1;
        for part in list.split(',') {
            let text = part.trim();
            let start = at + (part.len() - part.trim_start().len());
            at += part.len() + 1;
            if text.is_empty() || !text.chars().all(is_name) {
                continue;
            }
            self.names.push(Name {
                span: Span::new(start as u64, (start + text.len()) as u64),
                text: text.to_owned(),
                rules: rules(text),
                used: false,
            });
            self.extend(source, kind, keyword.start);
        }
    }

    /// Adds what the last name covers, of a mark that stands at `at`.
    fn extend(&mut self, source: &[u8], kind: Kind, at: usize) {
        let name = self.names.len() - 1;
        let lines = lines(source, at);
        for &rule in &self.names[name].rules {
            let scopes = self.by_rule.entry(rule).or_default();
            match kind {
                Kind::File => {
                    scopes.file.get_or_insert(name);
                }
                // A second mark for the same lines covers nothing more.
                Kind::Ignore if scopes.lines.last().is_some_and(|last| last.0 == lines) => {}
                Kind::Ignore => scopes.lines.push((lines.clone(), name)),
                Kind::Disable if scopes.is_open() => {}
                Kind::Disable => scopes.stretches.push((lines.start..u64::MAX, name)),
                Kind::Enable => {
                    if let Some((open, _)) = scopes.stretches.last_mut()
                        && open.end == u64::MAX
                    {
                        open.end = lines.start;
                    }
                }
            }
        }
        if kind == Kind::Enable {
            // It suppresses nothing and is not asked for it.
            self.names[name].used = true;
        }
    }

    /// Whether a mark keeps `diagnostic` back, whose spans are of the source that the marks are of.
    pub fn suppress(&mut self, diagnostic: &Diagnostic) -> bool {
        if self.names.is_empty() {
            return false;
        }
        let places = [diagnostic.spans.start(), diagnostic.outer.start];
        let name = self
            .by_rule
            .get(&diagnostic.rule)
            .and_then(|scopes| places.iter().find_map(|&place| scopes.name_at(place)));
        if let Some(name) = name {
            self.names[name].used = true;
        }
        name.is_some()
    }

    /// What there is to report on the marks themselves, in the order of their places: names that
    /// have kept nothing back, and names of no rule. Nothing is said about rules that do not report
    /// anyway.
    pub fn unused(&self, selection: &Selection) -> Vec<Diagnostic> {
        let rule = Rule::UnusedSuppression;
        if !selection.reports(rule, rule.severity()) {
            return Vec::new();
        }
        let reports = |&rule: &Rule| selection.reports(rule, rule.severity());
        let is_idle =
            |name: &&Name| !name.used && (name.rules.is_empty() || name.rules.iter().any(reports));
        self.names
            .iter()
            .filter(is_idle)
            .map(|name| name.diagnostic(selection))
            .collect()
    }
}

impl Scopes {
    fn is_open(&self) -> bool {
        let last = self.stretches.last();
        last.is_some_and(|(open, _)| open.end == u64::MAX)
    }

    /// The name that covers `place`.
    fn name_at(&self, place: u64) -> Option<usize> {
        // A line is covered by the marks in it and in the line before.
        let behind = self
            .lines
            .partition_point(|(range, _)| range.start <= place);
        let line = self.lines[..behind].iter().rev().take(2);
        let stretch = self
            .stretches
            .partition_point(|(range, _)| range.start <= place)
            .checked_sub(1)
            .map(|last| &self.stretches[last]);
        line.chain(stretch)
            .find(|(range, _)| range.contains(&place))
            .map(|&(_, name)| name)
            .or(self.file)
    }
}

impl Name {
    fn diagnostic(&self, selection: &Selection) -> Diagnostic {
        let text = &self.text;
        let (message, label) = match (self.rules.is_empty(), Rule::suggest(text)) {
            (true, Some(near)) => (
                format!("there is no rule `{text}`"),
                format!("did you mean `{near}`?"),
            ),
            (true, None) => (format!("there is no rule `{text}`"), "unknown".to_owned()),
            (false, _) => (
                format!("nothing is suppressed by `{text}`"),
                "not needed".to_owned(),
            ),
        };
        let rule = Rule::UnusedSuppression;
        Diagnostic {
            rule,
            severity: selection.severity(rule, rule.severity()),
            spans: self.span.into(),
            message,
            label,
            notes: Vec::new(),
            fix: None,
            url: String::new(),
            alternatives: Vec::new(),
            outer: self.span,
            pieces: self.span.into(),
            password: None,
        }
    }
}

/// The line in which `at` stands, and the one behind it.
fn lines(source: &[u8], at: usize) -> Range<u64> {
    let start = memrchr2(b'\n', b'\r', &source[..at]).map_or(0, |end| end + 1);
    let next = behind_line(source, at);
    start as u64..behind_line(source, next) as u64
}

/// Where the line behind that of `at` begins; behind the source's end if there is none, so that what
/// is missing at the very end is covered too.
fn behind_line(source: &[u8], at: usize) -> usize {
    let rest = source.get(at..).unwrap_or_default();
    match memchr2(b'\n', b'\r', rest) {
        Some(end) if rest[end..].starts_with(b"\r\n") => at + end + 2,
        Some(end) => at + end + 1,
        None => source.len() + 1,
    }
}

/// The rules that a name stands for.
fn rules(name: &str) -> Vec<Rule> {
    if name == "ALL" {
        return Rule::ALL.to_vec();
    }
    if let Some(group) = Group::ALL.into_iter().find(|group| group.name() == name) {
        let in_group = |rule: &Rule| rule.group() == group;
        return Rule::ALL.iter().copied().filter(in_group).collect();
    }
    let rule = Rule::from_name(name).map(|rule| vec![rule]);
    rule.or_else(|| Rule::aliases(name).map(<[Rule]>::to_vec))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::Settings;

    /// The rules that report, with the line of each.
    fn reported(source: &str) -> Vec<String> {
        let line = |at: u64| 1 + source[..at as usize].matches('\n').count();
        crate::check(source.as_bytes(), &Settings::default())
            .iter()
            .map(|diagnostic| format!("{} {}", line(diagnostic.spans.start()), diagnostic.rule))
            .collect()
    }

    #[test]
    fn what_is_suppressed() {
        const TILDE: &str = "http://a.example/~x";
        const TWO: &str = "http://a.example:/~x";
        let unsafe_character = "unsafe-character";
        let cases: [(String, &[&str]); 14] = [
            (
                format!("{TILDE} urlint: ignore[{unsafe_character}] why"),
                &[],
            ),
            (
                format!("<!-- urlint:ignore[{unsafe_character}] -->\r\n{TILDE}"),
                &[],
            ),
            (
                format!("# urlint: ignore[{unsafe_character}]\n{TILDE}\n{TILDE}"),
                &["3 unsafe-character"],
            ),
            (
                format!("{TWO} urlint: ignore[{unsafe_character}]"),
                &["1 empty-port"],
            ),
            (format!("{TWO} urlint: ignore[empty-port, encoding]"), &[]),
            (format!("{TWO} urlint: ignore[ALL]"), &[]),
            (format!("{TILDE} urlint: ignore[raw-hash]"), &[]),
            (format!("{TILDE}\n\n\nurlint: file-ignore[encoding]"), &[]),
            (
                format!(
                    "{TILDE}\nurlint: disable[encoding]\n{TILDE}\n{TILDE}\nurlint: enable[encoding]\n{TILDE}"
                ),
                &["1 unsafe-character", "6 unsafe-character"],
            ),
            (
                "x urlint: ignore[bad-port]\n".into(),
                &["1 unused-suppression"],
            ),
            (
                "x urlint: ignore[bad-prot]\n".into(),
                &["1 unused-suppression"],
            ),
            ("as `urlint: ignore[...]` has it".into(), &[]),
            // `style` does not report anyway.
            ("x urlint: ignore[style]\n".into(), &[]),
            (
                format!("my-urlint: ignore[{unsafe_character}] {TILDE}"),
                &["1 unsafe-character"],
            ),
        ];
        for (source, expected) in cases {
            assert_eq!(reported(&source), expected, "{source}");
        }
    }
}
