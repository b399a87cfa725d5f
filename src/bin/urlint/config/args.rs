//! The flags about configuration.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::options::Options;
use super::values::Source;
use super::{Configs, Outcome, PYPROJECT, Resolved, Shared, file, load, mistakes};

/// The flags about configuration.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Configuration")]
pub(crate) struct ConfigArgs {
    /// Use this configuration file instead of searching for one, or set a key to a value in TOML,
    /// which overrides all files; may be repeated
    #[arg(long, value_name = "FILE|KEY=VALUE")]
    config: Vec<String>,

    /// Ignore all configuration files
    #[arg(long)]
    isolated: bool,

    /// Print the settings that apply to the given path and where each was set, and exit
    #[arg(long, conflicts_with = "show_files")]
    pub(crate) show_settings: bool,

    /// Print the files that would be read, with their kinds, and exit
    #[arg(long)]
    pub(crate) show_files: bool,
}

impl ConfigArgs {
    /// The flags that ignore all configuration files.
    pub(crate) fn isolated() -> Self {
        ConfigArgs {
            config: Vec::new(),
            isolated: true,
            show_settings: false,
            show_files: false,
        }
    }

    /// Returns the configuration for these flags, where the other flags set `flags`.
    ///
    /// # Errors
    ///
    /// Fails with rendered messages if a flag or the file that it names is wrong.
    pub(crate) fn configs(&self, flags: Options) -> Outcome<Configs> {
        let current = std::env::current_dir().and_then(std::fs::canonicalize);
        let current = current.unwrap_or_else(|_| PathBuf::from("."));
        let mut options = Options::default();
        let mut chosen: Option<&str> = None;
        for config in &self.config {
            if !config.contains('=') || Path::new(config).is_file() {
                if let Some(other) = chosen.replace(config) {
                    return Err(usage(&format!(
                        "--config names two files, {other} and {config}; use `extend` in one of them"
                    )));
                }
            } else {
                options = pair(config, &current)?.over(&options);
            }
        }
        let options = flags.over(&options);
        let mut without_file = options.clone();
        if let Some(chosen) = chosen {
            if self.isolated {
                return Err(usage("--isolated cannot be used with --config FILE"));
            }
            without_file = options.clone().over(&chosen_file(chosen, &current)?);
        }
        Ok(Configs {
            shared: Arc::new(Shared {
                without_file: Arc::new(Resolved::new(without_file)),
                options,
                searches: chosen.is_none() && !self.isolated,
                current,
                resolved: Mutex::new(HashMap::new()),
                folders: Mutex::new(HashMap::new()),
            }),
        })
    }
}

/// Reads the file that `--config` names. Patterns in it are relative to the current folder, since
/// the file may lie anywhere.
fn chosen_file(path: &str, current: &Path) -> Outcome<Options> {
    let real = std::fs::canonicalize(path);
    let real = real.map_err(|error| usage(&format!("--config {path}: {error}")))?;
    let options = load(&real, current, current, &mut Vec::new())?;
    options.ok_or_else(|| {
        usage(&format!(
            "--config {path}: there is no `[tool.urlint]` in this {PYPROJECT}"
        ))
    })
}

/// Reads `KEY=VALUE`.
fn pair(text: &str, current: &Path) -> Outcome<Options> {
    let source = Source {
        origin: "--config".into(),
        folder: current,
        base: current,
    };
    let mut read = file::read(text, &source);
    if let Some((_, at)) = read.extend {
        let mistake = mistakes::Mistake::new(at, "only a file can extend another");
        read.mistakes.push(mistake.label("use `--config FILE`"));
    }
    if read.mistakes.is_empty() {
        Ok(read.options)
    } else {
        Err(mistakes::draw("--config", text, read.mistakes).into())
    }
}

/// Returns a message without a place in a file, as it is printed.
pub(super) fn usage(message: &str) -> Arc<str> {
    let message = crate::terminal::line(message.as_bytes());
    format!("urlint: {message}\n").into()
}
