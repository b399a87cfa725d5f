//! tar.

use std::io::Read;

use tar::{Archive, EntryType};

use super::{Opener, Source};
use crate::cli::Error;

impl Opener<'_> {
    pub(super) fn tar(&mut self, source: &Source, reader: &mut dyn Read) -> Result<(), Error> {
        let mut archive = Archive::new(reader);
        let mut at = 0;
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => {
                self.sink.fault(source, &error.to_string(), at);
                return Ok(());
            }
        };
        for entry in entries {
            let entry = match entry {
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
                _ => self.sink.skipped(&member, "no file"),
            }
        }
        Ok(())
    }
}
