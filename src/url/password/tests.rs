use proptest::prelude::*;

use super::walk::Walk;
use super::*;
use crate::tries::tries;

fn shown(redacted: &[u8]) -> String {
    String::from_utf8_lossy(redacted).into_owned()
}

#[test]
fn passwords_are_hidden() {
    let cases = [
        ("ftp://u:p@h/x", "ftp://u:***@h/x"),
        ("http://u:p@h/x", "http://u:***@h/x"),
        ("https://u:p@h:443/x@y", "https://u:***@h:443/x@y"),
        ("HTTPS://u:p@h", "HTTPS://u:***@h"),
        ("ftp://:p@h/", "ftp://:***@h/"),
        ("ftp://u:p:q@h/", "ftp://u:***@h/"),
        ("ftp://u:p@q@h/", "ftp://u:***@h/"),
        ("ftp://u:p q@h/", "ftp://u:***@h/"),
        ("ftp://u:p?q@h/", "ftp://u:***@h/"),
        ("ftp://u:12?34@h/", "ftp://u:***@h/"),
        ("https://u:p?q@h/", "https://u:***@h/"),
        ("ftp://u:a/z@host/x", "ftp://u:***@host/x"),
        ("ftp://u:a/b/c@host/x", "ftp://u:***@host/x"),
        ("ftp://u:a/z@q@host/x", "ftp://u:***@host/x"),
        ("ftp://u:p@s:w/d@host/x", "ftp://u:***@host/x"),
        ("ftp://u:123456/x@host", "ftp://u:***@host"),
        ("ftp://u:p#q@h", "ftp://u:***@h"),
        ("http://u:p\\q@h", "http://u:***@h"),
        ("http:\\\\u:p@h\\x", "http:\\\\u:***@h\\x"),
        ("http:\\\\u:p@h", "http:\\\\u:***@h"),
        ("http:\\/\\/u:p@h", "http:\\/\\/u:***@h"),
        ("http:/u:p@h/", "http:/u:***@h/"),
        ("x:/u:p@h/", "x:/u:***@h/"),
        ("http:///u:p@h/", "http:///u:***@h/"),
        ("ftp:u:p@h/", "ftp:u:***@h/"),
        ("URL:http:u:p@h/", "URL:http:u:***@h/"),
        ("ssh://git:tok en@h", "ssh://git:***@h"),
        ("URL:http://u:p@h/", "URL:http://u:***@h/"),
        ("http://[u:p@h/", "http://[u:***@h/"),
        (
            "http://web.example/1999/ftp://u:p@h/x",
            "http://web.example/1999/ftp://u:***@h/x",
        ),
        ("http://http://u:p@h/x", "http://http://u:***@h/x"),
        ("http://a:b@c/http://d:e@f", "http://a:***@c/http://d:***@f"),
        ("http://u:p@[::1]:80/", "http://u:***@[::1]:80/"),
        ("telnet//u:p?q@h", "telnet//u:***@h"),
        ("//u:p@h/ftp://u:p@h", "//u:***@h/ftp://u:***@h"),
        (
            "http://web.example/?u=http%3A%2F%2Fu%3Ap%40h%2Fx%40y",
            "http://web.example/?u=http%3A%2F%2Fu%3A***%40h%2Fx%40y",
        ),
        ("http://u%3ap%40h/", "http://u%3a***%40h/"),
        ("ftp://u:12%2F34@h/", "ftp://u:***@h/"),
        ("ftp://u:***@h/", "ftp://u:***@h/"),
    ];
    for (url, expected) in cases {
        assert_eq!(shown(&redacted(url.as_bytes())), expected, "{url}");
    }
}

#[test]
fn nothing_else_is_hidden() {
    let cases = [
        "",
        "@",
        "http://h:80/@x",
        "http://h:80?x=a@b",
        "http://h:80#@x",
        "http://h:/@x",
        "http://h/a:b@c",
        "http://[::1]/@x",
        "http://[::1]/x@y",
        "http://[2001:db8::1]:80/@x",
        "http://u@h:80/",
        "ssh://git@h:x/y@1.0",
        "ftp://u@h/",
        "ftp://u:@h/",
        "ftp://h:21",
        "ftp://h:x/y",
        "ftp//h/x:y@z",
        "http://h//x:y@z",
        "http://h/?u=http%3A%2F%2Fh%3A80%2Fx%40y",
        "http://h/a%3Ab%40c",
        "mailto:a:b@c",
        "news:a:b@c",
    ];
    for url in cases {
        let redacted = redacted(url.as_bytes());
        assert!(matches!(redacted, Cow::Borrowed(_)), "{url}");
    }
}

#[test]
fn passwords_in_text_are_hidden() {
    let cases = [
        ("<URL:ftp://u:sec\nret@a/>", "<URL:ftp://u:***\n***@a/>"),
        ("ftp://u:sec \r\n> ret@a/", "ftp://u:*** \r\n> ***@a/"),
        ("> ftp://u:s/c\n>> # r/t@a", "> ftp://u:***\n>> # ***@a"),
        ("ftp://u:s\n\n\x0C\nre@t@a", "ftp://u:***\n\n\x0C\n***@a"),
        ("ftp://u:s\ncr\n@a/ or", "ftp://u:***\n***\n@a/ or"),
        ("<URL:telnet//u:secret@a>", "<URL:telnet//u:***@a>"),
        ("'telnet//u:secret@a'", "'telnet//u:***@a'"),
        ("<URL:ftp:u:secret@a>", "<URL:ftp:u:***@a>"),
        ("ftp://u:12?34@a/", "ftp://u:***@a/"),
        (
            "x \"http:\\/\\/u:secret@a\\/\"",
            "x \"http:\\/\\/u:***@a\\/\"",
        ),
        ("or http:/u:secret@a", "or http:/u:***@a"),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(&redacted_text(text.as_bytes())), expected);
    }
    for text in [
        "gopher://host:port/",
        "x:/y:z@a",
        "http://a.example//x:y@z",
        "gopher://host:port\n",
        "gopher://host:port/\nor http://a.example/@x\n",
        "<gopher://host:port>\njoe@a.example",
        "gopher://host:port and\njoe@a.example",
        "gopher://host:port\n<joe@a.example>",
        "http://a.example:80\njoe@a.example",
        "Re: http: foo:bar@a.example",
    ] {
        assert_eq!(shown(&redacted_text(text.as_bytes())), text);
    }
}

#[test]
fn what_follows_the_url_decides() {
    let cases = [
        ("ftp://joe:sec", Some("\nret@a/"), "ftp://joe:***\n***@a/"),
        (
            "ftp://joe:sec",
            Some("!\n> ret@a/"),
            "ftp://joe:***\n> ***@a/",
        ),
        ("ftp://joe:sec", Some(">\nret@a/"), "ftp://joe:sec>\nret@a/"),
        ("ftp://joe:sec", Some(""), "ftp://joe:sec"),
        ("ftp://joe:sec", None, "ftp://joe:***"),
        ("ftp://joe:21", None, "ftp://joe:21"),
        ("ftp://joe:p@h", None, "ftp://joe:***@h"),
        ("telnet//joe:s", Some("\nt@a/"), "telnet//joe:***\n***@a/"),
        ("x://h/http:j:s", Some("\nt@a/"), "x://h/http:j:***\n***@a/"),
    ];
    for (url, after, expected) in cases {
        let found = passwords_before(url.as_bytes(), after.map(str::as_bytes));
        let text = format!("{url}{}", after.unwrap_or_default());
        assert_eq!(shown(&masked(text.as_bytes(), &found)), expected);
    }
}

#[test]
fn parts_are_redacted() {
    let url = b"x://u:pass@h";
    let part = |part| shown(&redacted_part(url, part, &passwords(url)));
    assert_eq!(part(0..12), "x://u:***@h");
    assert_eq!(part(6..10), "***");
    assert_eq!(part(8..11), "***@");
    assert_eq!(part(0..8), "x://u:***");
    assert_eq!(part(10..12), "@h");
    assert_eq!(part(7..7), "");
}

#[test]
fn takes_linear_time() {
    let parts = [
        "://a:b@",
        "://a:b/",
        "://a:1/",
        ":/",
        "@",
        "://a:b@c:d/",
        "://[",
        "://[::1]:x/",
        "x",
        "ftp:",
        "ftp:[",
        "ftp:\\\\http:\\\\",
        "://u:p\n",
        "(\\\\a",
        "://a:b@c?ftp:",
        "%3A",
    ];
    let work = |part: &str, times: usize, end: &str| {
        let text = part.repeat(times) + end;
        let scopes = [
            Scope::Text,
            Scope::Url { after: None },
            Scope::Url {
                after: Some(b"\nx@h"),
            },
        ];
        scopes.map(|scope| {
            let mut walk = Walk::new(text.as_bytes(), scope);
            walk.walk();
            walk.all_work()
        })
    };
    let pairs = parts
        .iter()
        .flat_map(|one| parts.map(|other| one.to_string() + other));
    for part in pairs {
        for end in ["", "@", "/@", "/x@y:z/@"] {
            let few = work(&part, 200, end);
            let many = work(&part, 1_600, end);
            for (few, many) in few.into_iter().zip(many) {
                assert!(many <= 9 * few + 10_000, "{part} {end}: {few}, {many}");
            }
        }
    }
}

/// How a login is written.
#[derive(Clone, Debug)]
enum Form {
    /// With this between the scheme and the user.
    Plain(&'static str),
    /// In the path of another URL.
    Nested,
    /// In the query of another URL, with its delimiters encoded.
    Encoded,
    /// With a line break and what begins a line so far into the password.
    Cut(usize, &'static str),
}

fn form() -> impl Strategy<Value = Form> {
    let plain = [
        "://", ":/", ":///", ":\\\\", ":\\/\\/", ":", "//", ":/\\", ":\\",
    ];
    let leaders = ["\n", "\r\n", "\n> ", "\n>> # ", " \n\t", "\n\n"];
    prop_oneof![
        prop::sample::select(plain.to_vec()).prop_map(Form::Plain),
        Just(Form::Nested),
        Just(Form::Encoded),
        (1..9usize, prop::sample::select(leaders.to_vec()))
            .prop_map(|(at, leader)| Form::Cut(at, leader)),
    ]
}

/// A password of `Q` and `Z`, which nothing else in the URL has, and of delimiters. An `@` before
/// a raw delimiter ends it for every reader.
fn secret() -> impl Strategy<Value = String> {
    prop_oneof![
        "Q[QZ:/?#%\\\\\\[\\]!.,;*1-3-]{0,12}[QZ]",
        "Q[QZ:@%\\\\\\[\\]!.,;*1-3-]{0,12}[QZ]",
        "Q(%40|%3A|%2F|Z|%5Z){0,6}Z",
    ]
}

fn written(form: &Form, scheme: &str, user: &str, secret: &str, rest: &str) -> String {
    let url = |between: &str| format!("{scheme}{between}{user}:{secret}@{rest}");
    match form {
        Form::Plain(between) => url(between),
        Form::Nested => format!("http://web.example/{}", url("://")),
        Form::Encoded => {
            let mut encoded = url("://").replace('%', "%25");
            for (delimiter, escape) in [
                (':', "%3A"),
                ('/', "%2f"),
                ('?', "%3F"),
                ('#', "%23"),
                ('@', "%40"),
                ('\\', "%5C"),
            ] {
                encoded = encoded.replace(delimiter, escape);
            }
            format!("http://web.example/?u={encoded}&x=y")
        }
        Form::Cut(at, leader) => {
            // What precedes an `@` in the first line is a whole login.
            let most = secret.find('@').unwrap_or(secret.len() - 1);
            let (head, tail) = secret.split_at((*at).min(most));
            url("://").replace(secret, &format!("{head}{leader}{tail}"))
        }
    }
}

proptest! {
    #![proptest_config(tries(20_000))]

    #[test]
    fn no_part_of_a_password_is_shown(
        form in form(),
        scheme in prop::sample::select(vec!["http", "https", "ftp", "telnet", "sftp", "SSH"]),
        user in "[a-y]{0,6}",
        secret in secret(),
        rest in "[a-y]{1,5}\\.example(:[0-9]{1,5})?(/[a-y.]{0,5})?",
        around in prop::sample::select(vec![
            ("", ""), ("see ", " or"), ("<URL:", ">"), ("<", ">"), ("\"", "\""), ("(", ")"),
            ("'", "'"), ("> ", "\n> x"), ("href=\"", "\">"), ("x\n", "\ny"),
        ]),
    ) {
        let url = written(&form, scheme, &user, &secret, &rest);
        let (before, after) = around;
        let text = format!("{before}{url}{after}");
        let mut redacted = vec![redacted_text(text.as_bytes()).into_owned()];
        if !matches!(form, Form::Cut(..)) {
            redacted.push(super::redacted(url.as_bytes()).into_owned());
        }
        for redacted in redacted {
            let shown = String::from_utf8_lossy(&redacted);
            prop_assert!(!shown.contains(['Q', 'Z']), "{} {}", url, shown);
            prop_assert!(shown.contains("@") || shown.contains("%40"));
        }
    }

    #[test]
    fn what_is_plain_has_no_password(
        url in "[hx]:/{1,2}([a.]{0,2}|@|%40|%3A)(:[0-9]{0,6})?(/[a:@.]{0,3}){0,2}(\\?[a:@]{0,2})?",
        after in prop::sample::select(vec!["", " x@b", "\nx@b.example/", "/\n> @b", ":1@c"]),
    ) {
        let scopes = [Some(after.as_bytes()), None];
        for after in scopes {
            let found = all_in(url.as_bytes(), Scope::Url { after });
            prop_assert!(!is_plain(url.as_bytes()) || found.is_empty(), "{} {:?}", url, found);
        }
    }

    #[test]
    fn to_redact_twice_changes_nothing_more(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "http", "ftp", "telnet", "x", "://", ":/", ":", "//", ":\\/\\/", "\\", "/", "?", "#",
            "@", "%40", "%3A", "%2F", "[", "]", "::1", "80", "123456", "a", "u", " ", "<", ">",
            "\n", "\n> ", "é", "p:q@", "***", ".",
        ]), 0..24),
    ) {
        let text = pieces.concat();
        for (redact, find) in [
            (redacted as fn(&[u8]) -> Cow<'_, [u8]>, passwords as fn(&[u8]) -> Vec<Range<usize>>),
            (redacted_text, passwords_in_text),
        ] {
            let once = redact(text.as_bytes()).into_owned();
            prop_assert_eq!(shown(&redact(&once)), shown(&once), "{}", text);
            let found = find(text.as_bytes());
            prop_assert!(found.iter().all(|range| !range.is_empty()));
            prop_assert!(found.windows(2).all(|pair| pair[0].end < pair[1].start));
            prop_assert!(found.last().is_none_or(|last| last.end <= text.len()));
        }
    }
}
