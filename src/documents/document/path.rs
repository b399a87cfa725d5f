//! The extension of the name of a document.

use urlint_standard::text::ascii::WordList;

/// Extensions of compressed files; the document's own extension comes before them.
const COMPRESSED: WordList = WordList("gz bz2 xz zst lzma lz4 z");

/// Returns the names of the file at `path` and of its folders, innermost first. There is always one.
pub(super) fn names(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.rsplit(|byte| b"/\\".contains(byte))
}

/// Returns the extension of the document at `path`, without the extension of a compressed file.
pub(super) fn extension(path: &[u8]) -> Option<&[u8]> {
    let name = names(path).next()?;
    if is_in_maildir(name) {
        return None;
    }
    let (stem, extension) = split(name)?;
    if COMPRESSED.contains(extension) {
        Some(split(stem)?.1)
    } else {
        Some(extension)
    }
}

/// The text before and after the last dot of the name of a file.
pub(super) fn split(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let dot = memchr::memrchr(b'.', name).filter(|&dot| dot > 0)?;
    Some((&name[..dot], &name[dot + 1..]))
}

/// Returns whether `name` is the name of a message in a maildir, `1049000000.M5P6.host.example`,
/// which ends in a host name.
fn is_in_maildir(name: &[u8]) -> bool {
    let mut parts = name.split(|&byte| byte == b'.');
    let is_time = |part: &[u8]| part.len() >= 9 && part.iter().all(u8::is_ascii_digit);
    parts.next().is_some_and(is_time) && parts.count() >= 2
}
