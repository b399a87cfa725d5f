//! Schemes in addition to the known ones.

use std::fmt;
use std::sync::{Arc, LazyLock};

use aho_corasick::AhoCorasick;

/// The beginnings of hosts without a scheme.
const HOSTS: [&str; 2] = ["www.", "ftp."];

/// Schemes that are found without `//`, like the known ones; case is ignored.
///
/// A name consists of ASCII letters, digits, `+`, `.` and `-`, and is shorter than 64 bytes; any
/// other name matches nothing. The names are compiled when the set is made, and all clones share
/// the result.
///
/// ```
/// use urlint::find::Schemes;
///
/// let schemes = Schemes::new(["x-own", "doc"]);
/// assert!(schemes.contains(b"X-Own"));
/// assert!(!schemes.contains(b"http"));
/// assert_eq!(schemes.iter().collect::<Vec<_>>(), ["x-own", "doc"]);
/// ```
#[derive(Clone, Default)]
pub struct Schemes {
    /// `None` if there are no names.
    compiled: Option<Arc<Compiled>>,
}

struct Compiled {
    names: Box<[String]>,
    alone: Option<Marks>,
    with_hosts: Option<Marks>,
}

/// The patterns that are searched for besides the colons that may follow a known scheme: the
/// beginnings of hosts, and schemes with their colons.
#[derive(Clone, Debug)]
pub(crate) struct Marks {
    searcher: AhoCorasick,
    /// The number of patterns that are beginnings of hosts; they come first.
    hosts: usize,
}

/// A match of one of these patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) kind: MarkKind,
    /// Where it is: the colon of a scheme, or the beginning of anything else.
    pub(crate) at: usize,
}

/// The kind of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkKind {
    Colon,
    Host,
    /// A mistaken scheme.
    Mistake,
}

impl Schemes {
    /// Makes a set of the schemes `names`, each without its colon.
    pub fn new<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        let names: Box<[String]> = names
            .into_iter()
            .map(Into::into)
            .filter(|name| !name.is_empty())
            .collect();
        if names.is_empty() {
            return Schemes::default();
        }
        let compiled = Compiled {
            alone: Marks::new(&[], &names),
            with_hosts: Marks::new(&HOSTS, &names),
            names,
        };
        Schemes {
            compiled: Some(Arc::new(compiled)),
        }
    }

    /// Returns the names, in the order in which they were given.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let names = self.compiled.iter().flat_map(|compiled| &compiled.names);
        names.map(String::as_str)
    }

    /// Returns whether the set has no names.
    pub fn is_empty(&self) -> bool {
        self.compiled.is_none()
    }

    /// Returns whether `name`, without a colon, is in the set; case is ignored.
    pub fn contains(&self, name: &[u8]) -> bool {
        self.iter()
            .any(|own| own.as_bytes().eq_ignore_ascii_case(name))
    }

    /// Returns the patterns to search for: these schemes, and hosts without a scheme if
    /// `schemeless`.
    pub(crate) fn marks(&self, schemeless: bool) -> Option<Marks> {
        static HOSTS_ALONE: LazyLock<Option<Marks>> = LazyLock::new(|| Marks::new(&HOSTS, &[]));
        match &self.compiled {
            Some(compiled) if schemeless => compiled.with_hosts.clone(),
            Some(compiled) => compiled.alone.clone(),
            None if schemeless => HOSTS_ALONE.clone(),
            None => None,
        }
    }
}

impl<S: Into<String>> FromIterator<S> for Schemes {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        Schemes::new(names)
    }
}

impl PartialEq for Schemes {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Schemes {}

impl fmt::Debug for Schemes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Marks {
    /// Returns `None` if there are more names than a searcher can hold, which takes gigabytes of
    /// them.
    fn new(hosts: &[&str], schemes: &[String]) -> Option<Self> {
        let patterns = hosts.iter().map(|&host| host.to_owned());
        let patterns = patterns.chain(schemes.iter().map(|scheme| format!("{scheme}:")));
        let searcher = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(patterns);
        Some(Marks {
            searcher: searcher.ok()?,
            hosts: hosts.len(),
        })
    }

    /// Returns the length of the longest mark, in bytes.
    pub(crate) fn max_len(&self) -> usize {
        self.searcher.max_pattern_len()
    }

    /// Returns the first mark that begins at or after `from`, and where it begins.
    pub(crate) fn find(&self, text: &[u8], from: usize) -> Option<(Mark, usize)> {
        let found = self.searcher.find(text.get(from..)?)?;
        let start = from + found.start();
        let (kind, at) = if found.pattern().as_usize() < self.hosts {
            (MarkKind::Host, start)
        } else {
            (MarkKind::Colon, from + found.end() - 1)
        };
        Some((Mark { kind, at }, start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        let found = |schemes: &Schemes, schemeless, text: &str| {
            let marks = schemes.marks(schemeless)?;
            marks.find(text.as_bytes(), 0).map(|(mark, _)| mark)
        };
        let own = Schemes::new(["x-own", ""]);
        let mark = |kind, at| Some(Mark { kind, at });
        let text = "a WWW.b X-OWN:c";
        assert_eq!(found(&Schemes::default(), false, text), None);
        assert_eq!(
            found(&Schemes::default(), true, text),
            mark(MarkKind::Host, 2)
        );
        assert_eq!(found(&own, false, text), mark(MarkKind::Colon, 13));
        assert_eq!(found(&own, true, text), mark(MarkKind::Host, 2));
        assert_eq!(found(&own, true, "own:c www"), None);
        assert!(Schemes::new([""]).is_empty());
    }
}
