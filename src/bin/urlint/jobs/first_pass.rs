//! A first pass over the input, before the one that lists or checks: for what all files say together.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use urlint::read::Content;

use super::{Context, no_longer_needed};
use crate::error::Error;
use crate::parallel::Stopped;
use crate::walk::{Entry, Input, Walked};

/// How much of a source is searched at a time, in bytes.
const BLOCK: u64 = 1 << 18;

/// How many files wait to be searched.
const WAITING: usize = 1024;

/// What gathers something from all sources, on several threads. The result must not depend on the order.
pub(crate) trait Gather: Sync {
    /// Takes the beginning of a source. Returns whether to search it.
    fn begins(&self, input: &Input<'_>, head: &[u8]) -> bool;

    /// Takes whole lines of a source, of which the first is the one with the number `line`, from 1.
    /// Returns the number of the line after them, if it needs to know it.
    fn add(&self, input: &Input<'_>, lines: &[u8], line: u64) -> u64;
}

/// Returns whether the input can be read twice: it consists of files and folders.
pub(crate) fn is_readable_twice(context: &Context) -> bool {
    let is_regular = |path: &Path| {
        path.metadata()
            .is_ok_and(|data| data.is_file() || data.is_dir())
    };
    let inputs = context.inputs;
    !inputs.has_stdin() && inputs.paths.iter().all(|path| is_regular(path))
}

/// Searches the sources as they are, with neither markup nor encodings decoded: what is found is
/// certain, and costs a fraction of reading them.
pub(crate) fn gather(context: &Context, gathering: &impl Gather) -> Result<(), Error> {
    let (sender, entries) = mpsc::sync_channel(WAITING);
    let entries = Mutex::new(entries);
    let walked = thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..context.threads {
            let search = || search_all(context, gathering, &entries);
            match thread::Builder::new().spawn_scoped(scope, search) {
                Ok(_) => started += 1,
                Err(error) if started == 0 => return Err(Stopped::NoThread(error).into()),
                // Fewer will do.
                Err(_) => {}
            }
        }
        let visit = &mut |walked: Walked<'_>| match walked {
            Walked::File(entry) if entry.is_regular => {
                let file = (entry.path.to_owned(), entry.name.to_owned(), entry.is_named);
                sender.send(file).map_err(|_| no_longer_needed())
            }
            // The second pass tells everything again.
            _ => Ok(()),
        };
        let walked = context.inputs.walk(&context.opener, &|| Ok(true), visit);
        // The threads end with what they wait for.
        drop(sender);
        walked
    });
    if context.interrupt.exit_requested().is_none() {
        walked?;
    }
    context.opener.bytes_read.store(0, Ordering::Relaxed);
    Ok(())
}

/// A file to search: its path, its name and whether it was named.
type File = (PathBuf, PathBuf, bool);

/// Searches files for as long as there are any.
fn search_all(context: &Context, gathering: &impl Gather, files: &Mutex<Receiver<File>>) {
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
                search(gathering, input, content, &mut buffer);
            }
            Ok(())
        });
    }
}

/// Searches a source, block by block in `buffer` if it is not in memory.
fn search(
    gathering: &impl Gather,
    input: &Input<'_>,
    mut content: Content<'_>,
    buffer: &mut Vec<u8>,
) {
    if let Some(text) = content.in_memory() {
        if gathering.begins(input, text) {
            gathering.add(input, text, 1);
        }
        return;
    }
    buffer.clear();
    let (mut is_first, mut line) = (true, 1);
    loop {
        let before = buffer.len();
        let read = (&mut content).take(BLOCK).read_to_end(buffer);
        if std::mem::take(&mut is_first) && !gathering.begins(input, buffer) {
            return;
        }
        let is_end = read.is_err() || buffer.len() == before;
        let last = memchr::memrchr(b'\n', buffer).filter(|_| !is_end);
        let end = last.map_or(buffer.len(), |last| last + 1);
        line = gathering.add(input, &buffer[..end], line);
        if is_end {
            return;
        }
        buffer.drain(..end);
    }
}
