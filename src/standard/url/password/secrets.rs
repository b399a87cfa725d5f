//! Secrets that are known by their names or by their form.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use memchr::memmem;
use regex::bytes::{Regex, RegexSet};

use super::signs::{COLON, SIGN, SLASHES};

/// How the names of secrets end.
const NAMES: &str = "api[_-]?key|access[_-]?key[_-]?id|assertion|bearer|credentials?|csrf|hdnea|hdnts|hmac|jwt|otp|\
    passphrase|passwd|password|private[_-]?key|psw|pwd|samlresponse|secret|sess(?:ion)?[_-]?id|sid|sig|signature|ticket|\
    token|verifier";

/// How many of the patterns are for the text around URLs. They are the last.
const BESIDE_URLS: usize = 6;

/// Names of which only values are hidden that look like a secret: long, of letters and digits.
const SHORT: &str = "auth|code|confirm|invite|key|pass|reset|st|webhook";

/// The patterns that find secrets. A test makes sure that they compile.
pub(super) static SECRETS: LazyLock<Option<Secrets>> = LazyLock::new(|| Secrets::new().ok());

pub(super) struct Secrets {
    /// Says which of the patterns are in a text.
    any: RegexSet,
    /// The group `secret` is one, the group `token` if it has letters and digits, and the group `value` if it is no
    /// URL.
    patterns: Vec<Lazy>,
    /// How many of the patterns are also looked for in a URL. The others are for the text around URLs.
    of_urls: usize,
}

/// A pattern, and the expression that is compiled when it is needed: that takes long.
type Lazy = (String, OnceLock<Option<Regex>>);

impl Secrets {
    fn new() -> Result<Self, regex::Error> {
        let (sign, colon, slashes) = (&*SIGN, &*COLON, &*SLASHES);
        let before_name = r"(?:[?&;#\[]|%(?:25)*(?:3f|26|3b|23|5b))[a-z0-9_.-]*";
        let equals = r"(?:[\[\]]|%(?:25)*5[bd])*(?:=|%(?:25)*3d)";
        let value = r#"[^\s&;#"'<>`]"#;
        let slash = r"(?:\\*/|%(?:25)*2f)";
        let (segment, port) = ("[a-z0-9_.-]+", "(?::[0-9]*)?");
        let name = format!(r#"(?:^|[\s"'{{(,:;$<@-])[a-z0-9_.-]*(?:{NAMES}|session)"#);
        let patterns = [
            // Parameters of URLs.
            format!("{before_name}(?:{NAMES}){equals}(?<secret>{value}+)"),
            format!("{before_name}(?:{SHORT}){equals}(?<token>{value}{{16,}})"),
            // The name of a user.
            format!(
                "{slashes}(?<token>[a-z0-9_-]{{16,}})(?:{sign}|{colon}(?:[0-9]+[^0-9/]|[^0-9]))"
            ),
            // Paths: of messages to a channel, and with a name as a segment.
            format!(r"hooks\.slack\.[a-z]+{port}{slash}[a-z]+{slash}{segment}{slash}{segment}{slash}(?<secret>{segment})"),
            format!(r"discord(?:app)?\.[a-z]+{port}{slash}api{slash}webhooks{slash}[0-9]+{slash}(?<secret>{segment})"),
            format!("{slash}[a-z]+[_-]?token{slash}(?<secret>{segment})"),
            format!("{slash}(?:{SHORT}){slash}(?<token>{segment})"),
            // The header of a request, and the flag of a program that makes one.
            format!(r#"authorization["']?\s*[:=]\s*["']?(?:(?:basic|bearer|token)\s+)?(?<secret>{value}+)"#),
            r"(?:^|\s|curl)(?:-u|--(?:proxy-)?user)[\s=]?[^\s:]*:(?<secret>/?[^\s/]\S*)".to_owned(),
            // Base64: a word of a header of mail, and lines.
            r"\?b\?(?<secret>[^\s?]+)".to_owned(),
            r"(?m)^(?<secret>[a-z0-9+/=]{16,}(?:\r?\n[a-z0-9+/=]+)*)\r?$".to_owned(),
            format!(r#"["'](?:{SHORT})["']:\s*["'](?<token>{value}{{16,}})"#),
            // Settings, headers of requests, attributes and elements.
            format!(r#"{name}["']?[ \t]*(?:[:=]|=>)[ \t]*["']?(?<value>{value}+)"#),
            format!(r#"<!entity\s+[a-z0-9_.-]*(?:{NAMES})\s+["'](?<value>{value}+)"#),
            format!("(?:{NAMES})>(?<value>{value}+)</"),
            // Flags, and the file of logins that ftp and curl read.
            format!(r#"--?[a-z0-9-]*(?:{NAMES})[ \t]+["']?(?<value>[^\s"'-][^\s"']*)"#),
            r"login\s+\S+\s+password\s+(?<secret>\S+)".to_owned(),
        ]
        .map(|pattern| format!("(?i-u){pattern}"));
        Ok(Secrets {
            any: RegexSet::new(&patterns)?,
            of_urls: patterns.len() - BESIDE_URLS,
            patterns: patterns.map(|pattern| (pattern, OnceLock::new())).into(),
        })
    }

    /// Returns where the secrets in `text` are, which may be a URL.
    pub(super) fn find(&self, text: &[u8], is_url: bool) -> Vec<Range<usize>> {
        let mut secrets = Vec::new();
        let found = self.any.matches(text).into_iter();
        for at in found.filter(|&at| !is_url || at < self.of_urls) {
            let (pattern, made) = &self.patterns[at];
            let Some(made) = made.get_or_init(|| Regex::new(pattern).ok()) else {
                // It is in the set, so it can be made.
                continue;
            };
            secrets.extend(made.captures_iter(text).filter_map(|found| {
                let token = found
                    .name("token")
                    .filter(|token| token.len() >= 16 && is_token(token.as_bytes()));
                let value = found
                    .name("value")
                    .filter(|value| memmem::find(value.as_bytes(), b"//").is_none());
                let secret = found.name("secret").or(token).or(value)?;
                Some(secret.range())
            }));
        }
        secrets
    }
}

fn is_token(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_digit) && text.iter().any(u8::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::super::{redacted, redacted_text};
    use super::*;

    #[test]
    fn each_pattern_can_be_made() {
        let secrets = SECRETS.as_ref().map(|secrets| &secrets.patterns);
        assert!(secrets.is_some_and(|all| all.iter().all(|(one, _)| Regex::new(one).is_ok())));
    }

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
                "curl --password=*** -b session=*** x",
            ),
            (
                "wget --http-password a1 http://a.example/",
                "wget --http-password *** http://a.example/",
            ),
            ("X-Api-Key: a1", "X-Api-Key: ***"),
            ("//a.example/:_authToken=a1", "//a.example/:_authToken=***"),
            ("DB_PASSWORD=a1", "DB_PASSWORD=***"),
            ("login joe password a1", "login joe password ***"),
            ("<!ENTITY token \"a1\">", "<!ENTITY token \"***\">"),
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
            assert_eq!(redacted_text(text.as_bytes()), shown.as_bytes());
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
}
