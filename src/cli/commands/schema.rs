//! `urlint schema`: the keys of configuration files as a JSON Schema, for editors and other programs
//! that read TOML.

use std::io::Write;

use crate::error::{Error, Exit};
use urlint_report::terminal::Output;

/// The schema, in JSON. A test makes it of the keys, so that the command needs no generator.
pub(crate) const SCHEMA: &str = include_str!("../urlint.schema.json");

#[derive(Debug, clap::Args)]
pub(crate) struct Schema {}

impl Schema {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        let written = output.stream.write_all(SCHEMA.as_bytes());
        written.map_err(Error::Write)?;
        Ok(Exit::Done)
    }
}
