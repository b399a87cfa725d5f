//! The command `urlint`: the package `urlint-cli` is all of it.

use std::process::ExitCode;

fn main() -> ExitCode {
    urlint_cli::run()
}
