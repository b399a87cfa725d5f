//! What the sources say of the structure: modules, their imports, the public names, and unsafe code. They
//! are read line by line, which is enough for code that rustfmt has formatted.

#![expect(clippy::panic, reason = "a test may fail")]

mod api;
mod imports;
mod unsafe_code;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The source files below `folder`, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The lines of `text` without comments, and without what is there only for tests.
fn code(text: &str) -> Vec<&str> {
    let mut lines = text.lines();
    let mut code = Vec::new();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        if start.starts_with("//") {
            continue;
        }
        if !(start.starts_with("#[cfg(test)]") || start.starts_with("#[cfg(doctest)]")) {
            code.push(line);
            continue;
        }
        // An item: its attributes, and then a line or a block.
        let indent = indent(line);
        for line in lines.by_ref() {
            let start = line.trim_start();
            if start.starts_with("#[") || start.starts_with("//") {
                continue;
            }
            let is_end = self::indent(line) == indent && !line.trim().is_empty();
            if is_end && (line.ends_with(';') || line.ends_with('}')) {
                break;
            }
        }
    }
    code
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The name that `text` begins with.
fn name(text: &str) -> &str {
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !is_in_name(c)).unwrap_or(text.len());
    &text[..end]
}

/// The lines that only one of the two texts has.
fn changes<'t>(old: &'t str, new: &'t str) -> impl Iterator<Item = String> {
    let only = |sign: char, here: &'t str, there: &'t str| {
        let there: Vec<_> = there.lines().collect();
        let here = here.lines().filter(move |line| !there.contains(line));
        here.map(move |line| format!("{sign} {line}"))
    };
    only('-', old, new).chain(only('+', new, old))
}
