//! tar.

use std::cell::Cell;
use std::io::{self, Read};

use tar::{Archive, EntryType};

use super::limited::LimitedReader;
use super::{Skipped, Source, Unpacker};

/// The greatest number of bytes between members: the header of the next one and its long name,
/// which is held in memory.
const MAX_HEADER: u64 = 4 << 20;

impl<E: From<io::Error>> Unpacker<'_, E> {
    pub(super) fn tar(&mut self, source: &Source, reader: &mut dyn Read) -> Result<(), E> {
        let left = Cell::new(MAX_HEADER);
        let mut archive = Archive::new(Bounded {
            reader,
            left: &left,
        });
        let mut at = 0;
        // This fails only if the archive has been read before.
        for entry in archive.entries().into_iter().flatten() {
            left.set(u64::MAX);
            let mut entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    return self.damaged(source, error.to_string(), at);
                }
            };
            let member = source.member(&entry.path_bytes());
            let (kind, size) = (entry.header().entry_type(), entry.size());
            at = entry.raw_file_position();
            match kind {
                EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                    // The zeros of a sparse file take no bytes of the archive.
                    let decoded = if kind == EntryType::GNUSparse {
                        self.decompressed(&member, entry)?
                    } else {
                        self.stored(&member, entry)?
                    };
                    at += decoded.length;
                    if decoded.length < size && decoded.is_whole {
                        let message = format!("{size} bytes long, but cut off");
                        return self.damaged(&member, message, decoded.length);
                    }
                }
                EntryType::Directory | EntryType::XGlobalHeader => {}
                EntryType::Symlink => self.skipped(&member, Skipped::NotText("a symbolic link"))?,
                EntryType::Link => self.skipped(&member, Skipped::NotText("a hard link"))?,
                _ => {
                    self.skipped(&member, Skipped::NotText("a special file"))?;
                    io::copy(&mut LimitedReader::new(&mut entry, None), &mut io::sink())?;
                }
            }
            left.set(MAX_HEADER);
        }
        Ok(())
    }
}

/// A reader that fails after a number of bytes.
struct Bounded<'l, R> {
    reader: R,
    left: &'l Cell<u64>,
}

impl<R: Read> Read for Bounded<'_, R> {
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use std::io::{self, Read};

    use crate::{Fault, Item, Limits, Opener, Source};

    /// Counts sources' bytes, and collects faults.
    #[derive(Default)]
    struct Counts(u64, Vec<Fault>);

    impl Counts {
        fn take(&mut self, item: Item<'_>) -> io::Result<()> {
            match item {
                Item::Source(_, content) => {
                    self.0 += io::copy(&mut content.take(u64::MAX), &mut io::sink())?;
                }
                Item::Fault(_, fault, _) => self.1.push(fault.clone()),
                Item::Skipped(..) => {}
            }
            Ok(())
        }
    }

    #[test]
    fn the_zeros_of_sparse_files_are_limited() {
        let mut header = tar::Header::new_gnu();
        header.set_path("a.txt").unwrap();
        header.set_entry_type(tar::EntryType::GNUSparse);
        header.set_size(512);
        let gnu = header.as_gnu_mut().unwrap();
        gnu.set_real_size(1 << 60);
        // Text, a hole, and the end.
        for (sparse, (at, length)) in gnu.sparse.iter_mut().zip([(0, 512), (1 << 60, 0)]) {
            sparse.set_offset(at);
            sparse.set_length(length);
        }
        header.set_cksum();
        let archive = [header.as_bytes(), &[b'a'; 512][..], &[0; 1024]].concat();
        let limits = Limits {
            size: 1 << 20,
            ..Limits::default()
        };
        let mut counts = Counts::default();
        let source = Source::file(b"a.tar", false);
        let opener = Opener::new(limits);
        opener
            .open_bytes(&source, &archive, &mut |item| counts.take(item))
            .unwrap();
        assert_eq!(counts.1, [Fault::TooLong(1 << 20)]);
        assert!(counts.0 < 2 << 20, "{}", counts.0);
    }
}
