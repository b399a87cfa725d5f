//! `--show-settings` and `--show-files`.

use std::io::Write;
use std::path::Path;

use urlint::config::Configs;

use super::read::ReadArgs;
use crate::config::{ConfigArgs, shown};
use crate::error::{Error, Exit};
use crate::terminal::{self, Output};
use crate::walk::{LimitArgs, OutputFiles, PathArgs};

/// Prints what `--show-settings` or `--show-files` asks for, or returns `None` if neither is set. The
/// command would skip the files of `outputs`, so `--show-files` does too.
pub(crate) fn show(
    flags: &ConfigArgs,
    configs: &Configs,
    paths: &PathArgs,
    outputs: &dyn Fn() -> Result<OutputFiles, Error>,
    reader: &ReadArgs,
    limits: LimitArgs,
    output: &mut Output,
) -> Option<Result<Exit, Error>> {
    if flags.show_settings {
        Some(settings(configs, &paths.paths, output))
    } else if flags.show_files {
        // A configuration error is reported with the files that the configuration applies to.
        let outputs = outputs().unwrap_or_default();
        Some(files(configs, paths, outputs, reader, limits, output))
    } else {
        None
    }
}

fn settings(
    configs: &Configs,
    paths: &[impl AsRef<Path>],
    output: &mut Output,
) -> Result<Exit, Error> {
    let [path] = paths else {
        let message = "--show-settings takes exactly one path".to_owned();
        return Err(Error::Usage(message));
    };
    let path = path.as_ref();
    let settings = if path.is_dir() {
        let settings = configs.in_folder(path)?;
        shown(&settings, &settings.lint().selection)
    } else {
        let settings = configs.for_file(path)?;
        shown(&settings.resolved, &settings.lint().selection)
    };
    let name = path.to_string_lossy();
    let name = terminal::line(name.as_bytes());
    let text = format!("# Settings for {name}\n\n{settings}");
    let text = terminal::without_commands(&text);
    let written = output.stream.write_all(text.as_bytes());
    written.map_err(Error::Write)?;
    Ok(Exit::Done)
}

fn files(
    configs: &Configs,
    paths: &PathArgs,
    outputs: OutputFiles,
    reader: &ReadArgs,
    limits: LimitArgs,
    output: &mut Output,
) -> Result<Exit, Error> {
    let mut opener = reader.opener(paths, configs, output.verbosity);
    opener.limits = limits.into();
    opener.outputs = outputs;
    let totals = paths.each(&opener, &mut |input, source| {
        let kind = reader.reader(input, false).kind_of(input.path, source)?;
        let name = terminal::line(input.name);
        let name = terminal::without_commands(&name);
        writeln!(output.stream, "{name}: {kind}").map_err(Error::Write)
    })?;
    Ok(if totals.failed == 0 {
        Exit::Done
    } else {
        Exit::Failed
    })
}
