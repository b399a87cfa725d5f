//! Opens files, and archives in them.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{
    Entry, Input, Message, Origin, Own, PassedOver, PathArgs, Reason, Shows, Totals, Visitor,
};
use crate::error::Error;
use urlint::archive::{self, Content, Fault, Limits, Sink, Source};
use urlint::config::{Configs, FileSettings};
use urlint::document::Kind;

/// Opens files and hands their sources to a visitor.
#[derive(Debug)]
pub(crate) struct Opener<'i> {
    pub(super) inputs: &'i PathArgs,
    pub(super) configs: &'i Configs,
    /// The kind of all files, if a flag gives it.
    kind: Option<Kind>,
    /// What is said of files that are passed over.
    pub(super) shows: Shows,
    /// The files of the run itself, which are passed over.
    pub(crate) own: Own,
    /// Whether sources come with what web archives say about them.
    pub(crate) records: bool,
    /// How many bytes of files and standard input have been read.
    pub(crate) bytes_read: AtomicU64,
}

impl<'i> Opener<'i> {
    pub(crate) fn new(
        inputs: &'i PathArgs,
        configs: &'i Configs,
        kind: Option<Kind>,
        shows: Shows,
    ) -> Self {
        Opener {
            inputs,
            configs,
            kind,
            shows,
            own: Own::new(),
            records: false,
            bytes_read: AtomicU64::new(0),
        }
    }

    /// Returns the settings of files.
    pub(crate) fn configs(&self) -> &'i Configs {
        self.configs
    }

    /// Hands all sources in a file to `visitor`.
    pub(crate) fn file(&self, entry: &Entry<'_>, visitor: &mut dyn Visitor) -> Result<(), Error> {
        let file = match File::open(entry.path) {
            Ok(file) => file,
            Err(error) => return fail(visitor, entry.name, &error),
        };
        // A hook asks for nothing by name.
        let is_named = entry.is_named && !self.inputs.force_exclude;
        let origin = (Origin::File(entry.path), Some(&file));
        let mut buffer = BUFFER.take();
        let archives = self.archives().with_threads(visitor.threads());
        let opened = self.sources(entry.name, origin, visitor, |sources| {
            let kind = self.kind.or(sources.settings.kind);
            // Whoever names a file and says what it is wants it read. The first bytes of what is not
            // regular may be long in coming.
            let only_text = !is_named || kind.is_none() && entry.is_regular;
            let mut source = Source::file(name_of(entry.name), only_text);
            source.kind = kind;
            source.is_named = is_named;
            sources.is_named = is_named;
            let data = file.metadata().ok().filter(fs::Metadata::is_file);
            // The bytes of other files may come slowly, and are used as they come.
            let (length, is_whole) = match data {
                Some(data) if data.len() <= MAX_HELD as u64 => read_start(&file, &mut buffer)?,
                _ => (0, false),
            };
            self.bytes_read.fetch_add(length as u64, Ordering::Relaxed);
            let start = &buffer[..length];
            if is_whole {
                return archives.open_bytes(&source, start, sources);
            }
            let mut reader = start.chain(Counted {
                reader: &file,
                count: &self.bytes_read,
            });
            archives.open_file(&source, &file, &mut reader, sources)
        });
        BUFFER.set(buffer);
        opened
    }

    /// Hands all sources in standard input, whose name is `name`, to `visitor`.
    pub(super) fn stdin(
        &self,
        name: &Path,
        reader: &mut dyn Read,
        visitor: &mut dyn Visitor,
    ) -> Result<(), Error> {
        let source = Source::file(name_of(name), false);
        let mut reader = Counted {
            reader,
            count: &self.bytes_read,
        };
        self.sources(name, (Origin::Stdin, None), visitor, |sources| {
            self.archives().open(&source, &mut reader, sources)
        })
    }

    /// Calls `open` to hand out the sources in the file with the name `name`.
    fn sources<'s>(
        &self,
        name: &'s Path,
        (origin, whole): (Origin<'s>, Option<&'s File>),
        visitor: &'s mut dyn Visitor,
        open: impl FnOnce(&mut Sources<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let path = match origin {
            Origin::File(path) => path,
            Origin::Stdin | Origin::Archive => name,
        };
        let settings = match self.configs.for_file(path) {
            Ok(settings) => settings,
            // Other files may have another configuration, which is right.
            Err(wrong) => {
                visitor.message(Message::BadConfig(wrong))?;
                return visitor.count(Totals::FAILED);
            }
        };
        let mut sources = Sources {
            file: name_of(name),
            whole,
            origin,
            settings: &settings,
            shows: self.shows,
            is_named: false,
            visitor,
            failed: Ok(()),
        };
        let opened = open(&mut sources);
        let Sources {
            visitor, failed, ..
        } = sources;
        match opened.and(failed) {
            Err(Error::Read(error)) => fail(visitor, name, &error),
            other => other,
        }
    }

    fn archives(&self) -> archive::Opener {
        let mut limits = Limits::default();
        limits.ratio = self.inputs.max_ratio;
        limits.size = self.inputs.max_size;
        archive::Opener::new(limits).with_records(self.records)
    }
}

/// The longest file that is read into memory before it is opened, in bytes.
const MAX_HELD: usize = 4 << 20;

/// How much memory is allocated for that at first, in bytes.
const HELD: usize = 256 << 10;

thread_local! {
    /// The memory that files are read into, one after another: to clear memory for each file costs
    /// more than to read most of them.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Reads the start of a file into `buffer`. Returns how many bytes, and whether they are all.
fn read_start(mut file: &File, buffer: &mut Vec<u8>) -> io::Result<(usize, bool)> {
    let mut length = 0;
    loop {
        if length == buffer.len() {
            if length >= MAX_HELD {
                return Ok((length, false));
            }
            buffer.resize((2 * length).clamp(HELD, MAX_HELD), 0);
        }
        match file.read(&mut buffer[length..]) {
            Ok(0) => return Ok((length, true)),
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn name_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// Reports that `path` cannot be read.
pub(super) fn fail(visitor: &mut dyn Visitor, path: &Path, error: &io::Error) -> Result<(), Error> {
    visitor.message(Message::Line(format!("{}: {error}", path.display())))?;
    visitor.count(Totals::FAILED)
}

/// A reader that counts its bytes.
struct Counted<'c, R> {
    reader: R,
    count: &'c AtomicU64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(out)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Takes the sources in a file, and hands them to a visitor.
struct Sources<'s> {
    file: &'s [u8],
    whole: Option<&'s File>,
    origin: Origin<'s>,
    settings: &'s FileSettings,
    shows: Shows,
    /// Whether the file was asked for by its name.
    is_named: bool,
    visitor: &'s mut dyn Visitor,
    /// An error from a callback that cannot return one.
    failed: Result<(), Error>,
}

impl Sources<'_> {
    fn name(&self, source: &Source) -> Vec<u8> {
        match &source.member {
            Some(member) => [self.file, b"!", member].concat(),
            None => self.file.to_vec(),
        }
    }

    fn message(&mut self, source: &Source, what: &str, totals: Totals) {
        let name = self.name(source);
        let message = format!("{}: {what}", String::from_utf8_lossy(&name));
        let sent = self.visitor.message(Message::Line(message));
        if self.failed.is_ok() {
            self.failed = sent;
        }
        self.count(totals);
    }

    fn count(&mut self, totals: Totals) {
        let counted = self.visitor.count(totals);
        if self.failed.is_ok() {
            self.failed = counted;
        }
    }
}

impl Sink for Sources<'_> {
    type Error = Error;

    fn source(&mut self, source: &Source, content: &mut Content<'_>) -> Result<(), Error> {
        let input = Input {
            name: &self.name(source),
            file: self.file,
            member: source.member.as_deref(),
            path: &source.path,
            kind: source.kind,
            origin: if source.is_decoded {
                Origin::Archive
            } else {
                self.origin
            },
            whole: self.whole.filter(|_| !source.is_decoded),
            bytes: content.in_memory(),
            record: source.record.as_ref(),
            settings: self.settings,
        };
        self.visitor.source(&input, content)?;
        self.visitor.count(Totals::READ)
    }

    fn fault(&mut self, source: &Source, fault: &Fault, at: u64) {
        let flag = match fault {
            Fault::TooLong(_) => " (--max-size)",
            Fault::TooDense(_) => " (--max-ratio)",
            _ => "",
        };
        let warning = format!("warning: {fault}{flag} (at byte {at})");
        self.message(source, &warning, Totals::FAILED);
    }

    fn skipped(&mut self, source: &Source, what: &str) {
        // A part of a file is not a file that is passed over.
        let totals = match source.member {
            Some(_) => Totals::default(),
            None => Totals::passed_over(PassedOver::one(Reason::Binary)),
        };
        if self.is_named && source.member.is_none() {
            let message = format!("skipped, {what}; --type plain reads it");
            self.message(source, &message, totals);
        } else if self.shows == Shows::Each {
            self.message(source, &format!("skipped, {what}"), totals);
        } else {
            self.count(totals);
        }
    }
}
