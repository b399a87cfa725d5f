//! `--show-settings` and `--show-files`.

use std::io::Write;
use std::path::Path;

use super::output::Output;
use super::read::Reader;
use super::{Error, Exit};
use crate::config::{Configs, Configuration};
use crate::terminal;
use crate::walk::Inputs;

/// Shows what the flags ask for instead of doing the command's own work; `None` if they ask for
/// nothing.
pub(crate) fn show(
    configuration: &Configuration,
    configs: &Configs,
    inputs: &Inputs,
    reader: &Reader,
    output: &mut Output,
) -> Option<Result<Exit, Error>> {
    if configuration.show_settings {
        Some(settings(configs, &inputs.paths, output))
    } else if configuration.show_files {
        Some(files(configs, inputs, reader, output))
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
        let message = "--show-settings takes one path".to_owned();
        return Err(Error::Usage(message));
    };
    let path = path.as_ref();
    let shown = if path.is_dir() {
        let settings = configs.in_folder(path)?;
        settings.show(settings.selection())
    } else {
        let holding = configs.holding(path)?;
        holding.settings.show(&holding.lint().selection)
    };
    let name = path.to_string_lossy();
    let name = terminal::line(name.as_bytes());
    let text = format!("# What holds for {name}\n\n{shown}");
    let written = output.stream.write_all(text.as_bytes());
    written.map_err(Error::Write)?;
    Ok(Exit::Done)
}

fn files(
    configs: &Configs,
    inputs: &Inputs,
    reader: &Reader,
    output: &mut Output,
) -> Result<Exit, Error> {
    let tally = inputs.each(configs, reader.show_skipped, &mut |input, source| {
        let kind = reader.reader(input, false).kind_of(input.path, source)?;
        let name = terminal::line(input.name);
        writeln!(output.stream, "{name}: {kind}").map_err(Error::Write)
    })?;
    Ok(match tally.failed {
        0 => Exit::Done,
        _ => Exit::Failed,
    })
}
