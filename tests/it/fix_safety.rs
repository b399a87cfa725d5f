//! The promises about fixes under each standard: a safe fix keeps the URL equivalent by the chosen
//! standard, and no fix adds an error under another one.

use std::collections::BTreeSet;

use proptest::prelude::*;
use urlint::lint::{Applicability, Checker, Fix, Selection, Selector};
use urlint::standard::{Standard, whatwg};
use urlint::text::Window;
use urlint::url::{Split, normalize_under};
use urlint::{Candidate, Diagnostic, Found, Reader, Rule, Settings, Severity, fix};

use urlint_testing::tries;

/// URLs with much to mend, put together from parts and then changed in places.
fn url() -> impl Strategy<Value = Vec<u8>> {
    let scheme = prop::sample::select(vec![
        "http:", "HTTP:", "https:", "ftp:", "ws:", "file:", "File:", "x-own:", "gopher:", "nntp:",
        "telnet:", "news:", "mailto:", "urn:", "ssh:", "wss:", "imap:",
    ]);
    let slashes = prop::sample::select(vec!["//", "//", "//", "//", "", "/", "///", "\\\\", "/\\"]);
    let login = prop::sample::select(vec![
        "", "", "", "", "@", "joe@", "Joe:x@", "a@b@", "joe%40@",
    ]);
    let host = prop::sample::select(vec![
        "a.example",
        "A.Example",
        "a.example.",
        "a..b",
        "-a.b",
        "a_b.c",
        "w%77w.a",
        "%C3%A9.b",
        "é.example",
        "É.example",
        "1.2.3.4",
        "1.2.3",
        "1.2.3.4.",
        "0x7f.1",
        "010.0.0.1",
        "1.2.3.256",
        "4294967295",
        "[::1]",
        "[2001:0DB8::1]",
        "[::FFFF]",
        "[::1.2.3.4]",
        "[fe80::1%25en0]",
        "[v1.x]",
        "[::1",
        "",
        "c:",
        "c|",
        "localhost",
        "xn--9ca.b",
        "a%2Fb",
        "a b",
        "a\\b",
        "%%37a.b",
        "１.2.3.4",
        "a\u{AD}b",
        "%ff.b",
    ]);
    let port = prop::sample::select(vec![
        "", "", "", ":", ":80", ":0080", ":443", ":21", ":25", ":x", ":00", ":65536", ":119",
        ":8080",
    ]);
    let part = prop::sample::select(vec![
        "/",
        "/x",
        "/.",
        "/..",
        "/%2e",
        "/%2E%2e",
        ".",
        "~",
        "%7e",
        "%7E",
        "%61",
        "%2F",
        "%",
        "%3",
        "%%36",
        "1",
        "é",
        "\u{202E}",
        "\u{80}",
        " ",
        "\"",
        "<",
        "{",
        "}",
        "|",
        "^",
        "`",
        "[",
        "]",
        "\\",
        "?",
        "?q",
        "#",
        "#x",
        "&",
        "=",
        ";",
        ";type=a",
        ";type=%61",
        ":",
        "@",
        "'",
        "%0a",
        "%0d",
        "%c3%a9",
        "%ff",
        "%00",
        "\t",
        "/C|/",
        "/c:",
        "comp.x",
        "a@b",
        "ab:c",
        "%25",
        "41",
    ]);
    let parts = prop::collection::vec(part, 0..6);
    let change = (
        any::<prop::sample::Index>(),
        0..3_u8,
        any::<prop::sample::Index>(),
    );
    let changes = prop::collection::vec(change, 0..3);
    (scheme, slashes, login, host, port, parts, changes).prop_map(
        |(scheme, slashes, login, host, port, parts, changes)| {
            let text = [scheme, slashes, login, host, port, &parts.concat()].concat();
            let mut url = text.into_bytes();
            for (at, what, with) in changes {
                let at = at.index(url.len());
                let with = b"/\\:@?#[]%.~|^`{}<>\" aA1\t\xE9"[with.index(25)];
                match what {
                    0 => url[at] = with,
                    1 => url.insert(at, with),
                    _ => drop(url.remove(at)),
                }
                if url.is_empty() {
                    url.push(b'x');
                }
            }
            url
        },
    )
}

fn all_rules(standard: Standard) -> Settings {
    let mut selection = Selection::none();
    selection.add(Selector::All);
    Settings::default()
        .with_standard(standard)
        .with_selection(selection)
}

fn lint(url: &[u8], standard: Standard) -> Vec<Diagnostic> {
    urlint::lint::lint(&Candidate::whole(url), &all_rules(standard))
}

/// The errors of `url` by `standard`, reported or not.
fn errors(url: &[u8], standard: Standard) -> BTreeSet<Rule> {
    let settings = all_rules(standard);
    let window = Window {
        start: 0,
        bytes: url,
    };
    let found = Found::in_plain_text(Candidate::whole(url), None, window);
    let checker = Checker::new(&settings);
    let all = checker.judge(&found).diagnostics.into_iter();
    let all = all.map(|(diagnostic, _)| diagnostic);
    // A diagnostic that covers others has the severity of the ones that it hides.
    let is_own = |one: &Diagnostic| one.rule.severity() == Severity::Error;
    all.filter(|one| one.severity == Severity::Error && is_own(one))
        .map(|one| one.rule)
        .collect()
}

/// `url` with the edits of `fix`.
fn edited(url: &[u8], fix: &Fix) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut from = 0;
    for edit in &fix.url_edits {
        bytes.extend_from_slice(&url[from..edit.part.start as usize]);
        bytes.extend_from_slice(edit.replacement.as_bytes());
        from = edit.part.end as usize;
    }
    bytes.extend_from_slice(&url[from..]);
    bytes
}

/// Fails if `after` is another URL than `before` by `standard`.
fn is_same(standard: Standard, before: &[u8], after: &[u8]) -> Result<(), TestCaseError> {
    let shown = format!(
        "{}: {} {}",
        standard,
        before.escape_ascii(),
        after.escape_ascii()
    );
    let href = whatwg::href(before);
    let is_same_to_browsers_as_written = href.is_some() && href == whatwg::href(after);
    match standard {
        Standard::Whatwg => prop_assert!(is_same_to_browsers_as_written, "{shown}"),
        Standard::Rfc3986 | Standard::Rfc3987 => {
            let is_ipv6 = |url: &[u8]| {
                let host = Split::of(url).host;
                host.is_some_and(|host| host.of(url).starts_with(b"["))
            };
            let (one, other) = (
                normalize_under(standard, before),
                normalize_under(standard, after),
            );
            let is_normal = one == other || (is_ipv6(before) && is_ipv6(after));
            let is_same_to_browsers = whatwg::href(&one) == whatwg::href(&other);
            let is_mended = !standard.is_valid(before) && href.is_some() && is_same_to_browsers;
            prop_assert!(is_normal || is_mended, "{shown}");
            let scheme = before
                .split(|&byte| byte == b':')
                .next()
                .unwrap_or_default();
            let of_browsers = ["ftp", "file", "http", "https", "ws", "wss"];
            let is_special = of_browsers
                .iter()
                .any(|name| scheme.eq_ignore_ascii_case(name.as_bytes()));
            let is_kept = !is_special || href.is_none() || is_same_to_browsers_as_written;
            prop_assert!(is_kept, "{shown}");
        }
        _ => {}
    }
    Ok(())
}

/// Fails if `after` has an error by another standard than `own` that `before` has not.
fn is_no_worse(own: Standard, before: &[u8], after: &[u8]) -> Result<(), TestCaseError> {
    for &standard in Standard::ALL {
        if standard != own {
            let (old, new) = (errors(before, standard), errors(after, standard));
            prop_assert!(
                new.is_subset(&old),
                "fixed under {own}, worse under {standard}: {} {}: {old:?} {new:?}",
                before.escape_ascii(),
                after.escape_ascii(),
            );
        }
    }
    Ok(())
}

/// Fails if a fix of `url` does not keep its promise.
fn each_fix_keeps_its_applicability(url: &[u8]) -> Result<(), TestCaseError> {
    let wrapped = [b"<URL:", url, b">"].concat();
    for &standard in Standard::ALL {
        let settings = all_rules(standard);
        let mut cases = vec![(url.to_vec(), lint(url, standard))];
        for found in settings.finder.find(&wrapped) {
            let diagnostics = urlint::lint::lint(&found, &settings);
            cases.push((found.text.to_vec(), diagnostics));
        }
        for (url, diagnostics) in cases {
            for fix in diagnostics
                .iter()
                .filter_map(|diagnostic| diagnostic.fix.as_ref())
            {
                if fix.applicability == Applicability::DisplayOnly || fix.url_edits.is_empty() {
                    continue;
                }
                let after = edited(&url, fix);
                is_no_worse(standard, &url, &after)?;
                if fix.applicability == Applicability::Safe {
                    is_same(standard, &url, &after)?;
                }
            }
        }
    }
    Ok(())
}

/// Fails if the fixes of `url` that are at least `least` do not keep their promise together.
fn fixes_keep_their_applicability_together(
    url: &[u8],
    least: Applicability,
) -> Result<(), TestCaseError> {
    for &standard in Standard::ALL {
        let settings = all_rules(standard);
        let reader = Reader::default().with_finder(settings.finder.clone());
        let checker = urlint::lint::Checker::new(&settings);
        let mend = |source: &[u8]| {
            let visit = &mut |_: urlint::lint::Checked<'_>| Ok::<(), std::io::Error>(());
            fix::mend(&checker, &reader, b"note.txt", source, least, visit).unwrap()
        };
        let source = [b"<URL:", url, b">\n"].concat();
        let mended = mend(&source);
        prop_assert!(!mended.given_up);
        let Some(bytes) = mended.bytes else { continue };
        prop_assert_eq!(mend(&bytes).bytes, None, "again: {}", bytes.escape_ascii());
        let texts = |source: &[u8]| -> Vec<Vec<u8>> {
            settings
                .finder
                .find(source)
                .map(|found| found.text.to_vec())
                .collect()
        };
        let (before, after) = (texts(&source), texts(&bytes));
        prop_assert_eq!(before.len(), after.len());
        for (before, after) in before.iter().zip(&after) {
            if before == after {
                continue;
            }
            is_no_worse(standard, before, after)?;
            if least == Applicability::Safe {
                is_same(standard, before, after)?;
            }
        }
    }
    Ok(())
}

#[test]
fn fixes_that_once_did_harm() {
    // A query of mailto consists of fields, and fields have only encoded characters.
    let checked = each_fix_keeps_its_applicability(b"mailto://@1?2.3.4.:0080\xc3\xa9%2E%2e");
    assert!(checked.is_ok(), "{checked:?}");
    // To browsers the backslash ends the host; to others the quotation mark is the host.
    let checked = each_fix_keeps_its_applicability(b"file://@a\\b%7e@\"");
    assert!(checked.is_ok(), "{checked:?}");
    // Browsers read it only without the colon.
    let url = b"file://localhost:/x\"%c3%a9";
    let checked = fixes_keep_their_applicability_together(url, Applicability::Safe);
    assert!(checked.is_ok(), "{checked:?}");
}

proptest! {
    #![proptest_config(tries(10_000))]

    #[test]
    fn applicability_is_verified(url in url()) {
        each_fix_keeps_its_applicability(&url)?;
    }

    #[test]
    fn applicability_is_verified_together(url in url(), least in any::<bool>()) {
        let least = if least { Applicability::Safe } else { Applicability::Unsafe };
        fixes_keep_their_applicability_together(&url, least)?;
    }
}
