//! How safe a fix is under each standard.
//!
//! A fix is [safe](Applicability::Safe) if the URL stays the same by the chosen standard. By the
//! URL Standard, that means that browsers parse it to the same URL. By the RFCs, they must do so too, or
//! had failed before; besides, by RFC 1738 its rule decides, and by RFC 3986 its normal form must be the
//! same, unless it was invalid at each edit. A fix that leads a reader of another standard to another host
//! is unsafe. A fix that makes the URL worse by another standard is only displayed.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::checks::run_checks;
use super::diagnostic::{Applicability, Fix};
use super::report::Report;
use super::rule::{Rule, Severity};
use super::selection::Selection;
use super::surroundings::Surroundings;
use super::url::Url;
use urlint_find::Candidate;
use urlint_standard::standard::{Part, Problem, Standard, whatwg};
use urlint_standard::url::schemes::lookup;
use urlint_standard::url::split::Split;
use urlint_standard::url::{escape, normalize_under};

/// A replacement of a part of a URL.
pub(crate) type Replacement<'e> = (Part, &'e str);

/// A URL that may be edited.
pub(crate) struct Before<'u> {
    standard: Standard,
    text: &'u [u8],
    /// Its problems by each of [`Before::judges`].
    counts: OnceCell<Vec<Counts>>,
    /// The URL that browsers parse it to.
    href: OnceCell<Option<String>>,
    /// Its problems by its own standard, ordered by part.
    problems: OnceCell<Vec<Problem>>,
}

impl<'u> Before<'u> {
    /// The URL `text`, judged by `standard`.
    pub(crate) fn new(standard: Standard, text: &'u [u8]) -> Self {
        Before {
            standard,
            text,
            counts: OnceCell::new(),
            href: OnceCell::new(),
            problems: OnceCell::new(),
        }
    }

    /// Returns the fix of `rule` with the applicability that it deserves at most. Users decide themselves
    /// about their own rules, unless the URL becomes worse.
    pub(super) fn capped(&self, rule: Rule, mut fix: Fix) -> Fix {
        // Fixes of the context leave the URL itself as it is.
        if fix.applicability == Applicability::DisplayOnly || fix.url_edits.is_empty() {
            return fix;
        }
        let edits = fix.url_edits.iter();
        let edits: Vec<_> = edits
            .map(|edit| (edit.part, edit.replacement.as_str()))
            .collect();
        let highest = match rule {
            Rule::RestrictedUrl if !self.is_worse(&edited(self.text, &edits)) => {
                Applicability::Safe
            }
            _ => self.highest(&edits, fix.applicability),
        };
        fix.applicability = fix.applicability.min(highest);
        fix
    }

    /// Returns the highest applicability that `edits`, which are sorted and disjoint, deserve. A
    /// caller that does not need more than `wanted` saves work.
    pub(crate) fn highest(
        &self,
        edits: &[Replacement<'_>],
        wanted: Applicability,
    ) -> Applicability {
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

    /// Returns whether `edits` only insert escapes after the host of a URL with a special scheme.
    /// Such edits make the URL worse by no standard.
    fn are_encoding(&self, edits: &[Replacement<'_>]) -> bool {
        let host = Split::of(self.text).host;
        let host = host.filter(|host| !host.is_empty() && self.is_special());
        host.is_some_and(|host| {
            let mut edits = edits.iter();
            edits.all(|(part, text)| part.start >= host.end && is_all_escapes(text))
        })
    }

    fn scheme(&self) -> &[u8] {
        let scheme = Split::of(self.text).scheme.unwrap_or_default();
        scheme.of(self.text)
    }

    /// Returns whether the scheme is special and has a host.
    fn is_special(&self) -> bool {
        lookup(self.scheme()).is_some_and(|scheme| scheme.is_special)
    }

    /// Returns the standards by which the URL must not become worse.
    fn judges(&self) -> impl Iterator<Item = Standard> + use<> {
        // The rules themselves take care of the chosen standard.
        let own = self.standard;
        let all = Standard::ALL.iter().copied();
        all.filter(move |&judge| judge != own)
    }

    /// Returns whether `after` has a new problem by another standard.
    fn is_worse(&self, after: &[u8]) -> bool {
        let before = self.counts.get_or_init(|| {
            let judges = self.judges();
            judges.map(|judge| Counts::of(self.text, judge)).collect()
        });
        let mut pairs = before.iter().zip(self.judges());
        pairs.any(|(before, judge)| Counts::of(after, judge).are_more_than(before))
    }

    /// Returns whether `after` is the same URL by the chosen standard, and leads no reader to
    /// another host.
    fn is_same(&self, after: &[u8], edits: &[Replacement<'_>]) -> bool {
        let is_same = match self.standard {
            Standard::Rfc1738 => {
                return self.href().is_none() || self.is_same_to_browsers(after);
            }
            Standard::Rfc3986 | Standard::Rfc3987 => {
                let is_same_to_browsers = self.is_same_to_browsers(after);
                let is_kept = is_same_to_browsers || self.href().is_none();
                (is_kept
                    && normalize_under(Standard::Rfc3986, self.text)
                        == normalize_under(Standard::Rfc3986, after))
                    || (self.is_invalid_at(edits) && is_same_to_browsers)
            }
            _ => self.is_same_to_browsers(after),
        };
        if !is_same {
            return false;
        }
        let href = whatwg::href(after);
        let before = hosts(self.text, self.href()).into_iter();
        let mut pairs = before.zip(hosts(after, href.as_deref()));
        pairs.all(|(before, after)| before.is_none() || before == after)
    }

    fn href(&self) -> Option<&str> {
        let href = self.href.get_or_init(|| whatwg::href(self.text));
        href.as_deref()
    }

    fn is_same_to_browsers(&self, after: &[u8]) -> bool {
        self.href().is_some() && self.href() == whatwg::href(after).as_deref()
    }

    /// Returns whether each of `edits` replaces exactly the part of a problem.
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
}

/// Returns the host that each reader sees in `url`, which browsers parse to `href`; `None` if the reader
/// sees none.
fn hosts(url: &[u8], href: Option<&str>) -> [Option<String>; 3] {
    let by_uri = host(url, |text| Split::of(text).host);
    [by_uri, host(url, by_rfc1738), href.and_then(to_browsers)]
}

fn by_rfc1738(url: &[u8]) -> Option<Part> {
    Split::under(Standard::Rfc1738, url).host
}

fn to_browsers(href: &str) -> Option<String> {
    let host = Split::of(href.as_bytes()).host?;
    let host = host.of(href.as_bytes()).to_ascii_lowercase();
    Some(String::from_utf8_lossy(&host).into_owned())
}

/// Returns the host that `find` finds in `url`, in the form that is looked up.
fn host(url: &[u8], find: impl Fn(&[u8]) -> Option<Part>) -> Option<String> {
    let host = find(url)?.of(url);
    if host.is_empty() {
        return None;
    }
    let looked_up = [b"http://", host, b"/"].concat();
    to_browsers(&whatwg::href(&looked_up)?)
}

/// Returns whether `text` consists of escapes.
fn is_all_escapes(text: &str) -> bool {
    let is_escape = |three: &[u8]| escape::escape_at(three, 0).is_some();
    !text.is_empty() && text.as_bytes().chunks(3).all(is_escape)
}

/// Returns `text` after `edits`, which are sorted and disjoint.
pub(super) fn edited(text: &[u8], edits: &[Replacement<'_>]) -> Vec<u8> {
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

/// The findings about a URL: for each rule, the severity and the number of places.
struct Counts(HashMap<Rule, (Severity, usize)>);

/// Everything that is more than a hint makes a URL worse.
static SELECTION: LazyLock<Selection> =
    LazyLock::new(|| Selection::from_least(|_| Some(Severity::Warning)));

impl Counts {
    fn of(url: &[u8], standard: Standard) -> Counts {
        let candidate = Candidate::whole(url);
        let url = Url::new(&candidate, standard);
        let mut report = Report::new(&SELECTION, Surroundings::default());
        run_checks(&url, false, &mut report);
        Counts(report.counts().collect())
    }

    /// Returns whether a rule has more findings than `before`, or more serious ones.
    fn are_more_than(&self, before: &Counts) -> bool {
        self.0.iter().any(|(rule, (severity, count))| {
            let had = before.0.get(rule);
            had.is_none_or(|(least, fewest)| severity > least || count > fewest)
        })
    }
}
