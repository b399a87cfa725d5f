//! zip.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};

use tempfile::SpooledTempFile;
use zip::ZipArchive;
use zip::read::{ZipFile, read_zipfile_from_stream};

use super::limited::LimitedReader;
use super::{Source, Unpacker};

/// An archive that does not come from a file is copied, so many bytes to memory and a longer one to a
/// temporary file.
const MAX_IN_MEMORY: usize = 16 << 20;

impl<E: From<io::Error>> Unpacker<'_, E> {
    pub(super) fn zip(
        &mut self,
        source: &Source,
        reader: &mut dyn Read,
        file: Option<&File>,
    ) -> Result<(), E> {
        // The directory is at the end.
        if let Some(Ok(file)) = file.map(File::try_clone) {
            let budget = self.budget;
            return self.seekable_zip(source, BufReader::new(budget.count(file)));
        }
        match self.kept(source, reader) {
            Some(kept) => self.seekable_zip(source, BufReader::new(kept)),
            None => Ok(()),
        }
    }

    /// Copies an archive that has to be read in any order. Reports if that fails.
    pub(super) fn kept(
        &mut self,
        source: &Source,
        reader: &mut dyn Read,
    ) -> Option<SpooledTempFile> {
        let mut kept = SpooledTempFile::new(MAX_IN_MEMORY);
        let mut reader = LimitedReader::new(reader, None);
        if let Err(error) = io::copy(&mut reader, &mut kept) {
            let message = format!("cannot be kept to be read: {error}");
            self.damaged(source, message, reader.at);
            return None;
        }
        Some(kept)
    }

    pub(super) fn seekable_zip(
        &mut self,
        source: &Source,
        mut file: impl Read + Seek,
    ) -> Result<(), E> {
        let opened = file.rewind().map_err(Into::into);
        let mut archive = match opened.and_then(|()| ZipArchive::new(&mut file)) {
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
    fn broken_zip(&mut self, source: &Source, mut file: impl Read + Seek) -> Result<(), E> {
        if file.rewind().is_err() {
            return Ok(());
        }
        // The fault has been reported already.
        while let Ok(Some(entry)) = read_zipfile_from_stream(&mut file) {
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
