//! `--show-settings` and `--show-files`.

use std::io::Write;
use std::path::Path;

use urlint::config::Configs;

use super::read::ReadArgs;
use crate::config::{ConfigArgs, shown};
use crate::error::{Error, Exit};
use crate::terminal::{self, Output, Verbosity};
use crate::walk::{Own, PathArgs};

/// Shows what the flags ask for, instead of the command's own work, which passes over the files of
/// `own`. Returns `None` if they ask for nothing.
pub(crate) fn show(
    flags: &ConfigArgs,
    configs: &Configs,
    (paths, own): (&PathArgs, &dyn Fn() -> Result<Own, Error>),
    reader: &ReadArgs,
    (output, verbosity): (&mut Output, Verbosity),
) -> Option<Result<Exit, Error>> {
    if flags.show_settings {
        Some(settings(configs, &paths.paths, output))
    } else if flags.show_files {
        // What is wrong with the configuration is reported with the files that it applies to.
        let paths = (paths, own().unwrap_or_default());
        Some(files(configs, paths, reader, (output, verbosity)))
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
        shown(&settings, settings.selection())
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
    (paths, own): (&PathArgs, Own),
    reader: &ReadArgs,
    (output, verbosity): (&mut Output, Verbosity),
) -> Result<Exit, Error> {
    let mut opener = reader.opener(paths, configs, verbosity);
    opener.own = own;
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
