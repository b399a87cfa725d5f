//! Passwords in text of any syntax, which is shown for the sake of something else in it.
//!
//! A line around a fault may have a login of which its URL is not told apart from the text: delimiters
//! may be written as any language writes them, lines may be broken under any leader, and the
//! scheme may be missing. The text is read as if all of these languages were one, and what may be a
//! password in that is taken for one.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::escapes::read;
use super::{ends_url, masked, merge, passwords_before, passwords_in_text};
use crate::text::byteset::ByteSet;
use crate::url::schemes::is_scheme_character;

/// How much of the text after a URL is looked at, in bytes.
const AFTER: usize = 512;

/// The longest URL between `<` and `>` that white space is taken out of, in bytes.
const BRACKETED: usize = 512;

/// How often a text that has passwords is looked at again.
const ROUNDS: usize = 3;

/// How long an escape is at most for which `has_sign` looks closer, in bytes.
const ESCAPE: usize = 24;

/// The characters of URLs that nothing which stands for an `@` begins with.
static NO_SIGN: ByteSet = ByteSet::alphanumeric_and(b"!\"#$'),*+-./:;<>?]^_`|}~");

/// Returns whether something in `text` may stand for an `@`, escaped or not. Most texts have nothing of
/// the kind, and are looked at no further.
fn has_sign(text: &[u8]) -> bool {
    if memchr::memchr(b'@', text).is_some() {
        return true;
    }
    let escapes = memchr::memchr3_iter(b'%', b'\\', b'&', text);
    let escapes = escapes.chain(memchr::memchr3_iter(b'=', b'{', 0xEF, text));
    let mut escapes = escapes.chain(memchr::memchr2_iter(b'(', b'[', text));
    escapes.any(|at| may_be_sign(&text[at..]))
}

/// Returns whether `escape` begins with what may stand for an `@`.
fn may_be_sign(escape: &[u8]) -> bool {
    let rest = &escape[1..escape.len().min(ESCAPE)];
    let any = |signs: &[&[u8; 2]]| {
        let mut pairs = rest.windows(2);
        pairs.any(|pair| signs.iter().any(|sign| pair.eq_ignore_ascii_case(*sign)))
    };
    match escape[0] {
        b'%' | b'=' => any(&[b"40"]),
        b'\\' => any(&[b"40", b"64", b"10", b"at"]),
        b'&' => any(&[b"40", b"64", b"at"]),
        b'(' | b'[' | b'{' => rest
            .get(..2)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"at")),
        _ => true,
    }
}

/// Returns where passwords may lie in `text`, in bytes, in order and apart from one another; none is
/// empty.
///
/// Unlike [`passwords_in_text`] this is for text that is shown to people with something else in mind,
/// such as the lines around a fault: `text` may be source code, markup or anything else. Delimiters that are escaped
/// in any way are read as such, and so is a login without a scheme, like `joe:secret@a.example`.
/// Addresses of mail are not taken for logins. Takes time linear in the length of `text`.
///
/// ```
/// use urlint::url::password::passwords_in_source;
///
/// let code = br#"get("ftp:\/\/joe\u003asecret\u0040a.example") # or joe@b.example"#;
/// assert_eq!(passwords_in_source(code), [22..28]);
/// ```
pub fn passwords_in_source(text: &[u8]) -> Vec<Range<usize>> {
    if !has_sign(text) {
        return Vec::new();
    }
    let mut found = once(text);
    if found.is_empty() {
        return found;
    }
    // As what was found is masked, more may be found around it.
    let mut masked = text.to_vec();
    for _ in 0..ROUNDS {
        for range in &found {
            masked[range.clone()].fill(b'*');
        }
        let known = found.clone();
        found.extend(once(&masked));
        merge(&mut found);
        if found == known {
            break;
        }
    }
    found
}

/// What is found in `text` when it is looked at once.
fn once(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = passwords_in_text(text);
    let (read, places) = read(text);
    if memchr::memchr(b'@', &read).is_some() {
        let mut own = if read == text {
            Vec::new()
        } else {
            passwords_in_text(&read)
        };
        bare_logins(&read, &mut own);
        in_brackets(&read, &mut own);
        let in_text = |range: Range<usize>| places[range.start]..places[range.end];
        found.extend(own.into_iter().map(in_text));
    }
    merge(&mut found);
    found
}

/// Returns where passwords may lie in `url`, as [`passwords_before`] and [`passwords_in_source`] find
/// them, in bytes, in order and apart from one another; none is empty. `after` is what follows it in its
/// text, if that is known.
///
/// Not all of them are what a parser takes for a password, or a lint should complain of: they are not
/// to be shown.
///
/// ```
/// use urlint::url::password::possible_passwords;
///
/// let (url, after) = (b"ftp://joe:sec", br"ret\x40a.example/");
/// assert_eq!(possible_passwords(url, Some(after)), [10..13]);
/// assert_eq!(possible_passwords(b"x/joe:secret@a.example", Some(b"")), [6..12]);
/// ```
pub fn possible_passwords(url: &[u8], after: Option<&[u8]>) -> Vec<Range<usize>> {
    if after == Some(b"") && NO_SIGN.skip(url, 0) == url.len() {
        return Vec::new();
    }
    let mut found = passwords_before(url, after);
    if after.is_none() {
        // It may end within a login whose delimiters are escaped.
        let (read, places) = read(url);
        let own = passwords_before(&read, None).into_iter();
        found.extend(own.map(|range| places[range.start]..places[range.end]));
        merge(&mut found);
    }
    let text = match after.unwrap_or_default() {
        b"" => Cow::Borrowed(url),
        after => Cow::Owned([url, &after[..after.len().min(AFTER)]].concat()),
    };
    if !has_sign(&text) {
        return found;
    }
    found.extend(passwords_in_source(&text));
    let (read, places) = read(url);
    let mut own = Vec::new();
    without_blanks(&read, 0..read.len(), &mut own);
    merge(&mut own);
    let in_url = |range: Range<usize>| places[range.start]..places[range.end];
    found.extend(own.into_iter().map(in_url));
    found.retain_mut(|range| {
        range.end = range.end.min(url.len());
        range.start < range.end
    });
    merge(&mut found);
    found
}

/// Returns `text` with [`MASK`](super::MASK) in place of each of its passwords, as
/// [`passwords_in_source`] finds them; it is borrowed if it has none.
///
/// ```
/// use urlint::url::password::redacted_source;
///
/// let text = b"ftp joe:secret@a.example";
/// assert_eq!(&*redacted_source(text), b"ftp joe:***@a.example");
/// ```
pub fn redacted_source(text: &[u8]) -> Cow<'_, [u8]> {
    redacted_by(text, passwords_in_source)
}

/// Returns `text` with [`MASK`](super::MASK) in place of what `find` finds, until it finds nothing more.
pub(super) fn redacted_by(text: &[u8], find: impl Fn(&[u8]) -> Vec<Range<usize>>) -> Cow<'_, [u8]> {
    let mut shown = masked(text, &find(text));
    for _ in 0..ROUNDS {
        let Cow::Owned(text) = &shown else { break };
        let again = masked(text, &find(text)).into_owned();
        if again == *text {
            break;
        }
        shown = Cow::Owned(again);
    }
    shown
}

/// Adds what may be passwords of logins that have lost their scheme, or that white space is in.
fn bare_logins(text: &[u8], found: &mut Vec<Range<usize>>) {
    let mut last: Option<Range<usize>> = None;
    let mut at = 0;
    while at < text.len() {
        let len = text[at..].iter().take_while(|byte| !ends_url(**byte));
        let token = at..at + len.count();
        if !token.is_empty() {
            in_token(text, token.clone(), found);
            if let Some(last) = last.replace(token.clone()) {
                over_blank(text, last, token.clone(), found);
            }
        }
        at = token.end;
        match text.get(at) {
            Some(byte) if *byte <= b' ' || *byte == b'>' => {}
            _ => last = None,
        }
        at += 1;
    }
}

/// Adds the passwords of URLs between `<` and `>`, where white space means nothing.
fn in_brackets(text: &[u8], found: &mut Vec<Range<usize>>) {
    let mut start = None;
    for at in memchr::memchr2_iter(b'<', b'>', text) {
        let inner = match (text[at], start.take()) {
            (b'<', _) => {
                start = Some(at + 1);
                continue;
            }
            (_, Some(start)) if at - start <= BRACKETED => start..at,
            _ => continue,
        };
        // A tag with attributes is no URL.
        let bytes = &text[inner.clone()];
        let is_url = bytes
            .get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case(b"URL:"));
        let is_url = is_url || memmem::find(bytes, b"//").is_some();
        if is_url && memchr::memchr2(b'"', b'=', bytes).is_none() {
            without_blanks(text, inner, found);
        }
    }
}

/// Adds the passwords in `inner` as it reads without white space, if it has any.
fn without_blanks(text: &[u8], inner: Range<usize>, found: &mut Vec<Range<usize>>) {
    let is_blank = |byte: &u8| *byte <= b' ';
    let bytes = &text[inner.clone()];
    if memchr::memchr(b'@', bytes).is_none() || !bytes.iter().any(is_blank) {
        return;
    }
    let places: Vec<usize> = inner.filter(|&at| !is_blank(&text[at])).collect();
    let joined: Vec<u8> = places.iter().map(|&at| text[at]).collect();
    let mut own = passwords_before(&joined, Some(b""));
    in_token(&joined, 0..joined.len(), &mut own);
    merge(&mut own);
    for range in own {
        let bytes = places.get(range).unwrap_or_default();
        found.extend(bytes.iter().map(|&at| at..at + 1));
    }
}

/// Adds what is between the colon and the `@` of `joe:secret@a.example` in a token.
fn in_token(text: &[u8], token: Range<usize>, found: &mut Vec<Range<usize>>) {
    // The start of what may be a password, and whether it has anything that one is made of.
    let mut start: Option<usize> = None;
    let mut has_word = false;
    // The start of what may be one if its host is plainly that.
    let mut port = None;
    let mut name = token.start;
    let mut has_slashes = false;
    let last_dot = memchr::memrchr(b'.', &text[token.clone()]).map(|at| token.start + at);
    for at in token.clone() {
        match text[at] {
            b':' => {
                let user = &text[name..at];
                let is_number = text.get(at + 1).is_some_and(u8::is_ascii_digit);
                if is_number && text[..name].ends_with(b"//") && !user.contains(&b'.') {
                    port = Some(at + 1);
                }
                let is_user = !user.is_empty()
                    || at == token.start
                    || text[..at].ends_with(b"/")
                    || has_slashes;
                // `:meth:` and `:pserver:` come before other things.
                let is_after_nobody = start == Some(token.start + 1) && !user.is_empty();
                if (start.is_none() || is_after_nobody) && is_user && !is_label(user) {
                    (start, has_word) = (Some(at + 1), false);
                } else if is_after_nobody {
                    start = None;
                }
                name = at + 1;
            }
            b'@' => {
                if is_host(&text[at + 1..token.end]) {
                    let has_dot = last_dot.is_some_and(|dot| dot > at);
                    if let Some(start) = start.filter(|_| has_word) {
                        found.push(start..at);
                    } else if let Some(port) = port.filter(|&port| has_dot && !is_local(text, port))
                    {
                        found.push(port..at);
                    }
                }
                // There may be another `@` of the same login, but no other colon before it.
                name = at + 1;
            }
            b'/' | b'\\' => {
                has_slashes |= text[..at].ends_with(b"/") || at == token.start;
                start = None;
                name = at + 1;
            }
            byte if byte < 0x80 && !is_of_user(byte) => name = at + 1,
            byte => has_word |= byte.is_ascii_alphanumeric() || byte >= 0x80,
        }
    }
}

/// Returns whether the port at `port` is one of `localhost`.
fn is_local(text: &[u8], port: usize) -> bool {
    let host = &text[..port - 1];
    let start = host.len().saturating_sub(b"localhost".len());
    let before = start.checked_sub(1).map(|at| host[at]);
    host[start..].eq_ignore_ascii_case(b"localhost") && !before.is_some_and(is_scheme_character)
}

/// Adds what may be a password that white space is in, after a login that lacks its `@`.
fn over_blank(text: &[u8], last: Range<usize>, next: Range<usize>, found: &mut Vec<Range<usize>>) {
    let token = &text[last.clone()];
    let Some(slashes) = memmem::rfind(token, b"//") else {
        return;
    };
    let login = &token[slashes + 2..];
    let rest = &text[next.clone()];
    let Some(sign) = memchr::memchr(b'@', rest) else {
        return;
    };
    let Some(colon) = memchr::memchr(b':', login) else {
        if rest.starts_with(b":") && !login.contains(&b'/') {
            found.push(next.start + 1..next.start + sign);
        }
        return;
    };
    let start = last.start + slashes + 2 + colon + 1;
    let (user, secret) = (&login[..colon], &login[colon + 1..]);
    let is_port = secret.len() <= 5 && secret.iter().all(u8::is_ascii_digit);
    if memchr::memchr2(b'@', b'/', login).is_some()
        || is_port && (!secret.is_empty() || user.contains(&b'.'))
    {
        return;
    }
    let parts = [start..last.end, next.start..next.start + sign];
    found.extend(parts.into_iter().filter(|range| !range.is_empty()));
}

/// Returns whether `byte` is part of a user name.
fn is_of_user(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._%+-~$!".contains(&byte)
}

/// Returns whether `text` begins with what is plainly the name of a host, and not the version of a
/// package or a digest.
fn is_host(text: &[u8]) -> bool {
    if text.starts_with(b"[") {
        return true;
    }
    let is_of_host =
        |byte: &&u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte) || **byte >= 0x80;
    let len = text.iter().take_while(is_of_host).count();
    let (host, rest) = text.split_at(len);
    let host = host.strip_suffix(b".").unwrap_or(host);
    let mut labels = host.split(|&byte| byte == b'.');
    let is_number = |label: &[u8]| label.iter().all(u8::is_ascii_digit);
    match labels.clone().count() {
        1 => {
            let digits = rest.iter().skip(1).take_while(|byte| byte.is_ascii_digit());
            let digits = digits.take(6).count();
            let after = rest.get(1 + digits);
            let has_port = rest.first() == Some(&b':')
                && (1..=5).contains(&digits)
                && !after.is_some_and(u8::is_ascii_alphanumeric);
            host.eq_ignore_ascii_case(b"localhost") || !host.is_empty() && has_port
        }
        4 if labels.clone().all(is_number) => true,
        _ => labels
            .next_back()
            .is_some_and(|last| last.len() > 1 && !last[0].is_ascii_digit()),
    }
}

/// Returns whether `name` before a colon says that an address of mail follows, or a name of something
/// that is no login.
fn is_label(name: &[u8]) -> bool {
    const LABELS: &[&str] = &[
        "mailto",
        "sip",
        "sips",
        "xmpp",
        "im",
        "pres",
        "acct",
        "news",
        "nntp",
        "mid",
        "cid",
        "tag",
        "skype",
        "tel",
        "h323",
        "jabber",
        "smtp",
        "gtalk",
        "msn",
        "aim",
        "bitcoin",
        "openpgp4fpr",
        "tip",
        "imap",
        "pserver",
        "ext",
        "gserver",
        "kserver",
        "server",
        "npm",
        "pkg",
        "gem",
        "maven",
        "jar",
        "mail",
        "e-mail",
        "email",
        "emails",
        "e-mails",
        "to",
        "from",
        "cc",
        "bcc",
        "reply-to",
        "sender",
        "author",
        "authors",
        "contact",
        "contacts",
        "address",
        "addr",
        "at",
        "by",
        "or",
        "uri",
        "url",
        "id",
        "message-id",
        "msgid",
        "maintainer",
        "owner",
        "subscribe",
        "unsubscribe",
        "help",
        "info",
        "list",
        "lists",
        "rfc822",
        "internet",
        "net",
        "arpa",
        "arpanet",
        "errors-to",
        "return-path",
        "attn",
        "copyright",
        "user",
        "admin",
        "webmaster",
        "x-sender",
        "uid",
        "mailaddress",
        "adresse",
        "courriel",
        "correo",
        "posta",
        "mbox",
        "foaf",
        "group",
        "references",
        "in-reply-to",
        "sent-by",
        "organizer",
        "attendee",
        "ident",
        "as",
        "recipient",
        "undisclosed-recipient",
        "original-recipient",
        "final-recipient",
        "work",
        "home",
        "pref",
        "voice",
        "arn",
    ];
    let is_it = |label: &&str| name.eq_ignore_ascii_case(label.as_bytes());
    let ends_with = |end: &[u8]| {
        let start = name.len().checked_sub(end.len());
        start.is_some_and(|start| name[start..].eq_ignore_ascii_case(end))
    };
    let is_short_number = (1..=2).contains(&name.len()) && name.iter().all(u8::is_ascii_digit);
    LABELS.iter().any(is_it) || ends_with(b"-from") || ends_with(b"-to") || is_short_number
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        String::from_utf8_lossy(&redacted_source(text.as_bytes())).into_owned()
    }

    #[test]
    fn delimiters_are_read_in_any_syntax() {
        for (text, expected) in [
            (
                "<p>ftp://joe&#58;secret&commat;a.example",
                "<p>ftp://joe&#58;***&commat;a.example",
            ),
            (
                "\"ftp://joe:secret\\u0040a.example\"",
                "\"ftp://joe:***\\u0040a.example\"",
            ),
            (
                "ftp:\\:/\\:/joe:secret@a.example",
                "ftp:\\:/\\:/joe:***@a.example",
            ),
            (
                "\\url{ftp://joe{:}secret{@}a.example}",
                "\\url{ftp://joe{:***@}a.example}",
            ),
            (
                "?u=ftp%253A%252F%252Fjoe%253Asecret%2540a",
                "?u=ftp%253A%252F%252Fjoe%253A***%2540a",
            ),
            (
                "ftp://joe=3Asec=\nret=40a.example",
                "ftp://joe=3A***=40a.example",
            ),
            (
                "ftp://jo\n# e:secret@a.example",
                "ftp://jo\n# e:***@a.example",
            ),
            (
                "REM ftp://joe:sec\nREM ret@a.example",
                "REM ftp://joe:***\nREM ***@a.example",
            ),
            (
                "<URL:ftp:/\n  /j\n  oe:sec\n  ret@a.example>",
                "<URL:ftp:/\n  /j\n  oe:***\n  ***@a.example>",
            ),
            ("scp joe:secret@a.example:x", "scp joe:***@a.example:x"),
            ("ftp://joe:12/secret@a.example", "ftp://joe:***@a.example"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn what_is_no_login_is_shown() {
        for text in [
            "joe@a.example",
            "mailto:joe@a.example",
            "=3Dmailto:joe@a.example",
            "From:joe@a.example",
            "EMAIL;TYPE=WORK:joe@a.example",
            "http://joe@a.example/",
            "http://joe:@a.example/",
            "git@a.example:joe/x@1.0",
            "http://a.example:port and joe@a.example",
            "http://a.example:8080/@joe",
            "http://a.example/npm:x@1.2.3",
            "registry.example/x:1@sha256:0123456789abcdef",
            "(IDENT:joe@a.example [192.0.2.1])",
            "cvs -d :pserver:joe@a.example:/cvs",
            ":meth:`@app.route() <a.b>`",
            "http://a.example\njoe@a.example",
            "http://[2001:db8::1]/x@y",
            "<a style=\"color: red\" href=\"mailto:joe@a.example\">",
        ] {
            assert_eq!(shown(text), text);
        }
    }
}
