//! Runs: bytes of a view that came from the source in the same way.

use crate::text::span::Span;

/// Bytes of a view that came from the source in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Where the run begins in the view.
    pub(super) start: usize,
    /// Where the source bytes begin that it came from.
    pub(super) source: u64,
    pub(super) unit: Unit,
}

/// How the bytes of a run came from source bytes. There are many runs in a text that is all
/// encoded, so this is kept small: 4 GiB that stand for one byte are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Each from so many source bytes of its own.
    Each(u32),
    /// All of them together from so many source bytes.
    Together(u32),
    /// Every `len` of them together from `width` source bytes. So many bytes of the first character
    /// are not in the run; the run's `source` is where that character begins.
    Characters { len: u8, width: u8, missing: u8 },
    /// Three from four source bytes, six bits each. So many bytes of the first three are not in
    /// the run; the run's `source` is the first of their four.
    Base64 { missing: u8 },
}

impl Unit {
    /// Bytes that each came from so many source bytes.
    pub(super) fn each(width: u64) -> Self {
        Unit::Each(u32::try_from(width).unwrap_or(u32::MAX))
    }

    /// Bytes that came together from so many source bytes.
    pub(super) fn together(width: u64) -> Self {
        Unit::Together(u32::try_from(width).unwrap_or(u32::MAX))
    }
}

impl Run {
    /// The source bytes of the byte at `at`, which is not before the run.
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
                // Dividing by what is known is many times as fast.
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

    /// The run that goes on like this one from the byte at `at`, and is to begin at `start`.
    pub(super) fn cut(&self, at: usize, start: usize) -> Run {
        let passed = (at - self.start) as u64;
        let (from, unit) = match self.unit {
            Unit::Each(width) => (passed * u64::from(width), self.unit),
            Unit::Together(_) => (0, self.unit),
            Unit::Characters {
                len,
                width,
                missing,
            } => {
                let byte = passed + u64::from(missing);
                let missing = (byte % u64::from(len)) as u8;
                let character = byte / u64::from(len);
                let unit = Unit::Characters {
                    len,
                    width,
                    missing,
                };
                (character * u64::from(width), unit)
            }
            Unit::Base64 { missing } => {
                let byte = passed + u64::from(missing);
                let missing = (byte % 3) as u8;
                (byte / 3 * 4, Unit::Base64 { missing })
            }
        };
        Run {
            start,
            source: self.source + from,
            unit,
        }
    }

    /// How far the run's bytes came from source bytes before `limit`: a place in the view, perhaps
    /// behind the run.
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

    /// Where the bytes end that came together with the byte at `at`; perhaps behind the run.
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

    /// This run as one of the source of `below`, from which its bytes came; `None` if there is no
    /// unit for that.
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
