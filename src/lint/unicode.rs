//! Rules about deceptive and invisible characters.

use std::borrow::Cow;

use idna::punycode;
use unicode_script::{Script, UnicodeScript};
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::skeleton;

use super::diagnostic::Applicability::{DisplayOnly, Unsafe};
use super::finding::Sentence;
use super::printable::printable;
use super::report::Report;
use super::rule::Rule;
use super::url::{Url, host_to_browsers};
use urlint_standard::standard::Part;
use urlint_standard::text::utf8::ligature;
use urlint_standard::url::escape::{Escape, escape_at};

/// Why a label is deceptive.
struct Deception {
    /// The predicate of the message.
    why: String,
    /// The letters that are taken for others, each with its place in the label.
    letters: Vec<(usize, char)>,
}

impl Deception {
    /// Returns why `label` is deceptive in a domain whose last label is `top`. Letters of one script are none below a
    /// domain of that script, nor is the name of that domain, unless it looks like one of Latin letters.
    fn of(label: &str, top: &str) -> Option<Deception> {
        if label.is_ascii() {
            return None;
        }
        let mut letters: Vec<_> = label.char_indices().collect();
        letters.retain(|(_, c)| !matches!(c.script(), Script::Common | Script::Inherited));
        let mut why = if !go_together(label) {
            let mut scripts = Vec::new();
            for (_, c) in &letters {
                if !scripts.contains(&c.script()) {
                    scripts.push(c.script());
                }
            }
            // Latin letters are those that a reader takes the others for.
            let has_latin = scripts.contains(&Script::Latin);
            let main = scripts.first().filter(|_| !has_latin).copied();
            letters.retain(|(_, c)| c.script() != main.unwrap_or(Script::Latin));
            let names: Vec<_> = scripts.iter().map(|script| script.full_name()).collect();
            format!("mixes {}", names.join(" and "))
        } else if label.chars().any(|c| c.script() == Script::Latin) {
            // A label with Latin letters imitates no other, except for accents.
            return None;
        } else {
            let look: String = skeleton(label).collect();
            let is_own = if label == top {
                !look.bytes().all(|byte| byte.is_ascii_alphabetic())
            } else {
                !top.is_ascii() && go_together(&format!("{label}{top}"))
            };
            let look = Some(look).filter(|look| look.is_ascii() && !is_own)?;
            letters = label
                .char_indices()
                .filter(|(_, c)| !c.is_ascii())
                .collect();
            format!("looks like `{}`", printable(look.as_bytes()))
        };
        if let Some(&(_, c)) = letters.first() {
            let (script, code) = (c.script().full_name(), u32::from(c));
            why += &format!(": `{c}` is the {script} U+{code:04X}");
            let look: String = skeleton(c.encode_utf8(&mut [0; 4])).collect();
            if look.is_ascii() && !c.is_ascii() {
                why += &format!(", not `{look}`");
            }
        }
        Some(Deception { why, letters })
    }
}

/// Returns whether the scripts of `label` are used together to write one language: the level *highly
/// restrictive* of UTS 39, section 5.2. Latin letters go with Han and kana, Bopomofo or Hangul.
fn go_together(label: &str) -> bool {
    let mut all = AugmentedScriptSet::default();
    let mut others = AugmentedScriptSet::default();
    for c in label.chars() {
        all.intersect_with(c.into());
        if c.script() != Script::Latin {
            others.intersect_with(c.into());
        }
    }
    !all.is_empty() || others.jpan || others.hanb || others.kore
}

/// Returns the last label of the host, decoded if it is in ASCII form.
fn top_label(url: &Url<'_>) -> String {
    let label = url.labels().last().map(|part| url.slice(part));
    let label = String::from_utf8_lossy(label.unwrap_or_default()).to_lowercase();
    let code = label.strip_prefix("xn--").filter(|_| label.len() <= 63);
    code.and_then(punycode::decode_to_string).unwrap_or(label)
}

/// Returns `text` as a reader reads it: wide forms of ASCII characters as these, and letters as Latin ones in words that
/// mix them with those.
pub(super) fn as_read(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let narrow = |c: char| match c {
        '\u{3002}' => '.',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        _ => c,
    };
    let text: String = text.chars().map(narrow).collect();
    let signs = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric();
    let read = |word: &str| match Deception::of(word.trim_end_matches(signs), "") {
        Some(_) => word.chars().map(latin).collect(),
        None => word.to_owned(),
    };
    text.split_inclusive(signs)
        .map(read)
        .collect::<String>()
        .into()
}

/// Returns the Latin letter that a reader takes `c` for, or `c`.
fn latin(c: char) -> char {
    let mut bytes = [0; 4];
    let mut look = skeleton(c.encode_utf8(&mut bytes)).fuse();
    match (c.is_ascii(), look.next(), look.next()) {
        (false, Some(one), None) if one.is_ascii() => one,
        _ => c,
    }
}

/// Reports labels in ASCII form that are deceptive once decoded. Names of top-level domains are looked at by those who
/// delegate them.
fn deceptive_when_decoded(url: &Url<'_>, report: &mut Report<'_>) {
    let host = url.split.host.unwrap_or_default();
    let mut top = None;
    let below = url
        .labels()
        .filter(|part| part.end < host.end || part.start == host.start);
    report.add_all(below.filter_map(|part| {
        let label = url.slice(part);
        let (mark, code) = label.split_at_checked(4)?;
        // Domains have no longer labels, and decoding takes quadratic time.
        if !mark.eq_ignore_ascii_case(b"xn--") || label.len() > 63 {
            return None;
        }
        let name = punycode::decode_to_string(std::str::from_utf8(code).ok()?)?;
        let deception = Deception::of(&name, top.get_or_insert_with(|| top_label(url)))?;
        let shown = printable(name.as_bytes());
        let message = format!("the decoded label `{shown}` {}", deception.why);
        Some(url.finding(Rule::Homograph, part, message, "deceptive"))
    }));
}

/// Reports deceptive labels, encoded or not.
pub(super) fn homograph(url: &Url<'_>, report: &mut Report<'_>) {
    deceptive_when_decoded(url, report);
    if url.text.is_ascii() {
        return;
    }
    let top = top_label(url);
    for part in url.labels() {
        let label = std::str::from_utf8(url.slice(part)).unwrap_or_default();
        let Some(Deception { why, letters }) = Deception::of(label, &top) else {
            continue;
        };
        let short = label.len() <= 255;
        let ascii = short
            .then(|| punycode::encode_str(&label.to_lowercase()))
            .flatten();
        let mut fix = ascii.and_then(|ascii| {
            let ascii = format!("xn--{ascii}");
            url.fix("write its ASCII form", DisplayOnly, part, &ascii)
        });
        report.add_all(letters.into_iter().map(|(at, c)| {
            let start = part.range().start + at;
            let letter = Part::new(start, start + c.len_utf8());
            let message = format!("the label {} {why}", url.quoted(part));
            let finding = url.finding(Rule::Homograph, letter, message, "deceptive");
            finding.fix(fix.take())
        }));
    }
}

/// Returns whether the character is invisible, or changes the direction of text.
pub(super) fn is_bidi_or_invisible(c: char) -> bool {
    matches!(c as u32,
        0xAD | 0x61C | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060 | 0x2066..=0x2069 | 0xFEFF)
}

/// Returns the ASCII characters whose ligature is at `part` of the URL, or whose wide form is there by mistake:
/// `。` in the host, and the wide form of a delimiter in the host or between ASCII characters. Elsewhere it
/// belongs to a name.
pub(super) fn twin(url: &Url<'_>, part: Part) -> Option<&'static str> {
    const DELIMITERS: [&str; 9] = [":", "/", "?", "#", "=", "&", "%", ".", "@"];
    let text = &*url.candidate.text;
    let c = str::from_utf8(part.of(text)).ok()?.chars().next()?;
    if let Some(letters) = ligature(c) {
        return Some(letters);
    }
    let is_of_host = url.split.host.is_some_and(|host| host.contains(part));
    if c == '\u{3002}' && is_of_host {
        return Some(".");
    }
    let narrow = u32::from(c).checked_sub(0xFEE0)?;
    let is_twin = |delimiter: &&str| delimiter.chars().map(u32::from).eq([narrow]);
    let twin = DELIMITERS.into_iter().find(is_twin);
    let before = text[..part.range().start].last()?;
    let after = text.get(part.range().end)?;
    twin.filter(|_| is_of_host || (before.is_ascii() && after.is_ascii()))
}

/// Returns whether a sign at `part` is inside a word, where it has replaced letters: `(c)`, or the `&copy` of
/// `&copy=1`.
pub(super) fn is_joined_sign(url: &Url<'_>, part: Part) -> bool {
    const SIGNS: [&str; 5] = ["\u{A9}", "\u{AE}", "\u{B6}", "\u{A4}", "\u{2122}"];
    let text = &*url.candidate.text;
    let is_part =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'=');
    SIGNS.iter().any(|sign| part.of(text) == sign.as_bytes())
        && is_part(text[..part.range().start].last())
        && is_part(text.get(part.range().end))
}

/// Reports such characters anywhere, raw or encoded.
pub(super) fn bidi_invisible(url: &Url<'_>, report: &mut Report<'_>) {
    let text = &*url.candidate.text;
    // All of them lie beyond US-ASCII.
    if text.is_ascii() && !has_escape_beyond_ascii(text) {
        return;
    }
    let mut at = 0;
    while let Some((part, c)) = next_char(text, at) {
        at = part.end;
        if !report.wants(Rule::BidiInvisible) {
            break;
        }
        // Joiners belong to a host where IDNA 2008 allows them.
        let is_joiner = || {
            let in_host = url.split.host.is_some_and(|host| host.contains(part));
            matches!(c, Some('\u{200C}' | '\u{200D}')) && in_host
        };
        if !c.is_some_and(is_bidi_or_invisible) || is_joiner() && host_to_browsers(text).is_some() {
            continue;
        }
        let code = c.map_or(0, |c| c as u32);
        let message = Sentence::about(
            format!("U+{code:04X}"),
            "is|are invisible, or changes|change the direction of text",
        );
        let applicability = match c {
            // A character that changes the direction of text or joins letters may be intended.
            Some('\u{200B}' | '\u{FEFF}') => Unsafe,
            _ => DisplayOnly,
        };
        let finding = url.finding(Rule::BidiInvisible, part, message, "invisible");
        let is_escape = text.get(part.start as usize) == Some(&b'%');
        let fix = url.fix("remove it", applicability, part, "");
        let finding = finding.fix(fix.filter(|_| !is_escape));
        // Inside of a URL, an escape is part of a name that the site has chosen.
        report.add(finding.hint_if(is_escape && (part.end as usize) < text.len()));
    }
}

/// Returns whether `text` may have an escape of a byte beyond US-ASCII.
fn has_escape_beyond_ascii(text: &[u8]) -> bool {
    let is_beyond = |at: usize| {
        matches!(
            text.get(at + 1),
            Some(b'8'..=b'9' | b'A'..=b'F' | b'a'..=b'f')
        )
    };
    memchr::memchr_iter(b'%', text).any(is_beyond)
}

/// The character at the offset `at`, each byte of which may be encoded; `None` for a byte that is not
/// part of UTF-8.
fn next_char(text: &[u8], at: u32) -> Option<(Part, Option<char>)> {
    let unit = |at: u32| match escape_at(text, at as usize) {
        Some(byte) => Some((byte, at + Escape::LEN)),
        None => text.get(at as usize).map(|&byte| (byte, at + 1)),
    };
    let (first, next) = unit(at)?;
    let width = match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 1,
    };
    let mut bytes = [first, 0, 0, 0];
    let mut end = next;
    for slot in &mut bytes[1..width] {
        let Some((byte, next)) = unit(end) else { break };
        (*slot, end) = (byte, next);
    }
    match std::str::from_utf8(&bytes[..width]) {
        Ok(text) => Some((Part::at(at).before(end), text.chars().next())),
        Err(_) => Some((Part::at(at).before(next), None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deceptive_labels() {
        let cases = [
            ("paypal", None),
            ("pаypal", Some("mixes Latin and Cyrillic")),
            ("аррӏе", Some("looks like `apple`")),
            ("пример", None),
            ("münchen", None),
            ("læge", None),
            ("日本語テスト", None),
            ("한국어漢字", None),
            ("jp納豆", None),
            ("日本語のabc", None),
            ("abcㄅ漢", None),
            ("k한국漢", None),
            ("aかㄅ", Some("mixes Latin and Hiragana and Bopomofo")),
            ("aか한", Some("mixes Latin and Hiragana and Hangul")),
            ("aไทย", Some("mixes Latin and Thai")),
            ("αβγд", Some("mixes Greek and Cyrillic")),
        ];
        for (label, expected) in cases {
            let found = Deception::of(label, "com").map(|deception| deception.why);
            let predicate = found.as_deref().and_then(|why| why.split(':').next());
            assert_eq!(predicate, expected, "{label}");
        }
    }

    #[test]
    fn labels_below_a_domain_of_their_script() {
        let cases = [
            ("рос", "рф", false),
            ("срб", "срб", false),
            ("оса", "бел", false),
            ("рос", "com", true),
            ("αβ", "рф", false),
            ("роα", "рф", true),
            ("сор", "сор", true),
        ];
        for (label, top, expected) in cases {
            assert_eq!(Deception::of(label, top).is_some(), expected, "{label}");
        }
    }

    #[test]
    fn words_as_they_are_read() {
        let cases = [
            ("www.pаypal.com", "www.paypal.com"),
            ("https://ｐａｙｐａｌ。com/", "https://paypal.com/"),
            ("https://пример.рф/", "https://пример.рф/"),
            ("www.münchen.de", "www.münchen.de"),
        ];
        for (text, expected) in cases {
            assert_eq!(as_read(text), expected);
        }
    }

    #[test]
    fn characters_raw_and_encoded() {
        let chars = |text: &[u8]| {
            let mut at = 0;
            let mut found = Vec::new();
            while let Some((part, c)) = next_char(text, at) {
                at = part.end;
                found.push((part.range(), c));
            }
            found
        };
        assert_eq!(chars(b"a%41"), [(0..1, Some('a')), (1..4, Some('A'))]);
        assert_eq!(chars(b"%E2%80%8B"), [(0..9, Some('\u{200B}'))]);
        assert_eq!(
            chars(b"%E2\x80%8B!"),
            [(0..7, Some('\u{200B}')), (7..8, Some('!'))]
        );
        assert_eq!(chars(b"\xE2%80"), [(0..1, None), (1..4, None)]);
    }
}
