//! A hash that is the same on every machine, in every run and in every release: it is stored in files.

use std::fmt;

/// The hash FNV-1a of what is written to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hash(pub(crate) u64);

impl Default for Hash {
    fn default() -> Self {
        Hash(0xCBF2_9CE4_8422_2325)
    }
}

impl Hash {
    /// Returns the hash of `bytes`.
    pub(crate) fn of(bytes: &[u8]) -> u64 {
        let mut hash = Hash::default();
        hash.add(bytes);
        hash.0
    }

    /// Returns the hash of how `value` is shown to programmers.
    pub(crate) fn of_shown(value: &dyn fmt::Debug) -> u64 {
        let mut hash = Hash::default();
        // Writing to a hash never fails.
        let _ = fmt::write(&mut hash, format_args!("{value:?}"));
        hash.0
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

impl fmt::Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}
