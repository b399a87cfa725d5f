//! URLs in strings whose slashes are escaped, as PHP writes JSON: `"http:\/\/a.example\/"`.

use super::matched::Match;
use super::{Beginning, Scanner, has_content};
use crate::find::candidate::{Candidate, Delimiter};
use crate::find::rejoin::Joined;
use crate::text::window::Text;

impl Scanner {
    /// Returns the URL at `url.start`, a value in quotes whose slashes all have a backslash. Its pieces have
    /// none. A regular expression has other escapes, too, and is not a URL.
    #[inline(never)]
    pub(super) fn escaped(&self, text: &Text<'_>, url: &Beginning) -> Option<Match> {
        let is_quote = |byte: u8| byte == b'"' || byte == b'\'';
        self.before(text, url.start)
            .filter(|&byte| is_quote(byte))?;
        let line = text.line_from(url.rest, Candidate::MAX_LEN);
        let mut joined = Joined::new(url.start, url.rest);
        let (mut at, mut from) = (0, 0);
        loop {
            match &line[at..] {
                [b'\\', b'/', ..] => {
                    joined.push(url.rest + from, url.rest + at);
                    (from, at) = (at + 1, at + 2);
                }
                [b'"' | b'\'', ..] | [b'\\', b'"' | b'\'', ..] => break,
                [0..=b' ' | 0x7F | b'<' | b'>' | b'\\', ..] | [] => return None,
                _ => at += 1,
            }
        }
        joined.push(url.rest + from, url.rest + at);
        let outer = (url.start, url.rest + at);
        has_content(&line[..at]).then(|| self.joined(text, joined, outer, Delimiter::Bare))
    }
}
