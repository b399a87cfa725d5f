//! Rules about URLs that the user writes, and the lists that come with urlint.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use urlint_lint::{BadPattern, IgnoredUrls, UrlComponent, UrlMatcher, UrlPattern, UrlRule};
use urlint_standard::standard::Standard;
use urlint_standard::text::named::named;

use super::values::{Glob, IgnoredUrl, Level, Name, checked};

/// A rule about URLs: what to avoid, and what to write in its place.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", remote = "Self")]
#[non_exhaustive]
pub struct UrlRuleKeys {
    /// The host, or a domain and all hosts in it if it begins with a dot; or several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Hosts"))]
    pub host: Option<Hosts>,
    /// The first segments of the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub path: Option<String>,
    /// A regular expression that matches somewhere in the component, in place of `host` and `path`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub regex: Option<String>,
    /// The component in which the regular expression is looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Name<UrlComponent>"))]
    pub component: Option<Name<UrlComponent>>,
    /// The message, one sentence.
    pub message: String,
    /// How serious it is; `"off"` switches the rule off.
    #[serde(default = "warning")]
    pub severity: Name<Level>,
    /// The text to write in place of the host (and path), or of the match of the regular expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub replace: Option<String>,
    /// Whether the replacement is a safe fix.
    #[serde(default)]
    pub safe: bool,
    /// URLs that are not reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<IgnoredUrl>,
    /// Whether only entries of references in Internet-Drafts and RFCs are looked at.
    #[serde(default)]
    pub references: bool,
    /// The files to which the rule applies, if not to all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Glob>,
    /// URLs with which the rule is tried when it is read.
    #[serde(default)]
    pub examples: Examples,
}

/// One host or several.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(untagged, expecting = "expected a host or a list of hosts")]
#[non_exhaustive]
pub enum Hosts {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

/// URLs with which a rule is tried.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Examples {
    /// URLs that it reports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bad: Vec<String>,
    /// URLs that it does not report.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub good: Vec<String>,
}

fn warning() -> Name<Level> {
    Name(Level::Warning)
}

/// The most rules of a file: each takes time with every URL, and memory.
const MOST_RULES: usize = 64;

/// The most entries of a list of a rule.
const MOST_ENTRIES: usize = 256;

/// The most bytes of a message, or of a replacement.
const MOST_MESSAGE: usize = 500;

/// Fails with a message unless `is_right`.
fn ensure(is_right: bool, message: impl Into<String>) -> Result<(), String> {
    if is_right {
        Ok(())
    } else {
        Err(message.into())
    }
}

checked!(UrlRuleKeys, |keys| keys.rule("").map(drop));

impl UrlRuleKeys {
    /// Returns the rule called `name`, or its mistake; `None` if it is off.
    pub(super) fn rule(&self, name: &str) -> Result<Option<UrlRule>, String> {
        let bytes = |text: &str| (1..=MOST_MESSAGE).contains(&text.len());
        let wrong = format!("`message` must have 1 to {MOST_MESSAGE} bytes");
        ensure(bytes(self.message.trim()), wrong)?;
        let replace = self.replace.as_deref().unwrap_or_default();
        let wrong = format!("`replace` must have at most {MOST_MESSAGE} bytes");
        ensure(replace.len() <= MOST_MESSAGE, wrong)?;
        let lens = [self.allow.len(), self.files.len(), self.hosts().len()];
        let wrong = format!("more than {MOST_ENTRIES} entries in a list");
        ensure(lens.iter().all(|&len| len <= MOST_ENTRIES), wrong)?;
        let wrong = "`safe` has no meaning without `replace`";
        ensure(self.replace.is_some() || !self.safe, wrong)?;
        let mut rule = UrlRule::new(name, self.matcher()?, self.message.trim_end_matches('.'));
        rule.replacement.clone_from(&self.replace);
        rule.is_safe = self.safe;
        rule.in_references = self.references;
        let patterns: Result<Vec<_>, _> = self.allow.iter().map(IgnoredUrl::pattern).collect();
        let allowed = patterns.and_then(|patterns| IgnoredUrls::new(&patterns));
        rule.allowed = allowed.map_err(|error| format!("`allow`: {error}"))?;
        let group = rule.unknown_group().unwrap_or_default();
        let wrong = format!("`replace` names the group `{group}`, which `regex` does not have");
        ensure(rule.unknown_group().is_none(), wrong)?;
        self.try_out(&rule)?;
        let severity = self.severity.0.severity();
        Ok(severity.map(|severity| {
            rule.severity = severity;
            rule
        }))
    }

    /// Returns the patterns that all its expressions are.
    pub(super) fn patterns(&self) -> impl Iterator<Item = Result<UrlPattern, BadPattern>> {
        let own = self.regex.as_deref().map(UrlPattern::of_regex);
        own.into_iter()
            .chain(self.allow.iter().map(IgnoredUrl::pattern))
    }

    fn hosts(&self) -> &[String] {
        match &self.host {
            None => &[],
            Some(Hosts::One(host)) => std::slice::from_ref(host),
            Some(Hosts::Several(hosts)) => hosts,
        }
    }

    fn matcher(&self) -> Result<UrlMatcher, String> {
        let (has_host, has_path) = (self.host.is_some(), self.path.is_some());
        if let Some(regex) = &self.regex {
            ensure(!has_host, "`host` and `regex` exclude each other")?;
            let wrong = "`path` requires `host`; with `regex`, use `component`";
            ensure(!has_path, wrong)?;
            let component = self.component.unwrap_or_default().0;
            return UrlMatcher::of_regex(component, regex)
                .map_err(|error| format!("`regex`: {error}"));
        }
        ensure(has_host, "it needs `host` or `regex`")?;
        let wrong = "`component` requires `regex`";
        ensure(self.component.is_none(), wrong)?;
        ensure(!self.hosts().is_empty(), "`host` is empty")?;
        for host in self.hosts() {
            let wrong = format!(
                "`{host}`: expected a host, without scheme, path and `*`; a dot before it stands for all hosts in the domain"
            );
            ensure(is_host(host), wrong)?;
        }
        let path = self.path.as_deref().unwrap_or_default();
        let wrong = format!("`path` must begin with `/`, and `{path}` does not");
        ensure(path.is_empty() || path.starts_with('/'), wrong)?;
        Ok(UrlMatcher::of_hosts(self.hosts(), path))
    }

    /// Fails if an example is not reported, or is although it should not be, or if its replacement is no
    /// valid URL or is reported again.
    fn try_out(&self, rule: &UrlRule) -> Result<(), String> {
        for url in &self.examples.good {
            let wrong = format!("the good example `{url}` is reported");
            ensure(!rule.reports(url.as_bytes()), wrong)?;
        }
        for url in &self.examples.bad {
            let wrong = format!("the bad example `{url}` is not reported");
            ensure(rule.reports(url.as_bytes()), wrong)?;
            let Some(replaced) = rule.replaced(url.as_bytes()) else {
                continue;
            };
            let shown = String::from_utf8_lossy(&replaced);
            let mut parts = replaced.split(|&byte| byte == b'#');
            let is_valid = Standard::Rfc3986.is_valid(parts.next().unwrap_or_default());
            let wrong = format!("`replace` turns `{url}` into `{shown}`, which is not a valid URL");
            ensure(is_valid, wrong)?;
            let wrong = format!("`replace` turns `{url}` into `{shown}`, which is reported again");
            ensure(!rule.reports(&replaced), wrong)?;
        }
        Ok(())
    }
}

/// Fails if `rules` are too many, or their patterns and those of `ignored` too large together.
pub(super) fn fit_together<'r>(
    rules: impl Iterator<Item = &'r UrlRuleKeys>,
    ignored: &[IgnoredUrl],
) -> Result<(), String> {
    let rules: Vec<_> = rules.collect();
    if rules.len() > MOST_RULES {
        return Err(format!("more than {MOST_RULES} rules"));
    }
    let ignored = ignored.iter().map(IgnoredUrl::pattern);
    let all = rules.iter().flat_map(|rule| rule.patterns()).chain(ignored);
    // Those that are wrong are reported where they are.
    let fitting = IgnoredUrls::new(&all.flatten().collect::<Vec<_>>());
    let wrong = |error| format!("the patterns are too many or too large: {error}");
    fitting.map(drop).map_err(wrong)
}

/// Returns whether `host` is a host, or a domain after a dot.
fn is_host(host: &str) -> bool {
    let name = host.strip_prefix('.').unwrap_or(host);
    let is_part =
        |byte: u8| byte.is_ascii_alphanumeric() || b"-._[]:".contains(&byte) || byte >= 0x80;
    !name.is_empty() && name.bytes().all(is_part)
}

named! {
    /// The lists of URLs to avoid that come with urlint.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum UrlList {
        /// Hosts of the IETF and others that have moved, with their new places.
        RetiredHosts = "retired-hosts",
        /// URLs in entries of references that the RFC Editor asks to write in another form.
        References = "references",
        /// Parameters that tell the server where a reader comes from.
        Trackers = "trackers",
        /// Hosts of short links, which hide where they lead; some of them have ended or will.
        Shorteners = "shorteners",
    }
}

impl UrlList {
    /// Returns the rules of the list.
    pub(super) fn rules(self) -> &'static [UrlRule] {
        static LISTS: LazyLock<Vec<Vec<UrlRule>>> = LazyLock::new(|| {
            // They are tested.
            let lists: BTreeMap<String, Vec<UrlRuleKeys>> =
                toml::from_str(include_str!("url_lists.toml")).unwrap_or_default();
            let rules = |list: &UrlList| {
                let keys = lists.get(list.name()).into_iter().flatten();
                keys.filter_map(|keys| keys.rule(list.name()).ok().flatten())
                    .collect()
            };
            UrlList::ALL.iter().map(rules).collect()
        });
        LISTS.get(self as usize).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn all_rules_of_the_lists_are_right() {
        let text = include_str!("url_lists.toml");
        let lists: BTreeMap<String, Vec<UrlRuleKeys>> = toml::from_str(text).unwrap();
        assert!(lists.keys().map(String::as_str).eq([
            "references",
            "retired-hosts",
            "shorteners",
            "trackers"
        ]));
        for (name, rules) in lists {
            for keys in rules {
                assert!(!keys.examples.bad.is_empty(), "{name}: {}", keys.message);
                assert!(keys.rule(&name).is_ok(), "{}", keys.message);
            }
        }
    }

    #[test]
    fn mistakes_in_rules_are_explained() {
        let cases = [
            ("host = 'a.example'", None),
            ("", Some("it needs `host` or `regex`")),
            (
                "host = 'a'\nregex = 'b'",
                Some("`host` and `regex` exclude each other"),
            ),
            (
                "host = 'a'\ncomponent = 'path'",
                Some("`component` requires `regex`"),
            ),
            (
                "regex = 'a'\npath = '/'",
                Some("`path` requires `host`; with `regex`, use `component`"),
            ),
            ("regex = '('", Some("`regex`: unclosed group")),
            (
                "host = 'a'\npath = 'x'",
                Some("`path` must begin with `/`, and `x` does not"),
            ),
            (
                "host = 'a'\nsafe = true",
                Some("`safe` has no meaning without `replace`"),
            ),
            (
                "regex = 'a'\nreplace = '${b}'",
                Some("`replace` names the group `b`, which `regex` does not have"),
            ),
            (
                "host = 'a'\nexamples.bad = ['http://b/']",
                Some("the bad example `http://b/` is not reported"),
            ),
            (
                "host = '.a'\nexamples.good = ['http://b.a/']",
                Some("the good example `http://b.a/` is reported"),
            ),
            (
                "host = '.a'\nreplace = 'b.a'\nexamples.bad = ['http://a/']",
                Some("`replace` turns `http://a/` into `http://b.a/`, which is reported again"),
            ),
            (
                "host = 'a'\nreplace = 'b c'\nexamples.bad = ['http://a/']",
                Some("`replace` turns `http://a/` into `http://b c/`, which is not a valid URL"),
            ),
        ];
        for (text, expected) in cases {
            let keys = toml::from_str::<UrlRuleKeys>(&format!("message = 'm'\n{text}"));
            let wrong = keys.err().map(|error| error.message().to_owned());
            assert_eq!(wrong.as_deref(), expected, "{text}");
        }
        for host in ["http://a.example", "*.a.example", "a.example/x", ""] {
            let text = format!("message = 'm'\nhost = '{host}'");
            assert!(toml::from_str::<UrlRuleKeys>(&text).is_err(), "{host}");
        }
    }
}
