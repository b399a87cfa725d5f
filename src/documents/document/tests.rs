//! Law 1, for all kinds of document.

use proptest::prelude::*;
use proptest::sample::select;

use super::prose::Escapes;
use super::prose::testing::shown;
use super::{Content, Depth, Kind, Parts, Scope};
use super::{asciidoc, calendar, csv, markdown, mediawiki, po, properties, roff, rst, rtf, tex};
use urlint_testing::tries;

/// The escapes of a kind; `None` if its own tests, or those of messages, compare bytes with the results of a parser.
fn escapes(kind: Kind) -> Option<&'static [&'static Escapes]> {
    Some(match kind {
        Kind::Markdown | Kind::Mdx | Kind::Kramdown => &[&markdown::ESCAPES],
        Kind::Rst => &[&rst::ESCAPES],
        Kind::Asciidoc => &[&asciidoc::ESCAPES],
        Kind::Mediawiki => &[&mediawiki::ESCAPES],
        Kind::Roff => &[&roff::ESCAPES],
        Kind::Tex => &[&tex::ESCAPES],
        Kind::Csv | Kind::Tsv => &[&csv::ESCAPES],
        // Its messages are in any markup.
        Kind::Po => &[&po::ESCAPES, &markdown::ESCAPES, &rst::ESCAPES],
        Kind::Calendar => &[&calendar::ESCAPES],
        Kind::Properties => &[&properties::ESCAPES],
        Kind::Rtf => &[&rtf::ESCAPES],
        Kind::Plain | Kind::Urls => &[],
        Kind::Html | Kind::Xml | Kind::Json | Kind::Mail | Kind::Mbox => return None,
    })
}

/// Sources of fragments that mean something in one of the languages, and of any bytes.
fn sources() -> impl Strategy<Value = Vec<u8>> {
    const FRAGMENTS: [&[u8]; 87] = [
        b"http://a.example/",
        b"mailto:x@y",
        b" ",
        b"\n",
        b"\n\n",
        b"\r\n",
        b"\r",
        b"\t",
        b"x",
        b"\\",
        b"\\_",
        b"\\-",
        b"\\\n",
        b"&amp;",
        b"&eacute;",
        b"&#x7e;",
        b"&",
        b";",
        b"\xC3\xA9",
        b"\xFF",
        b"[",
        b"]",
        b"(",
        b")",
        b"](",
        b"[x](http://b.example/\\_)",
        b"[x]: ",
        b"<",
        b">",
        b"`",
        b"``",
        b"```\n",
        b"> ",
        b"- ",
        b"| ",
        b"|-|-|\n",
        b"    ",
        b"# ",
        b"---\n",
        b"<a href=\"http://c/\">",
        b">`_",
        b".. _x: ",
        b".. image:: ",
        b"__ ",
        b"\n+---+---+\n",
        b"\n| ",
        b" | ",
        b"\n===  ===\n",
        b"   :target: ",
        b"link:",
        b"++",
        b":x: ",
        b"\n.UR ",
        b"\n.Lk \"",
        b"\\(ti",
        b"\\[u00E9]",
        b"\\fB",
        b"\\f(",
        b"\\*(",
        b"\\\"",
        b"\\url{",
        b"\\href{",
        b"}",
        b"{",
        b"url = {",
        b"%\n",
        b"URL",
        b":",
        b"\n ",
        b"\"",
        b"\"\n\"",
        b"\\n",
        b"\\,",
        b"\\\"",
        b"\\\\",
        b"\\x3a",
        b"\\072",
        b"\\777",
        b"\nmsgid \"",
        b"\nmsgid \"\"\n\"",
        b"\nmsgid_plural \"",
        b"\nmsgstr \"",
        b"\nmsgstr[0] \"",
        b"\nmsgstr[",
        b"\n#: ",
        b"\n#| ",
        b"\n#~ ",
    ];
    let piece = prop_oneof![
        12 => select(&FRAGMENTS[..]).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Returns the parts of `source` as it is, which is not decoded whatever its charset may be.
pub(super) fn undecoded(source: &[u8], kind: Kind, scope: Scope) -> Parts<'_> {
    let mut parts = Parts::default();
    kind.add_parts(source, scope, &mut parts);
    parts
}

/// Law 1: the source of each byte of each part is that byte, or decodes to it, or is markup that is
/// shown as white space; and running text is in the order of the source.
fn check(source: &[u8], kind: Kind, escapes: &[&Escapes]) {
    let parts = undecoded(source, kind, Scope::default());
    for part in parts.parts {
        let text = part.view.text();
        let mut last = 0;
        for (at, byte) in text.iter().enumerate() {
            let spans = part.view.map(at..at + 1);
            assert!(spans.end() <= source.len() as u64);
            let raw: Vec<u8> = spans
                .iter()
                .flat_map(|span| span.slice(source))
                .copied()
                .collect();
            let is_markup = matches!(byte, b' ' | b'\n');
            let decodes = |escapes: &&Escapes| escapes.decode(&raw).contains(byte);
            let is_source = raw == [*byte] || is_markup || escapes.iter().any(decodes);
            assert!(
                is_source,
                "{kind:?} {:?}: {byte} {raw:?}",
                String::from_utf8_lossy(source)
            );
            let is_in_order = last <= spans.start() || matches!(part.content, Content::Targets(_));
            assert!(is_in_order, "{:?}", String::from_utf8_lossy(source));
            last = spans.start();
        }
    }
    shown(source, kind, Depth::default());
}

proptest! {
    #![proptest_config(tries(1_000))]

    #[test]
    fn every_byte_maps_to_its_source(source in sources()) {
        for &kind in Kind::ALL {
            if let Some(escapes) = escapes(kind) {
                check(&source, kind, escapes);
            }
        }
    }
}

/// A string that holds HTML is read as HTML, in every container.
#[test]
fn strings_of_html() {
    const URL: &str = "ta http://a.example/x?a=1&b=2";
    for (kind, source) in [
        (Kind::Json, r#"{"a":"<p>See <a href=\"URL\">x<\/a></p>"}"#),
        (Kind::Json, r#"{"a":"<a href='URL'>x</a>, or"}"#),
        (Kind::Json, r#"{"a":"\n\u003cbr><a href='URL'>x</a>"}"#),
        (
            Kind::Json,
            r#"{"cells":[{"text/html":["x <a\n", "href='URL'>y"]}]}"#,
        ),
        (Kind::Csv, r#"a,"<a href=""URL"">x</a>""#),
        (Kind::Csv, "a,<a href='URL'>x</a>,b"),
        (Kind::Calendar, "X;FMTTYPE=text/html:x\\, <a href='URL'>y\n"),
        (Kind::Calendar, "DESCRIPTION:<a href='UR\n L'>y</a>\n"),
        (Kind::Xml, "<r><c><![CDATA[<a href='URL'>x</a>]]></c></r>"),
        (Kind::Xml, "<r><c>&lt;a href='URR'>x&lt;/a></c></r>"),
        (
            Kind::Xml,
            "<r><c Body='&lt;a href=\"URR\"&gt;x&lt;/a&gt;'/></r>",
        ),
        (Kind::Html, "<p data-x='<a href=\"URR\">x</a>'>"),
    ] {
        let encoded = source.replace("URR", "http://a.example/x?a=1&amp;amp;b=2");
        let encoded = encoded.replace("UR\n L", "http://a.example/x?a=1&am\n p;b=2");
        let encoded = encoded.replace("URL", "http://a.example/x?a=1&amp;b=2");
        assert_eq!(
            shown(encoded.as_bytes(), kind, Depth::default()),
            [URL],
            "{encoded}"
        );
    }
    // A URL in angle brackets is no tag, and text is no HTML.
    for (kind, source) in [
        (
            Kind::Json,
            r#"{"a":"<p>See <http://a.example/x?y=&amp;z>"}"#,
        ),
        (Kind::Json, r#"{"a":"<http://a.example/x?y=&amp;z>"}"#),
        (
            Kind::Json,
            r#"{"a":"if a <b> http://a.example/x?y=&amp;z"}"#,
        ),
        (Kind::Csv, "a,<http://a.example/x?y=&amp;z>,b"),
    ] {
        let urls = shown(source.as_bytes(), kind, Depth::default());
        assert_eq!(urls.len(), 1, "{source}");
        assert!(
            urls[0].ends_with("http://a.example/x?y=&amp;z"),
            "{source}: {urls:?}"
        );
    }
}

#[test]
fn vocabularies_of_xml() {
    for (source, urls) in [
        (
            "<xml><url><style face='normal'>http://a.example/x?a&amp;b</style></url></xml>",
            &["ta http://a.example/x?a&b"][..],
        ),
        ("<svg><style>a{b:url(http://a.example/)}</style></svg>", &[]),
        (
            "<mediawiki xmlns='urn:x'><page><text>{{c|url=http://a.example/x?id=3|title=T}} [http://a.example/?a&amp;amp;b c]</text></page></mediawiki>",
            &["ba http://a.example/x?id=3", "ta http://a.example/?a&b"],
        ),
    ] {
        assert_eq!(
            shown(source.as_bytes(), Kind::Xml, Depth::default()),
            urls,
            "{source}"
        );
    }
}

#[test]
fn a_message_of_apple_mail() {
    let message =
        "From: x\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.example/?a=3Db\n";
    let source = format!(
        "{} \n{message}<?xml?><!DOCTYPE plist PUBLIC 'http://b.example/'>",
        message.len()
    );
    assert_eq!(
        shown(source.as_bytes(), Kind::Mail, Depth::default()),
        ["ba http://a.example/?a=b"]
    );
}
