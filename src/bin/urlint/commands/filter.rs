//! The flags that filter the URLs of a list.

use regex::bytes::{Regex, RegexBuilder};
use urlint::config::{Options, RuleName, RuleOptions};
use urlint::find::{Candidate, Delimiter, Flag};
use urlint::url::host;
use urlint::url::schemes::is_scheme_name;
use urlint::{Found, Settings};

use crate::config::{by_flag, parser, rule_name};

/// The flags that filter URLs. A URL is listed if it passes all of them.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Filters")]
pub(crate) struct FilterArgs {
    /// List only URLs with these schemes
    #[arg(long, value_name = "SCHEME", value_delimiter = ',', value_parser = scheme)]
    scheme: Vec<String>,

    /// List only URLs of these hosts and their subdomains
    #[arg(long, value_name = "HOST", value_delimiter = ',', value_parser = bare_host)]
    host: Vec<String>,

    /// List only URLs that match this regular expression
    #[arg(long = "match", value_name = "REGEX", value_parser = pattern)]
    matching: Option<Regex>,

    /// List no URLs that match this regular expression
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    exclude_url: Option<Regex>,

    /// List only URLs that were delimited in this way
    #[arg(long, value_name = "DELIMITER", value_delimiter = ',', value_parser = parser::<Delimiter>())]
    delimiter: Vec<Delimiter>,

    /// List URLs that hold a placeholder or a pattern, such as `{x}`, `$X` or `.*`: too, not, or only
    #[arg(
        long,
        value_name = "WHICH",
        default_value = "yes",
        hide_possible_values = true
    )]
    placeholders: Placeholders,

    /// List only URLs that are valid by the standard
    #[arg(long, conflicts_with = "invalid")]
    valid: bool,

    /// List only URLs that are not valid by the standard
    #[arg(long)]
    invalid: bool,

    /// List only URLs for which these rules report something: names of rules or groups, or ALL
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_name)]
    rule: Vec<RuleName>,
}

/// Whether URLs that hold a placeholder are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Placeholders {
    /// They are not.
    No,
    /// They are, as others are.
    Yes,
    /// Only they are.
    Only,
}

/// Parses a scheme; `http:` and `http://` mean `http`.
fn scheme(name: &str) -> Result<String, String> {
    let scheme = name.trim_end_matches('/').trim_end_matches(':');
    if !is_scheme_name(scheme.as_bytes()) {
        return Err("expected letters, digits, `+`, `-` and `.`, such as `http`".to_owned());
    }
    Ok(scheme.to_owned())
}

/// Parses a host; dots around it are ignored.
fn bare_host(name: &str) -> Result<String, String> {
    let host = name.trim_matches('.');
    if host.is_empty() || host.contains(['/', '@', ' ']) {
        return Err("expected a host alone, such as `a.example`".to_owned());
    }
    Ok(host.to_owned())
}

fn pattern(pattern: &str) -> Result<Regex, regex::Error> {
    // A URL is bytes in any encoding.
    RegexBuilder::new(pattern).unicode(false).build()
}

impl Placeholders {
    fn accept(self, is_placeholder: bool) -> bool {
        match self {
            Placeholders::No => !is_placeholder,
            Placeholders::Yes => true,
            Placeholders::Only => is_placeholder,
        }
    }
}

impl FilterArgs {
    /// Returns what the flags set: the rules, if any are named.
    pub(crate) fn options(&self) -> Options {
        let mut options = Options::default();
        if !self.rule.is_empty() {
            let mut rules = RuleOptions::default();
            rules.select = Some(self.rule.clone());
            options.rules = vec![by_flag(rules)];
        }
        options
    }

    /// Returns whether `found` is listed under these settings.
    pub(crate) fn accepts(&self, found: &Found<'_>, settings: &Settings) -> bool {
        let candidate = &found.candidate;
        let text = &*candidate.text;
        let is_placeholder = candidate.flags.has(Flag::Placeholder);
        (self.scheme.is_empty() || self.is_of_scheme(text))
            && (self.host.is_empty() || self.is_of_host(text))
            && (self.delimiter.is_empty() || self.delimiter.contains(&candidate.delimiter))
            && (self.matching.as_ref()).is_none_or(|regex| regex.is_match(text))
            && !(self.exclude_url.as_ref()).is_some_and(|regex| regex.is_match(text))
            && self.placeholders.accept(is_placeholder)
            && (!self.valid || (!is_placeholder && is_valid(candidate, settings)))
            && (!self.invalid || !(is_placeholder || is_valid(candidate, settings)))
            && (self.rule.is_empty() || is_reported(found, settings))
    }

    fn is_of_scheme(&self, url: &[u8]) -> bool {
        let Some(colon) = memchr::memchr(b':', url) else {
            return false;
        };
        let is = |scheme: &String| scheme.as_bytes().eq_ignore_ascii_case(&url[..colon]);
        self.scheme.iter().any(is)
    }

    fn is_of_host(&self, url: &[u8]) -> bool {
        let Some(host) = host(url) else {
            return false;
        };
        self.host.iter().any(|wanted| {
            let wanted = wanted.as_bytes();
            let rest = host.len().checked_sub(wanted.len());
            rest.is_some_and(|rest| {
                host[rest..].eq_ignore_ascii_case(wanted) && (rest == 0 || host[rest - 1] == b'.')
            })
        })
    }
}

fn is_valid(candidate: &Candidate<'_>, settings: &Settings) -> bool {
    let standard = settings.standard;
    standard.is_valid(candidate.judged_by(standard))
}

fn is_reported(found: &Found<'_>, settings: &Settings) -> bool {
    let mut reported = false;
    found.lint(settings, &mut |_| reported = true);
    reported
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_parsed() {
        for (name, expected) in [
            ("http", Some("http")),
            ("HTTP:", Some("HTTP")),
            ("ftp://", Some("ftp")),
            ("z39.50r", Some("z39.50r")),
            ("", None),
            (":", None),
            ("http://a.example", None),
            ("*", None),
        ] {
            assert_eq!(scheme(name).ok().as_deref(), expected, "{name}");
        }
        for (name, expected) in [
            ("a.example", Some("a.example")),
            (".a.example.", Some("a.example")),
            ("[::1]", Some("[::1]")),
            ("", None),
            (".", None),
            ("http://a.example/", None),
            ("joe@a.example", None),
        ] {
            assert_eq!(bare_host(name).ok().as_deref(), expected, "{name}");
        }
    }
}
