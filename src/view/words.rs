//! The words around a place in a text.

use std::cell::RefCell;
use std::ops::Range;

use urlint_find::hidden_in_lines;
use urlint_standard::text::shown::is_harmful;
use urlint_standard::url::password::{redacted_part, redacted_text};

/// The greatest number of bytes that are looked at on either side for each character.
const BYTES: usize = 4;

/// How much of the text beyond that is looked at for passwords, in bytes.
const BEYOND: usize = 512;

/// How much of a text is searched for passwords at once, in bytes. Words near each other are in the same
/// stretch, which is searched for the first of them only.
const STRETCH: usize = 4096;

/// How much longer a stretch is, so that words that begin in it mostly end in it.
const OVERLAP: usize = 1024;

thread_local! {
    /// The last stretch that was searched, and its possible passwords.
    static SEARCHED: RefCell<(Vec<u8>, Vec<Range<usize>>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// The words around a place in a text.
pub struct Around<'t> {
    pub text: &'t [u8],
    /// Where the text begins in its source.
    pub start: u64,
    /// The place.
    pub range: Range<usize>,
    /// The text that is shown for it, if not its own.
    pub shown: Option<&'t [u8]>,
    /// How many characters there are at most on either side.
    pub chars: usize,
    /// Whether passwords are hidden.
    pub redact: bool,
}

impl Around<'_> {
    /// Whole words, with white space folded and without control characters.
    pub fn words(&self) -> String {
        let len = self.text.len();
        let (start, end) = (self.range.start.min(len), self.range.end.min(len));
        let around = |reach| {
            (
                start.saturating_sub(reach),
                end.saturating_add(reach).min(len),
            )
        };
        let mut reach = self.chars.saturating_add(1);
        let (from, to) = around(reach);
        // A mask may be shorter than what it hides.
        if self.redact || !self.text[from..to].is_ascii() {
            reach = reach.saturating_mul(BYTES);
        }
        let (from, to) = around(reach);
        let hidden = self.hidden(from..to);
        let part = |range: Range<usize>| {
            let part = redacted_part(self.text, range, &hidden);
            String::from_utf8_lossy(&part).into_owned()
        };
        let (before, after) = (part(from..start), part(end..to));
        let before = last_words(&before, self.chars, from > 0);
        let after = first_words(&after, self.chars, to < len);
        let shown = match self.shown {
            Some(shown) if self.redact => String::from_utf8_lossy(&redacted_text(shown)).into(),
            Some(shown) => String::from_utf8_lossy(shown).into_owned(),
            None => part(start..end),
        };
        folded(&[before, &shown, after].concat())
    }

    /// The possible passwords in `range` of the text, if passwords are hidden. A login may begin or end
    /// outside the range.
    fn hidden(&self, range: Range<usize>) -> Vec<Range<usize>> {
        if !self.redact {
            return Vec::new();
        }
        // However a source is read, its stretches begin at the same offsets.
        let before = ((self.start + range.start as u64) % STRETCH as u64) as usize;
        let after = range.len().max(STRETCH - before + OVERLAP);
        let start = range.start.saturating_sub(before + BEYOND);
        let end = self.text.len().min(range.start + after + BEYOND);
        let stretch = self.text.get(start..end).unwrap_or_default();
        SEARCHED.with_borrow_mut(|(searched, hidden)| {
            if searched != stretch {
                *hidden = hidden_in_lines(stretch);
                *searched = stretch.to_vec();
            }
            let in_text = |found: &Range<usize>| start + found.start..start + found.end;
            let found = hidden.iter().map(in_text);
            let is_near = |found: &Range<usize>| found.start < range.end && range.start < found.end;
            found.filter(is_near).collect()
        })
    }
}

/// The words at the end of `text` that have at most `chars` characters. The first word of a text that is `cut`
/// is not whole.
fn last_words(text: &str, chars: usize, cut: bool) -> &str {
    let start = text.char_indices().rev().nth(chars);
    let Some((at, before)) = start else {
        // All of it fits.
        let start = text.find(char::is_whitespace).filter(|_| cut);
        return &text[start.unwrap_or(0)..];
    };
    let rest = &text[at + before.len_utf8()..];
    if before.is_whitespace() {
        return rest;
    }
    rest.find(char::is_whitespace).map_or("", |at| &rest[at..])
}

/// The words at the start of `text`.
fn first_words(text: &str, chars: usize, cut: bool) -> &str {
    let end = text.char_indices().nth(chars);
    let Some((at, after)) = end else {
        let end = text.rfind(char::is_whitespace).filter(|_| cut);
        return &text[..end.unwrap_or(text.len())];
    };
    let rest = &text[..at];
    if after.is_whitespace() {
        return rest;
    }
    rest.rfind(char::is_whitespace).map_or("", |at| &rest[..at])
}

/// `text` with white space folded and without control characters.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || is_harmful(c)) {
        if word.is_empty() {
            continue;
        }
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(text: &[u8], range: Range<usize>, chars: usize) -> String {
        let around = Around {
            text,
            start: 0,
            range,
            shown: None,
            chars,
            redact: false,
        };
        around.words()
    }

    #[test]
    fn words_are_whole() {
        let text = "alpha beta  gamma\n<X> delta\tepsilon zeta";
        let at = text.find('X').unwrap_or_default();
        for (chars, expected) in [
            (0, "X"),
            (1, "<X>"),
            (2, "<X>"),
            (6, "<X>"),
            (7, "gamma <X> delta"),
            (13, "beta gamma <X> delta"),
            (15, "beta gamma <X> delta epsilon"),
            (1000, "alpha beta gamma <X> delta epsilon zeta"),
        ] {
            let found = around(text.as_bytes(), at..at + 1, chars);
            assert_eq!(found, expected, "{chars}");
        }
    }

    #[test]
    fn bytes_are_shown_harmlessly() {
        let text = b"\x1b[31mred\x07 \xff X \xc3\xa9t\xc3\xa9\x00";
        assert_eq!(around(text, 12..13, 50), "[31mred \u{fffd} X été");
    }

    #[test]
    fn passwords_are_hidden_wherever_a_stretch_begins() {
        let words = "some words here ".repeat(300);
        let near = "ftp://joe:secret@a.example/ and http://b.example/ or ftp://u:pw@c.example/";
        let text = format!("{words}{near} {words}");
        let url = words.len() + 32;
        for start in (0..STRETCH as u64).step_by(5) {
            let around = Around {
                text: text.as_bytes(),
                start,
                range: url..url + 17,
                shown: None,
                chars: 45,
                redact: true,
            };
            let shown = near.replace("secret", "***").replace("pw", "***");
            let shown = format!("some words here {shown} some words here");
            assert_eq!(around.words(), shown, "{start}");
        }
    }

    #[test]
    fn passwords_are_hidden_before_lines_are_folded() {
        let text =
            b"at ftp://joe:sec\nret@a.example/ and http://b.example/ or ftp://u:pw@c.example/";
        let url = b"http://b.example/";
        let start = text.windows(url.len()).position(|found| found == url);
        let start = start.unwrap_or_default();
        let around = |chars, shown| Around {
            text,
            start: 0,
            range: start..start + url.len(),
            shown,
            chars,
            redact: true,
        };
        let all = "at ftp://joe:***@a.example/ and http://b.example/ or ftp://u:***@c.example/";
        assert_eq!(around(100, None).words(), all);
        let some = "and x ftp://u:***@d/ or";
        assert_eq!(around(20, Some(&b"x ftp://u:p@d/"[..])).words(), some);
    }
}
