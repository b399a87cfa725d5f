//! Looking ahead in JSON for what may begin a URL, so that all else is passed over.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::find::scan::next_trigger;

/// Finds the places without one of which neither a string nor anything else has a URL: a colon that
/// [triggers](next_trigger), and an escape that may stand for what does.
#[derive(Debug)]
pub(super) struct Ahead<'t> {
    text: &'t [u8],
    /// Whether more is looked for than that, so that every place is one.
    everywhere: bool,
    colons: Sort,
    /// Colons before an escape: `http:\/\/`.
    escapes: Sort,
    /// Escapes that stand for a colon or a letter.
    characters: Sort,
}

/// How far places of one sort have been looked for.
#[derive(Debug, Default)]
struct Sort {
    /// Where the next one is, or up to where there is none.
    at: usize,
    is_found: bool,
}

static ESCAPE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(":\\"));

/// What an escape begins with that stands for a character of US-ASCII.
static CHARACTER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\\u00"));

impl<'t> Ahead<'t> {
    /// How many bytes are looked at in one go, so that they are in cache when they are read.
    const STEP: usize = 4096;

    pub(super) fn new(text: &'t [u8], everywhere: bool) -> Self {
        Ahead {
            text,
            everywhere,
            colons: Sort::default(),
            escapes: Sort::default(),
            characters: Sort::default(),
        }
    }

    /// The next place at or behind `from`, which is never less than in an earlier call.
    pub(super) fn next(&mut self, from: usize) -> Option<usize> {
        if self.everywhere {
            return (from < self.text.len()).then_some(from);
        }
        let mut limit = from;
        while limit < self.text.len() {
            limit = self.text.len().min(limit + Self::STEP);
            let near = &self.text[..limit];
            let first = [
                self.colons.next(near, from, next_trigger),
                self.escapes.next(near, from, escape),
                self.characters.next(near, from, character),
            ];
            if let Some(first) = first.into_iter().flatten().min() {
                return Some(first);
            }
        }
        None
    }
}

impl Sort {
    /// The next place in `text` at or behind `from`, which `find` finds.
    #[inline]
    fn next(
        &mut self,
        text: &[u8],
        from: usize,
        find: impl Fn(&[u8], usize) -> Option<usize>,
    ) -> Option<usize> {
        /// So many bytes may begin what goes on behind the end.
        const UNDECIDED: usize = 5;
        if !self.is_found || self.at < from {
            let from = from.max(self.at);
            let found = find(text, from);
            self.is_found = found.is_some();
            self.at = found.unwrap_or(from.max(text.len().saturating_sub(UNDECIDED)));
        }
        (self.is_found && self.at < text.len()).then_some(self.at)
    }
}

fn escape(text: &[u8], from: usize) -> Option<usize> {
    Some(from + ESCAPE.find(text.get(from..)?)?)
}

fn character(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += CHARACTER.find(text.get(at..)?)?;
        let is_one = match text[at + 4..] {
            [b'4'..=b'7', ..] => true,
            [b'3', last, ..] => last.eq_ignore_ascii_case(&b'a'),
            _ => false,
        };
        if is_one {
            return Some(at);
        }
        at += 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_wherever_they_stand() {
        let cases: &[(&str, usize)] = &[
            (r"http://a", 4),
            (r"mailto:a", 6),
            (r"x:\/\/a", 1),
            (r"http\u003a//a", 4),
            (r"http\u003A//a", 4),
            (r"mailt\u006F:a", 5),
        ];
        for padding in [
            0, 1, 4085, 4086, 4090, 4091, 4092, 4093, 4094, 4095, 4096, 9000,
        ] {
            for (text, at) in cases {
                let text = [&"\\u00e9\\u003c.: ".repeat(padding)[..padding], "--", text].concat();
                let mut ahead = Ahead::new(text.as_bytes(), false);
                let mut places = std::iter::from_fn(|| {
                    let from = ahead.colons.at.min(ahead.escapes.at);
                    ahead.next(from.min(ahead.characters.at))
                });
                assert!(places.any(|place| place == padding + 2 + at), "{text}");
            }
        }
    }
}
