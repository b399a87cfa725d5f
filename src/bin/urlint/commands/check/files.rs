//! The files of a run beside its documents: its reports and its baseline.

use std::path::PathBuf;

use urlint::config::{Configs, Resolved};

use super::Check;
use crate::commands::replace::collide;
use crate::commands::reports::ReportOptions;
use crate::config::is_by_flag;
use crate::error::Error;
use crate::walk::{Own, Use};

/// The files of a run, as the flags and the configuration of the current folder name them.
pub(super) struct Files<'c> {
    pub(super) reports: ReportOptions<'c>,
    pub(super) baseline: Option<PathBuf>,
    /// All of them, to be passed over in folders.
    pub(super) own: Own,
}

impl<'c> Files<'c> {
    pub(super) fn new(check: &'c Check, configs: &Configs) -> Result<Self, Error> {
        let settings = configs.current()?;
        let mut files = Files {
            reports: ReportOptions {
                formats: settings.output_format(),
                file: check.output_file.as_deref(),
                statistics: check.statistics,
            },
            baseline: settings.baseline(),
            own: Own::new(),
        };
        files.add_own(check.baseline.is_update(), &settings);
        Ok(files)
    }

    fn add_own(&mut self, is_update: bool, settings: &Resolved) {
        let options = settings.options();
        let used = |is_asked| {
            if is_asked {
                Use::Asked
            } else {
                Use::Configured
            }
        };
        let formats = used(options.output_format.as_ref().is_some_and(is_by_flag));
        for spec in &self.reports.formats {
            match (&spec.file, self.reports.file) {
                (Some(file), _) => self.own.add(file, formats),
                (None, Some(file)) => self.own.add(file, Use::Asked),
                (None, None) => {}
            }
        }
        if let Some(baseline) = &self.baseline {
            let updated = used(options.baseline.as_ref().is_some_and(is_by_flag));
            let used = if is_update { updated } else { Use::Kept };
            self.own.add(baseline, used);
        }
    }

    /// Fails if a file that is written would be lost: one that is named to be read, a configuration
    /// file, or the baseline.
    pub(super) fn check(&self, check: &Check, configs: &Configs) -> Result<(), Error> {
        check.inputs.have_none_of(&self.own)?;
        check
            .configuration
            .are_not_written(self.own.replaced(), configs)?;
        if let Some(known) = &self.baseline
            && self.reports.files().any(|file| collide(file, known))
        {
            let known = known.display();
            let message =
                format!("{known}: this is the baseline; write the report to another file");
            return Err(Error::Usage(message));
        }
        Ok(())
    }
}
