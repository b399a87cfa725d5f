//! Files as `file:` URIs (RFC 8089), as editors name them.

use std::path::PathBuf;

use urlint_standard::url::unescaped;

/// Returns the path that a `file:` URI names.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let (host, path) = parts(uri)?;
    let path = unescaped(path.as_bytes());
    let path = native(host, &path, cfg!(windows));
    Some(path_from(path))
}

/// Returns the host and the path of a `file:` URI.
fn parts(uri: &str) -> Option<(&str, &str)> {
    const START: &str = "file://";

    let start = uri.get(..START.len())?;
    let rest = uri.get(START.len()..)?;
    let is_file = start.eq_ignore_ascii_case(START);
    Some(rest.split_at(rest.find('/')?)).filter(|_| is_file)
}

/// Returns the path of a URI as a path of the system. On Windows, a drive follows the first slash, and
/// a host has shares.
fn native(host: &str, path: &[u8], is_windows: bool) -> Vec<u8> {
    if !is_windows {
        return path.to_owned();
    }
    let is_here = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    let mut path = match path {
        path if !is_here => [b"//", host.as_bytes(), path].concat(),
        [b'/', rest @ ..] if matches!(rest, [b'a'..=b'z' | b'A'..=b'Z', b':', ..]) => {
            rest.to_owned()
        }
        path => path.to_owned(),
    };
    for byte in &mut path {
        if *byte == b'/' {
            *byte = b'\\';
        }
    }
    path
}

/// File names need not be UTF-8 on Unix.
#[cfg(unix)]
fn path_from(path: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;

    std::ffi::OsString::from_vec(path).into()
}

#[cfg(not(unix))]
fn path_from(path: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&path).into_owned().into()
}

#[cfg(test)]
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
            ("file:", None),
            ("file://é", None),
        ] {
            let path =
                parts(uri).map(|(host, path)| native(host, &unescaped(path.as_bytes()), false));
            assert_eq!(path.as_deref(), expected.map(str::as_bytes), "{uri}");
        }
    }

    #[test]
    fn windows_has_drives_and_shares() {
        for (uri, expected) in [
            ("file:///c%3A/a%20b.txt", "c:\\a b.txt"),
            ("file:///C:/a", "C:\\a"),
            ("file://localhost/C:/a", "C:\\a"),
            ("file://server/share/a", "\\\\server\\share\\a"),
            ("file:///a", "\\a"),
        ] {
            let path =
                parts(uri).map(|(host, path)| native(host, &unescaped(path.as_bytes()), true));
            assert_eq!(path.as_deref(), Some(expected.as_bytes()), "{uri}");
        }
    }
}
