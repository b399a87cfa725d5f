//! Suppression comments: comments in a text that keep diagnostics from being reported.
//!
//! `urlint: ignore[rule] reason` suppresses those of its own line and of the next one,
//! `urlint: file-ignore[rule]` those of the whole source, `urlint: disable[rule]` all from its line
//! on until `urlint: enable[rule]`. It does not matter what signs make it a comment; plain text has
//! none.

use std::collections::HashMap;
use std::ops::Range;

use memchr::{memchr2, memmem, memrchr2};

use super::diagnostic::Diagnostic;
use super::rule::{Group, Rule};
use super::settings::{Selection, Selector};
use crate::text::span::Span;

/// What a suppression comment begins with; a space may follow, and then a keyword.
const PREFIX: &[u8] = b"urlint:";

/// The keywords, and what each does.
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

/// The suppression comments of a source, and which of them have suppressed a diagnostic.
///
/// ```
/// use urlint::Settings;
/// use urlint::lint::Suppressions;
///
/// let source = b"# urlint: ignore[unsafe-character] an old server\nhttp://a.example/~joe\n";
/// assert!(urlint::check(source, &Settings::default()).is_empty());
///
/// let suppressions = Suppressions::of(source);
/// let unused = suppressions.unused(&Settings::default().selection);
/// assert_eq!(unused[0].message, "nothing is suppressed by `unsafe-character`");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Suppressions {
    names: Vec<Name>,
    by_rule: HashMap<Rule, Scopes>,
}

/// A name in the brackets of a suppression comment.
#[derive(Clone, Debug)]
struct Name {
    span: Span,
    text: String,
    /// The line of the comment and the next one.
    lines: Range<u64>,
    used: bool,
}

/// Where a rule does not report, and which name says so.
#[derive(Clone, Debug, Default)]
struct Scopes {
    file: Option<usize>,
    /// The names that cover two lines, in order. A name may stand for each rule, so as little as can be
    /// is kept of it.
    lines: Vec<u32>,
    /// Disjoint, in order.
    stretches: Vec<(Range<u64>, usize)>,
}

impl Suppressions {
    /// Reads the suppression comments of `source`. Takes time linear in its length.
    #[must_use]
    pub fn of(source: &[u8]) -> Self {
        let mut suppressions = Suppressions::default();
        // A line may have any number of comments.
        let mut line: Option<Line> = None;
        for start in memmem::find_iter(source, PREFIX) {
            let before = start.checked_sub(1).map(|at| source[at]);
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            if !before.is_some_and(is_word) {
                let known = line.take().filter(|line| start < line.end);
                let known = line.insert(known.unwrap_or_else(|| Line::of(source, start)));
                suppressions.comment(source, start, known);
            }
        }
        suppressions
    }

    /// Reads the suppression comment that begins at the offset `start` in `line`, if there is one.
    fn comment(&mut self, source: &[u8], start: usize, line: &Line) {
        let source = &source[..line.end];
        let rest = &source[start + PREFIX.len()..];
        let rest = rest.strip_prefix(b" ").unwrap_or(rest);
        let mut keywords = KEYWORDS.iter();
        let Some((rest, kind)) =
            keywords.find_map(|(keyword, kind)| Some((rest.strip_prefix(*keyword)?, *kind)))
        else {
            return;
        };
        let brackets = source.len() - rest.len();
        let Some(rest) = rest.strip_prefix(b"[") else {
            return;
        };
        // A list ends before another one begins, so that no byte is in two of them.
        let Some(close) = memchr2(b'[', b']', rest).filter(|&at| rest[at] == b']') else {
            return;
        };
        let Ok(list) = std::str::from_utf8(&rest[..close]) else {
            return;
        };
        // `ignore[...]` is how texts speak of these comments.
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let mut at = brackets + 1;
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
                lines: line.lines.clone(),
                used: false,
            });
            self.extend(kind);
        }
    }

    /// Adds what the last name covers.
    fn extend(&mut self, kind: Kind) {
        let index = self.names.len() - 1;
        let (name, before) = match self.names.split_last_mut() {
            Some((name, before)) => (name, &*before),
            None => return,
        };
        let lines = &name.lines;
        let rules = rules(&name.text);
        // `enable` is not expected to suppress anything.
        name.used = kind == Kind::Enable && !rules.is_empty();
        for rule in rules {
            let scopes = self.by_rule.entry(rule).or_default();
            match kind {
                Kind::File => {
                    scopes.file.get_or_insert(index);
                }
                // A second comment for the same lines covers nothing more.
                Kind::Ignore
                    if scopes
                        .lines
                        .last()
                        .is_some_and(|&last| before[last as usize].lines == *lines) => {}
                Kind::Ignore => scopes.lines.extend(u32::try_from(index)),
                Kind::Disable if scopes.is_open() => {}
                Kind::Disable => scopes.stretches.push((lines.start..u64::MAX, index)),
                Kind::Enable => {
                    if let Some((open, _)) = scopes.stretches.last_mut()
                        && open.end == u64::MAX
                    {
                        open.end = lines.start;
                    }
                }
            }
        }
    }

    /// Returns whether `diagnostic`, whose spans are spans of the same source, is suppressed; the
    /// comment that suppresses it is then no longer [unused](Suppressions::unused).
    pub fn suppresses(&mut self, diagnostic: &Diagnostic) -> bool {
        if self.names.is_empty() {
            return false;
        }
        let places = [diagnostic.spans.start(), diagnostic.outer.start];
        let name = self.by_rule.get(&diagnostic.rule).and_then(|scopes| {
            places
                .iter()
                .find_map(|&place| scopes.name_at(place, &self.names))
        });
        if let Some(name) = name {
            self.names[name].used = true;
        }
        name.is_some()
    }

    /// Returns the diagnostics about the suppression comments themselves, in the order of their places:
    /// names that have suppressed nothing, and names of no rule. A name whose rules `selection` does
    /// not select is not reported.
    #[must_use]
    pub fn unused(&self, selection: &Selection) -> Vec<Diagnostic> {
        let rule = Rule::UnusedSuppression;
        if !selection.reports(rule, rule.severity()) {
            return Vec::new();
        }
        let reports = |&rule: &Rule| selection.reports(rule, rule.severity());
        let idle = self.names.iter().filter(|name| !name.used);
        let diagnostics = idle.filter_map(|name| {
            let rules = rules(&name.text);
            let is_known = !rules.is_empty();
            (!is_known || rules.iter().any(reports)).then(|| name.diagnostic(is_known, selection))
        });
        diagnostics.collect()
    }
}

impl Scopes {
    fn is_open(&self) -> bool {
        let last = self.stretches.last();
        last.is_some_and(|(open, _)| open.end == u64::MAX)
    }

    /// The name of all `names` that covers `place`.
    fn name_at(&self, place: u64, names: &[Name]) -> Option<usize> {
        // A line is covered by the comments in it and in the line before.
        let lines = |name: u32| &names[name as usize].lines;
        let after = self
            .lines
            .partition_point(|&name| lines(name).start <= place);
        let mut line = self.lines[..after].iter().rev().take(2);
        let line = line.find(|&&name| lines(name).contains(&place));
        let stretch = self
            .stretches
            .partition_point(|(range, _)| range.start <= place)
            .checked_sub(1)
            .map(|last| &self.stretches[last]);
        let stretch = stretch.filter(|(range, _)| range.contains(&place));
        line.map(|&name| name as usize)
            .or(stretch.map(|&(_, name)| name))
            .or(self.file)
    }
}

impl Name {
    /// The diagnostic about a name that has suppressed nothing; whether it `is_known` as one of rules.
    fn diagnostic(&self, is_known: bool, selection: &Selection) -> Diagnostic {
        let text = &self.text;
        let (message, label) = if is_known {
            (
                format!("nothing is suppressed by `{text}`"),
                "not needed".to_owned(),
            )
        } else {
            let near = Rule::suggest(text).map(|near| format!("did you mean `{near}`?"));
            (
                format!("there is no rule `{text}`"),
                near.unwrap_or_else(|| "unknown".to_owned()),
            )
        };
        let rule = Rule::UnusedSuppression;
        Diagnostic {
            severity: selection.severity(rule, rule.severity()),
            label,
            ..Diagnostic::new(rule, self.span.into(), message)
        }
    }
}

/// A line of a source.
struct Line {
    /// Where it ends, before its line break.
    end: usize,
    /// It and the next one.
    lines: Range<u64>,
}

impl Line {
    /// The line of the offset `at`.
    fn of(source: &[u8], at: usize) -> Self {
        let start = memrchr2(b'\n', b'\r', &source[..at]).map_or(0, |end| end + 1);
        let end = memchr2(b'\n', b'\r', &source[at..]).map_or(source.len(), |end| at + end);
        let next = after_line(source, at);
        Line {
            end,
            lines: start as u64..after_line(source, next) as u64,
        }
    }
}

/// Where the line after that of `at` begins; after the source's end if there is none, so that what is
/// missing at the very end is covered too.
fn after_line(source: &[u8], at: usize) -> usize {
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
    if let Some(group) = Group::from_name(name) {
        return Selector::Group(group).rules().collect();
    }
    let rule = Rule::from_name(name).map(|rule| vec![rule]);
    rule.or_else(|| Rule::aliases(name).map(<[Rule]>::to_vec))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::lint::check;
    use crate::lint::settings::Settings;

    /// The rules that report, with the line of each.
    fn reported(source: &str) -> Vec<String> {
        let line = |at: u64| 1 + source[..at as usize].matches('\n').count();
        check(source.as_bytes(), &Settings::default())
            .iter()
            .map(|diagnostic| format!("{} {}", line(diagnostic.spans.start()), diagnostic.rule))
            .collect()
    }

    #[test]
    fn what_is_suppressed() {
        const TILDE: &str = "http://a.example/~x";
        const TWO: &str = "http://a.example:/~x";
        let unsafe_character = "unsafe-character";
        let cases: [(String, &[&str]); 17] = [
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
            ("x urlint: enable[bad-port]\n".into(), &[]),
            (
                "x urlint: enable[bad-prot]\n".into(),
                &["1 unused-suppression"],
            ),
            ("as `urlint: ignore[...]` has it".into(), &[]),
            // `style` does not report anyway.
            ("x urlint: ignore[style]\n".into(), &[]),
            (
                format!("my-urlint: ignore[{unsafe_character}] {TILDE}"),
                &["1 unsafe-character"],
            ),
            (
                format!("urlint:urlint: ignore[{unsafe_character}] {TILDE}"),
                &[],
            ),
        ];
        for (source, expected) in cases {
            assert_eq!(reported(&source), expected, "{source}");
        }
    }
}
