//! Compressed files and archives, read as streams.
//!
//! An [`Opener`] hands all sources that are in a file to a [`Sink`]: the members of an archive, what
//! a compressed file holds, or the file itself if it is neither. Archives in archives are opened too.
//! The format is recognised by the first bytes, never by the name. Formats that are read: gzip,
//! Zstandard, xz, LZMA, bzip2, LZ4 and Unix compress; tar, zip, 7z, ar, cpio, RPM and ZIM; the web archives WARC (ISO 28500) and ARC,
//! with the HTTP messages (RFC 9112) in them.
//!
//! A fault ends the member that it is in and is reported, and reading goes on after it. How much may
//! come out of a file is [limited](Limits), and memory is bounded: only one member is decoded at a
//! time, and none is held.
//!
//! ```
//! use std::io::{self, Read, Write};
//!
//! use flate2::{Compression, write::GzEncoder};
//! use urlint::archive::{Content, Fault, Limits, Opener, Sink, Source};
//!
//! /// Collects members, and faults in words.
//! #[derive(Default)]
//! struct List(Vec<(String, String)>);
//!
//! impl Sink for List {
//!     type Error = io::Error;
//!
//!     fn source(&mut self, source: &Source, content: &mut Content<'_>) -> io::Result<()> {
//!         let mut text = String::new();
//!         content.read_to_string(&mut text)?;
//!         let name = String::from_utf8_lossy(source.member.as_deref().unwrap_or_default());
//!         self.0.push((name.into_owned(), text));
//!         Ok(())
//!     }
//!
//!     fn fault(&mut self, source: &Source, fault: &Fault, at: u64) {
//!         let path = String::from_utf8_lossy(&source.path);
//!         self.0.push((path.into_owned(), format!("{fault} (at byte {at})")));
//!     }
//!
//!     fn skipped(&mut self, _: &Source, _: &str) {}
//! }
//!
//! let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
//! for (name, text) in [("a.txt", "http://a.example/"), ("b/c.txt", "http://b.example/")] {
//!     let mut header = tar::Header::new_gnu();
//!     header.set_size(text.len() as u64);
//!     builder.append_data(&mut header, name, text.as_bytes())?;
//! }
//! let file = builder.into_inner()?.finish()?;
//!
//! let mut list = List::default();
//! Opener::new(Limits::default()).open_bytes(&Source::file(b"a.tgz", false), &file, &mut list)?;
//! assert_eq!(list.0, [
//!     ("a.txt".to_owned(), "http://a.example/".to_owned()),
//!     ("b/c.txt".to_owned(), "http://b.example/".to_owned()),
//! ]);
//!
//! let mut limits = Limits::default();
//! limits.size = 10;
//! let mut list = List::default();
//! Opener::new(limits).open_bytes(&Source::file(b"a.tgz", false), &file, &mut list)?;
//! let faults: Vec<_> = list.0.iter().map(|(_, text)| &**text).collect();
//! assert!(faults.iter().any(|text| text.starts_with("more than 10 bytes")), "{faults:?}");
//! # Ok::<(), std::io::Error>(())
//! ```

mod ar;
mod binary;
mod bzip2;
mod compressed;
mod cpio;
mod fault;
mod gzip;
mod http;
mod limited;
mod lz4;
mod lzw;
mod magic;
mod members;
mod peek;
mod pieces;
mod pool;
mod record;
mod rewind;
mod rpm;
mod seekable;
mod sevenz;
mod tar;
mod warc;
mod zim;
mod zip;
mod zstd;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use crate::document::{Kind, WebRecord};

pub use fault::Fault;
pub use limited::Limits;
use limited::{Budget, LimitedReader};
use magic::Format;
use peek::PeekReader;
use pieces::Ahead;

/// How many archives may contain one another.
const MAX_DEPTH: u8 = 8;

/// How many first bytes are needed to recognise the format.
const HEAD: usize = 1024;

/// The longest member that is handed on in memory, in bytes, if it has to be copied for that: what a
/// [`PeekReader`] reads at once, so that decoders are asked for as much as they are for longer ones.
const HELD: usize = 64 * 1024 - 1;

/// A source is not text if there is a NUL among so many first bytes.
const BINARY: usize = 8 * 1024;

/// What a source is: a file, or something in it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Source {
    /// The name of the member, if the source is one; for an archive in an archive the names of both,
    /// joined by `!`. It is any bytes, and may have `..` in it.
    pub member: Option<Vec<u8>>,
    /// The name that says by its extension what kind of document the source is: that of the file,
    /// or the member's own. Empty where names say nothing, as for the records of web archives.
    pub path: Vec<u8>,
    /// The kind of document, if it is known before it is read: web archives say it by media types.
    pub kind: Option<Kind>,
    /// Whether the bytes of the source differ from those of the file: whether it was compressed or
    /// is a member.
    pub is_decoded: bool,
    /// Whether it is skipped if it is not text: if there is a NUL among its first 8192 bytes and it
    /// is not UTF-16, or, unless `kind` is given, if it begins as a format does that is not text, such
    /// as PDF, PostScript, fonts and images. That is so for members.
    pub only_text: bool,
    /// Whether it was asked for by its name, so that what it holds is read whatever it is if it is
    /// compressed, and so that an archive whose format is not supported is a fault and not skipped.
    pub is_named: bool,
    /// What a web archive says about it, if it is in one and that [was asked for](Opener::with_records).
    pub record: Option<Arc<WebRecord>>,
    /// How many archives and compressed files it is in.
    depth: u8,
}

impl Source {
    /// A file with the name `path`, which is skipped if it is not text and `only_text` is true.
    pub fn file(path: &[u8], only_text: bool) -> Self {
        Source {
            path: path.to_vec(),
            only_text,
            ..Source::default()
        }
    }

    /// What this compressed source holds.
    fn decompressed(&self) -> Self {
        Source {
            is_decoded: true,
            only_text: self.only_text && !self.is_named,
            depth: self.depth + 1,
            ..self.clone()
        }
    }

    /// The member `name` of this archive.
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
            is_named: false,
            record: self.record.clone(),
            depth: self.depth + 1,
        }
    }
}

/// The bytes of a source. They are read as from any other reader; what is not read is skipped.
///
/// Reading fails only if the file itself cannot be read: where an archive is damaged, its member
/// ends, and the fault is reported to the [`Sink`].
pub struct Content<'c> {
    reader: &'c mut dyn Read,
    bytes: Option<&'c [u8]>,
}

impl<'c> Content<'c> {
    /// All bytes of the source, if they are in memory already, which saves copying them.
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

/// Takes the sources that are in a file.
pub trait Sink {
    /// What taking a source may fail with. It ends the reading, and [`Opener::open`] fails with it.
    type Error;

    /// Takes a source and its bytes.
    fn source(&mut self, source: &Source, content: &mut Content<'_>) -> Result<(), Self::Error>;

    /// Takes a fault of a source, after its bytes if it has any: `at` is how many of them could be
    /// read before. The faults of a whole archive have the offset in the archive.
    fn fault(&mut self, source: &Source, fault: &Fault, at: u64);

    /// Takes a source that is skipped, and what it is: a media type such as `application/pdf`, or
    /// words such as `a binary file`.
    fn skipped(&mut self, source: &Source, what: &str);
}

/// Opens files: see the [module](self).
#[derive(Clone, Copy, Debug, Default)]
pub struct Opener {
    limits: Limits,
    threads: usize,
    records: bool,
}

impl Opener {
    /// An opener with limits, which hold for each file by itself.
    pub fn new(limits: Limits) -> Self {
        Opener {
            limits,
            threads: 1,
            records: false,
        }
    }

    /// Sets with how many threads files are decompressed that have many members or frames, one after
    /// another, if they are regular files or in memory; one by default. What comes out of a file does
    /// not depend on it.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets whether sources come with what web archives say about them: see [`Source::record`].
    #[must_use]
    pub fn with_records(mut self, records: bool) -> Self {
        self.records = records;
        self
    }

    /// How far is read ahead. `waits`: whether the bytes may be long in coming.
    fn ahead(&self, waits: bool) -> Ahead {
        let threads = if waits || self.threads < 2 {
            0
        } else {
            self.threads
        };
        Ahead { waits, threads }
    }

    /// Hands all sources that are in `reader` to `sink`, in their order. `source` says what `reader`
    /// gives: see [`Source::file`].
    ///
    /// A zip, 7z or ZIM archive is read in any order and is copied first: up to 16 MiB to memory, a
    /// longer one to a temporary file.
    ///
    /// Fails when the reader fails, or with the error of the sink.
    pub fn open<E: From<io::Error>>(
        &self,
        source: &Source,
        reader: &mut dyn Read,
        sink: &mut dyn Sink<Error = E>,
    ) -> Result<(), E> {
        self.unpack(source, reader, None, sink)
    }

    /// Hands all sources that are in `file` to `sink` as [`open`](Opener::open) does, but does not
    /// copy zip, 7z and ZIM archives. The file is read through `reader`, which may count bytes for
    /// instance, and such an archive from `file`, in any order.
    ///
    /// Fails when the reader fails, or with the error of the sink.
    pub fn open_file<E: From<io::Error>>(
        &self,
        source: &Source,
        file: &File,
        reader: &mut dyn Read,
        sink: &mut dyn Sink<Error = E>,
    ) -> Result<(), E> {
        let is_regular = file.metadata().is_ok_and(|data| data.is_file());
        self.unpack(source, reader, Some(file).filter(|_| is_regular), sink)
    }

    /// Hands all sources that are in `bytes`, which are a whole file, to `sink` as
    /// [`open`](Opener::open) does. If they are no archive, the [`Content`] is not copied.
    ///
    /// Fails with the error of the sink.
    pub fn open_bytes<E: From<io::Error>>(
        &self,
        source: &Source,
        bytes: &[u8],
        sink: &mut dyn Sink<Error = E>,
    ) -> Result<(), E> {
        let budget = Budget::new(self.limits);
        let mut unpacker = Unpacker {
            budget: &budget,
            sink,
            ahead: self.ahead(false),
            records: self.records,
        };
        match Format::of(&bytes[..bytes.len().min(HEAD)]) {
            None => match check_text(source, bytes) {
                Ok(()) => unpacker.held(source, bytes),
                Err(what) => {
                    unpacker.sink.skipped(source, what);
                    Ok(())
                }
            },
            Some(Format::InAnyOrder(format)) => {
                let mut file = budget.count(io::Cursor::new(bytes));
                unpacker.in_any_order(source, format, &mut file)
            }
            Some(_) => {
                let mut reader = budget.count(bytes);
                let mut reader = PeekReader::new(&mut reader, &budget.spare);
                unpacker.open(source, &mut reader, None)
            }
        }
    }

    fn unpack<E: From<io::Error>>(
        &self,
        source: &Source,
        reader: &mut dyn Read,
        file: Option<&File>,
        sink: &mut dyn Sink<Error = E>,
    ) -> Result<(), E> {
        let budget = Budget::new(self.limits);
        let mut reader = budget.count(reader);
        let mut reader = PeekReader::new(&mut reader, &budget.spare);
        Unpacker {
            budget: &budget,
            sink,
            ahead: self.ahead(file.is_none()),
            records: self.records,
        }
        .open(source, &mut reader, file)
    }
}

/// Opens one file, and all that is in it.
struct Unpacker<'o, E> {
    budget: &'o Budget,
    sink: &'o mut dyn Sink<Error = E>,
    ahead: Ahead,
    /// Whether sources come with what web archives say about them.
    records: bool,
}

impl<E: From<io::Error>> Unpacker<'_, E> {
    /// Hands on all sources that are in `reader`. `file` is the same file, if it can be read in any
    /// order.
    fn open(
        &mut self,
        source: &Source,
        reader: &mut PeekReader<'_>,
        file: Option<&File>,
    ) -> Result<(), E> {
        let needed = if source.only_text { BINARY } else { HEAD };
        let head = reader.peek(needed)?;
        match Format::of(head) {
            None => match check_text(source, head) {
                Ok(()) => self.text(source, reader),
                Err(what) => {
                    self.sink.skipped(source, what);
                    Ok(())
                }
            },
            Some(Format::Unsupported(what)) => {
                let fault = Fault::Unsupported(what);
                if source.only_text && !source.is_named {
                    self.sink.skipped(source, &fault.to_string());
                } else {
                    self.sink.fault(source, &fault, 0);
                }
                Ok(())
            }
            Some(_) if source.depth == MAX_DEPTH => {
                self.sink.fault(source, &Fault::TooDeep(MAX_DEPTH), 0);
                Ok(())
            }
            Some(Format::Compressed(method)) => self.compressed(source, method, reader),
            Some(Format::Tar) => self.tar(source, reader),
            Some(Format::Ar) => self.ar(source, reader),
            Some(Format::Cpio) => self.cpio(source, reader),
            Some(Format::Rpm) => self.rpm(source, reader),
            Some(Format::InAnyOrder(format)) => self.seekable(source, format, reader, file),
            Some(Format::Warc) => self.warc(source, reader),
            Some(Format::Arc) => self.arc(source, reader),
        }
    }

    /// Hands on a source that is text: a short one in memory, as that takes less time.
    fn text(&mut self, source: &Source, reader: &mut PeekReader<'_>) -> Result<(), E> {
        if let Some(bytes) = reader.in_memory() {
            return self.held(source, bytes);
        }
        if source.depth > 0
            && !self.ahead.waits
            && let Some(bytes) = reader.all(HELD)?
        {
            return self.held(source, bytes);
        }
        let content = &mut Content {
            reader,
            bytes: None,
        };
        self.sink.source(source, content)
    }

    /// Hands on a source whose bytes are in memory.
    fn held(&mut self, source: &Source, bytes: &[u8]) -> Result<(), E> {
        let content = &mut Content {
            reader: &mut &*bytes,
            bytes: Some(bytes),
        };
        self.sink.source(source, content)
    }

    /// Reports that a source is damaged after `at` bytes.
    fn damaged(&mut self, source: &Source, how: impl Into<String>, at: u64) {
        self.sink.fault(source, &Fault::Damaged(how.into()), at);
    }

    /// Opens a member that is stored as it is. Its bytes do not count against the limits, as they
    /// have been counted with those of the archive.
    fn stored(&mut self, source: &Source, reader: impl Read) -> Result<Decoded, E> {
        let mut reader = LimitedReader::new(reader, None);
        self.open_member(source, &mut reader)?;
        Ok(self.finish(source, reader))
    }

    /// Opens what `reader` decompresses; its faults are reported as those of `source`.
    fn decompressed(&mut self, source: &Source, reader: impl Read) -> Result<Decoded, E> {
        let mut reader = LimitedReader::new(reader, Some(self.budget));
        self.open_member(source, &mut reader)?;
        Ok(self.finish(source, reader))
    }

    fn open_member(&mut self, source: &Source, reader: &mut dyn Read) -> Result<(), E> {
        let spare = &self.budget.spare;
        self.open(source, &mut PeekReader::new(reader, spare), None)
    }

    fn finish<R: Read>(&mut self, source: &Source, mut reader: LimitedReader<'_, R>) -> Decoded {
        // Neither writing to a sink nor reading through a limited reader fails.
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

/// How decoding a source went.
struct Decoded {
    /// How many bytes there were.
    length: u64,
    /// Whether nothing failed.
    is_whole: bool,
}

/// Returns whether a source that begins with `head` is to be read, or else what it is.
fn check_text(source: &Source, head: &[u8]) -> Result<(), &'static str> {
    let what = source.only_text.then(|| binary::what(source, head));
    what.flatten().map_or(Ok(()), Err)
}
