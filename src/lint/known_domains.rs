//! Domains that so many documents name that one letter more, less, changed or swapped is a slip.

/// In order of their first letters. Each label before the last has six characters or more, and no domain of
/// somebody else is known to be one letter away.
#[rustfmt::skip]
const DOMAINS: &[&str] = &[
    "amazonaws.com", "archlinux.org", "atlassian.com", "atlassian.net", "bitbucket.org", "blogspot.com",
    "chromium.org", "cloudflare.com", "codecov.io", "contributor-covenant.org", "coveralls.io",
    "creativecommons.org", "debian.org", "developer.android.com", "developer.mozilla.org",
    "developers.google.com", "dropbox.com", "eclipse.org", "example.com", "example.net",
    "example.org", "facebook.com", "fedoraproject.org", "freedesktop.org", "gentoo.org", "github.com", "github.io", "githubusercontent.com", "gitlab.com",
    "golang.org", "google.com", "googleapis.com", "googlecode.com", "googlesource.com", "haskell.org",
    "instagram.com", "jetbrains.com", "kernel.org", "kubernetes.io", "launchpad.net", "linkedin.com",
    "microsoft.com", "mozilla.org", "nodejs.org", "opensuse.org", "packagist.org", "postgresql.org",
    "python.org", "readthedocs.io", "readthedocs.org", "reddit.com", "rfc-editor.org", "ruby-lang.org",
    "rubygems.org", "rust-lang.org", "sourceforge.net", "stackexchange.com", "stackoverflow.com",
    "travis-ci.com", "travis-ci.org", "twitter.com", "typescriptlang.org", "ubuntu.com", "wikimedia.org",
    "wikipedia.org", "wordpress.com", "wordpress.org", "youtube.com",
];

/// Domains of others that are one letter away.
const OTHERS: [&str; 9] = [
    "ellipse.org",
    "examples.com",
    "examples.org",
    "exemple.com",
    "exemple.org",
    "goggle.com",
    "goole.com",
    "postgresml.org",
    "twister.com",
];

/// For each first and last letter, the lengths of the domains, and those beside them, as bits.
const LENGTHS: [[u32; 26]; 26] = {
    let (mut lengths, mut at) = ([[0; 26]; 26], 0);
    while at < DOMAINS.len() {
        let domain = DOMAINS[at].as_bytes();
        let (first, last) = (domain[0] - b'a', domain[domain.len() - 1] - b'a');
        lengths[first as usize][last as usize] |= 0b111 << (domain.len() - 1);
        at += 1;
    }
    lengths
};

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
    let (first, last) = (labels.first()?, labels.last()?);
    let letter = |byte: u8| usize::from(byte.wrapping_sub(b'a'));
    let first = first.to_ascii_lowercase();
    let lengths = LENGTHS
        .get(letter(first))?
        .get(letter(last.to_ascii_lowercase()))?;
    if lengths.checked_shr(labels.len() as u32)? & 1 == 0 {
        return None;
    }
    let begin = DOMAINS.partition_point(|domain| domain.as_bytes()[0] < first);
    let known = DOMAINS[begin..].iter().copied();
    let mut known = known.take_while(|domain| domain.as_bytes()[0] == first);
    let is_known = |domain: &str| labels.eq_ignore_ascii_case(domain.as_bytes());
    if known.clone().any(is_known) {
        return None;
    }
    let labels = labels.to_ascii_lowercase();
    let labels = str::from_utf8(&labels)
        .ok()
        .filter(|labels| !OTHERS.contains(labels))?;
    let domain = known.find(|domain| is_slip(labels, domain))?;
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
        for domain in DOMAINS {
            let (before, last) = domain.rsplit_once('.').unwrap();
            assert!(
                last.len() < 4 && before.split('.').all(|label| label.len() >= 6),
                "{domain}"
            );
        }
    }
}
