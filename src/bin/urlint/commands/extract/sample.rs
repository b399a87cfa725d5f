//! Random samples of rows.

use super::batch::{self, Layout};
use super::spill::sorter::{Order, Sorter};
use super::spill::store::Store;
use super::spill::unique::Emit;
use crate::error::Error;

/// Draws rows at random: those with the least hashes of their numbers, which are the same rows
/// however they come.
#[derive(Debug)]
pub(super) struct Sample {
    seed: u64,
    /// By hash, only as many as are drawn.
    drawn: Sorter,
    /// By number.
    in_order: Sorter,
    record: Vec<u8>,
}

impl Sample {
    /// Draws `size` rows.
    pub(super) fn new(size: u64, seed: u64, store: &Store, memory: usize) -> Self {
        let order = Order {
            layout: Layout::Before,
            reverse: false,
        };
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        Sample {
            seed,
            drawn: Sorter::new(order, size, store, memory),
            in_order: Sorter::new(order, usize::MAX, store, memory),
            record: Vec::new(),
        }
    }

    /// Adds the row of the number `place`.
    pub(super) fn add(&mut self, place: u64, row: &[u8]) -> Result<(), Error> {
        let hash = mix(mix(self.seed) ^ place);
        self.record.clear();
        batch::put(&mut self.record, &hash.to_be_bytes());
        batch::put(&mut self.record, &place.to_be_bytes());
        self.record.extend_from_slice(row);
        self.drawn.add(place, &self.record)
    }

    /// Emits the rows that are drawn, in their order.
    pub(super) fn finish(mut self, emit: &mut Emit<'_>) -> Result<(), Error> {
        let mut place = 0;
        self.drawn.finish(&mut |record| {
            place += 1;
            self.in_order.add(place, record)
        })?;
        self.in_order.finish(emit)
    }
}

/// Spreads a number over all 64 bits, each number to another one: a step of the generator SplitMix64.
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_the_same_chance() -> Result<(), String> {
        let mut times = [0_u32; 50];
        for seed in 0..4000 {
            let store = Store::new(std::env::temp_dir());
            let mut sample = Sample::new(5, seed, &store, 1 << 20);
            let mut last = None;
            let drawn = (0..50_u8).try_for_each(|row| sample.add(row.into(), &[row]));
            let drawn = drawn.and_then(|()| {
                sample.finish(&mut |row| {
                    let row = row.first().copied();
                    assert!(row > last, "in order");
                    last = row;
                    if let Some(row) = row {
                        times[usize::from(row)] += 1;
                    }
                    Ok(())
                })
            });
            drawn.map_err(|error| error.to_string())?;
        }
        // The mean is 400, the standard deviation 19.
        assert!(
            times.iter().all(|time| (320..480).contains(time)),
            "{times:?}"
        );
        assert_eq!(times.iter().sum::<u32>(), 20_000);
        Ok(())
    }
}
