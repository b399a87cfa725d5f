use super::*;

fn found(url: &str, around: &Around<'_>) -> Option<String> {
    find_after(url.as_bytes(), around.before, around.language).map(|range| url[range].to_owned())
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
        ("http://a/%APPDATA%", "%APPDATA%"),
        ("http://a/%action_name%/b", "%action_name%"),
        ("tcp://%env(HOST)%", "%env(HOST)%"),
        ("file:///%kernel.cache_dir%/x", "%kernel.cache_dir%"),
        ("http://a/x.png%TMPL:END%", "%TMPL:END%"),
        ("http://is[1-9]-x.a.example/", "[1-9]"),
        ("http://<host>:<port>/", "<host>"),
        ("http://a/<yyyy>-<mm>", "<yyyy>"),
        ("http://a/v<version>/b", "<version>"),
        ("http://a/<a>/b", "<a>"),
        ("http://a/<%= x %>/b", "<%= x %>"),
        ("http://a/<?php echo $x ?>", "<?php echo $x ?>"),
        ("http://a/<?= $x ?>", "<?= $x ?>"),
        ("http://a/[name]", "[name]"),
        ("http://a/[name]/b", "[name]"),
        ("http://a/[...rest]/b", "[...rest]"),
        ("http://a/?k=[YOUR_KEY]", "[YOUR_KEY]"),
        ("http://a/#{x}", "#{x}"),
        ("http://#{ENV[\"X\"]}:4444", "#{ENV[\"X\"]}:4444"),
        ("http://a#{X.to_i(16) % 2}.b/", "#{X.to_i(16) % 2}.b/"),
        ("http://a/?id=<<x>>", "<<x>>"),
        ("mailto:<!--#echo encoding=", "<!--#echo encoding="),
        ("http://a/$\\sim$b", "$\\"),
        ("http://a/\\x@y/#1", "\\x"),
        ("http://a.example\\E", "\\E"),
        ("http://@HOST@/b", "@HOST@"),
        ("http://a/@MY_NAME@", "@MY_NAME@"),
        ("http://a\\.example/", "\\."),
        ("http://a/.*", ".*"),
        ("http://a/.*\\.js", ".*"),
        ("http://a/[^/]+", "[^/]"),
        ("http://a/[a-z]+/b", "[a-z]"),
        ("http://a/[0-9]{4}", "[0-9]"),
        ("http://a/\\d+", "\\d"),
        ("http://a/(?:b)", "(?:b)"),
        ("http://(www|ftp).a.example/", "(www|ftp)"),
        ("http://(www.)?a.example/", "(www.)?"),
        ("http://a/(b)?", "(b)?"),
        ("http://a/\\1", "\\1"),
        ("http://a/\\0", "\\0"),
        ("http://*.a.example/", "*"),
        ("http://a/\\u00E9", "\\u"),
        ("http://a/\\u{E9}", "\\u"),
        ("http://a/\\xE9", "\\x"),
        ("http://a/{1,3}", "{1,3}"),
        ("http://a/%H", "%H"),
        ("http://a/.+", ".+"),
        ("http://|https://", "|"),
        ("http://a/|https://b/", "|"),
        ("http://\\:a.example/\\:b", "\\:"),
    ];
    for (url, expected) in cases {
        let read = found(url, &Around::default());
        assert_eq!(read.as_deref(), Some(*expected), "{url}");
    }
}

#[test]
fn ordinary_urls_have_no_placeholder() {
    let urls = [
        "http://a/x}",
        "http://a/#{\"x\":1}",
        "http://a/x\\yz/b",
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
        "http://a/$metadata",
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
        assert_eq!(found(url, &Around::default()), None, "{url}");
    }
}

#[test]
fn notations_of_one_language() {
    let of = |language| Around {
        language,
        ..Around::default()
    };
    for (url, code, tex) in [
        ("http://a/:id", Some(":id"), None),
        ("http://a/:id/b", Some(":id"), None),
        ("http://a/x:id/", None, None),
        ("http://a:80/", None, None),
        ("http://a/#1", None, Some("#1")),
        ("http://a/#12", None, None),
        ("http://a/\\'b\\'", Some("\\'"), None),
        ("http://a/?b\\&c", Some("\\&"), None),
        ("http://a/?b='+c.d+'&e", Some("'+c.d+'"), None),
        ("http://a/?b='+c", None, None),
        ("http://a/\\foo", None, Some("\\f")),
        ("http://a/x\\c_hash_str", None, Some("\\c")),
        ("http://a/x%", None, Some("%")),
        ("http://a/{x}", Some("{x}"), Some("{x}")),
    ] {
        assert_eq!(found(url, &of(Language::Code)).as_deref(), code, "{url}");
        assert_eq!(found(url, &of(Language::Tex)).as_deref(), tex, "{url}");
    }
}

#[test]
fn surrounding_text_shows_a_placeholder() {
    let cases: &[(Option<u8>, &str, &str, bool)] = &[
        (Some(b'@'), "http://@https://@", "", true),
        (Some(b'@'), "http://joe@a/", "", false),
        (None, "http://joe@https://b/", "", false),
        (None, "http://a/", "{ x }", false),
        (None, "http://a/", "{x} b", true),
        (None, "http://a/{user", " name}/b", true),
        (None, "http://a/{user", " name\n}", false),
        (None, "http://a/{x[", "\"b\"]}", true),
        (None, "http://a/", "<your name>", true),
        (None, "http://a/", "<br>", false),
        (None, "http://a/", "</a>", false),
        (None, "http://a/", "<http://b/>", false),
        (None, "http://a/(b", "|c)/", true),
        (None, "http://a/b", "|c", false),
        (None, "http://a/", "[a-z]+", true),
        (None, "http://a/", "[1]", false),
        (None, "http://a/", "\"+b+\"", true),
        (None, "http://a/", "\"+\"b", false),
        (Some(b'$'), "scheme://a/", "", true),
        (Some(b'$'), "http://a/", "", false),
        (Some(b'^'), "http://a/$", "", true),
        (Some(b'"'), "http://a/$", "", false),
    ];
    for &(before, url, after, expected) in cases {
        let around = Around {
            before,
            after: after.as_bytes(),
            language: Language::Any,
        };
        let read = is_in(url.as_bytes(), &around);
        assert_eq!(read, expected, "{before:?} {url} {after}");
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
        ("http://a/$|(uname -s)", None, Some("(uname -s)")),
        ("http://a/|(uname -s)", None, None),
        ("http://a/|<x>/b", None, Some("<x>")),
        ("http://a/b|<x>", None, None),
        ("http://a/|<br>", None, None),
        ("http://a/|<br> b", None, None),
        ("http://a/|<http://b/>", None, None),
        ("http://a/|</a>", None, None),
        ("http://a/|<%= x %>/b", None, Some("<%= x %>")),
        ("http://a/|[x]/b", None, Some("[x]")),
        ("http://a/|[x]", None, None),
        ("http://a/|[x]\"", Some(b'"'), Some("[x]")),
        ("http://a/|[a-z]+\"", Some(b'"'), Some("[a-z]")),
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
    for &sign in b"{$%<[()|@\\*+:#" {
        assert!(!Language::Code.has_no_sign(&[sign]));
        let is_in_any_language = !matches!(sign, b':' | b'#');
        assert_eq!(!Language::Any.has_no_sign(&[sign]), is_in_any_language);
    }
}
