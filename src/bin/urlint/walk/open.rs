//! Opening files, and whatever is in them.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Found, Input, Inputs, Origin, Tally, Told, Visitor};
use crate::commands::Error;
use crate::config::{Configs, Holding};
use urlint::archive::{self, Limits, Sink, Source};

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
        match File::open(found.path) {
            Ok(file) => {
                let source = Source::file(name_of(found.name), found.only_text);
                let origin = Origin::File(found.path);
                self.sources(
                    &source,
                    found.name,
                    origin,
                    &mut &file,
                    Some(&file),
                    visitor,
                )
            }
            Err(error) => fail(visitor, found.name, &error),
        }
    }

    /// The same for standard input, which goes by `name`.
    pub(super) fn stdin(
        &self,
        name: &Path,
        reader: &mut dyn Read,
        visitor: &mut dyn Visitor,
    ) -> Result<(), Error> {
        let source = Source::file(name_of(name), false);
        self.sources(&source, name, Origin::Stdin, reader, None, visitor)
    }

    fn sources(
        &self,
        source: &Source,
        name: &Path,
        origin: Origin<'_>,
        reader: &mut dyn Read,
        file: Option<&File>,
        visitor: &mut dyn Visitor,
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
                visitor.tell(Told::Drawn(drawn))?;
                return visitor.count(Tally::FAILED);
            }
        };
        let limits = Limits {
            ratio: self.inputs.max_ratio,
            size: self.inputs.max_size,
        };
        let mut sources = Sources {
            file: name_of(name),
            whole: file,
            origin,
            holding: &holding,
            show_skipped: self.show_skipped,
            visitor,
            failed: Ok(()),
        };
        let mut reader = Counted {
            reader,
            count: &self.bytes_read,
        };
        let opened = archive::open(source, &mut reader, file, limits, &mut sources);
        match opened.and(sources.failed) {
            Err(Error::Read(error)) => fail(visitor, name, &error),
            other => other,
        }
    }
}

fn name_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// Tells that `path` cannot be read.
pub(super) fn fail(visitor: &mut dyn Visitor, path: &Path, error: &io::Error) -> Result<(), Error> {
    visitor.tell(Told::Line(format!("{}: {error}", path.display())))?;
    visitor.count(Tally::FAILED)
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

    fn tell(&mut self, source: &Source, what: &str, tally: Tally) {
        let name = self.name(source);
        let message = format!("{}: {what}", String::from_utf8_lossy(&name));
        let told = self.visitor.tell(Told::Line(message));
        let told = told.and_then(|()| self.visitor.count(tally));
        if self.failed.is_ok() {
            self.failed = told;
        }
    }
}

impl Sink for Sources<'_> {
    type Error = Error;

    fn source(&mut self, source: &Source, reader: &mut dyn Read) -> Result<(), Error> {
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
            holding: self.holding,
        };
        self.visitor.source(&input, reader)?;
        self.visitor.count(Tally::READ)
    }

    fn fault(&mut self, source: &Source, message: &str, at: u64) {
        let warning = format!("warning: {message} (at byte {at})");
        self.tell(source, &warning, Tally::FAILED);
    }

    fn skipped(&mut self, source: &Source, what: &str) {
        if self.show_skipped {
            self.tell(source, &format!("skipped, {what}"), Tally::default());
        }
    }
}
