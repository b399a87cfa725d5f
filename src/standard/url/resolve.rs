//! Relative references and their bases (RFC 3986, section 5).

use crate::url::split::{Split, scheme};

/// Returns the URL that `reference` stands for in a document whose URL is `base`, by RFC 3986,
/// section 5.2. A reference with a scheme needs no base, only its dot segments are removed.
///
/// Returns `None` if the base has no scheme, or is not a place in a hierarchy, as `mailto:joe@a.example`,
/// unless the reference is a fragment. Takes any bytes, in time linear in their number, and checks nothing
/// else.
///
/// ```
/// use urlint::url::resolve;
///
/// let base = b"http://a.example/b/c?d";
/// assert_eq!(resolve(base, b"../x.html#top").unwrap(), b"http://a.example/x.html#top");
/// assert_eq!(resolve(base, b"//b.example").unwrap(), b"http://b.example");
/// assert_eq!(resolve(b"b/c", b"x.html"), None);
/// ```
#[must_use]
pub fn resolve(base: &[u8], reference: &[u8]) -> Option<Vec<u8>> {
    if let Some(name) = scheme(reference) {
        // `10.0.0.7:8080` begins with no scheme but a segment (RFC 3986, sections 3.1 and 4.2).
        return if name.of(reference)[0].is_ascii_alphabetic() {
            Some(without_dots(reference))
        } else {
            resolve(base, &[b"./", reference].concat())
        };
    }
    let of_base = Split::of(base);
    let name = of_base.scheme?.of(base);
    let base_path = of_base.path.of(base);
    let is_place = of_base.authority.is_some() || base_path.is_empty() || base_path.contains(&b'/');
    if !is_place && !matches!(reference.first(), None | Some(b'#')) {
        return None;
    }
    if reference.starts_with(b"//") {
        return Some(without_dots(&[name, b":", reference].concat()));
    }
    let split = Split::of(reference);
    let path = split.path.of(reference);
    // The query and the fragment, with their signs.
    let rest = &reference[split.path.range().end..];
    let before_path = &base[..of_base.path.range().start];
    if !path.is_empty() {
        let folder = match memchr::memrchr(b'/', base_path) {
            _ if path.starts_with(b"/") => &b""[..],
            Some(last) => &base_path[..=last],
            None if of_base.authority.is_some() => b"/",
            None => b"",
        };
        let merged = [folder, path].concat();
        return Some(put_together(before_path, &remove_dots(&merged), rest));
    }
    let mut url = base[..of_base.path.range().end].to_vec();
    if let (None, Some(query)) = (split.query, of_base.query) {
        url.push(b'?');
        url.extend_from_slice(query.of(base));
    }
    url.extend_from_slice(rest);
    Some(url)
}

/// Returns `url`, which has a scheme, without dot segments.
fn without_dots(url: &[u8]) -> Vec<u8> {
    let path = Split::of(url).path.range();
    put_together(
        &url[..path.start],
        &remove_dots(&url[path.clone()]),
        &url[path.end..],
    )
}

/// Returns the URL of these parts.
fn put_together(before_path: &[u8], path: &[u8], rest: &[u8]) -> Vec<u8> {
    // Without an authority, two slashes would begin one.
    let begins_authority = before_path.ends_with(b":") && path.starts_with(b"//");
    let dot: &[u8] = if begins_authority { b"/." } else { b"" };
    [before_path, dot, path, rest].concat()
}

/// Removes the segments `.` and `..` (RFC 3986, section 5.2.4).
fn remove_dots(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    let mut segments = path.split(|&byte| byte == b'/').peekable();
    while let Some(segment) = segments.next() {
        match (segment, kept.as_mut_slice()) {
            (b".", _) | (b"..", []) => {}
            // What is before the first slash goes, but not the slash.
            (b"..", [first]) => *first = b"",
            (b"..", _) => kept.truncate(kept.len() - 1),
            _ => {
                kept.push(segment);
                continue;
            }
        }
        if segments.peek().is_none() {
            kept.push(b"");
        }
    }
    kept.join(&b'/')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use urlint_testing::tries;

    fn resolved(base: &str, reference: &str) -> Option<String> {
        let url = resolve(base.as_bytes(), reference.as_bytes())?;
        Some(String::from_utf8_lossy(&url).into_owned())
    }

    /// The examples of RFC 3986, sections 5.4.1 and 5.4.2.
    #[test]
    fn examples_of_the_rfc() {
        let cases = [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"),
            ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"),
            ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/./x", "http://a/b/c/g#s/./x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"),
            ("http:g", "http:g"),
        ];
        for (reference, expected) in cases {
            let url = resolved("http://a/b/c/d;p?q", reference);
            assert_eq!(url.as_deref(), Some(expected), "{reference}");
        }
    }

    #[test]
    fn other_bases() {
        let cases = [
            ("http://a", "g", Some("http://a/g")),
            ("http://a?q", "", Some("http://a?q")),
            ("http://a?q#s", "#t", Some("http://a?q#t")),
            ("http://a/b?q#s", "?", Some("http://a/b?")),
            ("http://a/b#s", "", Some("http://a/b")),
            ("http://j:p@a:1/b", "g", Some("http://j:p@a:1/g")),
            ("http://a/b", "//u@g:2/../x?y", Some("http://u@g:2/x?y")),
            ("http://a/b", "a/b:c", Some("http://a/a/b:c")),
            ("http://a/b?/c/", "g", Some("http://a/g")),
            ("http://a/b/../c/d", "", Some("http://a/b/../c/d")),
            ("http://a//b", "..//g", Some("http://a//g")),
            ("file:/a/b", "g", Some("file:/a/g")),
            ("file:/a/b", "..//g", Some("file:/.//g")),
            ("x:/b", "//g", Some("x://g")),
            ("mailto:joe@a", "g", None),
            ("mailto:joe@a#s", "#t", Some("mailto:joe@a#t")),
            ("x:a/b/c", "d//", Some("x:a/b/d//")),
            ("x:", "a/b=5/../c", Some("x:a/c")),
            ("mailto:joe@a", "http://g/./x", Some("http://g/x")),
            ("/a/b", "g", None),
            ("", "", None),
        ];
        for (base, reference, expected) in cases {
            assert_eq!(
                resolved(base, reference).as_deref(),
                expected,
                "{base} {reference}"
            );
        }
    }

    proptest! {
        #![proptest_config(tries(20_000))]

        #[test]
        fn resolved_urls_have_a_scheme_and_no_dots(
            base in "(x:)?(//[a@:]{0,3})?[/.a?#]{0,9}",
            reference in "[x:/.?#]{0,12}",
        ) {
            if let Some(url) = resolve(base.as_bytes(), reference.as_bytes()) {
                prop_assert!(scheme(&url).is_some());
                let again = resolve(base.as_bytes(), &url);
                if !reference.is_empty() && !reference.starts_with(['?', '#']) {
                    prop_assert_eq!(again, Some(url));
                }
            }
        }
    }
}
