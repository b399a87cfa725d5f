//! `urlint init` writes a configuration file that changes nothing yet, and nothing over another.

use crate::support::command::{Folder, run};

/// Returns the lines that a file of `init` proposes.
fn proposals(written: &str) -> Vec<&str> {
    let lines = written.lines().filter_map(|line| line.strip_prefix("# "));
    lines.filter(|line| line.contains(" = ")).collect()
}

#[test]
fn reports_are_ignored_where_they_are() {
    let text = "<URL:http://a.example/{> http://b.example/x y\n";
    let folder = Folder::of(&[
        ("a.txt", text),
        ("one.txt", &text.repeat(2)),
        ("d/e/f.txt", text),
        ("d/e/g.txt", &text.repeat(3)),
        ("d/h.txt", ""),
        ("i/j.txt", &text.repeat(3)),
        ("i/k.txt", ""),
    ]);
    let ran = folder.run(&["init"], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let expected = "Wrote urlint.toml, which changes nothing yet: 10 diagnostics in 7 files.\n";
    assert_eq!(ran.stderr, expected);
    let written = folder.read("urlint.toml");
    assert_eq!(
        proposals(&written),
        [
            "per-file-ignores.\"/d/e/\" = [\"unsafe-character\"]  # 4 errors and warnings",
            "per-file-ignores.\"/i/j.txt\" = [\"unsafe-character\"]  # 3 errors and warnings",
            "per-file-ignores.\"/one.txt\" = [\"unsafe-character\"]  # 2 errors and warnings",
        ]
    );
    // The file is valid and reports nothing about itself, as it is and with all that it proposes.
    let check = ["check", "--show", "all", "--output-format", "concise"];
    let reports = || folder.run(&check, b"").text().lines().count();
    assert_eq!(reports(), 10);
    folder.write("urlint.toml", proposals(&written).join("\n"));
    assert_eq!(reports(), 1);
    let ran = folder.run(&["init"], b"");
    let expected = "urlint: urlint.toml exists already; nothing was written\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), expected));
}

#[test]
fn no_folder_that_has_all_files_is_ignored() {
    let text = "<URL:http://a.example/{>\n".repeat(2);
    let folders = ["a", "b", "c", "d", "e", "f"].map(|folder| format!("src/{folder}/x.txt"));
    let files: Vec<_> = folders.iter().map(|file| (file.as_str(), &*text)).collect();
    let folder = Folder::of(&files);
    folder.run(&["init"], b"");
    let written = folder.read("urlint.toml");
    let proposals = proposals(&written);
    assert_eq!(proposals.len(), 5, "{written}");
    assert!(proposals[0].contains(".\"/src/a/x.txt\" ="), "{written}");
}

#[test]
fn a_profile_is_proposed_for_drafts() {
    let folder = Folder::of(&[("draft-joe-urls.md", "x\n")]);
    folder.run(&["init"], b"");
    let written = folder.read("urlint.toml");
    assert!(written.contains("\n# profile = \"ietf\"  # 1 Internet-Draft"));
}

#[test]
fn a_standard_is_proposed_that_allows_most_errors() {
    let text = "<URL:http://a.1b/> ".repeat(3);
    let folder = Folder::of(&[("a.txt", &*text)]);
    folder.run(&["init"], b"");
    let written = folder.read("urlint.toml");
    assert!(
        written.contains("\n# standard = \"rfc3986\"  # "),
        "{written}"
    );
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
    assert!(written.contains("\n# extend = \"../urlint.toml\"  # "));
}

#[test]
fn a_draft_is_counted_once() {
    let folder = Folder::of(&[(
        "draft-joe-urls.md",
        "<http://a.org/a{b> <http://b.org/c{d>\n",
    )]);
    assert_eq!(folder.run(&["init"], b"").code, Some(0));
    let written = folder.read("urlint.toml");
    assert!(
        proposals(&written)[0].contains("  # 1 Internet-Draft: "),
        "{written}"
    );
}
