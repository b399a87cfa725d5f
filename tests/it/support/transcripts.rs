//! Blocks of `console` in Markdown: commands with the text that they print.
//!
//! ````text
//! ```console
//! $ urlint check note.txt
//! ? 1
//! note.txt:1:2: error[password] the URL carries a password
//! ```
//! ````
//!
//! `? 1` is the exit code, which is 0 if it is not there. In the text, `[..]` is anything within a line, and a line
//! of three dots any lines. Pages of the manual have no codes. `SNAPSHOTS=overwrite` writes the present text and codes.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::command::urlint;

/// A command of a block, with what follows it.
struct Step<'t> {
    args: Vec<String>,
    /// The lines of the command itself.
    command: &'t str,
    code: i32,
    expected: &'t str,
}

/// Runs the blocks of `file` in `folder`. Returns a message for each command that prints something else.
pub(crate) fn differences(file: &Path, folder: &Path) -> Vec<String> {
    let has_codes = !file
        .parent()
        .is_some_and(|folder| folder.ends_with("manual"));
    let text = fs::read_to_string(file).unwrap();
    let (mut now, mut wrong) = (String::new(), Vec::new());
    let mut rest = &*text;
    while let Some((before, block)) = rest.split_once("```console\n") {
        let (block, after) = block.split_once("```").unwrap();
        now += before;
        now += "```console\n";
        for step in steps(block) {
            let (printed, code) = printed(folder, &step.args);
            let code = if has_codes { code } else { 0 };
            let is_same =
                code == step.code && matches(step.expected.trim_end(), printed.trim_end());
            let (code, shown) = if is_same {
                (step.code, step.expected.to_owned())
            } else {
                (code, ended_alike(&printed, step.expected))
            };
            now += step.command;
            if code != 0 {
                now += &format!("? {code}\n");
            }
            now += &shown;
            if !is_same {
                let place = format!("{}: {}", file.display(), step.command.trim_end());
                wrong.push(format!(
                    "{place}\nexpected:\n{}\nprinted:\n{shown}",
                    step.expected
                ));
            }
        }
        now += "```";
        rest = after;
    }
    now += rest;
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        fs::write(file, now).unwrap();
        return Vec::new();
    }
    wrong
}

/// Returns the commands of a block.
fn steps(block: &str) -> Vec<Step<'_>> {
    let starts = block.match_indices("$ urlint").map(|(at, _)| at);
    let starts: Vec<_> = starts
        .filter(|&at| at == 0 || block[..at].ends_with('\n'))
        .collect();
    let ends = starts.iter().skip(1).copied().chain([block.len()]);
    let texts = starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| &block[start..end]);
    texts.map(step).collect()
}

fn step(text: &str) -> Step<'_> {
    let (command, rest) = text.split_at(text.find('\n').unwrap() + 1);
    let code = rest
        .strip_prefix("? ")
        .and_then(|rest| rest.split_once('\n'));
    let (code, expected) = code.map_or((0, rest), |(code, rest)| (code.parse().unwrap(), rest));
    Step {
        args: words(command.trim_start_matches("$ urlint")),
        command,
        code,
        expected,
    }
}

/// Returns the words of a command; quotes of either kind enclose a part of one.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for sign in command.chars() {
        match quote {
            Some(end) if sign == end => quote = None,
            None if sign == '"' || sign == '\'' => {
                quote = Some(sign);
                word.get_or_insert_default();
            }
            None if sign.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(sign),
        }
    }
    words.extend(word);
    words
}

/// Returns the text that urlint prints to both of its outputs, in that order, and its exit code.
fn printed(folder: &Path, args: &[String]) -> (String, i32) {
    let (mut reader, writer) = io::pipe().unwrap();
    let mut command = urlint(args);
    command.env("NO_COLOR", "1").current_dir(folder);
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.stdin(std::process::Stdio::null()).spawn().unwrap();
    // It has the other end of the pipe.
    drop(command);
    let mut printed = Vec::new();
    reader.read_to_end(&mut printed).unwrap();
    let code = child.wait().unwrap().code();
    (String::from_utf8(printed).unwrap(), code.unwrap())
}

/// Returns whether `text` has the form of `pattern`, which may have `[..]` and lines of three dots.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let (first, patterns) = pattern.split_once('\n').unwrap_or((pattern, ""));
    let is_last = !pattern.contains('\n');
    if first == "..." {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        return is_last
            || [0]
                .into_iter()
                .chain(starts)
                .any(|at| matches(patterns, &text[at..]));
    }
    match text.split_once('\n') {
        _ if is_last => !text.contains('\n') && matches_line(first, text),
        Some((line, lines)) => matches_line(first, line) && matches(patterns, lines),
        None => false,
    }
}

fn matches_line(pattern: &str, line: &str) -> bool {
    match pattern.split_once("[..]") {
        None => pattern == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            let mut ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            ends.any(|at| matches_line(after, &rest[at..]))
        }),
    }
}

/// Returns `printed` with the blank line at the end that `expected` has.
fn ended_alike(printed: &str, expected: &str) -> String {
    let end = &expected[expected.trim_end().len()..];
    let end = if end.is_empty() { "\n" } else { end };
    match printed.trim_end() {
        "" => String::new(),
        printed => format!("{printed}{end}"),
    }
}

#[test]
fn patterns_match_lines_and_parts_of_lines() {
    for (pattern, text, expected) in [
        ("a\nb", "a\nb", true),
        ("a\nb", "a\nc", false),
        ("a", "a\nb", false),
        ("a[..]c", "abc", true),
        ("a[..]c", "ab", false),
        ("...\nc", "a\nb\nc", true),
        ("a\n...", "a\nb\nc", true),
        ("a\n...\nd", "a\nb\nc", false),
    ] {
        assert_eq!(matches(pattern, text), expected, "{pattern:?} {text:?}");
    }
    assert_eq!(words(" a 'b c' --x=\"d\"\n"), ["a", "b c", "--x=d"]);
}
