//! Properties of the parts of all documents of HTML and XML.

use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use proptest::prelude::*;

use super::Value;
use crate::document::tests::undecoded;
use crate::document::{Content, Kind, Part, Parts, Scope};
use urlint_testing::tries;

const DEPTHS: [Scope; 2] = [
    Scope {
        deep: false,
        skip_code: false,
        unknown_schemes: false,
        mistakes: false,
        links: false,
        is_code: false,
        template: false,
        resolve: false,
        is_nested: false,
    },
    Scope {
        deep: true,
        skip_code: false,
        unknown_schemes: false,
        mistakes: false,
        links: false,
        is_code: false,
        template: false,
        resolve: true,
        is_nested: false,
    },
];

/// Fragments of documents, complete and incomplete.
const BITS: [&[u8]; 66] = [
    b"http://a.example/",
    b"mailto:",
    b"x",
    b" ",
    b"\n",
    b"\r\n",
    b"\t",
    b"\0",
    b"\xFF",
    b"\xE2\x82",
    "é".as_bytes(),
    b"&",
    b";",
    b"#",
    b"&amp;",
    b"&amp",
    b"&lt;",
    b"&gt",
    b"&#65;",
    b"&#x41",
    b"&#128;",
    b"&copy",
    b"&copy=",
    b"&NotEqualTilde;",
    b"&e;",
    b"&loop;",
    b"<",
    b">",
    b"/",
    b"=",
    b"\"",
    b"'",
    b"<a href=\"",
    b"<a href='",
    b"<a href=",
    b"<img srcset=\"",
    b"\">",
    b"'>",
    b"</a>",
    b"<b>",
    b"</b>",
    b"<p>",
    b"<br/>",
    b"<pre>",
    b"</pre>",
    b"<textarea>",
    b"</textarea>",
    b"<script>",
    b"</script>",
    b"<title>",
    b"</title>",
    b"<!--",
    b"-->",
    b"<!DOCTYPE x SYSTEM 'y' [",
    b"<!ENTITY e 'x'><!ENTITY loop SYSTEM \"",
    b"]>",
    b"<![CDATA[",
    b"]]>",
    b"<description>",
    b"</description>",
    b"<w:x xmlns:w='http://schemas.openxmlformats.org/'>",
    b"<w:p>",
    b"<w:t>",
    b"<w:instrText>HYPERLINK \"",
    b"</w:instrText>",
    b"<w:x w:instr='HYPERLINK ",
];

fn document(bits: &[&'static [u8]]) -> impl Strategy<Value = Vec<u8>> {
    let bit = proptest::sample::select(bits.to_vec());
    proptest::collection::vec(bit, 0..40).prop_map(|bits| bits.concat())
}

/// Decodes the references of the fragments, in another way than the views do.
fn decode_once(text: &str) -> String {
    let references = [
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&#65;", "A"),
        ("&#x41", "A"),
        ("&#128;", "€"),
        ("&#128;", "\u{80}"),
        ("&copy;", "©"),
        ("&NotEqualTilde;", "≂̸"),
        ("&gt;", ">"),
        ("&amp", "&"),
        ("&copy", "©"),
        ("&gt", ">"),
        ("&e;", "x"),
    ];
    let mut known = references.iter().filter(|(name, _)| text.starts_with(name));
    known.next().map_or(text.to_owned(), |(name, meaning)| {
        let also = known.next().filter(|(other, _)| other == name);
        let also = also.map_or("", |(_, meaning)| meaning);
        format!("{meaning}{also}{}", decode_rest(&text[name.len()..]))
    })
}

fn decode_rest(text: &str) -> String {
    match text.char_indices().find(|&(at, c)| c == '&' && at == 0) {
        Some(_) => decode_once(text),
        None => match text.chars().next() {
            Some(first) => format!("{first}{}", decode_rest(&text[first.len_utf8()..])),
            None => String::new(),
        },
    }
}

/// Returns whether `byte` of a view may have come from `own`.
fn stands_for(own: &[u8], byte: u8) -> bool {
    if own == [byte] {
        return true;
    }
    let mut text = String::from_utf8_lossy(own).into_owned();
    for _ in 0..3 {
        let is_edge = text.is_empty() || text.starts_with('<') && text.ends_with('>');
        if text.as_bytes().contains(&byte) && own.first() == Some(&b'&')
            || is_edge && matches!(byte, b'\n' | b' ')
        {
            return true;
        }
        text = decode_rest(&text);
    }
    false
}

fn check(source: &[u8], part: &Part<'_>) -> Result<(), TestCaseError> {
    let view = &part.view;
    let mut last = 0;
    for (at, &byte) in view.text().iter().enumerate() {
        let spans = view.map(at..at + 1);
        prop_assert!(
            spans.start() >= last,
            "not in the order of the source at {at}"
        );
        prop_assert!(spans.end() <= source.len() as u64);
        last = spans.start();
        let own = urlint_standard::Span::new(spans.start(), spans.end()).slice(source);
        prop_assert!(
            stands_for(own, byte),
            "{:?} at {at} is not from {own:?}",
            byte as char
        );
    }
    if let Content::Targets(ranges) = &part.content {
        let mut end = 0;
        for range in ranges {
            prop_assert!(
                end <= range.start && range.end <= view.text().len(),
                "{range:?}"
            );
            end = range.end;
        }
    }
    Ok(())
}

/// A text with its line breaks as HTML normalizes them.
fn normal(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text).replace("\r\n", "\n");
    text.replace('\r', "\n").replace('\0', "\u{FFFD}")
}

/// The text, and the values of `href` and all values that are URLs, as the tokenizer decodes them.
fn tokenized(source: &[u8]) -> (String, Vec<String>) {
    let (mut text, mut values, mut is_href) = (Vec::new(), Vec::new(), false);
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| {
        match event {
            CallbackEvent::String { value } => text.extend_from_slice(value),
            CallbackEvent::OpenStartTag { .. } => is_href = false,
            CallbackEvent::AttributeName { name } => is_href = name == b"href",
            CallbackEvent::AttributeValue { value }
                if is_href || Value::of(value) == Value::Url =>
            {
                values.push(normal(value));
            }
            _ => {}
        }
        None::<Infallible>
    });
    let Ok(()) = Tokenizer::new_with_emitter(source, emitter).finish();
    (normal(&text), values)
}

fn texts(part: &Part<'_>) -> Vec<String> {
    let text = part.view.text();
    match &part.content {
        Content::Targets(ranges) => {
            let values = ranges.iter().map(|range| normal(&text[range.clone()]));
            values.collect()
        }
        _ => Vec::new(),
    }
}

proptest! {
    #![proptest_config(tries(1500))]

    /// Law 1: decoding the span of a byte gives the byte.
    #[test]
    fn every_byte_maps_to_its_source(source in document(&BITS)) {
        for kind in [Kind::Html, Kind::Xml] {
            for scope in DEPTHS {
                for part in &undecoded(&source, kind, scope).parts {
                    check(&source, part)?;
                }
            }
        }
    }

    /// The attributes are those that the tokenizer finds, decoded as it decodes them.
    #[test]
    fn values_are_those_of_the_tokenizer(source in document(&[
        b"http://a.example/", b" ", b"\n", b"\r\n", b"\0", b"\xFF", b"\xE2\x82", b"&amp;", b"&am", b"&",
        b"&#65", b"&#0;", b"&#x110000;", b"&#150;", b"&copy", b"=", b"1", b"&notit;", b"&NotEqualTilde;",
        b"<a href=\"", b"<a href='", b"<a href=", b"<A\nHREF = ", b"href=", b"\">", b"'>", b">", b"/", b"<b>",
        b"\"", b"'", b"x", b"<!-- ", b"-->", b"&;", b"&#", b"&#x;", b"&#xD800",
    ])) {
        let parts = undecoded(&source, Kind::Html, Scope::default());
        let ours: Vec<_> = parts.parts.iter().flat_map(texts).collect();
        let (_, mut values) = tokenized(&source);
        values.retain(|value| value.contains(':'));
        let ours: Vec<_> = ours.into_iter().filter(|value| value.contains(':')).collect();
        // Attributes of a tag that never ends are not read.
        let is_whole = parts.notices.is_empty();
        prop_assert!(!is_whole || ours == values, "{ours:?} {values:?}");
        prop_assert!(values.starts_with(&ours), "{ours:?} {values:?}");
    }

    /// The text is the tokenizer's, if no tag shows anything in it: tags around a URL do.
    #[test]
    fn text_is_that_of_the_tokenizer(source in document(&[
        b"a.example/x", b" ", b"\n", b"\r\n", b"\xFF", b"\xE2\x82", b"&amp;", b"&am", b"&", b"&#65",
        b"&#0;", b"&#x110000;", b"&#150;", b"&copy", b"=", b"1", b"&notit;", b"&NotEqualTilde;", b"<b>",
        b"<i class=x>", b"</b>", b"<!-- x -->", b"<", b"< ", b"<3", b"&lt", b"\"", b"'", b"<?x>", b"<!DOCTYPE x>",
    ])) {
        let parts = undecoded(&source, Kind::Html, Scope::default());
        if parts.notices.is_empty() {
            let is_text = |part: &&Part<'_>| !matches!(part.content, Content::Targets(_));
            let ours = parts.parts.iter().filter(is_text);
            let ours: Vec<_> = ours.map(|part| part.view.text()).collect();
            let (text, _) = tokenized(&source);
            prop_assert_eq!(normal(&ours.concat()), text, "{}", source.escape_ascii());
        }
    }

    #[test]
    fn nothing_panics(source in proptest::collection::vec(any::<u8>(), 0..200)) {
        for kind in [Kind::Html, Kind::Xml] {
            for part in &undecoded(&source, kind, DEPTHS[1]).parts {
                let spans = part.view.map(0..part.view.text().len());
                prop_assert!(spans.end() <= source.len() as u64);
            }
        }
    }
}

#[test]
fn hostile_documents_take_memory_in_proportion() {
    let heads = [
        "",
        "<a ",
        "<a href=\"",
        "<!--",
        "<pre>",
        "<x y='",
        "<!DOCTYPE x [",
        "<!DOCTYPE x [<!ENTITY e 'http://a.example/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx '>]>",
        "<description>",
        "<w:x xmlns:w='http://schemas.openxmlformats.org/'>",
    ];
    let units = [
        "<",
        "<a href=",
        "<a ",
        "x=y ",
        "<pre>",
        "</pre>",
        "<b>",
        "<!---->",
        "<!--a-->",
        "&",
        "&#",
        "&a",
        "&lt;",
        "&e;",
        "<!DOCTYPE x []>",
        "&#x1;",
        "\0",
        "<p>a",
        "x",
        "</x>",
        "<x>",
        "<!ENTITY a \"",
        "<!ENTITY a 'b'>",
        "<![CDATA[]]>",
        "<description>&lt;b&gt;</description>",
        "<description>",
        "a=http://b ",
        ", ",
        "[",
        "<?x?>",
        "'\"",
        "<script>",
        "</script",
        "<title>",
        "<img srcset=\"a ( b\">",
        "<w:instrText>HYPERLINK &quot;",
        "<w:instrText>HYPERLINK a:b</w:instrText><w:p/>",
        "<w:x w:instr='HYPERLINK a:b'/>",
        "<w:t>a</w:t>",
    ];
    for (head, tail) in heads
        .into_iter()
        .flat_map(|head| [(head, ""), (head, "'\">]>")])
    {
        for unit in units {
            for kind in [Kind::Html, Kind::Xml] {
                let source = [head, &unit.repeat(20_000 / unit.len()), tail].concat();
                let parts = Parts::of(source.as_bytes(), kind, DEPTHS[1]);
                let kept: usize = parts.parts.iter().map(|part| part.view.text().len()).sum();
                assert!(
                    kept <= 6 * source.len() + 10,
                    "{head}{unit}… {kind}: {kept}"
                );
            }
        }
    }
}
