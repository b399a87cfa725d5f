//! Links of a document: each piece of a URL opens the whole URL.

use serde_json::{Value, json};
use urlint_lint::shortened;
use urlint_standard::text::ascii::{WordList, begins};
use urlint_standard::url::host;
use urlint_standard::url::password::redacted;

use super::analysis::{Analysis, Url};
use super::document::Document;
use urlint_report::{ascii_host, terminal};

/// The schemes that are passed to the editor's opener. For some other schemes editors run commands, and
/// the text may be untrusted.
const SCHEMES: WordList =
    WordList("http https ftp ftps mailto news snews nntp gopher telnet wais prospero");

pub(super) fn of(analysis: &Analysis, document: &Document) -> Vec<Value> {
    let links = analysis.urls.iter().filter_map(|url| {
        let target = target(url)?;
        let shown = shown(&url.text);
        let link = move |piece| {
            json!({ "range": document.text.range(piece), "target": target, "tooltip": shown })
        };
        Some(url.pieces.iter().map(link))
    });
    links.flatten().collect()
}

/// Returns a URL for people to read, without passwords, and with the ASCII form of its host.
pub(super) fn shown(url: &[u8]) -> String {
    let text = redacted(url);
    let ascii = host(&text).and_then(ascii_host);
    let ascii = ascii.map(|host| format!(" ({host})"));
    let text = terminal::line(&text).into_owned();
    shortened(&text).into_owned() + &ascii.unwrap_or_default()
}

/// Returns the target of the link, or `None` if the URL must not be opened.
fn target(url: &Url) -> Option<String> {
    if url.is_placeholder {
        return None;
    }
    let named = url.text.split(|&byte| byte == b':').next()?;
    let prefix = if SCHEMES.contains(named) {
        if url.text.len() <= named.len() + 1 {
            return None;
        }
        ""
    } else if begins(&url.text, "www.") {
        "http://"
    } else if begins(&url.text, "ftp.") {
        "ftp://"
    } else {
        return None;
    };
    let text = [prefix.as_bytes(), &url.text].concat();
    // A program may take a host with a hyphen for a flag.
    if host(&text).is_some_and(|host| host.starts_with(b"-")) {
        return None;
    }
    Some(format!("{prefix}{}", as_uri(&url.text)))
}

/// Returns `url` with everything percent-encoded that RFC 3986 does not allow in its place, and otherwise
/// unchanged.
fn as_uri(url: &[u8]) -> String {
    let mut uri = String::with_capacity(url.len());
    let authority = memchr::memmem::find(url, b"//").map_or(0, |at| at + 2);
    let authority_end = url[authority..]
        .iter()
        .position(|byte| b"/?#\\".contains(byte));
    let authority_end = authority_end.map_or(url.len(), |at| authority + at);
    let mut has_fragment = false;
    for (at, &byte) in url.iter().enumerate() {
        let is_kept = match byte {
            b'%' => {
                let digits = url.get(at + 1..at + 3);
                digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            }
            b'[' | b']' => (authority..authority_end).contains(&at),
            b'#' => !std::mem::replace(&mut has_fragment, true),
            byte => byte.is_ascii_alphanumeric() || b"-._~:/?@!$&'()*+,;=".contains(&byte),
        };
        if is_kept {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_not_a_uri_is_encoded() {
        for (url, expected) in [
            (
                "http://a.example/~joe?x=%41#y",
                "http://a.example/~joe?x=%41#y",
            ),
            (
                "http://a.example/é|{x}",
                "http://a.example/%C3%A9%7C%7Bx%7D",
            ),
            ("http://[::1]/[x]", "http://[::1]/%5Bx%5D"),
            ("http://a.example/100%#a#b", "http://a.example/100%25#a%23b"),
            ("mailto:joe@a.example", "mailto:joe@a.example"),
        ] {
            assert_eq!(as_uri(url.as_bytes()), expected);
        }
    }
}
