//! Opens files, and the archives in them and in their messages.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::message::Message;
use super::skipped::Reason;
use super::sources::Sources;
use super::walk::Entry;
use super::{Error, Inputs, Name, Origin, Source, Stream, Totals, Work};
use urlint_archive::{self as archive, Content, Fault, Item, Opener, Skipped};
use urlint_config::FileSettings;
use urlint_documents::document::Attachment;

/// The longest file that is read into memory before it is opened, in bytes.
const MAX_HELD: u64 = 4 << 20;

impl Inputs {
    /// Passes all sources in a file to `sources`. Compressed files are read by `threads` threads.
    pub(super) fn open<W: Work>(
        &self,
        entry: &Entry,
        threads: usize,
        sources: Sources<'_, '_, W>,
    ) -> Result<(), Error> {
        if let Some(stream) = self.streams.get(&entry.path) {
            return self.open_stream(&entry.name, &**stream, sources);
        }
        let file = match File::open(&entry.path) {
            Ok(file) => file,
            Err(error) => {
                return sources.note(Some(Message::failed(&entry.name, &error)), Totals::failed());
            }
        };
        // Hooks pass every file: being named is no request.
        let is_named = entry.is_named && !self.force_exclude;
        let origin = Origin::File(entry.path.clone());
        self.open_by(
            &entry.name,
            &entry.path,
            origin,
            is_named,
            sources,
            |opening| {
                let kind = self.kind.or(opening.settings.kind);
                // A named file is read even if it is not text, if its kind is set or if it is not a regular
                // file. The first bytes of such a file may take long to come.
                let only_text = !is_named || kind.is_none() && entry.length.is_some();
                let mut source = archive::Source::file(opening.name, only_text);
                source.kind = kind;
                source.is_named = is_named;
                let mut opener = self.opener();
                opener.threads = threads;
                opener.only_plain = !(is_named || self.archives);
                // Bytes of other files may come slowly, and are used as they come.
                let is_short = entry.length.is_some_and(|length| length < MAX_HELD);
                let mut buffer = self.buffers.take();
                if is_short {
                    (&file).take(MAX_HELD).read_to_end(&mut buffer)?;
                }
                let length = buffer.len() as u64;
                self.bytes_read.fetch_add(length, Ordering::Relaxed);
                // A file may grow while it is read.
                let opened = if is_short && length < MAX_HELD {
                    opener.open_bytes(&source, &buffer, &mut |item| opening.take(item))
                } else {
                    let rest = Counted {
                        reader: &file,
                        count: &self.bytes_read,
                    };
                    let rest = &mut buffer.chain(rest);
                    opener.open_file(&source, &file, rest, &mut |item| opening.take(item))
                };
                self.buffers.give(buffer);
                opened
            },
        )
    }

    /// Passes all sources in a stream, under the name `name`, to `sources`.
    fn open_stream<W: Work>(
        &self,
        name: &Path,
        stream: &dyn Stream,
        sources: Sources<'_, '_, W>,
    ) -> Result<(), Error> {
        let origin = Origin::File(name.to_owned());
        self.open_by(name, name, origin, true, sources, |opening| {
            let kind = self.kind.or(opening.settings.kind);
            let mut source = archive::Source::file(opening.name, kind.is_none());
            (source.kind, source.is_named) = (kind, true);
            let take = &mut |item: Item<'_>| opening.take(item);
            self.opener().open(&source, &mut stream.open()?, take)
        })
    }

    /// Passes all sources in standard input, under the name `name`, to `sources`.
    pub(super) fn open_stdin<W: Work>(
        &self,
        name: &Path,
        reader: &mut dyn Read,
        sources: Sources<'_, '_, W>,
    ) -> Result<(), Error> {
        let mut reader = Counted {
            reader,
            count: &self.bytes_read,
        };
        self.open_by(name, name, Origin::Stdin, true, sources, |opening| {
            let source = archive::Source::file(opening.name, false);
            let take = &mut |item: Item<'_>| opening.take(item);
            self.opener().open(&source, &mut reader, take)
        })
    }

    /// Calls `open` with the taker of the sources in a file.
    fn open_by<'t, 'u, W: Work>(
        &self,
        name: &Path,
        path: &Path,
        origin: Origin,
        is_named: bool,
        sources: Sources<'t, 'u, W>,
        open: impl FnOnce(&mut Opening<'_, 't, 'u, W>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let settings = match self.configs.for_file(path) {
            Ok(settings) => settings,
            // Other files may have another configuration, without an error.
            Err(wrong) => {
                return sources.note(Some(Message::BadConfig(wrong)), Totals::failed());
            }
        };
        let name_shown = name.as_os_str().as_encoded_bytes();
        let mut opening = Opening {
            name: name_shown,
            file_name: name_shown.len(),
            settings,
            origin,
            is_named,
            attached: None,
            sources,
        };
        match open(&mut opening) {
            Err(Error::Read(error)) => {
                sources.note(Some(Message::failed(name, &error)), Totals::failed())
            }
            other => other,
        }
    }

    /// Passes all sources in an attachment of a message to `sources`. `message` is the source that is the
    /// message or contains it.
    pub(super) fn open_attachment<W: Work>(
        &self,
        message: &Source,
        attachment: &Attachment<'_>,
        sources: Sources<'_, '_, W>,
    ) -> Result<(), Error> {
        let mut name = [message.name.whole(), b"!"].concat();
        if let Some(number) = attachment.member {
            name.extend(format!("{number}/").bytes());
        }
        name.extend(attachment.name());
        let mut opening = Opening {
            name: &name,
            file_name: message.name.file,
            settings: message.settings.clone(),
            origin: Origin::Archive,
            is_named: false,
            attached: Some(false),
            sources,
        };
        let take = &mut |item: Item<'_>| opening.take(item);
        self.opener()
            .open_attachment(attachment, &message.nesting, take)?;
        let is_unopened = opening.attached == Some(true);
        let mut totals = Totals::default();
        totals.unopened += u64::from(is_unopened && !self.is_verbose);
        sources.note(None, totals)
    }

    fn opener(&self) -> Opener {
        let mut opener = Opener::new(self.limits);
        opener.records = self.records;
        opener
    }
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

/// A file that is being opened; passes on its sources.
struct Opening<'o, 't, 'u, W: Work> {
    /// The name to show of the file, or of the attachment.
    name: &'o [u8],
    /// How much of that is the name of the file.
    file_name: usize,
    settings: FileSettings,
    origin: Origin,
    /// Whether the user has named the file.
    is_named: bool,
    /// Whether the attachment could not be opened, or not to its end; `None` if it is a file.
    attached: Option<bool>,
    sources: Sources<'t, 'u, W>,
}

impl<W: Work> Opening<'_, '_, '_, W> {
    fn name_of(&self, source: &archive::Source) -> Vec<u8> {
        match &source.member {
            Some(member) => {
                let joint: &[u8] = if self.attached.is_some() { b"/" } else { b"!" };
                [self.name, joint, member].concat()
            }
            None => self.name.to_vec(),
        }
    }

    fn take(&mut self, item: Item<'_>) -> Result<(), Error> {
        match item {
            Item::Source(source, content) => self.source(source, content),
            Item::Fault(source, fault, at) => self.fault(source, fault, at),
            Item::Skipped(source, why) => self.skipped(source, why),
        }
    }

    fn source(&mut self, source: &archive::Source, content: Content<'_>) -> Result<(), Error> {
        let whole = self.name_of(source);
        let path = below(&source.path, &self.sources.inputs.current);
        // Attachments do not have the kind of their message.
        let given = self.sources.inputs.kind.or(self.settings.kind);
        let given = given.filter(|_| self.attached.is_none());
        let opened = Source {
            path: (path != self.name).then(|| path.to_vec()),
            name: Arc::new(Name {
                whole,
                file: self.file_name,
            }),
            kind: given.or(source.kind),
            origin: if source.is_decoded {
                Origin::Archive
            } else {
                self.origin.clone()
            },
            settings: self.settings.clone(),
            record: source.record.clone(),
            json_fields: self.sources.inputs.json_fields.clone(),
            nesting: source.nesting.clone(),
        };
        let name = opened.name.clone();
        match self.sources.source(opened, content) {
            // The next member may take less.
            Err(Error::Read(error)) if error.kind() == io::ErrorKind::OutOfMemory => {
                let message = Message::failed_source(name.whole(), &error);
                self.sources.note(Some(message), Totals::failed())
            }
            visited => visited.and_then(|()| self.sources.note(None, Totals::read())),
        }
    }

    fn fault(&mut self, source: &archive::Source, fault: &Fault, at: u64) -> Result<(), Error> {
        // Mail has many that are cut off: they are counted.
        if self.attached.is_some() {
            self.attached = Some(true);
            if !self.sources.inputs.is_verbose {
                return Ok(());
            }
        }
        let totals = match self.attached {
            Some(_) => Totals::default(),
            None => Totals::failed(),
        };
        let (name, fault) = (self.name_of(source), fault.clone());
        self.sources
            .note(Some(Message::Faulty { name, fault, at }), totals)
    }

    fn skipped(&mut self, source: &archive::Source, why: Skipped<'_>) -> Result<(), Error> {
        let is_file = matches!(self.origin, Origin::File(_)) && source.member.is_none();
        let is_named_file = self.is_named && is_file;
        let totals = match source.member {
            _ if self.attached.is_some() => {
                if why.is_document() {
                    self.attached = Some(true);
                }
                Totals::default()
            }
            // A part of a file does not count as a skipped file.
            Some(_) => Totals {
                members: u64::from(why.is_document() && !self.sources.inputs.is_verbose),
                ..Totals::default()
            },
            None if is_named_file => Totals::failed(),
            None if why == Skipped::Unopened => Totals::skipped(Reason::Archive),
            None if why.is_document() => Totals::skipped(Reason::Document),
            None => Totals::skipped(Reason::Binary),
        };
        let message = (is_named_file || self.sources.inputs.is_verbose).then(|| Message::Skipped {
            name: self.name_of(source),
            reason: why.to_string(),
            may_be_text: is_named_file && matches!(why, Skipped::NotText(_)),
        });
        self.sources.note(message, totals)
    }
}

/// Returns `path` from the folder `current` on, if it is there: tests are known by their folders below.
fn below<'p>(path: &'p [u8], current: &Path) -> &'p [u8] {
    let below = path.strip_prefix(current.as_os_str().as_encoded_bytes());
    below
        .and_then(|below| below.strip_prefix(b"/"))
        .unwrap_or(path)
}
