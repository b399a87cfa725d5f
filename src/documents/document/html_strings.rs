//! Strings of a document that hold HTML.

use super::target::scheme_start;
use urlint_standard::text::ascii::WordList;

/// Elements without content.
const EMPTY: WordList = WordList("br embed hr img input link meta source");

/// Other elements that a text begins with.
const ELEMENTS: WordList = WordList(
    "a abbr address article aside audio b big blockquote body button center cite code dd del details \
    div dl dt em figure font footer form h1 h2 h3 h4 h5 h6 head header html i iframe ins kbd label li \
    main mark nav object ol p picture pre q s samp section small span strike strong sub sup table tbody \
    td tfoot th thead time tr tt u ul var video",
);

/// Returns whether `text` is HTML: it begins with an element and closes it. Text with a URL in angle brackets is none.
pub(crate) fn is_html(text: &[u8]) -> bool {
    let Some(tag) = text.trim_ascii_start().strip_prefix(b"<") else {
        return false;
    };
    let length = tag.iter().take_while(|byte| byte.is_ascii_alphanumeric());
    let (name, rest) = tag.split_at(length.count());
    let is_tag = rest
        .first()
        .is_some_and(|byte| byte.is_ascii_whitespace() || b"/>".contains(byte));
    let is_closed = || {
        EMPTY.contains(name)
            || ELEMENTS.contains(name)
                && memchr::memmem::find_iter(rest, b"</").any(|at| {
                    let end = rest.get(at + 2..at + 2 + name.len());
                    end.is_some_and(|end| end.eq_ignore_ascii_case(name))
                })
    };
    let in_angles = |at: usize| text[..scheme_start(&text[..at])].ends_with(b"<");
    is_tag && is_closed() && !memchr::memmem::find_iter(text, b"://").any(in_angles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings() {
        for (text, expected) in [
            ("<p>x</p>", true),
            (" \n<A href='x'>x</A>, too", true),
            ("<img src='x'>", true),
            ("<br/>x", true),
            ("<p>x", false),
            ("<T>x</T>", false),
            ("<pre", false),
            ("x <p>x</p>", false),
            ("<http://a.example/>", false),
            ("<p>see <http://a.example/></p>", false),
            ("<b> and http://a.example/", false),
            ("", false),
        ] {
            assert_eq!(is_html(text.as_bytes()), expected, "{text}");
        }
    }
}
