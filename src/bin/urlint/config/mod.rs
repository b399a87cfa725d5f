//! Configuration on the command line: the flags about it, names as values of flags, mistakes with their
//! source lines, and what `--show-settings` prints. The library reads the files.

mod args;
mod mistakes;
mod names;
mod show;

pub(crate) use args::{ConfigArgs, by_flag, is_by_flag};
pub(crate) use mistakes::rendered;
pub(crate) use names::{Explained, parser, rule_name, unknown_rule};
pub(crate) use show::shown;
