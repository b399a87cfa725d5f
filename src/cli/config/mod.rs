//! Configuration on the command line: its flags, names as values of flags, configuration errors with
//! their source lines, and the output of `--show-settings`. The library reads the files.

mod args;
mod mistakes;
mod names;
mod show;

pub(crate) use args::{ConfigArgs, by_flags, is_by_flags};
pub(crate) use mistakes::rendered;
pub(crate) use names::parser;
pub(crate) use show::shown;
