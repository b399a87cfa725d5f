//! Compressed files and archives, read as streams.
//!
//! An [`Opener`] passes on all sources in a file: the members of an archive, the content
//! of a compressed file, or the file itself if it is neither. Nested archives are opened too. The
//! format is recognised by the first bytes, never by the name. These formats are read: gzip,
//! Zstandard, xz, LZMA, bzip2 and LZ4; tar and zip; the web archives WARC (ISO
//! 28500) and ARC, with the HTTP messages (RFC 9112) in them. With the feature `pdf`, so are PDFs, whose
//! members are pages.
//!
//! A fault ends the member that it is in and is reported; reading continues after it. The decoded
//! bytes of a file are [limited](Limits), and memory is bounded: only one member is decoded at a
//! time, and none is held.
//!
//! ```
//! use std::io::{self, Read, Write};
//!
//! use flate2::{Compression, write::GzEncoder};
//! use urlint::archive::{Item, Limits, Opener, Source};
//!
//! /// Returns the members of a file, and faults in words.
//! fn listed(limits: Limits, file: &[u8]) -> io::Result<Vec<(String, String)>> {
//!     let mut list = Vec::new();
//!     Opener::new(limits).open_bytes(&Source::file(b"a.tgz", false), file, &mut |item| {
//!         let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
//!         match item {
//!             Item::Source(source, mut content) => {
//!                 let mut bytes = Vec::new();
//!                 content.read_to_end(&mut bytes)?;
//!                 list.push((text(source.member.as_deref().unwrap_or_default()), text(&bytes)));
//!             }
//!             Item::Fault(source, fault, at) => {
//!                 list.push((text(&source.path), format!("{fault} (at byte {at})")));
//!             }
//!             Item::Skipped(..) => {}
//!         }
//!         Ok::<(), io::Error>(())
//!     })?;
//!     Ok(list)
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
//! assert_eq!(listed(Limits::default(), &file)?, [
//!     ("a.txt".to_owned(), "http://a.example/".to_owned()),
//!     ("b/c.txt".to_owned(), "http://b.example/".to_owned()),
//! ]);
//!
//! let mut limits = Limits::default();
//! limits.size = 10;
//! let list = listed(limits, &file)?;
//! let faults: Vec<_> = list.iter().map(|(_, text)| &**text).collect();
//! assert!(faults.iter().any(|text| text.starts_with("longer than 10 bytes")), "{faults:?}");
//! # Ok::<(), std::io::Error>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod binary;
mod bzip2;
mod compressed;
mod fault;
mod gzip;
mod http;
mod limited;
mod lz4;
mod magic;
mod members;
#[cfg(feature = "pdf")]
mod pdf;
mod peek;
mod pieces;
mod pool;
mod record;
mod rewind;
mod skipped;
mod tar;
mod warc;
mod zip;
mod zstd;

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use urlint_documents::document::{Attachment, Kind, WebRecord};
pub use urlint_documents::read::Content;

pub use fault::Fault;
pub use limited::Limits;
use limited::{Budget, LimitedReader};
use magic::Format;
use peek::PeekReader;
use pieces::Ahead;
pub use skipped::Skipped;

/// How deep archives may be nested.
const MAX_DEPTH: u8 = 8;

/// How many of the first bytes are needed to recognise the format.
const HEAD: usize = 1024;

/// The longest member, in bytes, that is copied to be passed on in memory. A [`PeekReader`] reads as
/// many at once, so that decoders are asked for as much as for longer members.
const HELD: usize = 64 * 1024 - 1;

/// A source is not text if it has a NUL among this many first bytes.
const BINARY: usize = 8 * 1024;

/// A source: a file, or something in it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Source {
    /// The name of the member, if the source is one; in a nested archive, the names of both, joined
    /// by `!`. It may be any bytes, and may contain `..`.
    pub member: Option<Vec<u8>>,
    /// The name whose extension decides the kind of document: the file's, or the member's own.
    /// Empty if names say nothing, as for the records of web archives.
    pub path: Vec<u8>,
    /// The kind of document, if it is known before it is read: web archives record media types.
    pub kind: Option<Kind>,
    /// Whether the bytes of the source differ from the bytes of the file: whether it was compressed or
    /// is a member.
    pub is_decoded: bool,
    /// Whether the source is skipped unless it is text, as members are. It is not text if there is
    /// a NUL among its first 8192 bytes and it is not UTF-16, or, unless `kind` is given, if it
    /// begins like another format, such as PDF, PostScript, a font or an image.
    pub only_text: bool,
    /// Whether the user named the source. Then the content of a compressed file is read even if it
    /// is not text, and an archive of an unsupported format is a fault instead of being skipped.
    pub is_named: bool,
    /// The record of it in a web archive, or the message that it is attached to, if [records are
    /// kept](Opener::records).
    pub record: Option<Arc<WebRecord>>,
    /// The archives, compressed files and messages that it is in.
    pub nesting: Nesting,
}

/// The archives, compressed files and messages that a source is in.
#[derive(Clone, Debug, Default)]
pub struct Nesting {
    /// How many there are.
    depth: u8,
    /// The budget of the attachment that the source is in, if it is in one. All sources in it share that.
    budget: Option<Arc<Budget>>,
}

impl Nesting {
    /// Returns the nesting of a source that is directly in this one.
    fn deeper(&self) -> Self {
        Nesting {
            depth: self.depth.saturating_add(1),
            budget: self.budget.clone(),
        }
    }
}

impl Source {
    /// How many of the first bytes decide whether a source is text.
    #[doc(hidden)]
    pub const HEAD: usize = BINARY;

    /// A file with the name `path`, which is skipped if it is not text and `only_text` is true.
    pub fn file(path: &[u8], only_text: bool) -> Self {
        Source {
            path: path.to_vec(),
            only_text,
            ..Source::default()
        }
    }

    /// Returns whether a file that begins with `head`, its first [`Source::HEAD`] bytes, is read as text.
    #[doc(hidden)]
    pub fn is_text(&self, head: &[u8]) -> bool {
        binary::skipped(self, head).is_none()
    }

    /// Returns the content of this compressed source.
    fn decompressed(&self) -> Self {
        Source {
            is_decoded: true,
            only_text: self.only_text && !self.is_named,
            nesting: self.nesting.deeper(),
            ..self.clone()
        }
    }

    /// Returns the member `name` of this archive.
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
            nesting: self.nesting.deeper(),
        }
    }
}

/// Something in a file, as an [`Opener`] passes it on.
pub enum Item<'i> {
    /// A source and its bytes; bytes that are not read are skipped.
    ///
    /// Reading fails only if the file itself cannot be read: if an archive is damaged, its member
    /// ends, and the fault follows.
    Source(&'i Source, Content<'i>),
    /// A fault of a source, after its bytes if it has any, and how many of them could be read before the
    /// fault. For faults of a whole archive, it is the offset in the archive.
    Fault(&'i Source, &'i Fault, u64),
    /// A source that is skipped, and why.
    Skipped(&'i Source, Skipped<'i>),
}

/// Takes the items in a file; may stop the reading with an error of its own.
type Take<'t, E> = dyn FnMut(Item<'_>) -> Result<(), E> + 't;

/// Opens files: see the [module](self).
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
#[must_use]
pub struct Opener {
    /// The limits, which apply to each file separately.
    pub limits: Limits,
    /// How many threads decompress a file of many members or frames, if it is a regular file or in memory; by
    /// default only the thread that reads. The result does not depend on it.
    pub threads: usize,
    /// Whether the records of web archives, and the headers of messages for their attachments, are kept: see
    /// [`Source::record`].
    pub records: bool,
    /// Whether compressed files and archives are skipped, as [`Skipped::Unopened`]. Attachments of messages are
    /// opened all the same.
    #[doc(hidden)]
    pub only_plain: bool,
}

impl Opener {
    /// An opener with limits.
    pub fn new(limits: Limits) -> Self {
        Opener {
            limits,
            ..Opener::default()
        }
    }

    /// `waits` says that the bytes may be slow to arrive.
    fn unpacker<'o, E>(
        &self,
        budget: &'o Budget,
        waits: bool,
        take: &'o mut Take<'o, E>,
    ) -> Unpacker<'o, E> {
        let threads = if waits || self.threads < 2 {
            0
        } else {
            self.threads
        };
        Unpacker {
            budget,
            take,
            ahead: Ahead { waits, threads },
            records: self.records,
            only_plain: self.only_plain,
        }
    }

    /// Passes all sources in `reader` to `take`, in order. `source` describes the contents of
    /// `reader`: see [`Source::file`].
    ///
    /// A zip archive is read in any order and is copied first: up to 16 MiB to memory, a longer one to a
    /// temporary file.
    ///
    /// Fails when the reader fails, or with the error of `take`.
    pub fn open<E: From<io::Error>>(
        &self,
        source: &Source,
        reader: &mut dyn Read,
        take: &mut Take<'_, E>,
    ) -> Result<(), E> {
        self.unpack(source, reader, None, take)
    }

    /// Passes all sources in `file` to `take` like [`open`](Opener::open), but without copying zip
    /// archives. These are read from `file`, in any order; anything else is read through `reader`,
    /// which may for instance count bytes.
    ///
    /// Fails when the reader fails, or with the error of `take`.
    pub fn open_file<E: From<io::Error>>(
        &self,
        source: &Source,
        file: &File,
        reader: &mut dyn Read,
        take: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let is_regular = file.metadata().is_ok_and(|data| data.is_file());
        self.unpack(source, reader, Some(file).filter(|_| is_regular), take)
    }

    /// Passes all sources in `bytes`, a whole file, to `take` like [`open`](Opener::open). If the
    /// file is not an archive, its bytes are not copied.
    ///
    /// Fails with the error of `take`.
    pub fn open_bytes<E: From<io::Error>>(
        &self,
        source: &Source,
        bytes: &[u8],
        take: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let budget = Budget::new(self.limits);
        let mut unpacker = self.unpacker(&budget, false, take);
        match Format::of(&bytes[..bytes.len().min(HEAD)]) {
            None => match check_text(source, bytes) {
                Ok(()) => unpacker.held(source, bytes),
                Err(why) => unpacker.skipped(source, why),
            },
            Some(Format::Zip) if !self.only_plain => {
                let mut file = budget.count(io::Cursor::new(bytes));
                unpacker.members_of_zip(source, &mut file)
            }
            Some(_) => {
                let mut reader = budget.count(bytes);
                let mut reader = PeekReader::new(&mut reader, &budget.buffers);
                unpacker.open(source, &mut reader, None)
            }
        }
    }

    /// Passes all sources in an attachment of a message to `take`, if it is an archive or compressed;
    /// anything else is skipped. `message` is the nesting of the message.
    ///
    /// Fails with the error of `take`.
    pub fn open_attachment<E: From<io::Error>>(
        &self,
        attachment: &Attachment<'_>,
        message: &Nesting,
        take: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let mut source = Source::file(attachment.name(), true);
        (source.is_decoded, source.nesting) = (true, message.deeper());
        let head = attachment.beginning(HEAD);
        if Format::of(&head[..head.len().min(HEAD)]).is_none() {
            let by_type = Skipped::NotText(attachment.media_type());
            let why = binary::skipped(&source, &head)
                .filter(|why| why.is_document() || !by_type.is_document());
            return take(Item::Skipped(&source, why.unwrap_or(by_type)));
        }
        if self.records {
            let mut record = WebRecord::default();
            record.letter = attachment.letter();
            source.record = Some(Arc::new(record));
        }
        let bytes = attachment.bytes();
        let budget = match &message.budget {
            Some(budget) => budget.clone(),
            None => Arc::new(Budget::of_attachment(self.limits, bytes.len())),
        };
        source.nesting.budget = Some(budget.clone());
        let mut unpacker = self.unpacker(&budget, false, take);
        unpacker.open(&source, &mut PeekReader::of(&bytes), None)
    }

    fn unpack<E: From<io::Error>>(
        &self,
        source: &Source,
        reader: &mut dyn Read,
        file: Option<&File>,
        take: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let budget = Budget::new(self.limits);
        let mut reader = budget.count(reader);
        let mut reader = PeekReader::new(&mut reader, &budget.buffers);
        let mut unpacker = self.unpacker(&budget, file.is_none(), take);
        unpacker.open(source, &mut reader, file)
    }
}

/// Opens one file, and everything in it.
struct Unpacker<'o, E> {
    budget: &'o Budget,
    take: &'o mut Take<'o, E>,
    ahead: Ahead,
    /// Whether the records of web archives are kept.
    records: bool,
    /// Whether a file that is compressed or an archive is skipped.
    only_plain: bool,
}

impl<E: From<io::Error>> Unpacker<'_, E> {
    /// Passes on all sources in `reader`. `file` is the same file, if it can be read in any order.
    fn open(
        &mut self,
        source: &Source,
        reader: &mut PeekReader<'_>,
        file: Option<&File>,
    ) -> Result<(), E> {
        let needed = if source.only_text { BINARY } else { HEAD };
        let head = reader.peek(needed)?;
        let is_read_as_given = |format: &Format| source.kind.is_some() && format.is_document();
        match Format::of(head).filter(|format| !is_read_as_given(format)) {
            None => match check_text(source, head) {
                Ok(()) => self.text(source, reader),
                Err(why) => self.skipped(source, why),
            },
            Some(Format::Unsupported(format)) => {
                if source.only_text && !source.is_named {
                    self.skipped(source, Skipped::Unsupported(format))
                } else {
                    self.fault(source, &Fault::Unsupported(format), 0)
                }
            }
            Some(_) if self.only_plain && !source.is_decoded => {
                self.skipped(source, Skipped::Unopened)
            }
            Some(_) if source.nesting.depth >= MAX_DEPTH => {
                self.fault(source, &Fault::TooDeep(MAX_DEPTH), 0)
            }
            Some(Format::Compressed(method)) => self.compressed(source, method, reader),
            Some(Format::Tar) => self.tar(source, reader),
            Some(Format::Zip) => match reader.in_memory() {
                Some(bytes) => self.members_of_zip(source, &mut io::Cursor::new(bytes)),
                None => self.zip(source, reader, file),
            },
            Some(Format::Warc) => self.warc(source, reader),
            Some(Format::Arc) => self.arc(source, reader),
            #[cfg(feature = "pdf")]
            Some(Format::Pdf) => self.pdf(source, reader),
        }
    }

    /// Passes on a source that is text; a short one in memory, which is faster.
    fn text(&mut self, source: &Source, reader: &mut PeekReader<'_>) -> Result<(), E> {
        if let Some(bytes) = reader.in_memory() {
            return self.held(source, bytes);
        }
        if source.nesting.depth > 0
            && !self.ahead.waits
            && let Some(bytes) = reader.all(HELD)?
        {
            return self.held(source, bytes);
        }
        (self.take)(Item::Source(source, Content::Stream(reader)))
    }

    /// Passes on a source whose bytes are in memory.
    fn held(&mut self, source: &Source, bytes: &[u8]) -> Result<(), E> {
        (self.take)(Item::Source(source, Content::Bytes(bytes)))
    }

    /// Reports that a source is damaged after `at` bytes.
    fn damaged(&mut self, source: &Source, how: impl Into<String>, at: u64) -> Result<(), E> {
        self.fault(source, &Fault::Damaged(how.into()), at)
    }

    fn fault(&mut self, source: &Source, fault: &Fault, at: u64) -> Result<(), E> {
        (self.take)(Item::Fault(source, fault, at))
    }

    fn skipped(&mut self, source: &Source, why: Skipped<'_>) -> Result<(), E> {
        (self.take)(Item::Skipped(source, why))
    }

    /// Opens a member that is stored uncompressed. Its bytes do not count against the limits again,
    /// since the bytes of the archive have been counted.
    fn stored(&mut self, source: &Source, reader: impl Read) -> Result<Outcome, E> {
        self.limited(source, LimitedReader::new(reader, None))
    }

    /// Opens the output of `reader`, a decompressor, whose faults are reported as faults of `source`.
    fn decompressed(&mut self, source: &Source, reader: impl Read) -> Result<Outcome, E> {
        self.limited(source, LimitedReader::new(reader, Some(self.budget)))
    }

    fn limited<R: Read>(
        &mut self,
        source: &Source,
        mut reader: LimitedReader<'_, R>,
    ) -> Result<Outcome, E> {
        let buffers = &self.budget.buffers;
        // Nothing follows a compressed file, so that the rest of one that is not text need not be read.
        let is_done = {
            let mut inner = PeekReader::new(&mut reader, buffers);
            let head = inner.peek(BINARY)?;
            let is_text = Format::of(head).is_some() || check_text(source, head).is_ok();
            self.open(source, &mut inner, None)?;
            !is_text && source.member.is_none()
        };
        if !is_done {
            // Neither writing to a sink nor reading through a limited reader fails.
            let _ = io::copy(&mut reader, &mut io::sink());
        }
        if let Some(fault) = &reader.fault {
            self.fault(source, fault, reader.at)?;
        }
        Ok(Outcome {
            length: reader.at,
            is_whole: reader.fault.is_none(),
        })
    }
}

/// The result of decoding a source.
struct Outcome {
    /// How many bytes there were.
    length: u64,
    /// Whether there was no fault.
    is_whole: bool,
}

/// Checks whether a source that begins with `head` is to be read; fails with the reason otherwise.
fn check_text(source: &Source, head: &[u8]) -> Result<(), Skipped<'static>> {
    let why = source.only_text.then(|| binary::skipped(source, head));
    why.flatten().map_or(Ok(()), Err)
}
