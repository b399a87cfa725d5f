//! Domains that so many documents name that one letter more, less, changed or swapped is a slip.

use std::sync::LazyLock;

use urlint_standard::text::ascii::WordList;

/// In order. Each label before the last has six characters or more, and no domain of somebody else is known to be one
/// letter away, but for those in `TAKEN`.
static DOMAINS: LazyLock<Vec<&str>> =
    LazyLock::new(|| WordList(include_str!("hosts/known.txt")).iter().collect());
const TAKEN: WordList = WordList(include_str!("hosts/taken.txt"));

/// Returns the known domain that the last labels of `host` are one letter away from, with the number of bytes
/// before these labels; nothing if they are a known domain.
pub(super) fn meant(host: &[u8]) -> Option<(usize, &'static str)> {
    let last = memchr::memrchr(b'.', host)?;
    let start = memchr::memrchr(b'.', &host[..last]).map_or(0, |dot| dot + 1);
    // No known domain has more than three labels.
    meant_from(host, start).or_else(|| {
        let dot = start.checked_sub(1)?;
        let start = memchr::memrchr(b'.', &host[..dot]).map_or(0, |dot| dot + 1);
        meant_from(host, start)
    })
}

/// Does so for the labels from `start`.
fn meant_from(host: &[u8], start: usize) -> Option<(usize, &'static str)> {
    let labels = &host[start..];
    let first = labels.first()?.to_ascii_lowercase();
    let begin = DOMAINS.partition_point(|domain| domain.as_bytes()[0] < first);
    let may_be = |domain: &&str| {
        let (known, last) = (domain.as_bytes(), labels[labels.len() - 1]);
        known.len().abs_diff(labels.len()) <= 1
            && last.eq_ignore_ascii_case(&known[known.len() - 1])
    };
    let alike = DOMAINS[begin..].iter().copied();
    let alike = alike.take_while(|domain| domain.as_bytes()[0] == first);
    let mut alike = alike.filter(may_be).peekable();
    alike.peek()?;
    let labels = str::from_utf8(labels).ok()?.to_ascii_lowercase();
    if alike.clone().any(|domain| domain == labels) || TAKEN.contains(labels.as_bytes()) {
        return None;
    }
    let domain = alike.find(|domain| is_slip(&labels, domain))?;
    Some((start, domain))
}

/// Returns whether `labels` is `domain` with one letter more, less or changed, or two letters swapped, in a label
/// before the last.
fn is_slip(labels: &str, domain: &str) -> bool {
    // A hyphen or a digit makes another name, and so does another top-level domain.
    let signs = |name: &str| {
        name.bytes()
            .filter(|byte| !byte.is_ascii_alphabetic())
            .count()
    };
    let top = |name: &str| name.rfind('.').map_or(0, |dot| name.len() - dot);
    signs(labels) == signs(domain)
        && labels[labels.len() - top(labels)..] == domain[domain.len() - top(domain)..]
        && strsim::osa_distance(labels, domain) == 1
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn one_letter_away() {
        let cases = [
            ("gihub.com", Some("github.com")),
            ("raw.githubusercontet.com", Some("githubusercontent.com")),
            ("www.gooogle.com", Some("google.com")),
            ("developer.google.com", Some("developers.google.com")),
            // They are known themselves.
            ("github.com", None),
            ("www.wikimedia.org", None),
            ("developers.google.com", None),
            ("jython.org", None),
            // Hosts of others, and a list.
            ("best.openssf.org", None),
            ("ampache.org", None),
            ("github.com,", None),
            ("githu-b.com", None),
            ("guthub.io", Some("github.io")),
            ("gitxhub.com", Some("github.com")),
            ("gtihub.com", Some("github.com")),
            ("alto.exmaple.com", Some("example.com")),
            ("www.examples.com", None),
            ("example2.org", None),
            // Names of others.
            ("twister.com", None),
            ("travisci.org", None),
            ("github.co", None),
            ("github.cim", None),
            // Two letters.
            ("gtihubb.com", None),
            ("github", None),
            (".com", None),
            ("", None),
        ];
        for (host, expected) in cases {
            let meant = meant(host.as_bytes()).map(|(_, domain)| domain);
            assert_eq!(meant, expected, "{host}");
        }
    }

    #[test]
    fn domains_are_in_order_and_have_long_labels() {
        assert!(DOMAINS.is_sorted());
        for domain in &*DOMAINS {
            let (before, last) = domain.rsplit_once('.').unwrap();
            assert!(
                last.len() < 4 && before.split('.').all(|label| label.len() >= 6),
                "{domain}"
            );
        }
    }
}
