//! Comments are written into a text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::places::{Gap, Places};

/// The comments that a source needs: the rules, by the number of the line, from 0.
pub(super) type Comments = BTreeMap<usize, Rules>;

/// The names of rules.
type Rules = BTreeSet<&'static str>;

/// Returns `text` with comments for the lines of `comments`, and how many there are: each before its
/// line, or with `takes_ends` at the end of the line where that may be, or else a pair around it.
/// `None` if there is no place for one of them.
pub(super) fn with_comments(
    text: &[u8],
    comments: &Comments,
    places: &Places,
    takes_ends: bool,
) -> Option<(Vec<u8>, u64)> {
    let mut added = Added::new(text, places);
    // Lines between the same two places share a pair.
    let mut pairs: Vec<(Range<usize>, Rules)> = Vec::new();
    // They come after the pairs, since each is for the next line.
    let mut single = Vec::new();
    for (&line, rules) in comments {
        if takes_ends && places.at_end[line] {
            added.at_end(line, rules);
        } else if places.is_safe(line) {
            single.push((line, rules));
        } else {
            match pairs.last_mut() {
                Some((lines, all)) if line < lines.end => all.extend(rules),
                _ => pairs.push((places.around(line)?, rules.clone())),
            }
        }
    }
    for (lines, rules) in &pairs {
        added.pair(lines, rules);
    }
    for (line, rules) in single {
        let last = pairs.partition_point(|(lines, _)| lines.start <= line);
        let pair = last.checked_sub(1).map(|last| &pairs[last]);
        if pair.is_none_or(|(lines, all)| lines.end <= line || !rules.is_subset(all)) {
            added.before(line, rules);
        }
    }
    Some((added.text(), added.count))
}

/// What is added to a text.
struct Added<'t> {
    text: &'t [u8],
    places: &'t Places,
    /// The comments, by the offset before which they are inserted.
    inserted: BTreeMap<usize, Vec<u8>>,
    /// How many comments there are; a pair counts as one.
    count: u64,
}

impl<'t> Added<'t> {
    fn new(text: &'t [u8], places: &'t Places) -> Self {
        Added {
            text,
            places,
            inserted: BTreeMap::new(),
            count: 0,
        }
    }

    /// Adds a comment at the end of a line.
    fn at_end(&mut self, line: usize, rules: &Rules) {
        let starts = &self.places.starts;
        let end = starts.get(line + 1).copied().unwrap_or(self.text.len());
        let length = self.text[starts[line]..end].trim_ascii_end().len();
        let comment = format!(" {}", self.comment("ignore", rules));
        let comments = self.inserted.entry(starts[line] + length).or_default();
        comments.extend_from_slice(comment.as_bytes());
        self.count += 1;
    }

    /// Adds a comment for a line before it.
    fn before(&mut self, line: usize, rules: &Rules) {
        self.insert(line, "ignore", rules);
        self.count += 1;
    }

    /// Adds a comment before the lines, and one after them unless they are the last.
    fn pair(&mut self, lines: &Range<usize>, rules: &Rules) {
        self.insert(lines.start, "disable", rules);
        if lines.end < self.places.starts.len() {
            self.insert(lines.end, "enable", rules);
        }
        self.count += 1;
    }

    /// Inserts a comment before a line, with the same indentation, or before what the line says where it
    /// takes no line of its own.
    fn insert(&mut self, line: usize, keyword: &str, rules: &Rules) {
        let comment = self.comment(keyword, rules);
        let start = self.places.starts[line];
        let rest = &self.text[start..];
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        // A comment of roff has to begin its line, and in a makefile what begins with a tab is run.
        let is_at_margin = self.places.delimiters.0.starts_with('.') || rest.starts_with(b"\t");
        let indent = if is_at_margin {
            0
        } else {
            rest.iter().take_while(is_blank).count()
        };
        let (at, indent) = match self.places.gap {
            Gap::None => (start + indent, 0),
            _ => (start, indent),
        };
        let breaks = match self.places.gap {
            Gap::None => 0,
            Gap::Line => 1,
            Gap::Block => 2,
        };
        let comments = self.inserted.entry(at).or_default();
        comments.extend_from_slice(&rest[..indent]);
        comments.extend_from_slice(comment.as_bytes());
        comments.extend_from_slice(&self.places.line_break.repeat(breaks));
    }

    fn comment(&self, keyword: &str, rules: &Rules) -> String {
        let (opening, closing) = self.places.delimiters;
        let rules: Vec<_> = rules.iter().copied().collect();
        format!("{opening} urlint: {keyword}[{}]{closing}", rules.join(", "))
    }

    /// Returns the text with the comments.
    fn text(&self) -> Vec<u8> {
        let added: usize = self.inserted.values().map(Vec::len).sum();
        let mut new = Vec::with_capacity(self.text.len() + added);
        let mut from = 0;
        for (&at, comment) in &self.inserted {
            new.extend_from_slice(&self.text[from..at]);
            new.extend_from_slice(comment);
            from = at;
        }
        new.extend_from_slice(&self.text[from..]);
        new
    }
}
