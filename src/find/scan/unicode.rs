//! The roles of characters outside ASCII at the end of a URL.

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
        // C1 controls, no-break space, guillemets.
        '\u{80}'..='\u{A0}' | '«' | '»' => Role::Boundary,
        // White space.
        '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' => {
            Role::Boundary
        }
        // Spaces, and the object replacement character.
        '\u{205F}' | '\u{3000}' | '\u{FFFC}' => Role::Boundary,
        // Quotation marks, the ellipsis, angle quotation marks.
        '\u{2018}'..='\u{201F}' | '\u{2026}' | '\u{2039}' | '\u{203A}' => Role::Boundary,
        // Commas, semicolons, question marks and full stops of Arabic, Hebrew, Armenian, Ethiopic and
        // the scripts of India.
        '،' | '؛' | '؟' | '۔' | '։' | '׃' | '।' | '॥' => Role::Boundary,
        '\u{1361}'..='\u{1368}' => Role::Boundary,
        // The dash between clauses.
        '\u{2014}' | '\u{2015}' => Role::Boundary,
        // Brackets.
        '\u{2045}' | '\u{2046}' | '\u{2308}'..='\u{230B}' | '\u{2329}' | '\u{232A}' => {
            Role::Boundary
        }
        '\u{2768}'..='\u{2775}' | '\u{27E6}'..='\u{27EF}' | '\u{2983}'..='\u{2998}' => {
            Role::Boundary
        }
        // CJK punctuation, its vertical and small forms, and fullwidth punctuation, except for the
        // iteration mark, the closing mark and the zero among them.
        '々' | '〆' | '〇' => Role::Unspaced,
        '\u{3001}'..='\u{303F}' | '\u{FE10}'..='\u{FE1F}' | '\u{FE30}'..='\u{FE6F}' => {
            Role::Boundary
        }
        '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}' => {
            Role::Boundary
        }
        '\u{FF5B}'..='\u{FF65}' => Role::Boundary,
        // Thai and Lao, Hangul, kana, bopomofo, ideographs.
        '\u{E00}'..='\u{EFF}' | '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{2FDF}' => Role::Unspaced,
        '\u{3040}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' => {
            Role::Unspaced
        }
        '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}' => {
            Role::Unspaced
        }
        '\u{FF66}'..='\u{FFDC}' | '\u{20000}'..='\u{3FFFF}' => Role::Unspaced,
        _ => Role::Letter,
    }
}

/// Returns whether `text` begins with white space or a control character outside ASCII, in UTF-8 or Latin-1.
pub(super) fn is_blank(text: &[u8]) -> bool {
    let len = urlint_standard::text::utf8::code_point_len(text);
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
        // Arrows, lines and corners of boxes, blocks, geometric shapes.
        '\u{2190}'..='\u{21FF}' | '\u{2500}'..='\u{25FF}' => true,
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
