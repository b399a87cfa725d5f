//! Results do not depend on how much fits into memory.

use std::collections::{BTreeMap, HashSet};

use proptest::prelude::*;

use super::counter::{Count, Counter};
use super::sorter::{Order, Sorter};
use super::store::{SpillFile, Store};
use super::unique::Unique;
use crate::commands::extract::batch;
use crate::commands::extract::batch::KeyLayout;
use crate::error::Error;
use crate::tries::tries;

fn store() -> impl Strategy<Value = Store> {
    (1..200_usize).prop_map(|block| Store::with_block(std::env::temp_dir(), block))
}

/// Rows, some of which are equal, begin alike, or are longer than any block.
fn rows() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let row = prop_oneof![
        8 => "[ab]{0,3}",
        4 => "http://[a-c]\\.example/[a-d]{1,2}",
        1 => "long/[ab]{200,300}",
    ];
    prop::collection::vec(row.prop_map(String::into_bytes), 0..300)
}

fn layout() -> impl Strategy<Value = KeyLayout> {
    prop::sample::select(vec![KeyLayout::Within(1), KeyLayout::Before])
}

/// Returns the record of row `index`, whose key is `key`. Rows with equal keys differ if they can.
fn record(layout: KeyLayout, key: &[u8], index: usize) -> (Vec<u8>, Vec<u8>) {
    match layout {
        KeyLayout::Within(_) => {
            let row = [key, b"\n"].concat();
            (row.clone(), row)
        }
        KeyLayout::Before => {
            let mut record = Vec::new();
            batch::put_key(&mut record, key);
            let row = format!("{index}\n").into_bytes();
            record.extend_from_slice(&row);
            (record, row)
        }
    }
}

type Rows = Vec<Vec<u8>>;

fn unique(mut unique: Unique, records: &[Vec<u8>]) -> Result<Rows, Error> {
    let mut out = Vec::new();
    let emit = &mut |row: &[u8]| {
        out.push(row.to_vec());
        Ok(())
    };
    unique.take(records.iter().map(|record| &**record), emit)?;
    unique.finish(emit)?;
    Ok(out)
}

fn sorted(mut sorter: Sorter, records: &[Vec<u8>]) -> Result<Rows, Error> {
    for (place, record) in records.iter().enumerate() {
        sorter.add(place as u64, record)?;
    }
    let mut out = Vec::new();
    sorter.finish(&mut |row| {
        out.push(row.to_vec());
        Ok(())
    })?;
    Ok(out)
}

type Counted = BTreeMap<Vec<u8>, (u64, u64, u64)>;

fn counted(mut counter: Counter, rows: &[(Vec<u8>, u64)]) -> Result<(Counted, usize), Error> {
    for (place, (key, document)) in rows.iter().enumerate() {
        counter.add(key, Count::once(*document, place as u64))?;
    }
    let mut counted = BTreeMap::new();
    let mut keys = 0;
    counter.finish(&mut |key, count| {
        counted.insert(key.to_vec(), (count.times, count.documents, count.place));
        keys += 1;
        Ok(())
    })?;
    Ok((counted, keys))
}

proptest! {
    #![proptest_config(tries(200))]

    #[test]
    fn the_first_of_each_key_comes_out_in_order(
        store in store(), layout in layout(), keys in rows(), memory in 0..3000_usize,
    ) {
        let records = keys.iter().enumerate();
        let records: Vec<_> = records.map(|(index, key)| record(layout, key, index)).collect();
        let mut seen = HashSet::new();
        let expected = keys.iter().zip(&records);
        let expected: Rows = expected
            .filter(|(key, _)| seen.insert(*key))
            .map(|(_, (_, row))| row.clone())
            .collect();
        let records: Vec<_> = records.into_iter().map(|(record, _)| record).collect();
        let out = unique(Unique::new(layout, &store, memory), &records);
        prop_assert_eq!(out.map_err(|error| error.to_string()), Ok(expected));
    }

    #[test]
    fn what_is_sorted_is_what_a_sort_in_memory_gives(
        store in store(), layout in layout(), keys in rows(), memory in 0..3000_usize,
        reverse in any::<bool>(), limit in prop_oneof![Just(usize::MAX), 0..40_usize],
    ) {
        let records: Vec<_> = keys.iter().enumerate()
            .map(|(index, key)| record(layout, key, index)).collect();
        let mut expected: Vec<_> = keys.iter().zip(records.iter().map(|(_, row)| row)).collect();
        expected.sort_by(|(one, _), (other, _)| match reverse {
            true => other.cmp(one),
            false => one.cmp(other),
        });
        expected.truncate(limit);
        let expected: Rows = expected.into_iter().map(|(_, row)| row.clone()).collect();
        let records: Vec<_> = records.iter().map(|(record, _)| record.clone()).collect();
        let order = Order { layout, reverse };
        let out = sorted(Sorter::new(order, limit, &store, memory), &records);
        prop_assert_eq!(out.map_err(|error| error.to_string()), Ok(expected));
    }

    #[test]
    fn counts_are_exact(
        store in store(), keys in rows(), memory in 0..3000_usize, length in 1..20_u64,
    ) {
        let rows: Vec<_> = keys.into_iter().zip(0..).collect();
        let rows: Vec<_> = rows.into_iter().map(|(key, place)| (key, place / length)).collect();
        let mut expected = Counted::new();
        let mut within = HashSet::new();
        for (place, (key, document)) in rows.iter().enumerate() {
            let count = expected.entry(key.clone()).or_insert((0, 0, place as u64));
            count.0 += 1;
            count.1 += u64::from(within.insert((key, document)));
        }
        let keys = expected.len();
        let out = counted(Counter::new(&store, memory), &rows);
        prop_assert_eq!(out.map_err(|error| error.to_string()), Ok((expected, keys)));
    }
}

#[test]
fn more_runs_than_are_merged_at_once() -> Result<(), String> {
    let store = Store::with_block(std::env::temp_dir(), 64);
    let layout = KeyLayout::Within(1);
    let order = Order {
        layout,
        reverse: false,
    };
    let keys = (0..2000_u32).map(|number| number.wrapping_mul(2_654_435_761));
    let mut records: Vec<_> = keys
        .map(|key| format!("{key:010}\n").into_bytes())
        .collect();
    let out = sorted(Sorter::new(order, usize::MAX, &store, 50), &records);
    records.sort();
    assert_eq!(out.map_err(|error| error.to_string())?, records);
    Ok(())
}

#[test]
fn a_spill_file_can_be_read_any_number_of_times() -> Result<(), String> {
    let read = || {
        let store = Store::with_block(std::env::temp_dir(), 7);
        let mut file = SpillFile::new(&store);
        let records: Vec<_> = (0..40).map(|len| vec![b'x'; len]).collect();
        for record in &records {
            file.push_record(record)?;
        }
        // Before and after its end has gone to the file.
        for _ in 0..2 {
            let mut reader = file.reader();
            for record in &records {
                assert_eq!(reader.record()?, Some(&**record));
            }
            assert_eq!(reader.record()?, None);
            file.end()?;
        }
        Ok(())
    };
    read().map_err(|error: Error| error.to_string())
}
