//! Where URLs begin and end.

use proptest::prelude::*;

use super::find;
use urlint_testing::tries;

fn found(text: &str) -> Vec<String> {
    let urls = find(text.as_bytes()).map(|found| String::from_utf8_lossy(&found.text).into_owned());
    urls.collect()
}

#[test]
fn slashes_with_backslashes() {
    let cases = [
        (
            r#"{"u":"http:\/\/a.example\/b?c"}"#,
            Some("http://a.example/b?c"),
        ),
        (
            r#"'{\"u\":\"https:\/\/a.example\"}'"#,
            Some("https://a.example"),
        ),
        (
            r#"1,"{""u"":""http:\/\/a.example\/b""}""#,
            Some("http://a.example/b"),
        ),
        (
            r#"'{\"u\":\"http:\\/\\/a.example\\/x\"}'"#,
            Some("http://a.example/x"),
        ),
        (r#"'{\"u\":\"http:\\/\/a.example\"}'"#, None),
        (r"x = /^http:\/\/a\.example/", None),
        (r"RegExp('http:\/\/a\.example')", None),
        (r"http:\/\/a.example\/", None),
    ];
    for (text, expected) in cases {
        let found = crate::find(text.as_bytes()).next();
        let url = found.map(|found| String::from_utf8_lossy(&found.text).into_owned());
        assert_eq!(url.as_deref(), expected, "{text}");
    }
}

#[test]
fn beginnings_and_endings() {
    let cases: &[(&str, &[&str])] = &[
        // Marks are removed if they also precede the URL.
        (
            "see http://a.example/x#object.__bytes__",
            &["http://a.example/x#object.__bytes__"],
        ),
        ("ftp://a.example/unite/*", &["ftp://a.example/unite/*"]),
        ("`+http://a.example/x+`", &["http://a.example/x"]),
        ("see http://a.example/c++", &["http://a.example/c++"]),
        ("*http://a.example/s;x=1*", &["http://a.example/s;x=1"]),
        ("<File:x.png> <File:y z.png>", &[]),
        // One parameter of a URL, and further settings.
        (
            "base=http://a.example/;jsessionid=1\n{{cite|url=ftp://b.example/x;type=i}}",
            &["http://a.example/;jsessionid=1", "ftp://b.example/x;type=i"],
        ),
        (
            "url=http://b.example/x;a=1;b=2\nx=1,url=http://c.example/;a=1",
            &["http://b.example/x", "http://c.example/"],
        ),
        // A comma in a login, and after a host.
        (
            "ftp://joe:a,b@a.example/x http://joe,ann:pw@a.example",
            &["ftp://joe:a,b@a.example/x", "http://joe,ann:pw@a.example"],
        ),
        (
            "http://a.example,joe@b.example http://a.example:80,joe@b.example",
            &["http://a.example", "http://a.example:80"],
        ),
        // Dots in brackets, and a note.
        (
            "hxxp://a[.]example/x http://a[dot]b[dot]example http://a.example[1]",
            &[
                "hxxp://a[.]example/x",
                "http://a[dot]b[dot]example",
                "http://a.example",
            ],
        ),
        ("see http://[host]:9200/x and", &["http://[host]:9200/x"]),
        (r"see \fIhttp://a.example/x\fP and", &["http://a.example/x"]),
        // Brackets in brackets.
        (
            "see http://a.example/f(x[1]) and",
            &["http://a.example/f(x[1])"],
        ),
        ("(http://a.example/x[1])", &["http://a.example/x"]),
        // Apostrophes in words and as quotation marks.
        (
            "'http://a.example/Earth's_rotation', 'http://a.example/x's'y",
            &["http://a.example/Earth's_rotation", "http://a.example/x"],
        ),
        (
            "``http://a.example/x'' and\nhttp://a.example/?q=''",
            &["http://a.example/x", "http://a.example/?q=''"],
        ),
        ("E<lt>http://a.example/xE<gt>", &["http://a.example/x"]),
        (
            "\"id: x\\nsee: http://a.example/x\\nnext: y\"",
            &["http://a.example/x"],
        ),
        (
            "at http://a.example/x\\nnext",
            &["http://a.example/x\\nnext"],
        ),
        ("\\\\Qhttp://a.example\\\\E", &["http://a.example\\\\E"]),
        ("**http://a.example/x**", &["http://a.example/x"]),
        ("_see http://a.example/x_ and", &["http://a.example/x"]),
        ("~~http://a.example/x~~", &["http://a.example/x"]),
        ("===http://a.example/=====", &["http://a.example/"]),
        ("-=http://a.example/~joe=-", &["http://a.example/~joe"]),
        ("x=http://a.example/?q=", &["http://a.example/?q="]),
        ("--http://a.example/x.html", &["http://a.example/x.html"]),
        (
            "http://a.example/x.html-- in fact",
            &["http://a.example/x.html"],
        ),
        (
            "http://a.example/x.html-\nUTAH",
            &["http://a.example/x.html"],
        ),
        ("http://a.example/x--\nin fact", &["http://a.example/x--"]),
        (
            "http://a.example/x________________",
            &["http://a.example/x"],
        ),
        // Markup of magazines.
        ("{link}http://a.example/x{end}{p}", &["http://a.example/x"]),
        ("http://a.example/{id}", &["http://a.example/{id}"]),
        // A blank is missing before the scheme.
        ("b.examplehttp://a.example/x", &["http://a.example/x"]),
        // Brackets in the middle of a path, and notes at its end.
        ("http://a.example/x[1]/y", &["http://a.example/x[1]/y"]),
        (
            "imaps://m.example/[Gmail]/Drafts",
            &["imaps://m.example/[Gmail]/Drafts"],
        ),
        ("http://a.example/x[1]", &["http://a.example/x"]),
        ("http://a.example/x[1] /y", &["http://a.example/x"]),
        ("\"file:///C|/CJ/x.htm\"", &["file:///C|/CJ/x.htm"]),
        ("|http://a.example/x|y|", &["http://a.example/x"]),
        ("http://[fe80::a%25en1].", &["http://[fe80::a%25en1]"]),
        ("http://a.example/x'y'", &["http://a.example/x'y'"]),
        ("the 'http://a.example/x'", &["http://a.example/x"]),
        ("http://a.example's page", &["http://a.example"]),
        ("http://a.example/it's", &["http://a.example/it's"]),
        ("http://a.example/x'", &["http://a.example/x"]),
        // Punctuation and letters of other scripts.
        ("http://a.example:3128\u{60C} x", &["http://a.example:3128"]),
        ("http://a.example/x\u{964}", &["http://a.example/x"]),
        ("http://a.example/x\u{2014}and", &["http://a.example/x"]),
        (
            "https://git.example.org/\u{4E2D}\u{6587}",
            &["https://git.example.org/\u{4E2D}\u{6587}"],
        ),
        ("https://a.example\u{4E2D}\u{6587}", &["https://a.example"]),
        (
            "https://a.example/wiki/\u{4E2D}\u{6587}",
            &["https://a.example/wiki/\u{4E2D}\u{6587}"],
        ),
        // Angles.
        (
            "<http:// a.example/b/\n   c.pdf>",
            &["http://a.example/b/c.pdf"],
        ),
        ("<http://a.example/ TR/x>", &["http://a.example/TR/x"]),
        ("<http://a.example/b c>", &["http://a.example/b"]),
        (
            "<sip:a.example;lr>, <sips:b.example>",
            &["sip:a.example;lr", "sips:b.example"],
        ),
        ("<http:a.example/x>", &["http:a.example/x"]),
        // Openers before a line break.
        ("at <h\n  ttp://a.example/x>.", &["http://a.example/x"]),
        ("at <\nhttp://a.example/x\ny>.", &["http://a.example/xy"]),
        ("at <U\n  RL:http://a.example/x>.", &["http://a.example/x"]),
        ("at <UR\n  L:http://a.example/x>.", &["http://a.example/x"]),
        ("at <URL\n  :http://a.example/x>.", &["http://a.example/x"]),
        (
            "> at <URL\n> :http://a.example/x>.",
            &["http://a.example/x"],
        ),
        ("at <htt\n  p://a.example/x>.", &["http://a.example/x"]),
        ("at <http\n  s://a.example/x>.", &["https://a.example/x"]),
        ("> at <ftp\n> ://a.example/x>.", &["ftp://a.example/x"]),
        ("a <\nhttp://a.example/x y", &["http://a.example/x"]),
        // A list has its bullet only once.
        (
            " * at http://a.example/old-\n   reports and",
            &["http://a.example/old-reports"],
        ),
        ("> * (http://\n> a.example/x)", &["http://a.example/x"]),
        (
            "/* http://a.example/old-\n * reports",
            &["http://a.example/old-"],
        ),
        ("a < b\nhttp://a.example/x>", &["http://a.example/x"]),
        // Lines up to a closer are joined if they belong together.
        (
            "(http://a.example/x\njoe@a.example)",
            &["http://a.example/x"],
        ),
        (
            "(git://a.example/git/linux-2.6\ntest-tree)",
            &["git://a.example/git/linux-2.6"],
        ),
        ("\"urn:a:ns:info\n  info.xsd\"", &["urn:a:ns:info"]),
        // The beginnings of URNs, in a grammar and in prose.
        (
            "EPC = \"urn:epc:\" name, urn:nbn:<code> and urn:mpeg:{the name}",
            &[],
        ),
        (
            "urn:epc:id:1, `urn:uuid:`; urn:a-b:+1",
            &["urn:epc:id:1", "urn:a-b:+1"],
        ),
        (
            "<http://a.example /x> <http://a.example/x- y>",
            &["http://a.example/x", "http://a.example/x-y"],
        ),
        (
            "<http://a.example/x - y> <http://b.example/x />",
            &["http://a.example/x", "http://b.example/x"],
        ),
        (
            "(http://www.a.\nexample/x.html)",
            &["http://www.a.example/x.html"],
        ),
        ("\"sip:joe@a.example\n;gr=7\"", &["sip:joe@a.example;gr=7"]),
        // In quotation marks, all text between them.
        ("x = \"http://a.example/q?\" + y", &["http://a.example/q?"]),
        ("\"http://a.example/x,\" he said", &["http://a.example/x"]),
        ("“http://a.example/q?”", &["http://a.example/q?"]),
        ("\"http://a.example/《x》y\"", &["http://a.example/《x》y"]),
        ("\"http://a.example/a b\"", &["http://a.example/a"]),
        ("http://a.example/x\"y\"", &["http://a.example/x"]),
        ("'http://a.example/'+x+'/b'", &["http://a.example/"]),
        ("\"http://a.example/x|y\"", &["http://a.example/x"]),
        (
            "\"http://a.example/?d=02|01|x&y\"",
            &["http://a.example/?d=02|01|x&y"],
        ),
        // Brackets.
        ("http://a.example/x_[y] z", &["http://a.example/x_[y]"]),
        (
            "http://a.example/x[1-9].rss z",
            &["http://a.example/x[1-9].rss"],
        ),
        ("http://a.example/x[1] z", &["http://a.example/x"]),
        ("http://a.example/x[1]", &["http://a.example/x"]),
        ("http://a.example/x[y]", &["http://a.example/x[y]"]),
        ("at http://a.example/x[y]", &["http://a.example/x"]),
        ("http://a.example/x[note].", &["http://a.example/x"]),
        ("http://a.example/x_(y) z", &["http://a.example/x_(y)"]),
        // Bars that separate a URL from its text.
        ("<http://a.example/x|here>", &["http://a.example/x"]),
        ("[[http://a.example/x|the text]]", &["http://a.example/x"]),
        (
            "{@link http://a.example/?x=1|y}",
            &["http://a.example/?x=1"],
        ),
        ("see http://a.example/?x=1|y", &["http://a.example/?x=1|y"]),
        (
            "<http://a.example/?b=1|c&d=2>",
            &["http://a.example/?b=1|c&d=2"],
        ),
        // Addresses after logins.
        (
            "ssh://joe:x@[2001:db8::1]:22/y",
            &["ssh://joe:x@[2001:db8::1]:22/y"],
        ),
        ("http://[v1.fe80::a]/x", &["http://[v1.fe80::a]/x"]),
        ("see file:/// there", &["file:///"]),
        ("see file:/etc/x there", &["file:/etc/x"]),
        ("see file:x and file: /x", &[]),
        ("<https://../> <http://.../> <http:///>", &["https://../"]),
        // References and escapes.
        ("http://a.example/x&#34; y", &["http://a.example/x"]),
        ("http://a.example/x&#8221; y", &["http://a.example/x"]),
        ("http://a.example/?x&#38;y", &["http://a.example/?x&#38;y"]),
        ("http://a.example/x\\033[0m y", &["http://a.example/x"]),
        ("m=\"http://a.example/x\\nmore\"", &["http://a.example/x"]),
        ("m=\"file://a.example\\new\"", &["file://a.example\\new"]),
        ("http://a.example/x\\u003cb", &["http://a.example/x"]),
        ("http://a.example/x\\x22 y", &["http://a.example/x"]),
        ("http://a.example/x\\x2b", &["http://a.example/x\\x2b"]),
        ("http://a.example/x&amp;#39; y", &["http://a.example/x"]),
        (
            "http://a.example/?x&amp;amp;quot=1",
            &["http://a.example/?x&amp;amp;quot=1"],
        ),
        // Marks of direction, bullets, and scripts.
        ("http://a.example/x\u{200F} y", &["http://a.example/x"]),
        ("http://a.example/x → y", &["http://a.example/x"]),
        ("http://a.example/x• y", &["http://a.example/x"]),
        ("http://a.example/x▶ y", &["http://a.example/x"]),
        ("http://a.example/☃ y", &["http://a.example/☃"]),
        (
            "http://a.example/x/【東京】。",
            &["http://a.example/x/【東京】"],
        ),
        ("http://a.example/x【東京】", &["http://a.example/x"]),
        ("http://a.example/x/【東 京】", &["http://a.example/x/"]),
        ("https://tokyo東京.jp/x y", &["https://tokyo東京.jp/x"]),
        ("https://a.example東京 y", &["https://a.example"]),
        ("http://a.example- where", &["http://a.example"]),
        ("+112http://a.example/x", &["http://a.example/x"]),
        // Types of programs, and hosts in lists.
        ("std::optional<url::Origin>", &[]),
        ("GET,http://a.example,HTTP/1.1", &["http://a.example"]),
        ("mongodb://u@a:1,b:2/x y", &["mongodb://u@a:1,b:2/x"]),
        (
            "PLAINTEXT://a:1,SSL://b:2",
            &["PLAINTEXT://a:1", "SSL://b:2"],
        ),
    ];
    for (text, urls) in cases {
        assert_eq!(found(text), *urls, "{text:?}");
    }
}

/// Each URL ends before `‸`.
#[test]
fn urls_in_the_sentences_of_every_language() {
    for text in [
        // A scheme is a word of the text.
        "eine http://-Adresse, mailto:-Links, sftp://-URI-Schemata, http://-URL:er",
        "以http://开头的链接, http://から始まるURL, http://로 시작하는",
        "http://-.~_!$@example.com‸ app://-/x‸ http://한글.example/경로‸ http://ไทย.example‸",
        "http://商户网址.com/x‸",
        // Letters after a slash.
        "詳細はhttp://a.example/‸をご覧ください。http://a.example/x/‸を、 http://a.example/‸の下",
        "http://a.example/‸から取得 http://a.example/‸には次の https://a.example/‸에서 검색",
        "去http://a.example/‸查看 访问http://a.example/‸查看自己的IP，",
        "http://a.example/wiki/東京‸ http://a.example/wiki/ひらがな‸ http://a.example/からくり‸",
        "http://a.example/もののけ姫‸ http://a.example/とある話‸ http://a.example/로마‸ http://a.example/에펠탑‸",
        "见http://a.example/文档/安装.html‸。 见http://a.example/文档_1‸ 见http://a.example/文档?x=1‸",
        "（http://a.example/查看‸） ![](http://a.example/查看x.png‸)",
        // What quotation marks and brackets enclose.
        "「http://a.example/wiki/C言語‸」 (http://a.example/wiki/C言語‸) [http://a.example/Ruby言語‸ Ruby言語]",
        "[[題|http://a.example/10/【例】でもわかるRuby入門‸]]に",
        "「http://a.example/b‸をご覧ください」 『http://a.example/e‸、続き』 (http://a.example/b‸を参照)",
        "\"http://localhost:8080‸を開いてください。\" \"http://a.example/wiki/東京‸\"",
        "a|http://a.example/b‸東京",
        // Marks.
        "http://a.example/b‸→http://a.example/c‸へ http://a.example/b‸·http://a.example/c‸",
        "№http://a.example/c‸№ http://a.example/c‸\u{104B} http://a.example/c‸\u{17D4} http://a.example/c‸־",
        "http://a.example/wiki/צה״ל‸ http://a.example/c‸״ http://a.example/a·b‸",
        "http://a.example/b‸\u{200C}ها http://نامه\u{200C}ای.example/x‸ http://a\u{200C}.example/‸",
        "http://a.example/‸'den http://a.example‸'da http://a.example/sayfa‸'ya http://a.example/it's‸",
        "http://a.example/l'an‸ http://a.example/o'neill‸ 'http://a.example/d'a‸'",
        "http://a.example/b‸\\N http://a.example/New\\Next‸",
    ] {
        let mut before: Vec<_> = text.split('‸').collect();
        before.pop();
        let url = |before: &str| before.rfind("http").max(before.rfind("app:")).unwrap_or(0);
        let expected: Vec<_> = before.iter().map(|text| &text[url(text)..]).collect();
        assert_eq!(found(&text.replace('‸', "")), expected, "{text}");
    }
    let quoted = "＞ <http://a.example/another/\n＞ index.html> を\n";
    assert_eq!(found(quoted), ["http://a.example/another/index.html"]);
}

#[test]
fn a_written_line_break_ends_a_url_in_a_string() {
    let finder = super::Finder::default().with_code(true);
    let found = |text: &str| {
        let urls = finder.find(text.as_bytes());
        urls.map(|found| String::from_utf8_lossy(&found.text).into_owned())
            .collect::<Vec<_>>()
    };
    let far = "a word and ".repeat(60);
    let text = format!("x: '{far}\\nsee http://a.example/b,\\nif not'");
    assert_eq!(found(&text), ["http://a.example/b"]);
    for (text, url) in [
        ("x: 'http://a.example/b''c''d'", "http://a.example/b'c'd"),
        ("x: 'http://a.example/b'''", "http://a.example/b"),
        ("x: 'http://a.example/b''c d'", "http://a.example/b"),
        ("x: 'http://a.example/b' 'c'", "http://a.example/b"),
    ] {
        assert_eq!(found(text), [url], "{text}");
    }
    // Nothing shows that this is a string.
    let text = format!("{far} http://a.example\\new");
    assert_eq!(found(&text), ["http://a.example\\new"]);
}

#[test]
fn of_a_str_each_is_a_str() {
    for (before, after) in [
        ("", ""),
        ("<URL:", ""),
        ("<URL:", ">"),
        ("<", ">"),
        ("(", ")"),
    ] {
        for more in ["", "x", "xx", "xxx"] {
            let url = format!("http://a.example/{more}{}", "\u{1F30D}".repeat(30_000));
            let text = format!("{before}{url}{after}");
            let found: Vec<_> = super::find_str(&text).collect();
            let read = found[0].as_str();
            assert!(
                read.is_some_and(|read| url.starts_with(read)),
                "{before}{more}"
            );
            assert_eq!(found[0].range().map(|range| &text[range]), read);
        }
    }
}

#[test]
fn spans_are_the_text_and_its_urls() {
    let cases: [(&str, &[&str]); 6] = [
        ("", &[]),
        ("none", &["none"]),
        ("http://a.example/", &["+http://a.example/"]),
        (
            "ä (http://b.example/ö)! <URL:> mailto:a@b.example",
            &[
                "ä (",
                "+http://b.example/ö",
                ")! <URL:> ",
                "+mailto:a@b.example",
            ],
        ),
        (
            "> <http://www-\n> a.example/>\n",
            &["> <", "+http://www-\n> a.example/", ">\n"],
        ),
        (
            "http://a.example/\u{3002}",
            &["+http://a.example/", "\u{3002}"],
        ),
    ];
    for (text, expected) in cases {
        let parts = super::Finder::default().spans(text);
        let parts = parts.map(|(part, found)| match found {
            Some(_) => format!("+{part}"),
            None => part.to_owned(),
        });
        assert_eq!(parts.collect::<Vec<_>>(), expected, "{text}");
    }
}

proptest! {
    #![proptest_config(tries(300))]

    /// Nothing is lost, and each URL is where its candidate says.
    #[test]
    fn spans_put_together_are_the_text(
        text in "(http://|www\\.|a\\.example|<URL:|[<>()\"'/\\-ä。 \n\\[\\]&=?.:#>|])*",
        schemeless: bool,
    ) {
        let finder = super::Finder::default().with_schemeless(schemeless);
        let parts: Vec<_> = finder.spans(&text).collect();
        prop_assert_eq!(parts.iter().map(|(part, _)| *part).collect::<String>(), &*text);
        let urls = parts.iter().filter(|(_, found)| found.is_some());
        let found = finder.find(text.as_bytes()).filter(|found| !found.text.is_empty());
        prop_assert_eq!(urls.count(), found.count());
    }
}

#[test]
fn schemes_of_urls_and_hosts() {
    let finder = super::Finder::default()
        .with_schemeless(true)
        .with_mistakes(true);
    for (text, expected) in [
        ("HTTP://a.example/", Some("HTTP")),
        ("mailto:joe@a.example", Some("mailto")),
        ("www.a.example:8080/x", None),
        ("ftp.a.example.org", None),
        ("see https//a.example/x", None),
        ("(http:a.example.org/x)", Some("http")),
        ("http:www.a.example", Some("http")),
        ("http:a.example/x", None),
        ("x.http:www.a.example", None),
        ("z39.50r://a.example/", Some("z39.50r")),
        ("javascript:alert(1)", None),
    ] {
        let found = finder.find(text.as_bytes()).next();
        assert_eq!(
            found.as_ref().and_then(|found| found.scheme()),
            expected,
            "{text}"
        );
    }
}

#[test]
fn the_mark_that_closes_a_url_is_no_part_of_it() {
    let url = "http://a.example/msgid/x%40b.example?utm_source=footer";
    for (before, after) in [
        ("> > <\n> ", "\n> >.\n> > > a\n"),
        ("> >     <\n> ", "\n> >.\n> thanks\n"),
        ("> > see <", "\n> >.\n> > > a\n"),
        ("> > see <", "\n> > >.\n> > > a\n"),
        ("> see <", "\n> >, which is new\n> > a\n"),
        ("> > see <", ">.\n> > > a\n"),
    ] {
        let text = format!("{before}{url}{after}");
        let found = find(text.as_bytes()).next().map(|found| found.text);
        assert_eq!(found.as_deref(), Some(url.as_bytes()), "{text}");
    }
}
