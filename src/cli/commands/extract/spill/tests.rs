//! Results do not depend on how much fits into memory.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::Spill;
use super::groups::Groups;
use super::sorter::{Order, Sorter};
use crate::error::Error;
use urlint_testing::tries;

fn spill(memory: usize) -> Spill {
    Spill {
        memory,
        folder: std::env::temp_dir(),
    }
}

/// Keys, some of which are equal, begin alike, are long, or have the bytes that end keys.
fn keys() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let key = prop_oneof![
        8 => "[ab]{0,3}",
        4 => "http://[a-c]\\.example/[a-d]{1,2}",
        2 => "[a\u{0}\u{1}\u{2}]{0,4}",
        1 => "long/[ab]{200,300}",
    ];
    let key = prop_oneof![
        8 => key.prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(key, 0..300)
}

type Rows = Vec<(Vec<u8>, Vec<u8>)>;

/// Each key with a row that differs from all others.
fn numbered(keys: Vec<Vec<u8>>) -> Rows {
    let rows = keys.into_iter().enumerate();
    rows.map(|(place, key)| (key, place.to_string().into_bytes()))
        .collect()
}

fn sorted(mut sorter: Sorter, rows: &Rows) -> Result<Rows, Error> {
    for (place, (key, row)) in rows.iter().enumerate() {
        sorter.add(key, place as u64, row)?;
    }
    let mut out = Vec::new();
    sorter.finish(&mut |key, row| {
        out.push((key.to_vec(), row.to_vec()));
        Ok(())
    })?;
    Ok(out)
}

fn sum(value: &mut [u8], next: &[u8]) {
    let number = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
    let sum = number(value) + number(next);
    value.copy_from_slice(&sum.to_le_bytes());
}

type Sums = Vec<(Vec<u8>, u64, u64)>;

/// Returns each key with its first place and the sum of its places.
fn summed(mut groups: Groups, keys: &[Vec<u8>]) -> Result<(bool, Sums), Error> {
    for (place, key) in (0_u64..).zip(keys) {
        groups.add(groups.hash(key), key, place, &place.to_le_bytes())?;
    }
    let mut sums = Vec::new();
    let is_whole = groups.is_whole();
    groups.finish(|key, place, value| {
        let value = value.try_into().map_or(0, u64::from_le_bytes);
        sums.push((key.to_vec(), place, value));
        Ok(())
    })?;
    Ok((is_whole, sums))
}

proptest! {
    #![proptest_config(tries(200))]

    #[test]
    fn each_key_is_a_group(keys in keys(), memory in 0..3000_usize) {
        let mut expected = BTreeMap::new();
        for (place, key) in (0_u64..).zip(&keys) {
            expected.entry(key).or_insert((place, 0)).1 += place;
        }
        let mut expected: Sums = expected.into_iter()
            .map(|(key, (place, sum))| (key.clone(), place, sum))
            .collect();
        expected.sort_by_key(|(_, place, _)| *place);
        let out = summed(Groups::new(sum, &spill(memory)), &keys);
        let (is_whole, mut sums) = out.map_err(|error| TestCaseError::fail(error.to_string()))?;
        if !is_whole {
            sums.sort_by_key(|(_, place, _)| *place);
        }
        prop_assert_eq!(sums, expected);
    }

    #[test]
    fn spilled_rows_sort_as_in_memory(
        keys in keys(), memory in 0..3000_usize,
        order in prop::sample::select(vec![Order::Key, Order::Reverse, Order::Place]),
        limit in prop_oneof![Just(usize::MAX), 0..40_usize],
    ) {
        let rows = numbered(keys);
        let mut expected = rows.clone();
        match order {
            Order::Key => expected.sort_by(|(one, _), (other, _)| one.cmp(other)),
            Order::Reverse => expected.sort_by(|(one, _), (other, _)| other.cmp(one)),
            Order::Place => {}
        }
        expected.truncate(limit);
        let out = sorted(Sorter::new(order, limit, &spill(memory)), &rows);
        prop_assert_eq!(out.map_err(|error| error.to_string()), Ok(expected));
    }
}

#[test]
fn more_runs_than_are_merged_at_once() -> Result<(), String> {
    let keys = (0..2000_u32).map(|number| number.wrapping_mul(2_654_435_761));
    let mut rows = numbered(keys.map(|key| format!("{key:010}").into_bytes()).collect());
    let out = sorted(Sorter::new(Order::Key, usize::MAX, &spill(50)), &rows);
    rows.sort();
    assert_eq!(out.map_err(|error| error.to_string())?, rows);
    Ok(())
}
