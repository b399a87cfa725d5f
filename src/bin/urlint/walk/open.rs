//! Opens files, and the archives in them.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{
    Entry, Input, Message, Origin, OutputFiles, PathArgs, Reason, Skipped, Totals, Visit, Walked,
};
use crate::error::Error;
use urlint::archive::{self, Content, Fault, Limits, Sink, Source};
use urlint::config::{Configs, FileSettings};
use urlint::document::Kind;

/// Opens files, and passes on their sources.
#[derive(Debug)]
pub(crate) struct Opener<'i> {
    pub(super) inputs: &'i PathArgs,
    pub(super) configs: &'i Configs,
    /// The kind of all files, if a flag sets it.
    kind: Option<Kind>,
    /// Whether each file and folder that is skipped is reported.
    pub(super) lists_skipped: bool,
    /// The files of the run itself, which are skipped.
    pub(crate) outputs: OutputFiles,
    /// How much is read of compressed files and archives.
    pub(crate) limits: Limits,
    /// Whether sources come with the records of web archives.
    pub(crate) records: bool,
    /// How many bytes of files and standard input have been read.
    pub(crate) bytes_read: AtomicU64,
}

impl<'i> Opener<'i> {
    pub(crate) fn new(
        inputs: &'i PathArgs,
        configs: &'i Configs,
        kind: Option<Kind>,
        lists_skipped: bool,
    ) -> Self {
        Opener {
            inputs,
            configs,
            kind,
            lists_skipped,
            outputs: OutputFiles::new(),
            limits: Limits::default(),
            records: false,
            bytes_read: AtomicU64::new(0),
        }
    }

    /// Passes all sources in a file to `visit`. Compressed files are read by `threads` threads.
    pub(crate) fn file(
        &self,
        entry: &Entry<'_>,
        threads: usize,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        let file = match File::open(entry.path) {
            Ok(file) => file,
            Err(error) => return fail(visit, entry.name, &error),
        };
        // A hook names every file, so that its naming one means nothing.
        let is_named = entry.is_named && !self.inputs.force_exclude;
        let origin = Origin::File(entry.path);
        let mut buffer = BUFFER.take();
        let archives = self.archives().with_threads(threads);
        let opened = self.sources(entry.name, origin, visit, |sources| {
            let kind = self.kind.or(sources.settings.kind);
            // A file that is named and whose kind is set is read whatever it is. So is one that is not
            // regular, whose first bytes may take long to come.
            let only_text = !is_named || kind.is_none() && entry.is_regular;
            let mut source = Source::file(name_of(entry.name), only_text);
            source.kind = kind;
            source.is_named = is_named;
            sources.is_named = is_named;
            sources.whole = Some(&file);
            let data = file.metadata().ok().filter(fs::Metadata::is_file);
            // Bytes of other files may come slowly, and are used as they come.
            let is_short = data.is_some_and(|data| data.len() < MAX_HELD);
            buffer.clear();
            if is_short {
                (&file).take(MAX_HELD).read_to_end(&mut buffer)?;
            }
            let length = buffer.len() as u64;
            self.bytes_read.fetch_add(length, Ordering::Relaxed);
            // A file may grow while it is read.
            if is_short && length < MAX_HELD {
                return archives.open_bytes(&source, &buffer, sources);
            }
            let mut reader = buffer.chain(Counted {
                reader: &file,
                count: &self.bytes_read,
            });
            archives.open_file(&source, &file, &mut reader, sources)
        });
        BUFFER.set(buffer);
        opened
    }

    /// Passes all sources in standard input, under the name `name`, to `visit`.
    pub(super) fn stdin(
        &self,
        name: &Path,
        reader: &mut dyn Read,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        let source = Source::file(name_of(name), false);
        let mut reader = Counted {
            reader,
            count: &self.bytes_read,
        };
        self.sources(name, Origin::Stdin, visit, |sources| {
            self.archives().open(&source, &mut reader, sources)
        })
    }

    /// Calls `open` with what takes the sources in the file `name`.
    fn sources<'s>(
        &self,
        name: &'s Path,
        origin: Origin<'s>,
        visit: &mut Visit<'_>,
        open: impl FnOnce(&mut Sources<'s, '_, '_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let path = match origin {
            Origin::File(path) => path,
            Origin::Stdin | Origin::Archive => name,
        };
        let settings = match self.configs.for_file(path) {
            Ok(settings) => settings,
            // Other files may have another configuration, without an error.
            Err(wrong) => {
                visit(Walked::Message(Message::BadConfig(wrong)))?;
                return visit(Walked::Count(Totals::FAILED));
            }
        };
        let mut sources = Sources {
            file: name_of(name),
            whole: None,
            origin,
            settings: &settings,
            lists_skipped: self.lists_skipped,
            is_named: false,
            visit,
            failed: Ok(()),
        };
        let opened = open(&mut sources);
        match opened.and(sources.failed) {
            Err(Error::Read(error)) => fail(visit, name, &error),
            other => other,
        }
    }

    fn archives(&self) -> archive::Opener {
        archive::Opener::new(self.limits).with_records(self.records)
    }
}

/// The longest file that is read into memory before it is opened, in bytes.
const MAX_HELD: u64 = 4 << 20;

thread_local! {
    /// The memory that files are read into, one after another.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

fn name_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// Reports that `path` cannot be read.
pub(super) fn fail(visit: &mut Visit<'_>, path: &Path, error: &io::Error) -> Result<(), Error> {
    fail_with(visit, format!("{}: {error}", path.display()))
}

/// Reports why something cannot be read.
pub(super) fn fail_with(visit: &mut Visit<'_>, message: String) -> Result<(), Error> {
    visit(Walked::Message(Message::Line(message)))?;
    visit(Walked::Count(Totals::FAILED))
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

/// Passes on the sources in a file.
struct Sources<'s, 'v, 'd> {
    file: &'s [u8],
    whole: Option<&'s File>,
    origin: Origin<'s>,
    settings: &'v FileSettings,
    lists_skipped: bool,
    /// Whether the file was named by the user.
    is_named: bool,
    visit: &'v mut Visit<'d>,
    /// An error from a callback that cannot return one.
    failed: Result<(), Error>,
}

impl Sources<'_, '_, '_> {
    fn name(&self, source: &Source) -> Vec<u8> {
        match &source.member {
            Some(member) => [self.file, b"!", member].concat(),
            None => self.file.to_vec(),
        }
    }

    fn message(&mut self, source: &Source, what: &str, totals: Totals) {
        let name = self.name(source);
        let message = format!("{}: {what}", String::from_utf8_lossy(&name));
        self.send(Walked::Message(Message::Line(message)));
        self.send(Walked::Count(totals));
    }

    fn send(&mut self, walked: Walked<'_>) {
        let sent = (self.visit)(walked);
        if self.failed.is_ok() {
            self.failed = sent;
        }
    }
}

impl Sink for Sources<'_, '_, '_> {
    type Error = Error;

    fn source(&mut self, source: &Source, mut content: Content<'_>) -> Result<(), Error> {
        let name = self.name(source);
        let input = Input {
            name: &name,
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
            record: source.record.as_ref(),
            settings: self.settings,
        };
        match (self.visit)(Walked::Source(&input, content.reborrow())) {
            // The next member may take less.
            Err(Error::Read(error)) if error.kind() == io::ErrorKind::OutOfMemory => {
                self.message(source, &error.to_string(), Totals::FAILED);
                Ok(())
            }
            visited => {
                visited?;
                (self.visit)(Walked::Count(Totals::READ))
            }
        }
    }

    fn fault(&mut self, source: &Source, fault: &Fault, at: u64) {
        let flag = match fault {
            Fault::TooLong(_) => " (--max-size)",
            Fault::TooDense(_) => " (--max-ratio)",
            _ => "",
        };
        let warning = format!("warning: {fault}{flag} (at byte {at})");
        // What a folder happens to hold may be damaged on purpose, as test data are.
        let totals = match self.origin {
            Origin::File(_) if !self.is_named => Totals::default(),
            _ => Totals::FAILED,
        };
        self.message(source, &warning, totals);
    }

    fn skipped(&mut self, source: &Source, what: &str) {
        // A part of a file does not count as a skipped file.
        let totals = match source.member {
            Some(_) => Totals::default(),
            None => Totals::skipped(Skipped::one(Reason::Binary)),
        };
        if self.is_named && source.member.is_none() {
            // Some descriptions say what to do, in brackets.
            let way_out = if what.ends_with(')') {
                ""
            } else {
                "; --type plain reads it"
            };
            let message = format!("skipped, {what}{way_out}");
            self.message(source, &message, totals);
        } else if self.lists_skipped {
            self.message(source, &format!("skipped, {what}"), totals);
        } else {
            self.send(Walked::Count(totals));
        }
    }
}
