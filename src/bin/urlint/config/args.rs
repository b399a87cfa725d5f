//! The flags about configuration.

use std::path::{Path, PathBuf};

use urlint::config::{Configs, Options, Set, Source};

use crate::error::Error;

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
    /// The flags `--config`, as often as there are values, and `--isolated` if `isolated`.
    #[cfg(feature = "lsp")]
    pub(crate) fn of(config: &[String], isolated: bool) -> Self {
        ConfigArgs {
            config: config.to_vec(),
            isolated,
            show_settings: false,
            show_files: false,
        }
    }

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
    /// Fails if a flag or the file that it names is wrong.
    pub(crate) fn configs(&self, flags: Options) -> Result<Configs, Error> {
        let current = std::env::current_dir().and_then(std::fs::canonicalize);
        let current = current.unwrap_or_else(|_| PathBuf::from("."));
        let mut options = Options::default();
        let mut chosen: Option<&str> = None;
        for config in &self.config {
            if !config.contains('=') || Path::new(config).is_file() {
                if let Some(other) = chosen.replace(config) {
                    return Err(Error::Usage(format!(
                        "--config names two files, {other} and {config}; use `extend` in one of them"
                    )));
                }
            } else {
                options = pair(config, &current)?.over(&options);
            }
        }
        let options = flags.over(&options);
        let Some(chosen) = chosen else {
            return Ok(if self.isolated {
                Configs::fixed(options, &current)
            } else {
                Configs::searching(options, &current)
            });
        };
        if self.isolated {
            let message = "--isolated cannot be used with --config FILE";
            return Err(Error::Usage(message.into()));
        }
        let options = options.over(&chosen_file(chosen, &current)?);
        Ok(Configs::fixed(options, &current))
    }
}

/// Reads the file that `--config` names.
fn chosen_file(path: &str, current: &Path) -> Result<Options, Error> {
    let real = std::fs::canonicalize(path);
    let real = real.map_err(|error| Error::Usage(format!("--config {path}: {error}")))?;
    let options = Options::from_file(&real, current)?;
    options.ok_or_else(|| {
        Error::Usage(format!(
            "--config {path}: there is no `[tool.urlint]` in this pyproject.toml"
        ))
    })
}

/// Reads `KEY=VALUE`.
fn pair(text: &str, current: &Path) -> Result<Options, Error> {
    let source = Source::new("--config", current)
        .with_name("--config")
        .with_extend_hint("use `--config FILE`");
    Ok(Options::from_toml(text, &source)?)
}

/// Returns a value that a flag sets.
pub(crate) fn by_flag<T>(value: T) -> Set<T> {
    Set::new(value, "the command line")
}
