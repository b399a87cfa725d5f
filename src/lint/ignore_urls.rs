//! URLs that are never reported.

use std::fmt;

use regex::bytes::{RegexBuilder, RegexSet, RegexSetBuilder};

/// The greatest amount of memory that the compiled patterns with few wildcards may take, in bytes: at each
/// byte of a URL, they can match in few ways.
const SIZE_OF_SIMPLE: usize = 8 << 20;

/// The same for the other patterns: all of their parts may have to be tried at each byte.
const SIZE_OF_OTHERS: usize = 1 << 20;

/// The most wildcards of a simple pattern.
const MOST_WILDCARDS: usize = 4;

/// The greatest amount of memory that a compiled regular expression may take, in bytes.
pub(super) const SIZE_OF_ONE: usize = 64 << 10;

/// Patterns of URLs that are never reported, for texts that cannot have [suppression
/// comments](crate::Suppressions).
///
/// ```
/// use urlint::Settings;
/// use urlint::lint::{IgnoredUrls, UrlPattern};
///
/// let ignored = IgnoredUrls::new(&[
///     UrlPattern::of_url("http://*.example.org"),
///     UrlPattern::of_regex("[0-9]{4}$")?,
/// ])?;
/// assert!(ignored.contains(b"http://www.example.org/~joe"));
/// assert!(ignored.contains(b"http://a.example/~rfc/1738"));
/// assert!(!ignored.contains(b"http://www.example.org.attacker.example/"));
///
/// let settings = Settings::default().with_ignored(ignored);
/// assert!(urlint::check(b"<URL:http://www.example.org/~joe>", &settings).is_empty());
/// # Ok::<(), urlint::lint::BadPattern>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct IgnoredUrls {
    /// Those with few wildcards, and all others, each compiled together; `None` if there are none.
    patterns: [Option<RegexSet>; 2],
}

/// A pattern that matches URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlPattern {
    regex: String,
    /// Whether it has few wildcards.
    is_simple: bool,
}

/// The error for a regular expression that cannot be used. Its message is one line; its
/// [source](std::error::Error::source) shows where the expression is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct BadPattern(regex::Error);

impl fmt::Display for BadPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.0.to_string();
        // The message shows the pattern; its last line names the error.
        let last = message.lines().last().unwrap_or_default();
        f.write_str(last.trim_start_matches("error: "))
    }
}

impl std::error::Error for BadPattern {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

impl From<regex::Error> for BadPattern {
    fn from(source: regex::Error) -> Self {
        BadPattern(source)
    }
}

impl UrlPattern {
    /// Matches a URL and all URLs below it: those in which it is followed by `/`, `?`, `#`, `&` or
    /// `;`, or by anything if it ends in `/`, `#`, `&`, `;`, `:` or `=`. `*` matches any characters
    /// except `/`, `**` any characters, and `?` one character other than `/`.
    ///
    /// ```
    /// use urlint::lint::{IgnoredUrls, UrlPattern};
    ///
    /// let ignored = IgnoredUrls::new(&[UrlPattern::of_url("http://a.example/x")])?;
    /// assert!(ignored.contains(b"http://a.example/x/y?z"));
    /// assert!(!ignored.contains(b"http://a.example/xy"));
    /// # Ok::<(), urlint::lint::BadPattern>(())
    /// ```
    #[must_use]
    pub fn of_url(pattern: &str) -> Self {
        let mut regex = String::from("^");
        let mut wildcards = 0;
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
                wildcards += 1;
            }
            rest = &rest[taken..];
        }
        let is_open = |byte: &u8| b"/#&;:=".contains(byte);
        if !pattern.as_bytes().last().is_some_and(is_open) {
            regex.push_str("(?:[/?#&;]|$)");
        }
        let is_simple = wildcards <= MOST_WILDCARDS;
        UrlPattern { regex, is_simple }
    }

    /// Matches the URLs in which a regular expression, in the syntax of `regex::bytes`, matches
    /// anywhere. Fails if it is invalid or too big.
    pub fn of_regex(regex: &str) -> Result<Self, BadPattern> {
        RegexBuilder::new(regex)
            .unicode(false)
            .size_limit(SIZE_OF_ONE)
            .build()?;
        Ok(UrlPattern {
            regex: regex.to_owned(),
            is_simple: false,
        })
    }
}

impl IgnoredUrls {
    /// Compiles `patterns`, any of which may match. Fails if they are too big together.
    pub fn new(patterns: &[UrlPattern]) -> Result<Self, BadPattern> {
        let compiled = |is_simple, size| {
            let chosen = patterns.iter().filter(|one| one.is_simple == is_simple);
            let mut regexes = chosen.map(|one| &one.regex).peekable();
            if regexes.peek().is_none() {
                return Ok(None);
            }
            let mut builder = RegexSetBuilder::new(regexes);
            builder.unicode(false).size_limit(size).build().map(Some)
        };
        Ok(IgnoredUrls {
            patterns: [
                compiled(true, SIZE_OF_SIMPLE)?,
                compiled(false, SIZE_OF_OTHERS)?,
            ],
        })
    }

    /// Returns whether `url`, which must not include its fragment, is never reported. Takes time
    /// linear in its length.
    pub fn contains(&self, url: &[u8]) -> bool {
        let mut patterns = self.patterns.iter().flatten();
        patterns.any(|patterns| patterns.is_match(url))
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
    fn bad_patterns() {
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
