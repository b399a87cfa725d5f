//! What is promised of a fix under each standard.
//!
//! A fix is [safe](Applicability::Safe) if the URL stays the same by the standard that was chosen: by
//! the URL Standard, if browsers make the same of it; by RFC 3986, if its normal form is the same, or if
//! it was not valid where it is edited, and browsers make the same of it; by RFC 1738, if its rule says
//! so, and browsers make the same of it or nothing. No reader of another standard is led to another
//! host, or it is unsafe. What would have a fault by another standard that it did not have before is
//! only shown.

use core::net::Ipv6Addr;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::LazyLock;

use super::diagnostic::{Applicability, Fix};
use super::finding::Report;
use super::ipv6;
use super::look;
use super::rule::{Rule, Severity};
use super::settings::Selection;
use super::url::Url;
use crate::find::candidate::Candidate;
use crate::standard::{Part, Problem, Standard, whatwg};
use crate::url::schemes::lookup;
use crate::url::split::Split;
use crate::url::{escape, normalize_under};

/// A replacement of a part of a URL.
pub(crate) type Replacement<'e> = (Part, &'e str);

/// A URL that may be edited.
pub(crate) struct Before<'u> {
    standard: Standard,
    text: &'u [u8],
    /// What is wrong with it by each of [`Before::judges`].
    faults: OnceCell<Vec<Faults>>,
    /// What browsers make of it.
    href: OnceCell<Option<String>>,
    /// Where it departs from its own standard.
    problems: OnceCell<Vec<Problem>>,
}

impl<'u> Before<'u> {
    /// The URL `text`, judged by `standard`.
    pub(crate) fn new(standard: Standard, text: &'u [u8]) -> Self {
        Before {
            standard,
            text,
            faults: OnceCell::new(),
            href: OnceCell::new(),
            problems: OnceCell::new(),
        }
    }

    /// `fix` as it may be offered.
    pub(super) fn checked(&self, mut fix: Fix) -> Fix {
        // How a URL is set in its text is mended without touching the URL.
        if fix.applicability == Applicability::DisplayOnly || fix.url_edits.is_empty() {
            return fix;
        }
        let edits = fix.url_edits.iter();
        let edits: Vec<_> = edits
            .map(|edit| (edit.part, edit.replacement.as_str()))
            .collect();
        fix.applicability = fix.applicability.min(self.most(&edits, fix.applicability));
        fix
    }

    /// Returns what `edits`, which are in order and do not overlap, are at most, if nobody hopes for
    /// more than `wanted`.
    pub(crate) fn most(&self, edits: &[Replacement<'_>], wanted: Applicability) -> Applicability {
        let is_safe = wanted == Applicability::Safe;
        if self.standard == Standard::Rfc1738 && self.are_encoding(edits) {
            return wanted;
        }
        let after = edited(self.text, edits);
        if self.is_worse(&after) {
            Applicability::DisplayOnly
        } else if is_safe && self.is_same(&after, edits) {
            Applicability::Safe
        } else {
            Applicability::Unsafe
        }
    }

    /// Returns whether `edits` only write escapes after the host of a URL whose scheme makes nothing of
    /// the path and the query, as most do: then they make it worse by no standard.
    fn are_encoding(&self, edits: &[Replacement<'_>]) -> bool {
        let split = Split::of(self.text);
        let scheme = lookup(split.scheme.unwrap_or_default().of(self.text));
        let host = split.host.filter(|host| !host.is_empty());
        let host = host.filter(|_| scheme.is_some_and(|scheme| scheme.is_special));
        host.is_some_and(|host| {
            let mut edits = edits.iter();
            edits.all(|(part, text)| part.start >= host.end && is_of_escapes(text))
        })
    }

    /// The standards by which the URL must not become worse.
    fn judges(&self) -> impl Iterator<Item = Standard> + use<> {
        // Rules know their own standard well enough.
        let own = self.standard;
        let all = Standard::ALL.iter().copied();
        all.filter(move |&judge| judge != own)
    }

    /// Returns whether `after` has a fault by another standard that the URL does not have.
    fn is_worse(&self, after: &[u8]) -> bool {
        let before = self.faults.get_or_init(|| {
            let judges = self.judges();
            judges.map(|judge| Faults::of(self.text, judge)).collect()
        });
        let mut pairs = before.iter().zip(self.judges());
        pairs.any(|(before, judge)| Faults::of(after, judge).are_more_than(before))
    }

    /// Returns whether `after` is the same URL by the standard, and to no reader at another host.
    fn is_same(&self, after: &[u8], edits: &[Replacement<'_>]) -> bool {
        let is_same = match self.standard {
            Standard::Rfc1738 => {
                return self.href().is_none() || self.is_same_to_browsers(after);
            }
            Standard::Rfc3986 | Standard::Rfc3987 => {
                normal_form(self.text) == normal_form(after)
                    || (self.is_invalid_at(edits) && self.is_same_to_browsers(after))
            }
            Standard::Whatwg => self.is_same_to_browsers(after),
        };
        is_same && self.hosts() == hosts(after, self.hosts())
    }

    fn href(&self) -> Option<&str> {
        let href = self.href.get_or_init(|| whatwg::href(self.text));
        href.as_deref()
    }

    fn is_same_to_browsers(&self, after: &[u8]) -> bool {
        self.href().is_some() && self.href() == whatwg::href(after).as_deref()
    }

    /// Returns whether the standard does not admit what is at each of `edits`.
    fn is_invalid_at(&self, edits: &[Replacement<'_>]) -> bool {
        let problems = self.problems.get_or_init(|| {
            let mut problems = Vec::new();
            self.standard
                .judge(self.text, |problem| problems.push(problem));
            problems.sort_by_key(|problem| problem.part);
            problems
        });
        let is_at = |(part, _): &Replacement<'_>| {
            let found = problems.binary_search_by_key(part, |problem| problem.part);
            found.is_ok()
        };
        edits.iter().all(is_at)
    }

    /// The host to each reader who finds one.
    fn hosts(&self) -> Hosts {
        Hosts {
            by_uri: host(self.text, |text| Split::of(text).host),
            by_rfc1738: host(self.text, by_rfc1738),
            to_browsers: self.href().and_then(to_browsers),
        }
    }
}

/// The host of one URL to several readers; `None` if they find none.
#[derive(PartialEq, Eq)]
struct Hosts {
    by_uri: Option<String>,
    by_rfc1738: Option<String>,
    to_browsers: Option<String>,
}

/// The hosts of `url`, but only to those who find one `before`.
fn hosts(url: &[u8], before: Hosts) -> Hosts {
    let href = whatwg::href(url);
    Hosts {
        by_uri: before
            .by_uri
            .and_then(|_| host(url, |text| Split::of(text).host)),
        by_rfc1738: before.by_rfc1738.and_then(|_| host(url, by_rfc1738)),
        to_browsers: before
            .to_browsers
            .and_then(|_| to_browsers(href.as_deref()?)),
    }
}

fn by_rfc1738(url: &[u8]) -> Option<Part> {
    Split::under(Standard::Rfc1738, url).host
}

fn to_browsers(href: &str) -> Option<String> {
    let host = Split::of(href.as_bytes()).host?;
    let host = host.of(href.as_bytes()).to_ascii_lowercase();
    Some(String::from_utf8_lossy(&host).into_owned())
}

/// The host that `find` finds in `url`, in the form in which it is looked up.
fn host(url: &[u8], find: impl Fn(&[u8]) -> Option<Part>) -> Option<String> {
    let host = find(url)?.of(url);
    if host.is_empty() {
        return None;
    }
    let looked_up = [b"http://", host, b"/"].concat();
    let looked_up = whatwg::href(&looked_up).and_then(|href| to_browsers(&href));
    looked_up.or_else(|| {
        let host = escape::decoded(host).to_ascii_lowercase();
        Some(String::from_utf8_lossy(&host).into_owned())
    })
}

/// `url` in its normal form by RFC 3986, an IPv6 address in that of RFC 5952.
fn normal_form(url: &[u8]) -> Cow<'_, [u8]> {
    let normal = normalize_under(Standard::Rfc3986, url);
    let host = Split::of(&normal).host;
    let Some(host) = host.filter(|host| host.of(&normal).starts_with(b"[")) else {
        return normal;
    };
    let end = memchr::memchr2(b'%', b']', host.of(&normal)).unwrap_or(host.len());
    let part = host.skip(1).before(host.start + end as u32);
    let text = std::str::from_utf8(part.of(&normal)).unwrap_or_default();
    match text.parse::<Ipv6Addr>() {
        Ok(address) => edited(&normal, &[(part, &ipv6::usual(address))]).into(),
        Err(_) => normal,
    }
}

/// Returns whether `text` is made of escapes.
fn is_of_escapes(text: &str) -> bool {
    let is_escape = |three: &[u8]| escape::escape_at(three, 0).is_some();
    !text.is_empty() && text.as_bytes().chunks(3).all(is_escape)
}

/// `text` with `edits` made, which are in order and do not overlap.
fn edited(text: &[u8], edits: &[Replacement<'_>]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() + 8);
    let mut from = 0;
    for (part, replacement) in edits {
        let range = part.range();
        bytes.extend_from_slice(text.get(from..range.start).unwrap_or_default());
        bytes.extend_from_slice(replacement.as_bytes());
        from = range.end;
    }
    bytes.extend_from_slice(text.get(from..).unwrap_or_default());
    bytes
}

/// The faults of a URL: for each rule, in the order of the table, how serious they are and how many.
struct Faults(Vec<(Rule, Severity, usize)>);

/// For each standard, the selection of what is a fault.
static FAULTS: LazyLock<Vec<(Standard, Selection)>> = LazyLock::new(|| {
    let all = Standard::ALL.iter();
    all.map(|&standard| (standard, selection(standard)))
        .collect()
});

/// Errors, and besides what is not valid and more than a hint, and hosts that readers do not agree on.
fn selection(standard: Standard) -> Selection {
    Selection::from_least(|rule| {
        if rule.is_problem(standard) || rule == Rule::ParseDifferential {
            Some(Severity::Warning)
        } else {
            (rule.severity() == Severity::Error).then_some(Severity::Error)
        }
    })
}

impl Faults {
    fn of(url: &[u8], standard: Standard) -> Faults {
        let candidate = Candidate::whole(url);
        let url = Url::new(&candidate, Some(b""), standard);
        let selection = FAULTS.iter().find(|(one, _)| *one == standard);
        let Some((_, selection)) = selection else {
            return Faults(Vec::new());
        };
        let mut report = Report::new(selection);
        look(&url, false, &mut report);
        let mut counts: Vec<_> = report.counts().collect();
        counts.sort_unstable();
        Faults(counts)
    }

    /// Returns whether a rule has more faults than `before`, or more serious ones.
    fn are_more_than(&self, before: &Faults) -> bool {
        self.0.iter().any(|&(rule, severity, count)| {
            let found = before.0.binary_search_by_key(&rule, |&(rule, ..)| rule);
            let Some(&(_, had, most)) = found.ok().and_then(|at| before.0.get(at)) else {
                return true;
            };
            severity > had || count > most
        })
    }
}
