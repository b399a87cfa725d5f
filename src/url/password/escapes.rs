//! The delimiters of logins as the languages of all kinds of text write them.

/// What stands at a place of a text.
#[derive(Clone, Copy)]
enum Read {
    /// A delimiter, or another byte.
    Byte(u8),
    /// Nothing that is seen.
    Nothing,
}

/// The most marks of the leader of a line.
const MOST_MARKS: usize = 8;

/// The marks of quotes and comments.
const LEADERS: &[u8] = b">|#*/;%!+-:.'\"\\";

/// The longest comment that is passed over, in bytes: a login may be in a longer one.
const COMMENT: usize = 16;

/// How far the end of something is looked for, in bytes.
const REACH: usize = 64;

/// Returns `text` with delimiters that are escaped as what they mean, without what is not seen in the
/// middle of words and without the leaders of lines; and where each byte of that and its end lie in
/// `text`.
///
/// One escape means different things in different languages; each is read as that which makes more
/// delimiters.
pub(super) fn read(text: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let mut read = Vec::with_capacity(text.len());
    let mut places = Vec::with_capacity(text.len() + 1);
    let mut at = leader(text);
    while let Some(&byte) = text.get(at) {
        let rest = &text[at..];
        let (len, what) = match escape(rest) {
            Some((len, what)) => (len, what),
            None => (1, Read::Byte(byte)),
        };
        if let Read::Byte(byte) = what {
            places.push(at);
            read.push(byte);
        }
        at += len;
        if byte == b'\n' || byte == b'\r' {
            at += leader(&text[at..]);
        }
    }
    places.push(text.len());
    (read, places)
}

/// How long the leader that a line begins with is: quote marks, the marks of comments, initials before
/// a quote mark.
fn leader(line: &[u8]) -> usize {
    let mut len = blank(line);
    for _ in 0..MOST_MARKS {
        let rest = &line[len..];
        let marks = rest
            .iter()
            .take(MOST_MARKS)
            .take_while(|byte| LEADERS.contains(byte));
        let marks = marks.count();
        let word = rest
            .iter()
            .take(9)
            .take_while(|byte| byte.is_ascii_alphanumeric());
        let word = word.count();
        let is_word = |known: &[u8]| rest[..word].eq_ignore_ascii_case(known);
        let mark = match rest.get(marks.max(word)) {
            Some(b' ' | b'\t') if marks > 0 => marks,
            Some(b'>') if word > 0 => word + 1,
            Some(b' ') if is_word(b"rem") || is_word(b"dnl") => word,
            _ => return len,
        };
        len += mark;
        len += blank(&line[len..]);
    }
    len
}

fn blank(text: &[u8]) -> usize {
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    text.iter().take(REACH).take_while(blank).count()
}

/// What `text` begins with, and how long that is, if it is an escape.
fn escape(text: &[u8]) -> Option<(usize, Read)> {
    match text[0] {
        b'%' => percent(text),
        b'&' => reference(text),
        b'\\' => backslash(text),
        b'=' => equals(text),
        b'{' => braces(text),
        b'(' | b'[' => {
            let is_at = text.get(1..4).is_some_and(|word| {
                word[..2].eq_ignore_ascii_case(b"at") && matches!(word[2], b')' | b']')
            });
            is_at.then_some((4, Read::Byte(b'@')))
        }
        b'"' | b'\'' => literals(text),
        b'<' => tag(text),
        b']' if text.starts_with(b"]]>") => Some((3, Read::Nothing)),
        b'*' | b'+' | b'_' => emphasis(text),
        0xC2 | 0xE2 | 0xEF => character(text),
        _ => None,
    }
}

/// The delimiter that is number `value`, or the line end.
fn delimiter(value: u32) -> Option<Read> {
    let byte = u8::try_from(value).ok()?;
    b":/@?#\\\n\r".contains(&byte).then_some(Read::Byte(byte))
}

/// The value of hexadecimal digits.
fn hex(digits: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(digits).ok()?;
    u32::from_str_radix(digits, 16).ok()
}

/// `%3A`, `%253A` and so on, `%u003a`, and the comment of TeX that hides the end of a line.
fn percent(text: &[u8]) -> Option<(usize, Read)> {
    if let Some(len) = line_end(&text[1..]) {
        return Some((1 + len + blank(&text[1 + len..]), Read::Nothing));
    }
    let mut at = 1;
    while text.get(at..at + 2) == Some(b"25") {
        at += 2;
    }
    if text.get(at) == Some(&b'u') {
        let value = hex(text.get(at + 1..at + 5)?)?;
        return Some((at + 5, delimiter(value)?));
    }
    Some((at + 2, delimiter(hex(text.get(at..at + 2)?)?)?))
}

/// A character reference of markup, whose ampersand may be one itself.
fn reference(text: &[u8]) -> Option<(usize, Read)> {
    use Read::{Byte, Nothing};

    const NAMES: [(&[u8], Read); 9] = [
        (b"colon", Byte(b':')),
        (b"commat", Byte(b'@')),
        (b"at", Byte(b'@')),
        (b"sol", Byte(b'/')),
        (b"bsol", Byte(b'\\')),
        (b"quest", Byte(b'?')),
        (b"num", Byte(b'#')),
        (b"shy", Nothing),
        (b"ZeroWidthSpace", Nothing),
    ];
    let mut at = 1;
    while text[at..].starts_with(b"amp;") {
        at += 4;
    }
    let rest = &text[at..];
    let ended = |len: usize| len + usize::from(text.get(len) == Some(&b';'));
    if let Some(number) = rest.strip_prefix(b"#") {
        let is_hex = matches!(number.first(), Some(b'x' | b'X'));
        let digits = &number[usize::from(is_hex)..];
        let radix = if is_hex { 16 } else { 10 };
        let is_digit = |byte: &&u8| char::from(**byte).is_digit(radix);
        let len = digits.iter().take(REACH).take_while(is_digit).count();
        let text = std::str::from_utf8(&digits[..len]).ok()?;
        let value = u32::from_str_radix(text, radix).ok()?;
        let what = match value {
            0xAD | 0x200B | 0x2060 | 0xFEFF => Read::Nothing,
            value => delimiter(value)?,
        };
        return Some((ended(at + 1 + usize::from(is_hex) + len), what));
    }
    let len = rest
        .iter()
        .take(REACH)
        .take_while(|byte| byte.is_ascii_alphanumeric());
    let len = len.count();
    if rest.get(len) != Some(&b';') {
        return None;
    }
    let (_, what) = NAMES.iter().find(|(name, _)| *name == &rest[..len])?;
    Some((at + len + 1, *what))
}

/// The escapes of strings in source code, of CSS, roff, TeX and light markup.
fn backslash(text: &[u8]) -> Option<(usize, Read)> {
    use Read::{Byte, Nothing};

    const WORDS: [(&[u8], Read); 11] = [
        (b"slash", Byte(b'/')),
        (b"char64", Byte(b'@')),
        (b"symbol{64}", Byte(b'@')),
        (b"N{COMMERCIAL AT}", Byte(b'@')),
        (b"(at", Byte(b'@')),
        (b"[at]", Byte(b'@')),
        (b"(sl", Byte(b'/')),
        (b"[sl]", Byte(b'/')),
        (b"allowbreak", Nothing),
        (b"string", Nothing),
        (b"textcolon", Byte(b':')),
    ];
    let more = text.iter().take(REACH).take_while(|byte| **byte == b'\\');
    let start = more.count();
    let rest = &text[start..];
    for (word, what) in WORDS {
        if rest.starts_with(word) {
            let len = start + word.len();
            let space = word[0].is_ascii_lowercase() && text.get(len) == Some(&b' ');
            return Some((len + usize::from(space), what));
        }
    }
    if let Some(len) = line_end(rest) {
        let next = &rest[len..];
        let indent = blank(next);
        return Some((start + len + indent, Read::Nothing));
    }
    match *rest.first()? {
        b'u' | b'U' | b'x' => {
            let digits = &rest[1..];
            if let Some(inner) = digits.strip_prefix(b"{") {
                let len = inner.iter().take(9).position(|byte| *byte == b'}')?;
                return Some((start + 2 + len + 1, delimiter(hex(&inner[..len])?)?));
            }
            let len = match rest[0] {
                b'u' => 4,
                b'U' => 8,
                _ => 2,
            };
            Some((start + 1 + len, delimiter(hex(digits.get(..len)?)?)?))
        }
        b'0'..=b'9' => {
            let octal = std::str::from_utf8(rest.get(..3).unwrap_or_default()).ok();
            let octal = octal.and_then(|digits| u32::from_str_radix(digits, 8).ok());
            if let Some(what) = octal.and_then(delimiter) {
                return Some((start + 3, what));
            }
            let len = rest
                .iter()
                .take(6)
                .take_while(|byte| byte.is_ascii_hexdigit());
            let len = len.count();
            let space = usize::from(rest.get(len) == Some(&b' '));
            Some((start + len + space, delimiter(hex(&rest[..len])?)?))
        }
        b'n' | b'r' => Some((start + 1, Read::Byte(b'\n'))),
        byte @ (b':' | b'@' | b'/' | b'#') => Some((start + 1, Read::Byte(byte))),
        b'&' | b'%' | b'-' | b' ' | b'=' | b'_' | b'$' | b'|' | b'^' => {
            Some((start + 1, Read::Nothing))
        }
        b'c' if line_end(&rest[1..]).is_some() => {
            Some((start + 1 + line_end(&rest[1..])?, Read::Nothing))
        }
        b'f' => match rest.get(1)? {
            b'(' => Some((start + 4, Read::Nothing)).filter(|_| rest.len() >= 4),
            b'[' => {
                let len = rest.iter().take(12).position(|byte| *byte == b']')?;
                Some((start + len + 1, Read::Nothing))
            }
            b'B' | b'I' | b'R' | b'P' | b'C' | b'1'..=b'4' => Some((start + 2, Read::Nothing)),
            _ => None,
        },
        _ => None,
    }
}

/// The escapes of quoted-printable.
fn equals(text: &[u8]) -> Option<(usize, Read)> {
    if let Some(len) = line_end(&text[1..]) {
        return Some((1 + len, Read::Nothing));
    }
    match text.get(1..3)? {
        b"3D" | b"3d" => Some((3, Read::Byte(b'='))),
        digits => Some((3, delimiter(hex(digits)?)?)),
    }
}

/// A delimiter in braces, as in TeX, or its name, as in AsciiDoc.
fn braces(text: &[u8]) -> Option<(usize, Read)> {
    match text.get(1..)? {
        [byte @ (b':' | b'@' | b'/'), b'}', ..] => Some((3, Read::Byte(*byte))),
        rest if rest.starts_with(b"colon}") => Some((7, Read::Byte(b':'))),
        rest if rest.starts_with(b"at}") => Some((4, Read::Byte(b'@'))),
        _ => None,
    }
}

/// The end of a string literal and the start of the next one, which are one string.
fn literals(text: &[u8]) -> Option<(usize, Read)> {
    let is_between = |byte: &&u8| byte.is_ascii_whitespace() || b"+.\\&".contains(byte);
    let len = text[1..].iter().take(REACH).take_while(is_between).count();
    let is_next = len > 0 && text.get(1 + len) == Some(&text[0]);
    is_next.then_some((len + 2, Read::Nothing))
}

/// A tag without attributes, a short comment, or the start of a section of characters.
fn tag(text: &[u8]) -> Option<(usize, Read)> {
    if text.starts_with(b"<![CDATA[") {
        return Some((9, Read::Nothing));
    }
    let reach = &text[..text.len().min(REACH)];
    if text.starts_with(b"<!--") {
        let end = memchr::memmem::find(&reach[..reach.len().min(COMMENT)], b"-->")?;
        return Some((end + 3, Read::Nothing));
    }
    let end = memchr::memchr(b'>', reach)?;
    let name = &reach[1..end];
    let name = name.strip_prefix(b"/").unwrap_or(name);
    let name = name.strip_suffix(b"/").unwrap_or(name).trim_ascii_end();
    let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_alphanumeric);
    is_name.then_some((end + 1, Read::Nothing))
}

/// Marks of emphasis, which come twice, before a delimiter.
fn emphasis(text: &[u8]) -> Option<(usize, Read)> {
    let is_before = text.get(2).is_some_and(|byte| b":/@".contains(byte));
    (is_before && text[1] == text[0]).then_some((2, Read::Nothing))
}

/// Characters that look like a delimiter, or like nothing.
fn character(text: &[u8]) -> Option<(usize, Read)> {
    use Read::{Byte, Nothing};

    const CHARACTERS: [(&str, Read); 13] = [
        ("：", Byte(b':')),
        ("﹕", Byte(b':')),
        ("∶", Byte(b':')),
        ("＠", Byte(b'@')),
        ("﹫", Byte(b'@')),
        ("／", Byte(b'/')),
        ("⁄", Byte(b'/')),
        ("∕", Byte(b'/')),
        ("\u{ad}", Nothing),
        ("\u{200b}", Nothing),
        ("\u{200c}", Nothing),
        ("\u{2060}", Nothing),
        ("\u{feff}", Nothing),
    ];
    let is_own = |(character, _): &&(&str, Read)| text.starts_with(character.as_bytes());
    let (character, what) = CHARACTERS.iter().find(is_own)?;
    Some((character.len(), *what))
}

/// How long the line end is that `text` begins with.
fn line_end(text: &[u8]) -> Option<usize> {
    match text {
        [b'\r', b'\n', ..] => Some(2),
        [b'\r' | b'\n', ..] => Some(1),
        _ => None,
    }
}
