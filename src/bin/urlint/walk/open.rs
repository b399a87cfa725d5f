//! Opening files, and whatever is in them.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Found, Input, Inputs, Message, Origin, Totals, Visitor};
use crate::commands::Error;
use crate::config::{Configs, Holding};
use urlint::archive::{Content, Fault, Limits, Opener, Sink, Source};

/// How files are opened: what holds for all of them.
#[derive(Debug)]
pub(crate) struct Opening<'i> {
    pub(super) inputs: &'i Inputs,
    pub(super) configs: &'i Configs,
    /// Whether it is told which files are passed over, since they are no text.
    show_skipped: bool,
    /// How many bytes have been read of files and standard input.
    pub(crate) bytes_read: AtomicU64,
}

impl<'i> Opening<'i> {
    pub(crate) fn new(inputs: &'i Inputs, configs: &'i Configs, show_skipped: bool) -> Self {
        Opening {
            inputs,
            configs,
            show_skipped,
            bytes_read: AtomicU64::new(0),
        }
    }

    /// Hands all sources that are in a file to `visitor`.
    pub(crate) fn file(&self, found: &Found<'_>, visitor: &mut dyn Visitor) -> Result<(), Error> {
        let file = match File::open(found.path) {
            Ok(file) => file,
            Err(error) => return fail(visitor, found.name, &error),
        };
        let source = Source::file(name_of(found.name), found.only_text);
        let mut buffer = BUFFER.take();
        let origin = Origin::File(found.path);
        let opened = self.sources(found.name, (origin, Some(&file)), visitor, |sources| {
            let data = file.metadata().ok().filter(fs::Metadata::is_file);
            // What comes out of other files may be slow to come, and is used as it does.
            let (length, is_whole) = match data {
                Some(data) if data.len() <= MAX_HELD as u64 => read_start(&file, &mut buffer)?,
                _ => (0, false),
            };
            self.bytes_read.fetch_add(length as u64, Ordering::Relaxed);
            let start = &buffer[..length];
            if is_whole {
                return self.opener().open_bytes(&source, start, sources);
            }
            let mut reader = start.chain(Counted {
                reader: &file,
                count: &self.bytes_read,
            });
            self.opener()
                .open_file(&source, &file, &mut reader, sources)
        });
        BUFFER.set(buffer);
        opened
    }

    /// Hands all sources that are in standard input, which has the name `name`, to `visitor`.
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
            self.opener().open(&source, &mut reader, sources)
        })
    }

    /// Has `open` hand out the sources that are in the file of the name `name`.
    fn sources<'s>(
        &self,
        name: &'s Path,
        (origin, whole): (Origin<'s>, Option<&'s File>),
        visitor: &'s mut dyn Visitor,
        open: impl FnOnce(&mut Sources<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let path = match origin {
            Origin::File(path) => path,
            Origin::Stdin | Origin::Container => name,
        };
        let holding = match self.configs.holding(path) {
            Ok(holding) => holding,
            // What a file is to be read for is unknown; others may have a configuration that is
            // right.
            Err(drawn) => {
                visitor.message(Message::Drawn(drawn))?;
                return visitor.totals(Totals::FAILED);
            }
        };
        let mut sources = Sources {
            file: name_of(name),
            whole,
            origin,
            holding: &holding,
            show_skipped: self.show_skipped,
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

    fn opener(&self) -> Opener {
        let mut limits = Limits::default();
        limits.ratio = self.inputs.max_ratio;
        limits.size = self.inputs.max_size;
        Opener::new(limits)
    }
}

/// The longest file that is read into memory before it is opened, in bytes.
const MAX_HELD: usize = 4 << 20;

/// How much memory is used for that at first.
const HELD: usize = 256 << 10;

thread_local! {
    /// What files are read into, one after another: to clear memory for each costs more than to
    /// read most of them.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Reads the start of a file into `buffer`; returns how many bytes, and whether they are all.
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
    visitor.totals(Totals::FAILED)
}

/// A reader whose bytes are counted.
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

/// The sources that are in a file.
struct Sources<'s> {
    file: &'s [u8],
    whole: Option<&'s File>,
    origin: Origin<'s>,
    holding: &'s Holding,
    show_skipped: bool,
    visitor: &'s mut dyn Visitor,
    /// What failed where nothing may fail.
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
        let told = self.visitor.message(Message::Line(message));
        let told = told.and_then(|()| self.visitor.totals(totals));
        if self.failed.is_ok() {
            self.failed = told;
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
            origin: match source.is_decoded {
                true => Origin::Container,
                false => self.origin,
            },
            whole: self.whole.filter(|_| !source.is_decoded),
            bytes: content.in_memory(),
            holding: self.holding,
        };
        self.visitor.source(&input, content)?;
        self.visitor.totals(Totals::READ)
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
        if self.show_skipped {
            self.message(source, &format!("skipped, {what}"), Totals::default());
        }
    }
}
