//! A suppression comment for a diagnostic of a text, in the place that is usual in its language. It is added only
//! if it changes nothing else.

mod comments;

use std::collections::BTreeMap;
use std::io;
use std::ops::Deref;

use urlint_documents::Reader;
use urlint_documents::document::Kind;

use crate::{Checked, Checker, Diagnostic, Fix, Settings, Suppressions, fix};
use comments::Lines;

/// What is found in a text.
struct Inspection {
    /// The URLs, which a comment must not change.
    urls: Vec<Vec<u8>>,
    /// The rules that report something, by the index of the URL, and how often.
    reported: BTreeMap<(usize, &'static str), usize>,
}

impl Inspection {
    /// Returns whether less is reported than in `before`, and nothing else.
    fn is_quieter(&self, before: &Inspection) -> bool {
        let is_in_both = |(what, count): (_, &usize)| before.reported.get(what) >= Some(count);
        let sum = |inspection: &Inspection| inspection.reported.values().sum::<usize>();
        self.urls == before.urls && self.reported.iter().all(is_in_both) && sum(self) < sum(before)
    }
}

/// Returns the insertion of a comment into `text`, the source `name`, that suppresses the rule of `diagnostic`,
/// which `checker` reports there, for its URL; `None` if every comment would change something else.
pub fn insertion<S: Deref<Target = Settings>>(
    checker: &Checker<S>,
    reader: &Reader,
    name: &[u8],
    text: &[u8],
    diagnostic: &Diagnostic,
) -> Option<Fix> {
    if text.len() > Suppressions::MAX_SOURCE {
        return None;
    }
    let kind = reader.kind_of(name, text).ok()?;
    let lines = Lines::of(text);
    let line = lines.number(diagnostic.outer.start);
    let insertion = lines.insertion(line, diagnostic.rule.name(), kind, name)?;
    let new = fix::apply(text, [&insertion]).bytes;
    let inspected = |text: &[u8]| inspect(checker, reader, name, text).ok();
    let is_harmless = kind == Kind::Plain || fix::adds_only_comments(kind, text, &new);
    (is_harmless && inspected(&new)?.is_quieter(&inspected(text)?)).then_some(insertion)
}

fn inspect<S: Deref<Target = Settings>>(
    checker: &Checker<S>,
    reader: &Reader,
    name: &[u8],
    text: &[u8],
) -> io::Result<Inspection> {
    let (mut urls, mut reported) = (Vec::new(), BTreeMap::new());
    checker.check(reader, name, text, &mut |checked| {
        match checked {
            Checked::Url(found) => urls.push(found.candidate.text.to_vec()),
            Checked::Diagnostic(diagnostic, Some(_)) => {
                *reported
                    .entry((urls.len(), diagnostic.rule.name()))
                    .or_default() += 1;
            }
            _ => {}
        }
        Ok::<(), io::Error>(())
    })?;
    Ok(Inspection { urls, reported })
}
