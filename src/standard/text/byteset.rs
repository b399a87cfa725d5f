//! Sets of bytes, and the lengths of runs of their members.

/// A set of ASCII characters.
pub struct ByteSet {
    is_member: [bool; 256],
}

impl ByteSet {
    /// Returns the set of letters, digits, and `others`, which are visible ASCII characters.
    pub const fn alphanumeric_and(others: &[u8]) -> Self {
        let mut is_member = [false; 256];
        let mut byte = b'!';
        while byte < 0x7F {
            is_member[byte as usize] = byte.is_ascii_alphanumeric();
            byte += 1;
        }
        let mut i = 0;
        while i < others.len() {
            is_member[others[i] as usize] = true;
            i += 1;
        }
        ByteSet { is_member }
    }

    /// Returns whether `byte` is in the set.
    #[inline]
    pub const fn has(&self, byte: u8) -> bool {
        self.is_member[byte as usize]
    }

    /// Returns the first offset from `from` on whose byte is not in the set; the end of `text`, or
    /// `from` beyond it, if there is none.
    #[inline]
    pub fn skip(&self, text: &[u8], from: usize) -> usize {
        let rest = text.get(from..).unwrap_or_default();
        let len = rest.iter().position(|&byte| !self.has(byte));
        from + len.unwrap_or(rest.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SET: ByteSet = ByteSet::alphanumeric_and(b"-./");

    #[test]
    fn members() {
        for byte in 0..=255u8 {
            let expected = byte.is_ascii_alphanumeric() || b"-./".contains(&byte);
            assert_eq!(SET.has(byte), expected, "{byte:#x}");
        }
    }

    #[test]
    fn runs() {
        assert_eq!(SET.skip(b"a b", 0), 1);
        assert_eq!(SET.skip(b"a b", 1), 1);
        assert_eq!(SET.skip(b"a b", 2), 3);
        assert_eq!(SET.skip(b"a b", 3), 3);
        assert_eq!(SET.skip(b"a b", 4), 4);
    }
}
