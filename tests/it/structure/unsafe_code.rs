//! Each `unsafe` of the sources, with its reason, as a fixture lists them. `SNAPSHOTS=overwrite`
//! rewrites it.

use std::fmt::Write as _;
use std::fs;
use std::iter;

use super::{changes, files, indent, name, root};

const FIXTURE: &str = "fixtures/unsafe.txt";

/// What the comment above an `unsafe` begins with.
const MARK: &str = "SAFETY: ";

#[test]
fn the_unsafe_code_is_that_of_the_fixture() {
    let rows = rows();
    let mut list = format!(
        "`unsafe` stands {} times in src: file and function, the line, and the comment above it\n",
        rows.len()
    );
    for row in rows {
        write!(list, "\n{row}").unwrap();
    }
    let path = root().join(FIXTURE);
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        fs::write(&path, &list).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    let changed: Vec<_> = changes(&expected, &list).collect();
    assert!(
        changed.is_empty(),
        "the unsafe code has changed; if that is intended, run this test with \
         SNAPSHOTS=overwrite:\n{}",
        changed.join("\n")
    );
}

/// The file, the function, the line and the reason of each `unsafe` below `src`.
fn rows() -> Vec<String> {
    let mut rows = Vec::new();
    for path in files(&root().join("src")) {
        let text = fs::read_to_string(&path).unwrap();
        let file = path.strip_prefix(root()).unwrap().to_str().unwrap();
        let file = file.replace('\\', "/");
        let lines: Vec<&str> = text.lines().collect();
        for (at, code) in without_comments_and_literals(&text).lines().enumerate() {
            for _ in 0..keywords(code) {
                let reason = reason(&lines[..at]);
                let reason = reason.unwrap_or_else(|| panic!("{file}: {}: no {MARK}", at + 1));
                let function = function(&lines[..=at]);
                let line = lines[at].trim();
                rows.push(format!("{file}: {function}\n    {line}\n    {reason}\n"));
            }
        }
    }
    rows
}

/// How often `unsafe` is a keyword in a line of code.
fn keywords(line: &str) -> usize {
    let is_in_name = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
    let words = line.match_indices("unsafe").filter(|(at, word)| {
        let before = line[..*at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_in_name) && !after.is_some_and(is_in_name)
    });
    words.count()
}

/// The text of the comment right above that says why it is sound, without line breaks. Attributes may
/// stand between.
fn reason(above: &[&str]) -> Option<String> {
    let above = above.iter().rev().map(|line| line.trim());
    let is_beside = |line: &&str| line.starts_with("//") || line.starts_with("#[");
    let mut comment: Vec<&str> = above
        .take_while(is_beside)
        .filter_map(|line| line.strip_prefix("//"))
        .map(str::trim)
        .collect();
    comment.reverse();
    let comment = comment.join(" ");
    let at = comment.find(MARK)? + MARK.len();
    Some(comment[at..].to_owned())
}

/// The name of the function that the last of the lines is in.
fn function<'t>(lines: &[&'t str]) -> &'t str {
    let (last, above) = lines.split_last().unwrap();
    let declared = iter::once(last).chain(
        above
            .iter()
            .rev()
            .filter(|line| indent(line) < indent(last)),
    );
    let mut names = declared.filter_map(|line| Some(name(line.split_once("fn ")?.1)));
    names.next().unwrap_or("outside of functions")
}

/// The text with spaces for what is in comments and literals, and the same lines.
fn without_comments_and_literals(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let is_in_name = code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let len = skipped(rest, is_in_name);
        if len == 0 {
            let next = rest.chars().next().unwrap();
            code.push(next);
            at += next.len_utf8();
            continue;
        }
        let blank = |c| if c == '\n' { '\n' } else { ' ' };
        code.extend(rest[..len].chars().map(blank));
        at += len;
    }
    code
}

/// The length of the comment or literal that `rest` begins with, or 0.
fn skipped(rest: &str, is_in_name: bool) -> usize {
    let until = |end: &str, from: usize| {
        let found = rest[from..].find(end).map(|at| from + at + end.len());
        found.unwrap_or(rest.len())
    };
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return nested_comment(rest);
    }
    if rest.starts_with('"') {
        return quoted(rest, '"');
    }
    if let Some(inner) = rest.strip_prefix('\'') {
        let mut chars = inner.chars();
        let is_char = match chars.next() {
            Some('\\') => true,
            _ => chars.next() == Some('\''),
        };
        // A lifetime or a label is none.
        return if is_char { quoted(rest, '\'') } else { 0 };
    }
    let raw = ["r", "br", "cr"]
        .iter()
        .find_map(|prefix| rest.strip_prefix(prefix));
    let Some(raw) = raw.filter(|_| !is_in_name) else {
        return 0;
    };
    let hashes = raw.len() - raw.trim_start_matches('#').len();
    if !raw[hashes..].starts_with('"') {
        return 0;
    }
    let begin = rest.len() - raw.len() + hashes + 1;
    until(&format!("\"{}", "#".repeat(hashes)), begin)
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    rest.len()
}

fn nested_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

#[test]
fn the_keyword_is_told_from_the_word() {
    let none = [
        "// unsafe {",
        "let s = \"unsafe { \\\" unsafe {\";",
        "let s = r#\"unsafe \" unsafe {\"#;",
        "let s = b\"unsafe\"; let c = '\"'; let s = \"unsafe\";",
        "/* unsafe /* unsafe */ unsafe */",
        "let s = \"two\nlines of unsafe\n\";",
        "unsafe_fixes: takes_unsafe(r#unsafe)",
        "let c = '\\''; // unsafe",
    ];
    for text in none {
        let code = without_comments_and_literals(text);
        assert_eq!(
            code.lines().map(keywords).sum::<usize>(),
            0,
            "{text}: {code}"
        );
    }
    let one = [
        "fn f<'a>(a: &'a str) { unsafe { g(a) } }",
        "let c = '\"'; unsafe { f(c, '\"') }",
        "#[unsafe(no_mangle)]",
        "unsafe impl Send for T {}",
        "let s = \"\\\\\"; unsafe",
        "for_bar\"unsafe\"; unsafe{}",
        "/* a */ unsafe // b",
    ];
    for text in one {
        let code = without_comments_and_literals(text);
        assert_eq!(
            code.lines().map(keywords).sum::<usize>(),
            1,
            "{text}: {code}"
        );
    }
}
