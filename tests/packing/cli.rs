//! What `container` takes from the command line, where a test has it for itself.

#[derive(Debug)]
pub(crate) enum Error {
    Read(std::io::Error),
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Error::Read(error)
    }
}
