//! A URL in all sorts of wrappings and contexts: it is the same URL in each.

use urlint::{Event, Reader};

/// Wrappings that enclose a URL, so that all that they enclose is the URL: the name of a file, and the text
/// before and after the URL.
const WRAPPINGS: [(&str, &str, &str); 10] = [
    ("a.txt", "see <URL:", "> there"),
    ("a.txt", "see <", "> there"),
    ("a.txt", "see \"", "\" there"),
    ("a.txt", "x = '", "'"),
    ("a.txt", "see (", ") there"),
    ("a.txt", "see [", "] there"),
    ("a.txt", "see `", "` there"),
    ("a.json", "{\"a\": \"", "\"}"),
    ("a.html", "<a href=\"", "\">x</a>"),
    ("a.txt", "See ", " there."),
];

/// Contexts that say nothing about where a URL ends.
const CONTEXTS: [(&str, &str, &str); 10] = [
    ("a.txt", "", ""),
    ("a.txt", "", "\n"),
    ("a.txt", "", "\r\n\r\nMore."),
    ("a.txt", "A line.\n", "\nThe next line is prose.\n"),
    ("a.txt", "\t", "\tx"),
    ("a.c", "// See ", " there.\nint x;\n"),
    ("a.py", "# ", "\nx = 1\n"),
    ("a.txt", "> ", "\n> \n> More.\n"),
    ("a.txt", "见：", "，以及"),
    ("a.txt", "* ", "\n* Another.\n"),
];

/// Returns whether `url` has nothing that ends a URL, or that some wrapping reads in its own way: only such
/// URLs come back from all of them.
pub(crate) fn is_plain(url: &str) -> bool {
    let is_of_url =
        |sign: char| sign.is_ascii_alphanumeric() || "-._~:/?#@!$&*+,;=%".contains(sign);
    let begins = ["http://", "https://", "ftp://"]
        .iter()
        .any(|web| url.starts_with(web));
    let ends = url.ends_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '/');
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let has_host = rest.starts_with(|sign: char| sign.is_ascii_alphanumeric());
    begins
        && ends
        && has_host
        && !rest.contains("://")
        && !rest.contains(['&', ';', ','])
        && url.chars().all(is_of_url)
}

/// Returns the URLs that are found in `text`, the content of the file `name`.
pub(crate) fn found(name: &str, text: &str) -> Vec<String> {
    let mut urls = Vec::new();
    let visit = &mut |event: Event<'_>| {
        if let Event::Found(found) = event {
            urls.push(String::from_utf8_lossy(&found.candidate.text).into_owned());
        }
        Ok::<(), std::io::Error>(())
    };
    Reader::default()
        .read(name.as_bytes(), text.as_bytes(), visit)
        .unwrap();
    urls
}

/// Asserts that `url` comes back unchanged from each wrapping.
pub(crate) fn comes_back(url: &str) {
    is_found_in(&WRAPPINGS, url);
}

/// Asserts that `url` is the same in each context.
pub(crate) fn is_the_same_everywhere(url: &str) {
    is_found_in(&CONTEXTS, url);
}

fn is_found_in(around: &[(&str, &str, &str)], url: &str) {
    for (name, before, after) in around {
        let text = format!("{before}{url}{after}");
        assert_eq!(found(name, &text), [url], "{name}: {text:?}");
    }
}
