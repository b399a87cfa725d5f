use proptest::prelude::*;

use super::*;
use urlint_testing::tries;

fn shown(redacted: &[u8]) -> String {
    String::from_utf8_lossy(redacted).into_owned()
}

#[test]
fn passwords_of_urls_are_hidden() {
    let cases = [
        ("ftp://u:p@h/x", "ftp://u:***@h/x"),
        (
            "https://u:p@h.example:443/x",
            "https://u:***@h.example:443/x",
        ),
        ("HTTPS://u:p@h", "HTTPS://u:***@h"),
        ("ftp://:p@h/", "ftp://:***@h/"),
        ("ftp://u:p:q@h/", "ftp://u:***@h/"),
        ("ftp://u:p@q@h/", "ftp://u:***@h/"),
        ("ftp://u:p q@h/", "ftp://u:***@h/"),
        ("ftp://u:12?34@h/", "ftp://u:***@h/"),
        ("ftp://u:a/b/c@host/x", "ftp://u:***@host/x"),
        ("ftp://u:p@s:w/d@host/x", "ftp://u:***@host/x"),
        ("ftp://u:/p@host/x", "ftp://u:***@host/x"),
        ("ftp://u://p@host/x", "ftp://u:***@host/x"),
        ("ftp://u:p://q@host/x", "ftp://u:***@host/x"),
        ("http://u:p\\q@h", "http://u:***@h"),
        ("http:\\\\u:p@h\\x", "http:\\\\u:***@h\\x"),
        ("http:\\/\\/u:p@h", "http:\\/\\/u:***@h"),
        ("http:/u:p@h/", "http:***@h/"),
        ("http:///u:p@h/", "http:///u:***@h/"),
        ("ftp:u:p@h/", "ftp:***@h/"),
        ("URL:ftp://u:p@h/", "URL:ftp://u:***@h/"),
        ("telnet//u:p?q@h", "telnet//u:***@h"),
        ("http://[u:p@h/", "http://[u:***@h/"),
        ("http://u:p@[::1]:80/", "http://u:***@[::1]:80/"),
        (
            "http://w.example/ftp://u:p@h/",
            "http://w.example/ftp:***@h/",
        ),
        (
            "http://w.example/?u=http%3A%2F%2Fu%3Ap%40h",
            "http://w.example/?u=http%3A***%40h",
        ),
        ("http://u%3ap%40h/", "http://u%3a***%40h/"),
        ("ftp://u:12%2F34@h/", "ftp://u:***@h/"),
        // Ports where nothing is plainly a host.
        ("http://u:80/x@h", "http://u:***@h"),
        // Logins that may have been cut off.
        ("ftp://joe:sec", "ftp://joe:***"),
        ("ftp://joe:sec/x", "ftp://joe:***"),
        ("ftp://joe:/ret", "ftp://joe:***"),
        ("ftp:joe:sec", "ftp:joe:***"),
        (
            "http://a.example/ftp://joe:sec",
            "http://a.example/ftp://joe:***",
        ),
        ("telnet//joe:80a", "telnet//joe:***"),
        ("ftp://joe:a@b:c", "ftp://joe:***@b:***"),
        ("http://joe&colon;sec", "http://joe&colon;***"),
        ("http://joe&#58;sec", "http://joe&#58;***"),
        ("http://www.a.example:x/y", "http://www.a.example:***/y"),
        ("http://joe:@sec@ret@h/", "http://joe:***@h/"),
        ("http://o'brien:sec", "http://o'brien:***"),
        ("http:/joe:sec", "http:/joe:***"),
        ("http:&#47;&#47;joe:sec", "http:&#47;&#47;joe:***"),
        ("imap:\\u002f\\u002fjoe:sec", "imap:\\u002f\\u002fjoe:***"),
        // White space is left out of wrapped text.
        ("curl-ujoe:sec", "curl-ujoe:***"),
    ];
    for (url, expected) in cases {
        assert_eq!(shown(&redacted(url.as_bytes())), expected, "{url}");
    }
}

#[test]
fn nothing_else_of_urls_is_hidden() {
    let cases = [
        "",
        "@",
        "http://a.example:80/@x",
        "http://a.example:80?x=a@b",
        "http://localhost:8080/@x",
        "http://localhost:8890/conductor/)",
        "http://[2001:db8::1]:80/@x",
        "http://h:80/",
        "http://h:/",
        "http://a.example:/x",
        "http://a.example:808080/",
        "http://host:port/x",
        "file:///C:/x",
        "http://<host>:<port>/x",
        "http://http://a.example/",
        "http://[fe80::1%25eth0]/",
        "http://[::1/",
        "http://a.example/?u=http%3A%2F%2Fb.example%2Fx%3Ay",
        "http://a.example/a:b",
        "http://a.example/a@b:c",
        "ftp://u@h:21/",
        "ftp://u:@h/",
        "mongodb://a.example:27017,b.example:27018/x",
        "mailto:a@b",
        "news:a@b",
        "urn:isbn:1",
    ];
    for url in cases {
        let redacted = redacted(url.as_bytes());
        assert!(matches!(redacted, Cow::Borrowed(_)), "{url} {redacted:?}");
    }
}

#[test]
fn passwords_in_text_are_hidden() {
    let cases = [
        ("<URL:ftp://u:sec\nret@a/>", "<URL:ftp://u:***@a/>"),
        ("> ftp://u:s/c\n>> # r/t@a", "> ftp://u:***@a"),
        ("<URL:telnet//u:secret@a>", "<URL:telnet//u:***@a>"),
        ("\"http:\\/\\/u:secret@a\\/\"", "\"http:\\/\\/u:***@a\\/\""),
        ("u:secret@a and mailto:joe@a", "u:***@a and mailto:joe@a"),
        ("ftp://u&#58;s&#x00040;a", "ftp://u&#58;***&#x00040;a"),
        (r"ftp://u\'3as\'40a", r"ftp://u\'3a***\'40a"),
        ("ftp://u=3As=40a.example", "ftp://u=3A***=40a.example"),
        ("ftp://u：s＠a", "ftp://u：***＠a"),
        ("ftp://u:a\"b<c`d'e@h", "ftp://u:***@h"),
        ("ftp://u : s @ h", "ftp://u :***@ h"),
        ("[x](https://a.com:b), x", "[x](https://a.com:b), x"),
        ("[x](https://a.com:b), joe@a", "[x](https://a.com:***@a"),
        ("[x](https://a.com:b)c@a", "[x](https://a.com:***@a"),
        // The text after a colon may be a password; after the colon of a URL's scheme it is none.
        ("Mail: joe@a", "Mail:***@a"),
        (
            "Home: http://a.example/ joe@a",
            "Home: http://a.example/ joe@a",
        ),
        (
            "{\"a\":\"http://b/\",\"c\":\"joe@a\"}",
            "{\"a\":\"http://b/\",\"c\":***@a\"}",
        ),
        (
            "at http://host:80/ or joe@a.example",
            "at http://host:***@a.example",
        ),
        ("at 12:30 joe@a.example", "at 12:***@a.example"),
        // Logins that may have been cut off.
        (
            "http://a.example:/, http://u:Sec...",
            "http://a.example:/, http://u:***",
        ),
        ("see http://u:Sec}xyz9|x or", "see http://u:*** or"),
        ("<http://u@a.example:Sec>", "<http://u@a.example:***"),
        ("ftp:%2F%2Fu:Sec or", "ftp:%2F%2Fu:*** or"),
        (
            "curl -u joe:sec <URL:http://a/>",
            "curl -u joe:*** <URL:http://a/>",
        ),
        (
            "git push -u http://a.example/ x",
            "git push -u http://a.example/ x",
        ),
        (
            "curl --user=joe:sec http://a/",
            "curl --user=joe:*** http://a/",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(&redacted_text(text.as_bytes())), expected);
    }
    let far = format!("a: {}joe@a", "b ".repeat(200));
    for text in [
        "joe@a.example",
        "at http://a.example:80/ or joe@a.example",
        "<URL:http://a.example/>, URL:http://b.example/ or joe@a.example",
        "gopher://host:port/ and so on",
        "width=40 or &#640; or C:\\40",
        "[http://a.example](http://a.example), http://a.example:80. http://a.example:81)",
        "_http://127.0.0.1:80_ 'http://a.example:80' <http://a.example:80>",
        "HREF=3D\"http://a.example:=\n/x\"",
        "http://host:${port}/ //a.example:80/x # //x: y",
        &far,
    ] {
        assert_eq!(shown(&redacted_text(text.as_bytes())), text);
    }
}

#[test]
fn text_after_a_url_may_belong_to_its_login() {
    for (url, after, hidden) in [
        ("http://u:a", "\"b@h/ x", Some(9..10)),
        ("http://u:80", "\"b@h/ x", Some(9..11)),
        ("http://u:80", " b@h/ x", None),
        ("http://a.example/x:y", "</a><a>joe@h", Some(19..20)),
        ("http://a.example/x", "</a><a>joe@h", None),
    ] {
        let found = hidden_in_url_before(url.as_bytes(), after.as_bytes());
        assert_eq!(found, Vec::from_iter(hidden), "{url} {after}");
    }
}

#[test]
fn reported_passwords_are_those_that_programs_may_take_for_one() {
    let cases = [
        ("ftp://u:p@h/x", "p"),
        ("ftp://u:p@q@h/", "p@q"),
        ("ftp://u:p?q@h/", "p?q"),
        ("https://u:p?q@h/", "p?q"),
        ("ftp://u:a/z@host/x", "a/z"),
        ("http:\\/\\/u:p@h", "p"),
        ("http:/u:p@h/", "p"),
        ("ftp:u:p@h/", "p"),
        ("URL:http:u:p@h/", "p"),
        ("telnet//u:p?q@h", "p?q"),
        ("http://[u:p@h/", "p"),
        ("http://u:p@[::1]:80/", "p"),
        ("http://a:b@c/http://d:e@f", "b e"),
        ("http://w.example/?u=http%3A%2F%2Fu%3Ap%40h%2Fx%40y", "p"),
        ("http://a.example:80/@x", ""),
        ("http://h:80?x=a@b", ""),
        ("http://h:/@x", ""),
        ("http://h/a:b@c", ""),
        ("http://[2001:db8::1]:80/@x", ""),
        ("ftp://u:@h/", ""),
        ("ftp://h:x/y", ""),
        ("ftp//h/x:y@z", ""),
        ("http://h/?u=http%3A%2F%2Fh%3A80%2Fx%40y", ""),
        ("mailto:a:b@c", ""),
        ("news:a:b@c", ""),
    ];
    for (url, expected) in cases {
        let found = passwords(url.as_bytes());
        let found: Vec<_> = found.into_iter().map(|range| &url[range]).collect();
        assert_eq!(found.join(" "), expected, "{url}");
    }
}

#[test]
fn parts_are_redacted() {
    let url = b"x://u:pass@h";
    let part = |part| shown(&redacted_part(url, part, &hidden_in_url(url)));
    assert_eq!(part(0..12), "x://u:***@h");
    assert_eq!(part(6..10), "***");
    assert_eq!(part(8..11), "***@");
    assert_eq!(part(0..8), "x://u:***");
    assert_eq!(part(10..12), "@h");
    assert_eq!(part(7..7), "");
}

/// A password of `Q` and `Z`, which nothing else in a text has, and of delimiters.
fn secret() -> impl Strategy<Value = String> {
    prop_oneof![
        "Q[QZ:/?#%@\\\\\\[\\]!.,;*1-3\"'<>&=-]{0,12}Z",
        "Q(%40|%3A|%2F|Z|\\n> |&#58;|\\\\u003a| | \\n){0,6}Z",
    ]
}

proptest! {
    #![proptest_config(tries(20_000))]

    #[test]
    fn no_part_of_a_password_is_shown(
        scheme in prop::sample::select(vec!["http", "https", "ftp", "telnet", "x+y", "SSH"]),
        slashes in prop::sample::select(vec!["://", ":/", ":///", ":\\\\", ":\\/\\/", ":", "//", " : //"]),
        user in "[a-y]{0,6}",
        colon in prop::sample::select(vec![":", "%3A", "&#58;", "\\u003a", "{colon}"]),
        secret in secret(),
        sign in prop::sample::select(vec!["@", "%40", "&commat;", "\\x40", "=40"]),
        rest in "[a-y]{1,5}\\.example(:[0-9]{1,5})?(/[a-y.]{0,5})?",
        around in prop::sample::select(vec![
            ("", ""), ("see ", " or"), ("<URL:", ">"), ("\"", "\""), ("http://w.example/", ""), ("x\n", "\ny"),
        ]),
    ) {
        let url = format!("{scheme}{slashes}{user}{colon}{secret}{sign}{rest}");
        let text = format!("{}{url}{}", around.0, around.1);
        for redacted in [redacted_text(text.as_bytes()), redacted(url.as_bytes())] {
            let shown = shown(&redacted);
            prop_assert!(!shown.contains(['Q', 'Z']), "{} {}", text, shown);
            prop_assert!(shown.contains("***"), "{} {}", text, shown);
        }
    }

    #[test]
    fn reported_passwords_are_hidden(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "http", "ftp", "telnet", "x", "://", ":/", ":", "//", ":\\/\\/", "\\", "/", "?", "#",
            "@", "%40", "%3A", "%2F", "[", "]", "::1", "80", "123456", "a", "u", " ", "<", ">",
            "\n", "\n> ", "é", "p:q@", "***", ".", "localhost", "mailto:", "URL:",
        ]), 0..24),
    ) {
        let text = pieces.concat();
        let url = text.as_bytes();
        let once = redacted(url).into_owned();
        prop_assert_eq!(shown(&redacted(&once)), shown(&once), "{}", text);
        for found in [passwords(url), hidden_in_url(url), hidden_in_text(url)] {
            prop_assert!(found.iter().all(|range| !range.is_empty()));
            prop_assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start));
            prop_assert!(found.last().is_none_or(|last| last.end <= url.len()));
        }
        let hidden = hidden_in_url(url);
        for password in passwords(url) {
            let is_hidden = |range: &Range<usize>| range.start <= password.start && password.end <= range.end;
            prop_assert!(hidden.iter().any(is_hidden), "{} {:?} {:?}", text, password, hidden);
        }
    }
}
