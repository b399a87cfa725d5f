//! What becomes of a URL by chance.

use proptest::prelude::*;

/// One change to a URL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mutation {
    kind: u8,
    at: u16,
    len: u8,
    token: u8,
}

impl Mutation {
    pub(crate) fn apply(self, url: &mut Vec<u8>, other: &[u8], tokens: &[&[u8]]) {
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

pub(crate) fn mutation() -> impl Strategy<Value = Mutation> {
    (0..10u8, any::<u16>(), 0..4u8, any::<u8>()).prop_map(|(kind, at, len, token)| Mutation {
        kind,
        at,
        len,
        token,
    })
}
