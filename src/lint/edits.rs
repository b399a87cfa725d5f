//! Translates diagnostics about a view into diagnostics about its source.
//!
//! An edit of the view becomes an edit for each run of source bytes, and in quoted-printable a soft
//! line break is inserted where a line would become too long.

use super::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::text::span::{Span, Spans};
use crate::text::window::Window;
use crate::view::{Layer, View};

/// The longest line of quoted-printable, in bytes, without its line break (RFC 2045, section 6.7).
const MAX_LINE: u64 = 76;

/// Returns `diagnostic` about `view` with its spans and edits in the source. A fix that cannot be
/// written there becomes display-only. `line` is the quoted-printable line that earlier diagnostics
/// of the same candidate have edited; the window has the source bytes around the candidate.
pub(super) fn in_source(
    diagnostic: Diagnostic,
    view: &View<'_>,
    window: Window<'_>,
    line: &mut QuotedPrintableLine,
) -> Diagnostic {
    let start = diagnostic.outer.start;
    let in_source = |fix| {
        let mut fix = encoded(split_at_gaps(fix, view), view, start);
        let is_quoted = view.layers().first() == Some(&Layer::QuotedPrintable);
        if is_quoted && fix.applicability > Applicability::DisplayOnly {
            for edit in &mut fix.edits {
                line.fold(edit, window);
            }
        }
        fix
    };
    let pieces = view.spans(&diagnostic.pieces);
    Diagnostic {
        spans: view.spans(&diagnostic.spans),
        fix: diagnostic
            .fix
            .map(in_source)
            .map(|fix| in_one_piece(fix, &pieces)),
        outer: view.map_whole(diagnostic.outer),
        pieces,
        password: diagnostic.password.map(|spans| view.spans(&spans)),
        ..diagnostic
    }
}

/// Returns `fix`, made unsafe if the URL is in several pieces in the source.
fn in_one_piece(fix: Fix, pieces: &Spans) -> Fix {
    let most = match pieces.single() {
        Some(_) => Applicability::Safe,
        None => Applicability::Unsafe,
    };
    Fix {
        applicability: fix.applicability.min(most),
        ..fix
    }
}

/// Returns `fix` of a view with an edit for each run of source bytes. What lies between two runs,
/// such as a tag or a soft line break, is not part of the text and stays. Removing a line break
/// that is written as something else is left to a person.
fn split_at_gaps(fix: Fix, view: &View<'_>) -> Fix {
    let mut applicability = fix.applicability;
    let mut edits = Vec::with_capacity(fix.edits.len());
    for edit in fix.edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        let mut ends = Vec::new();
        for (index, byte) in edit.span.slice(view.text()).iter().enumerate() {
            let at = start + index;
            let source = view.source_of(at);
            if matches!(byte, b'\r' | b'\n') && source.len() != 1 {
                applicability = Applicability::DisplayOnly;
            }
            let before = (at > start).then(|| view.source_of(at - 1));
            if before.is_some_and(|before| before.end != source.start && before != source) {
                ends.push(at);
            }
        }
        ends.push(end);
        edits.extend(split(edit, &ends));
    }
    Fix {
        applicability,
        edits,
        ..fix
    }
}

/// Returns `edit` split at `ends`. Each part takes as many bytes of the replacement as it replaces,
/// and the last part the rest.
fn split<'e>(edit: Edit, ends: &'e [usize]) -> impl Iterator<Item = Edit> + 'e {
    let (mut start, mut rest) = (edit.span.start, edit.replacement);
    ends.iter().enumerate().map(move |(index, &end)| {
        let span = Span::new(start, end as u64);
        start = span.end;
        let len = if index + 1 == ends.len() {
            rest.len()
        } else {
            rest.len().min(span.len() as usize)
        };
        // A character is not split.
        let len = if rest.is_char_boundary(len) { len } else { 0 };
        let after = rest.split_off(len);
        let replacement = std::mem::replace(&mut rest, after);
        Edit { span, replacement }
    })
}

/// Returns `fix` of a view as a fix of its source, with replacements encoded like the source. The
/// candidate begins at `start` of the view.
pub(crate) fn encoded(fix: Fix, view: &View<'_>, start: u64) -> Fix {
    let mut applicability = fix.applicability;
    let mut edits = Vec::with_capacity(fix.edits.len());
    for edit in fix.edits {
        let mut layers = view.layers().iter().rev();
        let encoded = layers.try_fold(edit.replacement.clone(), |text, layer| layer.encode(&text));
        let Some(replacement) = encoded else {
            // The raw character would be mistaken for one of the source.
            let what = match &*edit.replacement {
                "" => String::new(),
                text => format!(": `{text}`"),
            };
            return Fix {
                message: format!("{}{what} in what is encoded here", fix.message),
                applicability: Applicability::DisplayOnly,
                edits: Vec::new(),
                url_edits: fix.url_edits,
            };
        };
        if !has_own_source(edit.span, view) {
            applicability = Applicability::DisplayOnly;
        }
        // An insertion before the candidate goes directly before its first byte, not before a
        // preceding line break or tag.
        let span = if edit.span == Span::new(start, start) {
            let at = view.map(start as usize..start as usize).start();
            Span::new(at, at)
        } else {
            view.map_whole(edit.span)
        };
        edits.push(Edit { span, replacement });
    }
    Fix {
        message: fix.message,
        applicability,
        edits,
        url_edits: fix.url_edits,
    }
}

/// Returns whether no source byte of `span` also belongs to a byte next to it.
fn has_own_source(span: Span, view: &View<'_>) -> bool {
    let is_boundary = |at: usize| {
        if at == 0 || at >= view.text().len() {
            return true;
        }
        let (before, after) = (view.source_of(at - 1), view.source_of(at));
        before != after || before.is_empty()
    };
    is_boundary(span.start as usize) && is_boundary(span.end as usize)
}

/// A line of quoted-printable after the edits so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct QuotedPrintableLine {
    /// Where the line begins in the source.
    start: u64,
    /// Where the part after the last soft line break begins.
    part: u64,
    /// How much longer that part has become than in the source.
    growth: i64,
}

impl QuotedPrintableLine {
    /// Inserts a soft line break before `edit` if the edit makes the line longer than allowed, and
    /// both lines are short enough with the break.
    fn fold(&mut self, edit: &mut Edit, window: Window<'_>) {
        let place = |at: u64| at.saturating_sub(window.start) as usize;
        let (start, end) = (place(edit.span.start), place(edit.span.end));
        let (Some(before), Some(after)) = (window.bytes.get(..start), window.bytes.get(end..))
        else {
            return;
        };
        let line = window.start + memchr::memrchr(b'\n', before).map_or(0, |at| at as u64 + 1);
        if line != self.start || self.part > edit.span.start || self.part < line {
            *self = QuotedPrintableLine {
                start: line,
                part: line,
                growth: 0,
            };
        }
        let rest = &after[..memchr::memchr(b'\n', after).unwrap_or(after.len())];
        let (rest, line_break) = match rest.strip_suffix(b"\r") {
            Some(rest) => (rest.len() as u64, "\r\n"),
            None => (rest.len() as u64, "\n"),
        };
        let put = edit.replacement.len() as u64;
        let ahead = (edit.span.start - self.part).saturating_add_signed(self.growth);
        let joins_lines = memchr::memchr(b'\n', &window.bytes[start..end]).is_some();
        let grows = put > edit.span.len() || joins_lines;
        let fits = !grows || ahead + put + rest <= MAX_LINE;
        if !fits && ahead < MAX_LINE && put + rest <= MAX_LINE {
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
    use crate::document::{Care, Kind, Standing};
    use crate::find::Finder;
    use crate::fix::apply;
    use crate::lint::selection::Selector;
    use crate::lint::settings::Settings;
    use crate::read::found::{Found, Origin};
    use crate::view::quoted_printable;

    /// Returns `source` after all fixes of its only URL that do not conflict.
    fn fixed(view: &View<'_>, source: &[u8]) -> (String, Vec<Applicability>) {
        let mut settings = Settings::default();
        settings.selection.add(Selector::All);
        let mut fixes = Vec::new();
        for candidate in Finder::default().find(view.text()) {
            let found = Found {
                candidate: view.candidate(candidate.clone()),
                place: None,
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
                within: None,
                kind: Kind::Mail,
                care: Care::default(),
                standing: Standing::Used,
            };
            for diagnostic in found.lint(&settings) {
                fixes.extend(diagnostic.fix);
            }
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
            // The first escape alone would fit, but both do not.
            (
                format!("<URL:http://a.example/~{}~x>\r\nnext\r\n", x(48)),
                format!("<URL:http://a.example/%7E{}=\r\n%7Ex>\r\nnext\r\n", x(48)),
            ),
            // A line that does not grow is not broken, even if it is too long.
            (
                format!("see <URL:HTTP://a.example/{}>\r\n", x(60)),
                format!("see <URL:http://a.example/{}>\r\n", x(60)),
            ),
            // Insertions around a URL are directly next to it.
            (
                "see =\r\nhttp://a.example/\r\n/c for more".to_owned(),
                "see =\r\n<URL:http://a.example/>\r\n/c for more".to_owned(),
            ),
            // Joined lines become one line with a soft break.
            (
                format!("<URL:http://a.example/{}-\n  {}>\n", x(50), x(20)),
                format!("<URL:http://a.example/{}-=\n{}>\n", x(50), x(20)),
            ),
        ];
        for (source, expected) in cases {
            let view = quoted_printable(source.as_bytes());
            let (text, _) = fixed(&view, source.as_bytes());
            assert_eq!(text, expected);
            let longest = |text: &str| text.lines().map(str::len).max().unwrap_or(0);
            assert!(longest(&text) <= longest(&source).max(76), "{text}");
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
