//! Records in memory.

/// Records, which are bytes. They are ordered by a number that each has, its rank, and then byte by byte.
/// They are in one block of memory, which takes a quarter of the memory that a block for each would take.
#[derive(Debug, Default)]
pub(super) struct Records {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    rank: u64,
    start: u32,
    end: u32,
}

impl Entry {
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Records {
    /// Returns how many bytes of memory they use.
    pub(super) fn size(&self) -> usize {
        self.bytes.len() + size_of_val(&*self.entries)
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds a record that `write` appends to the bytes that it is given.
    pub(super) fn push(&mut self, rank: u64, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len() as u32;
        write(&mut self.bytes);
        let end = self.bytes.len() as u32;
        self.entries.push(Entry { rank, start, end });
    }

    /// Removes the record that was added last.
    pub(super) fn pop(&mut self) {
        if let Some(entry) = self.entries.pop() {
            self.bytes.truncate(entry.start as usize);
        }
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.entries.clear();
    }

    /// Returns the rank and the bytes of a record.
    pub(super) fn get(&self, number: usize) -> (u64, &[u8]) {
        let entry = self.entries[number];
        (entry.rank, &self.bytes[entry.range()])
    }

    pub(super) fn bytes_mut(&mut self, number: usize) -> &mut [u8] {
        &mut self.bytes[self.entries[number].range()]
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, &[u8])> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// Sorts them, and drops those beyond `limit`.
    pub(super) fn sort(&mut self, limit: usize) {
        let bytes = |entry: &Entry| &self.bytes[entry.range()];
        self.entries.sort_unstable_by(|one, other| {
            let ranks = one.rank.cmp(&other.rank);
            ranks.then_with(|| bytes(one).cmp(bytes(other)))
        });
        self.entries.truncate(limit);
    }
}

impl<'r> FromIterator<(u64, &'r [u8])> for Records {
    fn from_iter<I: IntoIterator<Item = (u64, &'r [u8])>>(records: I) -> Self {
        let mut all = Records::default();
        for (rank, bytes) in records {
            all.push(rank, |out| out.extend_from_slice(bytes));
        }
        all
    }
}
