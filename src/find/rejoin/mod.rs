//! Putting broken URLs back together, as the Appendix of RFC 1738 asks for.
//!
//! A join never makes bytes of its own: a URL that was broken is the list of its pieces, so that
//! every byte of it knows where it stands. All offsets here count from the start of the window.

mod body;
mod evidence;
mod furniture;
mod leader;

use std::borrow::Cow;

pub(crate) use body::{Body, body, plain_body};
pub(crate) use evidence::{Break, Verdict, evidence};
pub(crate) use leader::{Leader, MAX_LEADER};

use super::candidate::{Flag, Flags};
use crate::standard::rfc1738::is_valid;
use crate::text::byteset;
use crate::text::span::{Span, Spans};
use crate::text::window::{Text, is_blank};

/// A URL that has been read so far.
#[derive(Clone, Debug)]
pub(crate) struct Joined {
    /// Its bytes.
    pub(crate) pieces: Spans,
    /// Where a hyphen before a line break stands, that may belong to it or not.
    pub(crate) hyphens: Vec<u64>,
    /// Where an `=` before a line break stands, that may be the mark of a soft break.
    pub(crate) soft_breaks: Vec<u64>,
    /// White space that was dropped inside a line.
    pub(crate) spaces: Vec<Span>,
    /// What was met on the way.
    pub(crate) flags: Flags,
}

impl Joined {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Joined {
            pieces: Span::new(start as u64, end as u64).into(),
            hyphens: Vec::new(),
            soft_breaks: Vec::new(),
            spaces: Vec::new(),
            flags: Flags::default(),
        }
    }

    /// Goes on behind a line break with the bytes from `start` to `end`.
    pub(crate) fn push(&mut self, start: usize, end: usize) {
        self.pieces.push(Span::new(start as u64, end as u64));
    }

    /// Records the hyphen before the line break at `at`, if there is one with nothing but spaces
    /// and tabs behind it.
    pub(crate) fn note_hyphen(&mut self, text: &Text<'_>, at: usize) {
        let end = self.pieces.end();
        let gap = &text.bytes[end as usize..at];
        if end > self.pieces.start()
            && text.bytes[end as usize - 1] == b'-'
            && gap.iter().copied().all(is_blank)
        {
            self.hyphens.push(end - 1);
        }
    }

    /// Records the `=` directly before the line break at `at`, if the next line is not indented.
    pub(crate) fn note_soft_break(&mut self, text: &Text<'_>, at: usize, indented: bool) {
        if !indented && self.pieces.end() as usize == at && text.bytes[at - 1] == b'=' {
            self.soft_breaks.push(at as u64 - 1);
        }
    }
}

/// The bytes of `pieces`; copied only where there are several.
pub(crate) fn bytes_of<'t>(text: &'t [u8], pieces: &Spans) -> Cow<'t, [u8]> {
    if pieces.count() == 1 {
        return Span::new(pieces.start(), pieces.end()).slice(text).into();
    }
    let mut joined = Vec::with_capacity(pieces.len() as usize);
    for piece in pieces.iter() {
        joined.extend_from_slice(piece.slice(text));
    }
    joined.into()
}

/// What is judged of `text`: all before the first `#`.
pub(crate) fn without_fragment(text: &[u8]) -> &[u8] {
    &text[..byteset::find(b'#', text).unwrap_or(text.len())]
}

/// The readings of a URL that was joined: which one to take, and the others.
pub(crate) struct Readings {
    pub(crate) pieces: Spans,
    pub(crate) alternatives: Vec<Spans>,
    pub(crate) flags: Flags,
}

/// Decides about the hyphens at line breaks: the Appendix says that such a hyphen may have been
/// put there by whoever broke the line, or belong to the URL.
///
/// All are kept, unless so the URL is not valid and exactly one other reading is; `drop_hyphens`
/// takes the reading without any, if that is valid. Other readings that are not valid are none.
pub(crate) fn readings(text: &[u8], joined: Joined, drop_hyphens: bool) -> Readings {
    let Joined {
        pieces,
        hyphens,
        soft_breaks,
        mut flags,
        ..
    } = joined;
    let mut alternatives = Vec::new();
    if hyphens.is_empty() && soft_breaks.is_empty() {
        return Readings {
            pieces,
            alternatives,
            flags,
        };
    }
    let valid = |pieces: &Spans| is_valid(without_fragment(&bytes_of(text, pieces)));
    let mut primary = pieces;
    let kept_is_valid = valid(&primary);
    alternatives.extend(
        dropped_sets(&hyphens)
            .map(|dropped| without(&primary, &dropped))
            .filter(valid),
    );
    if !kept_is_valid && alternatives.len() == 1 {
        flags.set(Flag::HyphenResolved);
        primary = alternatives.remove(0);
    } else if drop_hyphens
        && let without_any = without(&primary, &hyphens)
        && let Some(at) = alternatives.iter().position(|other| *other == without_any)
    {
        let kept = std::mem::replace(&mut primary, alternatives.remove(at));
        if kept_is_valid {
            alternatives.insert(0, kept);
        }
    }
    if !alternatives.is_empty() {
        flags.set(Flag::AmbiguousHyphen);
    }
    if !soft_breaks.is_empty() {
        // An encoding marks all of them or none.
        let without_marks = without(&primary, &soft_breaks);
        if valid(&without_marks) {
            flags.set(Flag::PossibleQpSoftBreak);
            alternatives.push(without_marks);
        }
    }
    Readings {
        pieces: primary,
        alternatives,
        flags,
    }
}

/// Which hyphens to drop: every combination of up to three, otherwise all of them.
fn dropped_sets(hyphens: &[u64]) -> impl Iterator<Item = Vec<u64>> + '_ {
    let all = (1u32 << hyphens.len().min(4)) - 1;
    let first = if hyphens.len() > 3 { all } else { 1 };
    let last = if hyphens.is_empty() { 0 } else { all };
    (first..=last).map(move |set| {
        let dropped = |i: usize| hyphens.len() > 3 || set & 1 << i != 0;
        let chosen = hyphens.iter().enumerate().filter(|(i, _)| dropped(*i));
        chosen.map(|(_, hyphen)| *hyphen).collect()
    })
}

/// `pieces` without the bytes at `dropped`.
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

/// What stands behind a line break.
pub(crate) struct Crossing {
    /// Where the text of the next line begins, leader and indentation passed.
    pub(crate) at: usize,
    /// Where that line's own bytes begin.
    pub(crate) line: usize,
    /// Whether the line has indentation behind its leader.
    pub(crate) indented: bool,
    /// Whether the leader is not the one that was asked for.
    pub(crate) other_leader: bool,
    /// Nothing goes on there: the line is blank, a signature's separator, or there is none.
    pub(crate) ends: bool,
    pub(crate) flags: Flags,
}

/// Crosses the line break at `at`: passes page furniture (if `pages`), the leader that the
/// opener's line has, and indentation. `None` if there is no line break.
pub(crate) fn cross(
    text: &Text<'_>,
    at: usize,
    leader: &Leader<'_>,
    pages: bool,
) -> Option<Crossing> {
    let mut line = text.after_break(at)?;
    let mut flags = Flags::default();
    if pages && let Some(behind) = furniture::page_break(text, line) {
        line = behind;
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
        indented: start > stripped.at,
        other_leader: stripped.missing > 0 || stripped.other_comment,
        ends: blank || is_signature(text, stripped.at),
        flags,
    })
}

/// Whether the line is `-- ` or `--`, which begins a signature.
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

    /// The text is read in pieces that each end in a doubtful hyphen, but for the last.
    fn read(pieces: &[&str], drop_hyphens: bool) -> (String, Vec<String>, Vec<Flag>) {
        let text = pieces.join(" ");
        let mut joined = Joined::new(0, pieces[0].len());
        let mut at = pieces[0].len();
        for piece in &pieces[1..] {
            joined.hyphens.push(at as u64 - 1);
            joined.push(at + 1, at + 1 + piece.len());
            at += 1 + piece.len();
        }
        let readings = readings(text.as_bytes(), joined, drop_hyphens);
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
