//! The reader of archives, which belongs to the command until the library has it.

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
pub(crate) mod container;
