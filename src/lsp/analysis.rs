//! The URLs of a document, and their diagnostics, as `urlint check` reports them.

use std::io;

use urlint_documents::{Found, Reader};
use urlint_find::{Delimiter, Ending, Evidence, Flag};
use urlint_lint::{Applicability, Checked, Checker, Diagnostic, Edit, Settings, fix};
use urlint_standard::Span;
use urlint_standard::text::Spans;

use super::config::Rules;

#[derive(Debug, Default)]
pub(super) struct Analysis {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) urls: Vec<Url>,
}

/// A URL of a document.
#[derive(Debug)]
pub(super) struct Url {
    /// The URL with its fragment.
    pub(super) text: Vec<u8>,
    pub(super) outer: Span,
    pub(super) pieces: Spans,
    pub(super) delimiter: Delimiter,
    pub(super) is_placeholder: bool,
    pub(super) evidence: Vec<Evidence>,
    pub(super) ending: Ending,
    /// Its other readings, without passwords.
    pub(super) alternatives: Vec<Vec<u8>>,
}

impl Url {
    fn of(found: &Found<'_>) -> Url {
        let candidate = &found.candidate;
        Url {
            text: candidate.text.to_vec(),
            outer: candidate.outer,
            pieces: candidate.pieces.clone(),
            delimiter: candidate.delimiter,
            is_placeholder: candidate.flags.has(Flag::Placeholder),
            evidence: candidate.evidence().collect(),
            ending: found.ending(),
            alternatives: candidate.redacted_alternatives(),
        }
    }
}

/// A text to be read by these rules.
#[derive(Clone, Copy)]
pub(super) struct Subject<'s> {
    pub(super) rules: &'s Rules,
    /// The name by which it is read.
    pub(super) name: &'s str,
}

impl Subject<'_> {
    pub(super) fn lint(&self) -> &Settings {
        self.rules.settings.lint()
    }

    pub(super) fn reader(&self) -> Reader {
        self.rules.settings.reader().with_mistakes(true)
    }

    /// Returns the checker for a text.
    pub(super) fn checker(&self) -> Checker<&Settings> {
        Checker::new(self.lint()).with_min_severity(self.rules.settings.resolved.min_severity)
    }

    /// Finds the URLs of `text`, and their diagnostics.
    pub(super) fn analysis(&self, text: &[u8]) -> Analysis {
        let mut analysis = Analysis::default();
        let name = self.name.as_bytes();
        let done = self
            .checker()
            .check(&self.reader(), name, text, &mut |checked| {
                match checked {
                    Checked::Url(found) => analysis.urls.push(Url::of(found)),
                    Checked::Diagnostic(diagnostic, _) if self.rules.reports => {
                        analysis.diagnostics.push(diagnostic);
                    }
                    _ => {}
                }
                Ok::<(), io::Error>(())
            });
        // Reading from memory never fails.
        let _ = done;
        analysis
    }

    /// Returns the edits of all fixes that `urlint check --fix` makes, or `None` if it makes none.
    pub(super) fn mended(&self, text: &str, least: Applicability) -> Option<Vec<Edit>> {
        let (checker, reader, name) = (self.checker(), self.reader(), self.name.as_bytes());
        let ignore = &mut |_: Checked<'_>| Ok::<(), io::Error>(());
        let mended = fix::mend(&checker, &reader, name, text.as_bytes(), least, ignore);
        let mended = mended.ok()?;
        let bytes = mended.bytes?;
        let edits = mended.replacements.iter().map(|made| {
            let new = str::from_utf8(made.new.slice(&bytes)).ok()?;
            Some(Edit::new(made.old, new))
        });
        edits.collect()
    }

    /// Returns whether `urlint check --fix` would make the fix of `diagnostic` in `text`, even if it is a hint.
    pub(super) fn would_make(&self, text: &str, diagnostic: &Diagnostic) -> bool {
        let (checker, reader, name) = (self.checker(), self.reader(), self.name.as_bytes());
        fix::would_make(&checker, &reader, name, text.as_bytes(), diagnostic)
    }
}
