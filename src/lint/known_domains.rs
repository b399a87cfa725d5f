//! Domains that so many documents name that one letter more, less or changed is a slip.

use super::tree::is_slip;

/// In order of their first letters. Each label before the last has six characters or more, and no domain of
/// somebody else is known to be one letter away.
const DOMAINS: &[&str] = &[
    "amazonaws.com",
    "archlinux.org",
    "atlassian.com",
    "atlassian.net",
    "bitbucket.org",
    "blogspot.com",
    "chromium.org",
    "cloudflare.com",
    "codecov.io",
    "contributor-covenant.org",
    "coveralls.io",
    "creativecommons.org",
    "debian.org",
    "developer.android.com",
    "developer.mozilla.org",
    "developers.google.com",
    "dropbox.com",
    "eclipse.org",
    "facebook.com",
    "fedoraproject.org",
    "freedesktop.org",
    "gentoo.org",
    "github.com",
    "github.io",
    "githubusercontent.com",
    "gitlab.com",
    "golang.org",
    "google.com",
    "googleapis.com",
    "googlecode.com",
    "googlesource.com",
    "haskell.org",
    "instagram.com",
    "jetbrains.com",
    "kernel.org",
    "kubernetes.io",
    "launchpad.net",
    "linkedin.com",
    "microsoft.com",
    "mozilla.org",
    "nodejs.org",
    "opensuse.org",
    "packagist.org",
    "postgresql.org",
    "python.org",
    "readthedocs.io",
    "readthedocs.org",
    "reddit.com",
    "rfc-editor.org",
    "ruby-lang.org",
    "rubygems.org",
    "rust-lang.org",
    "sourceforge.net",
    "stackexchange.com",
    "stackoverflow.com",
    "travis-ci.com",
    "travis-ci.org",
    "twitter.com",
    "typescriptlang.org",
    "ubuntu.com",
    "wikimedia.org",
    "wikipedia.org",
    "wordpress.com",
    "wordpress.org",
    "youtube.com",
];

/// Returns the known domain that the last labels of `host`, in lower case, are one letter away from, with the
/// number of bytes before these labels; nothing if they are a known domain.
pub(super) fn meant(host: &[u8]) -> Option<(usize, &'static str)> {
    let dots = memchr::memrchr_iter(b'.', host);
    let starts = dots.map(|dot| dot + 1).chain([0]);
    // The last label is no domain; no known one has more than three.
    starts.skip(1).take(2).find_map(|start| {
        let labels = &host[start..];
        let first = DOMAINS.partition_point(|domain| domain.as_bytes().first() < labels.first());
        let mut known = DOMAINS[first..]
            .iter()
            .copied()
            .take_while(|domain| domain.as_bytes().first() == labels.first())
            .filter(|domain| domain.len().abs_diff(labels.len()) <= 1);
        if known.clone().any(|domain| domain.as_bytes() == labels) {
            return None;
        }
        let domain = known.find(|domain| is_slip(labels, domain.as_bytes()))?;
        Some((start, domain))
    })
}

#[cfg(test)]
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
            // Two letters.
            ("gtihub.com", None),
            ("github.co", None),
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
