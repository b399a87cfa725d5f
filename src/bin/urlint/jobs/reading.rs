//! Reading sources and parts of them, each on the thread that has it.

use std::cell::RefCell;
use std::io::{self, Read};
use std::sync::atomic::Ordering;

use urlint::Event;
use urlint::document::{Notice, NoticeKind};
use urlint::find;
use urlint::read::Content;

use super::chunks::{NextLine, Scratch};
use super::emitter::{Emitter, Item};
use super::held::HeldText;
use super::{Context, FileChunk, Job, SharedSource, Unit, Work};
use crate::error::Error;
use crate::flags::read::message;
use crate::walk::{Entry, Input, Message, Totals, Walked};

/// The longest document that a worker gets as a whole, in bytes; a longer one would take too much memory.
pub(super) const SMALL: usize = 4 << 20;

/// Returns whether a regular file of that length is read as a whole, by one thread.
pub(super) fn is_small<W: Work>(length: u64) -> bool {
    length <= SMALL.max(W::START) as u64
}

/// Does the jobs of a unit.
pub(super) fn work_on<W: Work>(
    work: &W,
    unit: Unit<W>,
    scratch: &mut Scratch,
    emitter: Emitter<'_, W>,
) -> Result<(), Error> {
    let emitter = RefCell::new(emitter);
    for job in unit {
        match job {
            Job::File {
                path,
                name,
                is_named,
            } => {
                let entry = Entry {
                    path: &path,
                    name: &name,
                    is_named,
                    is_regular: true,
                };
                let opener = &work.context().opener;
                opener.file(&entry, 1, &mut |walked| read_here(work, walked, &emitter))?;
            }
            Job::Held(held) => {
                for (source, text) in held.texts() {
                    match read_held(work, source, &text, &emitter) {
                        Err(Error::Read(error)) => fail(source, &error, &emitter)?,
                        read => read?,
                    }
                }
                work.context().spare.give(held.into_bytes());
            }
            Job::Chunk(chunk, next_line) => {
                chunk.search(work, Some(next_line), 0, scratch, &emitter)?;
                let read = &work.context().opener.bytes_read;
                read.fetch_add(chunk.chunk.length(), Ordering::Relaxed);
            }
            Job::Item(item) => emitter.borrow_mut().send(item)?,
        }
    }
    emitter.borrow_mut().end()
}

/// Handles what the walk yields, and reads sources on this thread.
pub(super) fn read_here<W: Work>(
    work: &W,
    walked: Walked<'_>,
    emitter: &RefCell<Emitter<'_, W>>,
) -> Result<(), Error> {
    match walked {
        Walked::File(entry) => {
            if !entry.is_regular {
                emitter.borrow_mut().flush()?;
            }
            let opener = &work.context().opener;
            opener.file(&entry, 1, &mut |walked| read_here(work, walked, emitter))
        }
        Walked::Source(input, content) => read_source(work, input, content, emitter),
        Walked::Message(message) => {
            let mut emitter = emitter.borrow_mut();
            emitter.send(Item::Messages(vec![message]))
        }
        Walked::Count(totals) => emitter.borrow_mut().send(Item::Totals(totals)),
    }
}

/// Reads a source on this thread.
fn read_source<W: Work>(
    work: &W,
    input: &Input<'_>,
    mut content: Content<'_>,
    emitter: &RefCell<Emitter<'_, W>>,
) -> Result<(), Error> {
    let mut buffer = Vec::new();
    let (start, rest) = start_of::<W>(content.reborrow(), &mut buffer)?;
    let source = SharedSource::open(work, input, rest.is_none());
    let Some(rest) = rest else {
        return read_whole(work, &source, start, emitter);
    };
    work.begin(&source, start);
    let all = &mut start.chain(rest);
    read(work, &source, all.into(), None, emitter)
}

/// Reads a text that is in memory, on this thread.
pub(super) fn read_held<W: Work>(
    work: &W,
    source: &SharedSource<W>,
    text: &HeldText<'_>,
    emitter: &RefCell<Emitter<'_, W>>,
) -> Result<(), Error> {
    match text {
        HeldText::Whole(bytes) => read_whole(work, source, bytes, emitter),
        HeldText::Document(document) => source.reader.document(document, &mut |event| {
            take(work, source, None, event, &mut emitter.borrow_mut())
        }),
    }
}

fn read_whole<W: Work>(
    work: &W,
    source: &SharedSource<W>,
    bytes: &[u8],
    emitter: &RefCell<Emitter<'_, W>>,
) -> Result<(), Error> {
    work.begin(source, bytes);
    read(work, source, bytes.into(), Some(bytes), emitter)?;
    work.end(source, bytes, &mut emitter.borrow_mut())
}

fn read<W: Work>(
    work: &W,
    source: &SharedSource<W>,
    content: Content<'_>,
    whole: Option<&[u8]>,
    emitter: &RefCell<Emitter<'_, W>>,
) -> Result<(), Error> {
    source.reader.read(&source.path, content, &mut |event| {
        take(work, source, whole, event, &mut emitter.borrow_mut())
    })
}

/// Handles an event of a source.
pub(super) fn take<W: Work>(
    work: &W,
    source: &SharedSource<W>,
    whole: Option<&[u8]>,
    event: Event<'_>,
    emitter: &mut Emitter<'_, W>,
) -> Result<(), Error> {
    match event {
        Event::Found(found) => work.found(source, whole, &found, emitter),
        Event::Notice(notice) => notify(work.context(), &source.name.whole, &notice, emitter),
        _ => Ok(()),
    }
}

/// Sends a notice about the source `name`. Unless all are printed, warnings are only counted.
fn notify<W: Work>(
    context: &Context,
    name: &[u8],
    notice: &Notice,
    emitter: &mut Emitter<'_, W>,
) -> Result<(), Error> {
    match (context.verbosity.is_verbose(), notice.kind) {
        (false, NoticeKind::Skipped) => Ok(()),
        (false, _) => emitter.send(Item::Totals(Totals::NOTICE)),
        (true, _) => {
            let message = Message::Line(message(name, notice));
            emitter.send(Item::Messages(vec![message]))
        }
    }
}

/// Sends why a source could not be read.
fn fail<W: Work>(
    source: &SharedSource<W>,
    error: &io::Error,
    emitter: &RefCell<Emitter<'_, W>>,
) -> Result<(), Error> {
    let name = String::from_utf8_lossy(&source.name.whole);
    let message = Message::Line(format!("{name}: {error}"));
    let mut emitter = emitter.borrow_mut();
    emitter.send(Item::Messages(vec![message]))?;
    emitter.send(Item::Totals(Totals::FAILED))
}

/// Returns the start of a source, and the rest unless the start is all of it.
pub(super) fn start_of<'c, W: Work>(
    mut content: Content<'c>,
    buffer: &'c mut Vec<u8>,
) -> io::Result<(&'c [u8], Option<Content<'c>>)> {
    if let Some(bytes) = content.in_memory() {
        return Ok((bytes, None));
    }
    if W::START == 0 {
        return Ok((b"", Some(content)));
    }
    let limit = W::START as u64 + 1;
    content.by_ref().take(limit).read_to_end(buffer)?;
    let goes_on = buffer.len() > W::START;
    Ok((buffer, goes_on.then_some(content)))
}

impl<W: Work> FileChunk<W> {
    /// Searches the chunk again if its results are wrong because the last candidate before it ends
    /// inside it, at the offset `reached`. Returns whether it searched.
    pub(super) fn search_again(
        &self,
        work: &W,
        reached: u64,
        emitter: &RefCell<Emitter<'_, W>>,
    ) -> Result<bool, Error> {
        let start = self.chunk.start;
        if start == 0 || reached <= start {
            return Ok(false);
        }
        self.search(work, None, reached, &mut Scratch::default(), emitter)?;
        Ok(true)
    }

    /// Searches the chunk after the offset `reached`.
    fn search(
        &self,
        work: &W,
        next_line: Option<NextLine>,
        reached: u64,
        scratch: &mut Scratch,
        emitter: &RefCell<Emitter<'_, W>>,
    ) -> Result<(), Error> {
        let reader = &self.source.reader;
        let visit = &mut |found: find::Located<'_>| {
            let found = reader.found_in_text(found);
            work.found(&self.source, None, &found, &mut emitter.borrow_mut())
        };
        let counts = reader.positions;
        let searched =
            (self.chunk).search(&reader.finder, counts, next_line, reached, scratch, visit);
        let reached = match searched {
            Err(Error::Read(error)) => {
                fail(&self.source, &error, emitter)?;
                // Nothing is read after an error, so the chunks that follow have no results.
                u64::MAX
            }
            searched => searched?,
        };
        emitter.borrow_mut().send(Item::Reached(reached))
    }
}
