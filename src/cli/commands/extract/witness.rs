//! The URLs that occur unbroken in the input.

use std::collections::HashSet;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use memchr::memmem;
use urlint_core::find::{Unbroken, Witnesses};
use urlint_documents::document::Kind;
use urlint_documents::view::{base64, quoted_printable};
use urlint_engine::{Error, Inputs, Origin, Reading, Results, Source, Work};

/// Returns the URLs that occur unbroken in the input, with their places if `are_placed`; `None` if the
/// input cannot be read twice, or is a single document.
pub(super) fn witnesses(
    inputs: &Arc<Inputs>,
    are_placed: bool,
) -> Result<Option<Witnesses>, Error> {
    if !inputs.are_readable_twice() {
        return Ok(None);
    }
    let gathering = Arc::new(Gathering {
        is_single: matches!(&inputs.paths[..], [path] if path.is_file() || inputs.has_stdin()),
        are_placed,
        witnesses: Mutex::default(),
        documents: AtomicUsize::new(0),
        mail: Mutex::default(),
    });
    inputs.gather(&gathering)?;
    let has_others = gathering.documents.load(Ordering::Relaxed) > 1;
    let witnesses = mem::take(&mut *lock(&gathering.witnesses));
    Ok(has_others.then_some(witnesses))
}

/// Gathers URLs, on several threads.
struct Gathering {
    /// Whether there is one file: then nothing is read of it unless it is a mailbox or an archive.
    is_single: bool,
    /// Whether the places of the URLs are kept.
    are_placed: bool,
    witnesses: Mutex<Witnesses>,
    /// How many documents there are; a mailbox counts as two.
    documents: AtomicUsize,
    /// The names of the files that are mail.
    mail: Mutex<HashSet<Vec<u8>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Work for Gathering {
    type Batch = ();
    type State = ();

    fn whole_up_to(&self) -> usize {
        urlint_documents::Reader::HEAD
    }

    fn begin(&self, source: &Source, start: &[u8]) -> Result<Reading<Self>, Error> {
        let kind = Kind::from_path(source.path()).unwrap_or_else(|| Kind::from_head(start));
        let documents = if kind == Kind::Mbox { 2 } else { 1 };
        self.documents.fetch_add(documents, Ordering::Relaxed);
        if matches!(kind, Kind::Mbox | Kind::Mail) {
            lock(&self.mail).insert(source.name().whole().to_vec());
        }
        let is_in_archive = matches!(source.origin, Origin::Archive);
        Ok(match self.is_single && documents == 1 && !is_in_archive {
            true => Reading::Done(Results::default()),
            false => Reading::Lines,
        })
    }

    fn lines(&self, source: &Source, lines: &[u8], line: u64) {
        let name = source.name().whole();
        // The rest of a long message has no sender.
        let is_mail = lock(&self.mail).contains(name);
        let is_mailbox = is_mail && (line > 1 || lines.starts_with(b"From "));
        let place = self.are_placed.then_some(line);
        let unbroken = Unbroken::gather(lines, name, place, is_mailbox);
        lock(&self.witnesses).add(&unbroken);
        if is_mail {
            each_encoded(lines, line == 1, is_mailbox, |message| {
                lock(&self.witnesses).add(&Unbroken::of(message, name));
            });
        }
    }
}

/// The length up to which the header of a message or of a part is looked at, in bytes.
const MAX_HEADER: usize = 1 << 13;

/// How many bytes before the field of the encoding are read: they may have the type of the part.
const MAX_FIELD: usize = 256;

/// Returns whether the header of a part names neither an image nor data of an application.
fn is_text(header: &[u8]) -> bool {
    let others: [&[u8]; 2] = [b"image/", b"application/"];
    (others.iter()).all(|name| memmem::find(header, name).is_none())
}

/// Passes the parts of the mail in `lines` that are encoded to `visit`, decoded, each below the header of its
/// message. Of a message that does not begin in `lines` nothing is passed.
fn each_encoded(lines: &[u8], is_start: bool, is_mailbox: bool, mut visit: impl FnMut(&[u8])) {
    let starts = memmem::find_iter(lines, b"\nFrom ").filter(|_| is_mailbox);
    let mut starts = starts.peekable();
    let (mut message, mut reached) = (is_start.then_some(lines), 0);
    for at in memmem::find_iter(lines, b"ncoding: ").filter(|&at| at > 0) {
        while let Some(next) = starts.next_if(|&next| next < at) {
            message = Some(&lines[next + 1..]);
        }
        let value = &lines[at + "ncoding: ".len()..];
        let name = value.split(|byte| !byte.is_ascii_graphic()).next();
        let decode = match name.unwrap_or_default().to_ascii_lowercase().as_slice() {
            b"base64" => base64,
            b"quoted-printable" => quoted_printable,
            _ => continue,
        };
        let header_len = |text: &[u8]| memmem::find(&text[..text.len().min(MAX_HEADER)], b"\n\n");
        let lens = (header_len(value), message.and_then(header_len));
        if let (Some(message), (Some(len), Some(header_len))) = (message, lens)
            && at >= reached
            && is_text(&lines[at.saturating_sub(MAX_FIELD)..at + len])
        {
            let body = &value[len..];
            let body = &body[..memmem::find(body, b"\n--").unwrap_or(body.len())];
            let end = memmem::find(body, b"\nFrom ").unwrap_or(body.len());
            reached = at + len + end;
            let decoded = decode(&body[..end]);
            let header = &message[..header_len];
            visit(&[header, b"\n\n", decoded.text(), b"\n"].concat());
        }
    }
}
