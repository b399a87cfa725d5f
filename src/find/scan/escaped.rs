//! URLs in strings whose slashes are escaped, as PHP writes JSON: `"http:\/\/a.example\/"`, also in a string of another
//! language, which escapes the backslashes.

use super::matched::Match;
use super::{Beginning, Scanner, has_content};
use crate::candidate::{Candidate, Delimiter};
use crate::rejoin::Joined;
use crate::text::Text;

impl Scanner {
    /// Returns the URL at `url.start`, a value in quotes whose slashes all have `escapes` backslashes. Its pieces have
    /// none. A regular expression has other escapes, too, and is not a URL.
    #[inline(never)]
    pub(super) fn escaped(
        &self,
        text: &Text<'_>,
        url: &Beginning,
        escapes: usize,
    ) -> Option<Match> {
        let is_quote = |byte: u8| byte == b'"' || byte == b'\'';
        self.before(text, url.start)
            .filter(|&byte| is_quote(byte))?;
        let line = text.line_from(url.rest, Candidate::MAX_LEN);
        let mut joined = Joined::new(url.start, url.rest);
        let (mut at, mut from) = (0, 0);
        loop {
            let rest = &line[at..];
            let is_backslash = |byte: &&u8| **byte == b'\\';
            let backslashes = rest.iter().take_while(is_backslash).count();
            match &rest[backslashes..] {
                [b'/', ..] if backslashes == escapes => {
                    joined.push(url.rest + from, url.rest + at);
                    (from, at) = (at + escapes, at + escapes + 1);
                }
                [b'"' | b'\'', ..] => break,
                _ if backslashes > 0 => return None,
                [0..=b' ' | 0x7F | b'<' | b'>' | b'\\', ..] | [] => return None,
                _ => at += 1,
            }
        }
        joined.push(url.rest + from, url.rest + at);
        let outer = (url.start, url.rest + at);
        has_content(&line[..at]).then(|| self.joined(text, joined, outer, Delimiter::Bare))
    }
}
