//! Edits of a view as edits of its source: one for each stretch of source bytes, and in
//! quoted-printable with soft breaks where a line would become too long.

use super::{Layer, View};
use crate::find::stream::Window;
use crate::lint::diagnostic::{Applicability, Edit, Fix};
use crate::text::span::Span;

/// The longest line of quoted-printable, in bytes, its break left out (RFC 2045, section 6.7).
const LONGEST_LINE: u64 = 76;

impl View<'_> {
    /// `fix` with an edit for each stretch of source bytes: what stands between two of them, a tag or
    /// a soft break, is no part of the text and stays. A line break that something else stands for
    /// cannot be taken out by anybody but a person.
    pub(super) fn in_stretches(&self, fix: Fix) -> Fix {
        let mut applicability = fix.applicability;
        let mut edits = Vec::with_capacity(fix.edits.len());
        for edit in fix.edits {
            let (start, end) = (edit.span.start as usize, edit.span.end as usize);
            let mut ends = Vec::new();
            for at in start..end.min(self.text.len()) {
                let source = self.source_of(at);
                if b"\r\n".contains(&self.text[at]) && source.len() != 1 {
                    applicability = Applicability::DisplayOnly;
                }
                let before = (at > start).then(|| self.source_of(at - 1));
                if before.is_some_and(|before| before.end != source.start && before != source) {
                    ends.push(at);
                }
            }
            ends.push(end);
            edits.extend(shared_out(edit, &ends));
        }
        Fix {
            applicability,
            edits,
            ..fix
        }
    }

    /// Puts soft breaks into a fix that would make a line of quoted-printable too long, if both lines
    /// are short enough then. `line` is what earlier fixes of the same candidate have made of its line.
    pub(crate) fn fold(&self, fix: &mut Fix, window: Window<'_>, line: &mut Line) {
        let encoded = self.layers.first() == Some(&Layer::QuotedPrintable);
        if encoded && fix.applicability > Applicability::DisplayOnly {
            for edit in &mut fix.edits {
                line.fold(edit, window);
            }
        }
    }
}

/// The edit cut at `ends`, the bytes of its replacement where they fit, the rest in the last one.
fn shared_out<'e>(edit: Edit, ends: &'e [usize]) -> impl Iterator<Item = Edit> + 'e {
    let (mut start, mut rest) = (edit.span.start, edit.replacement);
    ends.iter().enumerate().map(move |(index, &end)| {
        let span = Span::new(start, end as u64);
        start = span.end;
        let room = match index + 1 == ends.len() {
            true => rest.len(),
            false => rest.len().min(span.len() as usize),
        };
        // Within a character there is no cutting.
        let room = if rest.is_char_boundary(room) { room } else { 0 };
        let after = rest.split_off(room);
        let replacement = std::mem::replace(&mut rest, after);
        Edit { span, replacement }
    })
}

/// A line of quoted-printable, as the edits so far have left it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line {
    /// Where the line begins in the source.
    start: u64,
    /// Where the last part of it begins that no soft break divides.
    part: u64,
    /// How much longer that part is than in the source.
    growth: i64,
}

impl Line {
    fn fold(&mut self, edit: &mut Edit, window: Window<'_>) {
        let place = |at: u64| at.saturating_sub(window.start) as usize;
        let (start, end) = (place(edit.span.start), place(edit.span.end));
        let (Some(before), Some(behind)) = (window.bytes.get(..start), window.bytes.get(end..))
        else {
            return;
        };
        let line = window.start + memchr::memrchr(b'\n', before).map_or(0, |at| at as u64 + 1);
        if line != self.start || self.part > edit.span.start || self.part < line {
            *self = Line {
                start: line,
                part: line,
                growth: 0,
            };
        }
        let rest = &behind[..memchr::memchr(b'\n', behind).unwrap_or(behind.len())];
        let (rest, line_break) = match rest.strip_suffix(b"\r") {
            Some(rest) => (rest.len() as u64, "\r\n"),
            None => (rest.len() as u64, "\n"),
        };
        let put = edit.replacement.len() as u64;
        let ahead = (edit.span.start - self.part).saturating_add_signed(self.growth);
        let fits = ahead + put + rest <= LONGEST_LINE;
        if !fits && ahead < LONGEST_LINE && put + rest <= LONGEST_LINE {
            edit.replacement = format!("={line_break}{}", edit.replacement);
            self.part = edit.span.end;
            self.growth = put as i64;
        } else {
            self.growth += put as i64 - edit.span.len() as i64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::stream::Found;
    use crate::fix::apply;
    use crate::read::Origin;
    use crate::view::quoted_printable;
    use crate::{Finder, Selector, Settings};

    /// `source` after all the fixes of its one URL, each made where the one before leaves room.
    fn fixed(view: &View<'_>, source: &[u8]) -> (String, Vec<Applicability>) {
        let mut settings = Settings::default();
        settings.selection.add(Selector::All);
        let mut fixes = Vec::new();
        for candidate in Finder::default().find(view.text()) {
            let found = Found {
                candidate: view.candidate(candidate.clone()),
                position: Default::default(),
                line_start: 0,
                window: Window {
                    start: 0,
                    bytes: source,
                },
                member: None,
                alternative: false,
                origin: Some(Origin {
                    view,
                    candidate: &candidate,
                }),
            };
            found.lint(&settings, &mut |diagnostic| fixes.extend(diagnostic.fix));
        }
        fixes.retain(|fix| fix.message != "add the slash");
        let applied = apply(source, &fixes).bytes;
        let ranks = fixes.iter().map(|fix| fix.applicability).collect();
        (String::from_utf8_lossy(&applied).into_owned(), ranks)
    }

    #[test]
    fn soft_breaks_stay_and_are_put_in() {
        let x = |count| "x".repeat(count);
        let cases = [
            (
                "<URL:http://A.Exa=\r\nMple/>".to_owned(),
                "<URL:http://a.exa=\r\nmple/>".to_owned(),
            ),
            (
                format!("<URL:http://a.example/~{}~x>\r\n", x(40)),
                format!("<URL:http://a.example/%7E{}%7Ex>\r\n", x(40)),
            ),
            // The first escape would fit, both do not.
            (
                format!("<URL:http://a.example/~{}~x>\r\nnext\r\n", x(48)),
                format!("<URL:http://a.example/%7E{}=\r\n%7Ex>\r\nnext\r\n", x(48)),
            ),
            // Joined lines are one line with a soft break.
            (
                format!("<URL:http://a.example/{}-\n  {}>\n", x(50), x(20)),
                format!("<URL:http://a.example/{}-=\n{}>\n", x(50), x(20)),
            ),
        ];
        for (source, expected) in cases {
            let view = quoted_printable(source.as_bytes());
            let (text, _) = fixed(&view, source.as_bytes());
            assert_eq!(text, expected);
            assert!(text.lines().all(|line| line.len() <= 76), "{text}");
        }
    }

    #[test]
    fn a_line_break_that_stands_for_a_tag_is_not_taken_out() {
        let source = b"<URL:http://a.example/well-<br>known>";
        let mut view = View::new(Layer::Ascii);
        view.copy(&source[..27], 0);
        view.push_together(b"\n", Span::new(27, 31));
        view.copy(&source[31..], 31);
        let (_, ranks) = fixed(&view, source);
        assert_eq!(ranks, [Applicability::DisplayOnly]);
    }
}
