//! The flags about configuration.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::keys::Keys;
use super::values::Source;
use super::{Configs, Outcome, PYPROJECT, Settings, Shared, file, load, mistakes};

/// The flags about configuration.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Configuration")]
pub(crate) struct Configuration {
    /// A configuration file instead of those in the folders, or a key and its value in TOML, which
    /// wins over all files; may be given several times
    #[arg(long, value_name = "FILE|KEY=VALUE")]
    config: Vec<String>,

    /// Read no configuration file
    #[arg(long)]
    isolated: bool,

    /// Print what holds for the given path and where each value comes from, and read nothing
    #[arg(long, conflicts_with = "show_files")]
    pub(crate) show_settings: bool,

    /// Print which files would be read, with their kinds
    #[arg(long)]
    pub(crate) show_files: bool,
}

impl Configuration {
    /// Who tells what holds, where the other flags say `flags`. What is wrong comes back drawn.
    pub(crate) fn configs(&self, flags: Keys) -> Outcome<Configs> {
        let current = std::env::current_dir().and_then(std::fs::canonicalize);
        let current = current.unwrap_or_else(|_| PathBuf::from("."));
        let mut asked = Keys::default();
        let mut chosen: Option<&str> = None;
        for config in &self.config {
            if !config.contains('=') || Path::new(config).is_file() {
                if let Some(other) = chosen.replace(config) {
                    return Err(usage(&format!(
                        "--config names two files: {other}, {config}"
                    )));
                }
            } else {
                asked = pair(config, &current)?.over(&asked);
            }
        }
        let asked = flags.over(&asked);
        let mut without = asked.clone();
        if let Some(chosen) = chosen {
            if self.isolated {
                return Err(usage("--isolated does not go with a file for --config"));
            }
            without = asked.clone().over(&chosen_file(chosen, &current)?);
        }
        Ok(Configs {
            shared: Arc::new(Shared {
                without: Arc::new(Settings::new(without)),
                asked,
                looks: chosen.is_none() && !self.isolated,
                current,
                settings: Mutex::new(HashMap::new()),
                folders: Mutex::new(HashMap::new()),
            }),
        })
    }
}

/// What the file says that `--config` names. Patterns in it are relative to the current folder,
/// since the file may lie anywhere.
fn chosen_file(path: &str, current: &Path) -> Outcome<Keys> {
    let real = std::fs::canonicalize(path);
    let real = real.map_err(|error| usage(&format!("--config {path}: {error}")))?;
    let keys = load(&real, current, current, &mut Vec::new())?;
    keys.ok_or_else(|| {
        usage(&format!(
            "--config {path}: no `[tool.urlint]` in this {PYPROJECT}"
        ))
    })
}

/// What `KEY=VALUE` says.
fn pair(text: &str, current: &Path) -> Outcome<Keys> {
    let source = Source {
        origin: "--config".into(),
        folder: current,
        base: current,
    };
    let mut read = file::read(text, &source);
    if let Some((_, at)) = read.extend {
        let mistake = mistakes::Mistake::new(at, "only a file can extend another");
        read.mistakes.push(mistake.label("say `--config FILE`"));
    }
    match read.mistakes.is_empty() {
        true => Ok(read.keys),
        false => Err(mistakes::draw("--config", text, read.mistakes).into()),
    }
}

pub(super) fn usage(message: &str) -> Arc<str> {
    let message = crate::terminal::line(message.as_bytes());
    format!("urlint: {message}\n").into()
}
