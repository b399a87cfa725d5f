//! The URLs that stand unbroken in the input.

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use urlint_core::find::{Unbroken, Witnesses};
use urlint_documents::document::Kind;
use urlint_engine::{Error, Inputs, Origin, Reading, Results, Source, Work};

/// Returns the URLs that stand unbroken in the input, and where if `are_placed`; `None` if it cannot be
/// read twice, or is a single document.
pub(super) fn witnesses(
    inputs: &Arc<Inputs>,
    are_placed: bool,
) -> Result<Option<Witnesses>, Error> {
    if !inputs.are_readable_twice() {
        return Ok(None);
    }
    let gathering = Arc::new(Gathering {
        is_single: matches!(&inputs.paths[..], [path] if path.is_file()),
        are_placed,
        witnesses: Mutex::default(),
        documents: AtomicUsize::new(0),
    });
    inputs.gather(&gathering)?;
    let has_others = gathering.documents.load(Ordering::Relaxed) > 1;
    let witnesses = mem::take(&mut *gathering.lock());
    Ok(has_others.then_some(witnesses))
}

/// Gathers URLs, on several threads.
struct Gathering {
    /// Whether there is one file: then nothing is read of it unless it is a mailbox or an archive.
    is_single: bool,
    /// Whether it is remembered where URLs stand.
    are_placed: bool,
    witnesses: Mutex<Witnesses>,
    /// How many documents there are; a mailbox counts as two.
    documents: AtomicUsize,
}

impl Gathering {
    fn lock(&self) -> MutexGuard<'_, Witnesses> {
        self.witnesses
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
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
        let is_in_archive = matches!(source.origin, Origin::Archive);
        Ok(match self.is_single && documents == 1 && !is_in_archive {
            true => Reading::Done(Results::default()),
            false => Reading::Lines,
        })
    }

    fn lines(&self, source: &Source, lines: &[u8], line: u64) {
        let unbroken = match self.are_placed {
            true => Unbroken::placed(lines, source.name().whole(), line),
            false => Unbroken::of(lines, source.name().whole()),
        };
        self.lock().add(&unbroken);
    }
}
