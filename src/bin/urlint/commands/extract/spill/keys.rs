//! Keys in memory, with a value for each.

use std::collections::HashMap;

/// What an allocation takes beside its bytes.
const ALLOCATION: usize = 16;

/// Keys with their values, in no order.
#[derive(Debug)]
pub(super) struct Keys<V> {
    pub(super) values: HashMap<Box<[u8]>, V>,
    /// How many bytes of memory the keys themselves use.
    bytes: usize,
}

impl<V> Default for Keys<V> {
    fn default() -> Self {
        Keys {
            values: HashMap::new(),
            bytes: 0,
        }
    }
}

impl<V> Keys<V> {
    /// How many bytes of memory they use once `key` has been added.
    pub(super) fn size_with(&self, key: &[u8]) -> usize {
        let mut slots = self.values.capacity();
        if self.values.len() == slots {
            // While the table grows, there are two of them.
            slots *= 3;
        }
        let slots = slots * (size_of::<(Box<[u8]>, V)>() + 1) * 8 / 7;
        slots + self.bytes + key.len() + ALLOCATION
    }

    /// Adds `key`, which is not there yet.
    pub(super) fn add(&mut self, key: &[u8], value: V) {
        self.bytes += key.len() + ALLOCATION;
        self.values.insert(key.into(), value);
    }
}
