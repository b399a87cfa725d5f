//! Sorted runs of records in temporary files.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IntoInnerError, Read, Seek, Write};

use super::Spill;
use super::records::Records;
use crate::error::Error;

/// How many runs are merged at once.
const TOGETHER: usize = 64;

/// How many bytes are read and written at once.
const BLOCK: usize = 64 * 1024;

/// Takes the rank and the bytes of a record.
pub(super) type Emit<'e> = dyn FnMut(u64, &[u8]) -> Result<(), Error> + 'e;

/// Runs, each in a file without a name, which the system deletes when it is closed, however the program
/// ends.
#[derive(Debug)]
pub(super) struct Runs {
    spill: Spill,
    /// Each with how often its records were merged.
    runs: Vec<(u32, File)>,
}

impl Runs {
    pub(super) fn new(spill: &Spill) -> Self {
        Runs {
            spill: spill.clone(),
            runs: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Writes a run of records that are sorted, and frees their memory.
    pub(super) fn write(&mut self, records: &mut Records) -> Result<(), Error> {
        let run = self.run(|put| {
            records
                .iter()
                .try_for_each(|(rank, bytes)| put(rank, bytes))
        })?;
        self.runs.push((0, run));
        records.clear();
        // Few enough for all to be open at once.
        while let Some(first) = self.runs.len().checked_sub(TOGETHER)
            && let Some(&(merged, _)) = self.runs.last()
            && self.runs[first].0 == merged
        {
            let runs = self.runs.split_off(first);
            let run = self.run(|put| self.merge_all(runs, usize::MAX, put))?;
            self.runs.push((merged + 1, run));
        }
        Ok(())
    }

    /// Merges all runs: emits the first records, in order.
    pub(super) fn merge(mut self, limit: usize, emit: &mut Emit<'_>) -> Result<(), Error> {
        let runs = std::mem::take(&mut self.runs);
        self.merge_all(runs, limit, emit)
    }

    /// Writes a run of the records that `write` gives.
    fn run(&self, write: impl FnOnce(&mut Emit<'_>) -> Result<(), Error>) -> Result<File, Error> {
        let error = |error| self.spill.error(error);
        let file = tempfile::tempfile_in(&self.spill.folder).map_err(error)?;
        let mut run = BufWriter::with_capacity(BLOCK, file);
        write(&mut |rank, bytes| {
            run.write_all(&rank.to_le_bytes()).map_err(error)?;
            run.write_all(&(bytes.len() as u64).to_le_bytes())
                .map_err(error)?;
            run.write_all(bytes).map_err(error)
        })?;
        let file = run.into_inner().map_err(IntoInnerError::into_error);
        let mut file = file.map_err(error)?;
        file.rewind().map_err(error)?;
        Ok(file)
    }

    fn merge_all(
        &self,
        runs: Vec<(u32, File)>,
        limit: usize,
        emit: &mut Emit<'_>,
    ) -> Result<(), Error> {
        let error = |error| self.spill.error(error);
        let runs = runs.into_iter();
        let mut runs: Vec<_> = runs
            .map(|(_, run)| BufReader::with_capacity(BLOCK, run))
            .collect();
        // The next record of each run.
        let mut heads = BinaryHeap::new();
        for (number, run) in runs.iter_mut().enumerate() {
            let mut bytes = Vec::new();
            if let Some(rank) = read(run, &mut bytes).map_err(error)? {
                heads.push(Reverse((rank, bytes, number)));
            }
        }
        for _ in 0..limit {
            let Some(mut head) = heads.peek_mut() else {
                break;
            };
            let Reverse((rank, bytes, number)) = &mut *head;
            emit(*rank, bytes)?;
            match read(&mut runs[*number], bytes).map_err(error)? {
                Some(next) => *rank = next,
                None => {
                    PeekMut::pop(head);
                }
            }
        }
        Ok(())
    }
}

/// Reads the next record of a run into `bytes`; returns its rank, or `None` at the end.
fn read(run: &mut BufReader<File>, bytes: &mut Vec<u8>) -> io::Result<Option<u64>> {
    if run.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let [mut rank, mut len] = [[0; 8]; 2];
    run.read_exact(&mut rank)?;
    run.read_exact(&mut len)?;
    bytes.resize(u64::from_le_bytes(len) as usize, 0);
    run.read_exact(bytes)?;
    Ok(Some(u64::from_le_bytes(rank)))
}
