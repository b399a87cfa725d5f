//! Rejoins broken URLs, as the Appendix of RFC 1738 requires.
//!
//! Joining creates no bytes: a broken URL is the list of its pieces, so the place in the source is
//! known for each of its bytes. All offsets here count from the start of the window.

mod body;
mod broken_host;
mod evidence;
mod fold;
mod furniture;
mod host;
mod leader;
mod lines;
mod paragraph;
mod typeset;
mod word;

use std::borrow::Cow;

pub(crate) use body::{Body, MAX_BREAKS, body, plain_body};
pub(crate) use evidence::{Verdict, evidence, goes_on};
pub(crate) use fold::{fold, is_announced};
pub(crate) use leader::{Leader, MAX_LEADER};
pub(crate) use lines::{Break, column_below, is_before_column};
pub(crate) use paragraph::line_start;
pub(crate) use word::{has_extension, is_before_archived, is_name_with_colon, is_prose};

use super::candidate::{Delimiter, Evidence, Flag, Flags, Joins};
use super::options::{Finder, Hyphen};
use crate::text::Text;
use urlint_standard::standard::Standard;
use urlint_standard::text::byteset;
use urlint_standard::text::utf8::SOFT_HYPHEN;
use urlint_standard::text::window::is_blank;
use urlint_standard::text::{Span, Spans};

/// The part of a URL that has been read.
#[derive(Clone, Debug)]
pub(crate) struct Joined {
    /// The URL's bytes.
    pub(crate) pieces: Spans,
    /// The offsets of hyphens before line breaks, which may or may not belong to the URL.
    pub(crate) hyphens: Vec<u64>,
    /// The offsets of `=` before line breaks, which may be soft line breaks.
    pub(crate) soft_breaks: Vec<u64>,
    /// Whether they are soft line breaks, of quoted-printable text that was not decoded.
    is_encoded: bool,
    /// The white space inside a line that was dropped.
    pub(crate) spaces: Vec<Span>,
    /// Why the URL continues after each line break, unless a delimiter closes it.
    pub(crate) joins: Joins,
    /// The flags that were set while reading.
    pub(crate) flags: Flags,
}

/// A URL that has been read up to its closing delimiter.
pub(crate) struct Closed {
    pub(crate) joined: Joined,
    /// The offset of the closing delimiter.
    pub(crate) close: usize,
}

impl Joined {
    /// Makes a URL of the bytes from `start` to `end`.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Joined {
            pieces: Span::new(start as u64, end as u64).into(),
            hyphens: Vec::new(),
            soft_breaks: Vec::new(),
            is_encoded: false,
            spaces: Vec::new(),
            joins: Joins::default(),
            flags: Flags::default(),
        }
    }

    /// Returns where the last piece ends.
    pub(crate) fn end(&self) -> usize {
        self.pieces.end() as usize
    }

    /// Adds the bytes from `start` to `end`.
    pub(crate) fn push(&mut self, start: usize, end: usize) {
        self.pieces.push(Span::new(start as u64, end as u64));
    }

    /// Notes the doubts about the line break at `at`, after which the URL continues, and the flags
    /// of crossing it.
    pub(crate) fn note_break(&mut self, text: &Text<'_>, at: usize, crossing: &Crossing) {
        let end = self.end();
        let last = text.bytes[..end].last();
        let gap = &text.bytes[end..at];
        let is_empty = end == self.pieces.start() as usize;
        if last == Some(&b'-') && !is_empty && gap.iter().copied().all(is_blank) {
            self.hyphens.push(end as u64 - 1);
        }
        // A soft line break has no blanks before it, and the next line is not indented.
        if last == Some(&b'=') && gap.is_empty() && !crossing.indented {
            self.soft_breaks.push(end as u64 - 1);
            if is_soft_break(text, &self.pieces, at) {
                self.is_encoded = true;
                self.joins.set(Evidence::SoftBreak);
            }
        }
        self.flags.extend(crossing.flags);
    }
}

/// Returns the bytes of `pieces`, copied only if there are several.
pub(crate) fn bytes_of<'t>(text: &'t [u8], pieces: &Spans) -> Cow<'t, [u8]> {
    if let Some(piece) = pieces.single() {
        return piece.slice(text).into();
    }
    let mut joined = Vec::with_capacity(pieces.len() as usize);
    for piece in pieces.iter() {
        joined.extend_from_slice(piece.slice(text));
    }
    joined.into()
}

/// Returns the length of the hyphen that ends `line` and is [no part](is_soft_hyphen) of the word, in bytes.
pub(crate) fn soft_hyphen_len(line: &[u8]) -> usize {
    let hyphens = [SOFT_HYPHEN, "\u{2010}"];
    let ends = |hyphen: &&&str| line.ends_with(hyphen.as_bytes());
    hyphens.iter().find(ends).map_or(0, |hyphen| hyphen.len())
}

/// Returns whether `trail`, which ends a line, is a hyphen that is not part of the word: U+00AD, or U+2010 as
/// groff writes it in man pages.
pub(crate) fn is_soft_hyphen(trail: &[u8]) -> bool {
    !trail.is_empty() && soft_hyphen_len(trail) == trail.len()
}

/// Returns whether the `=` that ends both `pieces` and a line at `at` is a soft line break of
/// quoted-printable text that was not decoded, as in archives of lists: encoders break lines at one column,
/// or the [lines around it](typeset::is_quoted_printable) have others. In a query it may be the `=` of a key, unless others are encoded.
///
/// Of the joins in thirteen unseen lists this mends 1,939 and breaks none.
pub(crate) fn is_soft_break(text: &Text<'_>, pieces: &Spans, at: usize) -> bool {
    const COLUMN: usize = 76;
    let is_at_column = at >= COLUMN && paragraph::line_start(text, at) == at - COLUMN;
    // Encoded, a `=` before it would be `=3D`.
    let line = &text.bytes[..at];
    let is_mark = at == pieces.end() as usize && line.ends_with(b"=") && !line.ends_with(b"==");
    is_mark && (is_at_column || typeset::is_quoted_printable(text, at)) && {
        let url = bytes_of(text.bytes, pieces);
        !url.contains(&b'?') || memchr::memmem::find(&url, ENCODED).is_some()
    }
}

/// An encoded `=`.
const ENCODED: &[u8] = b"=3D";

/// Returns whether `url` is one that a mail filter wrote in place of another: it continues up to a `$`.
pub(crate) fn is_defended(url: &[u8]) -> bool {
    url.starts_with(b"https://urldefense.com/v3/__")
}

/// Returns `pieces`, which are quoted-printable, without soft line breaks at `marks`, and with the
/// first byte of each encoded `=` alone.
fn decoded(text: &[u8], pieces: &Spans, marks: &[u64]) -> Spans {
    let pieces = without(pieces, marks);
    let offsets: Vec<u64> = pieces
        .iter()
        .flat_map(|piece| piece.start..piece.end)
        .collect();
    let url = bytes_of(text, &pieces);
    let digits = memchr::memmem::find_iter(&url, ENCODED).flat_map(|at| [at + 1, at + 2]);
    let digits: Vec<u64> = digits.map(|at| offsets[at]).collect();
    without(&pieces, &digits)
}

/// Returns the part of `text` that is judged: everything before the first `#`.
pub(crate) fn without_fragment(text: &[u8]) -> &[u8] {
    &text[..byteset::find(b'#', text).unwrap_or(text.len())]
}

/// Returns whether the URL made of `pieces` is valid by `standard`.
fn is_valid(standard: Standard, text: &[u8], pieces: &Spans) -> bool {
    standard.is_valid(without_fragment(&bytes_of(text, pieces)))
}

/// Returns `joined` without its first `count` bytes.
pub(crate) fn without_start(joined: Joined, count: usize) -> Joined {
    let bytes = joined
        .pieces
        .iter()
        .flat_map(|piece| piece.start..piece.end);
    let start: Vec<u64> = bytes.take(count).collect();
    Joined {
        pieces: without(&joined.pieces, &start),
        ..joined
    }
}

/// The readings of a rejoined URL.
#[derive(Debug)]
pub(crate) struct Readings {
    /// The preferred reading.
    pub(crate) pieces: Spans,
    /// The other ones.
    pub(crate) alternatives: Vec<Spans>,
    /// The white space inside a line that was dropped.
    pub(crate) spaces: Vec<Span>,
    /// Why the URL continues after each line break, unless a delimiter closes it.
    pub(crate) joins: Joins,
    pub(crate) flags: Flags,
}

/// Decides about the hyphens at line breaks: each may belong to the URL, or have been inserted when
/// the line was broken, as the Appendix says.
///
/// All are kept, unless exactly one other reading is valid and the URL is invalid with them. With [`Hyphen::Drop`], and by default in typeset text, the reading
/// without any hyphen is preferred if it is valid, and near form feeds that without hyphens after slashes. Other
/// readings that are invalid are discarded.
pub(crate) fn readings(
    text: &Text<'_>,
    joined: Joined,
    delimiter: Delimiter,
    finder: &Finder,
) -> Readings {
    let mut readings = Readings {
        pieces: joined.pieces,
        alternatives: Vec::new(),
        spaces: joined.spaces,
        joins: joined.joins,
        flags: joined.flags,
    };
    if joined.is_encoded {
        let pieces = decoded(text.bytes, &readings.pieces, &joined.soft_breaks);
        readings.alternatives = vec![std::mem::replace(&mut readings.pieces, pieces)];
        readings.flags.set(Flag::PossibleQpSoftBreak);
    }
    if !joined.hyphens.is_empty() {
        readings.choose(text, &joined.hyphens, delimiter, finder);
    }
    if !joined.soft_breaks.is_empty() && !joined.is_encoded {
        // An encoder marks either all soft line breaks or none.
        let without_marks = without(&readings.pieces, &joined.soft_breaks);
        if is_valid(finder.standard, text.bytes, &without_marks) {
            readings.flags.set(Flag::PossibleQpSoftBreak);
            readings.alternatives.push(without_marks);
        }
    }
    readings
}

impl Readings {
    /// Chooses the preferred reading among those with and without `hyphens`.
    fn choose(&mut self, text: &Text<'_>, hyphens: &[u64], delimiter: Delimiter, finder: &Finder) {
        let is_valid = |pieces: &Spans| is_valid(finder.standard, text.bytes, pieces);
        let kept_is_valid = is_valid(&self.pieces);
        let kept = bytes_of(text.bytes, &self.pieces);
        // Software that breaks URLs of filters and addresses of messages adds no hyphens, and DOIs have their own.
        let has = |sign: &[u8]| memchr::memmem::find(&kept, sign).is_some();
        let is_name = kept.contains(&b'@') || has(b"%2F") || has(b"doi");
        let is_auto = finder.hyphen == Hyphen::Auto;
        // Of 575 line breaks in `<...>` none has an added hyphen.
        let is_open = !matches!(delimiter, Delimiter::Wrapper | Delimiter::Angle);
        let is_typeset =
            is_auto && is_open && !is_name && typeset::is_typeset(text, hyphens[0] as usize);
        let is_added = |&at: &u64| match finder.hyphen {
            Hyphen::Auto => {
                (is_typeset && !typeset::is_beside_digit(text, at as usize))
                    || typeset::is_after_slash(text, at as usize)
                    || (is_open && typeset::is_in_word(text, at as usize))
            }
            Hyphen::Keep => false,
            Hyphen::Drop => true,
        };
        let added: Vec<u64> = hyphens.iter().copied().filter(is_added).collect();
        let mut others: Vec<_> = dropped_sets(hyphens)
            .map(|dropped| (dropped == added, without(&self.pieces, &dropped)))
            .filter(|(is_added, pieces)| {
                is_valid(pieces) || (*is_added && is_auto && !kept_is_valid)
            })
            .map(|(_, pieces)| pieces)
            .collect();
        let resolved = (!kept_is_valid && others.len() == 1).then_some(0);
        let chosen = resolved.or_else(|| {
            let without_added = without(&self.pieces, &added);
            let mut others = others.iter();
            let at = others.position(|other| *other == without_added);
            at.filter(|_| !added.is_empty())
        });
        if let Some(at) = chosen {
            let kept = std::mem::replace(&mut self.pieces, others.remove(at));
            if kept_is_valid {
                others.insert(0, kept);
            }
        }
        if resolved.is_some() {
            self.flags.set(Flag::HyphenResolved);
        } else if !others.is_empty() {
            self.flags.set(Flag::AmbiguousHyphen);
        }
        self.alternatives.splice(0..0, others);
    }
}

/// Returns the sets of hyphens to drop: every combination of up to three; with more than three,
/// only all of them.
fn dropped_sets(hyphens: &[u64]) -> impl Iterator<Item = Vec<u64>> + '_ {
    let all = (1u32 << hyphens.len().min(4)) - 1;
    let first = if hyphens.len() > 3 { all } else { 1 };
    (first..=all).map(move |set| {
        let dropped = |i: usize| hyphens.len() > 3 || set & 1 << i != 0;
        let chosen = hyphens.iter().enumerate().filter(|(i, _)| dropped(*i));
        chosen.map(|(_, hyphen)| *hyphen).collect()
    })
}

/// Returns `pieces` without the bytes at `dropped`.
fn without(pieces: &Spans, dropped: &[u64]) -> Spans {
    let mut left: Option<Spans> = None;
    let mut keep = |start, end| match &mut left {
        None if start < end => left = Some(Span::new(start, end).into()),
        Some(spans) => spans.push(Span::new(start, end)),
        None => {}
    };
    for piece in pieces.iter() {
        let mut start = piece.start;
        for &at in dropped {
            if (start..piece.end).contains(&at) {
                keep(start, at);
                start = at + 1;
            }
        }
        keep(start, piece.end);
    }
    left.unwrap_or_else(|| Span::new(pieces.start(), pieces.start()).into())
}

/// The line after a line break.
pub(crate) struct Crossing {
    /// Where its text begins, after the leader and indentation.
    pub(crate) at: usize,
    /// Where the line begins.
    pub(crate) line: usize,
    /// The number of quote marks of the leader that the line has.
    pub(crate) marks: usize,
    /// Whether the line is indented after its leader.
    pub(crate) indented: bool,
    /// Whether the line has the comment sign of the leader.
    pub(crate) has_comment: bool,
    /// Whether the line lacks a part of the leader.
    pub(crate) other_leader: bool,
    /// Whether the line only has fewer quote marks than the leader, or more.
    pub(crate) other_depth: bool,
    /// Whether no URL continues there: the line is blank, a signature separator, or missing.
    pub(crate) ends: bool,
    /// Flags for skipped text.
    pub(crate) flags: Flags,
}

/// Crosses the line break at `at`, and skips page furniture (if `pages`), the leader of the first
/// line, and indentation. Returns `None` if there is no line break.
pub(crate) fn cross(
    text: &Text<'_>,
    at: usize,
    leader: &Leader<'_>,
    pages: bool,
) -> Option<Crossing> {
    let mut line = text.after_break(at)?;
    let mut flags = Flags::default();
    if pages && let Some(after) = furniture::page_break(text, line) {
        line = after;
        flags.set(Flag::PageBreak);
    }
    let stripped = leader.strip(text, line);
    if stripped.marks > 0 && stripped.missing == 0 {
        flags.set(Flag::QuotePrefix);
    }
    if stripped.missing > 0 {
        flags.set(Flag::QuoteDepthChange);
    }
    let start = text.skip(stripped.at, |byte| {
        is_blank(byte) || byte == 0x0B || byte == 0x0C
    });
    let blank = matches!(text.at(start), None | Some(b'\n' | b'\r'));
    Some(Crossing {
        at: start,
        line,
        marks: stripped.marks,
        indented: start > stripped.at,
        has_comment: stripped.has_comment,
        other_leader: stripped.missing > 0 || stripped.other_comment,
        other_depth: stripped.missing > 0 && !stripped.other_comment,
        ends: blank || stripped.apart || is_signature(text, stripped.at),
        flags,
    })
}

impl Crossing {
    /// Skips the quote marks that the line has in addition to the leader, and the first dot of two:
    /// a mail client doubles the one that begins a line.
    pub(crate) fn skip_marks(&mut self, text: &Text<'_>) {
        if text.at(self.at) == Some(b'>') {
            self.at = text.skip(self.at, |byte| is_blank(byte) || byte == b'>');
            (self.other_leader, self.other_depth) = (true, true);
            self.flags.set(Flag::QuoteDepthChange);
        }
        let begins = text.has(self.at, b"..");
        if begins
            && text
                .at(self.at + 2)
                .is_some_and(|byte| byte.is_ascii_alphanumeric())
        {
            self.at += 1;
        }
    }
}

/// Returns whether the line is `-- ` or `--`, which begins a signature.
fn is_signature(text: &Text<'_>, at: usize) -> bool {
    let has_mark = text.at(at) == Some(b'-') && text.at(at + 1) == Some(b'-');
    has_mark && {
        let end = at + 2 + usize::from(text.at(at + 2) == Some(b' '));
        matches!(text.at(end), None | Some(b'\n' | b'\r'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the readings of `pieces`, which end in a doubtful hyphen, except for the last.
    fn read(pieces: &[&str], drop_hyphens: bool) -> (String, Vec<String>, Vec<Flag>) {
        let text = pieces.join(" ");
        let mut joined = Joined::new(0, pieces[0].len());
        let mut at = pieces[0].len();
        for piece in &pieces[1..] {
            joined.hyphens.push(at as u64 - 1);
            joined.push(at + 1, at + 1 + piece.len());
            at += 1 + piece.len();
        }
        let hyphen = if drop_hyphens {
            Hyphen::Drop
        } else {
            Hyphen::Keep
        };
        let finder = Finder::default().with_hyphen(hyphen);
        let text_read = Text::new(text.as_bytes(), true);
        let readings = readings(&text_read, joined, Delimiter::Bare, &finder);
        let shown = |pieces: &Spans| {
            String::from_utf8_lossy(&bytes_of(text.as_bytes(), pieces)).into_owned()
        };
        let others = readings.alternatives.iter().map(shown).collect();
        (
            shown(&readings.pieces),
            others,
            readings.flags.iter().collect(),
        )
    }

    #[test]
    fn hyphens_are_kept_or_dropped() {
        use Flag::{AmbiguousHyphen, HyphenResolved};
        type Case = (
            &'static [&'static str],
            bool,
            &'static str,
            &'static [&'static str],
            &'static [Flag],
        );
        let cases: &[Case] = &[
            (
                &["x:a-", "b"],
                false,
                "x:a-b",
                &["x:ab"],
                &[AmbiguousHyphen],
            ),
            (&["x:a-", "b"], true, "x:ab", &["x:a-b"], &[AmbiguousHyphen]),
            (
                &["x:a-", "b-", "c"],
                true,
                "x:abc",
                &["x:a-b-c", "x:ab-c", "x:a-bc"],
                &[AmbiguousHyphen],
            ),
            (
                &["x:a-", "b-", "c-", "d-", "e"],
                false,
                "x:a-b-c-d-e",
                &["x:abcde"],
                &[AmbiguousHyphen],
            ),
            (
                &["http://a-", ".b/"],
                false,
                "http://a.b/",
                &[],
                &[HyphenResolved],
            ),
            (
                &["http://a-", ".b/"],
                true,
                "http://a.b/",
                &[],
                &[HyphenResolved],
            ),
            (&["x:~-", "b"], true, "x:~-b", &[], &[]),
        ];
        for (pieces, drop_hyphens, url, others, flags) in cases {
            let (read, alternatives, set) = read(pieces, *drop_hyphens);
            assert_eq!(read, *url, "{pieces:?}");
            assert_eq!(alternatives, *others, "{pieces:?}");
            assert_eq!(set, *flags, "{pieces:?}");
        }
    }
}
