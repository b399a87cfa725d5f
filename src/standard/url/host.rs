//! The host of a URL, whether the URL is valid or not.

use super::Authority;
use crate::standard::Part;

/// Returns the host of a URL with `://`, or of one without a scheme that begins with `www.` or
/// `ftp.`; without a dot at its end. The URL need not be valid under any standard.
///
/// ```
/// use urlint::url::host;
///
/// assert_eq!(host(b"ftp://joe@ftp.a.example:21/x"), Some(&b"ftp.a.example"[..]));
/// assert_eq!(host(b"mailto:joe@a.example"), None);
/// ```
#[must_use]
pub fn host(url: &[u8]) -> Option<&[u8]> {
    let scheme = url.iter().position(|byte| b":/?#@".contains(byte));
    let rest = match scheme.and_then(|end| url[end..].strip_prefix(b"://")) {
        Some(rest) => rest,
        None if begins_with_host(url) => url,
        None => return None,
    };
    let is_end = |byte: &u8| b"/?#\\".contains(byte);
    let end = rest.iter().position(is_end).unwrap_or(rest.len());
    let host = Authority::of(rest, Part::new(0, end)).host.of(rest);
    Some(host.strip_suffix(b".").unwrap_or(host))
}

/// Returns whether `url` begins as a host without a scheme does.
pub fn begins_with_host(url: &[u8]) -> bool {
    let is =
        |start: &[u8]| start.eq_ignore_ascii_case(b"www.") || start.eq_ignore_ascii_case(b"ftp.");
    url.get(..4).is_some_and(is)
}

/// Returns where `domain` begins in `host`, if the host is it or in it.
pub fn in_domain(host: &[u8], domain: &[u8]) -> Option<usize> {
    let start = host.len().checked_sub(domain.len())?;
    let is_label = start == 0 || host[start - 1] == b'.';
    (is_label && host[start..].eq_ignore_ascii_case(domain)).then_some(start)
}

/// Returns whether the host is in a domain reserved by RFC 2606.
pub fn is_example(host: &[u8]) -> bool {
    let domains: [&[u8]; 7] = [
        b"example",
        b"test",
        b"invalid",
        b"localhost",
        b"example.com",
        b"example.net",
        b"example.org",
    ];
    let host = host.strip_suffix(b".").unwrap_or(host);
    domains
        .iter()
        .any(|domain| in_domain(host, domain).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_of_a_url() {
        let cases: [(&str, Option<&str>); 14] = [
            ("http://a.example/x", Some("a.example")),
            ("HTTPS://A.example:80?x@b", Some("A.example")),
            ("ftp://joe:a@b@c.example./x", Some("c.example")),
            ("http://[::1]:80/", Some("[::1]")),
            ("file:///x", Some("")),
            ("x-own://h#f@g", Some("h")),
            ("mailto:joe@a.example", None),
            ("http:/a", None),
            ("mailto:joe@a.example?subject=http://b.example/", None),
            ("www.a.example/x?http://b.example/", Some("www.a.example")),
            ("FTP.a.example:21", Some("FTP.a.example")),
            ("www://a.example/", Some("a.example")),
            ("www", None),
            ("", None),
        ];
        for (url, expected) in cases {
            let host = host(url.as_bytes()).map(|host| String::from_utf8_lossy(host).into_owned());
            assert_eq!(host.as_deref(), expected, "{url}");
        }
    }
}
