//! The unbroken URLs of documents: evidence of where broken ones end.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};

use memchr::memmem::{self, Finder};
use urlint_find::Unbroken;
use urlint_find::witness::{trimmed, without_scheme};
use urlint_standard::text::window::is_blank;

use crate::document::Kind;
use urlint_mail::lines::breaks;
use urlint_view::{base64, quoted_printable};

/// The longest URL that is remembered, in bytes.
const MAX_LEN: usize = 2048;

/// How many lines of a header are looked at.
const MAX_FIELDS: usize = 256;

/// How many places are remembered.
const MOST_PLACES: usize = (1 << 19) / 8 * 7;

/// Returns the unbroken URLs of http, https and ftp in `text`, a document of the file `file`, or lines of one.
///
/// Of [mail](Kind::Mail) and of a message of a [mailbox](Kind::Mbox), parts in base64 and quoted-printable are
/// decoded.
///
/// ```
/// use urlint::Finder;
/// use urlint::document::Kind;
/// use urlint::find::Witnesses;
/// use urlint::read::unbroken;
///
/// let mut witnesses = Witnesses::default();
/// for name in [b"a.txt", b"b.txt"] {
///     let text = b"I read http://a.example/linux/guides yesterday.\n";
///     witnesses.add(&unbroken(Kind::Plain, text, name));
/// }
/// let finder = Finder::default().with_witnesses(witnesses);
/// let found = finder.find(b"see http://a.example/linux/\nguides").next().unwrap();
/// assert_eq!(found.url(), b"http://a.example/linux/guides");
/// ```
#[must_use]
pub fn unbroken(kind: Kind, text: &[u8], file: &[u8]) -> Unbroken {
    let is_mail = matches!(kind, Kind::Mail | Kind::Mbox);
    let mut unbroken = Unbroken::default();
    // Most messages have no URL.
    let mut has_origin = false;
    let mut push = |_, url: &[u8], is_whole| {
        if !has_origin {
            // Messages without a sender are from one.
            let nobody = if is_mail { b"" } else { file };
            let [sender, thread] = origin(kind, text);
            unbroken.set_origin(&address(sender.unwrap_or(nobody)), thread);
            has_origin = true;
        }
        unbroken.push(url, is_whole);
    };
    each_url(text, &mut push);
    if is_mail {
        each_encoded(text, |part| each_url(part, &mut push));
    }
    unbroken
}

/// The first file and line where each URL stands unbroken, in up to 26 MiB.
///
/// ```
/// use urlint::read::Places;
///
/// let mut places = Places::default();
/// places.add(b"I read\nhttp://a.example/linux/guides yesterday.\n", b"a.txt", 1);
/// let place = places.of(b"https://a.example/linux/guides");
/// assert_eq!(place, Some((&b"a.txt"[..], 2)));
/// ```
#[derive(Debug, Default)]
pub struct Places {
    /// By the hash of the URL.
    first: HashMap<u64, (Arc<[u8]>, u64)>,
    hasher: RandomState,
    /// If so, none is remembered.
    are_too_many: bool,
}

impl Places {
    /// Adds the places of URLs in `text`, which begins with the line `line`, from 1, of `file`. If those of more
    /// than some 450,000 become known, none is remembered.
    pub fn add(&mut self, text: &[u8], file: &[u8], mut line: u64) {
        let (file, mut counted): (Arc<[u8]>, _) = (file.into(), 0);
        each_url(text, |at, url, is_whole| {
            if self.are_too_many || !is_whole {
                return;
            }
            line += memchr::memchr_iter(b'\n', &text[counted..at]).count() as u64;
            counted = at;
            let first = self.first.entry(self.hasher.hash_one(url));
            let first = first.or_insert_with(|| (file.clone(), line));
            if (&*file, line) < (&*first.0, first.1) {
                *first = (file.clone(), line);
            }
            if self.first.len() > MOST_PLACES {
                self.first = HashMap::default();
                self.are_too_many = true;
            }
        });
    }

    /// Returns the file and the line, from 1, where `url` occurs unbroken; `None` if that was not remembered.
    #[must_use]
    pub fn of(&self, url: &[u8]) -> Option<(&[u8], u64)> {
        let url = trimmed(without_scheme(url)?);
        let (file, line) = self.first.get(&self.hasher.hash_one(url))?;
        Some((file, *line))
    }
}

/// The length up to which the header of a message or of a part is looked at, in bytes.
const MAX_HEADER: usize = 1 << 13;

/// How many bytes before the field of the encoding are read: they may have the type of the part.
const MAX_FIELD: usize = 256;

/// Returns whether the header of a part names neither an image nor data of an application.
fn is_text(header: &[u8]) -> bool {
    let others: [&[u8]; 2] = [b"image/", b"application/"];
    (others.iter()).all(|name| memmem::find(header, name).is_none())
}

/// Passes the parts of the message `text` that are encoded to `visit`, decoded.
fn each_encoded(text: &[u8], mut visit: impl FnMut(&[u8])) {
    let mut reached = 0;
    static ENCODING: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("ncoding: "));
    for at in ENCODING.find_iter(text).filter(|&at| at > 0) {
        let value = &text[at + "ncoding: ".len()..];
        let name = value.split(|byte| !byte.is_ascii_graphic()).next();
        let decode = match name.unwrap_or_default().to_ascii_lowercase().as_slice() {
            b"base64" => base64,
            b"quoted-printable" => quoted_printable,
            _ => continue,
        };
        let header = memmem::find(&value[..value.len().min(MAX_HEADER)], b"\n\n");
        if let Some(len) = header.filter(|_| at >= reached)
            && is_text(&text[at.saturating_sub(MAX_FIELD)..at + len])
        {
            let body = &value[len..];
            let body = &body[..memmem::find(body, b"\n--").unwrap_or(body.len())];
            reached = at + len + body.len();
            let decoded = decode(body);
            visit(&[decoded.text(), b"\n"].concat());
        }
    }
}

/// Returns the address of a sender, without a name beside it, as all programs that write it.
fn address(sender: &[u8]) -> Vec<u8> {
    let is_address = |word: &&[u8]| word.contains(&b'@');
    let mut words = sender.split(|byte| matches!(byte, b'<' | b'>' | b'(' | b')' | b' ' | b'\t'));
    let address = words.find(is_address).unwrap_or(sender);
    address.trim_ascii().to_ascii_lowercase()
}

/// Returns a subject without the marks that answers, forwarded messages and lists put before it.
fn bare(subject: &[u8]) -> &[u8] {
    let mut subject = subject.trim_ascii();
    loop {
        let mark = REPLIES.iter().find(|mark| {
            let start = subject.get(..mark.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(mark))
        });
        let list = (subject.first() == Some(&b'['))
            .then(|| memchr::memchr(b']', subject))
            .flatten();
        let len = mark.map(|mark| mark.len()).or(list.map(|end| end + 1));
        match len {
            Some(len) if len < subject.len() => subject = subject[len..].trim_ascii_start(),
            _ => return subject,
        }
    }
}

/// What programs put before the subject of an answer or of a message that is passed on.
const REPLIES: [&[u8]; 10] = [
    b"re:", b"aw:", b"sv:", b"vs:", b"antw:", b"odp:", b"fw:", b"fwd:", b"wg:", b"tr:",
];

/// Returns the sender of the message `text`, and its thread, by its header.
pub(super) fn origin(kind: Kind, text: &[u8]) -> [Option<&[u8]>; 2] {
    let labels: [&[u8]; 2] = [b"From: ", b"Subject: "];
    let blank = if kind == Kind::Mbox { breaks(text) } else { 0 };
    let (mut values, mut rest) = ([None; 2], &text[blank..]);
    for _ in 0..MAX_FIELDS {
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest[..end].trim_ascii_end();
        if line.is_empty() {
            break;
        }
        rest = rest.get(end + 1..).unwrap_or_default();
        // Few lines need a closer look.
        if !matches!(line[0], b'F' | b'S') {
            continue;
        }
        for (label, value) in labels.iter().zip(&mut values) {
            *value = value.or_else(|| line.strip_prefix(*label));
        }
    }
    let [sender, subject] = values;
    let thread = subject.map(bare).filter(|subject| !subject.is_empty());
    [
        sender.filter(|sender| !sender.trim_ascii().is_empty()),
        thread,
    ]
}

/// Passes the URLs in `text` to `visit`: where each begins, the URL without its scheme, and whether it
/// is unbroken.
#[doc(hidden)]
pub fn each_url(text: &[u8], mut visit: impl FnMut(usize, &[u8], bool)) {
    static SLASHES: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("://"));
    for slashes in SLASHES.find_iter(text) {
        if !ends_in_scheme(&text[..slashes]) {
            continue;
        }
        let rest = &text[slashes + "://".len()..];
        let len = rest.iter().take(MAX_LEN).position(|&byte| ends_url(byte));
        if let Some(len) = len {
            let near = &text[..slashes + "://".len() + len];
            let near = &near[near.len().saturating_sub(*CUT.end() + 1)..];
            let used = near.iter().rev().take_while(|&&byte| byte != b'\n').count();
            let may_be_cut = CUT.contains(&used);
            visit(
                slashes,
                trimmed(&rest[..len]),
                is_unbroken(&rest[len..], may_be_cut),
            );
        }
    }
}

/// Returns whether `text` ends in a scheme of links that people send each other.
fn ends_in_scheme(text: &[u8]) -> bool {
    let near = &text[text.len().saturating_sub(5)..];
    let schemes: [&[u8]; 3] = [b"http", b"https", b"ftp"];
    let mut schemes = schemes.iter();
    schemes.any(|scheme| {
        let start = near.len().saturating_sub(scheme.len());
        near[start..].eq_ignore_ascii_case(scheme)
    })
}

/// The lengths of lines at whose end software cuts off URLs: answers may quote no more than that line.
const CUT: RangeInclusive<usize> = 58..=80;

/// Which bytes end a URL.
const ENDS: [bool; 256] = {
    let mut ends = [false; 256];
    let others = b"<>\"'`{}|\\^)]\x7F";
    let mut at = 0;
    while at < others.len() {
        ends[others[at] as usize] = true;
        at += 1;
    }
    let mut byte = 0;
    while byte <= b' ' {
        ends[byte as usize] = true;
        byte += 1;
    }
    ends
};

fn ends_url(byte: u8) -> bool {
    ENDS[usize::from(byte)]
}

/// Returns whether a URL ends where `rest` begins, rather than being broken there. At the end of a line
/// it may be, unless it is too short for that and a blank line or another URL follows, and at the end of a column.
fn is_unbroken(rest: &[u8], may_be_cut: bool) -> bool {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let blanks = rest.iter().take_while(|&&byte| is_blank(byte)).count();
    if !rest.get(blanks).is_some_and(is_break) {
        return !rest.is_empty() && blanks < 3;
    }
    let next = &rest[blanks + 1..];
    let next = next.strip_prefix(b"\n").unwrap_or(next);
    let is_mark = |byte: &u8| is_blank(*byte) || b">|".contains(byte);
    let marks = next.iter().take_while(|byte| is_mark(byte)).count();
    let next = &next[marks..];
    !may_be_cut && (next.first().is_none_or(is_break) || next.starts_with(b"http"))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::read::{Reader, Segment};
    use urlint_find::{Finder as UrlFinder, Witnesses};

    /// Returns how the URL that `broken` begins with is read after reading `text` in two files.
    fn read(text: &str, broken: &str) -> String {
        let mut witnesses = Witnesses::default();
        for file in [&b"a"[..], b"b"] {
            witnesses.add(&unbroken(Kind::Plain, text.as_bytes(), file));
        }
        first(UrlFinder::default().with_witnesses(witnesses), broken)
    }

    /// Returns the first URL in `text`.
    fn first(finder: UrlFinder, text: &str) -> String {
        let found = finder.find(text.as_bytes()).next();
        found.map_or_else(String::new, |found| {
            String::from_utf8_lossy(&found.text).into_owned()
        })
    }

    /// Returns how a broken URL in the thread of `x` is read after reading the messages of `mailbox`.
    fn read_in_thread(mailbox: &str) -> String {
        let mut witnesses = Witnesses::default();
        let reader = Reader::default().with_kind(Kind::Mbox);
        let add = &mut |segment: Segment<'_>| {
            if let Segment::Document(message) = segment {
                witnesses.add(&unbroken(Kind::Mbox, message.text(), b"list"));
            }
            Ok::<_, io::Error>(())
        };
        assert!(reader.documents(b"list", mailbox.as_bytes(), add).is_ok());
        let [_, thread] = origin(Kind::Mail, b"Subject: Re: x\n");
        let finder = UrlFinder::default().with_witnesses(witnesses);
        first(finder.in_thread(thread), "http://h/x/\nxyz")
    }

    #[test]
    fn urls_are_witnesses_where_they_are_not_broken() {
        const LONG: bool = true;
        const OTHER: bool = false;
        let cases = [
            ("", OTHER),
            ("a http://h/x/xyz b\n", LONG),
            ("a https://h/x/xyz/more b\n", LONG),
            ("a http://h/x/xyzmore b\n", OTHER),
            ("a http://h/x/ b http://h/x/xyz c\n", OTHER),
            ("http://h/x/\nxyz\n", OTHER),
            ("http://h/x/xyz\nmore\n", OTHER),
            ("http://h/x/xyz/mo\nre\n", LONG),
            ("gopher://h/x/xyz b\n", OTHER),
            ("http://h/x/xyz", OTHER),
            ("://h/x/xyz b", OTHER),
        ];
        for (text, is_long) in cases {
            let expected = if is_long {
                "http://h/x/xyz"
            } else {
                "http://h/x/"
            };
            assert_eq!(read(text, "http://h/x/\nxyz"), expected, "{text:?}");
        }
        // Otherwise the hyphen decides.
        let cases = [
            ("", LONG),
            ("a http://h/x/?a=b b\n", OTHER),
            ("a http://h/x/?a=b. B\n", OTHER),
            ("<http://h/x/?a=b>\n", OTHER),
            ("> http://h/x/?a=b\n>\n", OTHER),
            ("http://h/x/?a=b\r\n\r\nxyz\n", OTHER),
            ("http://h/x/?a=b\nhttp://h/\n", OTHER),
            // Software may have cut off a line of such a length.
            (
                "The title is so long that it goes on to the end http://h/x/?a=b\n\n",
                LONG,
            ),
            ("http://h/x/?a=b\nxyz\n", LONG),
            ("http://h/x/?a=b   The right column\n", LONG),
            ("http://h/x/?a=b\tIts title\n", OTHER),
        ];
        for (text, is_long) in cases {
            let expected = if is_long {
                "http://h/x/?a=b&c=d"
            } else {
                "http://h/x/?a=b"
            };
            assert_eq!(read(text, "http://h/x/?a=b\n&c=d"), expected, "{text:?}");
        }
    }

    #[test]
    fn one_sender_is_believed_in_the_thread_alone() {
        let message = |from: &str, subject: &str| {
            format!(
                "From x Mon Mar  3 12:00:00 2003\nFrom: {from}\nSubject: {subject}\n\nat http://h/x/xyz b\n\n"
            )
        };
        let cases = [
            (message("J <j@a>", "x"), true),
            (message("J <j@a>", "Re: [list] x"), true),
            (message("J <j@a>", "y"), false),
            (message("J <j@a>", ""), false),
            (message("J <j@a>", "y") + &message("j@a", "z"), false),
            (message("J <j@a>", "y") + &message("k@c", "z"), true),
            // Other words before it are another subject.
            (message("J <j@a>", "Re: AW: x"), true),
            (message("J <j@a>", "Cheap pills: x"), false),
            (message("J <j@a>", "Buy now] x"), false),
            (message("J <j@a>", "[list] [PATCH 1/3] Re: x"), true),
            // One sender.
            (message("J <j@a>", "y") + &message("J@A (Joe)", "z"), false),
            (message("", "y") + &message("", "z"), false),
            // A message that quotes another one is one.
            (
                message("J <j@a>", "y\n\nFrom here on we go\nFrom: k@c\n"),
                false,
            ),
            (
                message("J <j@a>", "y\n\nFrom y Thu Jan  1 1998\nFrom: k@c\n"),
                false,
            ),
            (message("", "x"), true),
            // Blank lines before the first message.
            (format!("\n\n{}", message("J <j@a>", "x")), true),
        ];
        for (mailbox, expected) in cases {
            let is_long = read_in_thread(&mailbox).ends_with("xyz");
            assert_eq!(is_long, expected, "{mailbox}");
        }
    }

    #[test]
    fn an_article_of_a_batch_is_from_one_sender() {
        let forged = "at http://h/x/xyz b\n\nFrom y Thu Jan  1 00:00:00 1998\nFrom: k@c\n\nhttp://h/x/xyz b\n";
        let article = format!("From: j@a\nSubject: y\n\n{forged}");
        let batch = format!("#! rnews {}\n{article}", article.len());
        for (mailbox, expected) in [
            (batch.clone(), false),
            (
                batch + "#! rnews 42\nFrom: k@c\n\nat http://h/x/xyz b\n....\n",
                true,
            ),
        ] {
            let is_long = read_in_thread(&mailbox).ends_with("xyz");
            assert_eq!(is_long, expected, "{mailbox}");
        }
    }

    #[test]
    fn the_first_place_counts() {
        let mut places = Places::default();
        places.add(b"\nhttp://h/x/y z\nhttp://h/x/xyz b\n", b"b", 5);
        places.add(b"http://h/x/y z\n\nhttp://h/x/xyz b\n", b"a", 8);
        for (url, expected) in [
            ("http://h/x/xyz", Some((&b"a"[..], 10))),
            ("https://h/x/y", Some((b"a", 8))),
            ("http://h/x/y/z", None),
            ("http://h/x", None),
        ] {
            assert_eq!(places.of(url.as_bytes()), expected, "{url}");
        }
        // Beyond the limit, not one is kept, whatever the order.
        let many =
            (0..MOST_PLACES).fold(String::new(), |text, n| text + &format!("http://h/{n} \n"));
        places.add(many.as_bytes(), b"c", 1);
        assert_eq!(places.of(b"http://h/x/xyz"), None);
    }

    #[test]
    fn memory_is_limited() {
        let place = size_of::<(u64, (Arc<[u8]>, u64))>() + 1;
        // While a table grows, the old one of half its size is still in memory.
        let most = MOST_PLACES * 8 / 7 * place * 3 / 2;
        assert!(most < 32 << 20, "{most}");
    }
}
