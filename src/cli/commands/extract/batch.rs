//! Rows on their way from the threads to the list, with the keys that they are grouped and sorted by.

/// How many bytes of rows are sent at once.
const ENOUGH: usize = 64 * 1024;

/// Rows that are sent together.
#[derive(Debug, Default)]
pub(super) struct RowBatch {
    /// The rows, each after the keys that the list needs.
    pub(super) text: Vec<u8>,
    /// Where each row ends, if the list needs it.
    pub(super) ends: Vec<usize>,
    /// How many rows there are.
    pub(super) count: u64,
}

impl urlint_engine::Batch for RowBatch {
    fn is_full(&self) -> bool {
        // Rows may be empty.
        self.text.len() + size_of_val(&*self.ends) >= ENOUGH
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
}
