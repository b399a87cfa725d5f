//! The user's own rules: which URLs to avoid, and which replacements to write.

use regex::bytes::{Regex, RegexBuilder};

use super::diagnostic::Applicability::{Safe, Unsafe};
use super::fix_safety::edited;
use super::ignore_urls::{BadPattern, IgnoredUrls, SIZE_OF_ONE};
use super::printable::printable;
use super::reference::is_in_entry;
use super::report::Report;
use super::rule::{Rule, Severity};
use super::url::Url;
use urlint_find::Candidate;
use urlint_standard::standard::{Part, Standard};
use urlint_standard::text::named::named;
use urlint_standard::url::host::in_domain;

/// A user's own rule about URLs, which [`Rule::RestrictedUrl`] reports.
///
/// ```
/// use urlint::lint::{UrlMatcher, UrlRule};
/// use urlint::{Severity, Settings};
///
/// let matcher = UrlMatcher::of_hosts(["wiki.example.org"], "/old/");
/// let mut rule = UrlRule::new("old-wiki", matcher, "the wiki moved in 2020");
/// rule.severity = Severity::Error;
/// rule.replacement = Some("docs.example.org/wiki/".to_owned());
/// let settings = Settings::default().with_url_rules([rule]);
///
/// let diagnostics = urlint::check(b"see http://wiki.example.org/old/x", &settings);
/// assert_eq!(diagnostics[0].message, "`wiki.example.org/old/`: the wiki moved in 2020");
/// let fix = diagnostics[0].fix.as_ref().unwrap();
/// assert_eq!(fix.message, "write `http://docs.example.org/wiki/x`");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub struct UrlRule {
    /// The name.
    pub name: String,
    /// The URLs that it is about.
    pub matcher: UrlMatcher,
    /// What it says of them: one sentence without a full stop.
    pub message: String,
    /// The severity.
    pub severity: Severity,
    /// What is written in place of the match.
    ///
    /// For hosts, this is another host; or a host and the beginning of a path, which replace the host and the
    /// path of the matcher; or the same with a scheme. If it begins with a dot, the names in the domain remain.
    /// For a regular expression, it replaces the match, and `${name}` in it stands for a group.
    pub replacement: Option<String>,
    /// Whether the replacement is a safe fix.
    pub is_safe: bool,
    /// URLs that the rule does not report.
    pub allowed: IgnoredUrls,
    /// Whether [`check`](crate::check) reports only URLs in entries of references in Internet-Drafts and RFCs.
    pub in_references: bool,
}

/// The URLs that a [`UrlRule`] is about.
#[derive(Clone, Debug)]
pub struct UrlMatcher(By);

#[derive(Clone, Debug)]
enum By {
    /// Hosts, and the beginning of the path.
    Hosts(Vec<String>, String),
    /// A regular expression that matches somewhere in a component.
    Regex(UrlComponent, Regex),
}

named! {
    /// A component of a URL in which a regular expression is looked for.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum UrlComponent {
        /// All of it as it is written, without the fragment.
        #[default]
        Url = "url",
        /// The host.
        Host = "host",
        /// The path, with the `/` that it begins with.
        Path = "path",
        /// The query, without the `?`.
        Query = "query",
        /// The fragment, without the `#`.
        Fragment = "fragment",
    }
}

impl UrlMatcher {
    /// Matches URLs of one of `hosts` whose path begins with `path`, in whole segments. A host that
    /// begins with a dot stands for a domain and all hosts in it. Case counts only in the path.
    pub fn of_hosts<H: Into<String>>(
        hosts: impl IntoIterator<Item = H>,
        path: impl Into<String>,
    ) -> Self {
        let hosts = hosts.into_iter().map(Into::into);
        UrlMatcher(By::Hosts(hosts.collect(), path.into()))
    }

    /// Creates a matcher that searches the `component` of a URL for a regular expression, in the syntax of
    /// `regex::bytes`. Fails if the expression is invalid or too big.
    pub fn of_regex(component: UrlComponent, regex: &str) -> Result<Self, BadPattern> {
        let mut builder = RegexBuilder::new(regex);
        let regex = builder.unicode(false).size_limit(SIZE_OF_ONE).build()?;
        Ok(UrlMatcher(By::Regex(component, regex)))
    }
}

/// The part of a URL that a rule reports.
struct Hit {
    part: Part,
    /// The part to replace, and its replacement.
    edit: Option<(Part, String)>,
}

impl UrlRule {
    /// A rule that reports `message` with the severity of a warning.
    pub fn new(name: impl Into<String>, matcher: UrlMatcher, message: impl Into<String>) -> Self {
        UrlRule {
            name: name.into(),
            matcher,
            message: message.into(),
            severity: Severity::Warning,
            replacement: None,
            is_safe: false,
            allowed: IgnoredUrls::default(),
            in_references: false,
        }
    }

    /// Returns whether the rule reports `url`.
    pub fn reports(&self, url: &[u8]) -> bool {
        let candidate = Candidate::whole(url);
        let url = Url::new(&candidate, Standard::Rfc3986);
        self.find(&url, false).is_some()
    }

    /// Returns `url` with the replacement; `None` if the rule does not report the URL or cannot mend it, or if
    /// the result would be longer than a [candidate](Candidate::MAX_LEN) may be.
    #[must_use]
    pub fn replaced(&self, url: &[u8]) -> Option<Vec<u8>> {
        let candidate = Candidate::whole(url);
        let hit = self.find(&Url::new(&candidate, Standard::Rfc3986), true)?;
        let (part, text) = hit.edit?;
        edited_within(url, part, &text)
    }

    /// Returns the first name in `${name}` of the replacement that is not a group of the regular expression.
    pub fn unknown_group(&self) -> Option<&str> {
        let replacement = self.replacement.as_ref()?;
        let By::Regex(_, regex) = &self.matcher.0 else {
            return None;
        };
        let names = replacement.split("${").skip(1);
        let mut names = names.filter_map(|rest| rest.split('}').next());
        names.find(|&name| {
            let is_number = name
                .parse()
                .is_ok_and(|number: usize| number < regex.captures_len());
            !is_number && !regex.capture_names().flatten().any(|known| known == name)
        })
    }

    /// Returns the hit of the rule in `url`, with an edit that writes the replacement if that is needed.
    fn find(&self, url: &Url<'_>, needs_edit: bool) -> Option<Hit> {
        let replacement = self.replacement.as_deref().filter(|_| needs_edit);
        let hit = match &self.matcher.0 {
            By::Hosts(hosts, path) => find_host(url, hosts, path, replacement),
            By::Regex(component, regex) => find_match(url, *component, regex, replacement),
        };
        hit.filter(|_| !self.allowed.contains(url.text))
    }
}

fn find_host(
    url: &Url<'_>,
    hosts: &[String],
    path: &str,
    replacement: Option<&str>,
) -> Option<Hit> {
    let host = url.split.host?;
    let (pattern, domain) = hosts
        .iter()
        .find_map(|pattern| Some((pattern, within(pattern, url.slice(host))?)))?;
    let rest = url.slice(url.split.path).strip_prefix(path.as_bytes())?;
    if !path.is_empty() && !path.ends_with('/') && !matches!(rest, [] | [b'/', ..]) {
        return None;
    }
    let has_path = !path.is_empty();
    let end = url.split.path.start + path.len() as u32;
    let part = Part {
        start: host.start,
        end: if has_path { end } else { host.end },
    };
    let edit = replacement.and_then(|text| {
        let has_scheme = text.contains("://");
        let after_slashes = url.scheme_part().end + "://".len() as u32;
        let is_bare = host.end == url.split.path.start && host.start == after_slashes;
        let replaced = match text.strip_prefix('.') {
            Some(_) if pattern.starts_with('.') => host.skip(domain as u32),
            _ if !has_scheme && !text.contains('/') => host,
            // A port or a login would be lost.
            _ if !is_bare => return None,
            _ => Part {
                start: if has_scheme { 0 } else { host.start },
                end,
            },
        };
        let text = text.strip_prefix('.').unwrap_or(text);
        Some((replaced, text.to_owned()))
    });
    Some(Hit { part, edit })
}

fn find_match(
    url: &Url<'_>,
    component: UrlComponent,
    regex: &Regex,
    replacement: Option<&str>,
) -> Option<Hit> {
    let whole = &url.candidate.text;
    let len = url.text.len();
    let within = match component {
        UrlComponent::Url => Part::new(0, len),
        UrlComponent::Host => url.split.host?,
        UrlComponent::Path => url.split.path,
        UrlComponent::Query => url.split.query?,
        UrlComponent::Fragment => Part::new(len + 1, whole.len().max(len + 1)),
    };
    let captures = regex.captures(whole.get(within.range())?)?;
    let found = captures.get(0)?;
    let part = within.within(Part::new(found.start(), found.end()));
    let edit = replacement.and_then(|template| {
        let mut text = Vec::new();
        captures.expand(template.as_bytes(), &mut text);
        Some((part, String::from_utf8(text).ok()?))
    });
    Some(Hit { part, edit })
}

/// Returns `url` with `text` in place of `part`; `None` if that is longer than a candidate may be.
fn edited_within(url: &[u8], part: Part, text: &str) -> Option<Vec<u8>> {
    let edited = edited(url, &[(part, text)]);
    Some(edited).filter(|edited| edited.len() <= Candidate::MAX_LEN)
}

/// Returns where the host or domain of `pattern` begins in `host`; `None` if `host` does not match.
fn within(pattern: &str, host: &[u8]) -> Option<usize> {
    let host = host.strip_suffix(b".").unwrap_or(host);
    match pattern.strip_prefix('.') {
        Some(domain) => in_domain(host, domain.as_bytes()),
        None => host.eq_ignore_ascii_case(pattern.as_bytes()).then_some(0),
    }
}

/// Reports `url` for each of `rules` that it matches.
pub(super) fn check(url: &Url<'_>, rules: &[UrlRule], report: &mut Report<'_>) {
    for rule in rules {
        let Some(Hit { part, edit }) = rule.find(url, true) else {
            continue;
        };
        if rule.in_references && !is_in_entry(report.around().before) {
            continue;
        }
        // A stranger may have written the configuration, with control characters in the message.
        let message = printable(rule.message.as_bytes());
        let message = format!("{}: {message}", url.quoted(part));
        let fix = edit.and_then(|(part, text)| {
            let applicability = if rule.is_safe { Safe } else { Unsafe };
            let after = edited_within(&url.candidate.text, part, &text)?;
            let message = format!("write `{}`", printable(&after));
            url.fix(message, applicability, part, &text)
        });
        let finding = url.finding(Rule::RestrictedUrl, part, message, rule.name.as_str());
        report.add(finding.at_most(rule.severity).fix(fix));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_matched_whole_and_paths_by_segments() {
        let cases = [
            ("a.example", "", "http://A.example/x", true),
            ("a.example", "", "http://a.example./x", true),
            ("a.example", "", "http://b.a.example/", false),
            ("a.example", "", "http://xa.example/", false),
            (".a.example", "", "http://b.a.example/", true),
            (".a.example", "", "http://a.example/", true),
            (".a.example", "", "http://xa.example/", false),
            ("a.example", "/x", "http://a.example/x", true),
            ("a.example", "/x", "http://a.example/x/y?z", true),
            ("a.example", "/x", "http://a.example/xy", false),
            ("a.example", "/x/", "http://a.example/x/y", true),
            ("a.example", "", "mailto:joe@a.example", false),
        ];
        for (host, path, url, expected) in cases {
            let rule = UrlRule::new("x", UrlMatcher::of_hosts([host], path), "no");
            assert_eq!(
                rule.reports(url.as_bytes()),
                expected,
                "{host} {path} {url}"
            );
        }
    }

    #[test]
    fn messages_are_printable() {
        let rule = UrlRule::new("x", UrlMatcher::of_hosts(["a.b"], ""), "\u{1b}[31mred");
        let settings = crate::Settings::default().with_url_rules([rule]);
        let found = crate::check(b"http://a.b/ ", &settings);
        assert_eq!(found[0].message, "`a.b`: <U+001B>[31mred");
    }

    #[test]
    fn a_replacement_is_as_long_as_a_url_may_be() -> Result<(), BadPattern> {
        let url = [b"http://a/", &b"x".repeat(6000)[..]].concat();
        for (times, is_replaced) in [(10, true), (11, false), (100, false)] {
            let matcher = UrlMatcher::of_regex(UrlComponent::Path, ".+")?;
            let rule = UrlRule {
                replacement: Some("$0".repeat(times)),
                ..UrlRule::new("x", matcher, "no")
            };
            assert_eq!(rule.replaced(&url).is_some(), is_replaced, "{times}");
            assert!(rule.reports(&url));
            let settings = crate::Settings::default().with_url_rules([rule]);
            let found = crate::check(&url, &settings);
            assert_eq!(found[0].fix.is_some(), is_replaced, "{times}");
        }
        let matcher = UrlMatcher::of_regex(UrlComponent::Path, "(x)")?;
        let rule = UrlRule {
            replacement: Some("é$$1${1}$1$".into()),
            ..UrlRule::new("x", matcher, "no")
        };
        let expected = "http://a/é$1xx$".as_bytes();
        assert_eq!(rule.replaced(b"http://a/x").as_deref(), Some(expected));
        Ok(())
    }

    #[test]
    fn replacements() -> Result<(), BadPattern> {
        let hosts = |host: &str, path: &str| UrlMatcher::of_hosts([host], path);
        let regex = |regex| UrlMatcher::of_regex(UrlComponent::Path, regex);
        let cases = [
            (
                hosts("a.example", ""),
                "b.example",
                "http://joe@a.example:80/x?y#z",
                Some("http://joe@b.example:80/x?y#z"),
            ),
            (
                hosts("a.example", "/x/"),
                "b.example/y/",
                "http://a.example/x/z",
                Some("http://b.example/y/z"),
            ),
            (
                hosts("a.example", "/x/"),
                "https://b.example/y/",
                "http://a.example/x/z#f",
                Some("https://b.example/y/z#f"),
            ),
            (
                hosts("a.example", "/x/"),
                "https://b.example/y/",
                "http://a.example:8080/x/z",
                None,
            ),
            (
                hosts(".a.example", ""),
                ".b.example",
                "http://www.a.example/",
                Some("http://www.b.example/"),
            ),
            (
                regex(r"^/rfc(?<n>\d+)")?,
                "/info/rfc${n}",
                "http://a.example/rfc12#s",
                Some("http://a.example/info/rfc12#s"),
            ),
            (regex("^/x")?, "/y", "http://a.example/z", None),
        ];
        for (matcher, text, url, expected) in cases {
            let rule = UrlRule {
                replacement: Some(text.into()),
                ..UrlRule::new("x", matcher, "no")
            };
            let replaced = rule.replaced(url.as_bytes());
            assert_eq!(
                replaced.as_deref(),
                expected.map(str::as_bytes),
                "{text} {url}"
            );
        }
        let rule = |text| {
            Ok::<_, BadPattern>(UrlRule {
                replacement: Some(String::from(text)),
                ..UrlRule::new("x", regex("(?<n>.)")?, "no")
            })
        };
        assert_eq!(rule("${n}${1}")?.unknown_group(), None);
        assert_eq!(rule("${n}${m}")?.unknown_group(), Some("m"));
        Ok(())
    }
}
