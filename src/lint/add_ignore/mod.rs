//! Suppression comments for the diagnostics of a text, in the places that are usual in its language. They
//! are added only if they change nothing else.

mod comments;

use std::collections::BTreeMap;
use std::io;
use std::ops::Deref;

use urlint_documents::Reader;
use urlint_documents::document::Kind;

use crate::{Checked, Checker, Diagnostic, Fix, Settings, Suppressions, fix};
use comments::{Comments, Lines};

/// A text that comments are added to.
pub struct Subject<'s, S> {
    pub checker: &'s Checker<S>,
    pub reader: &'s Reader,
    /// The name by which it is read.
    pub name: &'s [u8],
}

/// A text with comments.
pub struct Silenced {
    pub text: Vec<u8>,
    /// How many comments were added.
    pub comments: usize,
    /// The lines, from 1, on which a comment could change how the text is read.
    pub refused: Vec<usize>,
}

/// How often a text is read to find the lines without a place for a comment, and how many bytes are read for it.
const MOST_TRIES: usize = 64;
const MOST_BYTES: usize = 64 << 20;

/// The URLs of a source, and the diagnostics about them.
struct Inspection {
    /// The URLs, which comments must not change.
    urls: Vec<Vec<u8>>,
    /// The rules that report something, by the index of the URL, and how often.
    reported: BTreeMap<(usize, &'static str), usize>,
    /// The comments that would suppress the diagnostics.
    comments: Comments,
}

impl Inspection {
    /// Returns whether what `before` reported is reported but for the lines of `comments`.
    fn is_without(&self, comments: &Comments, before: &Inspection) -> bool {
        let left = |(what, count): (&(usize, &str), &usize)| {
            before
                .reported
                .get(what)
                .is_some_and(|before| count <= before)
        };
        self.comments.len() + comments.len() == before.comments.len()
            && self.reported.iter().all(left)
    }
}

impl<S: Deref<Target = Settings>> Subject<'_, S> {
    /// Returns `text` with comments for all that is reported and has a place for one; `None` if nothing is reported.
    pub fn silenced(&self, text: &[u8]) -> io::Result<Option<Silenced>> {
        let found = self.inspect(text)?;
        if found.comments.is_empty() {
            return Ok(None);
        }
        let lines: Vec<_> = found.comments.keys().copied().collect();
        let mut kept = Comments::new();
        let mut tries = MOST_TRIES.min(MOST_BYTES / text.len().max(1));
        self.keep(text, &found, &lines, &mut tries, &mut kept)?;
        let is_done = |then: &Inspection| then.is_without(&kept, &found);
        let fix = self.with(text, &found, &kept, &is_done)?;
        if fix.is_none() {
            kept.clear();
        }
        Ok(Some(Silenced {
            text: fix::apply(text, &fix).bytes,
            comments: kept.len(),
            refused: (lines.iter().filter(|line| !kept.contains_key(line)))
                .map(|line| line + 1)
                .collect(),
        }))
    }

    /// Adds the comments on `lines`, a range of those of `found`, that may be added together to `kept`: all, or else
    /// those of each half.
    fn keep(
        &self,
        text: &[u8],
        found: &Inspection,
        lines: &[usize],
        tries: &mut usize,
        kept: &mut Comments,
    ) -> io::Result<()> {
        let (Some(left), [first, ..]) = (tries.checked_sub(1), lines) else {
            return Ok(());
        };
        *tries = left;
        let of_lines = found.comments.range(first..=&lines[lines.len() - 1]);
        let mut comments: Comments = of_lines
            .map(|(line, rules)| (*line, rules.clone()))
            .collect();
        let is_done = |then: &Inspection| then.is_without(&comments, found);
        if self.with(text, found, &comments, &is_done)?.is_some() {
            kept.append(&mut comments);
        } else if lines.len() > 1 {
            for half in lines.chunks(lines.len().div_ceil(2)) {
                self.keep(text, found, half, tries, kept)?;
            }
        }
        Ok(())
    }

    /// Returns the insertions of `comments`, if they change neither the URLs nor the document, and
    /// `is_done` accepts the diagnostics that are found then.
    fn with(
        &self,
        text: &[u8],
        found: &Inspection,
        comments: &Comments,
        is_done: &dyn Fn(&Inspection) -> bool,
    ) -> io::Result<Option<Fix>> {
        let kind = self.reader.kind_of(self.name, text)?;
        let fix = Lines::of(text).fix(comments, kind, self.name);
        if fix.edits.len() < comments.len() || comments.is_empty() {
            return Ok(None);
        }
        let new = fix::apply(text, [&fix]).bytes;
        let then = self.inspect(&new)?;
        let is_kept = kind == Kind::Plain || fix::adds_only_comments(kind, text, &new);
        Ok((then.urls == found.urls && is_done(&then) && is_kept).then_some(fix))
    }

    /// Finds the URLs of `text`, and the comments that it needs.
    fn inspect(&self, text: &[u8]) -> io::Result<Inspection> {
        let lines = Lines::of(text);
        let mut inspection = Inspection {
            urls: Vec::new(),
            reported: BTreeMap::new(),
            comments: Comments::new(),
        };
        self.checker
            .check(self.reader, self.name, text, &mut |checked| {
                match checked {
                    Checked::Url(found) => inspection.urls.push(found.candidate.text.to_vec()),
                    Checked::Diagnostic(diagnostic, Some(_)) => {
                        let line = lines.number(diagnostic.outer.start);
                        let rule = diagnostic.rule.name();
                        let index = inspection.urls.len() - 1;
                        let rules = inspection.comments.entry(line).or_default();
                        if let Err(place) = rules.binary_search(&rule) {
                            rules.insert(place, rule);
                        }
                        *inspection.reported.entry((index, rule)).or_default() += 1;
                    }
                    _ => {}
                }
                Ok::<(), io::Error>(())
            })?;
        Ok(inspection)
    }

    /// Returns the insertion of a comment that suppresses the rule of `diagnostic` for its URL; `None` if
    /// every comment would change something else.
    pub fn with_one(&self, text: &[u8], diagnostic: &Diagnostic) -> Option<Fix> {
        if text.len() > Suppressions::MAX_SOURCE {
            return None;
        }
        let found = self.inspect(text).ok()?;
        let line = Lines::of(text).number(diagnostic.outer.start);
        let rule = diagnostic.rule.name();
        if !found.comments.get(&line)?.contains(&rule) {
            return None;
        }
        let comments = Comments::from([(line, vec![rule])]);
        let is_done = |then: &Inspection| {
            let mut reported = then.reported.iter();
            let no_more = reported.all(|(what, count)| {
                found
                    .reported
                    .get(what)
                    .is_some_and(|before| count <= before)
            });
            let sum = |inspection: &Inspection| inspection.reported.values().sum::<usize>();
            no_more && sum(then) < sum(&found)
        };
        self.with(text, &found, &comments, &is_done).ok()?
    }
}
