//! Suppression comments, which prevent diagnostics from being reported.
//!
//! `urlint: ignore[rule] reason` suppresses diagnostics in its own line and the next one, `urlint:
//! file-ignore[rule]` in the whole source, and `urlint: disable[rule]` from its line on until
//! `urlint: enable[rule]`. Any comment syntax will do, since plain text has none.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use memchr::{memchr2, memmem, memrchr2};

use super::diagnostic::Diagnostic;
use super::rule::Rule;
use super::selection::{Selection, Selector};
use urlint_standard::text::Span;

/// The start of a suppression comment; a space may follow, and then a keyword.
const PREFIX: &[u8] = b"urlint:";

/// The keywords and their effects.
const KEYWORDS: [(&[u8], Keyword); 4] = [
    (b"ignore", Keyword::Ignore),
    (b"file-ignore", Keyword::File),
    (b"disable", Keyword::Disable),
    (b"enable", Keyword::Enable),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keyword {
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
/// let settings = Settings::default();
/// assert!(urlint::check(source, &settings).is_empty());
///
/// let suppressions = Suppressions::of(source);
/// let mut unused = suppressions.unused(source, &settings.selection);
/// assert_eq!(unused.next().unwrap().message, "`unsafe-character` suppresses nothing");
/// assert!(unused.next().is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Suppressions {
    /// The names in all comments, in order.
    names: Vec<Name>,
    /// Where each distinct name suppresses.
    scopes: Vec<Scopes>,
    by_name: HashMap<String, usize>,
    /// The scopes that each rule is in.
    by_rule: HashMap<Rule, Vec<usize>>,
}

/// A name in the brackets of a suppression comment.
#[derive(Clone, Debug)]
struct Name {
    span: Span,
    /// The line of the comment and the next one.
    lines: Range<u64>,
    /// The index of its scopes; `None` if it does not name any rule.
    scopes: Option<usize>,
    used: bool,
}

/// Where the rules of a name are suppressed, as indices of [`Name`]s. There may be a comment every
/// few bytes, each with a name for all rules, so nothing is stored per rule.
#[derive(Clone, Debug, Default)]
struct Scopes {
    rules: Vec<Rule>,
    /// The first name that covers the whole source.
    file: Option<usize>,
    /// The names that cover two lines each, in order; only the first in each line.
    lines: Vec<usize>,
    /// The names that switch the rules off, and those that switch them on again.
    off: Vec<usize>,
    on: Vec<usize>,
}

impl Suppressions {
    /// The most bytes of a source that are searched for suppression comments (16 MiB). The rest is read
    /// in a window, so that memory stays bounded.
    pub const MAX_SOURCE: usize = 16 << 20;

    /// Reads the suppression comments of `source`. Takes time linear in its length.
    #[must_use]
    pub fn of(source: &[u8]) -> Self {
        let mut suppressions = Suppressions::default();
        // A line may have any number of comments.
        let mut line: Option<CommentLine> = None;
        for start in memmem::find_iter(source, PREFIX) {
            let before = start.checked_sub(1).map(|at| source[at]);
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            if !before.is_some_and(is_word) {
                let known = line.take().filter(|line| start < line.end);
                let known = line.insert(known.unwrap_or_else(|| CommentLine::of(source, start)));
                suppressions.comment(source, start, known);
            }
        }
        suppressions
    }

    /// Reads the suppression comment that begins at the offset `start` in `line`, if there is one.
    fn comment(&mut self, source: &[u8], start: usize, line: &CommentLine) {
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
        // A list ends before another begins, so that no byte is in two lists.
        let list = rest.strip_prefix(b"[").and_then(|rest| {
            let close = memchr2(b'[', b']', rest).filter(|&at| rest[at] == b']')?;
            std::str::from_utf8(&rest[..close]).ok()
        });
        let Some(list) = list else { return };
        // Texts about these comments write `ignore[...]`.
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let mut at = brackets + 1;
        for part in list.split(',') {
            let text = part.trim();
            let start = at + (part.len() - part.trim_start().len());
            at += part.len() + 1;
            if text.is_empty() || !text.chars().all(is_name) {
                continue;
            }
            let scopes = self.scopes_of(text);
            if let Some(scopes) = scopes {
                self.extend(scopes, kind, &line.lines);
            }
            self.names.push(Name {
                span: Span::new(start as u64, (start + text.len()) as u64),
                lines: line.lines.clone(),
                scopes,
                // An `enable` is not expected to suppress anything.
                used: scopes.is_some() && kind == Keyword::Enable,
            });
        }
    }

    /// Returns the index of the scopes of the rules that `text` names; `None` if it names none.
    fn scopes_of(&mut self, text: &str) -> Option<usize> {
        if let Some(&known) = self.by_name.get(text) {
            return Some(known);
        }
        let rules = rules(text);
        if rules.is_empty() {
            return None;
        }
        let number = self.scopes.len();
        for &rule in &rules {
            self.by_rule.entry(rule).or_default().push(number);
        }
        self.scopes.push(Scopes {
            rules,
            ..Scopes::default()
        });
        self.by_name.insert(text.to_owned(), number);
        Some(number)
    }

    /// Adds the lines that the next name covers to the scopes at the index `scopes`.
    fn extend(&mut self, scopes: usize, kind: Keyword, lines: &Range<u64>) {
        let (scopes, name) = (&mut self.scopes[scopes], self.names.len());
        match kind {
            Keyword::File => {
                scopes.file.get_or_insert(name);
            }
            Keyword::Ignore => {
                let last = scopes.lines.last();
                if last.is_none_or(|&last| self.names[last].lines != *lines) {
                    scopes.lines.push(name);
                }
            }
            Keyword::Disable => scopes.off.push(name),
            Keyword::Enable => scopes.on.push(name),
        }
    }

    /// Returns whether `diagnostic`, which must be about the same source, is suppressed; the
    /// comment that suppresses it then no longer counts as [unused](Suppressions::unused).
    pub fn suppresses(&mut self, diagnostic: &Diagnostic) -> bool {
        let Some(scopes) = self.by_rule.get(&diagnostic.rule) else {
            return false;
        };
        let places = [diagnostic.spans.start(), diagnostic.outer.start];
        let mut names = places.iter().map(|&place| self.name_at(scopes, place));
        let name = names.find_map(|name| name);
        if let Some(name) = name {
            self.names[name].used = true;
        }
        name.is_some()
    }

    /// Returns the name that covers `place` among those with the given scopes.
    fn name_at(&self, scopes: &[usize], place: u64) -> Option<usize> {
        let scopes = || scopes.iter().map(|&scopes| &self.scopes[scopes]);
        let start = |name: usize| self.names[name].lines.start;
        let before = |names: &[usize]| names.partition_point(|&name| start(name) <= place);
        let line = scopes().filter_map(|scopes| {
            // A line is covered by comments in it and in the line before.
            let mut nearest = scopes.lines[..before(&scopes.lines)].iter().rev().take(2);
            nearest.find(|&&name| self.names[name].lines.contains(&place))
        });
        let stretch = || {
            let on = scopes().filter_map(|scopes| scopes.on[..before(&scopes.on)].last());
            let last_on = on.max();
            let off = scopes().filter_map(|scopes| {
                let off = &scopes.off[..before(&scopes.off)];
                off.get(off.partition_point(|name| Some(name) <= last_on))
            });
            off.min().copied()
        };
        line.copied()
            .max_by_key(|&name| (start(name), Reverse(name)))
            .or_else(stretch)
            .or_else(|| scopes().filter_map(|scopes| scopes.file).min())
    }

    /// Returns the diagnostics about the suppression comments of `source`, in the order of their
    /// places: names that have suppressed nothing, and names that are not rules. A name whose rules
    /// `selection` does not select is not reported.
    pub fn unused(&self, source: &[u8], selection: &Selection) -> impl Iterator<Item = Diagnostic> {
        let rule = Rule::UnusedSuppression;
        let is_selected = selection.reports(rule, rule.severity());
        let reports = |&rule: &Rule| selection.reports(rule, rule.severity());
        let scopes = self.scopes.iter();
        let is_expected: Vec<_> = scopes
            .map(|scopes| scopes.rules.iter().any(reports))
            .collect();
        let idle = self.names.iter().filter(move |name| {
            is_selected && !name.used && name.scopes.is_none_or(|scopes| is_expected[scopes])
        });
        idle.map(|name| name.diagnostic(source, selection))
    }
}

impl Name {
    fn diagnostic(&self, source: &[u8], selection: &Selection) -> Diagnostic {
        let text = String::from_utf8_lossy(self.span.slice(source));
        let (message, label) = if self.scopes.is_some() {
            (
                format!("`{text}` suppresses nothing"),
                "not needed".to_owned(),
            )
        } else {
            let near = Rule::suggest(&text).map(|near| format!("did you mean `{near}`?"));
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
struct CommentLine {
    /// Its end, before its line break.
    end: usize,
    /// The range of this line and the next.
    lines: Range<u64>,
}

impl CommentLine {
    /// The line of the offset `at`.
    fn of(source: &[u8], at: usize) -> Self {
        let start = memrchr2(b'\n', b'\r', &source[..at]).map_or(0, |end| end + 1);
        let end = memchr2(b'\n', b'\r', &source[at..]).map_or(source.len(), |end| at + end);
        let next = after_line(source, at);
        CommentLine {
            end,
            lines: start as u64..after_line(source, next) as u64,
        }
    }
}

/// Returns the start of the line after the one at `at`. If there is none, returns an offset after
/// the end of the source, so that something missing at the very end is covered too.
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
    let selector = Selector::named(name).into_iter();
    selector.flat_map(Selector::rules).collect()
}

#[cfg(test)]
mod tests {
    use crate::check;
    use crate::settings::Settings;

    /// The rules that report, with the line of each.
    fn reported(source: &str) -> Vec<String> {
        let line = |at: u64| 1 + source[..at as usize].matches('\n').count();
        check(source.as_bytes(), &Settings::default())
            .iter()
            .map(|diagnostic| format!("{} {}", line(diagnostic.spans.start()), diagnostic.rule))
            .collect()
    }

    #[test]
    fn comments_suppress_diagnostics() {
        const TILDE: &str = "http://a.example/~x";
        const TWO: &str = "http://a.example:/~x";
        let unsafe_character = "unsafe-character";
        let cases: [(String, &[&str]); 22] = [
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
            (format!("{TILDE}\n\n\nurlint: file-ignore[encoding]"), &[]),
            (
                format!(
                    "{TILDE}\nurlint: disable[encoding]\n{TILDE}\n{TILDE}\nurlint: enable[encoding]\n{TILDE}"
                ),
                &["1 unsafe-character", "6 unsafe-character"],
            ),
            (
                format!("urlint: disable[ALL]\n{TWO}\nurlint: enable[encoding]\n{TWO}"),
                &["4 unsafe-character"],
            ),
            (
                format!(
                    "urlint: disable[ALL]\nurlint: enable[ALL]\nurlint: disable[encoding]\n{TWO}\nurlint: enable[ALL]\n\
                     urlint: disable[encoding]\n{TWO}"
                ),
                &["1 unused-suppression", "4 empty-port", "7 empty-port"],
            ),
            (
                format!(
                    "urlint: disable[encoding]\nurlint: enable[ALL]\n{TWO}\nurlint: disable[ALL]\n{TWO}"
                ),
                &["1 unused-suppression", "3 empty-port", "3 unsafe-character"],
            ),
            (
                format!("urlint: disable[ALL] urlint: enable[ALL]\n{TILDE}"),
                &["1 unused-suppression", "2 unsafe-character"],
            ),
            // If two comments cover a line, the nearer one is used, and in one line the first.
            (
                format!(
                    "urlint: file-ignore[ALL] urlint: ignore[ALL]\n{TILDE} urlint: ignore[encoding, ALL]"
                ),
                &[
                    "1 unused-suppression",
                    "1 unused-suppression",
                    "2 unused-suppression",
                ],
            ),
            (
                format!("urlint: ignore[encoding] urlint: disable[encoding, ALL]\n\n{TILDE}"),
                &["1 unused-suppression", "1 unused-suppression"],
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
            // `style` reports nothing by default.
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
