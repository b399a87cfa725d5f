//! The URLs that stand unbroken in the input: a first pass, before the one that lists them.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use urlint::document::Kind;
use urlint::find::Witnesses;
use urlint::read::Content;

use crate::error::Error;
use crate::jobs::{Context, no_longer_needed};
use crate::walk::{Entry, Input, Walked};

/// How much of a source is searched at a time, in bytes.
const BLOCK: usize = 1 << 18;

/// How many files wait to be searched.
const WAITING: usize = 1024;

/// Returns the URLs that stand unbroken in the input, and where if `are_placed`; `None` if it cannot be read twice, or is a single
/// document.
///
/// The sources are searched as they are, with neither markup nor encodings decoded: what is found is
/// certain, and costs a fraction of reading them.
pub(super) fn witnesses(context: &Context, are_placed: bool) -> Result<Option<Witnesses>, Error> {
    let inputs = context.inputs;
    let is_regular = |path: &Path| {
        path.metadata()
            .is_ok_and(|data| data.is_file() || data.is_dir())
    };
    if context.reader.needs_no_witnesses()
        || inputs.has_stdin()
        || !inputs.paths.iter().all(|path| is_regular(path))
    {
        return Ok(None);
    }
    let gathering = Gathering {
        is_single: matches!(&inputs.paths[..], [path] if path.is_file()),
        are_placed,
        witnesses: Mutex::default(),
        documents: AtomicUsize::new(0),
    };
    let (sender, entries) = mpsc::sync_channel(WAITING);
    let entries = Mutex::new(entries);
    let walked = thread::scope(|scope| {
        for _ in 0..context.threads {
            scope.spawn(|| gathering.read_all(context, &entries));
        }
        let walked = inputs.walk(&context.opener, &|| Ok(true), &mut |walked| match walked {
            Walked::File(entry) if entry.is_regular => {
                let file = (entry.path.to_owned(), entry.name.to_owned(), entry.is_named);
                sender.send(file).map_err(|_| no_longer_needed())
            }
            // The second pass tells everything again.
            _ => Ok(()),
        });
        // The threads end with what they wait for.
        drop(sender);
        walked
    });
    if context.interrupt.exit_requested().is_none() {
        walked?;
    }
    let has_others = gathering.documents.into_inner() > 1;
    let witnesses = gathering.witnesses.into_inner().ok();
    Ok(witnesses.filter(|_| has_others))
}

/// A file to search: its path, its name and whether it was named.
type File = (PathBuf, PathBuf, bool);

/// What has been found so far.
struct Gathering {
    /// Whether there is one file: then nothing is read of it unless it is a mailbox or an archive.
    is_single: bool,
    /// Whether it is remembered where URLs stand.
    are_placed: bool,
    witnesses: Mutex<Witnesses>,
    /// How many documents there are; a mailbox counts as two.
    documents: AtomicUsize,
}

impl Gathering {
    /// Searches files for as long as there are any.
    fn read_all(&self, context: &Context, files: &Mutex<Receiver<File>>) {
        let mut buffer = Vec::new();
        let next = || files.lock().ok()?.recv().ok();
        while let Some((path, name, is_named)) = next() {
            let entry = Entry {
                path: &path,
                name: &name,
                is_named,
                is_regular: true,
            };
            // If a file cannot be read, the second pass says so.
            let _ = context.opener.file(&entry, 1, &mut |walked| {
                if context.interrupt.exit_requested().is_some() {
                    return Err(no_longer_needed());
                }
                if let Walked::Source(input, content) = walked {
                    self.read(input, content, &mut buffer);
                }
                Ok(())
            });
        }
    }

    /// Searches a source, block by block in `buffer` if it is not in memory.
    fn read(&self, input: &Input<'_>, mut content: Content<'_>, buffer: &mut Vec<u8>) {
        if let Some(text) = content.in_memory() {
            if self.begins(input, text) {
                self.add(input, text, 1);
            }
            return;
        }
        let (mut kept, mut is_first, mut line) = (0, true, 1);
        loop {
            if buffer.len() < kept + BLOCK {
                buffer.resize(kept + BLOCK, 0);
            }
            let (read, is_end) = fill(&mut content, &mut buffer[kept..]);
            let text = &buffer[..kept + read];
            if std::mem::take(&mut is_first) && !self.begins(input, text) {
                return;
            }
            let last = memchr::memrchr(b'\n', text).filter(|_| !is_end);
            let end = last.map_or(text.len(), |last| last + 1);
            self.add(input, &text[..end], line);
            if self.are_placed {
                line += memchr::memchr_iter(b'\n', &text[..end]).count() as u64;
            }
            if is_end {
                return;
            }
            kept = text.len() - end;
            buffer.copy_within(end..end + kept, 0);
        }
    }

    /// Counts the documents of a source that begins with `head`. Returns whether to search it.
    fn begins(&self, input: &Input<'_>, head: &[u8]) -> bool {
        let documents = documents_in(input, head);
        self.documents.fetch_add(documents, Ordering::Relaxed);
        !self.is_single || documents > 1 || input.whole.is_none()
    }

    /// Adds the URLs of `lines`, of which the first is the one with the number `line`.
    fn add(&self, input: &Input<'_>, lines: &[u8], line: u64) {
        if let Ok(mut witnesses) = self.witnesses.lock() {
            if self.are_placed {
                witnesses.add_from(lines, input.name, line);
            } else {
                witnesses.add(lines);
            }
        }
    }
}

/// Reads until `buffer` is full; returns how much was read, and whether that was all.
fn fill(content: &mut Content<'_>, buffer: &mut [u8]) -> (usize, bool) {
    let mut filled = 0;
    while filled < buffer.len() {
        match content.read(&mut buffer[filled..]) {
            Ok(0) => return (filled, true),
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return (filled, true),
        }
    }
    (filled, false)
}

/// Returns how many documents a source with this beginning has: one, or more than one.
fn documents_in(input: &Input<'_>, head: &[u8]) -> usize {
    let named = Kind::from_path(input.path);
    let kind = named.unwrap_or_else(|| Kind::from_head(head));
    if kind == Kind::Mbox { 2 } else { 1 }
}
