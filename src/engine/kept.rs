//! Results and texts that wait, in order: in memory, and in a temporary file if there are many.

use std::io::{self, BufReader, BufWriter, ErrorKind, IntoInnerError, Read, Write};
use std::mem;
use std::ops::Range;

use tempfile::{SpooledTempFile, spooled_tempfile};

use super::message::Message;
use super::out::Results;
use super::text_batch::Part;
use super::{Batch, Error, Totals, Work};

/// How many bytes are in memory.
const MOST_IN_MEMORY: usize = 1 << 18;

/// How many bytes wait at most: reading everything twice takes less than keeping more.
const MOST: u64 = 256 << 20;

/// Results and texts that wait.
pub(super) struct Kept<W: Work> {
    /// The batches and the texts.
    bytes: BufWriter<SpooledTempFile>,
    end: u64,
    entries: Vec<Option<Entry<W>>>,
    /// The numbers of the entries, in the order of the results.
    order: Vec<usize>,
}

/// Results, and the text whose results follow.
struct Entry<W: Work> {
    messages: Vec<Message>,
    totals: Totals,
    batch: Range<u64>,
    text: Option<(Part<W>, usize, Range<u64>)>,
}

/// Results or a text that waited.
pub(super) enum Item<'k, W: Work> {
    /// Results, of which the batch is packed.
    Results(Vec<Message>, Totals, &'k [u8]),
    /// A text, and how many of its events have been passed on.
    Text(Part<W>, usize, &'k [u8]),
}

impl<W: Work> Default for Kept<W> {
    fn default() -> Self {
        Kept {
            bytes: BufWriter::new(spooled_tempfile(MOST_IN_MEMORY)),
            end: 0,
            entries: Vec::new(),
            order: Vec::new(),
        }
    }
}

impl<W: Work> Kept<W> {
    /// Returns whether there are no results.
    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Moves `results` here, with the text whose results follow: of which source, how many of its events have been
    /// passed on, and its bytes. Returns their number.
    ///
    /// Fails if there is no room for them, or if the results cannot wait.
    pub(super) fn add(
        &mut self,
        results: &mut Results<W::Batch>,
        text: Option<(Part<W>, usize, &[u8])>,
    ) -> io::Result<usize> {
        let batch = match results.batch.is_empty() {
            true => 0..0,
            false => self.write(&results.batch.pack().ok_or(ErrorKind::Unsupported)?)?,
        };
        let text = match text {
            Some((part, events, bytes)) => Some((part, events, self.write(bytes)?)),
            None => None,
        };
        self.entries.push(Some(Entry {
            messages: mem::take(&mut results.messages),
            totals: mem::take(&mut results.totals),
            batch,
            text,
        }));
        Ok(self.entries.len() - 1)
    }

    /// Moves results here that come after all those before.
    pub(super) fn add_last(&mut self, mut results: Results<W::Batch>) -> io::Result<()> {
        self.order.append(&mut results.kept);
        let number = self.add(&mut results, None)?;
        self.order.push(number);
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<Range<u64>> {
        let start = self.end;
        self.end += bytes.len() as u64;
        if self.end > MOST {
            return Err(ErrorKind::FileTooLarge.into());
        }
        self.bytes.write_all(bytes)?;
        Ok(start..self.end)
    }

    /// Passes everything to `take`, in order.
    pub(super) fn each(
        mut self,
        mut take: impl FnMut(Item<'_, W>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let file = self
            .bytes
            .into_inner()
            .map_err(IntoInnerError::into_error)?;
        let (mut file, mut at, mut bytes) = (BufReader::new(file), self.end as i64, Vec::new());
        let mut read = |range: Range<u64>, bytes: &mut Vec<u8>| {
            file.seek_relative(range.start as i64 - at)?;
            at = range.end as i64;
            bytes.resize((range.end - range.start) as usize, 0);
            file.read_exact(bytes)
        };
        let entries = self
            .order
            .into_iter()
            .filter_map(|number| self.entries[number].take());
        for entry in entries {
            read(entry.batch, &mut bytes)?;
            take(Item::Results(entry.messages, entry.totals, &bytes))?;
            if let Some((part, events, range)) = entry.text {
                read(range, &mut bytes)?;
                take(Item::Text(part, events, &bytes))?;
            }
        }
        Ok(())
    }
}
