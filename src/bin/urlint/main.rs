//! The command line of urlint.

use std::process::ExitCode;

mod commands;
mod config;
mod report;
mod terminal;
mod walk;

#[cfg(test)]
#[path = "../../../tests/tries/mod.rs"]
mod tries;

fn main() -> ExitCode {
    commands::main()
}
