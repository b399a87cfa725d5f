//! Imports between modules go one way: up in the list of modules in each `lib.rs` or `main.rs`.

use std::path::Path;

use super::{code, files, name, root};

#[test]
fn the_modules_import_one_way() {
    let mut wrong = check("src", "lib.rs", &["bin", "python"]);
    wrong.extend(check("src/bin/urlint", "main.rs", &[]));
    wrong.extend(check("src/python/native", "lib.rs", &[]));
    assert!(
        wrong.is_empty(),
        "imports of later modules:\n{}",
        wrong.join("\n")
    );
}

/// The imports of later modules in the crate whose root is the file `main` in `folder`.
fn check(folder: &str, main: &str, except: &[&str]) -> Vec<String> {
    let folder = root().join(folder);
    let text = std::fs::read_to_string(folder.join(main)).unwrap();
    let modules: Vec<_> = code(&text)
        .iter()
        .filter_map(|line| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
            line.strip_prefix("mod ")?.strip_suffix(';')
        })
        .map(str::to_owned)
        .collect();
    assert!(modules.len() > 4, "{modules:?}");
    let mut wrong = Vec::new();
    for path in files(&folder) {
        let inner = path.strip_prefix(&folder).unwrap();
        let module = module_of(inner);
        let Some(top) = module.first().filter(|top| !except.contains(&&***top)) else {
            continue;
        };
        if module
            .iter()
            .any(|part| part == "tests" || part == "testing")
        {
            continue;
        }
        let own = modules.iter().position(|module| module == top);
        let own = own.unwrap_or_else(|| panic!("{} is in no module of {main}", inner.display()));
        let text = std::fs::read_to_string(&path).unwrap();
        for line in code(&text) {
            for used in used(line, module.len()) {
                let is_earlier = modules[..=own].iter().any(|module| module == used);
                if !is_earlier {
                    wrong.push(format!(
                        "{top} -> {used}: {}: {}",
                        inner.display(),
                        line.trim()
                    ));
                }
            }
        }
    }
    wrong
}

/// The path of the module in a file: `find::scan` for `find/scan/mod.rs` and `find/scan.rs`, and
/// nothing for the root.
fn module_of(file: &Path) -> Vec<String> {
    let file = file.with_extension("");
    let mut module: Vec<_> = file
        .iter()
        .map(|part| part.to_str().unwrap().to_owned())
        .collect();
    if module
        .last()
        .is_some_and(|last| ["mod", "lib", "main"].contains(&&**last))
    {
        module.pop();
    }
    module
}

/// The names at the crate's root that `line` uses, in a module at that depth.
fn used(line: &str, depth: usize) -> Vec<&str> {
    let supers = "super::".repeat(depth);
    let mut used = Vec::new();
    for start in ["crate::", &supers] {
        for (at, _) in line.match_indices(start) {
            let before = line[..at].chars().next_back();
            if before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':' || c == '$')
            {
                continue;
            }
            let rest = &line[at + start.len()..];
            match rest.strip_prefix('{') {
                Some(group) => used.extend(group.split(',').map(|path| name(path.trim()))),
                None => used.push(name(rest)),
            }
        }
    }
    used.retain(|name| !name.is_empty() && *name != "super");
    used
}

#[test]
fn imports_are_seen() {
    assert_eq!(used("use crate::text::span::{Span, Spans};", 2), ["text"]);
    assert_eq!(used("    f(crate::MAX_URL, super::x)", 2), ["MAX_URL"]);
    assert_eq!(used("use super::super::url::split;", 2), ["url"]);
    assert_eq!(used("use super::url::split;", 1), ["url"]);
    assert_eq!(used("use super::url::split;", 2), [""; 0]);
    assert_eq!(used("pub(in crate::config) fn f()", 1), ["config"]);
}
