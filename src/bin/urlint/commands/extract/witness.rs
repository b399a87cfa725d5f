//! The URLs that stand unbroken in the input.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use urlint::document::Kind;
use urlint::find::Witnesses;

use crate::error::Error;
use crate::jobs::{Context, Gather, gather, is_readable_twice};
use crate::walk::Input;

/// Returns the URLs that stand unbroken in the input, and where if `are_placed`; `None` if it cannot be
/// read twice, or is a single document.
pub(super) fn witnesses(context: &Context, are_placed: bool) -> Result<Option<Witnesses>, Error> {
    if context.reader.needs_no_witnesses() || !is_readable_twice(context) {
        return Ok(None);
    }
    let gathering = Gathering {
        is_single: matches!(&context.inputs.paths[..], [path] if path.is_file()),
        are_placed,
        witnesses: Mutex::default(),
        documents: AtomicUsize::new(0),
    };
    gather(context, &gathering)?;
    let has_others = gathering.documents.into_inner() > 1;
    let witnesses = gathering.witnesses.into_inner().ok();
    Ok(witnesses.filter(|_| has_others))
}

/// What has been found so far.
struct Gathering {
    /// Whether there is one file: then nothing is read of it unless it is a mailbox or an archive.
    is_single: bool,
    /// Whether it is remembered where URLs stand.
    are_placed: bool,
    witnesses: Mutex<Witnesses>,
    /// How many documents there are; a mailbox counts as two.
    documents: AtomicUsize,
}

impl Gather for Gathering {
    fn begins(&self, input: &Input<'_>, head: &[u8]) -> bool {
        let documents = documents_in(input, head);
        self.documents.fetch_add(documents, Ordering::Relaxed);
        !self.is_single || documents > 1 || input.whole.is_none()
    }

    fn add(&self, input: &Input<'_>, lines: &[u8], line: u64) -> u64 {
        let Ok(mut witnesses) = self.witnesses.lock() else {
            return line;
        };
        if self.are_placed {
            return witnesses.add_from(lines, input.name, line);
        }
        witnesses.add(lines);
        line
    }
}

/// Returns how many documents a source with this beginning has: one, or more than one.
fn documents_in(input: &Input<'_>, head: &[u8]) -> usize {
    let named = Kind::from_path(input.path);
    let kind = named.unwrap_or_else(|| Kind::from_head(head));
    if kind == Kind::Mbox { 2 } else { 1 }
}
