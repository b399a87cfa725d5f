//! `--show-settings` and `--show-files`.

use std::io::Write;
use std::sync::Arc;

use urlint_documents::Reader;
use urlint_engine::{
    Batch, Error as EngineError, Inputs, Out, Reading, Results, Source, Text, Work,
};

use crate::config::{ConfigArgs, shown};
use crate::error::{Error, Exit};
use crate::output::print;
use crate::progress::Progress;
use crate::session::Session;
use crate::stdout::Output;
use urlint_report::terminal;

/// Prints the settings or the files that the `flags` ask for. The files of `inputs` that the command would
/// skip are left out.
pub(crate) fn show(flags: &ConfigArgs, inputs: Inputs, output: &mut Output) -> Result<Exit, Error> {
    if flags.show_settings {
        settings(&inputs, output)
    } else {
        files(inputs, output)
    }
}

fn settings(inputs: &Inputs, output: &mut Output) -> Result<Exit, Error> {
    let (configs, [path]) = (&inputs.configs, &inputs.paths[..]) else {
        return Err(Error::usage("--show-settings takes exactly one path"));
    };
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
    print(output, &*terminal::without_commands(&text))
}

fn files(inputs: Inputs, output: &mut Output) -> Result<Exit, Error> {
    let mut session = Session::start(Arc::new(inputs), Arc::new(Naming), Progress::default())?;
    while let Some(Lines(lines)) = session.next()? {
        output.stream.write_all(&lines).map_err(Error::Write)?;
    }
    Ok(session.exit())
}

/// Names the files and their kinds.
struct Naming;

/// A line for each file.
#[derive(Default)]
struct Lines(Vec<u8>);

impl Batch for Lines {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn is_full(&self) -> bool {
        !self.is_empty()
    }
}

impl Work for Naming {
    type Batch = Lines;
    type State = ();

    fn whole_up_to(&self) -> usize {
        Reader::HEAD
    }

    fn begin(&self, source: &Source, start: &[u8]) -> Result<Reading<Self>, EngineError> {
        let kind = source.reader().kind_of(source.path(), start)?;
        let name = terminal::line(source.name().whole());
        let line = format!("{}: {kind}\n", terminal::without_commands(&name));
        Ok(Reading::Done(Results {
            batch: Lines(line.into_bytes()),
            ..Results::default()
        }))
    }

    fn read(&self, _: Text<'_, Self>, _: &Out<'_, Lines>) -> Result<(), EngineError> {
        Ok(())
    }
}
