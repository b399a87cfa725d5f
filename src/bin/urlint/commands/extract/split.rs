//! A list of its own for each host, domain or scheme, in a folder.
//!
//! Rows are sorted by key, so that only one file is open at a time, and written to files in a temporary
//! folder inside. Only when all of them are there are they moved to their places, and the index last: a
//! folder without an index is not whole.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::Format;
use super::batch::Layout;
use super::cells;
use super::cells::Texts;
use super::spill::sorter::{Order, Sorter};
use super::spill::store::Store;
use super::table::Column;
use crate::error::Error;
use crate::hash::Hash;
use crate::walk::{Lists, TEMPORARY};

/// The list of the lists: the name of each file, its key, and how many rows it has. No key makes this
/// name.
const INDEX: &str = "_index.tsv";

/// The name of the list of URLs without a key.
const NO_KEY: &str = "_none";

/// The longest name of a list, without extension, and how much of a longer one is kept.
const MAX_NAME: usize = 180;
const KEPT: usize = 150;

/// Names that Windows gives to devices, with any extension.
const DEVICES: [&str; 24] = [
    "con", "prn", "aux", "nul", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7",
    "com8", "com9", "lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// The lists.
pub(super) struct Split {
    folder: PathBuf,
    temporary: TempDir,
    /// The lists that are in the folder since an earlier run.
    old: HashSet<OsString>,
    heading: Vec<u8>,
    format: Format,
    rows: Sorter,
    count: u64,
}

/// The index that is being written.
struct Index {
    layout: cells::Layout,
    rows: BufWriter<File>,
}

/// A list that is being written.
struct List {
    path: PathBuf,
    name: String,
    key: Vec<u8>,
    rows: u64,
    file: BufWriter<File>,
}

impl Split {
    /// Begins lists in `folder`, which is created if it is missing.
    ///
    /// # Errors
    ///
    /// Fails if the folder holds anything but the lists of an earlier run, unless they are to be mixed
    /// (`overwrite`), or if nothing can be written there.
    pub(super) fn new(
        folder: &Path,
        overwrite: bool,
        format: Format,
        store: &Store,
        memory: usize,
    ) -> Result<Self, Error> {
        let failed = |error| Error::File(folder.to_owned(), error);
        fs::create_dir_all(folder).map_err(failed)?;
        let (old, foreign) = holds(folder).map_err(failed)?;
        if let Some(foreign) = foreign.filter(|_| !overwrite) {
            return Err(Error::Usage(format!(
                "{} holds {}, which is no list of --split-by: choose another folder, or write among such files with --overwrite",
                folder.display(),
                Path::new(&foreign).display(),
            )));
        }
        let temporary = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .tempdir_in(folder);
        let order = Order {
            layout: Layout::Before,
            reverse: false,
        };
        Ok(Split {
            folder: folder.to_owned(),
            temporary: temporary.map_err(failed)?,
            old,
            heading: Vec::new(),
            format,
            rows: Sorter::new(order, usize::MAX, store, memory),
            count: 0,
        })
    }

    /// Sets what stands above the rows of each list.
    pub(super) fn set_heading(&mut self, heading: &[u8]) {
        self.heading = heading.to_vec();
    }

    /// Adds a row, which has its key before it.
    pub(super) fn add(&mut self, record: &[u8]) -> Result<(), Error> {
        self.count += 1;
        self.rows.add(self.count, record)
    }

    /// Writes the lists, and moves them to their places.
    pub(super) fn finish(self) -> Result<(), Error> {
        let failed = |error| Error::File(self.folder.clone(), error);
        let temporary = self.temporary.path();
        let extension = extension(self.format);
        let index = temporary.join(INDEX);
        let index = BufWriter::new(File::create_new(index).map_err(failed)?);
        let columns = Column::texts(&["file", "key", "rows"]);
        let layout = cells::Layout::new(Format::Tsv, columns, b"\n", false);
        let mut index = Index {
            layout,
            rows: index,
        };
        (index.rows.write_all(&index.layout.heading)).map_err(failed)?;
        let mut list: Option<List> = None;
        self.rows.finish_with_keys(&mut |key, row| {
            let list = match &mut list {
                Some(list) if list.key == key => list,
                next => {
                    if let Some(last) = next.take() {
                        last.end(&mut index).map_err(failed)?;
                    }
                    let list = List::begin(temporary, key, extension).map_err(failed)?;
                    let list = next.insert(list);
                    list.write(&self.heading)?;
                    list
                }
            };
            list.rows += 1;
            list.write(row)
        })?;
        if let Some(last) = list {
            last.end(&mut index).map_err(failed)?;
        }
        let index = index
            .rows
            .into_inner()
            .map_err(io::IntoInnerError::into_error);
        index.and_then(|index| index.sync_all()).map_err(failed)?;
        put(temporary, &self.folder, self.old).map_err(failed)?;
        self.temporary.close().map_err(failed)
    }
}

impl List {
    /// Begins the list of `key` in `folder`.
    fn begin(folder: &Path, key: &[u8], extension: &str) -> io::Result<Self> {
        let stem = stem(key);
        let mut name = format!("{stem}.{extension}");
        let mut tries = 1;
        loop {
            let path = folder.join(&name);
            match File::create_new(&path) {
                Ok(file) => {
                    return Ok(List {
                        path,
                        name,
                        key: key.to_vec(),
                        rows: 0,
                        file: BufWriter::new(file),
                    });
                }
                // Two long keys may be shortened to the same name.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    tries += 1;
                    name = format!("{stem}~{tries}.{extension}");
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| Error::File(self.path.clone(), error))
    }

    /// Ends the list, and adds it to the index.
    fn end(mut self, index: &mut Index) -> io::Result<()> {
        self.file.flush()?;
        let rows = self.rows.to_string();
        let cells = [self.name.as_bytes(), &self.key, rows.as_bytes()];
        let mut row = Vec::new();
        index.layout.row(&mut row, Texts(&cells));
        index.rows.write_all(&row)
    }
}

/// Returns what is known of the lists in `folder` before any is written; `None` if there is no such
/// folder.
pub(super) fn lists(
    folder: &Path,
    overwrite: bool,
    format: Format,
) -> Result<Option<Lists>, Error> {
    let Ok(real) = fs::canonicalize(folder) else {
        return Ok(None);
    };
    let names = listed(&real).map_err(|error| Error::File(folder.to_owned(), error))?;
    Ok(Some(Lists {
        folder: real,
        is_shared: overwrite,
        names,
        extension: extension(format),
    }))
}

/// Returns the names in the index of `folder`, and its own, if there is one.
fn listed(folder: &Path) -> io::Result<HashSet<OsString>> {
    let mut listed = HashSet::new();
    let index = folder.join(INDEX);
    // What is there may be a pipe.
    if fs::symlink_metadata(&index).is_ok_and(|data| data.is_file()) {
        for name in names(File::open(index)?) {
            listed.insert(OsString::from(name?));
        }
        listed.insert(INDEX.into());
    }
    Ok(listed)
}

/// Returns the names of the lists that an earlier run has left in `folder`, and something that is none
/// of them.
fn holds(folder: &Path) -> io::Result<(HashSet<OsString>, Option<OsString>)> {
    let listed = listed(folder)?;
    let (mut old, mut foreign) = (HashSet::new(), None);
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_temporary = name.to_string_lossy().starts_with(TEMPORARY);
        if listed.contains(&name) && entry.file_type()?.is_file() {
            old.insert(name);
        } else if !is_temporary {
            // The first by name, whatever the order of the entries.
            foreign = foreign.filter(|other| *other < name).or(Some(name));
        }
    }
    Ok((old, foreign))
}

/// Returns the names in the first column of an index.
fn names(index: File) -> impl Iterator<Item = io::Result<String>> {
    let rows = BufReader::new(index).lines().skip(1);
    rows.map(|row| Ok(row?.split('\t').next().unwrap_or_default().to_owned()))
}

/// Moves all lists from `temporary` to `folder`, the index last, and removes the `old` ones.
fn put(temporary: &Path, folder: &Path, mut old: HashSet<OsString>) -> io::Result<()> {
    let index = Path::new(INDEX);
    if old.remove(index.as_os_str()) {
        fs::remove_file(folder.join(index))?;
    }
    for name in names(File::open(temporary.join(index))?) {
        let name = name?;
        fs::rename(temporary.join(&name), folder.join(&name))?;
        old.remove(Path::new(&name).as_os_str());
    }
    for name in old {
        fs::remove_file(folder.join(name))?;
    }
    fs::rename(temporary.join(index), folder.join(index))
}

fn extension(format: Format) -> &'static str {
    match format {
        Format::Text => "txt",
        Format::JsonLines => "jsonl",
        Format::Csv => "csv",
        Format::Tsv => "tsv",
        Format::Parquet => "parquet",
        Format::Arrow => "arrow",
    }
}

/// Returns the name of the list of `key`, without its extension. It is the name of a file in this
/// folder on every system, even if that does not distinguish capitals, and different keys have
/// different names, unless they are long.
fn stem(key: &[u8]) -> String {
    if key.is_empty() {
        return NO_KEY.to_owned();
    }
    let first = key.split(|&byte| byte == b'.').next().unwrap_or_default();
    let is_device = DEVICES.iter().any(|device| device.as_bytes() == first);
    let (mut stem, mut kept) = (String::new(), 0);
    for (index, &byte) in key.iter().enumerate() {
        let is_plain = byte.is_ascii_lowercase() || byte.is_ascii_digit();
        // At the start, these hide a file, look like a flag, or are for names that are no keys.
        let is_inner = b".-_".contains(&byte) && index > 0;
        if (is_plain || is_inner) && !(is_device && index == 0) {
            stem.push(char::from(byte));
        } else {
            stem.push_str(&format!("%{byte:02X}"));
        }
        if stem.len() <= KEPT {
            kept = stem.len();
        }
        if stem.len() > MAX_NAME {
            stem.truncate(kept);
            return format!("{stem}~{:016x}", Hash::of(key));
        }
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_everywhere() {
        let cases = [
            ("a-b.c_d.example", "a-b.c_d.example"),
            ("", "_none"),
            ("..", "%2E."),
            ("../../x", "%2E.%2F..%2Fx"),
            ("_index", "%5Findex"),
            ("-rf", "%2Drf"),
            ("[::1]", "%5B%3A%3A1%5D"),
            ("con", "%63on"),
            ("aux.example", "%61ux.example"),
            ("auxiliary.example", "auxiliary.example"),
            ("a\0b\nc\\d%2f", "a%00b%0Ac%5Cd%252f"),
            ("\u{e9}.example", "%C3%A9.example"),
            ("A.example", "%41.example"),
        ];
        for (key, expected) in cases {
            assert_eq!(stem(key.as_bytes()), expected);
        }
        let long = stem("\u{e9}".repeat(1000).as_bytes());
        assert_eq!(long.len(), KEPT + 17);
        assert_ne!(stem("\u{e9}".repeat(1001).as_bytes()), long);
    }

    #[test]
    fn keys_with_the_same_name_have_different_lists() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let begin = || List::begin(folder.path(), b"a", "txt").map(|list| list.name);
        assert_eq!(
            [begin()?, begin()?, begin()?],
            ["a.txt", "a~2.txt", "a~3.txt"]
        );
        Ok(())
    }
}
