//! The diagnostics that are known, and the checkers of sources, which leave them out.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Inputs, Source};
use urlint_lint::{Checker, Known, Settings};

/// The known diagnostics of all sources.
#[derive(Debug, Default)]
pub struct Baseline {
    /// Those of each source, by its name as it is seen from `folder`.
    pub known: HashMap<String, Arc<Known>>,
    /// The folder of the file that they were read from.
    pub folder: PathBuf,
}

impl Inputs {
    /// Returns the checker of `source`, by its settings and the baseline.
    pub fn checker(&self, source: &Source) -> Checker<Arc<Settings>> {
        Checker::new(source.settings.shared_lint().clone())
            .with_min_severity(source.settings.resolved.min_severity)
            .with_known(self.known(source))
    }

    /// Returns the known diagnostics of `source`, if there are any. Which of several equal ones is known depends
    /// on their order.
    pub fn known(&self, source: &Source) -> Option<Arc<Known>> {
        let Baseline { known, folder } = &self.baseline;
        if known.is_empty() {
            return None;
        }
        let name = source.name().seen_from(folder, &self.current);
        known.get(&name).cloned()
    }
}
