#![expect(clippy::unwrap_used, reason = "a test may fail")]

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, GB18030, GBK, KOI8_R, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252,
};
use proptest::prelude::*;

use super::*;
use urlint_find::Finder;
use urlint_testing::tries;

fn text_of(source: &[u8], label: &str) -> String {
    let view = decode(source, label.as_bytes()).unwrap();
    String::from_utf8(view.text().to_vec()).unwrap()
}

#[test]
fn decodes() {
    let cases: &[(&str, &[u8], &str)] = &[
        ("iso-8859-1", b"caf\xE9 \x80", "café €"),
        ("ISO-8859-15", b"\xA4", "€"),
        ("windows-1251", b"", ""),
        ("koi8-r", b"\xD0\xD2 x", "пр x"),
        ("gb2312", b"a\xD6\xD0\xB9\xFAb", "a中国b"),
        ("gb18030", b"\x81\x30\x81\x30.", "\u{80}."),
        ("big5", b"\xA4\xA4.\x88\x62", "中.\u{CA}\u{304}"),
        ("shift_jis", b"\x93\xFA\xB1\xB2\x5C", "日ｱｲ\\"),
        ("cp932", b"\x93\xFA", "日"),
        ("euc-jp", b"\xC6\xFC\x8E\xB1\x8F\xB0\xA1", "日ｱ丂"),
        ("ks_c_5601-1987", b"\xC7\xD1", "한"),
        ("utf-16", b"a\0\xE9\0\x3D\xD8\x00\xDE", "aé😀"),
        ("utf-16be", b"\0a\xD8\x3D.", "a\u{FFFD}\u{FFFD}"),
        ("utf-8", b"\xFE\xFF\0a", "a"),
        ("utf-8", b"\xFF\xFEa\0", "a"),
        // Broken sequences.
        ("gbk", b"a\xD6", "a\u{FFFD}"),
        ("gbk", b"a\xD6\nb", "a\u{FFFD}\nb"),
        ("big5", b"\xA4/x", "\u{FFFD}/x"),
        ("gb18030", b"\x81\x30\x81.x", "\u{FFFD}0\u{FFFD}.x"),
        ("gb18030", b"\x81\x30", "\u{FFFD}"),
        ("euc-jp", b"\xC6", "\u{FFFD}"),
    ];
    for &(label, source, text) in cases {
        assert_eq!(text_of(source, label), text, "{label} {source:?}");
    }
}

#[test]
fn iso_2022_jp() {
    let cases = [
        ("a $B$3$l(B b", "a これ b"),
        // Escapes to JIS X 0201 Roman, and escapes without text between.
        ("\u{1b}(Jhttp://a/~b\u{1b}(B", "http://a/~b"),
        (" \u{1b}$B\u{1b}(B\u{1b}$B$3\u{1b}(B", " こ"),
        (" \u{1b}(I12\u{1b}(B.", " ｱｲ."),
        // The end of a line returns to US-ASCII without an escape.
        (" \u{1b}$B$3\nhttp://a/", " こ\nhttp://a/"),
        (" \u{1b}$B$\nb", " \u{FFFD}\nb"),
        ("a\u{1b}[b", "a\u{FFFD}[b"),
        // The escape is kept where a URL may end.
        ("x:a/\u{1b}$B$3\u{1b}(Bb", "x:a/\u{1b}こb"),
        ("x: a/\u{1b}$B$3\u{1b}(Bb", "x: a/こb"),
    ];
    for (source, text) in cases {
        let source = source.replace("$B$3$l(B", "\u{1b}$B$3$l\u{1b}(B");
        assert_eq!(
            text_of(source.as_bytes(), "iso-2022-jp"),
            text,
            "{source:?}"
        );
    }
}

#[test]
fn an_escape_is_in_no_candidate() {
    let source = b"http://a.example/\x1b$B$r$4Mw$/$@$5$$\x1b(B http://b.example/x\x1b$B$3\x1b(B";
    let view = decode(source, b"ISO-2022-JP").unwrap();
    let found: Vec<_> = view.find(&Finder::default()).collect();
    let urls: Vec<_> = found.iter().map(urlint_find::Candidate::url).collect();
    assert_eq!(urls, [&b"http://a.example/"[..], b"http://b.example/x"]);
    assert_eq!(found[0].outer, Span::new(0, 17));
    assert_eq!(found[1].outer.slice(source), b"http://b.example/x");
}

#[test]
fn text_without_encoding_is_borrowed() {
    let ascii: &[u8] = b"http://a.example/";
    let utf_8 = "é".as_bytes();
    let cases: [(&str, &[u8]); 6] = [
        ("utf-8", b"\xFFx"),
        ("UTF8", utf_8),
        (" us-ascii", utf_8),
        ("iso-8859-1", ascii),
        ("gb2312", ascii),
        ("iso-2022-jp", ascii),
    ];
    for (label, source) in cases {
        let view = decode(source, label.as_bytes());
        assert_eq!(view, Ok(View::borrowed(source, 0)), "{label}");
    }
}

#[test]
fn charsets_are_guessed() {
    let chinese = "请看这个网站 http://a.example/x，里面有很多我们需要的资料和新闻。";
    let japanese = "こちらのページ http://a.example/x。詳しいことは次のとおりです。";
    let korean = "다음 페이지를 보십시오 http://a.example/x。 여러 가지 자료가 있습니다.";
    for (text, encoding) in [
        (chinese, GBK),
        (japanese, SHIFT_JIS),
        (japanese, EUC_JP),
        (korean, EUC_KR),
    ] {
        let (bytes, ..) = encoding.encode(text);
        assert_eq!(guess(&bytes), Some(encoding.name()));
        assert_eq!(text_of(&bytes, encoding.name()), text);
    }
    let french = "Voilà le café d'été: http://a.example/été, où l'on va bientôt.";
    let russian = "Подробности см. на http://a.example/x»";
    for (text, encoding) in [
        (french, WINDOWS_1252),
        (russian, WINDOWS_1251),
        (russian, KOI8_R),
    ] {
        let (bytes, ..) = encoding.encode(text);
        let guessed = guess(&bytes).unwrap();
        assert_eq!(
            text_of(&bytes, guessed),
            text_of(&bytes, encoding.name()),
            "{guessed}"
        );
    }
    for none in [
        &b"http://a.example/"[..],
        chinese.as_bytes(),
        b"",
        b"http://a.example/\xFF \xE9t\xE9",
        b"\x1b[1m",
    ] {
        assert_eq!(guess(none), None, "{}", none.escape_ascii());
    }
    assert_eq!(
        guess(b"\x1b$B8+\x1b(B http://a.example/"),
        Some("ISO-2022-JP")
    );
    // Cut in the middle of a character.
    let long = "é".repeat(GUESSED);
    assert_eq!(guess(&long.as_bytes()[1..]), None);
    assert_eq!(guess(long.as_bytes()), None);
}

proptest! {
    #![proptest_config(tries(256))]

    /// Text that is known to be Latin is none that the detector takes for East Asian.
    #[test]
    fn latin_is_not_east_asian(
        before in prop::collection::vec(any::<u8>(), 0..40),
        last in 0..0x80u8,
        alone in 0xE1..=0xFCu8,
        next in 0..=b'/',
        after in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let text = [before, vec![last, alone, next], after].concat();
        prop_assert!(is_latin(&text));
        let guessed = guess(&text).map(|name| Encoding::for_label(name.as_bytes()).unwrap());
        prop_assert!(guessed.is_none_or(Encoding::is_single_byte));
    }

    /// A line in ASCII tells the detector nothing, wherever it is.
    #[test]
    fn only_lines_beyond_ascii_are_scored(
        lines in prop::collection::vec(prop_oneof![bytes(), r"[ -~]{0,20}\r?".prop_map(Vec::from)], 0..9),
    ) {
        let detected = |text: &[u8]| {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
            detector.feed(text, true);
            detector.guess(None, Utf8Detection::Deny)
        };
        let text = lines.join(&b'\n');
        let few = beyond_ascii(&text);
        prop_assert_eq!(detected(&text), detected(&few));
        prop_assert_eq!(is_mostly_utf_8(&text), is_mostly_utf_8(&few));
    }
}

#[test]
fn unknown_charsets() {
    for label in ["", "x-unknown", "iso-2022-kr", "hz-gb-2312", "é"] {
        assert_eq!(
            decode(b"x", label.as_bytes()),
            Err(UnknownCharset),
            "{label}"
        );
    }
}

#[test]
fn declarations() {
    let markup: [(&[u8], Option<&str>); 9] = [
        (b"<meta charset=koi8-r>\xC1", Some("koi8-r")),
        (
            b"<META content='text/html; CharSet = \"GBK\"'>\xC1",
            Some("GBK"),
        ),
        (
            b"<?xml version='1.0' encoding='ISO-8859-1'?>\xE9",
            Some("ISO-8859-1"),
        ),
        (b"<meta charset='iso-2022-jp'>\x1B$B", Some("iso-2022-jp")),
        (
            b"<script charset=gbk></script><meta charset=koi8-r>\xC1",
            Some("koi8-r"),
        ),
        (b"<p>charset=koi8-r \xC1", None),
        (b"<meta charset=utf-16le>\xC1", None),
        (b"<a x=1>\xC1", None),
        (b"", None),
    ];
    for (markup, label) in markup {
        assert_eq!(
            declared(markup, true),
            label.map(str::as_bytes),
            "{markup:?}"
        );
    }
    for (text, label) in [
        ("\"Content-Type: text/plain; charset=EUC-JP\\n\"", "EUC-JP"),
        (
            "\"Last-Translator: A <a@b.example>\\n\"\n\"charset=KOI8-R\\n\"",
            "KOI8-R",
        ),
        ("# -*- mode: x; coding: euc-jp -*-", "euc-jp"),
        ("'\\\" -*- coding: euc-jp -*-", "euc-jp"),
        ("# vim: set fileencoding=gbk :", "gbk"),
        ("@charset \"big5\";", "big5"),
        ("\\usepackage[latin1]{inputenc}", "latin1"),
        ("the text says charset=unknown, coding: none", ""),
        ("encoding: see below", ""),
    ] {
        let text = [text.as_bytes(), b"\n\xC1\xC1"].concat();
        let label = Some(label.as_bytes()).filter(|label| !label.is_empty());
        assert_eq!(declared(&text, false), label, "{}", text.escape_ascii());
    }
    assert_eq!(of(b"<meta charset=koi8-r>a", true), None);
    let surrogates = b"Gr\xED\xB3\xB6\xED\xB3\x9Fe: http://a.example/caf\xED\xB3\xA9";
    assert_eq!(of(surrogates, false), None);
    let late = [&[b' '; 2048][..], b"<meta charset=koi8-r>\xC1"].concat();
    assert_eq!(declared(&late, true), Some(&b"koi8-r"[..]));
    let late = [&[b' '; DECLARED][..], b"<meta charset=koi8-r>\xC1"].concat();
    assert_eq!(declared(&late, true), None);
}

#[test]
fn bytes_that_are_not_utf_8_beside_a_url() {
    for (text, expected) in [
        (&b"http://a.example/"[..], false),
        (b"\xD1\xEC. http://a.example/ \xE9", false),
        (b"\xD1\xEC.http://a.example/).\xE9", false),
        ("詳細はhttp://a.example/を。".as_bytes(), false),
        ("細はhttp://a.example/été".as_bytes(), false),
        (b"\xD4\xDAhttp://a.example/", true),
        (
            b"\xB1\xA4\xB2\xB1\xA4\xB2\xB1\xA4\xB2\xB1http://a.example/",
            true,
        ),
        (b"\xA5\x5Chttp://a.example/", true),
        (b"http://a.example/\xA1\xA3", true),
        (b"http://a.example/\xE9t\xE9", true),
    ] {
        assert_eq!(is_touched(text), expected, "{}", text.escape_ascii());
    }
    let long = [
        "長".repeat(99),
        "http://a.example/".to_owned(),
        "長".repeat(99),
    ]
    .concat();
    assert!(!is_touched(long.as_bytes()));
}

#[test]
fn only_documents_whose_urls_touch_other_bytes_are_guessed() {
    let text = "請參閱 http://a.example/x，裡面有許多資料與新聞。";
    let (bytes, ..) = BIG5.encode(text);
    assert_eq!(of(&bytes, false), Some(&b"Big5"[..]));
    let (apart, ..) = BIG5.encode("請參閱 http://a.example/x ，裡面有許多資料與新聞。");
    assert_eq!(of(&apart, false), None);
    assert_eq!(of(text.as_bytes(), false), None);
    let stray = [text.as_bytes(), b" http://a.example/\xE9"].concat();
    assert_eq!(of(&stray, false), None, "mostly UTF-8");
    let (declared, ..) = EUC_JP.encode("# coding: euc-jp\n詳細はhttp://a.example/を。");
    assert_eq!(of(&declared, false), Some(&b"euc-jp"[..]));
    let (of_others, ..) =
        EUC_JP.encode("echo 'charset=utf-8'; // 日本語の説明です。詳細はhttp://a.example/を。");
    assert_eq!(of(&of_others, false), Some(&b"EUC-JP"[..]));
    let japanese = b"<p>\x1B$B;2>H\x1B(B http://a.example/";
    assert_eq!(of(japanese, true), Some(&b"ISO-2022-JP"[..]));
    assert_eq!(of(japanese, false), None, "read rightly as it is");
    assert_eq!(of(b"a\0b\0c\0d\0", false), Some(&b"UTF-16LE"[..]));
}

/// Encodings whose bytes can be decoded without the text before them.
static STATELESS: [&Encoding; 9] = [
    BIG5,
    EUC_JP,
    EUC_KR,
    GB18030,
    GBK,
    KOI8_R,
    SHIFT_JIS,
    WINDOWS_1251,
    WINDOWS_1252,
];

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        any::<u8>(),
        0x81..=0xFEu8,
        prop::sample::select(&b"a/ \n0@A~\x1b"[..]),
    ];
    prop::collection::vec(piece, 0..40)
}

/// The ranges of the characters of a text.
fn characters(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let text = std::str::from_utf8(text).unwrap();
    let range = |(at, character): (usize, char)| at..at + character.len_utf8();
    text.char_indices().map(range).collect()
}

proptest! {
    #![proptest_config(tries(256))]

    /// The text equals the output of the decoder for all bytes at once.
    #[test]
    fn steps_do_not_matter(source in bytes(), encoding in prop::sample::select(&STATELESS[..])) {
        let view = decode(&source, encoding.name().as_bytes()).unwrap();
        if Encoding::for_bom(&source).is_none() {
            let (whole, _) = encoding.decode_without_bom_handling(&source);
            prop_assert_eq!(view.text(), whole.as_bytes());
        }
    }

    /// Law 1: decoding the source of each character gives it, and each byte is in a character.
    #[test]
    fn every_character_knows_where_it_came_from(
        source in bytes(),
        encoding in prop::sample::select(&STATELESS[..]),
    ) {
        prop_assume!(Encoding::for_bom(&source).is_none());
        let view = decode(&source, encoding.name().as_bytes()).unwrap();
        let mut end = 0;
        for range in characters(view.text()) {
            let spans = view.map(range.clone());
            prop_assert_eq!(spans.iter().count(), 1);
            prop_assert!(spans.start() == end || (spans.start() < end && spans.end() == end));
            end = spans.end();
            let part = &source[spans.start() as usize..end as usize];
            let (again, _) = encoding.decode_without_bom_handling(part);
            let character = std::str::from_utf8(&view.text()[range]).unwrap();
            prop_assert!(again.contains(character), "{part:?} {character:?}");
        }
        prop_assert_eq!(end, source.len() as u64);
    }

    #[test]
    fn every_character_of_utf_16_knows_where_it_came_from(units in prop::collection::vec(any::<u16>(), 0..20)) {
        let source: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        prop_assume!(Encoding::for_bom(&source).is_none());
        let view = decode(&source, b"utf-16be").unwrap();
        let text = String::from_utf16_lossy(&units);
        prop_assert_eq!(view.text(), text.as_bytes());
        let mut end = 0;
        for range in characters(view.text()) {
            let spans = view.map(range.clone());
            prop_assert_eq!((spans.start(), spans.iter().count()), (end, 1));
            end = spans.end();
        }
        prop_assert_eq!(end, source.len() as u64);
    }

    /// Any bytes are decoded to UTF-8, and the characters come from the source in order.
    #[test]
    fn iso_2022_jp_of_anything(source in r"([a/ \n!-~]|\x1b\$B|\x1b\(B|\x1b\(I|\x1b|\$3){0,30}") {
        let view = decode(source.as_bytes(), b"iso-2022-jp").unwrap();
        let mut end = 0;
        for range in characters(view.text()) {
            let spans = view.map(range);
            prop_assert!(spans.start() >= end || spans.end() == end);
            end = spans.end();
        }
        prop_assert!(end <= source.len() as u64);
    }
}
