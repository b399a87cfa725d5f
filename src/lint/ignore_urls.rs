//! URLs that nothing is reported about.

use std::fmt;

use regex::bytes::{RegexBuilder, RegexSet, RegexSetBuilder};

/// How much memory the compiled patterns may take, in bytes.
const SIZE: usize = 64 << 20;

/// Tells URLs that nothing is to be reported about: drafts may not carry marks that say so.
///
/// ```
/// use urlint::{IgnoredUrls, Settings, UrlPattern};
///
/// let ignored = IgnoredUrls::new(&[
///     UrlPattern::of_url("http://*.example.org"),
///     UrlPattern::of_regex("[0-9]{4}$")?,
/// ])?;
/// assert!(ignored.contains(b"http://www.example.org/~joe"));
/// assert!(ignored.contains(b"http://a.example/~rfc/1738"));
/// assert!(!ignored.contains(b"http://www.example.org.attacker.example/"));
///
/// let settings = Settings { ignored, ..Settings::default() };
/// assert!(urlint::check(b"<URL:http://www.example.org/~joe>", &settings).is_empty());
/// # Ok::<(), urlint::BadPattern>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct IgnoredUrls {
    /// All patterns at once; none if there are none.
    patterns: Option<RegexSet>,
}

/// Which URLs are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlPattern {
    regex: String,
}

/// A pattern that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPattern(String);

impl fmt::Display for BadPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadPattern {}

impl From<regex::Error> for BadPattern {
    fn from(error: regex::Error) -> Self {
        let message = error.to_string();
        // The whole is a drawing of the pattern; its last line says what is wrong.
        let last = message.lines().last().unwrap_or_default();
        BadPattern(last.trim_start_matches("error: ").to_owned())
    }
}

impl UrlPattern {
    /// A URL and all that lie below it: those that go on behind it with `/`, `?`, `#`, `&` or `;`,
    /// or with anything if it ends in `/`, `#`, `&`, `;`, `:` or `=`. `*` stands for any characters
    /// but `/`, `**` for any at all, `?` for one that is no `/`.
    ///
    /// ```
    /// use urlint::{IgnoredUrls, UrlPattern};
    ///
    /// let ignored = IgnoredUrls::new(&[UrlPattern::of_url("http://a.example/x")])?;
    /// assert!(ignored.contains(b"http://a.example/x/y?z"));
    /// assert!(!ignored.contains(b"http://a.example/xy"));
    /// # Ok::<(), urlint::BadPattern>(())
    /// ```
    pub fn of_url(pattern: &str) -> Self {
        let mut regex = String::from("^");
        let mut rest = pattern;
        while let Some(c) = rest.chars().next() {
            let (taken, meaning) = match c {
                '*' if rest.starts_with("**") => (2, "(?s:.*)"),
                '*' => (1, "[^/]*"),
                '?' => (1, "[^/]"),
                c => (c.len_utf8(), ""),
            };
            if meaning.is_empty() {
                regex.push_str(&regex::escape(&rest[..taken]));
            } else {
                regex.push_str(meaning);
            }
            rest = &rest[taken..];
        }
        let is_open = |byte: &u8| b"/#&;:=".contains(byte);
        if !pattern.as_bytes().last().is_some_and(is_open) {
            regex.push_str("(?:[/?#&;]|$)");
        }
        UrlPattern { regex }
    }

    /// The URLs that a regular expression matches somewhere, in the syntax of the crate `regex`
    /// over bytes. Fails if it is none, or too big.
    pub fn of_regex(regex: &str) -> Result<Self, BadPattern> {
        RegexBuilder::new(regex).unicode(false).build()?;
        Ok(UrlPattern {
            regex: regex.to_owned(),
        })
    }
}

impl IgnoredUrls {
    /// The URLs that any of `patterns` means. Fails if all of them together are too big.
    pub fn new(patterns: &[UrlPattern]) -> Result<Self, BadPattern> {
        if patterns.is_empty() {
            return Ok(IgnoredUrls::default());
        }
        let regexes = patterns.iter().map(|pattern| &pattern.regex);
        let patterns = RegexSetBuilder::new(regexes)
            .unicode(false)
            .size_limit(SIZE)
            .build()?;
        Ok(IgnoredUrls {
            patterns: Some(patterns),
        })
    }

    /// Whether nothing is to be reported about `url`, which is given without its fragment. Takes
    /// time linear in its length.
    pub fn contains(&self, url: &[u8]) -> bool {
        let patterns = self.patterns.as_ref();
        patterns.is_some_and(|patterns| patterns.is_match(url))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_urls() {
        let cases: &[(&str, &str, bool)] = &[
            ("http://a.example/", "http://a.example/", true),
            ("http://a.example/", "http://a.example/b/c", true),
            ("http://a.example", "http://a.example", true),
            ("http://a.example", "http://a.example/b", true),
            ("http://a.example", "http://a.example?b", true),
            ("http://a.example", "http://a.example:80/", false),
            ("http://a.example", "http://a.example.b/", false),
            ("http://a.example", "http://a.example@b.example/", false),
            ("http://a.example/b", "http://a.example/bc", false),
            ("http://a.example/b?c=d", "http://a.example/b?c=d", true),
            ("http://a.example/b?c=d", "http://a.example/b?c=d&e", true),
            ("http://a.example/b?c=d", "http://a.example/b?c=de", false),
            ("http://a.example/b?c=", "http://a.example/b?c=de", true),
            ("http://a.example/", "see http://a.example/", false),
            ("http://a-example/", "http://a.example/", false),
            ("http://a.example/", "http://aXexample/", false),
            ("http://*.example.org/*", "http://b.example.org/c/d", true),
            ("http://*.example.org", "http://b.c.example.org/", true),
            (
                "http://*.example.org",
                "http://b.example/.example.org",
                false,
            ),
            ("http://a.example/*/c", "http://a.example/b/c", true),
            ("http://a.example/*/c", "http://a.example/b/b/c", false),
            ("http://a.example/**/c", "http://a.example/b/b/c", true),
            ("http://a.example/?", "http://a.example/b", true),
            ("http://a.example/?", "http://a.example/bb", false),
            ("mailto:", "mailto:joe@a.example", true),
            ("http://a.example/é", "http://a.example/é", true),
            ("http://a.example/é", "http://a.example/è", false),
            ("", "http://a.example/", false),
        ];
        for &(pattern, url, expected) in cases {
            let ignored = IgnoredUrls::new(&[UrlPattern::of_url(pattern)]).unwrap();
            assert_eq!(
                ignored.contains(url.as_bytes()),
                expected,
                "{pattern} {url}"
            );
        }
    }

    #[test]
    fn patterns_that_are_none() {
        let cases = [
            ("(", "unclosed group"),
            ("[a", "unclosed character class"),
            (
                "a{2,1}",
                "invalid repetition count range, the start must be <= the end",
            ),
        ];
        for (regex, expected) in cases {
            let error = UrlPattern::of_regex(regex).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
        assert!(UrlPattern::of_regex("(((a{1000}){1000}){1000})").is_err());
    }

    #[test]
    fn bytes_need_not_be_utf_8() {
        let any = UrlPattern::of_regex("^http:.*\\xff$").unwrap();
        let ignored = IgnoredUrls::new(&[any, UrlPattern::of_url("ftp://*/x")]).unwrap();
        assert!(ignored.contains(b"http://a/\xff"));
        assert!(ignored.contains(b"ftp://\xfe/x"));
        assert!(!IgnoredUrls::default().contains(b""));
    }
}
