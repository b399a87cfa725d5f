//! Opening a file so that the crate that parses it decodes nothing by itself.
//!
//! The crate decodes tables and streams of objects without bounds, and reads the whole tree of pages at once. So the file
//! gets an update that leaves it nothing to decode: the objects are looked for in the file, those in streams are unpacked
//! within bounds into one stream that is not compressed, and one new table names them all, and a catalog that has no pages.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use hayro_syntax::object::{Dict, FromBytes, Name, Object, ObjectIdentifier, Stream};
use hayro_syntax::reader::{Reader, ReaderExt};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf as Parsed};
use memchr::memmem;

use crate::bounds::decoded;
use crate::{Result, contained};

/// The greatest number of objects in a PDF.
const MAX_OBJECTS: usize = 1_000_000;

/// The greatest length of all unpacked objects, in bytes, and how many times the length of the file is added to it.
const MAX_UNPACKED: usize = 48 << 20;
const USUAL_RATIO: usize = 6;

/// How far before its end a file names its table, in bytes.
const END: usize = 2048;

/// The numbers of the objects that are added.
const CATALOG: u32 = 4_294_967_001;
const UNPACKED: u32 = 4_294_967_002;

const DAMAGED: &str = "a damaged PDF";
const TOO_MANY: &str = "a PDF of too many objects";
const TOO_LONG: &str = "a PDF with objects that decompress to too much, which is not opened";

/// An open file.
pub(crate) struct File {
    pub(crate) parsed: Parsed,
    /// Its length, in bytes.
    pub(crate) length: usize,
    /// Its catalog.
    pub(crate) root: Option<ObjectIdentifier>,
    /// Where it ends, if it is cut off.
    pub(crate) cut: Option<usize>,
    objects: Objects,
}

impl File {
    pub(crate) fn catalog(&self) -> Option<Dict<'_>> {
        self.parsed.xref().get(self.root?)
    }

    /// Returns the attached files, in the order of the file.
    pub(crate) fn attached(&self) -> impl Iterator<Item = Stream<'_>> {
        let objects = self.objects.attached.iter();
        objects.filter_map(|id| self.parsed.xref().get(*id))
    }

    /// Returns the byte that an object begins at, or the stream that it is in.
    pub(crate) fn place(&self, id: Option<ObjectIdentifier>) -> usize {
        let place = id.and_then(|id| self.objects.places.get(&id));
        place.map_or(0, |place| place.at as usize)
    }
}

/// Opens a file. Fails with a phrase that says why it is not opened.
pub(crate) fn open(mut bytes: Vec<u8>) -> Result<File> {
    let length = bytes.len();
    let end = &bytes[length.saturating_sub(END)..];
    let cut = memmem::find(end, b"startxref").is_none().then_some(length);
    let mut objects = Objects::of(&bytes)?;
    if objects.places.is_empty() {
        return Err(DAMAGED);
    }
    if !objects.packed.is_empty() {
        objects.add_to(&mut bytes);
        let shared = Arc::new(bytes);
        let parsed = parsed(&shared)?;
        contained(|| objects.unpack(&parsed, length)).unwrap_or(Err(DAMAGED))?;
        drop(parsed);
        bytes = Arc::into_inner(shared).ok_or(DAMAGED)?;
        bytes.truncate(length);
    }
    objects.add_to(&mut bytes);
    objects.unpacked = Unpacked::default();
    let parsed = parsed(&Arc::new(bytes))?;
    Ok(File {
        root: contained(|| objects.catalog(&parsed)).flatten(),
        parsed,
        length,
        cut,
        objects,
    })
}

fn parsed(bytes: &Arc<Vec<u8>>) -> Result<Parsed> {
    match contained(|| Parsed::new(Arc::clone(bytes))) {
        Some(Ok(parsed)) => Ok(parsed),
        Some(Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))) => {
            Err("a PDF that is encrypted with a password")
        }
        Some(Err(LoadPdfError::Decryption(_))) => Err("a PDF whose encryption is not supported"),
        Some(Err(LoadPdfError::Invalid)) | None => Err(DAMAGED),
    }
}

/// Where an object is.
struct Place {
    /// The byte of the file that it begins at, or that the stream begins at that it is in.
    at: u32,
    /// Its index among the unpacked objects.
    index: Option<u32>,
}

/// The objects of a file. Of two with the same identifier, the later one counts.
#[derive(Default)]
struct Objects {
    places: HashMap<ObjectIdentifier, Place>,
    /// The streams with objects, and the attached files.
    packed: Vec<ObjectIdentifier>,
    attached: Vec<ObjectIdentifier>,
    unpacked: Unpacked,
    /// The entries of the last trailer.
    trailer: Vec<u8>,
    /// The objects that may be the catalog: that of the trailer, and the last one that says so.
    catalogs: [Option<ObjectIdentifier>; 2],
}

/// Objects that were in streams.
#[derive(Default)]
struct Unpacked {
    count: u32,
    /// The number of each, and where it is in the bodies.
    head: Vec<u8>,
    bodies: Vec<u8>,
}

impl Objects {
    /// Looks for the objects of a file, in one pass.
    fn of(file: &[u8]) -> Result<Self> {
        let mut objects = Objects::default();
        let mut starts = starts(file).peekable();
        let (mut read, mut table) = (0, None);
        while let Some((id, at, value)) = starts.next() {
            if at < read {
                continue;
            }
            let end = starts.peek().map_or(file.len(), |(_, next, _)| *next);
            let mut reader = Reader::new_with(&file[..end], value);
            reader.skip_white_spaces_and_comments();
            let value = reader.offset();
            // If the crate could not skip an object, it would look for all of them itself.
            if reader.skip::<Object<'_>>(false).is_none() {
                continue;
            }
            let (at, index) = (at as u32, None);
            objects.places.insert(id, Place { at, index });
            if objects.places.len() > MAX_OBJECTS {
                return Err(TOO_MANY);
            }
            let Some(dict) = Dict::from_bytes(&file[value..end]) else {
                continue;
            };
            read = end_of_stream(file, value, &dict).unwrap_or(value);
            match dict.get::<Name<'_>>(b"Type").as_deref() {
                Some(b"ObjStm") => objects.packed.push(id),
                Some(b"EmbeddedFile") => objects.attached.push(id),
                Some(b"Catalog") => objects.catalogs[1] = Some(id),
                Some(b"XRef") if dict.contains_key(b"Root") => table = Some((value, dict)),
                _ => {}
            }
        }
        let trailer = memmem::rfind_iter(file, b"trailer")
            .take(16)
            .find_map(|at| {
                let dict = Dict::from_bytes(file[at + b"trailer".len()..].trim_ascii_start())?;
                dict.contains_key(b"Root").then_some((at, dict))
            });
        let last = table.into_iter().chain(trailer).max_by_key(|(at, _)| *at);
        if let Some((_, dict)) = last {
            objects.trailer = dict.data()[2..dict.data().len() - 2].to_vec();
            objects.catalogs[0] = dict.get_ref(b"Root").map(ObjectIdentifier::from);
        }
        Ok(objects)
    }

    /// Unpacks the objects of a file of `length` bytes. Fails if they are too long.
    fn unpack(&mut self, pdf: &Parsed, length: usize) -> Result {
        let most = MAX_UNPACKED + USUAL_RATIO * length;
        let unpacked = &mut self.unpacked;
        for id in &self.packed {
            let at = self.places[id].at;
            let Some(stream) = pdf.xref().get::<Stream<'_>>(*id) else {
                continue;
            };
            let number = |key: &str| stream.dict().get::<usize>(key).unwrap_or(0);
            let decoded = decoded(&stream).map_err(|_| TOO_LONG)?;
            if unpacked.bodies.len() + decoded.len() > most {
                return Err(TOO_LONG);
            }
            let Some((head, body)) = decoded.split_at_checked(number("First")) else {
                continue;
            };
            let words = head.split(u8::is_ascii_whitespace);
            let words = words.filter_map(|word| str::from_utf8(word).ok()?.parse().ok());
            let mut words = words.take(2 * number("N").min(MAX_OBJECTS));
            while let (Some(number), Some(offset)) = (words.next(), words.next()) {
                let (id, offset) = (ObjectIdentifier::new(number, 0), offset as usize);
                let is_old = self.places.get(&id).is_some_and(|known| known.at > at);
                if is_old || offset >= body.len() {
                    continue;
                }
                let index = Some(unpacked.count);
                self.places.insert(id, Place { at, index });
                let offset = unpacked.bodies.len() + offset;
                let _ = write!(unpacked.head, "{number} {offset} ");
                unpacked.count += 1;
                if unpacked.count as usize > MAX_OBJECTS {
                    return Err(TOO_MANY);
                }
            }
            unpacked.bodies.extend_from_slice(body);
            unpacked.bodies.push(b'\n');
        }
        Ok(())
    }

    /// Returns the catalog, if possible one that has pages.
    fn catalog(&self, pdf: &Parsed) -> Option<ObjectIdentifier> {
        let mut catalogs = self.catalogs.into_iter().flatten();
        let pages = |id| pdf.xref().get::<Dict<'_>>(id)?.get::<Dict<'_>>(b"Pages");
        let named = catalogs.clone().find(|id| pages(*id).is_some());
        named.or_else(|| catalogs.next())
    }

    /// Adds an update to the file, with the only table that the crate reads.
    fn add_to(&self, file: &mut Vec<u8>) {
        let Unpacked {
            count,
            head,
            bodies,
        } = &self.unpacked;
        file.reserve_exact(head.len() + bodies.len() + 32 * self.places.len() + 1024);
        file.push(b'\n');
        let catalog = file.len() as u32;
        let _ = writeln!(file, "{CATALOG} 0 obj<</Pages {CATALOG} 0 R/Kids[]>>");
        let unpacked = file.len() as u32;
        let (first, length) = (head.len(), head.len() + bodies.len());
        // The filter says that the stream is not encrypted.
        let entries = format!("/N {count}/First {first}/Length {length}/Filter/Crypt");
        let _ = writeln!(file, "{UNPACKED} 0 obj<<{entries}>>stream");
        file.extend_from_slice(head);
        file.extend_from_slice(bodies);
        file.extend_from_slice(b"endstream\n");
        let added = [(CATALOG, 1, catalog, 0), (UNPACKED, 1, unpacked, 0)];
        let known = self.places.iter().map(|(id, place)| match place.index {
            Some(index) => (id.obj_number, 2, UNPACKED, index),
            None => (id.obj_number, 1, place.at, id.gen_number as u32),
        });
        let (mut index, mut rows) = (Vec::new(), Vec::new());
        for (number, kind, place, part) in known.chain(added) {
            let _ = write!(index, "{number} 1 ");
            rows.push(kind);
            rows.extend(place.to_be_bytes());
            rows.extend(part.to_be_bytes());
        }
        let table = file.len();
        file.extend_from_slice(b"0 0 obj<<");
        file.extend_from_slice(&self.trailer);
        // Of two entries of the same name, the second counts.
        let entries = format!("Root {CATALOG} 0 R/Prev null/F null/Filter null/Size 0/W[1 4 4]");
        let _ = write!(file, "\n/{entries}/Length {}/Index[", rows.len());
        file.extend_from_slice(&index);
        file.extend_from_slice(b"]>>stream\n");
        file.extend_from_slice(&rows);
        let _ = write!(file, "endstream\nstartxref\n{table}\n%%EOF");
    }
}

/// Returns each object that a file may have: its identifier, where it begins, and where its value does.
fn starts(file: &[u8]) -> impl Iterator<Item = (ObjectIdentifier, usize, usize)> {
    let mut from = 0;
    // Where the number begins that a text ends in.
    let number = |text: &[u8]| {
        let text = text.trim_ascii_end();
        let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit());
        text.len() - digits.count()
    };
    memmem::find_iter(file, b"obj").filter_map(move |at| {
        let before = &file[from..at];
        let start = from + number(&before[..number(before)]);
        from = at + b"obj".len();
        let id = ObjectIdentifier::from_bytes(&file[start..from])?;
        Some((id, start, from))
    })
}

/// Returns where a stream ends whose dictionary is at `at`, if that says so.
fn end_of_stream(file: &[u8], at: usize, dict: &Dict<'_>) -> Option<usize> {
    let length = dict.get::<usize>(b"Length")?;
    let mut reader = Reader::new_with(file, at + dict.data().len());
    reader.skip_white_spaces();
    reader.forward_tag(b"stream")?;
    reader.read_eol()?;
    reader.read_bytes(length)?;
    let end = reader.peek_bytes(b"\r\nendstream".len())?;
    let is_end = end.trim_ascii_start().starts_with(b"endstream");
    is_end.then_some(reader.offset())
}
