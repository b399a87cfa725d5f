//! `urlint init` writes a configuration file that changes nothing yet, and nothing over another.

use crate::support::command::{Folder, run};

#[test]
fn it_writes_a_file_that_says_what_each_choice_reports() {
    let text = "<URL:http://a.example/{> http://b.example/x#y\n";
    let folder = Folder::of(&[("a.txt", text), ("d/b.txt", text)]);
    let ran = folder.run(&["init"], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let expected = "Wrote urlint.toml, which changes nothing yet: 2 diagnostics in 2 files. \
        TOML editors take its keys from .urlint.schema.json.\n";
    assert_eq!(ran.stderr, expected);
    let written = folder.read("urlint.toml");
    assert!(written.starts_with("#:schema ./.urlint.schema.json\n"));
    let schema = folder.run(&["schema"], b"").text();
    assert_eq!(folder.read(".urlint.schema.json"), schema);
    // The schema quotes URLs with faults, which are not reported.
    let ran = folder.run(&["check", ".urlint.schema.json"], b"");
    assert_eq!((ran.code, ran.text().as_str()), (Some(0), ""));
    for line in [
        "    # \"unsafe-character\",  # 2: An unsafe character is not encoded\n",
        "    # \"fragment-present\",  # 2: A fragment follows the URL\n",
        "    # \"/d/\",  # 1\n",
        "\"hint\": 2, \"warning\": 2, \"error\": 2.",
    ] {
        assert!(written.contains(line), "{line}\n{written}");
    }
    // The file is valid and reports nothing about itself, as it is and with all that it suggests.
    let check = ["check", "--show", "all", "--output-format", "concise"];
    let ran = folder.run(&check, b"");
    assert_eq!(ran.text().lines().count(), 2, "{}", ran.text());
    let is_key = |line: &&str| {
        line.split_once(" = ")
            .is_some_and(|(key, _)| !key.contains(' '))
    };
    let mut chosen = String::new();
    for line in written.lines() {
        let suggested = line.trim_start().strip_prefix("# ").filter(|rest| {
            is_key(rest) && !rest.starts_with("baseline") && !rest.starts_with("min-")
                || rest.starts_with('"')
        });
        chosen.push_str(suggested.unwrap_or(line));
        chosen.push('\n');
    }
    folder.write("urlint.toml", &chosen);
    let ran = folder.run(&check, b"");
    let text = ran.text();
    assert!(
        text.lines().all(|line| line.starts_with("a.txt:")),
        "{text}"
    );
    assert!(!text.contains("[unsafe-character]"), "{text}");
    assert!(ran.text().contains("[fragment-present]"));
    let ran = folder.run(&["init"], b"");
    let expected = "urlint: urlint.toml exists already; nothing was written\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), expected));
    assert_eq!(folder.read("urlint.toml"), chosen);
}

#[test]
fn it_proposes_a_profile_for_drafts() {
    let folder = Folder::of(&[("draft-joe-urls.md", "x\n")]);
    folder.run(&["init"], b"");
    let written = folder.read("urlint.toml");
    assert!(written.contains("\n# 1 Internet-Draft: this"), "{written}");
    assert!(written.contains("\n# profile = \"ietf\"\n"), "{written}");
}

#[test]
fn it_replaces_nothing() {
    let folder = Folder::of(&[(".urlint.schema.json", "{}")]);
    assert_eq!(folder.run(&["init"], b"").code, Some(0));
    assert_eq!(folder.read(".urlint.schema.json"), "{}");
    for (name, text) in [
        (".urlint.toml", "deep = true"),
        ("pyproject.toml", "[tool.urlint]\ndeep = true"),
    ] {
        let folder = Folder::of(&[(name, text)]);
        let ran = folder.run(&["init"], b"");
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.starts_with(&format!("urlint: {name} exists")));
        for written in ["urlint.toml", ".urlint.schema.json"] {
            assert!(!folder.path().join(written).exists());
        }
    }
    let folder = Folder::of(&[("urlint.toml", "deep = true"), ("a/b.txt", "")]);
    let ran = run(&folder.path().join("a"), &["init"], b"");
    assert!(ran.stderr.contains("../urlint.toml no longer applies here"));
    assert!(
        folder
            .read("a/urlint.toml")
            .contains("\n# extend = \"../urlint.toml\"\n")
    );
}
