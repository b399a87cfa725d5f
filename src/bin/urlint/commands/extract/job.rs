//! What there is to do, and doing it: from sources to rows.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};

use urlint::find::{Chunk, StreamOptions};
use urlint::read::Batch;
use urlint::{Event, NoticeKind, Position, Reader};

use super::Extract;
use super::outlet::{Outlet, Piece};
use super::rows::Rows;
use crate::commands::interrupt::Interrupt;
use crate::config::FileSettings;
use crate::error::Error;
use crate::report::excerpt::Part;
use crate::walk::{Entry, Input, Message, Opener, Totals, Visitor};

/// Of a stretch no more bytes are held than these.
const HELD: u64 = 4 << 20;

/// The lines of a longer one are counted in so many bytes at once.
const COUNTED: u64 = 256 << 10;

/// Room for the bytes of one stretch after another.
#[derive(Default)]
pub(super) struct Room {
    /// Beginning where the stretch is read from, as much as has been read.
    pub(super) text: Vec<u8>,
    window: Vec<u8>,
}

/// All that is needed to do any of the work, for all threads.
pub(super) struct Office {
    pub(super) asked: &'static Extract,
    pub(super) rows: Rows,
    pub(super) opening: Opener<'static>,
    /// Whether lines and columns are counted.
    pub(super) positions: bool,
    pub(super) interrupt: Interrupt,
}

/// What a source goes by, and what holds for it.
#[derive(Debug)]
pub(super) struct Named {
    settings: FileSettings,
    name: Vec<u8>,
    file: Vec<u8>,
    member: Option<Vec<u8>>,
}

impl Named {
    pub(super) fn of(input: &Input<'_>) -> Self {
        Named {
            settings: input.settings.clone(),
            name: input.name.to_vec(),
            file: input.file.to_vec(),
            member: input.member.map(<[u8]>::to_vec),
        }
    }

    /// What is handed on behind all of the source, if something is.
    pub(super) fn end(&self, reader: &Reader) -> Option<Piece> {
        let has_lines = !reader.json_fields.is_empty();
        has_lines.then(|| Piece::SourceEnd(self.name.clone()))
    }
}

/// Something to do that is small.
pub(super) enum Job {
    /// A file is to be read.
    File {
        path: PathBuf,
        name: PathBuf,
        only_text: bool,
    },
    /// Documents are to be read.
    Documents {
        named: Arc<Named>,
        reader: Reader,
        documents: Batch,
    },
    /// This is to be handed on.
    Piece(Piece),
}

/// A stretch of a large file.
pub(super) struct Large {
    pub(super) named: Arc<Named>,
    pub(super) file: Arc<File>,
    pub(super) reader: Reader,
    pub(super) start: u64,
    pub(super) end: u64,
    /// The line that begins at its start, once whoever has the stretch before it has counted.
    pub(super) line: Arc<OnceLock<u64>>,
    /// The line that begins at its end.
    pub(super) next_line: Arc<OnceLock<u64>>,
}

impl Large {
    fn chunk(&self, line: u64) -> Chunk {
        Chunk {
            start: self.start,
            end: self.end,
            line,
        }
    }
}

impl Office {
    /// Does a job. The documents that were read go to `spare`, since their room can be used again.
    pub(super) fn job(
        &self,
        job: Job,
        outlet: &RefCell<Outlet<'static>>,
        spare: &Sender<Batch>,
    ) -> Result<(), Error> {
        match job {
            Job::File {
                path,
                name,
                only_text,
            } => {
                let entry = Entry {
                    path: &path,
                    name: &name,
                    only_text,
                };
                let mut scribe = Scribe {
                    office: self,
                    outlet,
                };
                self.opening.file(&entry, &mut scribe)
            }
            Job::Documents {
                named,
                reader,
                documents,
            } => {
                let mut outlet = outlet.borrow_mut();
                let mut take = |event: Event<'_>| self.event(&named, event, &mut outlet);
                for document in documents.documents() {
                    reader.document(&document, &mut take)?;
                }
                // Without the driver nobody needs it.
                let _ = spare.send(documents);
                Ok(())
            }
            Job::Piece(piece) => outlet.borrow_mut().send(piece),
        }
    }

    /// Searches a stretch of a file behind the offset `reached`; returns where its last candidate
    /// ends. `room.text` is what has been read of it.
    pub(super) fn stretch(
        &self,
        large: &Large,
        reached: u64,
        room: &mut Room,
        outlet: &mut Outlet<'_>,
    ) -> Result<u64, Error> {
        if reached > large.end {
            return Ok(reached);
        }
        let chunk = large.chunk(match self.positions {
            true => *large.line.wait(),
            false => 1,
        });
        let rest = FileFrom {
            file: &large.file,
            at: chunk.reads_from() + room.text.len() as u64,
        };
        let mut options = StreamOptions::default()
            .within(chunk, reached)
            .with_buffer(std::mem::take(&mut room.window));
        options.context = self.positions;
        let text = room.text.chain(rest);
        let mut stream = large.reader.finder.stream_with(text, options);
        let reached = loop {
            match stream.next_found() {
                Ok(Some(found)) => self.event(&large.named, Event::Found(found.into()), outlet)?,
                Ok(None) => break stream.reached(),
                Err(error) => {
                    let name = String::from_utf8_lossy(&large.named.name);
                    let message = Message::Line(format!("{name}: {error}"));
                    outlet.send(Piece::Message(vec![message]))?;
                    outlet.send(Piece::Count(Totals::FAILED))?;
                    // As nothing is read behind a fault, the stretches that follow have nothing.
                    break u64::MAX;
                }
            }
        };
        room.window = stream.into_buffer();
        Ok(reached)
    }

    /// Counts the lines of a stretch, for whoever has the next. What has been read for that is kept
    /// in `text` if it is not too long.
    pub(super) fn count_lines(&self, large: &Large, text: &mut Vec<u8>) {
        text.clear();
        if !self.positions || large.end == u64::MAX {
            return;
        }
        let at = large.chunk(1).reads_from();
        let length = large.end - at;
        let at_once = if length <= HELD { length } else { COUNTED };
        let file = &large.file;
        let mut reader = FileFrom { file, at }.take(length);
        let mut before = (large.start - at) as usize;
        let (mut line, mut behind_cr) = (0, false);
        loop {
            text.clear();
            // What cannot be read now cannot be read when it is searched, and nothing behind it is.
            let read = (&mut reader).take(at_once).read_to_end(text);
            let mut counted = &text[before.min(text.len())..];
            if behind_cr && counted.first() == Some(&b'\n') {
                counted = &counted[1..];
            }
            line += Position::default().after(counted).line - 1;
            if read.is_err() || text.len() as u64 != at_once || at_once == length {
                break;
            }
            (before, behind_cr) = (0, text.last() == Some(&b'\r'));
        }
        if at_once < length {
            text.clear();
        }
        // Set once, by whoever does the stretch.
        let _ = large.next_line.set(large.line.wait() + line);
    }

    /// Takes note of a stretch that has been read.
    pub(super) fn has_read(&self, large: &Large) {
        let end = match large.end {
            u64::MAX => large.file.metadata().map_or(large.start, |data| data.len()),
            end => end,
        };
        let read = end.saturating_sub(large.start);
        self.opening.bytes_read.fetch_add(read, Ordering::Relaxed);
    }

    /// Takes what came up in a source.
    pub(super) fn event(
        &self,
        named: &Named,
        event: Event<'_>,
        outlet: &mut Outlet<'_>,
    ) -> Result<(), Error> {
        match event {
            Event::Found(found) => {
                let settings = named.settings.lint();
                if !self.asked.filter.accepts(&found, settings) {
                    return Ok(());
                }
                let part = Part {
                    member: named.member.as_deref(),
                    message: found.member,
                };
                let place = (&*named.file, part);
                outlet.write(|batch| self.rows.add(batch, place, &found, settings))
            }
            Event::Notice(notice) => {
                let told = || self.asked.reader.message(&named.name, &notice);
                if notice.kind == NoticeKind::Line {
                    return outlet.bad_line(notice.span.start, || told().unwrap_or_default());
                }
                match told() {
                    Some(message) => outlet.send(Piece::Message(vec![Message::Line(message)])),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

/// Reads sources where they come.
pub(super) struct Scribe<'x> {
    pub(super) office: &'x Office,
    pub(super) outlet: &'x RefCell<Outlet<'static>>,
}

impl Visitor for Scribe<'_> {
    fn source(&mut self, input: &Input<'_>, source: &mut dyn Read) -> Result<(), Error> {
        let office = self.office;
        let named = Named::of(input);
        let reader = office.asked.reader.reader(input, office.positions);
        let done = reader.read(input.path, source, &mut |event| {
            office.event(&named, event, &mut self.outlet.borrow_mut())
        });
        if let Some(end) = named.end(&reader) {
            self.outlet.borrow_mut().send(end)?;
        }
        done
    }

    fn message(&mut self, message: Message) -> Result<(), Error> {
        self.outlet.borrow_mut().send(Piece::Message(vec![message]))
    }

    fn count(&mut self, tally: Totals) -> Result<(), Error> {
        self.outlet.borrow_mut().send(Piece::Count(tally))
    }
}

/// Reads a file from a place on, whatever others read of it.
pub(super) struct FileFrom<'f> {
    pub(super) file: &'f File,
    pub(super) at: u64,
}

impl Read for FileFrom<'_> {
    #[cfg(unix)]
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = std::os::unix::fs::FileExt::read_at(self.file, out, self.at)?;
        self.at += read as u64;
        Ok(read)
    }

    #[cfg(not(unix))]
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
