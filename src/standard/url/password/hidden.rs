//! The parts of a text that are hidden, since they may be passwords, by the [rules](super) of the module.

use std::iter;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memrchr;
use regex::bytes::{Match, Regex};

use super::secrets::SECRETS;
use super::signs::{COLON, SIGN, SLASHES};
use super::{merged, passwords, run};
use crate::url::schemes::{has_address, is_scheme_character, logs_in, lookup, names};

/// How far before an `@` a colon counts that white space parts from it, in bytes.
const REACH: usize = 256;

/// A pattern of plain hosts, which are not names of users.
const HOST: &str = r"(?:[a-z0-9-]+\.)+[a-z0-9-]*|localhost|\[[0-9a-f:.]+\]";

/// The patterns that find logins. A test makes sure that they compile.
pub(super) static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| Patterns::new().ok());

pub(super) struct Patterns {
    sign: Regex,
    colon: Regex,
    /// The start of a URL: up to its host, or to its port after plainly a host.
    url: Regex,
    /// The text before a login or a host.
    before_authority: Regex,
    host: Regex,
    /// Characters that no host has in it.
    no_host: Regex,
    /// A host that is not the name of a user, and a word that is not a port.
    site: Regex,
    /// A port, or a name for one in texts about URLs.
    port: Regex,
}

impl Patterns {
    fn new() -> Result<Self, regex::Error> {
        let regex = |pattern: &str| Regex::new(&format!("(?i-u){pattern}"));
        let (address, login, slashes) = (names(has_address), names(logs_in), &*SLASHES);
        let port = r#"(?::[0-9]{1,5}(?:$|[\s/\\?#"'<>)]))?"#;
        Ok(Patterns {
            sign: regex(&SIGN)?,
            colon: regex(&COLON)?,
            url: regex(&format!(
                r"(?:url:)?(?:[a-z][a-z0-9+.-]*:{slashes}(?:(?:{HOST}){port})?|(?:{address}):)|url:"
            ))?,
            before_authority: regex(&format!(
                r":?{slashes}|:[/\\]|\b(?:{login}):(?:{slashes}|[/\\])?"
            ))?,
            host: regex(&format!("^(?:{HOST})$"))?,
            site: regex(r"^(?:[a-z0-9-]+\.)+(?:com|org|net|io):[a-z0-9-]+(?:$|[)\]}'|,;])")?,
            no_host: regex(r"^\[[^\]]*$|(?:^|[^&])#|%(?:25)*2f")?,
            port: regex(
                r#"^(?:[0-9]+(?:[.;:!*_~]*(?:$|[\s/\\?#"'<>()\[\]{}|,`])|%(?:25)*2f)|[^a-z0-9@/]{0,8}port(?:$|[^a-z0-9])|[/=]?["'<>)\]}|,;`*]*(?:$|\s))"#,
            )?,
        })
    }

    /// The text between a colon and an `@` after it.
    fn logins(&self, whole: Whole<'_>) -> Vec<Range<usize>> {
        let text = whole.text;
        let mut signs = self.sign.find_iter(text).peekable();
        // Most texts have none, and to find URLs takes longest.
        if signs.peek().is_none() {
            return Vec::new();
        }
        let urls = self.url.find_iter(text).filter(|url| whole.begins_url(url));
        let mut urls = urls.map(|url| url.end()).peekable();
        let mut colons = self.colon.find_iter(text).peekable();
        let (mut url, mut word, mut searched) = (0, 0, 0);
        let mut hidden = Vec::new();
        for sign in signs {
            let at = sign.start();
            while let Some(end) = urls.next_if(|end| *end <= at) {
                url = end;
            }
            if let Some(blank) = text[searched..at]
                .iter()
                .rposition(|byte| whole.parts(byte))
            {
                word = searched + blank + 1;
            }
            searched = at;
            let start = url.max(word.min(at.saturating_sub(REACH)));
            while colons.next_if(|colon| colon.end() <= start).is_some() {}
            hidden.extend(colons.peek().map(|colon| colon.end()..at));
        }
        merged(hidden, text.len())
    }

    /// Finds each bogus port, from after its colon to the end of the word: in the authorities after slashes,
    /// and after the `logins`.
    fn cut_logins(&self, whole: Whole<'_>, logins: &[Range<usize>]) -> Vec<Range<usize>> {
        let text = whole.text;
        let slashes = self
            .before_authority
            .find_iter(text)
            .map(|found| found.range());
        let ends = logins.iter().map(|login| login.end..login.end);
        let mut starts: Vec<_> = slashes.chain(ends).collect();
        starts.push(text.len()..text.len());
        starts.sort_unstable_by_key(|start| start.end);
        let mut hidden: Vec<Range<usize>> = Vec::new();
        for (before, next) in starts.iter().zip(starts.iter().skip(1)) {
            let authority = whole.authority(before.end..next.end);
            let login = memrchr(b'@', authority).map_or(0, |sign| sign + 1);
            let authority = &authority[login..];
            let Some(colon) = self.colon.find(authority) else {
                continue;
            };
            let start = before.end + login + colon.end();
            let is_hidden = |hidden: &[Range<usize>]| {
                let next = hidden.partition_point(|range| range.end <= start);
                hidden.get(next).is_some_and(|range| range.start <= start)
            };
            let host = &authority[..colon.start()];
            let near = &text[start..text.len().min(start + REACH)];
            let is_shown = self.is_port(host, &text[start..])
                || (login == 0 && self.site.is_match(authority) && !self.sign.is_match(near));
            if !is_shown && !is_hidden(logins) && !is_hidden(&hidden) {
                // After plainly a host and its port comes the path.
                let ends: &[u8] = match self.host.is_match(host) {
                    true => b"/?#",
                    false => b"",
                };
                let is_within = |byte: &u8| !whole.parts(byte) && !ends.contains(byte);
                hidden.push(start..start + run(&text[start..], is_within));
            }
        }
        hidden
    }

    /// Returns whether `text` begins with a port of `host`, or with the text after a missing one.
    fn is_port(&self, host: &[u8], text: &[u8]) -> bool {
        let name = host.rsplit(|byte| !is_scheme_character(*byte)).next();
        // The colon of a drive, or of the scheme of another URL.
        let is_other = || name.is_some_and(|name| name.len() == 1 || lookup(name).is_some());
        self.port.is_match(text)
            || self.no_host.is_match(host)
            || (text.starts_with(b"/") && (self.host.is_match(host) || is_other()))
            || (text.starts_with(b"\\") && is_other())
    }
}

/// A text, or a URL, which is one word.
#[derive(Clone, Copy)]
struct Whole<'t> {
    text: &'t [u8],
    is_url: bool,
}

impl<'t> Whole<'t> {
    /// Returns whether `byte` parts words.
    fn parts(self, byte: &u8) -> bool {
        !self.is_url && is_blank(byte)
    }

    /// Returns the bytes that may be a login and a host at the start of `range`.
    fn authority(self, range: Range<usize>) -> &'t [u8] {
        let text = self.text.get(range).unwrap_or_default();
        let ends: &[u8] = if self.is_url { b"/?" } else { b"/?\"<>" };
        &text[..run(text, |byte| !self.parts(byte) && !ends.contains(byte))]
    }

    /// Returns whether `found` begins a URL: it begins a word, or comes after a quote, a bracket or the
    /// like and has a scheme that is known. After something else it may be in a password.
    fn begins_url(self, found: &Match<'_>) -> bool {
        let mut names = found.as_bytes().split(|&byte| byte == b':');
        let name = names.find(|name| !name.eq_ignore_ascii_case(b"URL"));
        let is_known = || name.is_none_or(|name| name.is_empty() || lookup(name).is_some());
        match self.text[..found.start()].last() {
            None => true,
            Some(_) if self.is_url => false,
            Some(..=b' ' | 0x80..) => true,
            Some(byte) => b"\"'`<>([{=,|*".contains(byte) && is_known(),
        }
    }
}

fn is_blank(byte: &u8) -> bool {
    *byte <= b' '
}

/// Returns the ranges of `text` to hide, since passwords are there, by the [rules](super) of this module: in
/// bytes, sorted and disjoint. `text` may be anything: source code, markup, a piece of a document. Takes time
/// linear in its length.
///
/// ```
/// use urlint::url::password::hidden_in_text;
///
/// let code = br#"get("ftp:\/\/joe\u003asecret\u0040a.example")"#;
/// assert_eq!(hidden_in_text(code), [22..28]);
/// assert_eq!(hidden_in_text(b"ftp://joe:sec\n# ret@a.example"), [10..19]);
/// ```
pub fn hidden_in_text(text: &[u8]) -> Vec<Range<usize>> {
    hidden(text, false, text.len())
}

/// Returns the hidden ranges of `url` where passwords are, in bytes, sorted and disjoint:
/// those that are [hidden in a text](hidden_in_text) of one word, and its [`passwords`].
///
/// ```
/// use urlint::url::password::hidden_in_url;
///
/// assert_eq!(hidden_in_url(b"ftp://joe:secret@a.example/"), [10..16]);
/// assert_eq!(hidden_in_url(b"http://a.example/?u=ftp:joe:secret%40b.example"), [24..34]);
/// assert_eq!(hidden_in_url(b"https://joe:sec/ret"), [12..19]);
/// assert!(hidden_in_url(b"https://a.example:443/@joe").is_empty());
/// ```
pub fn hidden_in_url(url: &[u8]) -> Vec<Range<usize>> {
    hidden(url, true, url.len())
}

/// Returns the ranges of `url` before `after` that are hidden: its login may continue there, in the same word.
#[doc(hidden)]
pub fn hidden_in_url_before(url: &[u8], after: &[u8]) -> Vec<Range<usize>> {
    let word = run(after, |byte| !is_blank(byte));
    hidden(&[url, &after[..word]].concat(), true, url.len())
}

/// Returns the hidden ranges in the first `len` bytes of `text`.
fn hidden(text: &[u8], is_url: bool, len: usize) -> Vec<Range<usize>> {
    let (Some(patterns), Some(secrets)) = (&*PATTERNS, &*SECRETS) else {
        return iter::once(0..len).collect();
    };
    let whole = Whole { text, is_url };
    let mut hidden = patterns.logins(whole);
    hidden.extend(patterns.cut_logins(whole, &hidden));
    hidden.extend(secrets.find(text, is_url));
    if is_url {
        hidden.extend(passwords(text));
    }
    merged(hidden, len)
}
