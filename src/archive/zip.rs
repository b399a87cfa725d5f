//! zip.

use std::io::{self, Read, Seek};

use zip::ZipArchive;
use zip::read::{ZipFile, read_zipfile_from_stream};

use super::seekable::Seekable;
use super::{Source, Unpacker};

impl<E: From<io::Error>> Unpacker<'_, E> {
    pub(super) fn zip(&mut self, source: &Source, file: &mut Seekable<'_>) -> Result<(), E> {
        let opened = file.rewind().map_err(Into::into);
        let mut archive = match opened.and_then(|()| ZipArchive::new(&mut *file)) {
            Ok(archive) => archive,
            Err(error) => {
                self.damaged(source, error.to_string(), 0);
                return self.broken_zip(source, file);
            }
        };
        for index in 0..archive.len() {
            let name = archive.by_index_raw(index);
            let name = name.map(|entry| entry.name_raw().to_vec());
            match archive.by_index(index) {
                Ok(entry) => self.zipped(source, entry)?,
                Err(error) => {
                    let name = name.unwrap_or_else(|_| (index + 1).to_string().into());
                    let member = source.member(&name);
                    self.damaged(&member, error.to_string(), 0);
                }
            }
        }
        Ok(())
    }

    /// Reads the members of an archive without a directory, up to the place where it is damaged.
    fn broken_zip(&mut self, source: &Source, file: &mut Seekable<'_>) -> Result<(), E> {
        if file.rewind().is_err() {
            return Ok(());
        }
        // The fault has been reported already.
        while let Ok(Some(entry)) = read_zipfile_from_stream(&mut *file) {
            self.zipped(source, entry)?;
            if self.budget.is_spent() {
                break;
            }
        }
        Ok(())
    }

    fn zipped<R: Read>(&mut self, source: &Source, entry: ZipFile<'_, R>) -> Result<(), E> {
        let member = source.member(entry.name_raw());
        if entry.is_symlink() {
            self.sink.skipped(&member, "a symbolic link");
        } else if !entry.is_dir() && !self.budget.is_spent() {
            let size = entry.size();
            let decoded = self.decompressed(&member, entry)?;
            if decoded.length < size && decoded.is_whole && !self.budget.is_spent() {
                let message = format!("{size} bytes long, but cut off");
                self.damaged(&member, message, decoded.length);
            }
        }
        Ok(())
    }
}
