//! What is read in Markdown, and where it stands.

use crate::view::markup::shown;
use crate::{Depth, Kind};

/// The URLs of `source` as they were found, the delimiter's first letters before each.
fn found(source: &str) -> Vec<String> {
    shown(source.as_bytes(), Kind::Markdown, Depth::default())
}

#[test]
fn destinations() {
    let cases: &[(&str, &[&str])] = &[
        ("[x](http://a.example/)", &["ta http://a.example/"]),
        ("[x](<http://a.example/b c>)", &["ta http://a.example/b c"]),
        (
            "[x](  http://a.example/\n  \"title\")",
            &["ta http://a.example/"],
        ),
        (
            "> [x](\n> http://a.example/ 'title')",
            &["ta http://a.example/"],
        ),
        ("[x](http://a.example/(b)c)", &["ta http://a.example/(b)c"]),
        ("[x](http://a.example/\\)b)", &["ta http://a.example/)b"]),
        (
            "[x](http://a.example/?a&amp;b&#x7e;)",
            &["ta http://a.example/?a&b~"],
        ),
        (
            "[x](http://a.example/\\_&foo;&ouml;)",
            &["ta http://a.example/_&foo;ö"],
        ),
        (
            "![x](http://a.example/i.png)",
            &["ta http://a.example/i.png"],
        ),
        (
            "[![x](http://a.example/i)](http://b.example/)",
            &["ta http://a.example/i", "ta http://b.example/"],
        ),
        ("[](http://a.example/)", &["ta http://a.example/"]),
        ("[a\\]](http://a.example/)", &["ta http://a.example/"]),
        ("[`](`](http://a.example/)", &["ta http://a.example/"]),
        ("[*b*](http://a.example/)", &["ta http://a.example/"]),
        (
            "[http://a.example/](http://b.example/)",
            &["ba http://a.example/", "ta http://b.example/"],
        ),
        ("[x](a/b.html) [y](#c)", &[]),
        ("[x] (http://a.example/)", &["ba http://a.example/"]),
        ("[x](http://a.example/ y)", &["ba http://a.example/"]),
        ("\\[x](http://a.example/)", &["ba http://a.example/"]),
        (
            "[x][1]\n\n[1]: http://a.example/ 'y'\n",
            &["ta http://a.example/"],
        ),
        ("[1]: <http://a.example/>\n", &["ta http://a.example/"]),
        (
            "a\n\n[1]:\n  http://a.example/x\\*y\n\nb",
            &["ta http://a.example/x*y"],
        ),
        ("> [a\\]:b]: http://a.example/\n", &["ta http://a.example/"]),
        ("[^1]: see http://a.example/.\n", &["ba http://a.example/"]),
    ];
    for (source, urls) in cases {
        assert_eq!(found(source), *urls, "{source:?}");
    }
}
