//! The URLs that are found in Markdown.

use crate::document::prose::testing::shown;
use crate::document::{Depth, Kind};

/// The URLs of `source`, each after the first letters of its delimiter.
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
            &["br http://a.example/", "ta http://b.example/"],
        ),
        ("[x](a/b.html) [y](#c)", &[]),
        ("[x] (http://a.example/)", &["br http://a.example/"]),
        ("[x](http://a.example/ y)", &["ba http://a.example/"]),
        (
            "[x](http://a.example/{{ x }}/y)",
            &["br http://a.example/{{ x }}/y"],
        ),
        (
            "[x](<http://a.example/{{ x }}/y>)",
            &["ta http://a.example/{{ x }}/y"],
        ),
        (
            "see http://a.example/<user>/x and `http://b.example/<user>`",
            &["ba http://a.example/<user>/x", "qu http://b.example/<user>"],
        ),
        ("\\[x](http://a.example/)", &["br http://a.example/"]),
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

#[test]
fn running_text() {
    let cases: &[(&str, &[&str])] = &[
        ("<http://a.example/>", &["an http://a.example/"]),
        ("<http://a.example/\\_x>", &["an http://a.example/\\_x"]),
        (
            "<mailto:joe@a.example> <joe@a.example>",
            &["an mailto:joe@a.example"],
        ),
        ("<URL:http://a.example/>", &["wr http://a.example/"]),
        ("<URL:http://a.exa\nmple/x>", &["wr http://a.example/x"]),
        ("> <http://a.example/\n> x>", &["an http://a.example/x"]),
        ("see http://a.example/x\\_y.", &["ba http://a.example/x_y"]),
        (
            "see http://a.example/?a&amp;b=c",
            &["ba http://a.example/?a&b=c"],
        ),
        (
            "<http://a.example/?a&amp;b=c> `http://b.example/?a&amp;b`",
            &["an http://a.example/?a&b=c", "qu http://b.example/?a&amp;b"],
        ),
        ("**http://a.example/**", &["ba http://a.example/"]),
        (
            "_http://a.example/_ ~~http://b.example/~~",
            &["ba http://a.example/", "ba http://b.example/"],
        ),
        ("`http://a.example/\\_x`", &["qu http://a.example/\\_x"]),
        ("http://a.example/x-\ny", &["ba http://a.example/x-"]),
        ("http://a.example/\\\nx", &["ba http://a.example/"]),
        (
            "~~~\nhttp://a.example/x-\nyz\n~~~",
            &["ba http://a.example/x-yz"],
        ),
        (
            "- a\n\n      http://a.example/\\_&amp;x\n",
            &["ba http://a.example/\\_&amp;x"],
        ),
        (
            "a | b\n--|--\nx | <http://a.example/\nc> | http://b.example/d-\ne | <URL:http://c.example/ | f>\n",
            &[
                "ba http://a.example/",
                "ba http://b.example/d-",
                "wr http://c.example/",
            ],
        ),
        // Behind the last cell.
        (
            "| a |\n|---|\n| http://a.example/ | <!-- http://b.example/ -->\n| b | <http://c.example/> <!-- http://d.example/ |\n",
            &[
                "ba http://a.example/",
                "an http://c.example/",
                "ba http://d.example/",
            ],
        ),
        (
            "| a | b |\n|---|---|\n|http://a.example/?x|http://b.example/|\n",
            &["ba http://a.example/?x", "ba http://b.example/"],
        ),
        (
            "[x](http://a.example/ \"see http://b.example/\")",
            &["ta http://a.example/", "ba http://b.example/"],
        ),
        (
            "# See http://a.example/ #\n\nhttp://b.example/\n====",
            &["ba http://a.example/", "ba http://b.example/"],
        ),
    ];
    for (source, urls) in cases {
        assert_eq!(found(source), *urls, "{source:?}");
    }
}

#[test]
fn blocks_of_html_may_hold_markdown() {
    let cases: &[(&str, &[&str])] = &[
        (
            "<section a=\"b\" markdown=\"1\">\nSee [x](http://a.example/).\n</section>\nand [y](http://b.example/)\n",
            &["ta http://a.example/", "ta http://b.example/"],
        ),
        (
            "<div markdown=\"1\">[x](http://a.example/)</div>\n",
            &["ta http://a.example/"],
        ),
        (
            "<div>[x](http://a.example/)</div>\n",
            &["br http://a.example/"],
        ),
        (
            "<div markdown=\"1\">\n~~~\nhttp://a.example/x-\n\nhttp://b.example/\n~~~\n</div>\n",
            &["ba http://a.example/x-", "ba http://b.example/"],
        ),
        (
            "<i>a</i> | [x](http://a.example/)\n--- | ---\nb | c\n",
            &["ta http://a.example/"],
        ),
    ];
    for (source, urls) in cases {
        assert_eq!(found(source), *urls, "{source:?}");
    }
}
