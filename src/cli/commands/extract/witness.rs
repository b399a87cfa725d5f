//! The URLs that occur unbroken in the input.

use std::collections::HashSet;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use urlint_core::find::Witnesses;
use urlint_documents::document::Kind;
use urlint_documents::read::{Places, unbroken};
use urlint_engine::{Error, Inputs, Origin, Reading, Results, Source, Work, lock};

/// Returns the URLs that occur unbroken in the input, and their places if `are_placed`; `None` if the
/// input cannot be read twice, or is a single document.
pub(super) fn witnesses(
    inputs: &Arc<Inputs>,
    are_placed: bool,
) -> Result<Option<(Witnesses, Places)>, Error> {
    if !inputs.are_readable_twice() {
        return Ok(None);
    }
    let gathering = Arc::new(Gathering {
        is_single: matches!(&inputs.paths[..], [path] if path.is_file() || inputs.has_stdin()),
        are_placed,
        witnesses: Mutex::default(),
        places: Mutex::default(),
        documents: AtomicUsize::new(0),
        mail: Mutex::default(),
    });
    inputs.gather(&gathering)?;
    let has_others = gathering.documents.load(Ordering::Relaxed) > 1;
    let witnesses = mem::take(&mut *lock(&gathering.witnesses));
    let places = mem::take(&mut *lock(&gathering.places));
    Ok(has_others.then_some((witnesses, places)))
}

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
    /// The names of the files that are mail.
    mail: Mutex<HashSet<Vec<u8>>>,
}

impl Work for Gathering {
    type Batch = ();
    type State = ();

    fn whole_up_to(&self) -> usize {
        urlint_documents::Reader::HEAD
    }

    fn begin(&self, source: &Source, start: &[u8]) -> Result<Reading<Self>, Error> {
        let kind = Kind::from_path(source.path()).unwrap_or_else(|| Kind::from_head(start));
        let documents = if kind == Kind::Mbox { 2 } else { 1 };
        self.documents.fetch_add(documents, Ordering::Relaxed);
        if matches!(kind, Kind::Mbox | Kind::Mail) {
            lock(&self.mail).insert(source.name().whole().to_vec());
        }
        let is_in_archive = matches!(source.origin, Origin::Archive);
        Ok(match self.is_single && documents == 1 && !is_in_archive {
            true => Reading::Done(Results::default()),
            false => Reading::Lines,
        })
    }

    fn lines(&self, source: &Source, lines: &[u8], line: u64) {
        let name = source.name().whole();
        let kind = match lock(&self.mail).contains(name) {
            // The rest of a long message has no sender.
            true if line > 1 || lines.starts_with(b"From ") => Kind::Mbox,
            true => Kind::Mail,
            false => Kind::Plain,
        };
        let urls = unbroken(kind, lines, name);
        lock(&self.witnesses).add(&urls);
        if self.are_placed {
            lock(&self.places).add(lines, name, line);
        }
    }
}
