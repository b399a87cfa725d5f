//! What is not shown, since it may be a password.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memmem;

use super::logins::logins;
use super::{is_slash, merged, run, secrets};
use crate::url::schemes::{has_address, is_scheme_character, lookup};
use crate::url::split::userinfo_end;

/// How far before an `@` a colon counts that white space parts from it, in bytes.
const REACH: usize = 256;

/// The longest name of a scheme before its colon, in bytes.
const MAX_NAME: usize = 32;

/// The longest address of IPv6, with the bracket and what is before it, in bytes.
const MAX_ADDRESS: usize = 48;

/// The longest name of a host, in bytes (RFC 1035, section 2.3.4).
const MAX_HOST: usize = 255;

/// The shortest line that may be base64, in bytes.
const BASE64_LINE: usize = 16;

/// How an `@` is written.
const SIGNS: [&str; 10] = [
    "@",
    "\u{ff20}",
    "\u{fe6b}",
    "commat",
    "&at;",
    "(at)",
    "[at]",
    "{at}",
    r"\(at",
    r"\N{COMMERCIAL AT}",
];

/// How a colon is written.
const COLONS: [&str; 8] = [
    ":",
    "\u{ff1a}",
    "\u{fe55}",
    "\u{2236}",
    "colon;",
    "{colon}",
    r"\textcolon",
    r"\N{COLON}",
];

/// How either is escaped, in URLs, quoted-printable, markup, strings and TeX; `X` is its number in
/// hexadecimal digits, `D` in decimal and `O` in octal ones.
const ESCAPES: [&str; 33] = [
    "%X",
    "%25X",
    "%2525X",
    "%u00X",
    "=X",
    "#D;",
    "&#D",
    "&#0D",
    "&#00D",
    "&#000D",
    "#xX;",
    "&#xX",
    "&#x0X",
    "&#x00X",
    "&#x000X",
    "&#x0000X",
    r"\xX",
    r"\u00X",
    r"\u{X}",
    r"\u{0X}",
    r"\u{00X}",
    r"\u{000X}",
    r"\u{0000X}",
    r"\U000000X",
    r"\O",
    r"\0O",
    r"\X",
    r"\0X",
    r"\00X",
    r"\0000X",
    r"\charD",
    "\\char\"X",
    r"\symbol{D}",
];

/// What finds the ways of writing an `@` or a colon. A test sees to it that it can be made.
pub(super) static MARKS: LazyLock<Option<Marks>> = LazyLock::new(Marks::new);

pub(super) struct Marks {
    automaton: AhoCorasick,
    /// How many of the patterns are those of an `@`.
    signs: usize,
}

/// An `@` or a colon, however it is written.
struct Mark {
    at: usize,
    end: usize,
    is_sign: bool,
}

impl Marks {
    fn new() -> Option<Self> {
        let written = |names: &[&str], numbers: [&str; 3]| {
            let [hexadecimal, decimal, octal] = numbers;
            let names = names.iter().map(|name| (*name).to_owned());
            let escaped = |escape: &&str| {
                let escape = escape.replace('X', hexadecimal).replace('D', decimal);
                escape.replace('O', octal)
            };
            names.chain(ESCAPES.iter().map(escaped)).collect::<Vec<_>>()
        };
        let signs = written(&SIGNS, ["40", "64", "100"]);
        let colons = written(&COLONS, ["3a", "58", "72"]);
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .build(signs.iter().chain(&colons));
        Some(Marks {
            automaton: automaton.ok()?,
            signs: signs.len(),
        })
    }

    /// Returns the marks in `text`, in order.
    fn of<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = Mark> + 't {
        let marks = self.automaton.find_iter(text).map(|found| {
            let has_end = text[found.start()] == b'&' && text[found.end()..].starts_with(b";");
            Mark {
                at: found.start(),
                end: found.end() + usize::from(has_end),
                is_sign: found.pattern().as_usize() < self.signs,
            }
        });
        // A host follows an `@`: `width=40` is something else.
        let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || b"[=".contains(byte);
        let is_sign = move |mark: &Mark| text.get(mark.end).is_some_and(is_host);
        marks.filter(move |mark| text[mark.at] != b'=' || !mark.is_sign || is_sign(mark))
    }
}

/// Returns what is hidden in `text` where passwords are, in bytes, in order and apart from one another:
/// what stands between a colon and an `@` after it in the same word, or not far after it, and what may
/// hold that otherwise: base64, and the value of `curl -u joe:secret`.
///
/// The colon of a scheme does not count, nor one before it in another word. That of a port only counts
/// in the same word, unless a host is plainly before it. `text` may be anything: source code, markup, a
/// piece of a document. Takes time linear in its length.
///
/// ```
/// use urlint::url::password::hidden_in_text;
///
/// let code = br#"get("ftp:\/\/joe\u003asecret\u0040a.example")"#;
/// assert_eq!(hidden_in_text(code), [22..28]);
/// assert_eq!(hidden_in_text(b"ftp://joe:sec\n# ret@a.example"), [10..19]);
/// ```
pub fn hidden_in_text(text: &[u8]) -> Vec<Range<usize>> {
    let mut hidden = between(text, true);
    hidden.extend(base64(text));
    hidden.extend(encoded_words(text));
    hidden.extend(users(text));
    hidden.extend(secrets::parameters(text));
    hidden.extend(secrets::tokens(text));
    merged(hidden)
}

/// Returns what is hidden in `url` where passwords are, in bytes, in order and apart from one another:
/// what is hidden in a text that is one word, and what is no port in the place of one, where the URL may
/// have been cut within a password.
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
    let mut hidden = between(url, false);
    let searched = hidden.last().map_or(0, |last| last.end);
    hidden.extend(cut(url, searched));
    hidden.extend(secrets::parameters(url));
    hidden.extend(secrets::tokens(url));
    merged(hidden)
}

/// What stands between a colon and an `@` in `text`, in which white space ends a word or does not.
fn between(text: &[u8], has_words: bool) -> Vec<Range<usize>> {
    let Some(marks) = &*MARKS else {
        return std::iter::once(0..text.len()).collect();
    };
    if !marks.of(text).any(|mark| mark.is_sign) {
        return Vec::new();
    }
    let mut hidden: Vec<Range<usize>> = Vec::new();
    // The colons that count for an `@` from here on: where each ends, and whether it counts in another
    // word too.
    let mut colons: VecDeque<(usize, bool)> = VecDeque::new();
    let (mut searched, mut word, mut authority) = (0, 0, 0);
    for Mark { at, end, is_sign } in marks.of(text) {
        let blank = text[searched..at].iter().rposition(is_blank);
        word = match blank.filter(|_| has_words) {
            Some(blank) => searched + blank + 1,
            None => word,
        };
        searched = end;
        if is_sign {
            let counts = |&(colon, reaches): &(usize, bool)| {
                colon >= word || (reaches && colon + REACH >= at)
            };
            while colons.front().is_some_and(|colon| !counts(colon)) {
                colons.pop_front();
            }
            let Some((colon, reaches)) = colons.front_mut() else {
                continue;
            };
            // It is no port then.
            *reaches = true;
            match hidden.last_mut() {
                Some(last) if *colon <= last.end => last.end = at,
                _ if *colon < at => hidden.push(*colon..at),
                _ => {}
            }
        } else {
            match role(text, at, end, authority) {
                // What is one word is one URL, which begins with its scheme.
                Role::Scheme if has_words || starts_with_name(text, at) => {
                    colons.clear();
                    authority = end + run(&text[end..], is_slash);
                }
                Role::OfHost => {}
                Role::Port => colons.push_back((end, false)),
                Role::Scheme | Role::Other => colons.push_back((end, true)),
            }
        }
    }
    hidden
}

/// What is hidden of words in base64 in the header of a message.
fn encoded_words(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let starts = memmem::find_iter(text, "?b?").chain(memmem::find_iter(text, "?B?"));
    starts.map(|at| at + 3..at + 3 + run(&text[at + 3..], |byte| !is_blank(byte) && *byte != b'?'))
}

/// The lines in base64.
fn base64(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=\r".contains(byte);
    let (mut at, mut was_one) = (0, false);
    text.split(|&byte| byte == b'\n').filter_map(move |line| {
        let start = at;
        at += line.len() + 1;
        let least = if was_one { 1 } else { BASE64_LINE };
        was_one = line.len() >= least && line.iter().all(is_digit);
        was_one.then_some(start..start + line.len())
    })
}

/// The logins of `curl -u joe:secret` and `--user joe:secret`.
fn users(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let flags = memmem::find_iter(text, " -u ").map(|at| at + 4);
    let flags = flags.chain(memmem::find_iter(text, " --user").map(|at| at + 8));
    flags.filter_map(|at| {
        let value = text.get(at..)?;
        let value = &value[..run(value, |byte| !is_blank(byte))];
        let colon = memchr::memchr(b':', value)?;
        Some(at + colon + 1..at + value.len())
    })
}

fn is_blank(byte: &u8) -> bool {
    *byte <= b' '
}

/// Returns whether nothing but the name of a scheme is in `text` before `at`.
fn starts_with_name(text: &[u8], at: usize) -> bool {
    at <= MAX_NAME && text[..at].iter().copied().all(is_scheme_character)
}

/// What a colon is.
enum Role {
    /// That of a scheme, or of `URL:`.
    Scheme,
    /// One in an address in brackets, or that before a number that may be a port, after what is plainly
    /// a host.
    OfHost,
    /// That before a number that may be a port.
    Port,
    Other,
}

/// Returns what the colon at `at` of `text` is that ends at `end`, if `authority` is where the login or
/// the host begins.
fn role(text: &[u8], at: usize, end: usize, authority: usize) -> Role {
    if text[at] != b':' {
        return Role::Other;
    }
    let name = name_before(text, at);
    let (before, after) = (&text[..at - name.len()], &text[end..]);
    let is_url = |text: &[u8]| text.eq_ignore_ascii_case(b"URL");
    let is_after_url = || {
        let prefix = before.strip_suffix(b":").unwrap_or_default();
        is_url(&prefix[prefix.len().saturating_sub(3)..])
    };
    // After something else the name may be in a password.
    let begins_word = |byte: &u8| {
        let is_mark = b"\"'`<>([{=,|*".contains(byte);
        *byte <= b' ' || *byte >= 0x80 || (is_mark && (lookup(name).is_some() || is_url(name)))
    };
    let may_begin = before.last().is_none_or(begins_word) || is_after_url();
    let has_slashes =
        run(after, is_slash) >= 2 && name.first().is_some_and(u8::is_ascii_alphabetic);
    if may_begin && (has_slashes || has_address(name) || is_url(name)) {
        return Role::Scheme;
    }
    if is_in_address(text, at) {
        return Role::OfHost;
    }
    let digits = run(after, u8::is_ascii_digit);
    let is_port = match after.get(digits) {
        _ if digits == 0 => false,
        Some(b'/' | b'\\') => true,
        None | Some(b'?' | b'#' | b'"' | b'\'' | b'<' | b'>' | b')') => digits <= 5,
        Some(byte) => digits <= 5 && byte.is_ascii_whitespace(),
    };
    match is_port {
        true if is_host(text.get(authority..at).unwrap_or_default()) => Role::OfHost,
        true => Role::Port,
        false => Role::Other,
    }
}

/// Returns what may be the name of a scheme before `at`.
fn name_before(text: &[u8], at: usize) -> &[u8] {
    let name = text[..at].iter().rev().take(MAX_NAME);
    let len = name.take_while(|byte| is_scheme_character(**byte)).count();
    &text[at - len..at]
}

/// Returns whether `text` is plainly a host and no user name: it has a dot, or is `localhost` or an
/// address in brackets.
fn is_host(text: &[u8]) -> bool {
    if let [b'[', inner @ .., b']'] = text {
        return inner.iter().all(is_of_address);
    }
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
    let is_name = text.len() <= MAX_HOST && text.iter().all(is_of_name);
    is_name && (text.contains(&b'.') || text.eq_ignore_ascii_case(b"localhost"))
}

/// Returns whether the byte at `at` is in an address of IPv6 in brackets, with slashes or an `@` before it.
fn is_in_address(text: &[u8], at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let before = &before[before.len().saturating_sub(MAX_ADDRESS)..];
    let after = &after[..after.len().min(MAX_ADDRESS)];
    let start = before.iter().rposition(|byte| !is_of_address(byte));
    let end = after.iter().position(|byte| !is_of_address(byte));
    start
        .is_some_and(|start| before[..=start].ends_with(b"/[") || before[..=start].ends_with(b"@["))
        && end.is_some_and(|end| after[end] == b']')
}

/// Returns whether `byte` may be in an address of IPv6.
fn is_of_address(byte: &u8) -> bool {
    byte.is_ascii_hexdigit() || b":.".contains(byte)
}

/// What may be a password that `url` ends within, from `searched` on.
fn cut(url: &[u8], searched: usize) -> Option<Range<usize>> {
    let host = (searched > 0).then_some(searched);
    let logins = logins(url).map(|login| login.start);
    let encoded = memmem::find_iter(url, "%2F%2F").chain(memmem::find_iter(url, "%2f%2f"));
    let starts = logins.chain(encoded.map(|at| at + "%2F%2F".len()));
    let starts = starts.filter(|at| *at >= searched).chain(host);
    let found = starts.filter_map(|at| after_no_port(url, at));
    found.min_by_key(|hidden| hidden.start)
}

/// What is in the place of a port after what `url` has at `start`, if that is no port: up to the end of
/// the URL, or of the port if a host is plainly before it.
fn after_no_port(url: &[u8], start: usize) -> Option<Range<usize>> {
    let Some(marks) = &*MARKS else {
        return Some(start..url.len());
    };
    let ends = |at: &usize| match &url[*at..] {
        [b'/' | b'?', ..] | [b'%', b'2', b'F' | b'f', ..] => true,
        // That of `&#58;` ends nothing.
        [b'#', ..] => !url[..*at].ends_with(b"&"),
        _ => false,
    };
    let end = (start..url.len()).find(ends).unwrap_or(url.len());
    let sign = userinfo_end(&url[start..end]);
    let start = start + sign.map_or(0, |sign| sign + 1);
    let address = match &url[start..end] {
        authority @ [b'[', ..] => memchr::memchr(b']', authority)?,
        _ => 0,
    };
    let mut colons = marks.of(&url[start + address..end]);
    let colon = colons.find(|mark| !mark.is_sign)?;
    let host = &url[start..start + address + colon.at];
    let start = start + address + colon.end;
    let (port, rest) = (&url[start..end], &url[end..]);
    let digits = run(port, u8::is_ascii_digit);
    let is_port = match &port[digits..] {
        b"" if digits > 0 || is_host(host) || rest.is_empty() || rest == b"/" => true,
        // That of a drive, or of the scheme of another URL.
        b"" => host.len() == 1 || lookup(name_before(host, host.len())).is_some(),
        more if digits > 0 => more.starts_with(b","),
        // Texts about URLs have the word in the place of a number, perhaps in brackets.
        word => {
            let letters = word.iter().filter(|byte| byte.is_ascii_alphanumeric());
            letters.map(u8::to_ascii_lowercase).eq(*b"port")
        }
    };
    let end = if sign.is_none() && is_host(host) {
        end
    } else {
        url.len()
    };
    (!is_port).then_some(start..end)
}
