//! Tests the oracle itself, on cases checked by hand: how it reads a grammar, and the texts that it accepts
//! and rejects.

use super::bnf::{Grammar, Node};
use super::{BNF, Oracle};

#[test]
fn the_notation_is_read_as_the_rfc_means_it() {
    let literal = |text: &str| Node::Literal(text.into());
    let rule = |name: &str| Node::Rule(name.into());
    let repeat = |least, node| Node::Repeat(least, Box::new(node));
    let cases = [
        (
            r#"x = "\" | <"> | ";" ; "no" rule"#,
            Node::Choice(vec![literal("\\"), literal("\""), literal(";")]),
        ),
        (
            r#"x = "%09" [ y ]"#,
            Node::Sequence(vec![literal("%09"), Node::Optional(Box::new(rule("y")))]),
        ),
        ("x = 1*digit", repeat(1, rule("digit"))),
        (
            "x = *[ a |\n    b c ]",
            repeat(
                0,
                Node::Choice(vec![rule("a"), Node::Sequence(vec![rule("b"), rule("c")])]),
            ),
        ),
        (
            "x = 1*[ a ] gopher+_string",
            Node::Sequence(vec![repeat(1, rule("a")), rule("gopher+_string")]),
        ),
        (
            "x = [ / [ a ] ]",
            Node::Optional(Box::new(Node::Sequence(vec![
                literal("/"),
                Node::Optional(Box::new(rule("a"))),
            ]))),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(*Grammar::read(text).rule("x"), expected, "{text}");
    }
    let grammar = Grammar::read(BNF);
    assert_eq!(grammar.names().len(), 67);
    let national: Vec<_> = r"{}|\^~[]`"
        .chars()
        .map(|c| literal(&c.to_string()))
        .collect();
    assert_eq!(*grammar.rule("national"), Node::Choice(national));
}

#[test]
fn the_oracle_knows_what_is_a_url() {
    let mut oracle = Oracle::new();
    let schemes: Vec<_> = oracle
        .schemes()
        .iter()
        .map(|name| str::from_utf8(name).unwrap())
        .collect();
    let expected = [
        "http", "ftp", "news", "nntp", "telnet", "gopher", "wais", "mailto", "file", "prospero",
    ];
    assert_eq!(schemes, expected);
    let urls = [
        "http://a.example",
        "http://a.example/",
        "http://a.example:80/b?c",
        "http://1.2.3.4/",
        "HTTP://a/",
        "ftp://u:p@h/x;type=a",
        "ftp://@h/",
        "ftp://:p@h",
        "ftp://h//etc/%2F",
        "file:///x",
        "file://localhost/",
        "gopher://h",
        "gopher://h/",
        "gopher://h/1",
        "gopher://h/7s%09q%09+x%09y",
        "gopher://h/1?/",
        "mailto:a@b",
        "mailto:%41",
        "news:*",
        "news:comp.risks",
        "news:a/b@h",
        "news:/@h",
        "nntp://h/g/1",
        "nntp://h/g",
        "telnet://u:p@h/",
        "wais://h/d/t/p",
        "wais://h/d?s",
        "wais://h/",
        "prospero://h/a//b;c=d;=",
        "about:",
        "3com:x",
        "+:",
        "x-y:a?b;c/@",
        "https://h:1/a?b",
        "HTTPS://h",
    ];
    for url in urls {
        assert!(oracle.accepts(url.as_bytes()), "{url}");
    }
    let others = [
        "",
        ":",
        "http",
        "http:",
        "http://",
        "http:///",
        "http://u@h/",
        "http://h:/",
        "https:/h",
        "https://u@h:x/",
        "https://https://h/",
        "http://h?x",
        "http://h/~",
        "http://h/?a?b",
        "http://h/?a/b",
        "http://h/#f",
        "http://1.2.3/",
        "http://a.1/",
        "http://a-/",
        "http://a_b/",
        "http://h./",
        "http://[::1]/",
        "http://h/%4",
        "http://h/%zz",
        "http://h/a b",
        "http://h/\u{e9}",
        "ftp:h",
        "ftp://h/;type=x",
        "ftp://h/;TYPE=a",
        "ftp://h/a;b",
        "ftp://h/;type=a;type=a",
        "file:/x",
        "file://h",
        "file://h:1/",
        "gopher://u@h/",
        "mailto:",
        "news:",
        "news:1a",
        "news:a@",
        "news:@h",
        "news:%41",
        "nntp://h",
        "nntp://h/g/",
        "nntp://h/g/a",
        "telnet://h/x",
        "wais://h",
        "wais://h/d/t",
        "prospero://h",
        "prospero://h/a;b",
        "prospero://h/a;b=c=d",
        "a_b:x",
        "x:~",
        "x:#",
        "x:<",
    ];
    for url in others {
        assert!(!oracle.accepts(url.as_bytes()), "{url}");
    }
}
