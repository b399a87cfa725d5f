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

/// A text with comments and their number, or why none could be added.
type Commented = Result<(Vec<u8>, u64), String>;

/// The URLs of a source, and the diagnostics about them.
struct Inspection {
    /// The URLs, which comments must not change.
    urls: Vec<Vec<u8>>,
    /// The rules that report something, by the index of the URL, and how often.
    reported: BTreeMap<(usize, &'static str), usize>,
    /// The comments that would suppress the diagnostics.
    comments: Comments,
}

/// Why comments cannot be added, and what to do instead.
const NO_PLACE: &str = "on some lines, a comment could change how the file is read; \
    use --baseline FILE --update-baseline, or `ignore-urls`";

impl<S: Deref<Target = Settings>> Subject<'_, S> {
    /// Returns `text` with comments for everything that is reported; `None` if nothing is.
    pub fn silenced(&self, text: &[u8]) -> io::Result<Option<Commented>> {
        let found = self.inspect(text)?;
        if found.comments.is_empty() {
            return Ok(None);
        }
        let count = found.comments.len() as u64;
        let is_silent = |then: &Inspection| then.reported.is_empty();
        let new = self.with(text, &found, &found.comments, &is_silent)?;
        let commented = new.map(|fix| (fix::apply(text, [&fix]).bytes, count));
        Ok(Some(commented.ok_or_else(|| NO_PLACE.to_owned())))
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
        let Some(fix) = Lines::of(text).fix(comments, kind, self.name) else {
            return Ok(None);
        };
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
                        inspection.comments.entry(line).or_default().insert(rule);
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
        if !found.comments.get(&line)?.contains(rule) {
            return None;
        }
        let comments = Comments::from([(line, [rule].into())]);
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
