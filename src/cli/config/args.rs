//! The flags about configuration.

use std::path::{Path, PathBuf};

use urlint_config::{Configs, Keys, Layer, Options, Source, file_here};

use crate::error::Error;

/// The flags about configuration.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Configuration")]
pub(crate) struct ConfigArgs {
    /// Use this configuration file, or set a key to a value
    ///
    /// A file replaces the search for one. A value is written in TOML and overrides all files. May be
    /// repeated.
    #[arg(long, value_name = "FILE|KEY=VALUE")]
    config: Vec<String>,

    /// Ignore all configuration files
    #[arg(long, hide_short_help = true)]
    isolated: bool,

    /// Print the settings that apply to the given path and where each was set, and exit
    #[arg(long, conflicts_with = "show_files", hide_short_help = true)]
    pub(crate) show_settings: bool,

    /// Print the files that would be read, with their kinds, and exit
    #[arg(long, hide_short_help = true)]
    pub(crate) show_files: bool,
}

impl ConfigArgs {
    /// Returns whether settings or files are shown instead of read.
    pub(crate) fn is_shown(&self) -> bool {
        self.show_settings || self.show_files
    }

    /// Returns a flag `--config` for each value, and `--isolated` if `isolated`.
    #[cfg(feature = "lsp")]
    pub(crate) fn of(config: &[String], isolated: bool) -> Self {
        ConfigArgs {
            config: config.to_vec(),
            isolated,
            ..ConfigArgs::default()
        }
    }

    /// Returns the configuration for these flags, overridden by `flags`, which the other flags set.
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
            return Err(Error::usage("--isolated cannot be used with --config FILE"));
        }
        let options = options.over(&chosen_file(chosen, &current)?);
        Ok(Configs::fixed(options, &current))
    }

    /// Fails if one of the files `written`, given as their paths with and without symbolic links, is a
    /// configuration file: if `--config` names it, it would be found, or one of these extends it.
    pub(crate) fn ensure_not_outputs<'p>(
        &self,
        written: impl IntoIterator<Item = (&'p Path, &'p Path)>,
        configs: &Configs,
    ) -> Result<(), Error> {
        let chosen: Vec<_> = self.config.iter().filter_map(|file| real(file)).collect();
        for (path, place) in written {
            let folder = place.parent().unwrap_or(place);
            let is_found = || file_here(folder).is_some_and(|name| place.ends_with(name));
            let is_read = || {
                let is_place =
                    |layer: &Layer| real(&layer.origin).is_some_and(|file| file == place);
                let current = configs.current();
                current.is_ok_and(|settings| settings.options().layers().any(is_place))
            };
            if chosen.iter().any(|file| file == place) || is_found() || is_read() {
                return Err(Error::Usage(format!(
                    "{}: this is a configuration file; write to another one",
                    path.display()
                )));
            }
        }
        Ok(())
    }
}

fn real(path: &str) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
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
    let source = Source::new(PAIR, current).with_name("--config");
    Ok(Options::from_toml(text, &source)?)
}

/// The origins of values that flags have set.
const FLAGS: &str = "the command line";
const PAIR: &str = "--config";

/// Returns `keys`, which flags have set, as options.
pub(crate) fn by_flags(keys: Keys) -> Result<Options, Error> {
    Ok(Options::new(keys, &Source::new(FLAGS, Path::new("")))?)
}

/// Returns whether flags, and not a file, have set the values of this layer.
pub(crate) fn is_by_flags(layer: &Layer) -> bool {
    [FLAGS, PAIR].contains(&&*layer.origin)
}
