//! What characters outside ASCII mean for the end of a URL.

use crate::text::utf8::SOFT_HYPHEN;

/// What a character means for a URL before it.
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
        // The place of an object.
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
    let len = crate::text::utf8::code_point_len(text);
    match std::str::from_utf8(&text[..len]).map(|text| text.chars().next()) {
        Ok(Some(first)) => first.is_whitespace() || first.is_control() || first == '\u{FFFC}',
        _ => matches!(text[0], 0x80..=0xA0),
    }
}

/// Returns whether the last character of `text` is a letter or digit of a script with spaces
/// between words, in UTF-8 or else in Latin-1.
pub(super) fn ends_in_letter(text: &[u8]) -> bool {
    let start = text
        .iter()
        .rposition(|byte| byte & 0xC0 != 0x80)
        .unwrap_or(0);
    match std::str::from_utf8(&text[start..]).map(|last| last.chars().next()) {
        Ok(Some(last)) => last.is_alphanumeric() && role(last) == Role::Letter,
        _ => text.last().is_some_and(|&byte| byte >= 0xC0),
    }
}

/// Returns the length of the dash or zero-width character that ends `text`, in bytes.
pub(super) fn trailing(text: &[u8]) -> usize {
    const TRAILING: [&str; 26] = [
        SOFT_HYPHEN,
        "\u{2010}",
        "\u{2011}",
        "\u{2012}",
        "\u{2013}",
        "\u{2014}",
        "\u{2015}",
        "\u{200B}",
        "\u{200C}",
        "\u{200D}",
        "\u{2060}",
        "\u{FEFF}",
        // Marks of direction.
        "\u{061C}",
        "\u{200E}",
        "\u{200F}",
        "\u{202A}",
        "\u{202B}",
        "\u{202C}",
        "\u{202D}",
        "\u{202E}",
        "\u{2066}",
        "\u{2067}",
        "\u{2068}",
        "\u{2069}",
        // A bullet and a mark of a paragraph.
        "•",
        "¶",
    ];
    let ends = |mark: &&&str| text.ends_with(mark.as_bytes());
    let is_drawn = || match text {
        // Arrows, and lines and corners of boxes.
        [.., 0xE2, 0x86 | 0x87 | 0x94 | 0x95, 0x80..=0xBF] => "→".len(),
        _ => 0,
    };
    TRAILING
        .iter()
        .find(ends)
        .map_or_else(is_drawn, |mark| mark.len())
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
