//! Memory for a document, before it is split into parts.

use std::hint::black_box;
use std::io;

use crate::document::Kind;

/// How many bytes of memory each byte of a document takes, whatever it is.
const EACH: usize = 4;

/// The most memory that needs no test, in bytes.
const LITTLE: usize = 16 << 20;

/// Fails if there is no memory for the parts of `text`, a document of `kind`.
///
/// An allocation that fails while a document is split ends the process. So the memory that its parts may take
/// is allocated first, and freed at once.
pub(super) fn ensure(text: &[u8], kind: Kind) -> io::Result<()> {
    let most = text.len().saturating_mul(EACH + kind.memory_of_mark());
    // To count the marks takes longer than to allocate too much.
    if most <= LITTLE || has(most) {
        return Ok(());
    }
    // All notes about a document begin at such a byte: escapes, tags, links, lines.
    let is_mark = |byte: &&u8| !byte.is_ascii_alphanumeric() && **byte != b' ';
    let marks = text.iter().filter(is_mark).count();
    let marks = marks.saturating_mul(kind.memory_of_mark());
    let bytes = text.len().saturating_mul(EACH).saturating_add(marks);
    if has(bytes) {
        return Ok(());
    }
    let (kind, mib) = (kind.name(), bytes.div_ceil(1 << 20));
    let what = format!("not enough memory: reading it as {kind} may take {mib} MiB");
    Err(io::Error::new(io::ErrorKind::OutOfMemory, what))
}

/// Returns whether an allocation of `bytes` bytes succeeds.
pub fn has(bytes: usize) -> bool {
    let mut room = Vec::<u8>::new();
    let reserved = room.try_reserve_exact(bytes);
    // The compiler leaves out an allocation that is not used.
    black_box(&room);
    reserved.is_ok()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn memory_is_checked_in_advance() {
        assert!(has(1));
        assert!(!has(usize::MAX / 4));
        assert!(ensure(b"<p>", Kind::Html).is_ok());
    }

    #[test]
    fn the_manual_says_how_much() {
        let mut pages = urlint_manual::PAGES.iter();
        let page = pages.find(|page| page.name == "limits").unwrap().text;
        let head = "| bytes for a mark | kinds |\n|---|---|\n";
        let table = page.split_once(head).unwrap().1;
        let table = table.split_once("\n\n").unwrap().0;
        let mut kinds = BTreeMap::<_, Vec<_>>::new();
        for kind in Kind::ALL {
            let names = kinds.entry(kind.memory_of_mark()).or_default();
            names.push(format!("`{}`", kind.name()));
        }
        let row =
            |(bytes, names): (&usize, &Vec<String>)| format!("| {bytes} | {} |", names.join(", "));
        assert!(page.contains(&format!("takes up to {EACH} bytes of memory for each byte")));
        let rows: Vec<_> = kinds.iter().map(row).collect();
        assert_eq!(table, rows.join("\n"));
    }
}
