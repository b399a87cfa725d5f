use super::*;

use crate::candidate::Flag;
use crate::{Candidate, Finder, StreamOptions};

fn found(url: &str, is_code: bool) -> Option<String> {
    find(url.as_bytes(), is_code).map(|range| url[range].to_owned())
}

#[test]
fn the_notations_are_expressions() {
    let compiles = |rows: &[&str]| expression(&rows.join("|")).is_some();
    assert!(NOTATIONS.iter().all(|(_, _, rows)| compiles(rows)));
}

#[test]
fn every_notation() {
    let cases: &[(&str, &str)] = &[
        ("http://a/{x}", "{x}"),
        ("http://a/{}", "{}"),
        ("http://a/{0}/{1}", "{0}"),
        ("http://a/{x!r}", "{x!r}"),
        ("http://a/{x:d}", "{x:d}"),
        ("http://a/{?q,lang}", "{?q,lang}"),
        ("http://a/{+path}", "{+path}"),
        ("http://a/{#frag}", "{#frag}"),
        ("http://a/{x.y[0]}", "{x.y[0]}"),
        ("http://{user}.a.example:{port}/", "{user}"),
        ("http://a/{{ x }}/b", "{{ x }}"),
        ("http://a/{{x}}/b", "{{x}}"),
        ("http://a/{{{x}}}/b", "{{{x}}}"),
        ("http://a/{% if x %}b{% endif %}", "{% if x %}"),
        ("http://a/{{#each}}b", "{{#each}}"),
        ("http://a/{{range .X}}{{.}}{{end}}", "{{range .X}}"),
        ("http://a/{{ url_for(", "{{ url_for("),
        ("http://a/${X}/b", "${X}"),
        ("http://a/${{ github.x }}", "${{ github.x }}"),
        ("http://a/${X", "${X"),
        ("http://a/$X", "$X"),
        ("http://a/$x.html", "$x"),
        ("http://$host/", "$host"),
        ("http://a.example$request_uri", "$request_uri"),
        ("http://a/v$VERSION.tar", "$VERSION"),
        ("http://a/v$version/64-b$matchBuild", "$version"),
        ("http://a/$1", "$1"),
        ("http://a.example$1", "$1"),
        ("http://a/$(cmd)/b", "$(cmd)"),
        ("http://a/$(uname -s)", "$(uname -s)"),
        ("http://$(/x/y z \"[0]\")/b", "$(/x/y z \"[0]\")"),
        ("http://a/%s", "%s"),
        ("http://a/%s/b", "%s"),
        ("http://%s:%d/", "%s"),
        ("http://a:%d/", "%d"),
        ("http://a/%d.html", "%d"),
        ("http://a/%02d.html", "%02d"),
        ("http://a/%.2f", "%.2f"),
        ("http://a/%ld/", "%ld"),
        ("http://a/%1$s", "%1$s"),
        ("http://a/%(x)s/b", "%(x)s"),
        ("http://a/%{x}", "%{x}"),
        ("app://%j/", "%j"),
        ("http://a/[% key %]/b", "[% key %]"),
        ("http://a/%APPDATA%", "%APPDATA%"),
        ("http://a/%action_name%/b", "%action_name%"),
        ("tcp://%env(HOST)%", "%env(HOST)%"),
        ("file:///%kernel.cache_dir%/x", "%kernel.cache_dir%"),
        ("http://a/x.png%TMPL:END%", "%TMPL:END%"),
        ("http://<host>:<port>/", "<host>"),
        ("http://a/<yyyy>-<mm>", "<yyyy>"),
        ("http://a/v<version>/b", "<version>"),
        ("http://a/<a>/b", "<a>"),
        ("http://a/[name]", "[name]"),
        ("http://a/[name]/b", "[name]"),
        ("http://a/[...rest]/b", "[...rest]"),
        ("http://a/#{x}", "#{x}"),
        ("http://#{ENV[\"X\"]}:4444", "#{ENV[\"X\"]}"),
        ("http://a#{X.to_i(16) % 2}.b/", "#{X.to_i(16) % 2}"),
        ("http://a/\\x@y/#1", "\\x@y"),
        ("http://a.example\\E", "\\E"),
        ("http://a.example/\\E$", "\\E$"),
        ("http://a.example/[^/]+/$", "[^/]"),
        ("http://a\\.example/", "\\."),
        ("http://a/.*", ".*"),
        ("http://a/.*\\.js", ".*"),
        ("http://*.a.example/", "*"),
        ("http://\\:a.example/\\:b", "\\:"),
        ("http://%1/success.txt", "%1"),
        ("http://a/%2.%1", "%2"),
        ("http://a/?u=%0", "%0"),
        ("http://a.example$_", "$_"),
        ("http://a/46\\ahere\\e", "\\a"),
        ("cid:p1.08\\@a.example", "\\@"),
        ("sip:\\1@a.example", "\\1"),
        ("sips:\\\\1@a.example", "\\\\1"),
        ("tel:+15550123\\0", "\\0"),
        ("urn:a:b:(\\w+)/i", "\\w"),
        ("ldap://a/o=\\1", "\\1"),
        ("http://a/tag/\\\\TAG", "\\\\TAG"),
        ("http://或https://开头", "或"),
        ("urn:k8s:secret:[name]", "[name]"),
    ];
    for (url, expected) in cases {
        let read = found(url, false);
        assert_eq!(read.as_deref(), Some(*expected), "{url}");
    }
}

#[test]
fn ordinary_urls_have_no_placeholder() {
    let urls = [
        "http://a/x}",
        "http://a/#{\"x\":1}",
        "http://a/x\\yz/b",
        "http://a/x\\2",
        "http:\\\\a.example",
        "http://a/*/b",
        "http://a/*",
        "http://a/1.*/b",
        "http://joe:a*b@a.example/",
        "http://a/x@{20080101}",
        "http://a/{2024-08-01-x.md}",
        "http://a/%.c",
        "http://a/?x#y=[NGINX]",
        "http://a/{",
        "http://a/{x",
        "http://a/?x|y",
        "http://a/x|y",
        "http://a|b/",
        "http://a/|x://",
        "http://a/x|y:z",
        "http://a/{3F2504E0-4F89-11D3-9A0C-0305E82C3301}",
        "http://a/?x={\"a\":1}",
        "http://a/%41%de%5D",
        "http://a/100%",
        "http://a/x%2",
        "http://a.example\\@b.example/",
        "http://a/50%5 off",
        "http://http://a/",
        "http:/https://a/",
        "http://a:8080/",
        "http://joe@:8080/",
        "http://a/b\\a",
        "http://a/50%off",
        "http://a/%zz",
        "http://a/%u20AC",
        "http://[::1]/",
        "http://[2001:db8::1]:80/x",
        "http://a/x$y",
        "http://a/Map$Entry.html",
        "file://a/disk$user/b",
        "http://a/$",
        "http://a/a$",
        "http://a/x?$top=5&$filter=y",
        "http://a/$5.00",
        "http://a/$100",
        "http://joe@a.example/",
        "http://a/@joe/",
        "http://a/@joe@b.example",
        "mailto:joe@a.example",
        "http://a/?a[]=1&b[x]=2",
        "http://a/?a=[x]",
        "http://a/x[1]",
        "http://a/x_(y)",
        "http://a/x_(y)?action=z",
        "http://a/?q=(a)+(b)",
        "http://a/a+b.+c",
        "http://a/a*b",
        "http://a/b<br>",
        "http://a/:id",
        "http://a/#1",
        "http://a\\b\\c",
        "file://a/b\\.c",
        "http://a/x~y^z",
    ];
    for url in urls {
        assert_eq!(found(url, false), None, "{url}");
    }
}

#[test]
fn notations_of_code() {
    for (url, expected) in [
        ("http://a/:id", Some(":id")),
        ("http://a/:id/b", Some(":id")),
        ("http://a/x:id/", None),
        ("http://a:80/", None),
        ("http://a/\\'b\\'", Some("\\'")),
        ("http://a/?b\\&c", Some("\\&")),
        ("http://a/{x}", Some("{x}")),
    ] {
        assert_eq!(found(url, true).as_deref(), expected, "{url}");
    }
}

#[test]
fn spans_of_templates() {
    let cases: &[(&str, Option<u8>, Option<&str>)] = &[
        ("http://a/|{{ x }}/b", None, Some("{{ x }}")),
        (
            "http://a/|{{ md5 \"x\" }}/b",
            Some(b'"'),
            Some("{{ md5 \"x\" }}"),
        ),
        ("http://a/|{{\" + x + \"}}/b", Some(b'"'), None),
        ("http://a/|{{ x\n}}", None, None),
        ("http://a/|{x|y}", None, Some("{x|y}")),
        ("http://a/|{x y}", None, None),
        ("http://a/$|{x:-a b}", None, Some("{x:-a b}")),
        ("http://a/|(uname -s)", None, None),
        ("http://a/|<x>/b", None, Some("<x>")),
        ("http://a/b|<x>", None, None),
        ("http://a/|<br>", None, None),
        ("http://a/|<br> b", None, None),
        ("http://a/|<http://b/>", None, None),
        ("http://a/|</a>", None, None),
        ("http://a/|[x]/b", None, Some("[x]")),
        ("http://a/|[x]", None, None),
        ("http://a/|[x]\"", Some(b'"'), Some("[x]")),
        ("http://a/|[1]/b", None, None),
    ];
    for (text, quote, expected) in cases {
        let (before, after) = text.split_once('|').unwrap_or_default();
        let bytes = [before, after].concat();
        let len = span(bytes.as_bytes(), 0, before.len(), *quote);
        assert_eq!(len.map(|len| &after[..len]), *expected, "{text}");
    }
}

#[test]
fn every_sign_is_noticed() {
    for &sign in b"{$%<[\\*:" {
        assert!(!has_no_sign_in(&[sign], 0..1, true));
        assert_eq!(!has_no_sign_in(&[sign], 0..1, false), sign != b':');
    }
}

/// Returns the URL, with `!` before it if it holds a placeholder.
fn shown(found: &Candidate<'_>) -> String {
    let mark = if found.flags.has(Flag::Placeholder) {
        "!"
    } else {
        ""
    };
    format!("{mark}{}", String::from_utf8_lossy(&found.text))
}

#[test]
fn placeholders_in_text() {
    let cases: &[(&str, &[&str])] = &[
        ("at http://a/{{ x }}/b, and", &["!http://a/{{ x }}/b"]),
        (
            "\"http://a/{% if x %}b{% endif %}\"",
            &["!http://a/{% if x %}b{% endif %}"],
        ),
        ("'http://a/${{ x.y }}/b'", &["!http://a/${{ x.y }}/b"]),
        (
            "`http://a/${b ? \"c\" : d}/e`",
            &["!http://a/${b ? \"c\" : d}/e"],
        ),
        (
            "curl http://a/$(uname -s)/b x",
            &["!http://a/$(uname -s)/b"],
        ),
        (
            "http://<host>:<port>/<path>?<x>.",
            &["!http://<host>:<port>/<path>?<x>"],
        ),
        ("<http://<host>/x>", &["!http://<host>/x"]),
        ("<URL:http://<host>:<port>/x>", &["!http://<host>:<port>/x"]),
        (
            "http://a/<br>http://b/<b>x</b>",
            &["http://a/", "http://b/"],
        ),
        ("<http://a/><http://b/>", &["http://a/", "http://b/"]),
        ("http://a/<http://b/>", &["http://a/", "http://b/"]),
        (
            "http://a/[x]/b [http://c/d]/",
            &["!http://a/[x]/b", "http://c/d"],
        ),
        (
            "see http://a/[1] and http://a/{b",
            &["http://a/", "http://a/{b"],
        ),
        ("http://a/(b|c)/", &["http://a/(b"]),
        ("\"http://a/{{\" + x + \"}}/\"", &["http://a/"]),
        ("http://a/{{ x\ny }}", &["http://a/"]),
        ("the end.https://a.example", &["https://a.example"]),
        (
            "url=http://a/,name=x http://a/,b=c",
            &["http://a/", "http://a/,b=c"],
        ),
        ("url=http://a/?b=c,d=e", &["http://a/?b=c,d=e"]),
        (
            "tag:{a:b,c} tag:a.example,2020:x",
            &["tag:a.example,2020:x"],
        ),
        (
            "http://a/%s\nhttp://b/\nhttp://c/$d\nhttp://e/\n",
            &["!http://a/%s", "http://b/", "!http://c/$d", "http://e/"],
        ),
    ];
    for (text, expected) in cases {
        let whole: Vec<_> = crate::find(text.as_bytes())
            .map(|found| shown(&found))
            .collect();
        assert_eq!(whole, *expected, "{text}");
        for size in 1..8 {
            let options = StreamOptions::default().with_read_size(size);
            let stream = Finder::default().stream_with(text.as_bytes(), options);
            let read: Vec<_> = stream
                .map_while(|found| found.ok().map(|found| shown(&found)))
                .collect();
            assert_eq!(read, *expected, "{text}, {size} bytes at a time");
        }
    }
}
