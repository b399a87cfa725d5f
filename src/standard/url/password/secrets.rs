//! Secrets that are known by their names, and Base64, which may hold any.
//!
//! Names are looked for first, inside and beside URLs alike. Only the shape that belongs to a name that
//! was found is compiled and tried on the text after it.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::{Pattern, groups, pattern, patterns, run};

/// The length of the shortest value that looks like a secret, in bytes.
const SHORTEST: usize = 16;

/// How many bytes before a name may belong to the same word.
const LONGEST_WORD: usize = 64;

/// What is secret after a name.
#[derive(Clone, Copy)]
enum Kind {
    /// Any value of a setting; the next segment of a path if it [looks like a secret](is_token).
    Value,
    /// Any value of a setting, and any segment.
    Token,
    /// A value or a segment that looks like a secret.
    Doubtful,
    /// The group of this pattern.
    Own(&'static Pattern),
}

/// The ends of names, in lower case. A `_` may be a `-` or missing.
static NAMES: [(Kind, &str); 7] = [
    (
        Kind::Value,
        "access_key_id,api_key,assertion,authorization,bearer,credential,credentials,csrf,hdnea,hdnts,\
        hmac,jwt,otp,passphrase,passwd,password,private_key,psw,pwd,samlresponse,secret,sess_id,\
        session_id,sid,sig,signature,ticket,verifier",
    ),
    (Kind::Token, "token"),
    (
        Kind::Doubtful,
        "auth,code,confirm,invite,key,pass,reset,st,webhook",
    ),
    // A program and its flag may be one word, since a URL has no white space.
    (Kind::Own(&LOGIN), " -u, --user, --proxy-user,curl-u"),
    (Kind::Own(&ENCODED_WORD), "?b?"),
    (Kind::Own(&SLACK), "hooks.slack."),
    (Kind::Own(&WEBHOOK), "webhooks"),
];

/// What finds the names, and the kind of each of its patterns.
static FINDER: LazyLock<Option<(AhoCorasick, Vec<Kind>)>> = LazyLock::new(|| {
    let (mut names, mut kinds) = (Vec::new(), Vec::new());
    for (kind, all) in &NAMES {
        for name in all.split(',') {
            let signs = if name.contains('_') {
                &["_", "-", ""][..]
            } else {
                &["_"]
            };
            names.extend(signs.iter().map(|sign| name.replace('_', sign)));
            kinds.resize(names.len(), *kind);
        }
    }
    // To build a DFA takes longer than it saves in short texts.
    let mut finder = AhoCorasick::builder();
    finder.kind(Some(AhoCorasickKind::ContiguousNFA));
    let finder = finder.ascii_case_insensitive(true).build(names).ok()?;
    Some((finder, kinds))
});

patterns! {
    /// A parameter, a header of a request, an attribute or an element. A URL is no secret: it has names of its own.
    /// A value goes on in the next line if that is one word up to a quotation mark.
    SETTING = r#"^(?:[\]\["'\\]|%(?:25)*5[bd])*(?:>|(?:[ \t]+=>|[ \t]*(?::=|[:=]|%(?:25)*3d))[ \t]*)[\\"']*(?:(?:basic|bearer|token)[ \t]+)?(?:(?:[a-z][a-z0-9+.-]*:)?//|([^\s&;#"'<>`]+\r?\n[^\s&;#"'<>`]+)["'`](?:[^a-z0-9]|$)|([^\s&;#"'<>`]*[^\s&;#"'<>`\\]))"#;
    /// The same after a flag, whose value may be the next word.
    FLAG = r#"^(?:[ \t]+|[ \t]*[:=][ \t]*)["']?(?:[a-z][a-z0-9+.-]*://|([^\s"'-][^\s"']*))"#;
    SEGMENT = r"^\\*/([a-z0-9_.-]+)";
    LOGIN = r"^[\s=]?[^\s:]{0,64}:(/?[^\s/]\S*)";
    ENCODED_WORD = r"^([^\s?]+)";
    SLACK = r"^[a-z]+(?::[0-9]*)?(?:\\*/[a-z0-9_.-]+){3}\\*/([a-z0-9_.-]+)";
    WEBHOOK = r"^\\*/[0-9]+\\*/([a-z0-9_.-]+)";
}

/// Returns where the secrets in `text` are, which may be a URL. Takes time linear in its length.
pub(super) fn secrets(text: &[u8]) -> Vec<Range<usize>> {
    let mut secrets = base64_lines(text);
    let Some((finder, kinds)) = &*FINDER else {
        return secrets;
    };
    // No name is looked for within a secret, nor one that a value like a secret must follow within another value.
    let (mut end, mut value_end) = (0, 0);
    for name in finder.find_overlapping_iter(text) {
        let kind = kinds[name.pattern().as_usize()];
        // `localhost` is no `st`.
        let word = name.end().checked_sub(b"host".len());
        let is_host = word.is_some_and(|at| text[at..name.end()].eq_ignore_ascii_case(b"host"));
        let is_within = matches!(kind, Kind::Doubtful) && (is_host || name.start() < value_end);
        if name.start() < end || is_within {
            continue;
        }
        let (pattern, is_certain) = kind.after(&text[..name.start()]);
        if let Some(value) = groups(pattern, &text[name.end()..]).next() {
            value_end = name.end() + value.end();
            if is_certain || is_token(value.as_bytes()) {
                secrets.push(name.end() + value.start()..value_end);
                end = value_end;
            }
        }
    }
    secrets
}

impl Kind {
    /// Returns the pattern for the text after a name of this kind, which follows `before`, and whether all that
    /// it finds is secret.
    fn after(self, before: &[u8]) -> (&'static Pattern, bool) {
        let is_value = match self {
            Kind::Own(pattern) => return (pattern, true),
            Kind::Doubtful => false,
            Kind::Value | Kind::Token => true,
        };
        let is_in_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.-%".contains(byte);
        let word = before.iter().rev().take(LONGEST_WORD);
        let (before, word) = before.split_at(before.len() - word.take_while(is_in_word).count());
        if word.starts_with(b"-") {
            (&FLAG, is_value)
        } else if before.ends_with(b"/") && word.iter().all(|&byte| is_value && byte != b'%') {
            // `/post/` is no `st`.
            (&SEGMENT, matches!(self, Kind::Token))
        } else {
            (&SETTING, is_value)
        }
    }
}

/// Returns whether `text` is long enough for a secret, and has letters and digits, and nothing that is hidden already.
pub(super) fn is_token(text: &[u8]) -> bool {
    text.len() >= SHORTEST
        && !text.contains(&b'*')
        && text.iter().any(u8::is_ascii_digit)
        && text.iter().any(u8::is_ascii_alphabetic)
}

/// Returns the places of lines that are nothing but Base64: a long one, and those after it.
fn base64_lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut start, mut is_inside) = (0, false);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let body = line.trim_ascii_end();
        let len = run(body, |byte| {
            byte.is_ascii_alphanumeric() || b"+/=".contains(byte)
        });
        let follows = is_inside && len > 0;
        is_inside = len == body.len() && (len >= SHORTEST || follows);
        match found.last_mut() {
            Some(last) if is_inside && follows => last.end = start + len,
            _ if is_inside => found.push(start..start + len),
            _ => {}
        }
        start += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{redacted, redacted_text};

    #[test]
    fn names_of_secrets_are_known_however_they_are_written() {
        for name in [
            "access_token",
            "accessToken",
            "refresh-token",
            "token[]",
            "token%5B%5D",
            "user[password]",
            "user%5Bpassword%5d",
            "AWSAccessKeyId",
            "aws_access_key_id",
            "jwt",
            "apikey",
            "API-Key",
            "x_api_key",
            "client.secret",
            "id_token",
            "passwd",
            "pwd",
            "sig",
            "X-Amz-Credential",
            "X-Amz-Security-Token",
            "x-goog-signature",
            "PHPSESSID",
            "sessionid",
            "SAMLResponse",
            "oauth_verifier",
            "credentials",
        ] {
            let url = |value: &str| format!("http://a.example/x?{name}={value}&x=1");
            assert_eq!(&*redacted(url("a").as_bytes()), url("***").as_bytes());
        }
        for name in ["auth", "code", "key", "pass", "subscription-key"] {
            let url = |value: &str| format!("http://a.example/x?{name}={value}&x=1");
            let shown = |value| redacted(url(value).as_bytes()).into_owned();
            assert_eq!(shown("4/0AbCdEfGhIjKlMnO-_"), url("***").as_bytes());
            for word in ["200", "a", "averylongnamewithoutdigits"] {
                assert_eq!(shown(word), url(word).as_bytes());
            }
        }
        for (text, shown) in [
            (
                "curl -H 'Authorization: Bearer ghp_01' http://a.example/",
                "curl -H 'Authorization: Bearer ***' http://a.example/",
            ),
            (
                "{\"Authorization\": \"Basic am9lOnB3\"}",
                "{\"Authorization\": \"Basic ***\"}",
            ),
            ("authorization=ab c", "authorization=*** c"),
            ("access_token: a1 b", "access_token: *** b"),
            (
                r#"{"user": "joe", "password": "a1"}"#,
                r#"{"user": "joe", "password": "***"}"#,
            ),
            (
                "curl --password=a1 -b session=b2 x",
                "curl --password=*** -b session=b2 x",
            ),
            (
                "wget --http-password a1 http://a.example/",
                "wget --http-password *** http://a.example/",
            ),
            ("X-Api-Key: a1", "X-Api-Key: ***"),
            ("//a.example/:_authToken=a1", "//a.example/:_authToken=***"),
            ("DB_PASSWORD=a1", "DB_PASSWORD=***"),
            ("\"?token=a1\nb2\", c", "\"?token=***\", c"),
            ("token=a1\nb2=\"c\"", "token=***\nb2=\"c\""),
            ("token=a1\nb2 \"c\"", "token=***\nb2 \"c\""),
            ("password := \"a1\"", "password := \"***\""),
            (r#"{"a": "token = \"a1\""}"#, r#"{"a": "token = \"***\""}"#),
            (
                r#"{"a": "{\"password\":\"a1\",\"b\":1}"}"#,
                r#"{"a": "{\"password\":\"***\",\"b\":1}"}"#,
            ),
            ("login=joe&user_token=a1", "login=joe&user_token=***"),
            ("key=a1 http_auth: a1", "key=a1 http_auth: a1"),
            ("signing_key=0123456789abcdef", "signing_key=***"),
            ("webhook: \"0123456789abcdef\"", "webhook: \"***\""),
            ("--invite 0123456789abcdef", "--invite ***"),
            ("<password>a1</password>", "<password>***</password>"),
            // Not a secret: a URL, another name, a flag.
            ("token: http://a.example/x", "token: http://a.example/x"),
            ("state=a1 hash: b2 tokens: 3", "state=a1 hash: b2 tokens: 3"),
            ("x --token --help", "x --token --help"),
            (
                "the password of http://a.example/",
                "the password of http://a.example/",
            ),
        ] {
            assert_eq!(redacted_text(text.as_bytes()), shown.as_bytes(), "{text}");
        }
    }

    #[test]
    fn secrets_are_hidden_wherever_they_stand() {
        for (text, shown) in [
            (
                r"https:\/\/ghp_0123456789abcdefghij@a.example",
                r"https:\/\/***@a.example",
            ),
            (
                "https://a.example/?sig=a%2Fb&x=1",
                "https://a.example/?sig=***&x=1",
            ),
            (
                "https://a.example/?x=1&amp;Access_Token=ab#c",
                "https://a.example/?x=1&amp;Access_Token=***#c",
            ),
            (
                "ftp://a.example/x;password=ab",
                "ftp://a.example/x;password=***",
            ),
            (
                "http://a.example/?u=http%3A//b.example/%3Ftoken%3Dab",
                "http://a.example/?u=http%3A//b.example/%3Ftoken%3D***",
            ),
            ("https://a.example/?token=", "https://a.example/?token="),
            (
                "https://hooks.slack.com/services/T0/B0/a1",
                "https://hooks.slack.com/services/T0/B0/***",
            ),
            (
                "https://discord.com/api/webhooks/12/a1",
                "https://discord.com/api/webhooks/12/***",
            ),
            (
                "https://a.example/?access%5Ftoken=ab",
                "https://a.example/?access%5Ftoken=***",
            ),
            ("https://a.example/token/ab", "https://a.example/token/***"),
            (
                "https://a.example/post/2014-08-12-alternatives/",
                "https://a.example/post/2014-08-12-alternatives/",
            ),
            (
                "https://a.example/code/0123456789abcdef",
                "https://a.example/code/***",
            ),
            (
                "https://a.example/services/T0/B0/a1",
                "https://a.example/services/T0/B0/a1",
            ),
            (
                "https://a.example/token=ab?tokens=ab&design=ab",
                "https://a.example/token=ab?tokens=ab&design=ab",
            ),
            (
                "https://ghp_0123456789abcdefghij@a.example/b",
                "https://***@a.example/b",
            ),
            (
                "https://0123456789abcdefghij:x-oauth-basic@a.example/b",
                "https://***:***@a.example/b",
            ),
            (
                "https://averyveryverylongname@a.example/1",
                "https://averyveryverylongname@a.example/1",
            ),
            (
                "https://0123456789abcdefghij:80/a",
                "https://0123456789abcdefghij:80/a",
            ),
        ] {
            assert_eq!(redacted(text.as_bytes()), shown.as_bytes(), "{text}");
            let (text, shown) = (
                format!("see <{text}> there"),
                format!("see <{shown}> there"),
            );
            assert_eq!(redacted_text(text.as_bytes()), shown.as_bytes(), "{text}");
        }
    }

    #[test]
    fn it_takes_linear_time() {
        for piece in [
            "key=",
            "token=//",
            "--key ",
            "/key",
            "?b?",
            "-u",
            "curl-u",
            "webhooks/1",
            "%5b",
            "key:",
            "a\n",
        ] {
            assert!(
                redacted_text(piece.repeat(200_000).as_bytes()).len() > 1,
                "{piece}"
            );
        }
    }
}
