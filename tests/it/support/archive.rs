//! The reader of archives. It belongs to the command; once the library has it, this file is one
//! `pub(crate) use`, and `use support::archive::cli` in both `main.rs` goes.

pub(crate) use cli::Error;
pub(crate) use container::{Limits, Sink, Source, open};

/// What `container` takes from the command line.
pub(crate) mod cli {
    #[derive(Debug)]
    pub(crate) enum Error {
        Read(std::io::Error),
    }

    impl From<std::io::Error> for Error {
        fn from(error: std::io::Error) -> Self {
            Error::Read(error)
        }
    }
}

#[allow(unused_imports, reason = "its own tests run with the command")]
#[path = "../../../src/container/mod.rs"]
mod container;
