//! The walk over a text from login to login.

use std::ops::Range;

use memchr::{memchr, memchr3};

use super::rest::{REST, rest_of_login};
use super::{ends_url, is_slash, merge, position};
use crate::url::schemes::{has_question_in_login, is_scheme_character, logs_in};
use crate::url::split::userinfo_end;

/// The longest name of a scheme before its slashes, in bytes.
const MAX_NAME: usize = 32;

/// How much of the text after a URL is looked at, in bytes.
const AFTER: usize = 512;

/// Returns where passwords lie in `text` as it is written, in order and apart from one another.
pub(super) fn found_in(text: &[u8], scope: Scope<'_>) -> Vec<Range<usize>> {
    let mut walk = Walk::new(text, scope);
    walk.walk();
    walk.found
}

/// What a walk is over.
#[derive(Clone, Copy)]
pub(super) enum Scope<'t> {
    /// One URL, and what follows it in its text, if that is known.
    Url { after: Option<&'t [u8]> },
    /// Text with any number of URLs.
    Text,
}

impl Scope<'_> {
    /// What a walk over the decoded text is over. A URL in which delimiters are encoded is part of
    /// another, which is not cut.
    pub(super) fn decoded(self) -> Self {
        match self {
            Scope::Url { .. } => Scope::Url { after: Some(b"") },
            Scope::Text => Scope::Text,
        }
    }
}

/// The first of something at or after an offset, remembered so that it is searched for once.
#[derive(Default)]
struct Ahead {
    known: Option<(usize, usize)>,
    /// How many bytes were searched.
    #[cfg(test)]
    work: usize,
}

impl Ahead {
    fn get(&mut self, from: usize, search: impl FnOnce() -> usize) -> usize {
        match self.known {
            Some((start, at)) if (start..=at).contains(&from) => at,
            _ => {
                let at = search();
                self.known = Some((from, at));
                #[cfg(test)]
                {
                    self.work += at - from + 1;
                }
                at
            }
        }
    }
}

/// What is known of the parts of URLs, their logins and the segments of their paths. In some URLs a
/// part ends before a `?`, in others it does not.
#[derive(Default)]
struct Parts {
    /// Where a part ends.
    end: Ahead,
    /// The end of a part, and the last `@` before it.
    last_sign: Option<(usize, Option<usize>)>,
    /// An offset, the next `@` from there on, and the last one of its part.
    sign_after: Option<(usize, usize, Option<usize>)>,
    /// The first and the last `@` of a password that goes on over hosts.
    close: Option<(usize, usize)>,
}

/// Looks for logins from the start of a text to its end. What is searched for further ahead is
/// remembered, so that the time stays linear whatever the text is.
pub(super) struct Walk<'t> {
    text: &'t [u8],
    scope: Scope<'t>,
    /// How long what the text begins with is that may be the name of a scheme.
    head: usize,
    found: Vec<Range<usize>>,
    token_end: Ahead,
    /// Of parts that end before a `?`, and of those that do not.
    parts: [Parts; 2],
    colon: Ahead,
    sign: Ahead,
    bracket: Ahead,
    /// The end of a token, and whether a login goes on after it.
    cut: Option<(usize, bool)>,
    /// How many bytes were looked at.
    #[cfg(test)]
    work: usize,
}

impl<'t> Walk<'t> {
    pub(super) fn new(text: &'t [u8], scope: Scope<'t>) -> Self {
        let is_of_name = |byte: &&u8| is_scheme_character(**byte);
        Walk {
            text,
            scope,
            head: text.iter().take_while(is_of_name).count(),
            found: Vec::new(),
            token_end: Ahead::default(),
            parts: Default::default(),
            colon: Ahead::default(),
            sign: Ahead::default(),
            bracket: Ahead::default(),
            cut: None,
            #[cfg(test)]
            work: 0,
        }
    }

    fn parts(&mut self, has_question: bool) -> &mut Parts {
        &mut self.parts[usize::from(has_question)]
    }

    pub(super) fn walk(&mut self) {
        let mut at = 0;
        while let Some(next) = memchr3(b':', b'/', b'\\', &self.text[at..]) {
            self.count(next + 1);
            at += next;
            let login = if self.text[at] == b':' {
                at += 1;
                self.login_after_colon(at)
            } else {
                let slashes = at;
                at += self.text[at..]
                    .iter()
                    .take_while(|byte| is_slash(byte))
                    .count();
                self.count(at - slashes);
                self.login_after_slashes(slashes..at)
            };
            if let Some(has_question) = login {
                self.password(at, has_question);
            }
        }
        merge(&mut self.found);
    }

    /// Whether a login without slashes begins at `at`, after a colon, and if so, whether `?` may
    /// be in it.
    fn login_after_colon(&mut self, at: usize) -> Option<bool> {
        // Slashes come next, and then the login.
        if self.text.get(at).is_some_and(is_slash) {
            return None;
        }
        let name = self.name_before(at - 1);
        logs_in(name).then(|| has_question_in_login(name))
    }

    /// Whether a login begins after `slashes`, and if so, whether `?` may be in it: after a scheme
    /// with its colon, and after two slashes or more also without the colon or even the scheme.
    fn login_after_slashes(&mut self, slashes: Range<usize>) -> Option<bool> {
        let has_colon = self.text[..slashes.start].ends_with(b":");
        let name = self.name_before(slashes.start - usize::from(has_colon));
        let begins = match (has_colon, slashes.len()) {
            (true, 1) => matches!(self.scope, Scope::Url { .. }) || logs_in(name),
            (true, _) => true,
            (false, 1) => false,
            (false, _) => {
                let before = self.text[..slashes.start - name.len()].last();
                slashes.start == self.head
                    || before.is_none_or(|byte| ends_url(*byte) || b":('`[{,;=|".contains(byte))
            }
        };
        begins.then(|| has_question_in_login(name))
    }

    /// What may be the name of a scheme before `end`.
    fn name_before(&mut self, end: usize) -> &'t [u8] {
        let before = self.text[..end].iter().rev().take(MAX_NAME);
        let len = before
            .take_while(|byte| is_scheme_character(**byte))
            .count();
        self.count(len + 1);
        &self.text[end - len..end]
    }

    /// Adds the password of the login that begins at `start`, if it has one.
    fn password(&mut self, start: usize, has_question: bool) -> Option<()> {
        let end = self.part_end(start, has_question);
        let (colon, sign) = match self.last_sign(start, has_question) {
            Some(sign) => (self.next_colon(start, sign)?, sign),
            None => {
                let port = self.colon_of_port(start, end)? + 1;
                if is_port(&self.text[port..end]) {
                    return None;
                }
                // A password may begin with what looks like an address in brackets.
                let colon = self.next_colon(start, end)?;
                match self.sign_after(end, has_question) {
                    Some(sign) => (colon, sign),
                    None => {
                        self.cut(colon + 1, end);
                        return None;
                    }
                }
            }
        };
        let close = self.last_close(sign, has_question);
        self.add(colon + 1..close);
        Some(())
    }

    /// Where a password ends that has an `@` at `sign`: the host after it may have no port either,
    /// but be the rest of the password.
    fn last_close(&mut self, sign: usize, has_question: bool) -> usize {
        if let Some((first, last)) = self.parts(has_question).close
            && (first..=last).contains(&sign)
        {
            return last;
        }
        let mut close = sign;
        loop {
            let end = self.part_end(close + 1, has_question);
            let Some(colon) = self.colon_of_port(close + 1, end) else {
                break;
            };
            if is_port(&self.text[colon + 1..end]) {
                break;
            }
            let Some(sign) = self.sign_after(end, has_question) else {
                break;
            };
            close = sign;
        }
        self.parts(has_question).close = Some((sign, close));
        close
    }

    /// Adds the password that begins at `start` if its login lacks the `@` and goes on after the
    /// token.
    fn cut(&mut self, start: usize, part_end: usize) {
        let token_end = self.token_end(part_end);
        if self.cut.is_none_or(|(token, _)| token != token_end) {
            let rest = match self.scope {
                Scope::Text => rest_of_login(self.text, token_end),
                Scope::Url { after: None } => Some(Vec::new()),
                Scope::Url { after: Some(after) } => self.rest_after(after),
            };
            self.count(REST);
            self.cut = Some((token_end, rest.is_some()));
            rest.into_iter().flatten().for_each(|part| self.add(part));
        }
        if self.cut == Some((token_end, true)) {
            self.add(start..token_end);
        }
    }

    /// Where the login goes on in `after`, which follows the URL. Punctuation that was left to the
    /// text may be a part of the password.
    fn rest_after(&self, after: &[u8]) -> Option<Vec<Range<usize>>> {
        let after = &after[..after.len().min(AFTER)];
        let tail = after.iter().take_while(|byte| !ends_url(**byte)).count();
        let mut parts = rest_of_login(after, tail)?;
        parts.insert(0, 0..tail);
        let len = self.text.len();
        let shifted = |part: Range<usize>| len + part.start..len + part.end;
        Some(parts.into_iter().map(shifted).collect())
    }

    fn add(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.found.push(range);
        }
    }

    /// The last `@` of the part of the URL that has the next one at or after `from`.
    fn sign_after(&mut self, from: usize, has_question: bool) -> Option<usize> {
        if let Some((start, first, sign)) = self.parts(has_question).sign_after
            && (start..=first).contains(&from)
        {
            return sign;
        }
        let text = self.text;
        let first = self
            .sign
            .get(from, || position(text, from, |rest| memchr(b'@', rest)));
        if first >= self.token_end(from) {
            return None;
        }
        let sign = self.last_sign(first, has_question);
        self.parts(has_question).sign_after = Some((from, first, sign));
        sign
    }

    /// The last `@` from `start` to the end of its part.
    fn last_sign(&mut self, start: usize, has_question: bool) -> Option<usize> {
        let end = self.part_end(start, has_question);
        let sign = match self.parts(has_question).last_sign {
            Some((known, sign)) if known == end => sign,
            _ => {
                self.count(end - start);
                userinfo_end(&self.text[start..end]).map(|at| start + at)
            }
        };
        self.parts(has_question).last_sign = Some((end, sign));
        sign.filter(|&sign| sign >= start)
    }

    /// The first colon from `start` to `end`.
    fn next_colon(&mut self, start: usize, end: usize) -> Option<usize> {
        let text = self.text;
        let colon = self
            .colon
            .get(start, || position(text, start, |rest| memchr(b':', rest)));
        (colon < end).then_some(colon)
    }

    /// The first colon from `start` to `end` where no user can be before it: the colons of an
    /// address in brackets are passed over.
    fn colon_of_port(&mut self, start: usize, end: usize) -> Option<usize> {
        let mut from = start;
        if self.text[start..end].starts_with(b"[") {
            let text = self.text;
            let close = self
                .bracket
                .get(start, || position(text, start, |rest| memchr(b']', rest)));
            if close < end && is_address(&text[start + 1..close]) {
                from = close;
            }
        }
        self.next_colon(from, end)
    }

    /// Where the part of the URL that `from` is in ends: its login, or a segment of its path.
    fn part_end(&mut self, from: usize, has_question: bool) -> usize {
        let (text, is_text) = (self.text, matches!(self.scope, Scope::Text));
        let ends = |&byte: &u8| {
            matches!(byte, b'/' | b'#')
                || (byte == b'?' && !has_question)
                || (is_text && ends_url(byte))
        };
        let search = || position(text, from, |rest| rest.iter().position(ends));
        self.parts(has_question).end.get(from, search)
    }

    /// Where the URL that `from` is in ends.
    fn token_end(&mut self, from: usize) -> usize {
        match self.scope {
            Scope::Url { .. } => self.text.len(),
            Scope::Text => {
                let ends = |&byte: &u8| ends_url(byte);
                let text = self.text;
                let search = || position(text, from, |rest| rest.iter().position(ends));
                self.token_end.get(from, search)
            }
        }
    }

    #[cfg(test)]
    fn count(&mut self, bytes: usize) {
        self.work += bytes;
    }

    #[cfg(not(test))]
    fn count(&mut self, _bytes: usize) {}

    #[cfg(test)]
    pub(super) fn all_work(&self) -> usize {
        let ahead = [&self.token_end, &self.colon, &self.sign, &self.bracket];
        let ahead = ahead
            .into_iter()
            .chain(self.parts.iter().map(|parts| &parts.end));
        self.work + ahead.map(|ahead| ahead.work).sum::<usize>()
    }
}

fn is_port(text: &[u8]) -> bool {
    text.len() <= 5 && text.iter().all(u8::is_ascii_digit)
}

/// Returns whether `text` may be an address of IPv6, maybe with a zone.
fn is_address(text: &[u8]) -> bool {
    let is_of_address = |byte: &u8| byte.is_ascii_hexdigit() || b":.".contains(byte);
    let len = text.iter().take_while(|byte| is_of_address(byte)).count();
    len > 0 && matches!(text.get(len), None | Some(b'%'))
}
