//! A URL with the diagnostics about it.

use super::diagnostic::Diagnostic;
use super::fate::Fate;
use super::settings::Settings;
use urlint_documents::read::Found;

/// A URL of a source with the diagnostics about it and their [fates](Fate). A [`Checker`](crate::Checker) makes it
/// once; whoever filters, lists, fixes or reports the URL asks it, which changes nothing.
#[derive(Clone, Debug)]
pub struct Judged<'j, 'f> {
    /// The URL.
    pub found: &'j Found<'f>,
    /// The settings by which it was linted.
    pub settings: &'j Settings,
    /// The diagnostics with their fates, in the order of their places.
    pub diagnostics: Vec<(Diagnostic, Fate)>,
}

impl<'j, 'f> Judged<'j, 'f> {
    /// Returns the URL without diagnostics, for those that need none.
    #[must_use]
    pub fn unlinted(found: &'j Found<'f>, settings: &'j Settings) -> Self {
        Judged {
            found,
            settings,
            diagnostics: Vec::new(),
        }
    }

    /// Returns the diagnostics that are reported.
    pub fn reported(&self) -> impl Iterator<Item = &Diagnostic> {
        let all = self.diagnostics.iter();
        all.filter_map(|(one, fate)| (*fate == Fate::Reported).then_some(one))
    }

    /// Returns the diagnostics that are reported.
    pub fn into_reported(self) -> impl Iterator<Item = Diagnostic> {
        let all = self.diagnostics.into_iter();
        all.filter_map(|(one, fate)| (fate == Fate::Reported).then_some(one))
    }
}
