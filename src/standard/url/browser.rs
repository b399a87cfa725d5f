//! Relative references as browsers read them (URL Standard, section 4.4).

use crate::url::schemes::lookup_known;
use crate::url::split::{Split, scheme};

use super::resolve;

/// Returns the URL that browsers go to for `reference` in a document at `base`, by the URL Standard,
/// section 4.4, as `resolve` does: where the scheme is `http` or one like it, `\` before the query is
/// `/`, any number of slashes at the start precede a host, and a reference without slashes after its
/// scheme is relative if the base has the same. In `file` URLs, drives are kept. Dot segments with `%2e`
/// are left for the parser.
///
/// ```
/// use urlint::url::resolve_in_browser;
///
/// let base = b"http://a.example/b/c";
/// assert_eq!(resolve_in_browser(base, br"..\x.gif").unwrap(), b"http://a.example/x.gif");
/// assert_eq!(resolve_in_browser(base, b"///b.example").unwrap(), b"http://b.example");
/// assert_eq!(resolve_in_browser(base, b"http:x").unwrap(), b"http://a.example/b/x");
/// ```
#[must_use]
pub fn resolve_in_browser(base: &[u8], reference: &[u8]) -> Option<Vec<u8>> {
    let of_base = scheme(base)?.of(base);
    let own = scheme(reference).map(|name| name.of(reference));
    if own.is_some_and(|own| !own[0].is_ascii_alphabetic()) {
        return resolve_in_browser(base, &[b"./", reference].concat());
    }
    let name = own.unwrap_or(of_base);
    let rest = own.map_or(reference, |own| &reference[own.len() + ":".len()..]);
    let is_same = name.eq_ignore_ascii_case(of_base);
    if name.eq_ignore_ascii_case(b"file") {
        return Some(file(is_same.then_some(base), &with_slashes(rest)));
    }
    if !lookup_known(name).is_some_and(|known| known.is_special) {
        let split = Split::of(base);
        let is_opaque = split.authority.is_none() && !split.path.of(base).starts_with(b"/");
        let is_out_of_reach = own.is_none() && is_opaque && !reference.starts_with(b"#");
        return (!is_out_of_reach).then(|| resolve(base, reference))?;
    }
    let rest = with_slashes(rest);
    let slashes = rest.iter().take_while(|&&byte| byte == b'/').count();
    if own.is_none() || (is_same && slashes < "//".len()) {
        return resolve(base, &rest[slashes.saturating_sub("//".len())..]);
    }
    resolve(base, &[name, b"://", &rest[slashes..]].concat())
}

/// Returns `reference` with a slash for each backslash before its query and fragment.
fn with_slashes(reference: &[u8]) -> Vec<u8> {
    let mut reference = reference.to_vec();
    let path = reference
        .iter_mut()
        .take_while(|byte| !matches!(**byte, b'?' | b'#'));
    path.filter(|byte| **byte == b'\\')
        .for_each(|byte| *byte = b'/');
    reference
}

/// Returns the `file` URL of `rest`, which follows the scheme, by the file state and those after it.
fn file(base: Option<&[u8]>, rest: &[u8]) -> Vec<u8> {
    let base = base.map(with_slashes).unwrap_or_default();
    let split = Split::of(&base);
    let base_host = split
        .authority
        .map_or(&b""[..], |authority| authority.of(&base));
    let base_path = Path::of(split.path.of(&base));
    let end = rest.iter().position(|byte| matches!(byte, b'?' | b'#'));
    let (path, after) = rest.split_at(end.unwrap_or(rest.len()));
    let (host, path) = if let Some(path) = path.strip_prefix(b"//") {
        let end = memchr::memchr(b'/', path).unwrap_or(path.len());
        match path.split_at(end) {
            (drive, _) if is_drive(drive) => (&b""[..], Path::default().with(path)),
            (host, path) if host.eq_ignore_ascii_case(b"localhost") => (&b""[..], Path::of(path)),
            (host, path) => (host, Path::of(path)),
        }
    } else if let Some(path) = path.strip_prefix(b"/") {
        let drive = base_path
            .0
            .first()
            .filter(|first| is_drive(first) && !begins_with_drive(path));
        (
            base_host,
            Path(drive.cloned().into_iter().collect()).with(path),
        )
    } else if path.is_empty() {
        let query = match split.query {
            Some(query) if !after.starts_with(b"?") => [b"?", query.of(&base)].concat(),
            _ => Vec::new(),
        };
        return [b"file://", base_host, &base_path.text(), &query, after].concat();
    } else if begins_with_drive(path) {
        (base_host, Path::default().with(path))
    } else {
        let mut folder = base_path;
        folder.shorten();
        (base_host, folder.with(path))
    };
    [b"file://", host, &path.text(), after].concat()
}

/// The segments of a path of a `file` URL.
#[derive(Default)]
struct Path(Vec<Vec<u8>>);

impl Path {
    fn of(path: &[u8]) -> Self {
        Path::default().with(path.strip_prefix(b"/").unwrap_or(path))
    }

    /// Adds the segments of `path`, which begins after a slash.
    fn with(mut self, path: &[u8]) -> Self {
        let mut segments = path.split(|&byte| byte == b'/').peekable();
        while let Some(segment) = segments.next() {
            let is_last = segments.peek().is_none();
            match segment {
                b".." => {
                    self.shorten();
                    self.0.extend(is_last.then(Vec::new));
                }
                b"." => self.0.extend(is_last.then(Vec::new)),
                drive if is_drive(drive) && self.0.is_empty() => self.0.push(vec![drive[0], b':']),
                segment => self.0.push(segment.to_vec()),
            }
        }
        self
    }

    /// Removes the last segment, unless it is a drive.
    fn shorten(&mut self) {
        if !matches!(&self.0[..], [only] if is_drive(only)) {
            self.0.pop();
        }
    }

    fn text(&self) -> Vec<u8> {
        self.0
            .iter()
            .flat_map(|segment| [b"/", &segment[..]].concat())
            .collect()
    }
}

/// Returns whether `segment` is a drive: `C:` or `C|`.
fn is_drive(segment: &[u8]) -> bool {
    matches!(segment, [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

fn begins_with_drive(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/')
        .next()
        .is_some_and(is_drive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_of_browsers() {
        let cases = [
            (
                "http://a.example/b/c",
                "http:d",
                Some("http://a.example/b/d"),
            ),
            (
                "http://a.example/b/c",
                r"http:\\d.example\",
                Some("http://d.example/"),
            ),
            (
                "http://a.example/b/c",
                "https:d.example/",
                Some("https://d.example/"),
            ),
            (
                "http://a.example/b/c",
                "https:/d.example/",
                Some("https://d.example/"),
            ),
            (
                "http://a.example/b/c",
                "/\\d.example",
                Some("http://d.example"),
            ),
            ("file:///a/b", "file:c", Some("file:///a/c")),
            ("file:///a/b?c#d", "file:", Some("file:///a/b?c")),
            ("file:///a/b?c", "file:?d", Some("file:///a/b?d")),
            ("file:///a/b", r"\\host\c", Some("file://host/c")),
            ("file:///C:/", "..", Some("file:///C:/")),
            ("file://host/C:/a/b", "/", Some("file://host/C:/")),
            ("file://host/a/b", "D|", Some("file://host/D:")),
            ("file:///a", "//localhost//b", Some("file:////b")),
            ("about:blank", "#x", Some("about:blank#x")),
            ("mailto:joe@a.example", "x", None),
        ];
        for (base, reference, expected) in cases {
            let url = resolve_in_browser(base.as_bytes(), reference.as_bytes());
            let url = url.map(|url| String::from_utf8(url).unwrap_or_default());
            assert_eq!(url.as_deref(), expected, "{base} {reference}");
        }
    }
}
