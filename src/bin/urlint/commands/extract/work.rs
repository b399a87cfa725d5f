//! From sources to rows: what the threads do.

use std::cell::RefCell;
use std::fs::File;
use std::io::Read;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use urlint::config::FileSettings;
use urlint::document::WebRecord;
use urlint::find::Found;
use urlint::list::Place;
use urlint::parallel::Promise;
use urlint::parallel::text::{Chunk, Chunks, ReadAt, Scratch};
use urlint::read::{self, Document, Share};
use urlint::{Event, Reader};

use super::batch::Batch;
use super::resume::Past;
use super::rows::Rows;
use crate::commands::filter::FilterArgs;
use crate::commands::jobs;
use crate::commands::jobs::{COST_OF_JOB, Context, Emitter, Item, Job, Name, Scheduler, Work};
use crate::error::Error;
use crate::walk::{Entry, Input, Message, Totals};

/// The longest file or document that is given to a worker whole, in bytes: a longer one would take
/// too much memory, or can be given out in parts.
const SMALL: u64 = 4 << 20;

/// How long a chunk of a large file is, in bytes.
const CHUNK: u64 = 4 << 20;

/// How long it is where lines are counted, and rows are longer.
const CHUNK_OF_LINES: u64 = 1 << 20;

/// What all threads know about the list.
pub(super) struct Listing {
    pub(super) context: Context,
    pub(super) filter: &'static FilterArgs,
    pub(super) rows: Rows,
    /// Whether lines and columns are counted.
    pub(super) positions: bool,
    /// How many rows are handed on at once, if not more than that may be wanted.
    enough: u64,
    /// The files that an earlier run has read.
    past: Option<Mutex<Past>>,
    spare: Spare,
}

/// The memory of documents that have been read, to be used for others.
struct Spare {
    read: Sender<read::Batch>,
    empty: Mutex<Receiver<read::Batch>>,
}

/// A source of which parts are read by several threads.
#[derive(Debug)]
pub(super) struct Source {
    name: Arc<Name>,
    settings: FileSettings,
    reader: Reader,
    record: Option<Arc<WebRecord>>,
}

/// A part of a source.
pub(super) enum SourcePart {
    Documents(Documents),
    /// A chunk of a large file of plain text, and the promise of the line after it.
    Chunk(Arc<FileChunk>, Promise<u64>),
}

/// Documents that have been read into memory, of one source after another: most sources in a web
/// archive are short.
pub(super) struct Documents {
    batch: read::Batch,
    /// Each source, and how many documents it has.
    sources: Vec<(Arc<Source>, usize)>,
}

/// A chunk of a large file of plain text.
pub(super) struct FileChunk {
    source: Arc<Source>,
    chunk: Chunk,
}

impl Source {
    /// What is handed on after all of the source, if something is.
    fn end(&self) -> Option<Item<Listing>> {
        let has_lines = !self.reader.json_fields.is_empty();
        has_lines.then(|| Item::SourceEnd(self.name.whole.clone()))
    }
}

impl Documents {
    /// Adds a copy of a document.
    fn add(&mut self, source: &Arc<Source>, document: &Document<'_>) {
        self.batch.add(document);
        match self.sources.last_mut() {
            Some((last, count)) if Arc::ptr_eq(last, source) => *count += 1,
            _ => self.sources.push((source.clone(), 1)),
        }
    }
}

impl Spare {
    fn take(&self) -> read::Batch {
        let empty = self.empty.lock().unwrap_or_else(PoisonError::into_inner);
        let mut portion = empty.try_recv().unwrap_or_default();
        portion.clear();
        portion
    }
}

impl Listing {
    /// `enough` is how many rows are all that are wanted, if that is known, `past` what an earlier run
    /// has read.
    pub(super) fn new(
        context: Context,
        filter: &'static FilterArgs,
        rows: Rows,
        enough: Option<u64>,
        past: Option<Past>,
    ) -> Self {
        let (read, empty) = mpsc::channel();
        Listing {
            context,
            filter,
            positions: rows.are_placed(),
            rows,
            enough: enough.unwrap_or(u64::MAX),
            past: past.map(Mutex::new),
            spare: Spare {
                read,
                empty: Mutex::new(empty),
            },
        }
    }

    fn past(&self) -> Option<MutexGuard<'_, Past>> {
        let past = self.past.as_ref()?.lock();
        Some(past.unwrap_or_else(PoisonError::into_inner))
    }

    /// Checks that all files came that an earlier run has read.
    pub(super) fn check_past(&self) -> Result<(), Error> {
        self.past().map_or(Ok(()), |mut past| past.end())
    }

    fn of(&self, input: &Input<'_>) -> Arc<Source> {
        Arc::new(Source {
            name: Name::of(input),
            settings: input.settings.clone(),
            reader: self
                .context
                .reader
                .reader(input, self.positions)
                .with_links(self.rows.need_links()),
            record: input.record.cloned(),
        })
    }

    /// Takes what came up in a source.
    fn event(
        &self,
        source: &Source,
        event: Event<'_>,
        emitter: &mut Emitter<'_, Self>,
    ) -> Result<(), Error> {
        match event {
            Event::Found(found) => {
                let Source {
                    name,
                    settings,
                    record,
                    ..
                } = source;
                let settings = settings.lint();
                if !self.filter.accepts(&found, settings) {
                    return Ok(());
                }
                let place = Place::new(&name.file, name.member.as_deref());
                let place = place.with_record(record.as_deref());
                let mut is_enough = false;
                emitter.write(|batch| {
                    self.rows.add(batch, place, &found, settings);
                    is_enough = batch.count >= self.enough;
                })?;
                if is_enough {
                    emitter.flush()?;
                }
                Ok(())
            }
            Event::Notice(notice) => {
                jobs::notice(&self.context, &source.name.whole, &notice, emitter)
            }
            _ => Ok(()),
        }
    }

    /// Gives out a large file of plain text chunk by chunk.
    fn chunks(
        &self,
        source: &Arc<Source>,
        file: &File,
        scheduler: &RefCell<Scheduler<'_, Self>>,
    ) -> Result<(), Error> {
        let length = if self.positions {
            CHUNK_OF_LINES
        } else {
            CHUNK
        };
        for (chunk, next_line) in Chunks::new(file.try_clone()?, length) {
            let chunk = Arc::new(FileChunk {
                source: source.clone(),
                chunk,
            });
            let part = SourcePart::Chunk(chunk.clone(), next_line);
            scheduler.borrow_mut().chunk(Item::Chunk(chunk), part)?;
        }
        Ok(())
    }

    /// Gives out a document, or reads it here if it is large.
    fn document(
        &self,
        source: &Arc<Source>,
        document: &Document<'_>,
        scheduler: &RefCell<Scheduler<'_, Self>>,
    ) -> Result<(), Error> {
        let length = document.len() as u64;
        if length > SMALL {
            let emitter = scheduler.borrow_mut().emitter()?;
            return source.reader.document(document, &mut |event| {
                self.event(source, event, &mut emitter.borrow_mut())
            });
        }
        let mut scheduler = scheduler.borrow_mut();
        if let Some(Job::Part(SourcePart::Documents(documents))) = scheduler.last() {
            documents.add(source, document);
            return scheduler.weigh(length + COST_OF_JOB);
        }
        let mut documents = Documents {
            batch: self.spare.take(),
            sources: Vec::new(),
        };
        documents.add(source, document);
        let part = SourcePart::Documents(documents);
        scheduler.add(Job::Part(part), length + COST_OF_JOB)
    }

    /// Searches a chunk after the offset `reached`.
    fn search(
        &self,
        chunk: &FileChunk,
        next_line: Option<Promise<u64>>,
        reached: u64,
        scratch: &mut Scratch,
        emitter: &RefCell<Emitter<'_, Self>>,
    ) -> Result<(), Error> {
        let source = &*chunk.source;
        let (finder, counts) = (&source.reader.finder, (self.positions, next_line));
        let visit = &mut |found: Found<'_>| {
            let event = Event::Found(found.into());
            self.event(source, event, &mut emitter.borrow_mut())
        };
        let searched = chunk.chunk.search(finder, counts, reached, scratch, visit);
        let mut emitter = emitter.borrow_mut();
        let reached = match searched {
            Err(Error::Read(error)) => {
                let name = String::from_utf8_lossy(&source.name.whole);
                let message = Message::Line(format!("{name}: {error}"));
                emitter.send(Item::Messages(vec![message]))?;
                emitter.send(Item::Totals(Totals::FAILED))?;
                // As nothing is read after a fault, the chunks that follow have nothing.
                u64::MAX
            }
            searched => searched?,
        };
        emitter.send(Item::Reached(reached))
    }
}

impl Work for Listing {
    type Batch = Batch;
    type Part = SourcePart;
    type Chunk = FileChunk;
    type Scratch = Scratch;

    fn context(&self) -> &Context {
        &self.context
    }

    fn begins(&self, entry: &Entry<'_>) -> Result<bool, Error> {
        match self.past() {
            Some(mut past) => past.begins(entry, self.context.opener.configs()),
            None => Ok(true),
        }
    }

    fn ends(&self) -> Option<Item<Self>> {
        Some(Item::FileEnd(self.past()?.ends()))
    }

    fn is_for_workers(&self, length: u64) -> bool {
        length <= SMALL
    }

    fn source(
        &self,
        input: &Input<'_>,
        content: &mut dyn Read,
        emitter: &RefCell<Emitter<'_, Self>>,
    ) -> Result<(), Error> {
        let source = self.of(input);
        let visit = &mut |event: Event<'_>| self.event(&source, event, &mut emitter.borrow_mut());
        let read = match input.bytes {
            Some(bytes) => source.reader.read_bytes(input.path, bytes, visit),
            None => source.reader.read(input.path, content, visit),
        };
        if let Some(end) = source.end() {
            emitter.borrow_mut().send(end)?;
        }
        read
    }

    fn share(
        &self,
        input: &Input<'_>,
        content: &mut dyn Read,
        scheduler: &RefCell<Scheduler<'_, Self>>,
    ) -> Result<(), Error> {
        let source = self.of(input);
        if let Some(file) = input.whole
            && is_worth_cutting(file, input.path, &source.reader)
        {
            return self.chunks(&source, file, scheduler);
        }
        let visit = &mut |share: Share<'_>| match share {
            Share::Document(document) => self.document(&source, &document, scheduler),
            Share::Event(event) => {
                let emitter = scheduler.borrow_mut().emitter()?;
                self.event(&source, event, &mut emitter.borrow_mut())
            }
            _ => Ok(()),
        };
        let shared = match input.bytes {
            Some(bytes) => source.reader.share_bytes(input.path, bytes, visit),
            None => source.reader.share(input.path, content, visit),
        };
        if let Some(end) = source.end() {
            scheduler.borrow_mut().item(end)?;
        }
        shared
    }

    fn part(
        &self,
        part: SourcePart,
        scratch: &mut Scratch,
        emitter: &RefCell<Emitter<'_, Self>>,
    ) -> Result<(), Error> {
        match part {
            SourcePart::Documents(Documents { batch, sources }) => {
                let mut documents = batch.documents();
                for (source, count) in &sources {
                    for document in documents.by_ref().take(*count) {
                        source.reader.document(&document, &mut |event| {
                            self.event(source, event, &mut emitter.borrow_mut())
                        })?;
                    }
                }
                drop(documents);
                // Nobody needs it any more if this fails.
                let _ = self.spare.read.send(batch);
                Ok(())
            }
            SourcePart::Chunk(chunk, next_line) => {
                self.search(&chunk, Some(next_line), 0, scratch, emitter)?;
                let read = &self.context.opener.bytes_read;
                read.fetch_add(chunk.chunk.length(), Ordering::Relaxed);
                Ok(())
            }
        }
    }

    fn search_again(
        &self,
        chunk: &FileChunk,
        reached: u64,
        emitter: &RefCell<Emitter<'_, Self>>,
    ) -> Result<bool, Error> {
        let start = chunk.chunk.start;
        if start == 0 || reached <= start {
            return Ok(false);
        }
        self.search(chunk, None, reached, &mut Scratch::default(), emitter)?;
        Ok(true)
    }
}

/// Whether the file is plain text and long enough to be searched in chunks.
fn is_worth_cutting(file: &File, path: &[u8], reader: &Reader) -> bool {
    let data = file.metadata();
    let is_large = data.is_ok_and(|data| data.is_file() && data.len() > SMALL);
    let mut head = Vec::new();
    let mut start = ReadAt { file, at: 0 }.take(Reader::HEAD as u64);
    ReadAt::WORKS
        && is_large
        && start.read_to_end(&mut head).is_ok()
        && reader.is_plain(path, &head)
}
