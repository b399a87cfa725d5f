//! Tests that fixtures cannot make: flags that are set by hand, the source after fixes, messages
//! without passwords, and reports of selected rules only.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;

use super::checks::CHECKS;
use super::diagnostic::{Applicability, Fix};
use super::rule::{Group, Severity};
use super::selection::{Selection, Selector};
use super::*;
use urlint_documents::Event;
use urlint_find::{Alternative, Delimiter, Flag, Flags};
use urlint_standard::standard::Standard;
use urlint_standard::text::{Span, Spans};
use urlint_testing::tries;

/// A source and a candidate in it, whose pieces are between `«` and `»`.
fn marked(text: &str, delimiter: Delimiter, flags: &[Flag]) -> (Vec<u8>, Candidate<'static>) {
    let (source, pieces) = pieces(text);
    let mut url = Vec::new();
    for piece in pieces.iter() {
        url.extend_from_slice(piece.slice(&source));
    }
    let mut set = Flags::default();
    flags.iter().for_each(|&flag| set.set(flag));
    let outer = Span::new(0, source.len() as u64);
    let mut candidate = Candidate::target(url.into(), outer, pieces, set);
    candidate.delimiter = delimiter;
    (source, candidate)
}

fn pieces(text: &str) -> (Vec<u8>, Spans) {
    let mut source = Vec::new();
    let mut pieces: Option<Spans> = None;
    let mut start = 0;
    for c in text.chars() {
        match c {
            '«' => start = source.len() as u64,
            '»' => {
                let piece = Span::new(start, source.len() as u64);
                match &mut pieces {
                    None => pieces = Some(piece.into()),
                    Some(all) => all.push(piece),
                }
            }
            c => source.extend_from_slice(c.to_string().as_bytes()),
        }
    }
    (source, pieces.unwrap())
}

fn everything() -> Settings {
    let mut settings = Settings::default();
    settings.selection.add(Selector::All);
    settings
}

fn said(candidate: &Candidate<'_>, settings: &Settings) -> Vec<Diagnostic> {
    lint(candidate, settings)
}

fn one(candidate: &Candidate<'_>, rule: Rule) -> Diagnostic {
    let mut said = said(candidate, &everything());
    said.retain(|diagnostic| diagnostic.rule == rule);
    assert_eq!(said.len(), 1, "{rule}: {said:?}");
    said.remove(0)
}

fn applied(source: &[u8], fix: &Fix) -> String {
    let mut text = source.to_vec();
    for edit in fix.edits.iter().rev() {
        let range = edit.span.start as usize..edit.span.end as usize;
        text.splice(range, edit.replacement.bytes());
    }
    String::from_utf8(text).unwrap()
}

#[test]
fn flags_are_reported_where_they_belong() {
    use Delimiter::Wrapper;
    let cases = [
        (Flag::Unterminated, "<URL:«http://a.example/x»", "<URL:"),
        (Flag::Empty, "<URL:«»>", "<URL:>"),
        (
            Flag::InteriorSpace,
            "<URL:«http://a.example/my»  «file»>",
            "  ",
        ),
        (
            Flag::HyphenResolved,
            "<URL:«http://a»-\n«.example/»>",
            "-\n",
        ),
        (Flag::BrokenUrl, "<URL:«http://a.example/»\n", ""),
        (Flag::PrefixCase, "<Url:«http://a.example/»>", "Url:"),
        (
            Flag::QuotePrefix,
            "<URL:«http://a.example/»\n> «x»>",
            "\n> ",
        ),
        (
            Flag::QuoteDepthChange,
            "<URL:«http://a.example/»\n«x»>",
            "\n",
        ),
        (
            Flag::PageBreak,
            "<URL:«http://a.example/»\n[Page 7]\n«x»>",
            "\n[Page 7]\n",
        ),
        (Flag::TooLong, "<URL:«http://a.example/x»", ""),
    ];
    for (flag, text, expected) in cases {
        let (source, candidate) = marked(text, Wrapper, &[flag]);
        let diagnostic = one(&candidate, Rule::from(flag));
        let found: Vec<_> = diagnostic.spans.iter().collect();
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].slice(&source), expected.as_bytes(), "{text}");
    }
}

#[test]
fn readings_are_named_where_a_line_break_leaves_doubt() {
    let cases = [
        (
            Flag::AmbiguousHyphen,
            "«http://a.example/well-»\n«known»",
            "«http://a.example/well»-\n«known»",
            "-",
        ),
        (
            Flag::PossibleQpSoftBreak,
            "«http://a.example/x=»\n«y»",
            "«http://a.example/x»=\n«y»",
            "=",
        ),
    ];
    for (flag, text, other, expected) in cases {
        let (source, mut candidate) = marked(text, Delimiter::Bare, &[flag]);
        let (_, reading) = marked(other, Delimiter::Bare, &[]);
        candidate
            .alternatives
            .push(Alternative::new(reading.text.to_vec(), reading.pieces));
        let diagnostic = one(&candidate, Rule::from(flag));
        assert_eq!(diagnostic.spans.iter().count(), 1);
        assert_eq!(
            diagnostic.spans.iter().next().unwrap().slice(&source),
            expected.as_bytes()
        );
        let reading = String::from_utf8_lossy(&reading.text);
        assert_eq!(diagnostic.alternatives, [reading]);
    }
}

#[test]
fn fixes_edit_the_source_and_leave_line_breaks_alone() {
    let cases = [
        (
            Rule::UnsafeCharacter,
            "<URL:«http://a.example/»\n  «~x»>",
            "<URL:http://a.example/\n  %7Ex>",
        ),
        (
            Rule::NotNormal,
            "<URL:«http://a.example/%c»\n«3%a9x»>",
            "<URL:http://a.example/%C\n3%A9x>",
        ),
        (
            Rule::NotNormal,
            "<URL:«http://a.example/%»\n«61x»>",
            "<URL:http://a.example/a\nx>",
        ),
        (
            Rule::NotNormal,
            "<URL:«http://a.example:8»\n«0/»>",
            "<URL:http://a.example\n/>",
        ),
        (
            Rule::NotNormal,
            "<URL:«http://a.example»\n«#top»>",
            "<URL:http://a.example\n/#top>",
        ),
        (
            Rule::NotNormal,
            "<URL:«http://a.example»>",
            "<URL:http://a.example/>",
        ),
        (
            Rule::NotNormal,
            "<URL:«HT»\n«TP://a.example/»>",
            "<URL:ht\ntp://a.example/>",
        ),
        (
            Rule::MissingSlash,
            "<URL:«http://a.example»\n«?x»>",
            "<URL:http://a.example\n/?x>",
        ),
        (
            Rule::EmptyPort,
            "<URL:«http://a.example:/»>",
            "<URL:http://a.example/>",
        ),
        (
            Rule::NotNormal,
            "<URL:«http://a.example:0080/»>",
            "<URL:http://a.example/>",
        ),
        (
            Rule::NotNormal,
            "<URL:«http://A.»\n«Example/»>",
            "<URL:http://a.\nexample/>",
        ),
    ];
    for (rule, text, expected) in cases {
        let (source, candidate) = marked(text, Delimiter::Wrapper, &[]);
        let fix = one(&candidate, rule).fix.unwrap();
        assert_eq!(applied(&source, &fix), expected, "{text}");
        // Browsers keep these characters and escapes as written, and so distinguish the URLs.
        let is_same = rule != Rule::UnsafeCharacter && !text.contains('%');
        let is_safe = is_same && candidate.pieces.single().is_some();
        let expected = if is_safe {
            Applicability::Safe
        } else {
            Applicability::Unsafe
        };
        assert_eq!(fix.applicability, expected, "{text}");
    }
}

#[test]
fn a_character_is_encoded_safely_where_browsers_encode_it() {
    let cases = [
        ("«http://a.example/a`b»", "encode it", Applicability::Safe),
        ("«http://a.example/a\"b»", "encode it", Applicability::Safe),
        (
            "«https://a.example/?a\"b»",
            "encode it",
            Applicability::Safe,
        ),
        ("«http://a.example/#a`b»", "encode it", Applicability::Safe),
        (
            "«http://a.example/?a`b»",
            "encode it",
            Applicability::Unsafe,
        ),
        ("«http://a.example/a|b»", "encode it", Applicability::Unsafe),
        ("«http://a.example/a^b»", "encode it", Applicability::Unsafe),
        ("«http://a.example/~b»", "encode it", Applicability::Unsafe),
        (
            "«http://a.example/a{b}c»",
            "encode it",
            Applicability::Unsafe,
        ),
        ("«app://a.example/a`b»", "encode it", Applicability::Unsafe),
        (
            "«http://a.example/[b]c»",
            "encode it",
            Applicability::DisplayOnly,
        ),
    ];
    for (text, message, expected) in cases {
        let (_, candidate) = marked(text, Delimiter::Wrapper, &[]);
        let fix = one(&candidate, Rule::UnsafeCharacter).fix.unwrap();
        assert_eq!(
            (&*fix.message, fix.applicability),
            (message, expected),
            "{text}"
        );
    }
    let directive = "«http://a.example/x#:~:text=a`b»";
    let (_, candidate) = marked(directive, Delimiter::Wrapper, &[]);
    assert_eq!(one(&candidate, Rule::UnsafeCharacter).fix, None);
}

#[test]
fn all_places_of_a_rule_are_one_diagnostic() {
    let (source, candidate) = marked("<«http://a.example/{a}[é]é|~»>", Delimiter::Angle, &[]);
    let diagnostic = one(&candidate, Rule::UnsafeCharacter);
    let url = "`http://a.example/{a}[é]é|~`";
    assert_eq!(
        diagnostic.message,
        format!("`{{`, `}}`, `[`, `]`, `|` and `~` must be encoded in {url}")
    );
    let places: Vec<_> = diagnostic
        .spans
        .iter()
        .map(|span| span.slice(&source))
        .collect();
    assert_eq!(places, [&b"{"[..], b"}[", b"]", b"|~"]);
    assert_eq!(diagnostic.parts.len(), 6);
    assert_eq!(diagnostic.first_place().slice(&source), b"{");
    let fix = diagnostic.fix.unwrap();
    assert_eq!(fix.edits.len(), 6);
    assert_eq!(
        applied(&source, &fix),
        "<http://a.example/%7Ba%7D%5Bé%5Dé%7C%7E>"
    );
    let other = one(&candidate, Rule::NonAscii);
    assert_eq!(other.message, format!("`é` must be encoded in {url}"));
    assert_eq!(other.parts.len(), 2);
}

#[test]
fn data_are_not_judged() {
    let rules = |text: &str| -> Vec<_> {
        let (_, candidate) = marked(text, Delimiter::Target, &[Flag::TooLong]);
        let said = said(&candidate, &everything());
        said.into_iter().map(|diagnostic| diagnostic.rule).collect()
    };
    assert_eq!(rules("«data:text/plain,{a}%zz~é#x|»"), []);
    assert_eq!(rules("«data:text/plain,a b»"), []);
    assert_eq!(rules("«data:text/plain;base64,YW Jj»"), []);
}

#[test]
fn the_beginning_of_a_template_is_left_alone() {
    let cases = [
        ("http://a.example:/x", Applicability::Safe),
        ("http://a.example:/#{x", Applicability::DisplayOnly),
        ("http://a.example:/$(x y", Applicability::DisplayOnly),
        ("http://a.example:/<? x", Applicability::DisplayOnly),
    ];
    for (url, expected) in cases {
        let text = format!("«{url}»");
        let (_, candidate) = marked(&text, Delimiter::Bare, &[]);
        let fix = one(&candidate, Rule::EmptyPort).fix;
        assert_eq!(fix.map(|fix| fix.applicability), Some(expected), "{url}");
    }
}

#[test]
fn a_url_that_was_decoded_has_no_fixes() {
    let (_, mut candidate) = marked("<URL:«http://a.example/=7Ex»>", Delimiter::Wrapper, &[]);
    candidate.text = b"http://a.example/~x"[..].into();
    assert_eq!(one(&candidate, Rule::UnsafeCharacter).fix, None);
}

#[test]
fn no_password_is_shown() {
    let secrets = [
        "Zq~Zq",
        "Zq/Zq",
        "Zq?Zq",
        "Zq#Zq",
        "Zq@Zq",
        "Zq%Zq",
        "Zq%5aZq",
        "Zq%00Zq",
        "Zq%0D%0AZq",
        "Zq%40Zq",
        "Zq%2541Zq",
        "Zq.example",
        "Zq é",
        "Zq\u{200B}",
        "Zq%E2%80%8B",
        "Zq\\Zq",
        "Zq:Zq",
        "Zq%FF",
    ];
    for scheme in ["ftp", "http", "https", "telnet", "gopher", "app", "htpp"] {
        for secret in secrets {
            let text = format!("«{scheme}://joe:{secret}@a.example:25/%0A»");
            let (_, mut candidate) = marked(&text, Delimiter::Wrapper, &[Flag::AmbiguousHyphen]);
            let same = Alternative::new(candidate.text.to_vec(), candidate.pieces.clone());
            candidate.alternatives.push(same);
            let said = said(&candidate, &everything());
            assert!(
                said.iter()
                    .any(|diagnostic| diagnostic.rule == Rule::Password)
            );
            for diagnostic in said {
                let mut shown = diagnostic.clone();
                // These locate the password without showing it.
                shown.pieces = Span::default().into();
                let shown = format!("{shown:?}");
                assert!(!shown.contains("Zq"), "{text}: {shown}");
                assert!(diagnostic.password.is_some());
            }
        }
    }
}

#[test]
fn no_password_is_shown_where_a_url_is_broken() {
    let texts = [
        "<URL:ftp:joe:secret@a.example/~x>",
        "<URL:http:joe:secret@a.example/~x>",
        "<URL:http:/joe:secret@a.example/~x>",
        "<URL:telnet//joe:secret@a.example/~x>",
        "<URL:http:\\\\joe:secret@a.example/~x>",
        "<URL:http:\\/\\/joe:secret@a.example/~x>",
        "<URL:http://[joe:secret@a.example/~x>",
        "<URL:http://joe:123456/secret@a.example/~x>",
        "<URL:URL:ftp:joe:secret@a.example/~x>",
        "<URL:http://web.example/http://joe:secret@a.example/~x>",
        "<URL:http://a.example/?u=ftp%3A%2F%2Fjoe%3Asecret%40a.example>",
        "<URL:ftp://joe:sec\n  ret@a.example/~x>",
        "see FTP://joe:secret~\nx@a.example/",
        "see ftp://joe:secret/\n> x@a.example/",
        "see http://a.example/ftp://joe:secret\r\n\r\nx@b.example/~",
        "see telnet://joe:secret!\nx@a.example/",
        "see gopher://joe:secret-\nx@a.example/",
        "see HTTP://joe:1secret\nx@a.example/%7e",
        "'http://joe:secret\nx@a.example/'",
    ];
    for text in texts {
        let diagnostics = crate::check(text.as_bytes(), &everything());
        assert!(!diagnostics.is_empty(), "{text}");
        for diagnostic in diagnostics {
            let shown = format!("{diagnostic:?}");
            assert!(!shown.contains("secret"), "{text}: {shown}");
            assert!(
                !shown.contains("sec\\n") && !shown.contains("123456/"),
                "{text}: {shown}"
            );
        }
        for candidate in urlint_find::find(text.as_bytes()) {
            for diagnostic in said(&candidate, &everything()) {
                let shown = format!("{diagnostic:?}");
                assert!(!shown.contains("secret"), "{text}: {shown}");
            }
        }
    }
}

#[test]
fn text_that_is_not_a_password_is_shown() {
    for text in [
        "see gopher://a.example:port/ and",
        "<URL:gopher://a.example:port>",
        "see gopher://a.example:port\nor joe@a.example",
    ] {
        let diagnostics = crate::check(text.as_bytes(), &everything());
        let shown = |diagnostic: &Diagnostic| {
            let url = diagnostic.url.as_deref().unwrap_or_default();
            url.contains(":port")
        };
        assert!(diagnostics.iter().any(shown), "{text}: {diagnostics:?}");
        assert!(
            diagnostics
                .iter()
                .all(|diagnostic| diagnostic.password.is_none())
        );
    }
}

#[test]
fn the_colon_is_deleted_with_a_password_encoded_or_not() {
    for (text, expected) in [
        (
            "<URL:ftp://joe:secret@a.example/>",
            "<URL:ftp://joe@a.example/>",
        ),
        (
            "<URL:ftp://joe%3Asecret%40a.example/>",
            "<URL:ftp://joe%40a.example/>",
        ),
    ] {
        let diagnostics = crate::check(text.as_bytes(), &everything());
        let of_rule = |diagnostic: &&Diagnostic| diagnostic.rule == Rule::Password;
        let fix = diagnostics
            .iter()
            .find(of_rule)
            .and_then(|found| found.fix.as_ref());
        let fixed = crate::fix::apply(text.as_bytes(), fix).bytes;
        assert_eq!(String::from_utf8_lossy(&fixed), expected);
    }
}

proptest! {
    #![proptest_config(tries(500))]

    #[test]
    fn no_diagnostic_shows_a_password(
        scheme in "(http|https|ftp|telnet|FTP|ssh)",
        between in "(://|:/|:|//|:\\\\\\\\|:///)",
        secret in "Q[QZ/?#%~:;{é-]{0,6}Z",
        cut in prop::option::of(1..4usize),
        around in prop::sample::select(vec![("<URL:", ">"), ("see ", " x"), ("\"", "\""), ("<", ">")]),
        rest in "(a\\.example|A\\.example:080)(/~x%7e)?",
    ) {
        // Without slashes, the first is not a URL, and the password begins one of its own.
        prop_assume!(between.contains("//") || !secret.contains("://"));
        let (before, after) = around;
        let url = format!("{scheme}{between}joe:{secret}@{rest}");
        let mut text = format!("{before}{url}{after}");
        if let Some(cut) = cut {
            let at = before.len() + url.find('Q').unwrap_or_default() + cut;
            if text.is_char_boundary(at) {
                text.insert_str(at, "\n> ");
            }
        }
        for diagnostic in crate::check(text.as_bytes(), &everything()) {
            let Diagnostic { url, message, label, notes, alternatives, fix, .. } = &diagnostic;
            let fix = fix.as_ref();
            let edits = fix.into_iter().flat_map(|fix| &fix.edits);
            let shown = url.iter().chain([message, label]).chain(notes).chain(alternatives);
            let shown = shown.chain(fix.map(|fix| &fix.message));
            for shown in shown.chain(edits.map(|edit| &edit.replacement)) {
                // Names of rules and standards contain none of these.
                let said = shown.replace("URL", "").replace("RFC", "");
                prop_assert!(!said.contains(['Q', 'Z']), "{:?}: {:?}", text, diagnostic);
            }
        }
    }
}

#[test]
fn a_long_url_that_is_all_wrong_has_few_diagnostics() {
    for part in [
        "~",
        "%61~",
        "%0A%00%c3",
        "://a:b@",
        "../",
        "é",
        ";~=",
        "#",
        "xn--a.",
    ] {
        for scheme in ["http://h/", "prospero://h/", "ftp://", "mailto:", "app://"] {
            let text = format!("{scheme}{}", part.repeat(60_000 / part.len()));
            // In as many pieces as possible, as from white space in a wrapper.
            let mut pieces = Spans::from(Span::new(5, 6));
            for at in 1..text.len() as u64 {
                pieces.push(Span::new(5 + 2 * at, 6 + 2 * at));
            }
            let outer = Span::new(0, pieces.end() + 1);
            let text = text.into_bytes().into();
            let mut candidate = Candidate::target(text, outer, pieces, Flags::default());
            candidate.delimiter = Delimiter::Wrapper;
            assert!(lint(&candidate, &everything()).len() < 2_000);
        }
    }
}

#[test]
fn selection_decides() {
    let (_, candidate) = marked("«http://10.0.0.1:8080/%61~»", Delimiter::Bare, &[]);
    let rules = |settings: &Settings| -> Vec<_> {
        let said = said(&candidate, settings);
        said.into_iter().map(|diagnostic| diagnostic.rule).collect()
    };
    let mut settings = Settings::default();
    assert_eq!(
        rules(&settings),
        [Rule::UnsafeCharacter],
        "no hints, no style"
    );
    settings.selection.add(Selector::Rule(Rule::HostNotPublic));
    assert_eq!(
        rules(&settings),
        [Rule::HostNotPublic, Rule::UnsafeCharacter]
    );
    settings.selection = Selection::none();
    assert_eq!(rules(&settings), []);
    settings.selection.add(Selector::Group(Group::Style));
    assert_eq!(rules(&settings), [Rule::HostNotPublic, Rule::NotNormal]);
}

#[test]
fn a_check_reports_no_other_rule() {
    let all = Rule::ALL.iter().zip(CHECKS);
    let checked = all.filter(|(rule, _)| rule.has_check(Standard::Rfc1738));
    for (rule, checks) in checked {
        for text in [
            "«HTTP://A:@b:081/%2e~%2561?%c3#x»",
            "«mailto:x?y»",
            "«x-9.z:1»",
        ] {
            let (_, candidate) = marked(text, Delimiter::Bare, &[]);
            let settings = everything();
            let url = Url::new(&candidate, settings.standard);
            let mut report = Report::new(&settings.selection, Surroundings::default());
            checks.iter().for_each(|check| check(&url, &mut report));
            let mut diagnostics = finish(report, &url).into_iter();
            assert!(diagnostics.all(|(diagnostic, _)| diagnostic.rule == *rule));
        }
    }
}

proptest! {
    #![proptest_config(tries(256))]

    #[test]
    fn any_bytes_give_diagnostics_in_order(
        scheme in "(http|ftp|https|gopher|mailto|news|prospero|x)",
        rest in proptest::collection::vec(
            prop_oneof![
                prop::sample::select(&b"/:@?#%;=.\\[]<>~ \x00\xE2\x80\x8B\xFF0a2F-_"[..]),
                any::<u8>(),
            ],
            0..60,
        ),
    ) {
        let mut text = scheme.into_bytes();
        text.push(b':');
        text.extend(rest);
        let span = Span::new(7, 7 + text.len() as u64);
        let mut candidate = Candidate::target(text.into(), span, span.into(), Flags::default());
        candidate.delimiter = Delimiter::Wrapper;
        let mut last = 0;
        for diagnostic in said(&candidate, &everything()) {
            prop_assert!(span.start <= diagnostic.spans.start() && diagnostic.spans.end() <= span.end);
            prop_assert!(last <= diagnostic.spans.start());
            last = diagnostic.spans.start();
            prop_assert!(diagnostic.severity <= diagnostic.rule.severity());
            prop_assert!(diagnostic.severity >= Severity::Hint);
            prop_assert!(!diagnostic.message.chars().any(char::is_control));
        }
    }
}

#[test]
fn diagnostics_of_a_document() {
    use std::ops::Range;

    let settings = Settings::default();
    let cases: [(Kind, &str, &[&str]); 5] = [
        (Kind::Plain, "at http://a.example:/", &[":"]),
        (
            Kind::Markdown,
            "[x](http://a.example:/) <!-- urlint: ignore[ALL] -->",
            &[],
        ),
        (
            Kind::Html,
            "<a href='http://a&#46;example&#58;/'>x</a>",
            &["&#58;"],
        ),
        (Kind::Json, r#"["http:\/\/a.example:\/"]"#, &[":"]),
        (
            Kind::Markdown,
            "[http://a.example:/](http://b.example:/)",
            &[":", ":"],
        ),
    ];
    for (kind, text, expected) in cases {
        let found = check_as(kind, text.as_bytes(), &settings);
        let places = found.iter().filter_map(|found| found.spans.iter().next());
        let places = places.map(|place| &text[Range::from(place)]);
        assert_eq!(places.collect::<Vec<_>>(), expected, "{text}");
    }
    let plain = b"see http://a.example:/ and <http://b.example/~x>\nurlint: ignore[bad-port]";
    assert_eq!(
        check_as(Kind::Plain, plain, &settings),
        check(plain, &settings)
    );
}

#[test]
fn the_place_of_a_url_decides_how_much_a_fault_matters() {
    let login = "http://joe:hush@db.corp/x";
    let port = "http://a.corp:/x";
    let long = format!("x(\"{port}\");{}", " ".repeat(600));
    let cases = [
        ("a.md", format!("see {login}"), "error"),
        ("a.md", format!("see `{login}` and {port}"), "hint warning"),
        ("a.md", format!("    {login}\n    {port}"), "hint warning"),
        ("a.md", format!("[x]({login})"), "error"),
        ("a.html", format!("<pre>{login}</pre>"), "hint"),
        ("a.html", format!("<code>{login}</code>"), "hint"),
        (
            "a.html",
            format!("<p>{login}<a href={port}>"),
            "error warning",
        ),
        ("a.html", "<pre>http://example.com:/".to_owned(), "hint"),
        (
            "a.xml",
            format!("<t><artwork>{login}</artwork></t>"),
            "hint",
        ),
        (
            "a.rst",
            format!("as in ::\n\n  {login}\n\n{login}"),
            "hint error",
        ),
        (
            "a.rst",
            format!(".. code-block:: sh\n   :x: y\n\n   {login}\n.. note::\n   {login}"),
            "hint error",
        ),
        (
            "a.adoc",
            format!("----\n{login}\n----\n{login}"),
            "hint error",
        ),
        (
            "a.adoc",
            format!("```sh\n{login}\n```\n{login}"),
            "hint error",
        ),
        ("a.adoc", format!("Title\n-----\n{login}"), "error"),
        (
            "a.1",
            format!(".TH A 1\n.SH B\n.nf\n{login}\n.fi\n{login}\n"),
            "hint error",
        ),
        (
            "a.txt",
            "Password for 'http://joe@db.corp':".to_owned(),
            "hint",
        ),
        ("a.txt", "see 'http://joe@db.corp':".to_owned(), "warning"),
        ("a.txt", "\"http://example.com:/\" is".to_owned(), "hint"),
        (
            "a.sh",
            "get http://host:80a/ http://joe:hush@db/x http://http://a.org/".to_owned(),
            "hint hint warning",
        ),
        ("a.sh", format!("get {login}"), "error"),
        (
            "a.sh",
            "get http://joe:hush@example.com/ http://example.com:/".to_owned(),
            "hint warning",
        ),
        // A name for a password, and text that is no host.
        ("a.md", "see ftp://joe:API_KEY@db.corp/x".to_owned(), "hint"),
        ("a.md", "see ftp://joe:apikey@db.corp/x".to_owned(), "error"),
        ("a.md", "[x](http::StatusCode)".to_owned(), "hint"),
        ("a.conf", "listen http://:8080".to_owned(), "hint"),
        ("a.yml", "listen: http://+:8080/".to_owned(), "hint"),
        ("a.md", "[x](http://:8080/)".to_owned(), "error"),
        ("a.sh", "sed s/http:/https:/ a".to_owned(), "hint"),
        ("a.sh", "get docs/http:/a.example/b".to_owned(), "hint"),
        ("a.md", "[x](https://a.example/core/*)".to_owned(), ""),
        ("a.md", "[x](https://a.example/wiki/%3F:)".to_owned(), ""),
        ("a.md", "[x](https://a.example/core:)".to_owned(), "warning"),
        ("t/a.sh", format!("get {login} {port}"), "hint hint"),
        (
            "a.po",
            format!("# {port}\nmsgid \"{port} x\"\nmsgstr \"{port}\"\n#~ msgstr \"{port}\""),
            "warning",
        ),
        (
            "a.po",
            format!("#| msgid \"{port}\"\nmsgctxt \"{port}\""),
            "",
        ),
        (
            "a.pot",
            format!("# {port}\nmsgid \"{port}\"\nmsgid_plural \"x {port}\"\nmsgstr \"\""),
            "warning warning",
        ),
        ("a.js", format!("x(\"{port}\");"), "warning"),
        ("a.js", long.clone(), ""),
        ("a.ts", long, "warning"),
    ];
    let mut settings = Settings::default();
    settings.selection.add(Selector::Rule(Rule::Password));
    for (path, source, expected) in cases {
        let mut found = Vec::new();
        let visit = &mut |event: Event<'_>| {
            if let Event::Found(one) = event {
                let mut severities: Vec<_> = crate::Checker::new(&settings)
                    .judge(&one)
                    .into_reported()
                    .map(|one| one.severity)
                    .collect();
                severities.sort_by_key(|&severity| std::cmp::Reverse(severity));
                found.extend(severities.iter().map(|severity| severity.name()));
            }
            Ok::<(), std::io::Error>(())
        };
        let reader = Reader::default().with_positions(true);
        reader
            .read(path.as_bytes(), source.as_bytes(), visit)
            .unwrap();
        assert_eq!(found.join(" "), expected, "{path}: {source}");
    }
}

#[test]
fn a_url_as_a_name_has_a_target() {
    let text = "See `http://a.example/p`_.\n\n.. _";
    for (target, expected) in [
        ("`http://a.example/p`: http://a.example/p\n", 0),
        ("http\\://a.example/p: http://a.example/p\n", 0),
        ("`http://a.example/q`: http://a.example/q\n", 1),
        ("x: http://a.example/p\n", 1),
    ] {
        let source = format!("{text}{target}");
        let found = check_as(Kind::Rst, source.as_bytes(), &Settings::default());
        let broken = found.iter().filter(|one| one.rule == Rule::BrokenLink);
        assert_eq!(broken.count(), expected, "{source}");
    }
}
