//! `urlint init` writes a template for the keys of a folder, and nothing over another file.

use crate::support::command::{Folder, run};

/// Returns the keys of a file of `init`, set or not.
fn keys(written: &str) -> Vec<&str> {
    let lines = written.lines();
    let lines = lines.map(|line| line.strip_prefix("# ").unwrap_or(line));
    lines.filter(|line| line.contains(" = ")).collect()
}

#[test]
fn the_template_sets_nothing_and_all_its_keys_are_right() {
    let folder = Folder::of(&[("a.txt", "<URL:http://a.example/{>\n")]);
    let check = ["check", "--show", "all", "--output-format", "concise"];
    let before = folder.run(&check, b"").text();
    let ran = folder.run(&["init"], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stderr, "Wrote urlint.toml, which sets nothing yet.\n");
    assert_eq!(folder.run(&check, b"").text(), before);
    let ran = folder.run(&["init"], b"");
    let expected = "urlint: urlint.toml exists already; nothing was written\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), expected));

    let written = folder.read("urlint.toml");
    assert!(keys(&written).len() > 5, "{written}");
    folder.write("urlint-baseline.json", "{}");
    for key in keys(&written) {
        folder.write("urlint.toml", key);
        let ran = folder.run(&["check", "--show-settings"], b"");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{key}");
    }
}

#[test]
fn a_folder_with_drafts_has_their_profile() {
    let folder = Folder::of(&[("drafts/draft-joe-urls.md", "http://a.org/\n")]);
    let ran = folder.run(&["init"], b"");
    let expected = "Wrote urlint.toml with the profile ietf: there are Internet-Drafts.\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), expected));
    let written = folder.read("urlint.toml");
    let set = written
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    assert!(set.eq(["profile = \"ietf\""]), "{written}");
    let ran = folder.run(
        &["check", "--output-format", "concise", "--show", "all"],
        b"",
    );
    assert!(ran.text().contains("[scheme-cleartext]"), "{}", ran.text());
}

#[test]
fn check_names_the_profile_of_drafts_once() {
    let notice = "For Internet-Drafts and RFCs: --profile ietf.\n";
    let drafts: &[(&str, &str)] = &[("draft-joe-urls.md", "a\n"), ("rfc1738.txt", "a\n")];
    type Files = [(&'static str, &'static str)];
    let cases: [(&Files, &[&str], usize); 8] = [
        (drafts, &[], 1),
        (drafts, &["-q"], 0),
        (drafts, &["--profile", "ietf"], 0),
        (drafts, &["--profile", "default"], 0),
        (drafts, &["--output-format", "json-lines"], 0),
        (&[("rfc1738.txt", "a\n"), ("a.md", "a\n")], &[], 1),
        (
            &[("rfc1738.txt", "a\n"), ("a.md", "a\n"), ("b.md", "a\n")],
            &[],
            0,
        ),
        (&[("rfc-notes.md", "a\n"), ("mydraft-x.md", "a\n")], &[], 0),
    ];
    for (files, args, expected) in cases {
        let folder = Folder::of(files);
        let ran = folder.run(&[&["check"], args].concat(), b"");
        assert_eq!(
            ran.stderr.matches(notice).count(),
            expected,
            "{files:?} {args:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn nothing_is_replaced() {
    for (name, text) in [
        (".urlint.toml", "deep = true"),
        ("pyproject.toml", "[tool.urlint]\ndeep = true"),
    ] {
        let folder = Folder::of(&[(name, text)]);
        let ran = folder.run(&["init"], b"");
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.starts_with(&format!("urlint: {name} exists")));
        assert!(!folder.path().join("urlint.toml").exists());
    }
    let folder = Folder::of(&[("urlint.toml", "deep = true"), ("a/b.txt", "")]);
    let ran = run(&folder.path().join("a"), &["init"], b"");
    assert!(ran.stderr.contains("../urlint.toml no longer applies here"));
    let written = folder.read("a/urlint.toml");
    assert!(written.contains("\n# extend = \"../urlint.toml\"\n"));
}
