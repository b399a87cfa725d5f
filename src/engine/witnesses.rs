//! The URLs that occur unbroken in all sources.

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::{Error, Inputs, Origin, Out, Reading, Results, Source, Text, Work, lock};
use urlint_documents::document::Kind;
use urlint_documents::read::{Places, Reader, unbroken};
use urlint_find::Witnesses;

impl Inputs {
    /// Returns the URLs that occur unbroken in the inputs, and their places if `are_placed`; `None` if the
    /// inputs cannot be read twice, or are a single document.
    ///
    /// Fails as [`gather`](Self::gather) does.
    pub fn witnesses(
        self: &Arc<Self>,
        are_placed: bool,
    ) -> Result<Option<(Witnesses, Places)>, Error> {
        if !self.are_readable_twice() {
            return Ok(None);
        }
        let gathering = Arc::new(Gathering {
            is_single: matches!(&self.paths[..], [path] if path.is_file() || self.has_stdin()),
            are_placed,
            witnesses: Mutex::default(),
            places: Mutex::default(),
            documents: AtomicUsize::new(0),
        });
        self.gather(&gathering)?;
        let has_others = gathering.documents.load(Ordering::Relaxed) > 1;
        let witnesses = mem::take(&mut *lock(&gathering.witnesses));
        let places = mem::take(&mut *lock(&gathering.places));
        Ok(has_others.then_some((witnesses, places)))
    }
}

/// How many first bytes of a mailbox say how its messages are separated.
const HEAD: usize = 32;

/// Gathers URLs, on several threads.
struct Gathering {
    /// Whether there is one file: then nothing is read of it unless it is a mailbox or an archive.
    is_single: bool,
    /// Whether the places of the URLs are kept.
    are_placed: bool,
    witnesses: Mutex<Witnesses>,
    places: Mutex<Places>,
    /// How many documents there are; a mailbox counts as two.
    documents: AtomicUsize,
}

impl Work for Gathering {
    type Batch = ();
    /// Of mail, whether it begins as a mailbox does, and how it begins.
    type State = Option<(bool, Vec<u8>)>;

    fn whole_up_to(&self) -> usize {
        Reader::HEAD
    }

    fn begin(&self, source: &Source, start: &[u8]) -> Result<Reading<Self>, Error> {
        let start = &start[..start.len().min(Reader::HEAD)];
        let kind = Kind::from_path(source.path()).unwrap_or_else(|| Kind::from_head(start));
        let documents = if kind == Kind::Mbox { 2 } else { 1 };
        self.documents.fetch_add(documents, Ordering::Relaxed);
        let is_in_archive = matches!(source.origin, Origin::Archive);
        Ok(match self.is_single && documents == 1 && !is_in_archive {
            true => Reading::Done(Results::default()),
            false => {
                let mail = || {
                    let is_mailbox = Kind::from_head(start) == Kind::Mbox;
                    (is_mailbox, start[..start.len().min(HEAD)].to_vec())
                };
                Reading::Lines(matches!(kind, Kind::Mbox | Kind::Mail).then(mail))
            }
        })
    }

    fn read(&self, text: Text<'_, Self>, _: &Out<'_, ()>) -> Result<(), Error> {
        let name = text.opened.source.name().whole();
        let (lines, line) = text.lines();
        let (kind, head) = match &text.opened.state {
            // The rest of a long message has no sender.
            Some((is_mailbox, head)) if line > 1 || *is_mailbox => (Kind::Mbox, &**head),
            Some((_, head)) => (Kind::Mail, &**head),
            None => (Kind::Plain, &b""[..]),
        };
        let urls = unbroken(kind, head, lines, name);
        lock(&self.witnesses).add(&urls);
        if self.are_placed {
            lock(&self.places).add(lines, name, line);
        }
        Ok(())
    }
}
