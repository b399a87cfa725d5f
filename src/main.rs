//! The command line of urlint.

use std::process::ExitCode;

mod cli;

mod config;

mod container;

mod input;

mod source;

mod report;

mod show;

#[cfg(test)]
#[path = "../tests/it/support/tries.rs"]
mod tries;

fn main() -> ExitCode {
    cli::main()
}
