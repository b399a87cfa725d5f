//! Sources out of compressed files and archives, which are read as streams.
//!
//! What a source is in is told by its first bytes, not by its name. Each layer hands what it
//! decodes to the next one; what cannot be decoded ends a layer as the end of a file does, and is
//! told, so that whatever came before is used and whatever stands beside it is read.

mod ar;
mod compressed;
mod guard;
mod gzip;
mod http;
mod kept;
mod lz4;
mod magic;
mod peek;
mod record;
mod tar;
mod warc;
mod zip;
mod zstd;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};

use crate::document::Kind;

pub use guard::Limits;
use guard::{Budget, Guard};
use magic::Format;
use peek::Peek;

/// How deep containers are opened that stand in one another.
const MAX_DEPTH: u8 = 8;

/// How many first bytes tell the format.
const HEAD: usize = 1024;

/// A source is taken for binary if a NUL stands among so many first bytes.
const BINARY: usize = 8 * 1024;

/// What a source is.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// What it goes by inside the file, the names of nested archives joined by `!`.
    pub member: Option<Vec<u8>>,
    /// The name whose extension tells the kind.
    pub path: Vec<u8>,
    /// The kind, where the container tells it.
    pub kind: Option<Kind>,
    /// Whether its bytes are others than the file's.
    pub is_decoded: bool,
    /// Whether it is passed over if it is binary.
    pub only_text: bool,
    /// How many containers it is in.
    depth: u8,
}

impl Source {
    /// A file by its name.
    pub fn file(path: &[u8], only_text: bool) -> Self {
        Source {
            path: path.to_vec(),
            only_text,
            ..Source::default()
        }
    }

    /// The same decompressed.
    fn decompressed(&self) -> Self {
        Source {
            is_decoded: true,
            depth: self.depth + 1,
            ..self.clone()
        }
    }

    /// The member `name` of this archive. Its name is only a name, wherever it leads.
    fn member(&self, name: &[u8]) -> Self {
        let member = match &self.member {
            Some(outer) => [outer, &b"!"[..], name].concat(),
            None => name.to_vec(),
        };
        Source {
            member: Some(member),
            path: name.to_vec(),
            kind: None,
            is_decoded: true,
            only_text: true,
            depth: self.depth + 1,
        }
    }
}

/// The bytes of a source.
pub struct Content<'c> {
    reader: &'c mut dyn Read,
    bytes: Option<&'c [u8]>,
}

impl<'c> Content<'c> {
    /// All bytes of the source, if they are in memory already; else they can only be read.
    pub fn in_memory(&self) -> Option<&'c [u8]> {
        self.bytes
    }
}

impl Read for Content<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.reader.read(out)
    }
}

impl fmt::Debug for Content<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Content")
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

/// Takes what comes out of containers.
pub trait Sink {
    /// What taking a source may fail with.
    type Error;

    /// Takes a source, and what it holds.
    fn source(&mut self, source: &Source, content: &mut Content<'_>) -> Result<(), Self::Error>;

    /// Takes what is wrong with a source, and how many of its bytes could be read before.
    fn fault(&mut self, source: &Source, message: &str, at: u64);

    /// Takes what a source is that is passed over.
    fn skipped(&mut self, source: &Source, what: &str);
}

/// Hands all sources that are in `reader` to `sink`: one, if it is no container. `file` is the same
/// file, if there is one that can be read in any order.
///
/// Fails when the reader or the sink fails.
pub fn open<E: From<io::Error>>(
    source: &Source,
    reader: &mut dyn Read,
    file: Option<&File>,
    limits: Limits,
    sink: &mut dyn Sink<Error = E>,
) -> Result<(), E> {
    let budget = Budget::new(limits);
    let mut reader = budget.count(reader);
    Opener {
        budget: &budget,
        sink,
    }
    .open(source, &mut reader, file)
}

/// Hands all sources that are in `bytes`, which are all of a file, to `sink`, as [`open`] does.
///
/// Fails when the sink fails.
pub fn open_bytes<E: From<io::Error>>(
    source: &Source,
    bytes: &[u8],
    limits: Limits,
    sink: &mut dyn Sink<Error = E>,
) -> Result<(), E> {
    let budget = Budget::new(limits);
    let mut opener = Opener {
        budget: &budget,
        sink,
    };
    match Format::of(&bytes[..bytes.len().min(HEAD)]) {
        None if source.only_text && is_binary(bytes) => {
            opener.sink.skipped(source, BINARY_FILE);
            Ok(())
        }
        None => {
            let content = &mut Content {
                reader: &mut &*bytes,
                bytes: Some(bytes),
            };
            opener.sink.source(source, content)
        }
        Some(Format::Zip) => opener.seekable_zip(source, budget.count(io::Cursor::new(bytes))),
        Some(_) => opener.open(source, &mut budget.count(bytes), None),
    }
}

/// What is said of a file that is passed over.
const BINARY_FILE: &str = "a binary file";

struct Opener<'o, E> {
    budget: &'o Budget,
    sink: &'o mut dyn Sink<Error = E>,
}

impl<E: From<io::Error>> Opener<'_, E> {
    fn open(
        &mut self,
        source: &Source,
        reader: &mut dyn Read,
        file: Option<&File>,
    ) -> Result<(), E> {
        let mut reader = Peek::new(reader);
        let needed = if source.only_text { BINARY } else { HEAD };
        let head = reader.peek(needed)?;
        match Format::of(head) {
            None if source.only_text && is_binary(head) => {
                self.sink.skipped(source, BINARY_FILE);
                Ok(())
            }
            None => self.sink.source(source, &mut streamed(&mut reader)),
            Some(Format::Unopened(what)) if source.only_text => {
                self.sink
                    .skipped(source, &format!("{what}, which is not opened"));
                Ok(())
            }
            Some(Format::Unopened(what)) => {
                self.sink
                    .fault(source, &format!("{what}, which is not opened"), 0);
                Ok(())
            }
            Some(_) if source.depth == MAX_DEPTH => {
                let message = format!("in more than {MAX_DEPTH} archives, so not opened");
                self.sink.fault(source, &message, 0);
                Ok(())
            }
            Some(Format::Compressed(method)) => self.compressed(source, method, &mut reader),
            Some(Format::Tar) => self.tar(source, &mut reader),
            Some(Format::Ar) => self.ar(source, &mut reader),
            Some(Format::Zip) => self.zip(source, &mut reader, file),
            Some(Format::Warc) => self.warc(source, &mut reader),
            Some(Format::Arc) => self.arc(source, &mut reader),
        }
    }

    /// Opens what `reader` decodes; whatever that fails with is told as a fault of `source`.
    /// Returns how many bytes there were.
    fn decoded(&mut self, source: &Source, reader: impl Read) -> Result<Decoded, E> {
        let mut reader = Guard::new(reader, None);
        self.open(source, &mut reader, None)?;
        Ok(self.finish(source, reader))
    }

    /// The same for what has been compressed, which is counted.
    fn decompressed(&mut self, source: &Source, reader: impl Read) -> Result<Decoded, E> {
        let mut reader = Guard::new(reader, Some(self.budget));
        self.open(source, &mut reader, None)?;
        Ok(self.finish(source, reader))
    }

    fn finish<R: Read>(&mut self, source: &Source, mut reader: Guard<'_, R>) -> Decoded {
        // Nothing that is written to a sink fails, and what is read through a guard does not.
        let _ = io::copy(&mut reader, &mut io::sink());
        if let Some(fault) = &reader.fault {
            self.sink.fault(source, fault, reader.at);
        }
        Decoded {
            length: reader.at,
            is_whole: reader.fault.is_none(),
        }
    }
}

/// How decoding went.
struct Decoded {
    length: u64,
    /// Whether nothing failed.
    is_whole: bool,
}

/// What can only be read.
fn streamed<'c>(reader: &'c mut dyn Read) -> Content<'c> {
    Content {
        reader,
        bytes: None,
    }
}

/// Whether a source that begins with `head` is no text.
fn is_binary(head: &[u8]) -> bool {
    // Every other byte of UTF-16 is a NUL.
    if head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF") {
        return false;
    }
    memchr::memchr(0, &head[..head.len().min(BINARY)]).is_some()
}
