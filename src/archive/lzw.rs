//! The format of Unix `compress`, `.Z`: LZW with codes of 9 to 16 bits.
//!
//! Codes come in groups of eight, so that a group has as many bytes as a code has bits. When the
//! length of the codes changes, the rest of the group is padding. A file has neither a checksum nor
//! an end mark.

use std::io::{self, BufRead, Read};

/// The first bytes of a file; a byte of flags follows.
pub(super) const MAGIC: &[u8] = b"\x1f\x9d";

/// The number of bits of the first codes.
const MIN_BITS: u32 = 9;

/// The greatest number of bits of a code.
const MAX_BITS: u32 = 16;

/// The code that empties the table, in files that have one.
const CLEAR: usize = 256;

/// The approximate number of bytes decoded at once.
const READY: usize = 32 * 1024;

/// A decoder. Its memory is bounded by the number of codes.
pub(super) struct Lzw<R> {
    codes: Codes<R>,
    table: Table,
    has_clear: bool,
    /// The previous code, and the first byte of its text. There is none at the start of the file, or
    /// after the table was emptied.
    before: Option<(usize, u8)>,
    /// The decoded bytes, and how many of them have been read.
    ready: Vec<u8>,
    at: usize,
    /// Whether the end has been reached.
    is_done: bool,
    /// The fault after `ready`, if there is one.
    fault: Option<io::Error>,
}

impl<R: BufRead> Lzw<R> {
    /// Reads the header. Fails when `reader` fails, or if the header is not one.
    pub(super) fn new(mut reader: R) -> io::Result<Self> {
        let mut header = Vec::new();
        let length = MAGIC.len() as u64 + 1;
        reader.by_ref().take(length).read_to_end(&mut header)?;
        let &[_, _, flags] = header.as_slice() else {
            return Err(cut_off());
        };
        let max_bits = u32::from(flags & 0x1f);
        if !(MIN_BITS..=MAX_BITS).contains(&max_bits) {
            let message = format!("codes of {max_bits} bits, but only 9 to 16 are possible");
            return Err(io::Error::other(message));
        }
        let has_clear = flags & 0x80 != 0;
        Ok(Lzw {
            codes: Codes::new(reader),
            table: Table::new(max_bits, has_clear),
            has_clear,
            before: None,
            ready: Vec::new(),
            at: 0,
            is_done: false,
            fault: None,
        })
    }

    /// Decodes the next bytes to `ready`.
    fn decode(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.at = 0;
        while self.ready.len() < READY {
            if self.table.is_wide(self.codes.bits) {
                self.codes.change(self.codes.bits + 1);
            }
            let Some(code) = self.codes.next()? else {
                self.is_done = true;
                break;
            };
            if code == CLEAR && self.has_clear {
                self.table.clear();
                self.codes.change(MIN_BITS);
                self.before = None;
                continue;
            }
            // The code may be the one that is about to be added to the table.
            if code == self.table.next
                && let Some((before, first)) = self.before.take()
            {
                self.table.add(before, first);
            }
            let Some(first) = self.table.decode(code, &mut self.ready) else {
                return Err(io::Error::other("an undefined code"));
            };
            if let Some((before, _)) = self.before {
                self.table.add(before, first);
            }
            self.before = Some((code, first));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Lzw<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.at == self.ready.len() {
            if let Some(fault) = self.fault.take() {
                self.is_done = true;
                return Err(fault);
            }
            if self.is_done || out.is_empty() {
                return Ok(0);
            }
            // The bytes before a fault are output first.
            self.fault = self.decode().err();
        }
        let count = (&self.ready[self.at..]).read(out)?;
        self.at += count;
        Ok(count)
    }
}

/// The text of each code: the text of another code followed by a byte, or a single byte.
struct Table {
    prefix: Vec<u16>,
    suffix: Vec<u8>,
    /// How many bytes the text of a code has.
    length: Vec<u16>,
    /// The first code that is not used yet.
    next: usize,
    /// The first code that can be added.
    first: usize,
    max_bits: u32,
}

impl Table {
    fn new(max_bits: u32, has_clear: bool) -> Self {
        let codes = 1 << max_bits;
        let byte = |code: usize| u8::try_from(code).unwrap_or_default();
        let first = CLEAR + usize::from(has_clear);
        Table {
            prefix: vec![0; codes],
            suffix: (0..codes).map(byte).collect(),
            length: vec![1; codes],
            next: first,
            first,
            max_bits,
        }
    }

    fn clear(&mut self) {
        self.next = self.first;
    }

    /// Returns whether there are more codes than `bits` can represent, so that longer ones come
    /// next.
    fn is_wide(&self, bits: u32) -> bool {
        // If at most 2^9 codes are allowed, `compress` still switches to 10 bits once it has them
        // all.
        let is_longest = bits == self.max_bits && bits > MIN_BITS;
        self.next >> bits > 0 && !is_longest
    }

    /// Adds a code for the text of `prefix` followed by `suffix`, unless the table is full.
    fn add(&mut self, prefix: usize, suffix: u8) {
        if self.next < self.suffix.len() {
            self.prefix[self.next] = prefix as u16;
            self.suffix[self.next] = suffix;
            // At most the number of codes, since each code is one byte longer than an earlier one.
            self.length[self.next] = self.length[prefix].saturating_add(1);
            self.next += 1;
        }
    }

    /// Adds the text of `code` to `text`, and returns its first byte. Returns `None` if the code is not
    /// used.
    fn decode(&self, mut code: usize, text: &mut Vec<u8>) -> Option<u8> {
        if code >= self.next || (code == CLEAR && self.first > CLEAR) {
            return None;
        }
        let start = text.len();
        text.resize(start + usize::from(self.length[code]), 0);
        for byte in text[start..].iter_mut().rev() {
            *byte = self.suffix[code];
            code = usize::from(self.prefix[code]);
        }
        text.get(start).copied()
    }
}

/// The codes of a file.
struct Codes<R> {
    reader: R,
    /// The number of bits of a code.
    bits: u32,
    /// A group of eight codes; the last one of a file may be shorter.
    group: Vec<u8>,
    /// How many bits of it have been read.
    at: usize,
}

impl<R: BufRead> Codes<R> {
    fn new(reader: R) -> Self {
        Codes {
            reader,
            bits: MIN_BITS,
            group: Vec::new(),
            at: 0,
        }
    }

    /// Continues with codes of `bits` bits after this group.
    fn change(&mut self, bits: u32) {
        self.bits = bits;
        self.group.clear();
        self.at = 0;
    }

    /// The next code, or `None` at the end. Fails when the reader fails, or in the middle of a code.
    fn next(&mut self) -> io::Result<Option<usize>> {
        let bits = self.bits as usize;
        if self.at == 8 * self.group.len() {
            self.at = 0;
            self.group.clear();
            let mut group = self.reader.by_ref().take(bits as u64);
            group.read_to_end(&mut self.group)?;
        }
        if self.at + bits > 8 * self.group.len() {
            // The last byte is padded with zeros.
            return match self.read() {
                0 => Ok(None),
                _ => Err(cut_off()),
            };
        }
        let code = self.read() & ((1 << bits) - 1);
        self.at += bits;
        Ok(Some(code as usize))
    }

    /// Returns the next bits, at least as many as a code has, followed by zeros at the end.
    fn read(&self) -> u32 {
        let first = self.at / 8;
        let byte = |at: usize| u32::from(self.group.get(first + at).copied().unwrap_or(0));
        let [a, b, c] = [0, 1, 2].map(byte);
        (a | b << 8 | c << 16) >> (self.at % 8)
    }
}

fn cut_off() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "cut off")
}
