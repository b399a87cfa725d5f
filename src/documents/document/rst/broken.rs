//! Broken links: text that was meant to be a link, and is running text or a reference to nothing.

use memchr::{memchr, memrchr};

use crate::document::BrokenLink;
use crate::document::broken::{NEAR, line_before};

/// Returns why the URL at `start..end` of running text is not the target of a link, although it was meant to
/// be. Targets are not in running text.
pub(in crate::document) fn why_no_link(
    text: &[u8],
    start: usize,
    end: usize,
) -> Option<BrokenLink> {
    let (before, after) = (text.get(..start)?, text.get(end..)?);
    let near = &before[start.saturating_sub(NEAR)..];
    let line = line_before(text, start)?;
    if let Some(b".. _" | b".. `_") = line.trim_ascii_start().get(..4) {
        return line.ends_with(b" ").then_some(BrokenLink::NoColon);
    }
    let (opener, closer) = (
        memrchr(b'`', near)?,
        memchr(b'`', &after[..after.len().min(NEAR)])?,
    );
    let (words, rest) = (&near[opener + 1..], &after[closer + 1..]);
    // A literal, the text of a role, or the end of other markup.
    let begins = !matches!(
        near[..opener].last(),
        Some(b'`' | b':' | b'_' | b'\\' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9')
    );
    let is_anonymous = rest.starts_with(b"__") && !words.ends_with(b"<");
    let is_other = is_anonymous || matches!(rest, [b'`' | b':', ..]);
    if !begins || is_other || words.starts_with(b" ") {
        return None;
    }
    match (words, &after[..closer], rest.first()) {
        (b"", b"", Some(b'_')) => Some(BrokenLink::NoTarget),
        ([.., b'<'], b">", Some(b'_')) => Some(BrokenLink::NoSpace),
        ([.., b' ' | b'\n', b'<'], b">", _) => Some(BrokenLink::NoUnderscore),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::why_no_link;
    use crate::document::BrokenLink::*;
    use crate::document::broken::testing::check;

    #[test]
    fn links_that_are_none() {
        let cases = [
            ("`http://h/x`_", Some(NoTarget)),
            ("see `http://h/x`_.", Some(NoTarget)),
            ("`x<http://h/x>`_", Some(NoSpace)),
            ("`x y<http://h/x>`__", Some(NoSpace)),
            ("(`x <http://h/x>`)", Some(NoUnderscore)),
            ("`x\n<http://h/x>`", Some(NoUnderscore)),
            ("  .. _x y http://h/x", Some(NoColon)),
            (".. _`x y` http://h/x", Some(NoColon)),
            // An anonymous reference, whose target is elsewhere.
            ("`http://h/x`__", None),
            ("`http://h/x`", None),
            ("``http://h/x``", None),
            ("``x <http://h/x>``", None),
            (":name:`x <http://h/x>`", None),
            ("`x <http://h/x>`:name:", None),
            ("`a` and <http://h/x> and `b`", None),
            ("`a` <http://h/x> `b`", None),
            (".. _x: see (http://h/x", None),
            (".. see http://h/x", None),
            ("http://h/x", None),
        ];
        check(why_no_link, &cases);
    }
}
