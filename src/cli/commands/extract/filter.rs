//! The flags that filter the URLs of a list.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use regex::bytes::{Regex, RegexBuilder};
use urlint_config::{Keys, RuleName};
use urlint_documents::Found;
use urlint_documents::document::Message;
use urlint_find::{Candidate, Delimiter, Flag};
use urlint_lint::{Judged, Settings};
use urlint_list::{SourceInfo, Time};
use urlint_standard::text::named::nearest;
use urlint_standard::url::host::{host, in_domain};
use urlint_standard::url::schemes::{self, is_scheme_name};

use crate::config::parser;
use crate::error::Error;

/// The flags that filter URLs. A URL is listed if it passes all of them, and the configuration does not
/// ignore it.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Filters")]
pub(crate) struct FilterArgs {
    /// List only URLs with these schemes
    #[arg(long, value_name = "SCHEME", value_delimiter = ',', value_parser = scheme)]
    scheme: Vec<String>,

    /// List only URLs of these hosts and their subdomains
    #[arg(long, value_name = "HOST", value_delimiter = ',', value_parser = bare_host)]
    host: Vec<String>,

    /// List only URLs that match this pattern, or that do not match it after `!`; may be repeated
    #[arg(long = "match", value_name = "REGEX", value_parser = pattern)]
    patterns: Vec<Pattern>,

    /// List only URLs that were delimited in this way
    #[arg(long, value_name = "DELIMITER", value_delimiter = ',', value_parser = parser::<Delimiter>(), hide_short_help = true)]
    delimiter: Vec<Delimiter>,

    /// List only URLs in these parts of messages: `body`, `header`, or the name of a header field
    #[arg(long = "where", value_name = "WHERE", value_delimiter = ',', value_parser = place)]
    places: Vec<String>,

    /// List only links of elements such as `a` and `img`
    #[arg(long, value_name = "ELEMENT", value_delimiter = ',', value_parser = name)]
    pub(super) element: Vec<String>,

    /// List only URLs with this verdict
    #[arg(long, value_name = "VERDICT", value_delimiter = ',')]
    only: Vec<Verdict>,

    /// List only URLs for which these rules report something: names of rules or groups, or ALL
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(super) rule: Vec<RuleName>,

    /// List only URLs with a date in this year, month or day or later, such as `2001`, `2001-06` or `2001-06-30`,
    /// in UTC
    ///
    /// This is the date of the field `date`. URLs without a date are left out.
    #[arg(long, value_name = "DATE", value_parser = period)]
    since: Option<Range<i64>>,

    /// List only URLs with a date in this year, month or day or earlier, in UTC
    #[arg(long, value_name = "DATE", value_parser = period)]
    until: Option<Range<i64>>,

    /// How many URLs have no date.
    #[arg(skip)]
    undated: Arc<AtomicU64>,

    /// How many filters in a row a URL has passed at most.
    #[arg(skip)]
    passed: Arc<AtomicUsize>,
}

/// The verdict on a URL. Each URL has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Verdict {
    /// Valid by the standard
    Valid,
    /// Not valid by the standard
    Invalid,
    /// Not judged, since it contains a placeholder or a pattern, such as `{x}`, `$X` or `.*`
    Placeholder,
}

/// A regular expression that URLs must match, or must not match.
#[derive(Clone, Debug)]
struct Pattern {
    regex: Regex,
    is_negated: bool,
}

/// Parses a scheme; `http:` and `http://` mean `http`.
fn scheme(name: &str) -> Result<String, String> {
    let scheme = name.trim_end_matches('/').trim_end_matches(':');
    if !is_scheme_name(scheme.as_bytes()) {
        return Err("expected letters, digits, `+`, `-` and `.`, such as `http`".to_owned());
    }
    Ok(scheme.to_owned())
}

/// Reads a part of a message, which may be any field of its header. No field is called nearly as `body` is.
fn place(value: &str) -> Result<String, String> {
    let place = name(value)?;
    match nearest(&place, ["body", "header"]) {
        Some(near) if !near.eq_ignore_ascii_case(&place) => Err(format!("did you mean `{near}`?")),
        _ => Ok(place),
    }
}

/// Parses the name of a header field or an element.
fn name(name: &str) -> Result<String, String> {
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("expected a name, such as `body` or `img`".to_owned());
    }
    Ok(name.to_owned())
}

/// Parses a host; dots around it and `*.` are ignored, since subdomains belong to it.
fn bare_host(name: &str) -> Result<String, String> {
    let name = name.strip_prefix("*.").unwrap_or(name);
    let host = name.trim_matches('.');
    if host.is_empty() || host.contains(['/', '@', ' ', '*']) {
        return Err("expected a host alone, such as `a.example`".to_owned());
    }
    Ok(host.to_owned())
}

fn pattern(pattern: &str) -> Result<Pattern, regex::Error> {
    let negated = pattern.strip_prefix('!');
    let mut regex = RegexBuilder::new(negated.unwrap_or(pattern));
    Ok(Pattern {
        // A URL is bytes in any encoding.
        regex: regex.unicode(false).build()?,
        is_negated: negated.is_some(),
    })
}

/// Parses a year, a month, a day or a point in time.
fn period(text: &str) -> Result<Range<i64>, &'static str> {
    Time::period(text).ok_or("expected a date, such as `2001`, `2001-06` or `2001-06-30`")
}

impl Pattern {
    fn accepts(&self, url: &[u8]) -> bool {
        self.regex.is_match(url) != self.is_negated
    }
}

impl FilterArgs {
    /// Sets the keys of the flags that were given: the rules to select.
    pub(crate) fn set(&self, keys: &mut Keys) {
        if !self.rule.is_empty() {
            keys.select = Some(self.rule.clone());
        }
    }

    /// Returns whether the messages of attachments, and the records of web archives, have to be known.
    pub(crate) fn needs_records(&self) -> bool {
        self.since.is_some() || self.until.is_some() || !self.places.is_empty()
    }

    /// Returns whether a URL of the source `info` is listed.
    pub(crate) fn accepts(&self, info: SourceInfo<'_>, judged: &Judged<'_, '_>) -> bool {
        let (found, settings) = (judged.found, judged.settings);
        let candidate = &found.candidate;
        let text = &*candidate.text;
        if settings.ignored.contains(candidate.url()) {
            return false;
        }
        // In the order of their flags.
        let filters: [&dyn Fn() -> bool; 9] = [
            &|| self.scheme.is_empty() || self.is_of_scheme(text),
            &|| self.host.is_empty() || self.is_of_host(text),
            &|| self.patterns.iter().all(|pattern| pattern.accepts(text)),
            &|| self.delimiter.is_empty() || self.delimiter.contains(&candidate.delimiter),
            &|| self.places.is_empty() || self.is_in_place(info.message(found)),
            &|| self.element.is_empty() || self.is_of_element(found),
            &|| self.only.is_empty() || self.only.contains(&verdict(candidate, settings)),
            &|| self.rule.is_empty() || judged.reported().next().is_some(),
            &|| self.is_in_time(info, found),
        ];
        let stopped_by = filters.iter().position(|passes| !passes());
        let passed = stopped_by.unwrap_or(filters.len());
        if passed > self.passed.load(Ordering::Relaxed) {
            self.passed.fetch_max(passed, Ordering::Relaxed);
        }
        stopped_by.is_none()
    }

    /// Returns the flags that were given, in order, with their values if they are words.
    fn given(&self) -> [Option<String>; 9] {
        let words = |flag: &str, words: &[String]| {
            (!words.is_empty()).then(|| format!("{flag} {}", words.join(",")))
        };
        let flag = |flag: &str, is_given: bool| is_given.then(|| flag.to_owned());
        [
            words("--scheme", &self.scheme),
            words("--host", &self.host),
            flag("--match", !self.patterns.is_empty()),
            flag("--delimiter", !self.delimiter.is_empty()),
            words("--where", &self.places),
            words("--element", &self.element),
            flag("--only", !self.only.is_empty()),
            flag("--rule", !self.rule.is_empty()),
            flag("--since", self.since.is_some()).or(flag("--until", self.until.is_some())),
        ]
    }

    /// Returns a message about the filters that no URL has passed together, and one about URLs without a date.
    pub(crate) fn idle(&self) -> impl Iterator<Item = String> {
        let undated = match self.undated.load(Ordering::Relaxed) {
            0 => None,
            count => Some(format!("URLs without a date, so left out: {count}")),
        };
        let passed = self.passed.load(Ordering::Relaxed);
        let flags = self.given().into_iter().take(passed + 1).flatten();
        let flags: Vec<_> = flags.collect();
        let is_idle = passed < self.given().len() && !flags.is_empty();
        let idle = is_idle.then(|| {
            let scheme = self.scheme.first().filter(|_| passed == 0);
            let known = schemes::all().map(|scheme| scheme.name);
            let near = scheme.and_then(|name| nearest(name, known).filter(|near| near != name));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            format!("no URL passes `{}`{near}", flags.join(" "))
        });
        undated.into_iter().chain(idle)
    }

    /// Fails if no date is within `--since` and `--until`.
    pub(crate) fn ensure_dates(&self) -> Result<(), Error> {
        match (&self.since, &self.until) {
            (Some(since), Some(until)) if since.start >= until.end => Err(Error::usage(
                "--since is after --until, so no date is between them",
            )),
            _ => Ok(()),
        }
    }

    fn is_of_scheme(&self, url: &[u8]) -> bool {
        let Some(colon) = memchr::memchr(b':', url) else {
            return false;
        };
        let is = |scheme: &String| scheme.as_bytes().eq_ignore_ascii_case(&url[..colon]);
        self.scheme.iter().any(is)
    }

    fn is_in_time(&self, info: SourceInfo<'_>, found: &Found<'_>) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let Some(Time { microseconds, .. }) = info.date(found) else {
            self.undated.fetch_add(1, Ordering::Relaxed);
            return false;
        };
        let (since, until) = (self.since.as_ref(), self.until.as_ref());
        since.is_none_or(|since| since.start <= microseconds)
            && until.is_none_or(|until| microseconds < until.end)
    }

    fn is_in_place(&self, message: Option<Message<'_>>) -> bool {
        let Some(message) = message else {
            return false;
        };
        let is_any = |name: &[u8]| has(&self.places, name);
        match message.header_field() {
            Some(name) => is_any(b"header") || is_any(name),
            None => is_any(b"body"),
        }
    }

    fn is_of_element(&self, found: &Found<'_>) -> bool {
        found
            .link()
            .is_some_and(|link| has(&self.element, &link.element))
    }

    fn is_of_host(&self, url: &[u8]) -> bool {
        let Some(host) = host(url) else {
            return false;
        };
        let is_in = |wanted: &String| in_domain(host, wanted.as_bytes()).is_some();
        self.host.iter().any(is_in)
    }
}

/// Returns whether `names` has `name`, in upper or lower case.
fn has(names: &[String], name: &[u8]) -> bool {
    let is_it = |other: &String| other.as_bytes().eq_ignore_ascii_case(name);
    names.iter().any(is_it)
}

fn verdict(candidate: &Candidate<'_>, settings: &Settings) -> Verdict {
    let standard = settings.standard;
    if candidate.flags.has(Flag::Placeholder) {
        Verdict::Placeholder
    } else if standard.is_valid(candidate.judged_by(standard)) {
        Verdict::Valid
    } else {
        Verdict::Invalid
    }
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
            ("*.a.example", Some("a.example")),
            ("[::1]", Some("[::1]")),
            ("", None),
            (".", None),
            ("a.*.example", None),
            ("http://a.example/", None),
            ("joe@a.example", None),
        ] {
            assert_eq!(bare_host(name).ok().as_deref(), expected, "{name}");
        }
    }
}
