//! The URLs that occur unbroken in all sources, gathered while these are read.
//!
//! Until all sources have been read, nobody knows which URLs are unbroken in the others. So a text is left where it
//! asks for one, and [kept](Kept), and all results wait. Then these texts are read again, and the results go their way
//! in order. If there is too much to keep, all sources are read twice.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::{fmt, mem};

use super::kept::Kept;
use super::out::{Out, Results};
use super::text_batch::Part;
use super::{Inputs, Origin, Source, Work, lock};
use urlint_documents::document::Kind;
use urlint_documents::read::{Places, Reader, unbroken};
use urlint_find::{Awaited, Unbroken, Witnesses};

impl Inputs {
    /// Returns an empty gathering of the URLs that occur unbroken in the inputs, with their places if
    /// `are_placed`; `None` if the inputs cannot be read twice.
    pub fn gathering<W: Work>(&self, are_placed: bool) -> Option<Gathering<W>> {
        self.are_readable_twice().then(|| Gathering {
            is_single: matches!(&self.paths[..], [path] if path.is_file() || self.has_stdin()),
            witnesses: Mutex::default(),
            unbroken: Mutex::default(),
            places: are_placed.then(Mutex::default),
            documents: AtomicUsize::new(0),
            awaited: Awaited::default(),
            known_places: OnceLock::new(),
            kept: Mutex::default(),
            // Known diagnostics are counted from the first URL of a source to the last.
            has_given_up: AtomicBool::new(!self.facts.known.is_empty()),
        })
    }
}

/// How many entries wait to be added to the witnesses.
const MANY: usize = 1 << 12;

/// The URLs that occur unbroken in all sources, which several threads gather, and the results and texts that wait for
/// them.
pub struct Gathering<W: Work> {
    /// Whether there is one file: then nothing is gathered unless it is a mailbox or an archive.
    is_single: bool,
    witnesses: Mutex<Witnesses>,
    /// URLs that have not been added to them, since that keeps others waiting.
    unbroken: Mutex<Unbroken>,
    /// The places of the URLs, if they are wanted.
    places: Option<Mutex<Places>>,
    /// How many documents there are; a mailbox counts as two.
    documents: AtomicUsize,
    awaited: Awaited,
    known_places: OnceLock<Places>,
    kept: Mutex<Kept<W>>,
    /// Whether nothing is kept any more, so that the sources are read twice.
    has_given_up: AtomicBool,
}

/// The second half of a run, after all sources have been read.
pub(super) enum Then<W: Work> {
    /// The results and texts that were kept.
    Kept(Kept<W>),
    /// All sources, again.
    All,
}

impl<W: Work> Gathering<W> {
    /// Returns the same, but nothing is kept: all sources are read twice. That takes less if not all results are
    /// wanted.
    #[must_use]
    pub fn reading_twice(mut self) -> Self {
        self.has_given_up = AtomicBool::new(true);
        self
    }

    /// Returns `reader` as it is used for a source whose URLs are gathered: it awaits those of the others.
    pub fn reader(&self, mut reader: Reader) -> Reader {
        reader.positions |= self.places.is_some();
        reader.finder = reader.finder.with_witnesses(self.awaited.counted_apart());
        reader
    }

    /// Returns the places of the URLs, once they are known and if they are wanted.
    pub fn places(&self) -> Option<&Places> {
        self.known_places.get()
    }

    /// Returns whether texts have to wait for the URLs.
    pub(super) fn is_on(&self) -> bool {
        !self.awaited.are_known()
    }

    /// Returns whether texts are not read now, since they will be read again.
    pub(super) fn has_given_up(&self) -> bool {
        self.is_on() && self.has_given_up.load(Ordering::Relaxed)
    }

    /// Keeps nothing any more.
    pub(super) fn give_up(&self) {
        self.has_given_up.store(true, Ordering::Relaxed);
        *lock(&self.kept) = Kept::default();
    }

    /// Keeps a text, of which the first `events` have been passed on, and the results before it.
    pub(super) fn keep(&self, part: Part<W>, events: usize, bytes: &[u8], out: &Out<'_, W::Batch>) {
        // A file can be read again.
        let bytes = if part.file().is_some() { &[] } else { bytes };
        let text = Some((part, events, bytes));
        let keep = |results: &mut _| lock(&self.kept).add(results, text);
        if !self.has_given_up() && out.wait(keep).is_err() {
            self.give_up();
        }
    }

    /// Makes results wait.
    pub(super) fn wait(&self, results: Results<W::Batch>) {
        if !self.has_given_up() && lock(&self.kept).add_last(results).is_err() {
            self.give_up();
        }
    }

    /// Makes the URLs known, now that all sources have been read. Returns how the run goes on.
    pub(super) fn end(&self) -> Option<Then<W>> {
        let kept = mem::take(&mut *lock(&self.kept));
        if !self.is_on() {
            return (!kept.is_empty()).then_some(Then::Kept(kept));
        }
        let then = match self.has_given_up() {
            true => Then::All,
            false => Then::Kept(kept),
        };
        if let Some(places) = &self.places {
            let places = mem::take(&mut *lock(places));
            self.known_places.get_or_init(|| places);
        }
        let has_others = self.documents.load(Ordering::Relaxed) > 1;
        let mut witnesses = mem::take(&mut *lock(&self.witnesses));
        witnesses.add(&lock(&self.unbroken));
        self.awaited.set(has_others.then_some(witnesses));
        Some(then)
    }

    /// Begins a source, which begins with `start`. Returns its kind if its URLs are gathered.
    pub(super) fn begin(&self, source: &Source, start: &[u8]) -> Option<Kind> {
        if source.is_attached {
            return None;
        }
        let start = &start[..start.len().min(Reader::HEAD)];
        let by_name = source.kind.or_else(|| Kind::from_path(source.path()));
        let kind = by_name.unwrap_or_else(|| Kind::from_head(start));
        let documents = if kind == Kind::Mbox { 2 } else { 1 };
        self.documents.fetch_add(documents, Ordering::Relaxed);
        let is_in_archive = matches!(source.origin, Origin::Archive);
        if self.is_single && documents == 1 && !is_in_archive {
            self.awaited.set(None);
            return None;
        }
        Some(kind)
    }

    /// Gathers the URLs of a text. Returns whether it is a mailbox: its messages are gathered one by one.
    pub(super) fn text(&self, part: &Part<W>, bytes: &[u8]) -> bool {
        let source = part.source();
        match part {
            Part::Source(_) if source.gathered == Some(Kind::Mbox) => return true,
            // The rest of a long message has no sender.
            Part::Document(_, document) if source.is_mail() && !document.is_message() => {}
            Part::Document(_, document) => self.add(source, bytes, document.line()),
            _ => self.add(source, bytes, 1),
        }
        false
    }

    /// Gathers the URLs of a document of `source`, or of lines of one, which begin with the line `line`, from 1.
    pub(super) fn add(&self, source: &Source, text: &[u8], line: u64) {
        if let Some(kind) = source.gathered {
            let name = source.name.whole();
            let urls = unbroken(kind, text, name);
            if !urls.is_empty() {
                let mut unbroken = lock(&self.unbroken);
                unbroken.append(urls);
                let many = (unbroken.len() > MANY).then(|| mem::take(&mut *unbroken));
                drop(unbroken);
                if let Some(many) = many {
                    lock(&self.witnesses).add(&many);
                }
            }
            if let Some(places) = &self.places {
                lock(places).add(text, name, line);
            }
        }
    }
}

impl<W: Work> fmt::Debug for Gathering<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gathering").finish_non_exhaustive()
    }
}
