//! Walks through the sources, and gives them to workers.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::chunks::{Chunks, ReadAt};
use super::dispatcher::{Dispatcher, Units};
use super::message::Message;
use super::open::Sources;
use super::reading::{Here, SMALL, read, read_text, start_of, take};
use super::stdin::stdin;
use super::text_batch::BatchedText;
use super::walk::{Step, Walk};
use super::{Error, Inputs, Opened, Reading, Source, Totals, Work, blocks};
use urlint_documents::read::{Content, Reader, Segment};

/// How long a chunk of a large file is, in bytes.
const CHUNK: u64 = 4 << 20;

/// The length of a chunk if lines are counted: then there is more in the results.
const CHUNK_OF_LINES: u64 = 1 << 20;

/// Walks through all sources.
pub(super) fn run<W: Work>(inputs: &Inputs, work: &W, units: &mut Units<W>) -> Result<(), Error> {
    let dispatcher = RefCell::new(Dispatcher::new(units, inputs));
    if inputs.threads == 1 {
        // All is read on this thread, as one unit.
        dispatcher.borrow_mut().own()?;
    }
    let mut sharing = Sharing {
        inputs,
        work,
        dispatcher: &dispatcher,
    };
    let mut walk = Walk::new(inputs);
    let found: Vec<_> = match inputs.replaces_files && inputs.paths.len() > 1 {
        true => walk.by_ref().collect(),
        false => Vec::new(),
    };
    for step in found.into_iter().chain(walk) {
        match step {
            Step::File(entry) => match entry.length {
                Some(length) if inputs.threads > 1 && is_small(work, length) => {
                    dispatcher.borrow_mut().file(entry, length)?;
                }
                length => {
                    // It may take any time to come.
                    if length.is_none() {
                        dispatcher.borrow_mut().flush()?;
                    }
                    inputs.open(&entry, inputs.threads, &mut sharing)?;
                }
            },
            Step::Stdin(name) => {
                if !sharing.stdin(&name)? {
                    break;
                }
            }
            Step::Note(message, totals) => sharing.note(message, totals)?,
        }
    }
    dispatcher.into_inner().flush()
}

/// Returns whether a regular file of that length is read as a whole, by one thread.
fn is_small<W: Work>(work: &W, length: u64) -> bool {
    length <= SMALL.max(work.whole_up_to()) as u64
}

/// Gives the sources of files to workers, or reads them here.
struct Sharing<'s, 'u, W: Work> {
    inputs: &'s Inputs,
    work: &'s W,
    dispatcher: &'s RefCell<Dispatcher<'u, W>>,
}

impl<W: Work> Sharing<'_, '_, W> {
    /// Reads standard input; returns false if the run has ended meanwhile.
    fn stdin(&mut self, name: &Path) -> Result<bool, Error> {
        let (inputs, dispatcher) = (self.inputs, self.dispatcher);
        let has_ended = Cell::new(false);
        // Results are sent before waiting for more input.
        let may_read = || {
            let flushed = dispatcher.borrow_mut().flush();
            flushed.is_ok() && inputs.stop.wait_for_stdin()
        };
        let reader = match stdin() {
            Ok(reader) => inputs.stdin.beginning.chain(reader),
            Err(error) => {
                self.note(Some(Message::failed(name, &error)), Totals::failed())?;
                return Ok(true);
            }
        };
        let mut reader = Guarded {
            reader,
            may_read: &may_read,
            has_ended: &has_ended,
        };
        inputs.open_stdin(name, &mut reader, self)?;
        Ok(!has_ended.get())
    }

    /// Gives a text to a worker, or reads it here if it is large.
    fn text(&self, text: BatchedText<W>, bytes: &[u8]) -> Result<(), Error> {
        if bytes.len() > SMALL || self.inputs.threads == 1 {
            let out = self.dispatcher.borrow_mut().own()?;
            return read_text(self.work, text, bytes, &out);
        }
        self.dispatcher.borrow_mut().text(text, bytes)
    }

    /// Gives the URLs of a source to workers, document by document or chunk by chunk.
    fn urls(
        &self,
        opened: &Arc<Opened<W>>,
        start: &[u8],
        rest: Content<'_>,
        file: Option<&File>,
    ) -> Result<(), Error> {
        if let Some(file) = file
            && is_worth_chunking(self.work, file, opened)
        {
            // The start is read again, and must not be counted twice.
            let read = &self.inputs.bytes_read;
            read.fetch_sub(start.len() as u64, Ordering::Relaxed);
            return self.chunks(opened, file);
        }
        let path = opened.source.path();
        opened
            .reader
            .documents(path, &mut start.chain(rest), &mut |segment| match segment {
                Segment::Document(document) => {
                    let text = BatchedText::Document(opened.clone(), document.with_text(&[]));
                    self.text(text, document.text())
                }
                Segment::Event(event) => {
                    let out = self.dispatcher.borrow_mut().own()?;
                    take(self.work, opened, None, event, &out)
                }
                _ => Ok(()),
            })
    }

    /// Gives a large file of plain text to workers, chunk by chunk.
    fn chunks(&self, opened: &Arc<Opened<W>>, file: &File) -> Result<(), Error> {
        let length = if opened.reader.positions {
            CHUNK_OF_LINES
        } else {
            CHUNK
        };
        for (chunk, next_line) in Chunks::new(opened.clone(), file.try_clone()?, length) {
            self.dispatcher.borrow_mut().chunk(chunk, next_line)?;
        }
        Ok(())
    }
}

impl<W: Work> Sources for Sharing<'_, '_, W> {
    fn source(
        &mut self,
        source: Source,
        mut content: Content<'_>,
        file: Option<&File>,
    ) -> Result<(), Error> {
        let work = self.work;
        if self.inputs.threads == 1 {
            let out = self.dispatcher.borrow_mut().own()?;
            let out = &out;
            return Here { work, out }.source(source, content, file);
        }
        let mut buffer = Vec::new();
        let (start, rest) = start_of(work, content.reborrow(), &mut buffer)?;
        let Some(rest) = rest else {
            return self.text(BatchedText::Source(source), start);
        };
        match work.begin(&source, start)? {
            // Chunks of a file are searched by the finder alone, which does not know the name.
            Reading::Urls(reader, state) => {
                let reader = reader.for_path(source.path());
                let opened = Arc::new(Opened::new(source, reader, state));
                self.urls(&opened, start, rest, file)
            }
            Reading::InOrder(reader, state) => {
                let opened = Opened::new(source, reader, state);
                let out = self.dispatcher.borrow_mut().own()?;
                let content = &mut start.chain(rest);
                read(work, &opened, content.into(), None, &out)
            }
            Reading::Lines => {
                let source = Arc::new(source);
                let take = &mut |lines: &[u8], line| {
                    self.text(BatchedText::Lines(source.clone(), line), lines)
                };
                blocks::each_block(start.chain(rest), take)
            }
            Reading::Done(results) => {
                let out = self.dispatcher.borrow_mut().own()?;
                out.send(results)
            }
        }
    }

    fn note(&mut self, message: Option<Message>, totals: Totals) -> Result<(), Error> {
        self.dispatcher.borrow_mut().note(message, totals)
    }
}

/// Returns whether the file is plain text and long enough to be searched in chunks.
fn is_worth_chunking<W: Work>(work: &W, file: &File, opened: &Opened<W>) -> bool {
    let data = file.metadata();
    let is_large = data.is_ok_and(|data| data.is_file() && !is_small(work, data.len()));
    let mut head = Vec::new();
    let mut start = ReadAt { file, at: 0 }.take(Reader::HEAD as u64);
    ReadAt::WORKS
        && is_large
        && start.read_to_end(&mut head).is_ok()
        && opened.reader.is_plain(opened.source.path(), &head)
}

/// A reader that asks before each read whether to go on.
struct Guarded<'g, R> {
    reader: R,
    may_read: &'g dyn Fn() -> bool,
    has_ended: &'g Cell<bool>,
}

impl<R: Read> Read for Guarded<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.has_ended.get() || !(self.may_read)() {
            self.has_ended.set(true);
            return Ok(0);
        }
        self.reader.read(out)
    }
}
