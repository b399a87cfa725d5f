//! Opens files, and archives in them.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Entry, Input, Message, Origin, PathArgs, Totals, Visitor};
use crate::config::{Configs, FileSettings};
use crate::error::Error;
use urlint::archive::{self, Limits, Sink, Source};

/// Opens files and hands their sources to a visitor.
#[derive(Debug)]
pub(crate) struct Opener<'i> {
    pub(super) inputs: &'i PathArgs,
    pub(super) configs: &'i Configs,
    /// Whether to report files that are skipped because they are binary.
    show_skipped: bool,
    /// How many bytes of files and standard input have been read.
    pub(crate) bytes_read: AtomicU64,
}

impl<'i> Opener<'i> {
    pub(crate) fn new(inputs: &'i PathArgs, configs: &'i Configs, show_skipped: bool) -> Self {
        Opener {
            inputs,
            configs,
            show_skipped,
            bytes_read: AtomicU64::new(0),
        }
    }

    /// Hands all sources in a file to `visitor`.
    pub(crate) fn file(&self, entry: &Entry<'_>, visitor: &mut dyn Visitor) -> Result<(), Error> {
        match File::open(entry.path) {
            Ok(file) => {
                let source = Source::file(name_of(entry.name), entry.only_text);
                let origin = Origin::File(entry.path);
                self.sources(
                    &source,
                    entry.name,
                    origin,
                    &mut &file,
                    Some(&file),
                    visitor,
                )
            }
            Err(error) => fail(visitor, entry.name, &error),
        }
    }

    /// Hands all sources in standard input, whose name is `name`, to `visitor`.
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
            Origin::Stdin | Origin::Archive => name,
        };
        let settings = match self.configs.for_file(path) {
            Ok(settings) => settings,
            // Other files may have another configuration, which is right.
            Err(rendered) => {
                visitor.message(Message::Rendered(rendered))?;
                return visitor.count(Totals::FAILED);
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
            settings: &settings,
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
    show_skipped: bool,
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
        let sent = sent.and_then(|()| self.visitor.count(totals));
        if self.failed.is_ok() {
            self.failed = sent;
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
            origin: if source.is_decoded {
                Origin::Archive
            } else {
                self.origin
            },
            whole: self.whole.filter(|_| !source.is_decoded),
            settings: self.settings,
        };
        self.visitor.source(&input, reader)?;
        self.visitor.count(Totals::READ)
    }

    fn fault(&mut self, source: &Source, message: &str, at: u64) {
        let warning = format!("warning: {message} (at byte {at})");
        self.message(source, &warning, Totals::FAILED);
    }

    fn skipped(&mut self, source: &Source, what: &str) {
        if self.show_skipped {
            self.message(source, &format!("skipped, {what}"), Totals::default());
        }
    }
}
