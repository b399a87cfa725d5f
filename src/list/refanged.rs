//! Undoes defanging (`hxxp://a[.]example/`), which security reports use so that nobody opens a URL.

/// The signs in a host, and the plain ones.
const SIGNS: [(&[u8], &[u8]); 5] = [
    (b"[.]", b"."),
    (b"(.)", b"."),
    (b"[dot]", b"."),
    (b"(dot)", b"."),
    (b"[:]", b":"),
];

/// Returns the plain form of `url`, if its scheme or host is defanged.
pub(super) fn refanged(url: &[u8]) -> Option<Vec<u8>> {
    let colon = memchr::memmem::find(url, b"://")?;
    let (scheme, rest) = url.split_at(colon);
    let (slashes, rest) = rest.split_at(3);
    let end = rest.iter().position(|byte| b"/?#".contains(byte));
    let (mut host, path) = rest.split_at(end.unwrap_or(rest.len()));
    let mut plain = match scheme.to_ascii_lowercase().as_slice() {
        b"hxxp" => b"http".to_vec(),
        b"hxxps" => b"https".to_vec(),
        _ => scheme.to_vec(),
    };
    plain.extend_from_slice(slashes);
    while let Some((&byte, after)) = host.split_first() {
        let sign = SIGNS.iter().find(|(sign, _)| host.starts_with(sign));
        let &(sign, text) = sign.unwrap_or(&(b"", b""));
        if sign.is_empty() {
            plain.push(byte);
            host = after;
        } else {
            plain.extend_from_slice(text);
            host = &host[sign.len()..];
        }
    }
    plain.extend_from_slice(path);
    (plain != url).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::refanged;

    #[test]
    fn plain_forms() {
        for (url, plain) in [
            (
                "hxxps://a[.]b[.]example/x[.]y",
                Some("https://a.b.example/x[.]y"),
            ),
            (
                "HXXP://a(dot)example:80?q=[dot]",
                Some("http://a.example:80?q=[dot]"),
            ),
            ("http://a.example/", None),
            ("http://[::1]/", None),
            ("mailto:joe@a[.]example", None),
        ] {
            let found = refanged(url.as_bytes());
            assert_eq!(found.as_deref(), plain.map(str::as_bytes), "{url}");
        }
    }
}
