//! Flowed text: `text/plain; format=flowed` (RFC 3676).

use super::{Layer, View};
use urlint_standard::text;

/// Removes the space-stuffing and the soft line breaks of flowed text (RFC 3676).
///
/// The stuffed space at the start of a line is removed (section 4.4). With `DelSp=yes` (section 4.1)
/// the space before each soft break, the break, and the quote marks of the next line are removed,
/// so that a URL that was broken there is whole again. Without it the space belongs to the text, and
/// the break is left as it is. The quote marks of other lines are kept.
pub fn unflow(text: &[u8], delsp: bool) -> View<'_> {
    let mut view = View::with_capacity(Layer::Ascii, text.len());
    let mut before: Option<Line> = None;
    let mut at = 0;
    while at < text.len() {
        let line = Line::at(text, at);
        let start = match &before {
            Some(before) if before.flows_into(&line) => line.content,
            Some(before) => {
                view.copy(&text[before.flow_end..at], before.flow_end as u64);
                line.shown
            }
            None => line.shown,
        };
        let end = if delsp { line.flow_end } else { line.next };
        view.copy(&text[start..end], start as u64);
        at = line.next;
        before = delsp.then_some(line);
    }
    if let Some(before) = before {
        view.copy(&text[before.flow_end..], before.flow_end as u64);
    }
    if view.text().len() == text.len() {
        View::borrowed(text, 0)
    } else {
        view
    }
}

/// A line of flowed text, as the offsets of its parts.
struct Line {
    /// The number of its quote marks.
    depth: usize,
    /// The start of the text that is shown: with quote marks, without a stuffed space.
    shown: usize,
    /// The start of its own text, after quote marks and a stuffed space.
    content: usize,
    /// The start of the soft break, its space included; the end of the line if it has none.
    flow_end: usize,
    /// The start of the next line.
    next: usize,
    is_flowed: bool,
    is_signature: bool,
    is_empty: bool,
}

impl Line {
    fn at(text: &[u8], start: usize) -> Self {
        let text::Line { end, next, .. } = text::Line::at(text, start);
        let line = &text[start..end];
        let depth = line.iter().take_while(|&&byte| byte == b'>').count();
        let is_stuffed = line.get(depth) == Some(&b' ');
        let content = start + depth + usize::from(is_stuffed);
        let own = &text[content..end];
        let is_signature = own == b"-- ";
        let is_flowed = own.ends_with(b" ") && !is_signature;
        Line {
            depth,
            shown: if depth == 0 { content } else { start },
            content,
            flow_end: end - usize::from(is_flowed),
            next,
            is_flowed,
            is_signature,
            is_empty: own.is_empty(),
        }
    }

    /// Returns whether the soft break of this line is removed. A soft break before an empty line is
    /// a mistake.
    fn flows_into(&self, next: &Line) -> bool {
        self.is_flowed && self.depth == next.depth && !next.is_empty && !next.is_signature
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use urlint_find::Finder;
    use urlint_standard::Span;
    use urlint_testing::tries;

    #[test]
    fn unflows() {
        // The text, the result with DelSp=yes, and the result without.
        let cases = [
            ("", "", ""),
            ("a \nb\n", "ab\n", "a \nb\n"),
            ("a \r\nb \r\nc\r\n", "abc\r\n", "a \r\nb \r\nc\r\n"),
            ("a \rb", "ab", "a \rb"),
            ("a\nb", "a\nb", "a\nb"),
            // The space that belongs to the text and the one that belongs to the break.
            ("a  \nb", "a b", "a  \nb"),
            // A stuffed space.
            (" From a\n  b\n", "From a\n b\n", "From a\n b\n"),
            ("a \n b", "ab", "a \nb"),
            (" >a", ">a", ">a"),
            // Quotes.
            ("> a \n> b \n>c\n", "> abc\n", "> a \n> b \n>c\n"),
            (">> a \n> b\n", ">> a \n> b\n", ">> a \n> b\n"),
            ("> a \nb\n", "> a \nb\n", "> a \nb\n"),
            ("a \n> b\n", "a \n> b\n", "a \n> b\n"),
            // Signatures.
            ("a \n-- \nb\n", "a \n-- \nb\n", "a \n-- \nb\n"),
            ("> -- \n> b\n", "> -- \n> b\n", "> -- \n> b\n"),
            ("a \n", "a \n", "a \n"),
            ("a \n\nb\n", "a \n\nb\n", "a \n\nb\n"),
            ("a ", "a ", "a "),
        ];
        for (source, with, without) in cases {
            for (delsp, text) in [(true, with), (false, without)] {
                let view = unflow(source.as_bytes(), delsp);
                let shown = String::from_utf8(view.text().to_vec()).unwrap();
                assert_eq!(shown, text, "{source:?} {delsp}");
            }
        }
    }

    #[test]
    fn a_url_that_a_soft_break_cuts() {
        let source = b"> see http://a.example/a \r\n> /b \r\n>  and http://b.example/\r\n";
        let view = unflow(source, true);
        let found: Vec<_> = view.find(&Finder::default()).collect();
        let urls: Vec<_> = found.iter().map(urlint_find::Candidate::url).collect();
        assert_eq!(urls, [&b"http://a.example/a/b"[..], b"http://b.example/"]);
        let pieces: Vec<_> = found[0].pieces.iter().collect();
        assert_eq!(pieces, [Span::new(6, 24), Span::new(29, 31)]);
    }

    #[test]
    fn text_with_nothing_to_undo_is_borrowed() {
        for source in ["a\n> b\n", "a \nb\n"] {
            let view = unflow(source.as_bytes(), false);
            assert_eq!(view, View::borrowed(source.as_bytes(), 0), "{source:?}");
        }
    }

    proptest! {
        #![proptest_config(tries(256))]

        /// Law 1, and nothing is removed but blanks, quote marks and line breaks.
        #[test]
        fn every_byte_knows_where_it_came_from(source in "[ab> \r\n-]{0,60}", delsp: bool) {
            let view = unflow(source.as_bytes(), delsp);
            let spans = view.map(0..view.text().len());
            let bytes: Vec<u8> = spans
                .iter()
                .flat_map(|span| span.slice(source.as_bytes()).to_vec())
                .collect();
            prop_assert_eq!(&bytes[..], view.text());
            let solid = |text: &[u8]| -> Vec<u8> {
                let is_solid = |byte: &u8| !b" >\r\n".contains(byte);
                text.iter().copied().filter(is_solid).collect()
            };
            prop_assert_eq!(solid(source.as_bytes()), solid(view.text()));
        }
    }
}
