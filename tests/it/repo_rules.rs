//! The repository keeps its own rules.

use std::fs;
use std::path::{Path, PathBuf};

/// The names that are allowed at the top level, besides dotfiles. Cargo makes `target`.
const TOP_LEVEL: [&str; 10] = [
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "fixtures",
    "pyproject.toml",
    "src",
    "tests",
];

/// Where the command is put that goes into a wheel, while it is built.
const PACKED: &str = "src/python/urlint._native.data";

/// Folders that are not part of the repository, wherever they are.
const MADE: [&str; 7] = [
    ".git",
    PACKED,
    "__pycache__",
    "node_modules",
    "target",
    "tests/fuzz/artifacts",
    "tests/fuzz/corpus",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// The source files below `folder`, by their paths in `src`.
pub(super) fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root().join("src")).unwrap();
            let name = name.to_str().unwrap().replace('\\', "/");
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

#[test]
fn the_top_level_holds_what_it_should() {
    for entry in fs::read_dir(root()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let expected = name.starts_with('.') || name == "target" || TOP_LEVEL.contains(&&*name);
        assert!(expected, "{name} stands at the top level");
    }
}

/// A property that does not say so writes the inputs that it failed for to a file at the top level.
#[test]
fn properties_say_how_often_they_are_tried() {
    for (name, text) in sources(&root().join("src")) {
        for block in text.split("proptest! {").skip(1) {
            let config = block.trim_start().starts_with("#![proptest_config(tries(");
            assert!(config, "src/{name}: a property without `tries`");
        }
    }
}

/// Texts for contributors, each beside the things that it is about.
const FOR_CONTRIBUTORS: [&str; 9] = [
    ".ci/README.md",
    ".github/CONTRIBUTING.md",
    "src/lsp/README.md",
    "src/python/README.md",
    "tests/README.md",
    "tests/benches/README.md",
    "tests/external/README.md",
    "tests/fuzz/README.md",
    "tests/growth/README.md",
];

/// But for names that stand for one, which are in capitals.
#[test]
fn files_that_contributing_names_exist() {
    let is_of_tree = |name: &&str| {
        ["src/", "tests/", "fixtures/", ".ci/", ".github/", ".cargo/"]
            .iter()
            .any(|folder| name.starts_with(folder))
            && !name.contains(' ')
    };
    let is_one = |name: &&str| !name.contains("NAME") && !name.contains("TARGET");
    let mut count = 0;
    for text in FOR_CONTRIBUTORS.map(read) {
        let quoted = text.split('`').skip(1).step_by(2);
        for name in quoted.filter(is_of_tree).filter(is_one) {
            assert!(root().join(name).exists(), "{name}");
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
}

#[test]
fn the_changelog_knows_the_version() {
    let heading = format!("\n## [{}]", env!("CARGO_PKG_VERSION"));
    assert!(read("CHANGELOG.md").contains(&heading), "no `{heading}`");
}

/// `Cargo.toml` has the version and the address of releases; files that cannot read them there repeat them.
#[test]
fn the_version_and_the_address_are_the_same_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    let repeated = [
        ("README.md", format!("rev: v{version}\n")),
        ("src/manual/integration.md", format!("rev: v{version}\n")),
        (
            "src/python/Cargo.toml",
            format!("\nversion = \"{version}\"\n"),
        ),
        (
            ".github/actions/check/README.md",
            format!("/urlint/.github/actions/check@v{version}\n"),
        ),
    ];
    for (name, line) in &repeated {
        assert!(read(name).contains(line), "{name}: {line}");
    }
    let repository = env!("CARGO_PKG_REPOSITORY");
    for (name, _) in repeated {
        let text = read(name);
        for link in text.split([' ', '(', ')', '`', '\n']) {
            let is_own = link.starts_with("https://") && link.contains("/urlint");
            assert!(!is_own || link.starts_with(repository), "{name}: {link}");
        }
    }
}

/// A tag can be moved to other code. Nothing that runs for a pull request has a token or a secret.
#[test]
fn workflows_run_what_was_looked_at() {
    let workflows = root().join(".github/workflows");
    for entry in fs::read_dir(workflows).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let is_release = path.ends_with("release.yml");
        let path = path.display();
        assert!(
            text.contains("\npermissions:\n  contents: read\n"),
            "{path}"
        );
        // The workflow of a release is not run for a pull request; one of its jobs may write.
        if !is_release {
            assert_eq!(text.matches("permissions:").count(), 1, "{path}");
        }
        assert!(!text.contains("pull_request_target"), "{path}");
        assert!(!text.contains("secrets."), "{path}");
        for line in text.lines() {
            let Some((_, action)) = line.split_once("uses: ") else {
                continue;
            };
            let (_, version) = action.split_once('@').unwrap();
            let (commit, tag) = version.split_once(" # v").unwrap_or((version, ""));
            let is_commit = commit.len() == 40 && commit.bytes().all(|b| b.is_ascii_hexdigit());
            assert!(is_commit && !tag.is_empty(), "{path}: {action}");
        }
    }
}

/// Git leaves these marks in a text that two sides have changed.
#[test]
fn no_text_has_the_marks_of_a_conflict() {
    let mut folders = vec![root().to_owned()];
    let mut texts = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            let is_made = MADE.iter().any(|made| path.ends_with(made));
            if kind.is_dir() && !is_made {
                folders.push(path.clone());
            }
            if !kind.is_file() {
                continue;
            }
            let text = fs::read(&path).unwrap();
            texts += 1;
            // Written so that this file has none.
            for mark in ["<", "|", ">"].map(|sign| sign.repeat(7) + " ") {
                let mut lines = text.split(|&byte| byte == b'\n');
                let is_marked = lines.any(|line| line.starts_with(mark.as_bytes()));
                assert!(!is_marked, "{}: {mark}", path.display());
            }
        }
    }
    assert!(texts > 500, "{texts}");
}
