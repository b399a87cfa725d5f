//! Passwords in URLs, so that they are not shown.
//!
//! Where a password lies is asked of any text, valid or not, and answered with caution: what may be
//! a password is taken for one.
//!
//! A login begins after a scheme, its colon and its slashes. It has a password if there is a colon
//! in it and an `@` after that, or if what looks like a port is no number and an `@` follows
//! further on: a raw `/`, `?` or `@` in a password makes a parser see a host and a port there. A
//! port of one to five digits never is a password. One of the parts around may be missing, broken
//! or written in another way:
//!
//! | form | example |
//! |---|---|
//! | any number of slashes, or backslashes | `http:/joe:secret@a.example`, `http:\\joe:secret@a.example` |
//! | slashes escaped in a string of source code | `http:\/\/joe:secret@a.example` |
//! | no slashes, after the schemes that log in | `ftp:joe:secret@a.example` |
//! | no colon after the scheme | `telnet//joe:secret@a.example` |
//! | a URL that holds another | `http://a.example/http://joe:secret@b.example` |
//! | delimiters encoded | `http://a.example/?u=ftp%3A%2F%2Fjoe%3Asecret%40b.example` |
//! | a line that ends within the password | `ftp://joe:sec`, and in the next line `ret@a.example` |

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2, memchr3};

use super::escape::escape_at;
use super::schemes::{has_question_in_login, is_scheme_character, is_scheme_name, logs_in};
use super::split::userinfo_end;

/// What is shown in place of a password.
pub const MASK: &str = "***";

/// Returns where passwords lie in `url`, in bytes, in order and apart from one another; none is
/// empty.
///
/// `url` is one URL, which may be invalid and may hold others, as those of archives do; white space
/// in it belongs to it. Takes time linear in its length.
///
/// ```
/// use urlint::url::password::passwords;
///
/// assert_eq!(passwords(b"ftp://joe:secret@a.example/"), [10..16]);
/// assert_eq!(passwords(b"ftp://joe:se/cret@a.example/"), [10..17]);
/// assert_eq!(passwords(b"ftp:joe:secret@a.example/"), [8..14]);
/// assert!(passwords(b"http://a.example:80/@joe").is_empty());
/// ```
pub fn passwords(url: &[u8]) -> Vec<Range<usize>> {
    passwords_before(url, Some(b""))
}

/// Returns where passwords lie in `text`, in bytes, in order and apart from one another; none is
/// empty.
///
/// `text` may be anything with any number of URLs in it. White space, `<`, `>` and `"` end a URL,
/// but a login that a line ends within is looked for in the lines that follow, after quote marks and
/// other leaders. Takes time linear in the length of `text`.
///
/// ```
/// use urlint::url::password::passwords_in_text;
///
/// let text = b"> at ftp://joe:sec\n> ret@a.example/ or joe@b.example";
/// assert_eq!(passwords_in_text(text), [15..18, 21..24]);
/// ```
pub fn passwords_in_text(text: &[u8]) -> Vec<Range<usize>> {
    if memchr(b'@', text).is_none() && !has_encoded_delimiter(text) {
        return Vec::new();
    }
    until_all_are_found(text, |text, _| Walk::new(text, Scope::Text).found())
}

/// Returns where passwords lie in `url`, as [`passwords`] does, and in the text after it, where the
/// login of the URL is cut by a line end and goes on in the next line.
///
/// `after` is what follows the URL in its text, if that is known; a few hundred bytes are enough.
/// The ranges count on from `url` into it. If it is not known, what may begin a password is taken
/// for one.
///
/// ```
/// use urlint::url::password::passwords_before;
///
/// let (url, after) = (b"ftp://joe:sec", b"\nret@a.example/");
/// assert_eq!(passwords_before(url, Some(after)), [10..13, 14..17]);
/// assert!(passwords_before(url, Some(b" and so on")).is_empty());
/// assert_eq!(passwords_before(url, None), [10..13]);
/// ```
pub fn passwords_before(url: &[u8], after: Option<&[u8]>) -> Vec<Range<usize>> {
    let may_be_cut = after.is_none_or(|after| !after.is_empty());
    if is_plain(url) || !(may_be_cut || memchr(b'@', url).is_some() || has_encoded_delimiter(url)) {
        return Vec::new();
    }
    until_all_are_found(url, |url, is_encoded| {
        let after = if is_encoded { Some(&b""[..]) } else { after };
        Walk::new(url, Scope::Url { after }).found()
    })
}

/// Returns `url` with [`MASK`] in place of each of its [`passwords`]; it is borrowed if it has none.
/// To do so twice changes nothing more.
///
/// ```
/// use urlint::url::password::redacted;
///
/// assert_eq!(&*redacted(b"ftp://joe:secret@a.example/"), b"ftp://joe:***@a.example/");
/// assert_eq!(&*redacted(b"ftp://joe@a.example/"), b"ftp://joe@a.example/");
/// ```
pub fn redacted(url: &[u8]) -> Cow<'_, [u8]> {
    masked(url, &passwords(url))
}

/// Returns `text` with [`MASK`] in place of each of its passwords, as [`passwords_in_text`] finds
/// them; it is borrowed if it has none. To do so twice changes nothing more.
///
/// ```
/// use urlint::url::password::redacted_text;
///
/// let text = b"at <ftp://joe:secret@a.example/>";
/// assert_eq!(&*redacted_text(text), b"at <ftp://joe:***@a.example/>");
/// ```
pub fn redacted_text(text: &[u8]) -> Cow<'_, [u8]> {
    masked(text, &passwords_in_text(text))
}

/// Returns the bytes of `text` at `part` with [`MASK`] in place of what lies in `passwords`, ranges
/// of `text` in order. A password that lies in `part` only partly is not shown either.
///
/// ```
/// use urlint::url::password::{passwords, redacted_part};
///
/// let url = b"ftp://joe:secret@a.example/";
/// let login = redacted_part(url, 6..16, &passwords(url));
/// assert_eq!(login, b"joe:***");
/// ```
pub fn redacted_part(text: &[u8], part: Range<usize>, passwords: &[Range<usize>]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(part.len());
    let mut at = part.start;
    for password in passwords {
        let (start, end) = (password.start.max(at), password.end.min(part.end));
        if start < end {
            shown.extend_from_slice(&text[at..start]);
            shown.extend_from_slice(MASK.as_bytes());
            at = end;
        }
    }
    shown.extend_from_slice(&text[at..part.end.max(at)]);
    shown
}

/// `text` with [`MASK`] in place of what lies in `passwords`.
pub(crate) fn masked<'t>(text: &'t [u8], passwords: &[Range<usize>]) -> Cow<'t, [u8]> {
    if passwords.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(redacted_part(text, 0..text.len(), passwords))
}

/// What a walk is over.
#[derive(Clone, Copy)]
enum Scope<'t> {
    /// One URL, and what follows it in its text, if that is known.
    Url { after: Option<&'t [u8]> },
    /// Text with any number of URLs.
    Text,
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

/// Looks for logins from the start of a text to its end. What is searched for further ahead is
/// remembered, so that the time stays linear whatever the text is.
struct Walk<'t> {
    text: &'t [u8],
    scope: Scope<'t>,
    /// How long what the text begins with is that may be the name of a scheme.
    head: usize,
    found: Vec<Range<usize>>,
    token_end: Ahead,
    /// Where a part of a URL ends: with `?` among what ends it, and without.
    part_end: [Ahead; 2],
    colon: Ahead,
    sign: Ahead,
    bracket: Ahead,
    /// For each way in which a part ends, such an end and the last `@` before it.
    last_sign: [Option<(usize, Option<usize>)>; 2],
    /// For each of them, an offset, the next `@` from there on, and the last one of its part.
    sign_after: [Option<(usize, usize, Option<usize>)>; 2],
    /// For each of them, the first and the last `@` of a password that goes on over hosts.
    closes: [Option<(usize, usize)>; 2],
    /// The end of a token, and whether a login goes on after it.
    cut: Option<(usize, bool)>,
    /// How many bytes were looked at.
    #[cfg(test)]
    work: usize,
}

impl<'t> Walk<'t> {
    fn new(text: &'t [u8], scope: Scope<'t>) -> Self {
        let is_of_name = |byte: &&u8| is_scheme_character(**byte);
        Walk {
            text,
            scope,
            head: text.iter().take_while(is_of_name).count(),
            found: Vec::new(),
            token_end: Ahead::default(),
            part_end: Default::default(),
            colon: Ahead::default(),
            sign: Ahead::default(),
            bracket: Ahead::default(),
            last_sign: [None; 2],
            sign_after: [None; 2],
            closes: [None; 2],
            cut: None,
            #[cfg(test)]
            work: 0,
        }
    }

    /// All passwords.
    fn found(mut self) -> Vec<Range<usize>> {
        self.walk();
        self.found
    }

    fn walk(&mut self) {
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
        let kind = usize::from(has_question);
        if let Some((first, last)) = self.closes[kind]
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
        self.closes[kind] = Some((sign, close));
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
        let kind = usize::from(has_question);
        if let Some((start, first, sign)) = self.sign_after[kind]
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
        self.sign_after[kind] = Some((from, first, sign));
        sign
    }

    /// The last `@` from `start` to the end of its part.
    fn last_sign(&mut self, start: usize, has_question: bool) -> Option<usize> {
        let end = self.part_end(start, has_question);
        let kind = usize::from(has_question);
        let sign = match self.last_sign[kind] {
            Some((known, sign)) if known == end => sign,
            _ => {
                self.count(end - start);
                userinfo_end(&self.text[start..end]).map(|at| start + at)
            }
        };
        self.last_sign[kind] = Some((end, sign));
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
        self.part_end[usize::from(has_question)].get(from, search)
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
    fn all_work(&self) -> usize {
        let ahead = [&self.token_end, &self.colon, &self.sign, &self.bracket];
        let ahead = ahead.into_iter().chain(&self.part_end);
        self.work + ahead.map(|ahead| ahead.work).sum::<usize>()
    }
}

/// Returns whether `url` has nothing but the colon before its slashes that could belong to a login.
/// Passwords are asked of every URL, and most are so.
pub(crate) fn is_plain(url: &[u8]) -> bool {
    let Some(colon) = memchr2(b':', b'@', url) else {
        return false;
    };
    let rest = &url[colon + 1..];
    url[colon] == b':'
        && is_scheme_name(&url[..colon])
        && rest.first().is_some_and(is_slash)
        && memchr2(b':', b'@', rest).is_none()
        && !has_encoded_delimiter(rest)
}

/// Returns whether `text` has an encoded `:` or `@`.
fn has_encoded_delimiter(text: &[u8]) -> bool {
    let is_one = |at: usize| matches!(text.get(at + 1..at + 3), Some(b"3A" | b"3a" | b"40"));
    memchr::memchr_iter(b'%', text).any(is_one)
}

/// How often a text that has passwords is looked at again.
const MAX_ROUNDS: usize = 8;

/// Returns what `walk` finds in `text` and in `text` with the delimiters of URLs decoded; the flag
/// that `walk` takes is set for the latter.
///
/// A password that was found by one way to read the text may be a part of a longer one by another,
/// so `walk` goes on until it finds nothing more, with what it has found masked.
fn until_all_are_found(
    text: &[u8],
    walk: impl Fn(&[u8], bool) -> Vec<Range<usize>>,
) -> Vec<Range<usize>> {
    let mut found = walk(text, false);
    let has_encoded = has_encoded_delimiter(text);
    if found.is_empty() && !has_encoded {
        return found;
    }
    let mut masked = text.to_vec();
    for _ in 0..MAX_ROUNDS {
        for range in &found {
            if let Some(password) = masked.get_mut(range.start..range.end.min(text.len())) {
                password.fill(b'*');
            }
        }
        let known = found.clone();
        found.extend(walk(&masked, false));
        if has_encoded {
            let (decoded, places) = decoded(&masked);
            let in_text = |range: Range<usize>| places[range.start]..places[range.end];
            found.extend(walk(&decoded, true).into_iter().map(in_text));
        }
        merge(&mut found);
        if found == known {
            break;
        }
    }
    found
}

/// `text` with the delimiters of URLs decoded, and where each byte of that and its end lie in
/// `text`.
fn decoded(text: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let mut decoded = Vec::with_capacity(text.len());
    let mut places = Vec::with_capacity(text.len() + 1);
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        places.push(at);
        let delimiter = escape_at(text, at).filter(|byte| b":/?#@\\".contains(byte));
        decoded.push(delimiter.unwrap_or(byte));
        at += if delimiter.is_some() { 3 } else { 1 };
    }
    places.push(text.len());
    (decoded, places)
}

/// Puts `ranges` in order, and those together that overlap or touch.
fn merge(ranges: &mut Vec<Range<usize>>) {
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, last| {
        let touches = next.start <= last.end;
        if touches {
            last.end = last.end.max(next.end);
        }
        touches
    });
}

/// `from` and what `search` finds in `text` after it, or the end of the text.
fn position(text: &[u8], from: usize, search: impl Fn(&[u8]) -> Option<usize>) -> usize {
    let rest = &text[from..];
    from + search(rest).unwrap_or(rest.len())
}

/// The longest name of a scheme before its slashes, in bytes.
const MAX_NAME: usize = 32;

/// How much of the text after a URL is looked at, in bytes.
const AFTER: usize = 512;

/// How far after the end of a line the rest of a login is looked for, in bytes.
const REST: usize = 400;

/// Returns where a login goes on that `text` has before `at` and that lacks its `@`: up to the `@`
/// in what comes first in the next line, or further down where nothing else is in the lines
/// between. `None` if the line does not end at `at`, or if there is no such `@`.
fn rest_of_login(text: &[u8], at: usize) -> Option<Vec<Range<usize>>> {
    let text = &text[..text.len().min(at.saturating_add(REST))];
    let mut parts = Vec::new();
    let mut at = at;
    while line_ends(text, at) {
        let token = first_of_lines(text, at)?;
        let part = &text[token.clone()];
        if let Some(first) = memchr(b'@', part) {
            let segment = part[first..].split(|byte| b"/?#".contains(byte)).next();
            let sign = segment.and_then(userinfo_end);
            parts.push(token.start..token.start + first + sign.unwrap_or(0));
            return Some(parts);
        }
        at = token.end;
        parts.push(token);
    }
    None
}

fn line_ends(text: &[u8], at: usize) -> bool {
    let mut rest = text.get(at..).unwrap_or_default().iter();
    let next = rest.find(|byte| !matches!(byte, b' ' | b'\t'));
    matches!(next, Some(b'\r' | b'\n'))
}

/// What comes first in the lines below `at`, after quote marks and other leaders.
fn first_of_lines(text: &[u8], mut at: usize) -> Option<Range<usize>> {
    loop {
        let is_before = |byte: &u8| *byte <= b' ' || b">|".contains(byte);
        let start = at + text[at..].iter().position(|byte| !is_before(byte))?;
        let end = position(text, start, |rest| {
            rest.iter().position(|byte| ends_url(*byte))
        });
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'@' || *byte >= 0x80;
        if text[start..end].iter().any(is_word) {
            return Some(start..end);
        }
        if start == end {
            return None;
        }
        at = end;
    }
}

/// Returns whether `byte` is a slash or a backslash, which escapes a slash in strings of source code
/// and which browsers take for one.
fn is_slash(byte: &u8) -> bool {
    b"/\\".contains(byte)
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

/// Returns whether `byte` ends a URL in text.
fn ends_url(byte: u8) -> bool {
    byte <= b' ' || b"<>\"".contains(&byte)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tries::tries;

    fn shown(redacted: &[u8]) -> String {
        String::from_utf8_lossy(redacted).into_owned()
    }

    #[test]
    fn passwords_are_hidden() {
        let cases = [
            ("ftp://u:p@h/x", "ftp://u:***@h/x"),
            ("http://u:p@h/x", "http://u:***@h/x"),
            ("https://u:p@h:443/x@y", "https://u:***@h:443/x@y"),
            ("HTTPS://u:p@h", "HTTPS://u:***@h"),
            ("ftp://:p@h/", "ftp://:***@h/"),
            ("ftp://u:p:q@h/", "ftp://u:***@h/"),
            ("ftp://u:p@q@h/", "ftp://u:***@h/"),
            ("ftp://u:p q@h/", "ftp://u:***@h/"),
            ("ftp://u:p?q@h/", "ftp://u:***@h/"),
            ("ftp://u:12?34@h/", "ftp://u:***@h/"),
            ("https://u:p?q@h/", "https://u:***@h/"),
            ("ftp://u:a/z@host/x", "ftp://u:***@host/x"),
            ("ftp://u:a/b/c@host/x", "ftp://u:***@host/x"),
            ("ftp://u:a/z@q@host/x", "ftp://u:***@host/x"),
            ("ftp://u:p@s:w/d@host/x", "ftp://u:***@host/x"),
            ("ftp://u:123456/x@host", "ftp://u:***@host"),
            ("ftp://u:p#q@h", "ftp://u:***@h"),
            ("http://u:p\\q@h", "http://u:***@h"),
            ("http:\\\\u:p@h\\x", "http:\\\\u:***@h\\x"),
            ("http:\\\\u:p@h", "http:\\\\u:***@h"),
            ("http:\\/\\/u:p@h", "http:\\/\\/u:***@h"),
            ("http:/u:p@h/", "http:/u:***@h/"),
            ("x:/u:p@h/", "x:/u:***@h/"),
            ("http:///u:p@h/", "http:///u:***@h/"),
            ("ftp:u:p@h/", "ftp:u:***@h/"),
            ("URL:http:u:p@h/", "URL:http:u:***@h/"),
            ("ssh://git:tok en@h", "ssh://git:***@h"),
            ("URL:http://u:p@h/", "URL:http://u:***@h/"),
            ("http://[u:p@h/", "http://[u:***@h/"),
            (
                "http://web.example/1999/ftp://u:p@h/x",
                "http://web.example/1999/ftp://u:***@h/x",
            ),
            ("http://http://u:p@h/x", "http://http://u:***@h/x"),
            ("http://a:b@c/http://d:e@f", "http://a:***@c/http://d:***@f"),
            ("http://u:p@[::1]:80/", "http://u:***@[::1]:80/"),
            ("telnet//u:p?q@h", "telnet//u:***@h"),
            ("//u:p@h/ftp://u:p@h", "//u:***@h/ftp://u:***@h"),
            (
                "http://web.example/?u=http%3A%2F%2Fu%3Ap%40h%2Fx%40y",
                "http://web.example/?u=http%3A%2F%2Fu%3A***%40h%2Fx%40y",
            ),
            ("http://u%3ap%40h/", "http://u%3a***%40h/"),
            ("ftp://u:12%2F34@h/", "ftp://u:***@h/"),
            ("ftp://u:***@h/", "ftp://u:***@h/"),
        ];
        for (url, expected) in cases {
            assert_eq!(shown(&redacted(url.as_bytes())), expected, "{url}");
        }
    }

    #[test]
    fn nothing_else_is_hidden() {
        let cases = [
            "",
            "@",
            "http://h:80/@x",
            "http://h:80?x=a@b",
            "http://h:80#@x",
            "http://h:/@x",
            "http://h/a:b@c",
            "http://[::1]/@x",
            "http://[::1]/x@y",
            "http://[2001:db8::1]:80/@x",
            "http://u@h:80/",
            "ssh://git@h:x/y@1.0",
            "ftp://u@h/",
            "ftp://u:@h/",
            "ftp://h:21",
            "ftp://h:x/y",
            "ftp//h/x:y@z",
            "http://h//x:y@z",
            "http://h/?u=http%3A%2F%2Fh%3A80%2Fx%40y",
            "http://h/a%3Ab%40c",
            "mailto:a:b@c",
            "news:a:b@c",
        ];
        for url in cases {
            let redacted = redacted(url.as_bytes());
            assert!(matches!(redacted, Cow::Borrowed(_)), "{url}");
        }
    }

    #[test]
    fn passwords_in_text_are_hidden() {
        let cases = [
            ("<URL:ftp://u:sec\nret@a/>", "<URL:ftp://u:***\n***@a/>"),
            ("ftp://u:sec \r\n> ret@a/", "ftp://u:*** \r\n> ***@a/"),
            ("> ftp://u:s/c\n>> # r/t@a", "> ftp://u:***\n>> # ***@a"),
            ("ftp://u:s\n\n\x0C\nre@t@a", "ftp://u:***\n\n\x0C\n***@a"),
            ("ftp://u:s\ncr\n@a/ or", "ftp://u:***\n***\n@a/ or"),
            ("<URL:telnet//u:secret@a>", "<URL:telnet//u:***@a>"),
            ("'telnet//u:secret@a'", "'telnet//u:***@a'"),
            ("<URL:ftp:u:secret@a>", "<URL:ftp:u:***@a>"),
            ("ftp://u:12?34@a/", "ftp://u:***@a/"),
            (
                "x \"http:\\/\\/u:secret@a\\/\"",
                "x \"http:\\/\\/u:***@a\\/\"",
            ),
            ("or http:/u:secret@a", "or http:/u:***@a"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(&redacted_text(text.as_bytes())), expected);
        }
        for text in [
            "gopher://host:port/",
            "x:/y:z@a",
            "http://a.example//x:y@z",
            "gopher://host:port\n",
            "gopher://host:port/\nor http://a.example/@x\n",
            "<gopher://host:port>\njoe@a.example",
            "gopher://host:port and\njoe@a.example",
            "gopher://host:port\n<joe@a.example>",
            "http://a.example:80\njoe@a.example",
            "Re: http: foo:bar@a.example",
        ] {
            assert_eq!(shown(&redacted_text(text.as_bytes())), text);
        }
    }

    #[test]
    fn what_follows_the_url_decides() {
        let cases = [
            ("ftp://joe:sec", Some("\nret@a/"), "ftp://joe:***\n***@a/"),
            (
                "ftp://joe:sec",
                Some("!\n> ret@a/"),
                "ftp://joe:***\n> ***@a/",
            ),
            ("ftp://joe:sec", Some(">\nret@a/"), "ftp://joe:sec>\nret@a/"),
            ("ftp://joe:sec", Some(""), "ftp://joe:sec"),
            ("ftp://joe:sec", None, "ftp://joe:***"),
            ("ftp://joe:21", None, "ftp://joe:21"),
            ("ftp://joe:p@h", None, "ftp://joe:***@h"),
            ("telnet//joe:s", Some("\nt@a/"), "telnet//joe:***\n***@a/"),
            ("x://h/http:j:s", Some("\nt@a/"), "x://h/http:j:***\n***@a/"),
        ];
        for (url, after, expected) in cases {
            let found = passwords_before(url.as_bytes(), after.map(str::as_bytes));
            let text = format!("{url}{}", after.unwrap_or_default());
            assert_eq!(shown(&masked(text.as_bytes(), &found)), expected);
        }
    }

    #[test]
    fn parts_are_redacted() {
        let url = b"x://u:pass@h";
        let part = |part| shown(&redacted_part(url, part, &passwords(url)));
        assert_eq!(part(0..12), "x://u:***@h");
        assert_eq!(part(6..10), "***");
        assert_eq!(part(8..11), "***@");
        assert_eq!(part(0..8), "x://u:***");
        assert_eq!(part(10..12), "@h");
        assert_eq!(part(7..7), "");
    }

    #[test]
    fn takes_linear_time() {
        let parts = [
            "://a:b@",
            "://a:b/",
            "://a:1/",
            ":/",
            "@",
            "://a:b@c:d/",
            "://[",
            "://[::1]:x/",
            "x",
            "ftp:",
            "ftp:[",
            "ftp:\\\\http:\\\\",
            "://u:p\n",
            "(\\\\a",
            "://a:b@c?ftp:",
            "%3A",
        ];
        let work = |part: &str, times: usize, end: &str| {
            let text = part.repeat(times) + end;
            let scopes = [
                Scope::Text,
                Scope::Url { after: None },
                Scope::Url {
                    after: Some(b"\nx@h"),
                },
            ];
            scopes.map(|scope| {
                let mut walk = Walk::new(text.as_bytes(), scope);
                walk.walk();
                walk.all_work()
            })
        };
        let pairs = parts
            .iter()
            .flat_map(|one| parts.map(|other| one.to_string() + other));
        for part in pairs {
            for end in ["", "@", "/@", "/x@y:z/@"] {
                let few = work(&part, 200, end);
                let many = work(&part, 1_600, end);
                for (few, many) in few.into_iter().zip(many) {
                    assert!(many <= 9 * few + 10_000, "{part} {end}: {few}, {many}");
                }
            }
        }
    }

    /// How a login is written.
    #[derive(Clone, Debug)]
    enum Form {
        /// With this between the scheme and the user.
        Plain(&'static str),
        /// In the path of another URL.
        Nested,
        /// In the query of another URL, with its delimiters encoded.
        Encoded,
        /// With a line break and what begins a line so far into the password.
        Cut(usize, &'static str),
    }

    fn form() -> impl Strategy<Value = Form> {
        let plain = [
            "://", ":/", ":///", ":\\\\", ":\\/\\/", ":", "//", ":/\\", ":\\",
        ];
        let leaders = ["\n", "\r\n", "\n> ", "\n>> # ", " \n\t", "\n\n"];
        prop_oneof![
            prop::sample::select(plain.to_vec()).prop_map(Form::Plain),
            Just(Form::Nested),
            Just(Form::Encoded),
            (1..9usize, prop::sample::select(leaders.to_vec()))
                .prop_map(|(at, leader)| Form::Cut(at, leader)),
        ]
    }

    /// A password of `Q` and `Z`, which nothing else in the URL has, and of delimiters. An `@` before
    /// a raw delimiter ends it for every reader.
    fn secret() -> impl Strategy<Value = String> {
        prop_oneof![
            "Q[QZ:/?#%\\\\\\[\\]!.,;*1-3-]{0,12}[QZ]",
            "Q[QZ:@%\\\\\\[\\]!.,;*1-3-]{0,12}[QZ]",
            "Q(%40|%3A|%2F|Z|%5Z){0,6}Z",
        ]
    }

    fn written(form: &Form, scheme: &str, user: &str, secret: &str, rest: &str) -> String {
        let url = |between: &str| format!("{scheme}{between}{user}:{secret}@{rest}");
        match form {
            Form::Plain(between) => url(between),
            Form::Nested => format!("http://web.example/{}", url("://")),
            Form::Encoded => {
                let mut encoded = url("://").replace('%', "%25");
                for (delimiter, escape) in [
                    (':', "%3A"),
                    ('/', "%2f"),
                    ('?', "%3F"),
                    ('#', "%23"),
                    ('@', "%40"),
                    ('\\', "%5C"),
                ] {
                    encoded = encoded.replace(delimiter, escape);
                }
                format!("http://web.example/?u={encoded}&x=y")
            }
            Form::Cut(at, leader) => {
                // What precedes an `@` in the first line is a whole login.
                let most = secret.find('@').unwrap_or(secret.len() - 1);
                let (head, tail) = secret.split_at((*at).min(most));
                url("://").replace(secret, &format!("{head}{leader}{tail}"))
            }
        }
    }

    proptest! {
        #![proptest_config(tries(20_000))]

        #[test]
        fn no_part_of_a_password_is_shown(
            form in form(),
            scheme in prop::sample::select(vec!["http", "https", "ftp", "telnet", "sftp", "SSH"]),
            user in "[a-y]{0,6}",
            secret in secret(),
            rest in "[a-y]{1,5}\\.example(:[0-9]{1,5})?(/[a-y.]{0,5})?",
            around in prop::sample::select(vec![
                ("", ""), ("see ", " or"), ("<URL:", ">"), ("<", ">"), ("\"", "\""), ("(", ")"),
                ("'", "'"), ("> ", "\n> x"), ("href=\"", "\">"), ("x\n", "\ny"),
            ]),
        ) {
            let url = written(&form, scheme, &user, &secret, &rest);
            let (before, after) = around;
            let text = format!("{before}{url}{after}");
            let mut redacted = vec![redacted_text(text.as_bytes()).into_owned()];
            if !matches!(form, Form::Cut(..)) {
                redacted.push(super::redacted(url.as_bytes()).into_owned());
            }
            for redacted in redacted {
                let shown = String::from_utf8_lossy(&redacted);
                prop_assert!(!shown.contains(['Q', 'Z']), "{} {}", url, shown);
                prop_assert!(shown.contains("@") || shown.contains("%40"));
            }
        }

        #[test]
        fn to_redact_twice_changes_nothing_more(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "http", "ftp", "telnet", "x", "://", ":/", ":", "//", ":\\/\\/", "\\", "/", "?", "#",
                "@", "%40", "%3A", "%2F", "[", "]", "::1", "80", "123456", "a", "u", " ", "<", ">",
                "\n", "\n> ", "é", "p:q@", "***", ".",
            ]), 0..24),
        ) {
            let text = pieces.concat();
            for (redact, find) in [
                (redacted as fn(&[u8]) -> Cow<'_, [u8]>, passwords as fn(&[u8]) -> Vec<Range<usize>>),
                (redacted_text, passwords_in_text),
            ] {
                let once = redact(text.as_bytes()).into_owned();
                prop_assert_eq!(shown(&redact(&once)), shown(&once), "{}", text);
                let found = find(text.as_bytes());
                prop_assert!(found.iter().all(|range| !range.is_empty()));
                prop_assert!(found.windows(2).all(|pair| pair[0].end < pair[1].start));
                prop_assert!(found.last().is_none_or(|last| last.end <= text.len()));
            }
        }
    }
}
