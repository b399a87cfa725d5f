//! What there is to do, and doing it: from sources to rows.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};

use urlint::{Event, Portion, Position, Reading, Stretch};

use super::Extract;
use super::outlet::{Outlet, Piece};
use super::rows::Rows;
use crate::cli::Error;
use crate::cli::interrupt::Interrupt;
use crate::input::{Found, Input, Opening, Tally, Told, Visitor};
use crate::source::Part;

/// Lines are counted in so many bytes at once.
const COUNTED: usize = 256 << 10;

/// All that is needed to do any of the work, for all threads.
pub(super) struct Office {
    pub(super) asked: &'static Extract,
    pub(super) rows: Rows,
    pub(super) opening: Opening<'static>,
    /// Whether lines and columns are counted.
    pub(super) positions: bool,
    pub(super) interrupt: Interrupt,
}

/// What a source goes by.
#[derive(Debug)]
pub(super) struct Named {
    name: Vec<u8>,
    file: Vec<u8>,
    member: Option<Vec<u8>>,
}

impl Named {
    pub(super) fn of(input: &Input<'_>) -> Self {
        Named {
            name: input.name.to_vec(),
            file: input.file.to_vec(),
            member: input.member.map(<[u8]>::to_vec),
        }
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
        reading: Reading,
        portion: Portion,
    },
    /// This is to be handed on.
    Piece(Piece),
}

/// A stretch of a large file.
pub(super) struct Large {
    pub(super) named: Arc<Named>,
    pub(super) file: Arc<File>,
    pub(super) reading: Reading,
    pub(super) start: u64,
    pub(super) end: u64,
    /// The line that begins at its start, once whoever has the stretch before it has counted.
    pub(super) line: Arc<OnceLock<u64>>,
    /// The line that begins at its end.
    pub(super) next_line: Arc<OnceLock<u64>>,
}

impl Office {
    /// Does a job. The documents that were read go to `spare`, since their room can be used again.
    pub(super) fn job(
        &self,
        job: Job,
        outlet: &RefCell<Outlet<'static>>,
        spare: &Sender<Portion>,
    ) -> Result<(), Error> {
        match job {
            Job::File {
                path,
                name,
                only_text,
            } => {
                let found = Found {
                    path: &path,
                    name: &name,
                    only_text,
                };
                let mut scribe = Scribe {
                    office: self,
                    outlet,
                };
                self.opening.file(&found, &mut scribe)
            }
            Job::Documents {
                named,
                reading,
                portion,
            } => {
                let mut outlet = outlet.borrow_mut();
                let mut take = |event: Event<'_>| self.event(&named, event, &mut outlet);
                for document in portion.documents() {
                    reading.document(&document, &mut take)?;
                }
                // Without the driver nobody needs it.
                let _ = spare.send(portion);
                Ok(())
            }
            Job::Piece(piece) => outlet.borrow_mut().send(piece),
        }
    }

    /// Searches a stretch of a file behind the offset `reached`, through `buffer`; returns where its
    /// last candidate ends.
    pub(super) fn stretch(
        &self,
        large: &Large,
        reached: u64,
        buffer: &mut Vec<u8>,
        outlet: &mut Outlet<'_>,
    ) -> Result<u64, Error> {
        if reached > large.end {
            return Ok(reached);
        }
        let line = match self.positions {
            true => *large.line.wait(),
            false => 1,
        };
        let stretch = Stretch {
            start: large.start,
            end: large.end,
            line,
        };
        let reader = FileFrom {
            file: &large.file,
            at: stretch.reads_from(),
        };
        let stream = large.reading.finder.stream(reader);
        let stream = stream.with_buffer(std::mem::take(buffer));
        let stream = match self.positions {
            true => stream.with_context(),
            false => stream,
        };
        let mut stream = stream.within(stretch.behind(reached));
        let reached = loop {
            match stream.next_found() {
                Ok(Some(found)) => self.event(&large.named, Event::Found(found), outlet)?,
                Ok(None) => break stream.reached(),
                Err(error) => {
                    let name = String::from_utf8_lossy(&large.named.name);
                    let message = Told::Line(format!("{name}: {error}"));
                    outlet.send(Piece::Told(message))?;
                    outlet.send(Piece::Count(Tally::FAILED))?;
                    // As nothing is read behind a fault, the stretches that follow have nothing.
                    break u64::MAX;
                }
            }
        };
        *buffer = stream.into_buffer();
        Ok(reached)
    }

    /// Counts the lines of a stretch, for whoever has the next.
    pub(super) fn count_lines(&self, large: &Large, buffer: &mut Vec<u8>) {
        if !self.positions || large.end == u64::MAX {
            return;
        }
        let mut reader = FileFrom {
            file: &large.file,
            at: large.start,
        };
        let room = buffer.len().max(COUNTED);
        buffer.resize(room, 0);
        let mut position = Position::default();
        let mut behind_cr = false;
        while reader.at < large.end {
            let left = usize::try_from(large.end - reader.at).unwrap_or(usize::MAX);
            let most = left.min(buffer.len());
            // What cannot be read now cannot be read when it is searched, and nothing behind it is.
            let Ok(count @ 1..) = reader.read(&mut buffer[..most]) else {
                break;
            };
            let text = &buffer[..count];
            // The CR has ended the line already.
            let text = match text {
                [b'\n', rest @ ..] if behind_cr => rest,
                text => text,
            };
            position = position.after(text);
            behind_cr = buffer[count - 1] == b'\r';
        }
        // Set once, by whoever does the stretch.
        let _ = large.next_line.set(large.line.wait() + position.line - 1);
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
                if !self.asked.pick.takes(&found.candidate) {
                    return Ok(());
                }
                let part = Part {
                    member: named.member.as_deref(),
                    message: found.member,
                };
                outlet.write(|batch| self.rows.add(batch, &named.file, part, &found))
            }
            Event::Notice(notice) => match self.asked.reader.told(&named.name, &notice) {
                Some(message) => outlet.send(Piece::Told(Told::Line(message))),
                None => Ok(()),
            },
        }
    }
}

/// Reads sources where they come.
pub(super) struct Scribe<'x> {
    pub(super) office: &'x Office,
    pub(super) outlet: &'x RefCell<Outlet<'static>>,
}

impl Visitor for Scribe<'_> {
    fn source(&mut self, input: &Input<'_>, reader: &mut dyn Read) -> Result<(), Error> {
        let office = self.office;
        let named = Named::of(input);
        let reading = office.asked.reader.reading(input, office.positions);
        reading.read(input.path, reader, &mut |event| {
            office.event(&named, event, &mut self.outlet.borrow_mut())
        })
    }

    fn tell(&mut self, told: Told) -> Result<(), Error> {
        self.outlet.borrow_mut().send(Piece::Told(told))
    }

    fn count(&mut self, tally: Tally) -> Result<(), Error> {
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
