//! Opening a file so that the crate that parses it decodes nothing without bounds.
//!
//! The crate reads the whole tree of pages at once, and takes any stream for one with objects that a table names. So
//! the file gets an update with a catalog that has no pages. If its tables are streams, and others are too long to be
//! taken for streams with objects, it also gets a table that cannot be read: then the crate collects the objects of the file
//! itself, and decodes only streams that say that they have objects.

use std::sync::Arc;

use hayro_syntax::object::{Dict, FromBytes, MaybeRef, Name, Object, ObjectIdentifier, Stream};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf as Parsed};
use memchr::{memchr_iter, memchr2, memmem};

use crate::bounds::{has_sound_parameters, inflated};
use crate::contained;

/// The greatest number of objects in a PDF.
const MAX_OBJECTS: usize = 1_000_000;

/// The greatest length of all streams with objects, decompressed, in bytes, unless the file is long itself.
const MAX_DECOMPRESSED: u64 = 48 << 20;

/// How many times as long as the file they may be.
const USUAL_RATIO: u64 = 16;

/// The greatest length of an encrypted stream with objects, in bytes: it could become 1,032 times as long.
const MAX_ENCRYPTED: usize = 64 << 10;

/// How far before its end a file names its table, in bytes.
const END: usize = 2048;

/// The number of the catalog that is added, and of its pages.
const CATALOG: u32 = 4_294_967_001;
const PAGES: u32 = 4_294_967_002;

const DAMAGED: &str = "a damaged PDF";
const FILTERED: &str = "a PDF with objects in a stream of several filters, which is not opened";
const TOO_LONG: &str = "a PDF with objects that decompress to too much, which is not opened";

/// An open file.
pub(crate) struct File {
    pub(crate) parsed: Parsed,
    /// Its catalog.
    pub(crate) root: Option<ObjectIdentifier>,
    /// Where it ends, if it is cut off.
    pub(crate) cut: Option<usize>,
}

/// Opens a file. Fails with a phrase that says why it is not opened.
pub(crate) fn open(mut bytes: Vec<u8>) -> Result<File, &'static str> {
    let length = bytes.len();
    let Plan {
        mut previous,
        trailer,
        root,
        encrypted,
    } = Plan::of(&bytes)?;
    let end = &bytes[length.saturating_sub(END)..];
    let cut = memmem::find(end, b"startxref").is_none().then_some(length);
    loop {
        bytes.truncate(length);
        update(&mut bytes, previous, &trailer);
        let shared = Arc::new(bytes);
        let parsed = match contained(|| Parsed::new(Arc::clone(&shared))) {
            Some(Ok(parsed)) => parsed,
            Some(Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))) => {
                return Err("a PDF that is encrypted with a password");
            }
            Some(Err(LoadPdfError::Decryption(_))) => {
                return Err("a PDF whose encryption is not supported");
            }
            // The crate does not say why it cannot decrypt objects that it collects.
            Some(Err(LoadPdfError::Invalid)) if !encrypted.is_empty() => {
                return Err("a PDF that is encrypted with a password");
            }
            Some(Err(LoadPdfError::Invalid)) | None => return Err(DAMAGED),
        };
        if parsed.len() > MAX_OBJECTS {
            return Err("a PDF of too many objects");
        }
        contained(|| check_encrypted(&parsed, &encrypted, most(length))).unwrap_or(Err(DAMAGED))?;
        let has_pages = |root: &ObjectIdentifier| {
            let catalog = || {
                parsed
                    .xref()
                    .get::<Dict<'_>>(*root)?
                    .get::<Dict<'_>>(b"Pages")
            };
            contained(catalog).flatten().is_some()
        };
        let mut root = root.filter(has_pages);
        if root.is_none() && previous.take().is_some() {
            drop(parsed);
            bytes = Arc::into_inner(shared).ok_or(DAMAGED)?;
            continue;
        }
        if root.is_none() {
            root = contained(|| last_catalog(&parsed)).flatten();
        }
        let has_content = |dict: Dict<'_>| dict.contains_key(b"Contents");
        let has_pages = || {
            let mut objects = parsed.objects().into_iter();
            objects.any(|object| object.into_dict().is_some_and(has_content))
        };
        if root.is_none() && contained(has_pages) != Some(true) {
            return Err(DAMAGED);
        }
        return Ok(File { parsed, root, cut });
    }
}

/// How a file can be opened.
struct Plan {
    /// Where its table is, if that is used.
    previous: Option<usize>,
    /// The entries of its trailer.
    trailer: Vec<u8>,
    root: Option<ObjectIdentifier>,
    /// The streams with objects, if they are encrypted.
    encrypted: Vec<ObjectIdentifier>,
}

impl Plan {
    fn of(file: &[u8]) -> Result<Self, &'static str> {
        let most = most(file.len());
        // The lengths of all streams and of those with objects, and the number of objects.
        let (mut all, mut with_objects, mut objects) = (0_u64, 0_u64, 0);
        let (mut table, mut longest, mut ids) = (None, 0, Vec::new());
        for found in streams(file) {
            let (id, dict, data) = found?;
            let (kind, is_table) = (dict.get_raw::<Object<'_>>(b"Type"), dict.contains_key(b"W"));
            let has_objects = match kind {
                Some(MaybeRef::NotRef(Object::Name(name))) => &*name == b"ObjStm",
                Some(MaybeRef::Ref(_)) => true,
                _ => false,
            };
            let length = decoded_length(&dict, data);
            all = all.saturating_add(length.unwrap_or(u64::MAX));
            if is_table {
                let widths = dict.get::<[u8; 3]>(b"W").unwrap_or([0, 1, 0]);
                let width = widths[0].min(1) + widths[1].max(1);
                objects += length.ok_or(FILTERED)? / (u64::from(width) + u64::from(widths[2]));
                table = Some(dict);
            } else if has_objects {
                let number = match dict.get_raw::<Object<'_>>(b"N") {
                    Some(MaybeRef::NotRef(Object::Number(number))) => number.as_i64(),
                    _ => return Err(DAMAGED),
                };
                objects += u64::try_from(number).unwrap_or(0);
                longest = longest.max(extent(&dict, data));
                with_objects = with_objects.saturating_add(length.ok_or(FILTERED)?);
                ids.push(id);
            }
        }
        let named = named_table(file);
        // The table may name any stream.
        let is_used = table.is_none() || all <= most;
        let previous = named.as_ref().filter(|_| is_used).map(|(at, _)| *at);
        let trailer = named.map(|(_, trailer)| trailer);
        let trailer = trailer.or_else(|| last_trailer(file)).or(table);
        let is_encrypted = trailer
            .as_ref()
            .is_some_and(|dict| dict.contains_key(b"Encrypt"));
        if objects > MAX_OBJECTS as u64 {
            return Err("a PDF of too many objects");
        }
        if if is_encrypted {
            longest > MAX_ENCRYPTED
        } else {
            with_objects > most
        } {
            return Err(TOO_LONG);
        }
        let root = trailer.as_ref().and_then(|dict| dict.get_ref(b"Root"));
        let entries = trailer.as_ref().map_or(&b""[..], |dict| dict.data());
        let entries = entries
            .strip_prefix(b"<<")
            .and_then(|rest| rest.strip_suffix(b">>"));
        Ok(Plan {
            previous,
            trailer: entries.unwrap_or_default().to_vec(),
            root: root.map(ObjectIdentifier::from),
            encrypted: match is_encrypted {
                true => ids.into_iter().collect::<Option<_>>().ok_or(DAMAGED)?,
                false => Vec::new(),
            },
        })
    }
}

/// Returns how long streams with objects may be in a file of `length` bytes.
fn most(length: usize) -> u64 {
    MAX_DECOMPRESSED.max(length as u64 * USUAL_RATIO)
}

type Found<'f> = (Option<ObjectIdentifier>, Dict<'f>, &'f [u8]);

/// Returns each stream that the crate could find, wherever it looks for it: its identifier, its dictionary, and the file
/// from its data on.
fn streams(file: &[u8]) -> impl Iterator<Item = Result<Found<'_>, &'static str>> {
    let (mut from, mut scanned, limit) = (0, 0, 256 * file.len() + (1 << 30));
    memmem::find_iter(file, b"stream").flat_map(move |at| {
        let before = &file[from..at];
        let data = &file[at + b"stream".len()..];
        let data = data.strip_prefix(b"\r").unwrap_or(data);
        let data = data.strip_prefix(b"\n").unwrap_or(data);
        let mut found = Vec::new();
        // A `>>` in a comment may be taken for the end as well.
        for end in memchr_iter(b'>', before).map(|end| end + 1) {
            if !before[..end].ends_with(b">>") || !is_blank(&before[end..], &mut scanned) {
                continue;
            }
            for start in memmem::find_iter(&before[..end], b"<<") {
                let dict = Dict::from_bytes(&before[start..end]);
                scanned += dict.as_ref().map_or(end - start, |dict| dict.data().len());
                if scanned > limit {
                    return vec![Err(DAMAGED)];
                }
                if let Some(dict) = dict.filter(|dict| dict.data().len() == end - start) {
                    found.push(Ok((identifier(&before[..start]), dict, data)));
                }
            }
            from = at;
        }
        found
    })
}

/// Returns whether a text has only white space and comments; adds what it looks at to `scanned`.
fn is_blank(text: &[u8], scanned: &mut usize) -> bool {
    let mut rest = text;
    loop {
        let is_space = |byte: &u8| b" \t\r\n\x0c\0".contains(byte);
        let blanks = rest.iter().take_while(|byte| is_space(byte)).count();
        rest = &rest[blanks..];
        let Some(comment) = rest.strip_prefix(b"%") else {
            *scanned += text.len() - rest.len();
            return rest.is_empty();
        };
        rest = &comment[memchr2(b'\r', b'\n', comment).unwrap_or(comment.len())..];
    }
}

/// Returns the identifier of the object whose value `before` is before.
fn identifier(before: &[u8]) -> Option<ObjectIdentifier> {
    let before = before.trim_ascii_end().strip_suffix(b"obj")?;
    let mut numbers = before.trim_ascii_end().rsplitn(3, u8::is_ascii_whitespace);
    let mut next = || str::from_utf8(numbers.next()?).ok();
    let (generation, number) = (next()?.parse().ok()?, next()?);
    let digits = number.trim_start_matches(|char: char| !char.is_ascii_digit());
    Some(ObjectIdentifier::new(digits.parse().ok()?, generation))
}

/// Returns how much of the file the data of a stream may be.
fn extent(dict: &Dict<'_>, data: &[u8]) -> usize {
    let end = memmem::find(data, b"endstream").unwrap_or(data.len());
    match dict.get_raw::<Object<'_>>(b"Length") {
        Some(MaybeRef::NotRef(Object::Number(length))) => {
            usize::try_from(length.as_i64()).map_or(end, |length| end.max(length.min(data.len())))
        }
        _ => end,
    }
}

/// Returns how long a stream may be when the crate has decoded it; `None` if that has no bounds.
fn decoded_length(dict: &Dict<'_>, data: &[u8]) -> Option<u64> {
    let keys = ["DecodeParms", "DP", "F"].map(|key| dict.get_raw::<Object<'_>>(key));
    let is_plain = |parameters: &Option<MaybeRef<Object<'_>>>| match parameters {
        Some(MaybeRef::NotRef(Object::Dict(dict))) => !has_reference(dict),
        Some(MaybeRef::NotRef(Object::Array(all))) => all.raw_iter().all(|item| match item {
            MaybeRef::NotRef(Object::Dict(dict)) => !has_reference(&dict),
            item => item.as_obj_ref().is_none(),
        }),
        Some(_) => false,
        None => true,
    };
    let mut names = Vec::new();
    match dict.get_raw::<Object<'_>>(b"Filter") {
        Some(MaybeRef::NotRef(Object::Name(name))) => names.push(name),
        Some(MaybeRef::NotRef(Object::Array(all))) => {
            for item in all.raw_iter() {
                match item {
                    MaybeRef::NotRef(Object::Name(name)) => names.push(name),
                    _ => return None,
                }
            }
        }
        Some(MaybeRef::NotRef(Object::Null(_))) | None => {}
        Some(_) => return None,
    }
    let is_image = |name: &Name<'_>| {
        matches!(
            &**name,
            b"DCTDecode" | b"DCT" | b"JPXDecode" | b"JBIG2Decode" | b"CCITTFaxDecode" | b"CCF"
        )
    };
    if dict.contains_key(b"F") {
        return None;
    }
    if names.iter().any(is_image) {
        // The crate decodes no image.
        return Some(0);
    }
    let extent = extent(dict, data);
    match &names[..] {
        [] => Some(extent as u64),
        [name]
            if matches!(&**name, b"FlateDecode" | b"Fl")
                && keys.iter().all(is_plain)
                && has_sound_parameters(dict) =>
        {
            Some(inflated(data, extent))
        }
        _ => None,
    }
}

fn has_reference(dict: &Dict<'_>) -> bool {
    dict.entries()
        .any(|(_, value)| value.as_obj_ref().is_some())
}

/// Returns the place of the table that the end of the file names, and its trailer.
fn named_table(file: &[u8]) -> Option<(usize, Dict<'_>)> {
    let name = b"startxref";
    let number = file[memmem::rfind(file, name)? + name.len()..].trim_ascii_start();
    let digits = number
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let at: usize = str::from_utf8(&number[..digits]).ok()?.parse().ok()?;
    let table = file.get(at..)?;
    let is_stream = !table.trim_ascii_start().starts_with(b"xref");
    let before: &[u8] = if is_stream { b"obj" } else { b"trailer" };
    let start = memmem::find(table, before)? + before.len();
    let trailer = Dict::from_bytes(table[start..].trim_ascii_start())?;
    trailer.contains_key(b"Root").then_some((at, trailer))
}

/// Returns the last trailer that has a catalog.
fn last_trailer(file: &[u8]) -> Option<Dict<'_>> {
    let mut trailers = memmem::rfind_iter(file, b"trailer").take(16);
    trailers.find_map(|at| {
        let trailer = Dict::from_bytes(file[at + b"trailer".len()..].trim_ascii_start());
        trailer.filter(|trailer| trailer.contains_key(b"Root"))
    })
}

/// Adds an update to a file: a catalog without pages, and a table after the one at `previous`, or none that can be read.
fn update(file: &mut Vec<u8>, previous: Option<usize>, trailer: &[u8]) {
    let mut places = [0; 2];
    let objects = [
        (CATALOG, format!("<</Type/Catalog/Pages {PAGES} 0 R>>")),
        (PAGES, "<</Type/Pages/Kids[]>>".to_owned()),
    ];
    file.reserve_exact(trailer.len() + 512);
    for (place, (number, object)) in places.iter_mut().zip(objects) {
        file.push(b'\n');
        *place = file.len();
        file.extend_from_slice(format!("{number} 0 obj\n{object}\nendobj\n").as_bytes());
    }
    let at = file.len();
    let [catalog, pages] = places;
    let table =
        format!("xref\n{CATALOG} 2\n{catalog:010} 00000 n \n{pages:010} 00000 n \ntrailer\n<<");
    file.extend_from_slice(table.as_bytes());
    file.extend_from_slice(trailer);
    // Of two entries of the same name, the second counts.
    let at = previous.map_or(-1, |_| at as i64);
    let previous = previous.unwrap_or_default();
    let end =
        format!("\n/Root {CATALOG} 0 R/Prev {previous}/XRefStm null>>\nstartxref\n{at}\n%%EOF\n");
    file.extend_from_slice(end.as_bytes());
}

/// Fails if encrypted streams with objects are too long decompressed.
fn check_encrypted(pdf: &Parsed, ids: &[ObjectIdentifier], most: u64) -> Result<(), &'static str> {
    let mut all = 0;
    for id in ids {
        if let Some(stream) = pdf.xref().get::<Stream<'_>>(*id) {
            let raw = stream.raw_data();
            all += inflated(&raw, raw.len());
        }
    }
    if all > most { Err(TOO_LONG) } else { Ok(()) }
}

/// Returns the last catalog of the file.
fn last_catalog(pdf: &Parsed) -> Option<ObjectIdentifier> {
    let objects = pdf.objects().into_iter().filter_map(Object::into_dict);
    let is_catalog = |dict: &Dict<'_>| {
        let kind = dict.get::<Name<'_>>(b"Type");
        kind.is_some_and(|name| &*name == b"Catalog") && dict.get::<Dict<'_>>(b"Pages").is_some()
    };
    let ids = objects.filter(is_catalog).filter_map(|dict| dict.obj_id());
    ids.filter(|id| id.obj_number != CATALOG).last()
}
