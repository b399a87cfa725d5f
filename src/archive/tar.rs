//! tar.

use std::cell::Cell;
use std::io::{self, Read};

use tar::{Archive, EntryType};

use super::guard::Guard;
use super::{Opener, Source};

/// The most that is read between members: the header of the next one, and its long name, which is
/// held in memory.
const MAX_HEADER: u64 = 4 << 20;

impl<E: From<io::Error>> Opener<'_, E> {
    pub(super) fn tar(&mut self, source: &Source, reader: &mut dyn Read) -> Result<(), E> {
        let left = Cell::new(MAX_HEADER);
        let mut archive = Archive::new(Limited {
            reader,
            left: &left,
        });
        let mut at = 0;
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => {
                self.sink.fault(source, &error.to_string(), at);
                return Ok(());
            }
        };
        for entry in entries {
            left.set(u64::MAX);
            let mut entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.sink.fault(source, &error.to_string(), at);
                    return Ok(());
                }
            };
            let member = source.member(&entry.path_bytes());
            let (kind, size) = (entry.header().entry_type(), entry.size());
            at = entry.raw_file_position();
            match kind {
                EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                    let decoded = self.decoded(&member, entry)?;
                    at += decoded.length;
                    if decoded.length < size && decoded.is_whole {
                        let message = format!("{size} bytes long, but cut off");
                        self.sink.fault(&member, &message, decoded.length);
                        return Ok(());
                    }
                }
                EntryType::Directory | EntryType::XGlobalHeader => {}
                EntryType::Symlink => self.sink.skipped(&member, "a symbolic link"),
                EntryType::Link => self.sink.skipped(&member, "a link"),
                _ => {
                    self.sink.skipped(&member, "no file");
                    io::copy(&mut Guard::new(&mut entry, None), &mut io::sink())?;
                }
            }
            left.set(MAX_HEADER);
        }
        Ok(())
    }
}

/// A reader that fails when it has been read too far.
struct Limited<'l, R> {
    reader: R,
    left: &'l Cell<u64>,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 {
            return Err(io::Error::other("the name of a member is too long"));
        }
        let most = out.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let count = self.reader.read(&mut out[..most])?;
        self.left.set(left - count as u64);
        Ok(count)
    }
}
