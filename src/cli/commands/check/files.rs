//! The files of a run that are not its documents: its reports and its baseline.

use std::path::PathBuf;

use urlint_config::{Configs, Layer, OutputFormat, OutputSpec};

use urlint_engine::{OutputFiles, Use};

use super::Check;
use super::baseline::ensure_not_output;
use crate::commands::check::reports::ReportOptions;
use crate::config::is_by_flags;
use crate::error::Error;
use crate::output::format_of;

/// The files of a run, as the flags and the configuration of the current folder name them.
pub(super) struct RunFiles<'c> {
    pub(super) reports: ReportOptions<'c>,
    pub(super) baseline: Option<PathBuf>,
    /// All of them, which are skipped in folders.
    pub(super) outputs: OutputFiles,
}

/// The extensions of files that stand for a format.
const EXTENSIONS: [(&str, OutputFormat); 4] = [
    ("json", OutputFormat::Json),
    ("jsonl", OutputFormat::JsonLines),
    ("ndjson", OutputFormat::JsonLines),
    ("sarif", OutputFormat::Sarif),
];

impl<'c> RunFiles<'c> {
    pub(super) fn new(check: &'c Check, configs: &Configs) -> Result<Self, Error> {
        let settings = configs.current()?;
        let options = settings.options();
        let file = check.output_file.as_deref();
        let set = options.first(|keys| keys.output_format.0.as_ref());
        let by_name = match file.filter(|_| set.is_none()) {
            Some(file) => format_of(file, &EXTENSIONS)?,
            None => None,
        };
        let formats = match by_name {
            Some(format) => {
                let mut spec = OutputSpec::default();
                spec.format = format;
                vec![spec]
            }
            None => options.get(|keys| &keys.output_format).0,
        };
        let used = |layer: &Layer| {
            if is_by_flags(layer) {
                Use::Asked
            } else {
                Use::Configured
            }
        };
        let mut outputs = OutputFiles::new();
        let set_by = set.map_or(Use::Configured, |(_, layer)| used(layer));
        for spec in &formats {
            match (&spec.file, file) {
                (Some(file), _) => outputs.add(file, set_by),
                (None, Some(file)) => outputs.add(file, Use::Asked),
                (None, None) => {}
            }
        }
        let baseline = options.first(|keys| keys.baseline.as_ref());
        if let Some((baseline, layer)) = baseline {
            let is_update = check.baseline.update_baseline;
            outputs.add(baseline, if is_update { used(layer) } else { Use::Kept });
        }
        Ok(RunFiles {
            reports: ReportOptions {
                formats,
                file,
                statistics: check.statistics,
                show: options.get(|keys| &keys.show).0,
            },
            baseline: baseline.map(|(file, _)| file.clone()),
            outputs,
        })
    }

    /// Fails if a report or the new baseline would overwrite a file that is named to be read, a
    /// configuration file, or the baseline.
    pub(super) fn check(&self, check: &Check, configs: &Configs) -> Result<(), Error> {
        check.inputs.reject_inputs_among(&self.outputs)?;
        check
            .configuration
            .ensure_not_outputs(self.outputs.replaced(), configs)?;
        ensure_not_output(self.baseline.as_deref(), self.reports.files())
    }
}
