//! Going on where a run was that was killed.
//!
//! The list is written to a file beside its place, and a journal has a line for each file that was read
//! to its end: its length, when it was changed, a hash of its settings, its path. Now and then the list
//! is synced to the disk; then these lines follow in the journal, and a line that says how long the list
//! was. What the list has beyond the last of these lines is cut off by the next run, which passes over
//! the files before that line. At the end the list is moved to its place and the journal removed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, UNIX_EPOCH};

use urlint::config::{Configs, FileSettings, Resolved};

use super::Format;
use super::cells;
use super::cells::Texts;
use crate::commands::replace::end_of_links;
use crate::error::Error;
use crate::hash::Hash;
use crate::walk::{Entry, Totals};

/// What a journal begins with, before the hash of the flags.
const HEAD: &str = "urlint-journal 1 ";

/// The first words of lines: a file was read, the list was synced, the list is whole.
const READ: &str = "file";
const SYNCED: &str = "list";
const WHOLE: &str = "whole";

/// How long the list waits at least until it is synced again, and how many times as long as that took.
const PAUSE: Duration = Duration::from_millis(100);
const PAUSES: u32 = 20;

/// The files of a run.
#[derive(Debug)]
struct Paths {
    /// Where the list is to be.
    place: PathBuf,
    /// The list as far as it is written, hidden, so that it is not read if it is in a folder that is.
    part: PathBuf,
    journal: PathBuf,
}

/// A run that can go on.
pub(super) struct Run {
    pub(super) past: Past,
    pub(super) journal: Journal,
}

/// The files that an earlier run has read, to be passed over.
#[derive(Debug)]
pub(super) struct Past {
    paths: Arc<Paths>,
    /// The journal up to its end, with the lines of these files.
    lines: Option<BufReader<io::Take<File>>>,
    /// The line of the file that is being handed out.
    current: Vec<u8>,
    /// The settings that were met last, and their hash.
    settings: Option<(Arc<Resolved>, u64)>,
}

/// The list and its journal.
#[derive(Debug)]
pub(super) struct Journal {
    paths: Arc<Paths>,
    part: BufWriter<File>,
    journal: File,
    /// The hash of the journal.
    hash: Hash,
    /// How long the list is.
    length: u64,
    /// What is to be written to the journal once the list has been synced.
    lines: Vec<u8>,
    /// How long the list was after the last file, and what had been read.
    synced: (u64, Tally),
    /// What earlier runs have read.
    before: Tally,
    /// When the list is to be synced.
    next: Instant,
    is_whole: bool,
}

/// How much was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    read: u64,
    failed: u64,
    notices: u64,
}

/// The state that a journal tells of.
#[derive(Debug, Default)]
struct State {
    /// How long the valid part of the journal is, and its hash.
    end: u64,
    hash: Hash,
    /// How long the list was.
    length: u64,
    tally: Tally,
    is_whole: bool,
}

impl Run {
    /// Begins a list for `place`, or goes on with one. `flags` is a hash of all that the list depends
    /// on beside the files.
    pub(super) fn new(place: &Path, flags: u64) -> Result<Self, Error> {
        let failed = |error| Error::File(place.to_owned(), error);
        if fs::metadata(place).is_ok_and(|data| !data.is_file()) {
            return Err(Error::Usage(format!(
                "{}: --resume writes to regular files only",
                place.display()
            )));
        }
        let paths = Arc::new(Paths::new(end_of_links(place).map_err(failed)?));
        // Nobody has named these two, so that they are not written through.
        for path in [&paths.part, &paths.journal] {
            if fs::symlink_metadata(path).is_ok_and(|data| !data.is_file()) {
                return Err(paths.unusable(path, "not a regular file"));
            }
        }
        let head = format!("{HEAD}{flags:016x}\n");
        let state = match File::open(&paths.journal) {
            Ok(journal) => State::read(BufReader::new(journal), head.as_bytes(), &paths)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Error::File(paths.journal.clone(), error)),
        };
        match state {
            Some(state) => Run::go_on(paths, &state),
            None => Run::begin(paths, head.as_bytes()),
        }
    }

    fn begin(paths: Arc<Paths>, head: &[u8]) -> Result<Self, Error> {
        if let Some(folder) = paths
            .place
            .parent()
            .filter(|path| !path.as_os_str().is_empty())
        {
            let made = fs::create_dir_all(folder);
            made.map_err(|error| Error::File(paths.place.clone(), error))?;
        }
        let part = File::create(&paths.part).map_err(|error| paths.of_part(error))?;
        let mut journal = File::create(&paths.journal).map_err(|error| paths.of_journal(error))?;
        let written = journal.write_all(head).and_then(|()| journal.sync_all());
        written.map_err(|error| paths.of_journal(error))?;
        let mut state = State::default();
        state.hash.add(head);
        Ok(Run {
            past: Past::new(&paths, None),
            journal: Journal::new(paths, part, journal, &state),
        })
    }

    fn go_on(paths: Arc<Paths>, state: &State) -> Result<Self, Error> {
        let part = match File::options().write(true).open(&paths.part) {
            Ok(part) => {
                let cut = cut(&part, state.length).map_err(|error| paths.of_part(error))?;
                if !cut {
                    return Err(paths.unusable(&paths.part, "shorter than it was"));
                }
                Ok(part)
            }
            // It was moved to its place just before the end.
            Err(error) if error.kind() == io::ErrorKind::NotFound && state.is_whole => {
                File::open(&paths.place)
            }
            Err(error) => Err(error),
        };
        let part = part.map_err(|error| paths.unusable(&paths.part, &error.to_string()))?;
        let reopened = File::open(&paths.journal).and_then(|lines| {
            let journal = File::options().write(true).open(&paths.journal)?;
            cut(&journal, state.end)?;
            Ok((lines, journal))
        });
        let (lines, journal) = reopened.map_err(|error| paths.of_journal(error))?;
        Ok(Run {
            past: Past::new(&paths, Some(BufReader::new(lines.take(state.end)))),
            journal: Journal::new(paths, part, journal, state),
        })
    }
}

/// Cuts `file` off after `length` bytes, to be written on from there. Returns whether it is so long.
fn cut(mut file: &File, length: u64) -> io::Result<bool> {
    if file.metadata()?.len() < length {
        return Ok(false);
    }
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length))?;
    Ok(true)
}

/// Returns the two files that a run keeps beside its list at `place`.
pub(super) fn beside(place: &Path) -> [PathBuf; 2] {
    let place = end_of_links(place).unwrap_or_else(|_| place.to_owned());
    let Paths { part, journal, .. } = Paths::new(place);
    [part, journal]
}

impl Paths {
    fn new(place: PathBuf) -> Self {
        let beside = |end: &str| {
            let mut name = OsString::from(".");
            name.push(place.file_name().unwrap_or_default());
            name.push(end);
            place.with_file_name(name)
        };
        Paths {
            part: beside(".urlint-part"),
            journal: beside(".urlint-journal"),
            place,
        }
    }

    fn of_part(&self, error: io::Error) -> Error {
        Error::File(self.part.clone(), error)
    }

    fn of_journal(&self, error: io::Error) -> Error {
        Error::File(self.journal.clone(), error)
    }

    /// The error if the earlier run cannot be gone on with, because `file` is as `what` says.
    fn unusable(&self, file: &Path, what: &str) -> Error {
        let file = file.display();
        Error::Usage(format!(
            "{file}: {what}; to begin the list again, delete {}",
            self.journal.display()
        ))
    }
}

impl State {
    /// Reads a journal as far as it is valid. Returns `None` if nothing of the list is certain yet.
    fn read(mut journal: impl BufRead, head: &[u8], paths: &Paths) -> Result<Option<Self>, Error> {
        let (mut line, mut state) = (Vec::new(), State::default());
        let (mut end, mut hash) = (0, Hash::default());
        loop {
            line.clear();
            let read = journal.read_until(b'\n', &mut line);
            end += read.map_err(|error| paths.of_journal(error))? as u64;
            let is_first = end == line.len() as u64;
            if is_first && head.starts_with(&line) && line != head {
                return Ok(None);
            }
            if is_first && line != head {
                let is_journal = line.starts_with(HEAD.as_bytes());
                let what = if is_journal {
                    "--resume takes the flags and paths of the run that it goes on with"
                } else {
                    "not a journal of this version of urlint"
                };
                return Err(paths.unusable(&paths.journal, what));
            }
            let Some(text) = line.strip_suffix(b"\n") else {
                return Ok(Some(state));
            };
            if let Some((length, tally, is_whole)) = synced(text, hash) {
                hash.add(&line);
                state = State {
                    end,
                    hash,
                    length,
                    tally,
                    is_whole,
                };
                continue;
            }
            hash.add(&line);
            if is_first {
                (state.end, state.hash) = (end, hash);
            } else if !text.starts_with(READ.as_bytes()) {
                // The disk has only a part of what was written.
                return Ok(Some(state));
            }
        }
    }
}

/// Returns the path in the line of a file: it comes last.
fn path(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let path = line.rsplit(|&byte| byte == b'\t').next();
    path.unwrap_or_default()
}

/// Reads a line that says how long the list was, and that it is valid if the lines before it have the
/// hash `hash`.
fn synced(line: &[u8], hash: Hash) -> Option<(u64, Tally, bool)> {
    let mut words = str::from_utf8(line).ok()?.split('\t');
    let is_whole = match words.next()? {
        SYNCED => false,
        WHOLE => true,
        _ => return None,
    };
    let mut number = || words.next()?.parse().ok();
    let length = number()?;
    let tally = Tally {
        read: number()?,
        failed: number()?,
        notices: number()?,
    };
    let expected = u64::from_str_radix(words.next()?, 16).ok()?;
    (expected == hash.0 && words.next().is_none()).then_some((length, tally, is_whole))
}

impl Past {
    fn new(paths: &Arc<Paths>, lines: Option<BufReader<io::Take<File>>>) -> Self {
        Past {
            paths: paths.clone(),
            lines,
            current: Vec::new(),
            settings: None,
        }
    }

    /// Takes note that a file follows. Returns whether it is to be read.
    ///
    /// # Errors
    ///
    /// Fails if the earlier run has read another file here, or the file has changed since.
    pub(super) fn begins(&mut self, entry: &Entry<'_>, configs: &Configs) -> Result<bool, Error> {
        if self.is_own(entry.path) {
            return Ok(false);
        }
        if !entry.is_regular {
            let name = entry.name.display();
            let message = format!("{name}: --resume reads regular files only");
            return Err(Error::Usage(message));
        }
        self.stamp(entry, configs);
        match self.earlier()? {
            None => Ok(true),
            Some(line) if line == self.current => Ok(false),
            Some(line) => {
                let (one, other) = (path(&self.current), path(&line));
                let what = if one == other {
                    "the file or its settings have changed since it was read".to_owned()
                } else {
                    let other = String::from_utf8_lossy(other);
                    format!("an earlier run has read {other} in its place")
                };
                Err(self.paths.unusable(entry.name, &what))
            }
        }
    }

    /// The line of the journal for the file that has been handed out.
    pub(super) fn ends(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.current)
    }

    /// Whether `path` is the unfinished list or its journal.
    fn is_own(&self, path: &Path) -> bool {
        let is = |own: &Path| {
            path.file_name() == own.file_name()
                && fs::canonicalize(path).ok() == fs::canonicalize(own).ok()
        };
        is(&self.paths.part) || is(&self.paths.journal)
    }

    /// Writes the line of a file.
    fn stamp(&mut self, entry: &Entry<'_>, configs: &Configs) {
        let data = fs::metadata(entry.path);
        let length = data
            .as_ref()
            .map_or(String::new(), |data| data.len().to_string());
        let changed = data.and_then(|data| data.modified()).ok();
        let changed = changed.map(|time| match time.duration_since(UNIX_EPOCH) {
            Ok(after) => after.as_nanos().to_string(),
            Err(before) => format!("-{}", before.duration().as_nanos()),
        });
        let settings = configs.for_file(entry.path);
        let settings = settings.map_or(0, |settings| self.hash(&settings));
        let settings = format!("{settings:016x}");
        let cells = [
            READ.as_bytes(),
            length.as_bytes(),
            changed.as_deref().unwrap_or_default().as_bytes(),
            settings.as_bytes(),
            entry.name.as_os_str().as_encoded_bytes(),
        ];
        // Text may have bytes that are not UTF-8.
        let layout = cells::Layout::new(Format::Text, Vec::new(), b"\n", false);
        self.current.clear();
        layout.row(&mut self.current, Texts(&cells));
    }

    fn hash(&mut self, settings: &FileSettings) -> u64 {
        let folder = match &self.settings {
            Some((resolved, hash)) if Arc::ptr_eq(resolved, &settings.resolved) => *hash,
            _ => {
                let hash = Hash::of_shown(&settings.resolved);
                self.settings = Some((settings.resolved.clone(), hash));
                hash
            }
        };
        Hash::of_shown(&(folder, settings.own()))
    }

    /// The line of the next file that an earlier run has read, if there is one.
    fn earlier(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let Some(lines) = &mut self.lines else {
            return Ok(None);
        };
        loop {
            let mut line = Vec::new();
            let read = lines.read_until(b'\n', &mut line);
            if read.map_err(|error| self.paths.of_journal(error))? == 0 {
                self.lines = None;
                return Ok(None);
            }
            if line.starts_with(READ.as_bytes()) {
                return Ok(Some(line));
            }
        }
    }

    /// Checks that all files came that an earlier run has read.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        match self.earlier()? {
            None => Ok(()),
            Some(_) => {
                let what = "some files are gone that an earlier run has read";
                Err(self.paths.unusable(&self.paths.journal, what))
            }
        }
    }
}

impl Journal {
    fn new(paths: Arc<Paths>, part: File, journal: File, state: &State) -> Self {
        Journal {
            paths,
            part: BufWriter::with_capacity(64 * 1024, part),
            journal,
            hash: state.hash,
            length: state.length,
            lines: Vec::new(),
            synced: (state.length, state.tally),
            before: state.tally,
            next: Instant::now() + PAUSE,
            is_whole: state.is_whole,
        }
    }

    /// Returns whether there is nothing to do but to move the list to its place.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns whether nothing has been written to the list.
    pub(super) fn is_new(&self) -> bool {
        self.length == 0
    }

    /// Returns what earlier runs have read.
    pub(super) fn earlier(&self) -> Totals {
        Totals {
            read: self.before.read,
            failed: self.before.failed,
            notices: self.before.notices,
            ..Totals::default()
        }
    }

    /// Writes to the list.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.length += bytes.len() as u64;
        let written = self.part.write_all(bytes);
        written.map_err(|error| self.paths.of_part(error))
    }

    /// Takes note that a file, whose line is `line`, has been read; `totals` is what has been read by
    /// this run.
    pub(super) fn file_end(&mut self, line: &[u8], totals: Totals) -> Result<(), Error> {
        self.lines.extend_from_slice(line);
        let mut all = self.earlier();
        all.add(totals);
        let tally = Tally {
            read: all.read,
            failed: all.failed,
            notices: all.notices,
        };
        self.synced = (self.length, tally);
        if Instant::now() < self.next {
            return Ok(());
        }
        self.sync(SYNCED)
    }

    /// Syncs the list, and writes to the journal what it has until the last file.
    fn sync(&mut self, word: &str) -> Result<(), Error> {
        let began = Instant::now();
        let synced = self
            .part
            .flush()
            .and_then(|()| self.part.get_ref().sync_data());
        synced.map_err(|error| self.paths.of_part(error))?;
        let mut lines = std::mem::take(&mut self.lines);
        self.hash.add(&lines);
        let (length, tally) = self.synced;
        let Tally {
            read,
            failed,
            notices,
        } = tally;
        let hash = self.hash.0;
        let line = format!("{word}\t{length}\t{read}\t{failed}\t{notices}\t{hash:016x}\n");
        self.hash.add(line.as_bytes());
        lines.extend_from_slice(line.as_bytes());
        let written = self.journal.write_all(&lines);
        let written = written.and_then(|()| self.journal.sync_data());
        written.map_err(|error| self.paths.of_journal(error))?;
        self.next = Instant::now() + PAUSE.max(began.elapsed() * PAUSES);
        Ok(())
    }

    /// Keeps what there is for another run.
    pub(super) fn keep(mut self) -> Result<(), Error> {
        self.sync(SYNCED)
    }

    /// Moves the list to its place, and removes the journal.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        if !self.is_whole {
            self.synced.0 = self.length;
            self.sync(WHOLE)?;
        }
        let Paths {
            place,
            part,
            journal,
        } = &*self.paths;
        let failed = |error| Error::File(place.clone(), error);
        if part.exists() {
            if let Ok(old) = fs::metadata(place) {
                fs::set_permissions(part, old.permissions()).map_err(failed)?;
            }
            fs::rename(part, place).map_err(failed)?;
        }
        fs::remove_file(journal).map_err(|error| self.paths.of_journal(error))
    }
}
