//! MediaWiki's markup, and that of other wikis.
//!
//! Targets are the URLs after `[` and `[[`, up to one of the [ends](ENDS). A name in brackets that is no URL,
//! such as `[[File:x.png]]`, is a page of the wiki. Everything else is running text, in which `|` separates the
//! parameters of templates and the cells of tables.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::markdown::REFERENCES;
use super::markup::scheme_len;
use super::prose::{Escapes, Prose, target_len};
use super::{Parts, Scope};
use urlint_view::Layer;

/// Character references, the separators, and the marks of italics and bold.
pub(super) const ESCAPES: Escapes = Escapes {
    signs: [b'&', b'|', b'\''],
    read: |text| match text {
        [b'|', ..] => Some((1, Cow::Borrowed(b" "))),
        [b'\'', b'\'', ..] => Some((2, Cow::Borrowed(b" "))),
        _ => (REFERENCES.read)(text),
    },
};

/// What ends a target after `[`, but for blanks.
const ENDS: [&str; 17] = [
    "]", "[", "|", "<", ">", "\"", "''", "&lt;", "&gt;", "&quot;", "&nbsp;", "&#160;", "\u{A0}",
    "\u{2002}", "\u{2003}", "\u{2009}", "\u{3000}",
];

/// The same after `[[`.
const ENDS_OF_DOUBLE: [&str; 8] = ["]]", "][", "|", "<", ">", "\"", "&nbsp;", "\u{3000}"];

/// The greatest length of a target, in bytes.
const MAX_TARGET: usize = 4096;

/// The elements whose text is shown as it is, and the braces of other wikis: the beginning, the end, and whether
/// references are decoded between.
const CODE: [(&[u8], &[u8], bool); 7] = [
    (b"<nowiki", b"</nowiki>", true),
    (b"<pre", b"</pre>", true),
    (b"<code", b"</code>", true),
    (b"<syntaxhighlight", b"</syntaxhighlight>", false),
    (b"<source", b"</source>", false),
    (b"<verbatim", b"</verbatim>", false),
    (b"{{{", b"}}}", false),
];

/// Adds the parts of a document of MediaWiki.
pub(super) fn parts<'s>(source: &'s [u8], scope: Scope, parts: &mut Parts<'s>) {
    let mut prose = Prose::new(source, Layer::AsciiBut(b"[]<>{}|'&\""));
    let mut is_open = [false; CODE.len()];
    for at in memchr::memchr3_iter(b'[', b'<', b'{', source) {
        if at < prose.at() {
            continue;
        }
        let text = &source[at..];
        let code = CODE.iter().position(|(begin, ..)| text.starts_with(begin));
        if let Some(code) = code.filter(|code| !is_open[*code]) {
            let (_, end, is_decoded) = CODE[code];
            // Without an end, it is text.
            let Some(len) = memmem::find(text, end).map(|len| len + end.len()) else {
                is_open[code] = true;
                continue;
            };
            prose.unescape(at, &ESCAPES);
            let start = prose.len();
            match scope.skip_code {
                true => prose.replace(at + len, b" "),
                false if is_decoded => prose.unescape(at + len, &REFERENCES),
                false => prose.keep(at + len),
            }
            prose.end_example(start);
        } else if text.starts_with(b"<!--") && !scope.deep {
            let len = memmem::find(text, b"-->").map_or(text.len(), |len| len + 3);
            prose.unescape(at, &ESCAPES);
            prose.replace(at + len, b" ");
        } else if let Some((name, is_url)) = name(source, at) {
            prose.unescape(name.start, &ESCAPES);
            if is_url {
                prose.target(name.clone(), &REFERENCES);
            }
            prose.replace(name.end, b" ");
        }
    }
    prose.unescape(source.len(), &ESCAPES);
    prose.finish(parts);
}

/// Returns the range of the URL or of the name of a page with a colon that follows the brackets at `at`, and
/// whether it is a URL.
fn name(source: &[u8], at: usize) -> Option<(Range<usize>, bool)> {
    let (opener, is_double) = (source[at], source[at..].starts_with(b"[["));
    let start = at + 1 + usize::from(is_double);
    let text = &source[start..source.len().min(start + MAX_TARGET)];
    let scheme = scheme_len(text);
    let is_url = text[scheme..].starts_with(b"://") || text.starts_with(b"mailto:");
    // `<https://h.example/>` and `{{https://h.example/}}` are found in running text, and `[File:x.png]` is text.
    let is_taken = if is_url {
        opener == b'['
    } else {
        opener == b'<' || is_double
    };
    if scheme == 0 || text.get(scheme) != Some(&b':') || !is_taken {
        return None;
    }
    let ends = if is_double {
        &ENDS_OF_DOUBLE[..]
    } else {
        &ENDS
    };
    let mut len = target_len(text, ends);
    // A bar in a query, with more of the query behind it, begins no text.
    while let [b'|', more @ ..] = &text[len..]
        && !is_double
        && text[..len].contains(&b'?')
    {
        let more = &more[..target_len(more, ends)];
        if !more.iter().any(|byte| b"&=?#".contains(byte)) {
            break;
        }
        len += 1 + more.len();
    }
    Some((start..start + len, is_url))
}

#[cfg(test)]
mod tests {
    use crate::document::prose::testing::shown;
    use crate::document::{Depth, Kind};

    #[test]
    fn documents() {
        let cases: &[(&str, &[&str])] = &[
            (
                "[http://a.example/x_y A name]",
                &["ta http://a.example/x_y"],
            ),
            ("[http://a.example/|name]", &["ta http://a.example/"]),
            (
                "[http://a.example/?a=1|b=2|?#c d] [http://a.example/?a|d] [http://a.example/x|b=2]",
                &[
                    "ta http://a.example/?a=1|b=2|?#c",
                    "ta http://a.example/?a",
                    "ta http://a.example/x",
                ],
            ),
            (
                "<code>http://a.example/?b&amp;c</code> <source>http://a.example/?b&amp;c</source>",
                &["ba http://a.example/?b&c", "ba http://a.example/?b&amp;c"],
            ),
            ("[[http://a.example/|A name]]", &["ta http://a.example/"]),
            ("[[http://a.example/][a name]]", &["ta http://a.example/"]),
            ("[[http://a.example/]]", &["ta http://a.example/"]),
            (
                "[http://a.example/?b&amp;c d]",
                &["ta http://a.example/?b&c"],
            ),
            ("[[mailto:joe@a.example|joe]]", &["ta mailto:joe@a.example"]),
            ("''http://a.example/''", &["ba http://a.example/"]),
            (
                "'''see http://a.example/x''' ''http://a.example/it's''",
                &["ba http://a.example/x", "ba http://a.example/it's"],
            ),
            (
                "[http://[::1]:80/ x] [[http://u@[::1]/x|y]] [http://[::1/ z]",
                &["ta http://[::1]:80/", "ta http://u@[::1]/x", "ta http://"],
            ),
            (
                "[http://a.example/x<ref>y</ref>] [http://b.example/\"y\" z] [http://c.example/''d'' e]",
                &[
                    "ta http://a.example/x",
                    "ta http://b.example/",
                    "ta http://c.example/",
                ],
            ),
            (
                "[http://a.example/x&nbsp;y] [http://b.example/x\u{3000}y] [http://c.example/x[y]",
                &[
                    "ta http://a.example/x",
                    "ta http://b.example/x",
                    "ta http://c.example/x",
                ],
            ),
            (
                "[[http://a.example/?x[]=1|y]] [[http://b.example/|{{http://c.example/x.png}}]]",
                &[
                    "ta http://a.example/?x[]=1",
                    "ta http://b.example/",
                    "br http://c.example/x.png",
                ],
            ),
            (
                "{{http://a.example/x?50x100|y}} {{http://b.example/}} {{ x | http://c.example/{{y}} }}",
                &[
                    "ba http://a.example/x?50x100",
                    "br http://b.example/",
                    "ba http://c.example/{{y}}",
                ],
            ),
            ("<http://a.example/>", &["an http://a.example/"]),
            (
                "{{cite|url=http://a.example/|x=y}}",
                &["ba http://a.example/"],
            ),
            ("{{x|http://a.example/}}", &["ba http://a.example/"]),
            ("{|\n| http://a.example/||b\n|}", &["ba http://a.example/"]),
            ("<File:x.png> [[File:x.png|b]] [[mail:x]] {{file:x}}", &[]),
            ("a <!-- http://a.example/ --> b", &[]),
            (
                "<nowiki>[http://a.example/ b]</nowiki>",
                &["ba http://a.example/"],
            ),
            ("<nowiki> [http://a.example/ b]", &["ta http://a.example/"]),
            ("{{{\n[http://a.example/]\n}}}", &["br http://a.example/"]),
            ("[x](http://a.example/)", &["br http://a.example/"]),
        ];
        for (source, urls) in cases {
            let found = shown(source.as_bytes(), Kind::Mediawiki, Depth::default());
            assert_eq!(found, *urls, "{source:?}");
        }
    }
}
