//! The files of a run that are not its documents: its reports and its baseline.

use std::path::{Path, PathBuf};

use urlint_config::{Configs, Layer, Options, OutputFormat, OutputSpec};

use urlint_engine::{OutputFiles, Use};

use super::Check;
use crate::commands::check::reports::ReportOptions;
use crate::config::is_by_flags;
use crate::error::Error;
use crate::output::replace::collide;

/// The files of a run, as the flags and the configuration of the current folder name them.
pub(super) struct RunFiles<'c> {
    pub(super) reports: ReportOptions<'c>,
    pub(super) baseline: Option<PathBuf>,
    /// All of them, which are skipped in folders.
    pub(super) outputs: OutputFiles,
}

/// Returns the format that the extension of a file stands for, if there is exactly one.
fn format_of(file: &Path) -> Option<OutputFormat> {
    let extension = file.extension()?.to_str()?.to_ascii_lowercase();
    match &*extension {
        "json" => Some(OutputFormat::Json),
        "jsonl" | "ndjson" => Some(OutputFormat::JsonLines),
        "html" | "htm" => Some(OutputFormat::Html),
        "sarif" => Some(OutputFormat::Sarif),
        _ => None,
    }
}

impl<'c> RunFiles<'c> {
    pub(super) fn new(check: &'c Check, configs: &Configs) -> Result<Self, Error> {
        let settings = configs.current()?;
        let options = settings.options();
        let file = check.output_file.as_deref();
        let is_set = options
            .first(|keys| keys.output_format.0.as_ref())
            .is_some();
        let formats = match file.and_then(format_of).filter(|_| !is_set) {
            Some(format) => {
                let mut spec = OutputSpec::default();
                spec.format = format;
                vec![spec]
            }
            None => options.get(|keys| &keys.output_format).0,
        };
        let mut files = RunFiles {
            reports: ReportOptions {
                formats,
                file,
                statistics: check.statistics,
                hints: options.get(|keys| &keys.hints).0,
            },
            baseline: options
                .first(|keys| keys.baseline.as_ref())
                .map(|(file, _)| file.clone()),
            outputs: OutputFiles::new(),
        };
        files.add_outputs(check.baseline.update_baseline, options);
        Ok(files)
    }

    fn add_outputs(&mut self, is_update: bool, options: &Options) {
        let used = |layer: Option<&Layer>| {
            if layer.is_some_and(is_by_flags) {
                Use::Asked
            } else {
                Use::Configured
            }
        };
        let formats = options.first(|keys| keys.output_format.0.as_ref());
        let formats = used(formats.map(|(_, layer)| layer));
        for spec in &self.reports.formats {
            match (&spec.file, self.reports.file) {
                (Some(file), _) => self.outputs.add(file, formats),
                (None, Some(file)) => self.outputs.add(file, Use::Asked),
                (None, None) => {}
            }
        }
        if let Some(baseline) = &self.baseline {
            let first = options.first(|keys| keys.baseline.as_ref());
            let updated = used(first.map(|(_, layer)| layer));
            let used = if is_update { updated } else { Use::Kept };
            self.outputs.add(baseline, used);
        }
    }

    /// Fails if a report or the new baseline would overwrite a file that is named to be read, a
    /// configuration file, or the baseline.
    pub(super) fn check(&self, check: &Check, configs: &Configs) -> Result<(), Error> {
        check.inputs.reject_inputs_among(&self.outputs)?;
        check
            .configuration
            .ensure_not_outputs(self.outputs.replaced(), configs)?;
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
