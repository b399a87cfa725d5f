//! Lists of URLs, one on each line: a line that begins with a scheme is a URL as a whole.

use super::{Parts, Scope, is_absolute};
use urlint_view::View;

/// Adds the parts of a list of URLs. Other lines are read as plain text.
pub(super) fn parts<'s>(source: &'s [u8], _: Scope, parts: &mut Parts<'s>) {
    // The start of the plain text that has not been added.
    let mut plain = 0;
    let mut at = 0;
    for line in source.split_inclusive(|&byte| byte == b'\n') {
        let start = at;
        at += line.len();
        let blank = line.len() - line.trim_ascii_start().len();
        let value = line.trim_ascii();
        let angled = value
            .strip_prefix(b"<")
            .and_then(|value| value.strip_suffix(b">"))
            .filter(|value| !value.contains(&b'>'));
        let url = angled.unwrap_or(value);
        if is_absolute(url) {
            parts.lines(View::borrowed(&source[plain..start], plain as u64));
            let start = start + blank + usize::from(angled.is_some());
            let whole = 0..url.len();
            parts.targets(View::borrowed(url, start as u64), vec![whole]);
            plain = at;
        }
    }
    parts.lines(View::borrowed(&source[plain..], plain as u64));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Kind;
    use urlint_find::Finder;

    #[test]
    fn a_line_is_a_url() {
        let cases: &[(&str, &[&str])] = &[
            ("http://a.example/b c\n", &["http://a.example/b c"]),
            (" <http://a.example/b c> \r\n", &["http://a.example/b c"]),
            (
                "# from http://a.example/ on\nhttp://b.example/.\n\nhttp://c.example/",
                &[
                    "http://a.example/",
                    "http://b.example/.",
                    "http://c.example/",
                ],
            ),
            (
                "  <http://a.example/>; rel=next, <http://b.example/>\n",
                &["http://a.example/", "http://b.example/"],
            ),
            ("/relative\n", &[]),
        ];
        for (source, urls) in cases {
            let parts = Parts::of(source.as_bytes(), Kind::Urls, Default::default());
            let mut found = Vec::new();
            for part in &parts.parts {
                for candidate in part.find(&Finder::default()) {
                    let pieces = part.view.spans(&candidate.pieces);
                    let raw = pieces.iter().map(|span| span.slice(source.as_bytes()));
                    assert_eq!(raw.collect::<Vec<_>>().concat(), &*candidate.text);
                    found.push(String::from_utf8_lossy(&candidate.text).into_owned());
                }
            }
            assert_eq!(&found, urls, "{source:?}");
        }
    }
}
