//! The hosts of all URLs in a tree of files.

use std::collections::HashMap;

use urlint_documents::read::unbroken::each_url;
use urlint_standard::url;

use super::rule::Rule;
use super::selection::Selection;

/// How often each host occurs in a tree of files, with `http` and with `https`. The rules
/// `https-elsewhere` and `rare-host` compare a URL with these counts, which do not depend on the order of
/// the texts.
///
/// ```
/// use urlint::lint::{Selector, Tree};
/// use urlint::{Rule, Settings};
///
/// let mut tree = Tree::default();
/// tree.add(b"see https://www.w3.org/TR/ and http://www.w3.org/People/ today\n");
/// let mut settings = Settings::default().with_tree(tree.compared().into());
/// settings.selection.add(Selector::Rule(Rule::HttpsElsewhere));
/// let diagnostics = urlint::check(b"see http://www.w3.org/People/ today", &settings);
/// assert_eq!(diagnostics[0].message, "elsewhere, `www.w3.org` has `https`");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tree {
    hosts: HashMap<Box<[u8]>, Count>,
    has_too_many: bool,
    /// For each rare host, the common one that it may be a misspelling of.
    misspelled: HashMap<Box<[u8]>, Box<[u8]>>,
}

/// How often a host occurs with each scheme.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) http: u32,
    pub(super) https: u32,
}

impl Count {
    pub(super) fn all(self) -> u32 {
        self.http.saturating_add(self.https)
    }
}

/// The greatest number of hosts that are counted. If there are more, all counts are dropped.
const MOST: usize = 1 << 20;
/// A host that occurs at most this often is rare.
const RARE: u32 = 2;
/// A host is common if it occurs this often, and this many times as often as the rare one.
const COMMON: u32 = 50;
/// The longest host that is counted, in bytes.
const MAX_LEN: usize = 253;

impl Tree {
    /// The rules that compare a URL with all others.
    pub const RULES: [Rule; 2] = [Rule::HttpsElsewhere, Rule::RareHost];

    /// Returns whether `selection` names one of these rules.
    #[must_use]
    pub fn is_needed(selection: &Selection) -> bool {
        Tree::RULES.iter().any(|&rule| selection.is_named(rule))
    }

    /// Counts the URLs of http and https in `text`, which consists of whole lines.
    pub fn add(&mut self, text: &[u8]) {
        each_url(text, |slashes, url, _| {
            let is_https = text[..slashes].ends_with(b"s");
            let scheme: &[u8] = if is_https { b"https" } else { b"http" };
            let is_web = text[..slashes].ends_with(scheme);
            let whole =
                &text[slashes - scheme.len().min(slashes)..slashes + "://".len() + url.len()];
            let host = url::host(whole).unwrap_or_default();
            if is_web && is_name(host) && !self.has_too_many {
                let host = host.to_ascii_lowercase().into_boxed_slice();
                let count = self.hosts.entry(host).or_default();
                let seen = if is_https {
                    &mut count.https
                } else {
                    &mut count.http
                };
                *seen = seen.saturating_add(1);
                if self.hosts.len() > MOST {
                    self.hosts = HashMap::new();
                    self.has_too_many = true;
                }
            }
        });
    }

    /// Returns the hosts of both.
    ///
    /// ```
    /// use urlint::lint::Tree;
    ///
    /// let (mut one, mut other) = (Tree::default(), Tree::default());
    /// one.add(b"http://a.example/\n");
    /// other.add(b"https://a.example/\n");
    /// let both = one.united(other).compared();
    /// ```
    #[must_use]
    pub fn united(self, other: Self) -> Self {
        let (mut all, less) = match self.hosts.len() < other.hosts.len() {
            true => (other, self),
            false => (self, other),
        };
        all.has_too_many |= less.has_too_many;
        for (host, count) in less.hosts {
            let sum = all.hosts.entry(host).or_default();
            sum.http = sum.http.saturating_add(count.http);
            sum.https = sum.https.saturating_add(count.https);
        }
        if all.has_too_many || all.hosts.len() > MOST {
            all.hosts = HashMap::new();
            all.has_too_many = true;
        }
        all
    }

    /// Finds the rare hosts that may be misspellings of common ones, once all texts are added.
    #[must_use]
    pub fn compared(mut self) -> Self {
        let hosts = self
            .hosts
            .iter()
            .map(|(host, count)| (&**host, count.all()));
        let mut common: HashMap<Vec<u8>, Vec<&[u8]>> = HashMap::new();
        for (host, _) in hosts.clone().filter(|(_, count)| *count >= COMMON) {
            for short in with_and_without_one_byte(host) {
                common.entry(short).or_default().push(host);
            }
        }
        let mut misspelled = HashMap::new();
        for (rare, count) in hosts.filter(|(_, count)| *count <= RARE) {
            let near = with_and_without_one_byte(rare).filter_map(|short| common.get(&short));
            let near = near.flatten().copied().filter(|common| {
                let often = self.hosts.get(*common).copied().unwrap_or_default().all();
                often / COMMON >= count && is_slip(rare, common)
            });
            if let Some(common) = near.min_by_key(|common| (common.len(), *common)) {
                misspelled.insert(rare.into(), common.into());
            }
        }
        self.misspelled = misspelled;
        self
    }

    /// Returns the common host that `host`, in lower case, may be a misspelling of.
    pub(super) fn meant(&self, host: &[u8]) -> Option<&[u8]> {
        self.misspelled.get(host).map(|common| &**common)
    }

    pub(super) fn count(&self, host: &[u8]) -> Count {
        let host = host.to_ascii_lowercase();
        self.hosts.get(&*host).copied().unwrap_or_default()
    }
}

/// Returns whether `host` is a DNS name with more than one label.
fn is_name(host: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
    host.len() <= MAX_LEN && host.contains(&b'.') && host.iter().all(is_part)
}

/// Returns `host`, and `host` without each of its bytes. If two hosts differ by one byte, changed or
/// missing, they have one of these texts in common.
fn with_and_without_one_byte(host: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let without = (0..host.len()).map(|at| [&host[..at], &host[at + 1..]].concat());
    std::iter::once(host.to_vec()).chain(without)
}

/// Returns whether `rare` is `common` with a letter doubled, or left out after the first one, in a label of
/// four characters or more. A number at the end of a label is part of the name: `mirror1`, `mirror2`.
pub(super) fn is_slip(rare: &[u8], common: &[u8]) -> bool {
    let is_same = |(a, b): &(&u8, &u8)| a.eq_ignore_ascii_case(b);
    let start = rare.iter().zip(common).take_while(is_same).count();
    let rests = (&rare[start..], &common[start..]);
    let ends = rests.0.iter().rev().zip(rests.1.iter().rev());
    let end = ends.take_while(is_same).count();
    let (more, less) = (rests.0.len() - end, rests.1.len() - end);
    // Another letter in its place makes the name of somebody else, as a longer word does.
    let is_doubled = |host: &[u8]| start > 0 && host[start - 1].eq_ignore_ascii_case(&host[start]);
    let edited = match (more, less) {
        (0, 1) => common[start],
        (1, 0) if is_doubled(rare) => rare[start],
        _ => return false,
    };
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
    let is_inside = is_letter(rare[..start].last()) && is_letter(rare.get(start + more));
    let is_dot = |byte: &u8| *byte == b'.';
    // Another first letter makes another name: `cython.org`, `jython.org`.
    if rare[..start].last().is_none_or(is_dot) {
        return false;
    }
    if !edited.is_ascii_alphanumeric() || (edited.is_ascii_digit() && !is_inside) {
        return false;
    }
    let label = |host: &[u8], at: usize| {
        let from = host[..at].iter().rposition(is_dot).map_or(0, |dot| dot + 1);
        let to = host[at..]
            .iter()
            .position(is_dot)
            .map_or(host.len(), |dot| at + dot);
        to - from
    };
    label(rare, start).max(label(common, start)) >= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_letters() {
        let cases = [
            ("wwww.w3.org", "www.w3.org", true),
            ("www.rfc-editor.org-", "www.rfc-editor.org", false),
            ("suhosing5.suhosin.org", "suhosin5.suhosin.org", false),
            ("postgresml.org", "postgresql.org", false),
            ("lithub.com", "github.com", false),
            ("gihub.com", "github.com", true),
            ("mirror2.a.org", "mirror1.a.org", false),
            ("www2.a.org", "www.a.org", false),
            ("de.wikipedia.org", "da.wikipedia.org", false),
            ("a.example.org", "aexample.org", false),
            ("githbu.com", "github.com", false),
            ("github.com", "github.com", false),
        ];
        for (rare, common, expected) in cases {
            let is_slip = is_slip(rare.as_bytes(), common.as_bytes());
            assert_eq!(is_slip, expected, "{rare} {common}");
        }
    }

    #[test]
    fn a_rare_host_is_compared_with_common_ones() {
        let mut tree = Tree::default();
        tree.add(b"http://joe@GitHub.com:80/x y\n".repeat(100).as_slice());
        tree.add(b"https://gihub.com/x?y z\n(http://gitub.com)\n");
        tree.add(&b"http://githhub.com/x y\n".repeat(3));
        let tree = tree.compared();
        let mut found: Vec<_> = tree.misspelled.keys().map(|host| &**host).collect();
        found.sort_unstable();
        assert_eq!(found, [&b"gihub.com"[..], b"gitub.com"]);
        let count = tree.count(b"GITHUB.com");
        assert_eq!((count.http, count.https), (100, 0));
    }
}
