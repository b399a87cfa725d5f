//! URLs by chance and by enumeration, on which an oracle and a judge are compared.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use urlint_testing::{share, tries};

/// One change to a URL.
#[derive(Clone, Copy, Debug)]
struct Mutation {
    kind: u8,
    at: u16,
    len: u8,
    token: u8,
}

impl Mutation {
    fn apply(self, url: &mut Vec<u8>, other: &[u8], tokens: &[&[u8]]) {
        let at = self.at as usize % (url.len() + 1);
        let end = (at + self.len as usize).min(url.len());
        let token = tokens[self.token as usize % tokens.len()];
        match self.kind {
            0 | 1 => drop(url.splice(at..at, token.iter().copied())),
            2 | 3 => drop(url.splice(at..end, token.iter().copied())),
            4 => drop(url.drain(at..end)),
            5 => url.truncate(at),
            6 => url[at..end]
                .iter_mut()
                .for_each(|byte| *byte ^= 1 << (self.token % 8)),
            7 => url[at..end].make_ascii_uppercase(),
            8 => drop(url.splice(at.., other[other.len().min(at)..].iter().copied())),
            _ => drop(url.splice(at..at, other.iter().copied())),
        }
    }
}

fn mutation() -> impl Strategy<Value = Mutation> {
    (0..10u8, any::<u16>(), 0..4u8, any::<u8>()).prop_map(|(kind, at, len, token)| Mutation {
        kind,
        at,
        len,
        token,
    })
}

/// Whether an oracle and a judge agree on a URL; if not, how they differ.
type Agreement = Result<(), String>;

/// Passes a million URLs that `derive` makes of numbers to `agree`, and each of them after `tokens` and
/// parts of other URLs have been written into it.
pub(crate) fn derivations(
    tokens: &[&[u8]],
    derive: impl Fn(u64) -> Vec<u8>,
    agree: impl Fn(&[u8]) -> Agreement,
) {
    let walks = (
        any::<u64>(),
        any::<u64>(),
        prop::collection::vec(mutation(), 0..8),
    );
    let outcome = TestRunner::new(tries(1_000_000)).run(&walks, |(seed, other, mutations)| {
        let mut url = derive(seed);
        agree(&url).map_err(TestCaseError::fail)?;
        let other = derive(other);
        for mutation in mutations {
            mutation.apply(&mut url, &other, tokens);
            agree(&url).map_err(TestCaseError::fail)?;
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

/// Hands to `agree` each of `starts`, followed by up to as many as its number says of the strings of
/// `common` and its own.
pub(crate) fn short_tails(
    common: &[&str],
    starts: &[(&str, &str, usize)],
    agree: impl Fn(&[u8]) -> Agreement,
) {
    for &(start, own, longest) in starts {
        let alphabet = [common, &[own]].concat();
        // The longest ones are most of the work.
        for length in 0..=share(longest - 1, longest) {
            for number in 0..alphabet.len().pow(length as u32) {
                let mut url = start.as_bytes().to_vec();
                let mut digits = number;
                for _ in 0..length {
                    url.extend_from_slice(alphabet[digits % alphabet.len()].as_bytes());
                    digits /= alphabet.len();
                }
                agree(&url).unwrap();
            }
        }
    }
}

/// Passes `url` to `agree` with each byte at each place, inserted and in place of the byte there.
pub(crate) fn every_byte(url: &[u8], agree: impl Fn(&[u8]) -> Agreement) {
    for at in 0..=url.len() {
        for byte in 0..=255 {
            let mut inserted = url.to_vec();
            inserted.insert(at, byte);
            agree(&inserted).unwrap();
            if at < url.len() {
                let mut replaced = url.to_vec();
                replaced[at] = byte;
                agree(&replaced).unwrap();
            }
        }
    }
}
