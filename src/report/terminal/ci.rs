//! Commands that CI servers recognize in the log of a job: `::error::` at the start of a line
//! (GitHub), `##[error]`, `##vso[...]` and `##teamcity[...]` anywhere (GitHub, Azure, TeamCity). A file
//! name or a URL must not be able to make one.

use std::borrow::Cow;

/// Returns the offsets of the characters of `text` that make commands: of each, the number sign or the
/// colon to replace.
fn commands(text: &str) -> impl Iterator<Item = usize> {
    let marks = memchr::memmem::find_iter(text.as_bytes(), "##");
    // `find_iter` skips the last two of three number signs.
    let marks = marks.flat_map(|at| [at + 1, at + 2]);
    let marks = marks.filter(|&at| {
        let (before, after) = text.as_bytes().split_at(at);
        let word = after.strip_prefix(b"#").unwrap_or_default();
        let letters = word.iter().take_while(|byte| byte.is_ascii_alphabetic());
        before.ends_with(b"#") && word[letters.count()..].starts_with(b"[")
    });
    let mut from = 0;
    let starts = text.split_inclusive('\n').filter_map(move |line| {
        let start = from + (line.len() - line.trim_start().len());
        from += line.len();
        line.trim_start().starts_with("::").then_some(start)
    });
    let mut all: Vec<_> = marks.chain(starts).collect();
    all.sort_unstable();
    all.into_iter()
}

/// Returns `text` without commands: their number signs and colons become `⌗` and `꞉`, which are as wide.
pub fn without_commands(text: &str) -> Cow<'_, str> {
    replaced(
        text,
        |byte| {
            if byte == b'#' { "\u{2317}" } else { "\u{a789}" }
        },
    )
}

/// Returns `text` with each number sign and colon that makes a command replaced by `written` of it.
pub fn replaced(text: &str, written: impl Fn(u8) -> &'static str) -> Cow<'_, str> {
    let mut commands = commands(text).peekable();
    if commands.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let (mut shown, mut from) = (String::with_capacity(text.len() + 8), 0);
    for at in commands {
        shown.push_str(&text[from..at]);
        shown.push_str(written(text.as_bytes()[at]));
        from = at + 1;
    }
    shown.push_str(&text[from..]);
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_replaced() {
        for (text, expected) in [
            ("::error::x\n ::x a::b", "꞉:error::x\n ꞉:x a::b"),
            ("x ##[error]y ##vso[z]", "x #⌗[error]y #⌗vso[z]"),
            ("###[a] ####b[", "##⌗[a] ###⌗b["),
            (
                "# [a] ## [b] #[c] ##1[d] ##d ##",
                "# [a] ## [b] #[c] ##1[d] ##d ##",
            ),
            (
                "[::1]:80 std::x http://[::1]/",
                "[::1]:80 std::x http://[::1]/",
            ),
            ("", ""),
        ] {
            assert_eq!(without_commands(text), expected);
        }
    }
}
