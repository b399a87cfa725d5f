//! Rows on their way from the threads to the list, with the keys that they are grouped and sorted by.

use urlint_report::excerpt::FilePart;

/// How many bytes of rows are sent at once.
const ENOUGH: usize = 64 * 1024;

/// Rows that are sent together.
#[derive(Debug, Default)]
pub(super) struct RowBatch {
    /// The rows, each after the keys that the list needs.
    pub(super) text: Vec<u8>,
    /// Where each row ends, if the list needs it.
    pub(super) ends: Vec<usize>,
    /// Where the rows of another document begin, if the list needs it.
    documents: Vec<Document>,
    /// How many rows there are.
    pub(super) count: u64,
    names: Vec<u8>,
    name: Vec<u8>,
}

/// The rows of a document.
#[derive(Clone, Copy, Debug)]
struct Document {
    /// The number of its first row, from 0.
    row: usize,
    name_end: usize,
}

impl urlint_engine::Batch for RowBatch {
    fn is_full(&self) -> bool {
        // Rows may be empty, and documents have longer names than rows.
        self.text.len() + self.names.len() + size_of_val(&*self.ends) >= ENOUGH
    }

    fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl RowBatch {
    /// The rows, each as it was added.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends);
        ranges.map(|(start, &end)| &self.text[start..end])
    }

    /// Begins a row. A batch without rows is not sent, whatever its text.
    pub(super) fn begin_row(&mut self) {
        if self.count == 0 {
            // No more than this, since a larger allocation takes more time.
            self.text.reserve(ENOUGH + ENOUGH / 8);
        }
        self.count += 1;
    }

    /// Ends a row.
    pub(super) fn end_row(&mut self) {
        self.ends.push(self.text.len());
    }

    /// Sets the document of the next row.
    pub(super) fn set_document(&mut self, path: &[u8], part: FilePart<'_>) {
        self.name.clear();
        self.name.extend_from_slice(path);
        self.name.push(0);
        self.name.extend_from_slice(part.member.unwrap_or_default());
        let message = part.message.unwrap_or_default();
        self.name.extend_from_slice(&message.to_le_bytes());
        let last = self.documents.len().checked_sub(1);
        if last.is_some_and(|last| self.document_name(last) == self.name) {
            return;
        }
        self.names.extend_from_slice(&self.name);
        self.documents.push(Document {
            row: self.ends.len(),
            name_end: self.names.len(),
        });
    }

    /// Returns the documents: the number of the first row of each, and its name.
    pub(super) fn documents(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let named = |index: usize| (self.documents[index].row, self.document_name(index));
        (0..self.documents.len()).map(named)
    }

    fn document_name(&self, index: usize) -> &[u8] {
        let start = match index {
            0 => 0,
            _ => self.documents[index - 1].name_end,
        };
        &self.names[start..self.documents[index].name_end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlint_engine::Batch as _;

    #[test]
    fn empty_rows_fill_a_batch() {
        let mut batch = RowBatch::default();
        assert!((0..ENOUGH).any(|_| {
            batch.end_row();
            batch.is_full()
        }));
    }

    #[test]
    fn documents_are_told_apart() {
        let mut batch = RowBatch::default();
        let part = |member, message| FilePart { member, message };
        let (a, b) = (Some(&b"a"[..]), Some(&b"b"[..]));
        let parts = [
            ("x", part(None, None)),
            ("x", part(None, None)),
            ("x", part(a, None)),
            ("x", part(b, None)),
            ("x", part(b, Some(1))),
            ("x", part(b, Some(2))),
            ("x", part(b, Some(2))),
            ("y", part(b, Some(2))),
        ];
        for (path, part) in parts {
            batch.set_document(path.as_bytes(), part);
            batch.text.push(b'.');
            batch.end_row();
        }
        let rows = |batch: &RowBatch| -> Vec<_> { batch.documents().map(|(row, _)| row).collect() };
        assert_eq!(rows(&batch), [0, 2, 3, 4, 5, 7]);
        assert_eq!(batch.rows().count(), parts.len());
    }
}
