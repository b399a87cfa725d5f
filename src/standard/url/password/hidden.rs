//! The parts of a text that are hidden, since they may be passwords, by the [rules](super) of the module.

use std::net::Ipv6Addr;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memrchr;
use regex::bytes::Match;

use super::secrets::{is_token, secrets};
use super::{Pattern, all, groups, has, is_blank, merged, passwords, pattern, patterns, run};
use crate::url::schemes::{has_address, is_scheme_character, logs_in, lookup, names};

/// How far before an `@` a colon counts that white space parts from it, in bytes.
const REACH: usize = 256;

/// A pattern of plain hosts, which are not names of users.
const HOST: &str = r"(?:[a-z0-9-]+\.)+[a-z0-9-]*|localhost|\[[0-9a-f:.]+\]";

/// The ways of writing a character: its `names`, and its number in URLs, markup, strings and mail.
fn written(names: &str, hexadecimal: &str, decimal: &str) -> String {
    let number = format!(r"(?:%(?:25)*|&#x0*|\\u00|\\x|\\'){hexadecimal}|&#0*{decimal}");
    format!("(?:{names}|(?:{number});?)")
}

fn sign() -> String {
    written(r"@|\xEF\xBC\xA0|&commat;|=40[a-z0-9=\[]", "40", "64")
}

fn colon() -> String {
    written(r":|\xEF\xBC\x9A|\{colon\}|&colon;|=3a", "3a", "58")
}

/// Two slashes or more.
fn slashes() -> String {
    let slash = written("/", "2f", "47");
    format!(r"(?:(?:{slash}|\\)+{slash}|(?:\\\\)+)")
}

patterns! {
    SIGN = sign();
    COLON = colon();
    /// The start of a URL: up to its host, or to its port after plainly a host.
    URL = format!(
        r#"(?:url:)?(?:[a-z][a-z0-9+.-]*:{}(?:(?:{HOST})(?::[0-9]{{1,5}}(?:$|[\s/\\?#"'<>)]))?)?|(?:{}):)|url:"#,
        slashes(),
        names(has_address)
    );
    /// The text before a login or a host.
    BEFORE_AUTHORITY = format!(
        r":?{0}|:[/\\]|\b(?:{1}):(?:{0}|[/\\])?",
        slashes(),
        names(logs_in)
    );
    /// A name of a user that may be a secret, before an `@` or a colon.
    USER = format!(
        "{}([a-z0-9_-]{{16,}})(?:{}|{}(?:[0-9]+[^0-9/]|[^0-9]))",
        slashes(),
        sign(),
        colon()
    );
    WHOLE_HOST = format!("^(?:{HOST})$");
    /// Characters that no host has in it.
    NO_HOST = r"^\[[^\]]*$|(?:^|[^&])#|%(?:25)*2f";
    /// A host that is not the name of a user, and a word that is not a port.
    SITE = r"^(?:[a-z0-9-]+\.)+(?:com|org|net|io):[a-z0-9-]+(?:$|[)\]}'|,;])|^localhost:";
    /// A port, or a name for one in texts about URLs.
    PORT = r#"^(?:[0-9]+(?:[.;:!*_~]*(?:$|[\s/\\?#"'<>()\[\]{}|,`])|%(?:25)*2f)|[^a-z0-9@/]{0,8}port(?:$|[^a-z0-9])|[/=]?["'<>)\]}|,;`*]*(?:$|\s))"#;
}

/// A text, or a URL, which is one word.
#[derive(Clone, Copy)]
struct Whole<'t> {
    text: &'t [u8],
    is_url: bool,
}

impl<'t> Whole<'t> {
    /// The text between a colon and an `@` after it.
    fn logins(self) -> Vec<Range<usize>> {
        let text = self.text;
        // Most texts have none. To compile what finds them takes long, and to find URLs longest.
        if !has_any(text, &["@", "40", "64", "&c", "&C", "\u{ff20}"]) {
            return Vec::new();
        }
        let mut signs = all(&SIGN, text).peekable();
        if signs.peek().is_none() {
            return Vec::new();
        }
        let urls = all(&URL, text).filter(|url| self.begins_url(url));
        let mut urls = urls.map(|url| url.end()).peekable();
        let mut colons = all(&COLON, text).peekable();
        let (mut url, mut word, mut searched) = (0, 0, 0);
        let mut hidden = Vec::new();
        for sign in signs {
            let at = sign.start();
            while let Some(end) = urls.next_if(|end| *end <= at) {
                url = end;
            }
            if let Some(blank) = text[searched..at].iter().rposition(|byte| self.parts(byte)) {
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
    fn cut_logins(self, logins: &[Range<usize>]) -> Vec<Range<usize>> {
        let text = self.text;
        // As above: the colons of most texts end a word, or are the only ones of their URLs.
        let may_part = |colon: usize| {
            let (before, after) = (&text[..colon], &text[colon + 1..]);
            let is_first = || {
                let word = before.rsplit(|byte| self.parts(byte)).next();
                !word.is_some_and(|word| has_any(word, &["//"]))
            };
            let ends_word = after.first().is_none_or(|byte| self.parts(byte));
            !(ends_word || after.starts_with(b"//") && is_first())
        };
        if !memchr::memchr_iter(b':', text).any(may_part)
            && !has_any(text, &["3a", "3A", "58", "colon", "COLON", "\u{ff1a}"])
        {
            return Vec::new();
        }
        let slashes = all(&BEFORE_AUTHORITY, text).map(|found| found.range());
        let ends = logins.iter().map(|login| login.end..login.end);
        let mut starts: Vec<_> = slashes.chain(ends).collect();
        starts.push(text.len()..text.len());
        starts.sort_unstable_by_key(|start| start.end);
        let mut hidden: Vec<Range<usize>> = Vec::new();
        for (before, next) in starts.iter().zip(starts.iter().skip(1)) {
            let authority = self.authority(before.end..next.end);
            let login = memrchr(b'@', authority).map_or(0, |sign| sign + 1);
            let authority = &authority[login..];
            let Some(colon) = all(&COLON, authority).next() else {
                continue;
            };
            let start = before.end + login + colon.end();
            let is_hidden = |hidden: &[Range<usize>]| {
                let next = hidden.partition_point(|range| range.end <= start);
                hidden.get(next).is_some_and(|range| range.start <= start)
            };
            let host = &authority[..colon.start()];
            let near = &text[start..text.len().min(start + REACH)];
            let is_shown = is_port(host, &text[start..])
                || is_ipv6(authority)
                || (login == 0 && has(&SITE, authority) && !has(&SIGN, near));
            if !is_shown && !is_hidden(logins) && !is_hidden(&hidden) {
                // After plainly a host and its port comes the path.
                let ends: &[u8] = if has(&WHOLE_HOST, host) { b"/?#" } else { b"" };
                let is_within = |byte: &u8| !self.parts(byte) && !ends.contains(byte);
                hidden.push(start..start + run(&text[start..], is_within));
            }
        }
        hidden
    }

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

/// Returns whether `text` has one of `parts`.
fn has_any(text: &[u8], parts: &[&str]) -> bool {
    let has_part = |part: &&str| memchr::memmem::find(text, part.as_bytes()).is_some();
    parts.iter().any(has_part)
}

/// Returns whether `authority` is an IPv6 address without its brackets.
fn is_ipv6(authority: &[u8]) -> bool {
    let is_of_address = |byte: &u8| byte.is_ascii_hexdigit() || b":.".contains(byte);
    let address = str::from_utf8(&authority[..run(authority, is_of_address)]);
    address.is_ok_and(|address| address.parse::<Ipv6Addr>().is_ok())
}

/// Returns whether `text` begins with a port of `host`, or with the text after a missing one.
fn is_port(host: &[u8], text: &[u8]) -> bool {
    let name = host.rsplit(|byte| !is_scheme_character(*byte)).next();
    // The colon of a drive, or of the scheme of another URL.
    let is_other = || name.is_some_and(|name| name.len() == 1 || lookup(name).is_some());
    has(&PORT, text)
        || has(&NO_HOST, host)
        || (text.starts_with(b"/") && (has(&WHOLE_HOST, host) || is_other()))
        || (text.starts_with(b"\\") && is_other())
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
    let whole = Whole { text, is_url };
    let mut hidden = whole.logins();
    hidden.extend(whole.cut_logins(&hidden));
    let is_of_user = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    if text.split(|byte| !is_of_user(byte)).any(is_token) {
        let users = groups(&USER, text).filter(|user| is_token(user.as_bytes()));
        hidden.extend(users.map(|user| user.range()));
    }
    hidden.extend(secrets(text));
    if is_url {
        hidden.extend(passwords(text));
    }
    merged(hidden, len)
}
