//! The URLs that stand unbroken in the input: a first pass, before the one that lists them.

use std::io::{ErrorKind, Read};
use std::path::Path;

use urlint::document::Kind;
use urlint::find::Witnesses;
use urlint::read::Content;

use crate::error::Error;
use crate::jobs::{Context, no_longer_needed};
use crate::walk::{Input, Walked};

/// How much of a source is searched at a time, in bytes.
const BLOCK: usize = 1 << 20;

/// Returns the URLs that stand unbroken in the input; `None` if it cannot be read twice, or is a single
/// document.
///
/// The sources are searched as they are, with neither markup nor encodings decoded: what is found is
/// certain, and costs a fraction of reading them.
pub(super) fn witnesses(context: &Context) -> Result<Option<Witnesses>, Error> {
    let inputs = context.inputs;
    let is_regular = |path: &Path| {
        path.metadata()
            .is_ok_and(|data| data.is_file() || data.is_dir())
    };
    if context.reader.needs_no_witnesses()
        || inputs.has_stdin()
        || !inputs.paths.iter().all(|path| is_regular(path))
    {
        return Ok(None);
    }
    let mut gathering = Gathering {
        witnesses: Witnesses::default(),
        buffer: Vec::new(),
        is_single: matches!(&inputs.paths[..], [path] if path.is_file()),
        documents: 0,
    };
    let mut take = |walked: Walked<'_>| match walked {
        Walked::Source(..) if context.interrupt.exit_requested().is_some() => {
            Err(no_longer_needed())
        }
        Walked::Source(input, content) => {
            gathering.read(input, content);
            Ok(())
        }
        // The second pass tells everything again.
        Walked::Message(_) | Walked::Count(_) | Walked::File(_) => Ok(()),
    };
    let opener = &context.opener;
    let walked = inputs.walk(opener, &|| Ok(true), &mut |walked| match walked {
        Walked::File(entry) if entry.is_regular => opener.file(&entry, 1, &mut take),
        _ => Ok(()),
    });
    if context.interrupt.exit_requested().is_none() {
        walked?;
    }
    Ok((gathering.documents > 1).then_some(gathering.witnesses))
}

/// What has been found so far.
struct Gathering {
    witnesses: Witnesses,
    buffer: Vec<u8>,
    /// Whether there is one file: then nothing is read of it unless it is a mailbox or an archive.
    is_single: bool,
    /// How many documents there are; a mailbox counts as two.
    documents: usize,
}

impl Gathering {
    /// Searches a source. If it cannot be read to its end, the second pass says so.
    fn read(&mut self, input: &Input<'_>, mut content: Content<'_>) {
        let (mut kept, mut is_first) = (0, true);
        loop {
            if self.buffer.len() < kept + BLOCK {
                self.buffer.resize(kept + BLOCK, 0);
            }
            let (read, is_end) = fill(&mut content, &mut self.buffer[kept..]);
            let text = &self.buffer[..kept + read];
            if std::mem::take(&mut is_first) {
                self.documents += documents_in(input, text);
                if self.is_single && self.documents == 1 && input.whole.is_some() {
                    return;
                }
            }
            let last = memchr::memrchr(b'\n', text).filter(|_| !is_end);
            let end = last.map_or(text.len(), |last| last + 1);
            self.witnesses.add(&text[..end]);
            if is_end {
                return;
            }
            kept = text.len() - end;
            self.buffer.copy_within(end..end + kept, 0);
        }
    }
}

/// Reads until `buffer` is full; returns how much was read, and whether that was all.
fn fill(content: &mut Content<'_>, buffer: &mut [u8]) -> (usize, bool) {
    let mut filled = 0;
    while filled < buffer.len() {
        match content.read(&mut buffer[filled..]) {
            Ok(0) => return (filled, true),
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return (filled, true),
        }
    }
    (filled, false)
}

/// Returns how many documents a source with this beginning has: one, or more than one.
fn documents_in(input: &Input<'_>, head: &[u8]) -> usize {
    let named = Kind::from_path(input.path);
    let kind = named.unwrap_or_else(|| Kind::from_head(head));
    if kind == Kind::Mbox { 2 } else { 1 }
}
