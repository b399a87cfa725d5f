//! Runs: bytes of a view that map to the source by the same arithmetic.

use urlint_standard::text::Span;

/// Bytes of a view that map to the source by the same arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The start of the run in the view.
    pub(super) start: usize,
    /// The start of the source bytes that it came from.
    pub(super) source: u64,
    pub(super) unit: Unit,
}

/// How the bytes of a run came from source bytes.
///
/// A text that is encoded throughout has many runs, so this type is kept small: a single byte's
/// source longer than 4 GiB is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Each byte came from its own source bytes, this many.
    Each(u32),
    /// All bytes together came from this number of source bytes.
    Together(u32),
    /// Each `len` bytes, a character, came from `width` source bytes. The first `missing` bytes of
    /// the first character are not in the run; the run's `source` is the start of that character.
    Characters { len: u8, width: u8, missing: u8 },
    /// Each three bytes came from four source bytes, six bits from each. The first `missing` bytes
    /// of the first three are not in the run; the run's `source` is the first of the four.
    Base64 { missing: u8 },
}

impl Unit {
    /// The unit of bytes that each came from `width` source bytes.
    pub(super) fn each(width: u64) -> Self {
        Unit::Each(u32::try_from(width).unwrap_or(u32::MAX))
    }

    /// The unit of bytes that together came from `width` source bytes.
    pub(super) fn together(width: u64) -> Self {
        Unit::Together(u32::try_from(width).unwrap_or(u32::MAX))
    }
}

impl Run {
    /// The source bytes of the byte at `at` of the view, which is not before the run.
    pub(super) fn source_of(&self, at: usize) -> Span {
        let passed = (at - self.start) as u64;
        let (from, width) = match self.unit {
            Unit::Each(width) => (passed * u64::from(width), width.into()),
            Unit::Together(width) => (0, width.into()),
            Unit::Characters {
                len,
                width,
                missing,
            } => {
                let byte = passed + u64::from(missing);
                // Division by a constant is much faster.
                let character = match len {
                    2 => byte / 2,
                    3 => byte / 3,
                    _ => byte / u64::from(len),
                };
                (character * u64::from(width), u64::from(width))
            }
            Unit::Base64 { missing } => {
                let byte = passed + u64::from(missing);
                (byte / 3 * 4 + byte % 3, 2)
            }
        };
        Span::new(self.source + from, self.source + from + width)
    }

    /// The rest of this run from the byte at `at` on, as a run that begins at `start`.
    pub(super) fn cut(&self, at: usize, start: usize) -> Run {
        let passed = (at - self.start) as u64;
        let mut rest = Run {
            start,
            source: self.source_of(at).start,
            unit: self.unit,
        };
        match &mut rest.unit {
            Unit::Each(_) | Unit::Together(_) => {}
            Unit::Characters { len, missing, .. } => {
                *missing = ((passed + u64::from(*missing)) % u64::from(*len)) as u8;
            }
            Unit::Base64 { missing } => {
                *missing = ((passed + u64::from(*missing)) % 3) as u8;
                // The source of a group begins with its first digit.
                rest.source -= u64::from(*missing);
            }
        }
        rest
    }

    /// The end in the view of the bytes whose source ends at or before `limit`, if the run were
    /// without end: the result may be after the run.
    pub(super) fn reach(&self, limit: u64) -> usize {
        let room = limit.saturating_sub(self.source);
        let bytes = match self.unit {
            Unit::Each(width) => room.checked_div(width.into()),
            Unit::Together(width) => (u64::from(width) > room).then_some(0),
            Unit::Characters {
                len,
                width,
                missing,
            } => {
                let bytes = room / u64::from(width) * u64::from(len);
                Some(bytes.saturating_sub(missing.into()))
            }
            Unit::Base64 { missing } => {
                let bytes = room / 4 * 3 + (room % 4).saturating_sub(1);
                Some(bytes.saturating_sub(missing.into()))
            }
        };
        bytes.map_or(usize::MAX, |bytes| self.start + bytes as usize)
    }

    /// The end in the view of the bytes that share their source with the byte at `at`; it may be
    /// after the run.
    pub(super) fn end_together(&self, at: usize) -> usize {
        match self.unit {
            Unit::Each(_) | Unit::Base64 { .. } => at + 1,
            Unit::Together(_) => usize::MAX,
            Unit::Characters { len, missing, .. } => {
                let (len, missing) = (usize::from(len), usize::from(missing));
                let passed = at - self.start + missing;
                at + len - passed % len
            }
        }
    }

    /// Returns this run, whose source is the text of `below`, mapped to the source of `below`;
    /// `None` if no unit describes the combination.
    pub(super) fn over(&self, below: &Run) -> Option<Run> {
        let passed = self.source.checked_sub(below.start as u64)?;
        if self.unit == Unit::Each(1) {
            return Some(below.cut(self.source as usize, self.start));
        }
        let Unit::Each(factor) = below.unit else {
            return None;
        };
        let unit = match self.unit {
            Unit::Each(width) => Unit::Each(width.checked_mul(factor)?),
            Unit::Together(width) => Unit::Together(width.checked_mul(factor)?),
            Unit::Characters {
                len,
                width,
                missing,
            } => Unit::Characters {
                len,
                width: u8::try_from(u32::from(width).checked_mul(factor)?).ok()?,
                missing,
            },
            Unit::Base64 { .. } if factor == 1 => self.unit,
            Unit::Base64 { .. } => return None,
        };
        Some(Run {
            start: self.start,
            source: below.source + passed * u64::from(factor),
            unit,
        })
    }
}
