//! The roles of characters outside ASCII at the end of a URL.

use urlint_standard::text::ascii::WordList;
use urlint_standard::text::utf8::code_point_len;

/// The role of a character after a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It ends the URL: white space, quotation marks, brackets, CJK and fullwidth punctuation.
    Boundary,
    /// A letter of a script without spaces between words: directly after an ASCII letter or digit
    /// it is part of the text rather than of the URL.
    Unspaced,
    /// Anything else: part of the URL, even if it ought to be encoded.
    Letter,
}

/// Returns the role of `character`, which is not ASCII.
pub(crate) fn role(character: char) -> Role {
    match character {
        // White space and controls, guillemets, the object replacement character.
        _ if character.is_whitespace() || character.is_control() => Role::Boundary,
        '«' | '»' | '\u{FFFC}' => Role::Boundary,
        // Quotation marks, the ellipsis, angle quotation marks.
        '\u{2018}'..='\u{201F}' | '\u{2026}' | '\u{2039}' | '\u{203A}' => Role::Boundary,
        // Commas, semicolons, question marks and full stops of Arabic, Hebrew, Armenian, Ethiopic and
        // the scripts of India.
        '،' | '؛' | '؟' | '۔' | '։' | '׃' | '।' | '॥' => Role::Boundary,
        // Full stops of Burmese and Khmer.
        '\u{1361}'..='\u{1368}' | '\u{104A}' | '\u{104B}' | '\u{17D4}' | '\u{17D5}' => {
            Role::Boundary
        }
        // The sign of a number, arrows.
        '№' | '\u{2190}'..='\u{21FF}' => Role::Boundary,
        // The dash between clauses.
        '\u{2014}' | '\u{2015}' => Role::Boundary,
        // Brackets.
        '\u{2045}' | '\u{2046}' | '\u{2308}'..='\u{230B}' | '\u{2329}' | '\u{232A}' => {
            Role::Boundary
        }
        '\u{2768}'..='\u{2775}' | '\u{27E6}'..='\u{27EF}' | '\u{2983}'..='\u{2998}' => {
            Role::Boundary
        }
        // CJK punctuation, its vertical and small forms, and fullwidth punctuation.
        '\u{FE20}'..='\u{FE2F}' => Role::Letter,
        '\u{3001}'..='\u{303F}' | '\u{FE10}'..='\u{FE6F}' | '\u{FF01}'..='\u{FF65}'
            if !character.is_alphanumeric() =>
        {
            Role::Boundary
        }
        // Thai and Lao, Hangul, kana, bopomofo, ideographs.
        '\u{E00}'..='\u{EFF}' | '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{31FF}' => Role::Unspaced,
        '\u{3400}'..='\u{9FFF}' | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}' => {
            Role::Unspaced
        }
        '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FFDC}' | '\u{20000}'..='\u{3FFFF}' => {
            Role::Unspaced
        }
        _ => Role::Letter,
    }
}

/// Returns whether `text` goes on with the sentence around a URL: with Japanese or Korean particles, after which no
/// more of the script comes, as it does in a name, unless it is `を`, which no name begins with.
pub(super) fn begins_particle(text: &str) -> bool {
    const PARTICLES: WordList =
        WordList("から まで より に へ で の は が と も 에서 에 으로 로 를 을 은 는 의 입니다");
    let goes_on = |next: char| matches!(next, '\u{3041}'..='\u{309F}' | '\u{AC00}'..='\u{D7A3}');
    let mut rest = PARTICLES
        .iter()
        .filter_map(|particle| text.strip_prefix(particle));
    text.starts_with('を') || rest.any(|rest| !rest.starts_with(goes_on) || begins_particle(rest))
}

/// Returns whether `text`, which follows ASCII in quotation marks or brackets, goes on with a sentence.
pub(super) fn begins_text(text: &[u8]) -> bool {
    let near = String::from_utf8_lossy(&text[..text.len().min(64)]);
    near.starts_with(['、', '。', '，', '！', '？']) || begins_particle(&near)
}

/// Returns whether `rest`, which follows a scheme, shows that the scheme is a word of the text: `http://-Links`,
/// `http://로 시작`.
pub(super) fn is_word(rest: &[u8]) -> bool {
    let is_word = match rest {
        [b'-', letter, ..] => letter.is_ascii_alphabetic() || *letter >= 0x80,
        [first, ..] if *first >= 0x80 => ends_unspaced(&rest[..code_point_len(rest)]),
        _ => false,
    };
    is_word && !rest.contains(&b'.')
}

/// Returns whether `text` ends in a letter of a script without spaces between words.
pub(super) fn ends_unspaced(text: &[u8]) -> bool {
    last(text).is_some_and(|last| role(last) == Role::Unspaced)
}

/// Returns whether `text` begins with white space or a control character outside ASCII, in UTF-8 or Latin-1.
pub(super) fn is_blank(text: &[u8]) -> bool {
    let len = code_point_len(text);
    match std::str::from_utf8(&text[..len]).map(|text| text.chars().next()) {
        Ok(Some(first)) => first.is_whitespace() || first.is_control() || first == '\u{FFFC}',
        _ => matches!(text[0], 0x80..=0xA0),
    }
}

/// Returns the length of the brackets of CJK that `text` begins with, and of the name in them.
pub(super) fn bracketed(text: &[u8]) -> Option<usize> {
    const PAIRS: &str = "【】《》「」『』〈〉〔〕";
    let mut pairs = PAIRS.as_bytes().chunks(2 * "【".len());
    let pair = pairs.find(|pair| text.starts_with(&pair[.."【".len()]))?;
    let (opener, closer) = pair.split_at("【".len());
    let name = &text[opener.len()..];
    let name = &name[..memchr::memmem::find(name, closer)?];
    let is_of_name = |byte: &u8| *byte > b' ' && !b"<>\"`\x7F".contains(byte);
    let is_name = !name.is_empty() && name.iter().all(is_of_name);
    is_name.then_some(opener.len() + name.len() + closer.len())
}

/// Returns the last character of `text`, if it is in UTF-8.
fn last(text: &[u8]) -> Option<char> {
    let start = text.iter().rposition(|byte| byte & 0xC0 != 0x80)?;
    std::str::from_utf8(&text[start..]).ok()?.chars().next()
}

/// Returns whether the last character of `text` is a letter or digit of a script with spaces
/// between words, in UTF-8 or else in Latin-1.
pub(super) fn ends_in_letter(text: &[u8]) -> bool {
    match last(text) {
        Some(last) => last.is_alphanumeric() && role(last) == Role::Letter,
        None => text.last().is_some_and(|&byte| byte >= 0xC0),
    }
}

/// Returns the length of the character that ends `text`, in bytes, if it belongs to the text after a URL.
pub(super) fn trailing(text: &[u8]) -> usize {
    let is_trailing = |last: &char| match last {
        // The soft hyphen, hyphens and dashes.
        '\u{AD}' | '\u{2010}'..='\u{2015}' => true,
        // Characters without a width.
        '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}' => true,
        // Marks of direction.
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' => true,
        '\u{2066}'..='\u{2069}' => true,
        // Bullets and a mark of a paragraph.
        '•' | '‣' | '·' | '¶' => true,
        // Hyphens and quotation marks of Hebrew.
        '־' | '׳' | '״' => true,
        // Lines and corners of boxes, blocks, geometric shapes.
        '\u{2500}'..='\u{25FF}' => true,
        _ => false,
    };
    last(text).filter(is_trailing).map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles() {
        for boundary in "\u{A0}«»“”‘’…「」（），。、！\u{3000}\u{2028}〈〉".chars()
        {
            assert_eq!(role(boundary), Role::Boundary, "{boundary:?}");
        }
        for unspaced in "謝あア한ไทย々".chars() {
            assert_eq!(role(unspaced), Role::Unspaced, "{unspaced:?}");
        }
        for letter in "éß€–Ж\u{AD}\u{200B}".chars() {
            assert_eq!(role(letter), Role::Letter, "{letter:?}");
        }
    }
}
