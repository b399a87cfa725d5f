//! `urlint schema`: the keys of configuration files as a JSON Schema, for editors and other programs
//! that read TOML.

use crate::error::{Error, Exit};
use crate::output::print;
use crate::stdout::Output;

/// The schema, in JSON. A test makes it of the keys, so that the command needs no generator.
pub(crate) const SCHEMA: &str = include_str!("../urlint.schema.json");

#[derive(Debug, clap::Args)]
pub(crate) struct Schema {}

impl Schema {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        print(output, SCHEMA)
    }
}
