//! The ways of writing the characters that logins are known by.

use std::sync::LazyLock;

/// The names of an `@`.
const SIGNS: &str =
    r"@|\xEF\xBC\xA0|\xEF\xB9\xAB|commat|&at;|[(\[{]at[)\]}]|\\\(at|\\N\{commercial|=40[a-z0-9=\[]";

/// The names of a colon.
const COLONS: &str =
    r":|\xEF\xBC\x9A|\xEF\xB9\x95|\xE2\x88\xB6|\{?colon[;}]|\\textcolon|\\N\{colon\}|=3a";

/// Returns the ways of writing a character: its names, and its number in URLs, markup, strings and TeX.
fn written(names: &str, hexadecimal: &str, decimal: &str, octal: &str) -> String {
    let hexadecimal =
        format!(r"(?:%(?:25)*(?:u0*)?|&?#x0*|\\(?:[xu]\{{?|\[?u)?0*|\\char\x22){hexadecimal}");
    let decimal = format!(r"(?:&?#0*|\\char|\\symbol\{{){decimal}");
    format!(r"(?:{names}|(?:{hexadecimal}|{decimal})[;}}]?|\\0*{octal})")
}

/// An `@`, a colon, and two slashes or more.
pub(super) static SIGN: LazyLock<String> = LazyLock::new(|| written(SIGNS, "40", "64", "100"));
pub(super) static COLON: LazyLock<String> = LazyLock::new(|| written(COLONS, "3a", "58", "72"));
pub(super) static SLASHES: LazyLock<String> = LazyLock::new(|| {
    let slash = written("/", "2f", "47", "57");
    format!(r"(?:(?:{slash}|\\)+{slash}|(?:\\\\)+)")
});
