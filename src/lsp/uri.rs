//! Files as `file:` URIs (RFC 8089), as editors name them.

use std::path::PathBuf;

use url::Url;

/// Returns the path that a `file:` URI names.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let uri = Url::parse(uri).ok()?;
    let file = Some(uri).filter(|uri| uri.scheme() == "file")?;
    file.to_file_path().ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_file_uris_have_paths() {
        for (uri, expected) in [
            ("file:///a/b.txt", Some("/a/b.txt")),
            ("FILE:///a%20b/%C3%A9.md", Some("/a b/é.md")),
            ("file:///a%2", Some("/a%2")),
            ("file://localhost/a", Some("/a")),
            ("untitled:Untitled-1", None),
            ("untitled:/a/Untitled-1", None),
            ("file://é", None),
        ] {
            assert_eq!(path_of(uri), expected.map(PathBuf::from), "{uri}");
        }
    }
}
