//! Translates diagnostics about a view into diagnostics about its source.
//!
//! An edit of the view becomes an edit for each run of source bytes, and in quoted-printable a soft
//! line break is inserted where a line would become too long.

use super::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use urlint_standard::text::{Span, Window};
use urlint_view::{Layer, View};

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
    let pieces = view.spans(&diagnostic.pieces);
    let in_source = |fix| {
        let mut fix = encoded(split_at_gaps(fix, view), view, start);
        let is_quoted = view.layers().first() == Some(&Layer::QuotedPrintable);
        if is_quoted && fix.applicability > Applicability::DisplayOnly {
            for edit in &mut fix.edits {
                line.fold(edit, window);
            }
        }
        fix.applicability = fix.applicability.min(Applicability::most_in(&pieces));
        fix
    };
    Diagnostic {
        spans: view.spans(&diagnostic.spans),
        fix: diagnostic.fix.map(in_source),
        outer: view.map_whole(diagnostic.outer),
        pieces,
        password: diagnostic.password.map(|spans| view.spans(&spans)),
        ..diagnostic
    }
}

/// Returns `fix` of a view with an edit for each run of source bytes. The bytes between two runs,
/// such as a tag or a soft line break, are not part of the text and stay. Removing a line break
/// that is written as something else is left to a person.
fn split_at_gaps(fix: Fix, view: &View<'_>) -> Fix {
    let mut applicability = fix.applicability;
    let mut edits = Vec::with_capacity(fix.edits.len());
    for edit in fix.edits {
        let mut pieces = Vec::new();
        let mut from = edit.span.start;
        for (at, byte) in (from..).zip(edit.span.slice(view.text())) {
            let source = view.source_of(at as usize);
            if matches!(byte, b'\r' | b'\n') && source.len() != 1 {
                applicability = Applicability::DisplayOnly;
            }
            let before = (at > edit.span.start).then(|| view.source_of(at as usize - 1));
            if before.is_some_and(|before| before.end != source.start && before != source) {
                pieces.push(Span::new(from, at));
                from = at;
            }
        }
        pieces.push(Span::new(from, edit.span.end));
        edits.extend(in_pieces(&pieces, &edit.replacement));
    }
    Fix {
        applicability,
        edits,
        ..fix
    }
}

/// Returns an edit for each of `pieces`, which `text` replaces. Each takes as many bytes of it as it replaces, and the last
/// one the rest, so that what is between two pieces stays where it is.
pub(super) fn in_pieces(pieces: &[Span], text: &str) -> Vec<Edit> {
    let mut rest = text;
    let edit = |(index, span): (usize, &Span)| {
        let is_last = index + 1 == pieces.len();
        let most = if is_last {
            rest.len()
        } else {
            span.len() as usize
        };
        let room = rest.len().min(most);
        // A character is not split.
        let room = if rest.is_char_boundary(room) { room } else { 0 };
        let (replacement, after) = rest.split_at(room);
        rest = after;
        Edit::new(*span, replacement)
    };
    pieces.iter().enumerate().map(edit).collect()
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
                message: format!("{}{what} in this encoded text", fix.message),
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
        applicability,
        edits,
        ..fix
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
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;
    use crate::check_as;
    use crate::fix::apply;
    use crate::selection::Selector;
    use crate::settings::Settings;
    use proptest::prelude::*;
    use proptest::sample::Index;
    use urlint_documents::document::Kind;
    use urlint_documents::read::found::{Found, Origin};
    use urlint_find::Finder;
    use urlint_testing::encoded::{bytes_of, charsets, in_charset, in_quoted_printable};
    use urlint_testing::tries;
    use urlint_view::{charset, quoted_printable};

    /// Returns `source` after all fixes of its only URL that do not conflict.
    fn fixed(view: &View<'_>, source: &[u8]) -> (String, Vec<Applicability>) {
        let mut settings = Settings::default();
        settings.selection.add(Selector::All);
        let mut fixes = Vec::new();
        for candidate in Finder::default().find(view.text()) {
            let window = Window {
                start: 0,
                bytes: source,
            };
            let mut found = Found::in_plain_text(view.candidate(candidate.clone()), None, window);
            found.kind = Kind::Mail;
            found.origin = Some(Origin {
                view,
                candidate: &candidate,
            });
            for diagnostic in crate::Checker::new(&settings).judge(&found).into_reported() {
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
            // The first escape alone would fit, but not both.
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
                "see =\r\nhttp://a.example/\r\nc/2 for more".to_owned(),
                "see =\r\n<URL:http://a.example/>\r\nc/2 for more".to_owned(),
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
        let mut settings = Settings::default();
        settings.selection.add(Selector::All);
        let source = b"<p>&lt;URL:http://a.example/well-<br>known&gt;";
        let found = check_as(Kind::Html, source, &settings).into_iter();
        let ranks: Vec<_> = found
            .filter_map(|one| Some(one.fix?.applicability))
            .collect();
        assert_eq!(ranks, [Applicability::DisplayOnly]);
    }

    proptest! {
        #![proptest_config(tries(1000))]

        /// An edit that is mapped to the source, made there and decoded again is the edit.
        #[test]
        fn an_edit_is_done_in_the_source(
            (encoding, text) in charsets(),
            choices in prop::collection::vec(any::<u8>(), 1..20),
            (from, to) in any::<(Index, Index)>(),
            replacement in "[a%=~&]{0,6}",
        ) {
            let source = bytes_of(&in_quoted_printable(&in_charset(&text, encoding), &choices));
            let decode = |source: &[u8]| -> View<'static> {
                let text = quoted_printable(source);
                let label = encoding.name().as_bytes();
                let characters = charset::decode(text.text(), label).unwrap();
                let characters = View::borrowed(text.text(), 0).compose(characters);
                text.compose(characters)
            };
            let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let [from, to] = [from, to].map(|index| ends[index.index(ends.len())] as u64);
            let span = Span::new(from.min(to), from.max(to));
            let edits = vec![Edit::new(span, replacement.as_str())];
            let fix = Fix::new("", Applicability::Safe, edits);
            // An edit in a candidate, and one at its start.
            for start in [0, span.start] {
                let fix = encoded(fix.clone(), &decode(&source), start);
                prop_assert_eq!(fix.applicability, Applicability::Safe);
                let edit = &fix.edits[0];
                let place = edit.span.start as usize..edit.span.end as usize;
                let mut source = source.clone();
                source.splice(place, edit.replacement.bytes());
                let mut edited = text.clone();
                edited.replace_range(span.start as usize..span.end as usize, &replacement);
                let again = decode(&source);
                prop_assert_eq!(String::from_utf8_lossy(again.text()), edited);
            }
        }
    }

    #[test]
    fn a_part_of_a_character_is_not_edited() {
        let view = charset::decode(b"a\xD6\xD0b", b"gbk").unwrap();
        let cases = [
            (0..1, Applicability::Safe),
            (1..4, Applicability::Safe),
            (1..3, Applicability::DisplayOnly),
            (2..4, Applicability::DisplayOnly),
            (2..2, Applicability::DisplayOnly),
            (4..4, Applicability::Safe),
        ];
        for (range, applicability) in cases {
            let span = Span::new(range.start, range.end);
            let edits = vec![Edit::new(span, "x")];
            let fix = encoded(Fix::new("", Applicability::Safe, edits), &view, 0);
            assert_eq!(fix.applicability, applicability, "{range:?}");
        }
    }
}
