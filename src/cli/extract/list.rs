//! The list: what becomes of the rows.

use std::collections::HashSet;
use std::io::{self, Write};

use super::super::output::Stream;
use super::rows::Batch;

/// The list that is being written. Rows come in the order of the places of their URLs.
pub(super) struct List<'o> {
    seen: Option<HashSet<Box<[u8]>>>,
    out: &'o mut Stream,
}

impl<'o> List<'o> {
    pub(super) fn new(unique: bool, out: &'o mut Stream) -> Self {
        List {
            seen: unique.then(HashSet::new),
            out,
        }
    }

    pub(super) fn write(&mut self, text: &[u8]) -> io::Result<()> {
        self.out.write_all(text)
    }

    /// Takes all rows out of `batch`.
    pub(super) fn take(&mut self, batch: &mut Batch) -> io::Result<()> {
        match &mut self.seen {
            None => self.out.write_all(&batch.text)?,
            Some(seen) => {
                let (mut text_start, mut key_start) = (0, 0);
                for row in &batch.rows {
                    let key = &batch.keys[key_start..row.key_end];
                    if !seen.contains(key) {
                        seen.insert(key.into());
                        self.out.write_all(&batch.text[text_start..row.text_end])?;
                    }
                    (text_start, key_start) = (row.text_end, row.key_end);
                }
            }
        }
        batch.clear();
        Ok(())
    }
}
