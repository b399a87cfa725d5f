//! A chunk of a large file of plain text, and how it is searched.

use std::sync::Arc;

use super::chunks::{Chunk, NextLine, Scratch};
use super::message::Message;
use super::out::Out;
use super::{Error, Opened, Totals, Work};
use urlint_core::find;

/// A chunk of a large file of plain text.
pub(super) struct FileChunk<W: Work> {
    pub(super) opened: Arc<Opened<W>>,
    pub(super) chunk: Chunk,
}

impl<W: Work> FileChunk<W> {
    /// Searches the chunk from the offset `reached` on, where the last candidate before it ends. Returns where
    /// its own last candidate ends.
    pub(super) fn search(
        &self,
        work: &W,
        next_line: Option<NextLine>,
        reached: u64,
        scratch: &mut Scratch,
        out: &Out<'_, W::Batch>,
    ) -> Result<u64, Error> {
        let reader = &self.opened.reader;
        let visit = &mut |found: find::Located<'_>| {
            let found = reader.found_in_text(found);
            work.found(&self.opened, None, &found, out)
        };
        let counts = reader.positions;
        match (self.chunk).search(&reader.finder, counts, next_line, reached, scratch, visit) {
            Err(Error::Read(error)) => {
                let message = Message::failed_source(self.opened.source.name.whole(), &error);
                out.note(message, Totals::failed())?;
                // Nothing is read after an error, so the chunks that follow have no results.
                Ok(u64::MAX)
            }
            searched => searched,
        }
    }
}
