//! Archives that are read in any order, since what is where is told at their end, or by offsets.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};

use tempfile::SpooledTempFile;

use super::limited::LimitedReader;
use super::{Source, Unpacker};

/// An archive that does not come from a file is copied, so many bytes to memory and a longer one to a
/// temporary file.
const MAX_IN_MEMORY: usize = 16 << 20;

/// The format of an archive that is read in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InAnyOrder {
    Zip,
    SevenZ,
    Zim,
}

/// What can be read in any order.
pub(super) trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

/// An archive that is read.
pub(super) type Seekable<'f> = BufReader<&'f mut dyn ReadSeek>;

impl<E: From<io::Error>> Unpacker<'_, E> {
    /// Opens an archive: `file` itself, or a copy of what `reader` gives.
    pub(super) fn seekable(
        &mut self,
        source: &Source,
        format: InAnyOrder,
        reader: &mut dyn Read,
        file: Option<&File>,
    ) -> Result<(), E> {
        if let Some(Ok(file)) = file.map(File::try_clone) {
            let budget = self.budget;
            return self.in_any_order(source, format, &mut budget.count(file));
        }
        match self.kept(source, reader) {
            Some(mut kept) => self.in_any_order(source, format, &mut kept),
            None => Ok(()),
        }
    }

    /// Opens an archive that can be read in any order.
    pub(super) fn in_any_order(
        &mut self,
        source: &Source,
        format: InAnyOrder,
        file: &mut dyn ReadSeek,
    ) -> Result<(), E> {
        let mut file = BufReader::new(file);
        match format {
            InAnyOrder::Zip => self.zip(source, &mut file),
            InAnyOrder::SevenZ => self.sevenz(source, &mut file),
            InAnyOrder::Zim => self.zim(source, &mut file),
        }
    }

    /// Copies what `reader` gives. Reports if that fails.
    fn kept(&mut self, source: &Source, reader: &mut dyn Read) -> Option<SpooledTempFile> {
        let mut kept = SpooledTempFile::new(MAX_IN_MEMORY);
        let mut reader = LimitedReader::new(reader, None);
        if let Err(error) = io::copy(&mut reader, &mut kept) {
            let message = format!("cannot be kept to be read: {error}");
            self.damaged(source, message, reader.at);
            return None;
        }
        Some(kept)
    }
}
