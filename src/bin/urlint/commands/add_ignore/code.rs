//! Source code and configuration: which lines begin outside of strings, comments and all else where
//! a comment would be content.

use std::collections::VecDeque;

use memchr::memmem;

/// How a language writes comments and strings.
pub(super) struct Language {
    extensions: &'static str,
    /// The sign of a comment that ends with its line.
    sign: &'static str,
    /// What goes on over lines: its beginning, its end, and whether a backslash escapes.
    long: &'static [(&'static str, &'static str, bool)],
    /// The quotes of strings that end with their line.
    short: &'static str,
    /// Whether there are here-documents: `<<EOF` up to the line `EOF`.
    has_here: bool,
}

const BLOCK: (&str, &str, bool) = ("/*", "*/", false);
const TRIPLE: (&str, &str, bool) = ("\"\"\"", "\"\"\"", true);
const TRIPLE_SINGLE: (&str, &str, bool) = ("'''", "'''", true);
const DOUBLE: (&str, &str, bool) = ("\"", "\"", true);
const SINGLE: (&str, &str, bool) = ("'", "'", true);
const VERBATIM: (&str, &str, bool) = ("'", "'", false);
const BACKTICK: (&str, &str, bool) = ("`", "`", true);

const LANGUAGES: [Language; 15] = [
    language(
        "py pyi toml jl",
        "#",
        &[TRIPLE, TRIPLE_SINGLE],
        "\"'",
        false,
    ),
    language("sh bash zsh fish", "#", &[DOUBLE, VERBATIM], "", true),
    language(
        "rb pl pm r",
        "#",
        &[
            ("\n=begin", "\n=end", false),
            ("\n=", "\n=cut", false),
            ("\n__END__", "\n\0", false),
            DOUBLE,
            SINGLE,
        ],
        "",
        true,
    ),
    language("awk tcl", "#", &[DOUBLE], "", false),
    language("mk", "#", &[("\ndefine ", "\nendef", false)], "", false),
    language("cmake", "#", &[("[[", "]]", false), DOUBLE], "", false),
    language("tf", "#", &[BLOCK, DOUBLE], "", true),
    language("nix", "#", &[BLOCK, ("''", "''", false), DOUBLE], "", false),
    language(
        "rs",
        "//",
        &[
            BLOCK,
            ("r##\"", "\"##", false),
            ("r#\"", "\"#", false),
            ("r\"", "\"", false),
            DOUBLE,
        ],
        "",
        false,
    ),
    language("go", "//", &[BLOCK, ("`", "`", false)], "\"'", false),
    language(
        "c h cc hh cpp hpp zig proto",
        "//",
        &[BLOCK, ("R\"(", ")\"", false)],
        "\"'",
        false,
    ),
    language(
        "java kt kts scala swift dart cs groovy gradle",
        "//",
        &[BLOCK, TRIPLE, TRIPLE_SINGLE, ("@\"", "\"", false)],
        "\"'",
        false,
    ),
    language("js mjs cjs ts", "//", &[BLOCK, BACKTICK], "\"'", false),
    language(
        "sql lua hs elm adb ads",
        "--",
        &[
            BLOCK,
            ("--[[", "]]", false),
            ("[[", "]]", false),
            ("{-", "-}", false),
            TRIPLE,
            VERBATIM,
        ],
        "\"",
        false,
    ),
    language(
        "lisp el scm clj",
        ";",
        &[("#|", "|#", false), DOUBLE],
        "",
        false,
    ),
];

/// Configuration in lines, where what is indented goes on.
const FLAT: [(&str, &str); 2] = [("conf cfg properties", "#"), ("ini", ";")];

const fn language(
    extensions: &'static str,
    sign: &'static str,
    long: &'static [(&'static str, &'static str, bool)],
    short: &'static str,
    has_here: bool,
) -> Language {
    Language {
        extensions,
        sign,
        long,
        short,
        has_here,
    }
}

/// What says which lines of a file may be preceded by a comment.
pub(super) enum Syntax {
    Code(&'static Language),
    Flat(&'static str),
    Yaml,
}

impl Syntax {
    /// Returns the syntax of files with this extension.
    pub(super) fn of(extension: &str) -> Option<Syntax> {
        let has = |extensions: &str| extensions.split(' ').any(|one| one == extension);
        if has("yaml yml") {
            return Some(Syntax::Yaml);
        }
        if let Some(language) = LANGUAGES.iter().find(|language| has(language.extensions)) {
            return Some(Syntax::Code(language));
        }
        let flat = FLAT.iter().find(|(extensions, _)| has(extensions));
        flat.map(|(_, sign)| Syntax::Flat(sign))
    }

    pub(super) fn sign(&self) -> &'static str {
        match self {
            Syntax::Code(language) => language.sign,
            Syntax::Flat(sign) => sign,
            Syntax::Yaml => "#",
        }
    }

    /// Returns for each line, given by where it starts, whether a comment may come before it. The
    /// last value is about the end of the file.
    pub(super) fn safe(&self, text: &[u8], starts: &[usize]) -> Vec<bool> {
        let mut safe = match self {
            Syntax::Code(language) => language.safe(text, starts),
            Syntax::Flat(_) => flat(text, starts),
            Syntax::Yaml => yaml(text, starts),
        };
        for (index, safe) in safe.iter_mut().enumerate() {
            let before = &text[..starts.get(index).copied().unwrap_or(text.len())];
            let before = before.strip_suffix(b"\n").unwrap_or(before);
            let before = before.strip_suffix(b"\r").unwrap_or(before);
            *safe &= !before.ends_with(b"\\");
        }
        // A first line for the system, or one that names the encoding, has to stay where it is.
        let is_first = text.starts_with(b"#!") || text.starts_with(b"\xef\xbb\xbf");
        for index in 0..2.min(starts.len()) {
            let names_encoding = memmem::find(line(text, starts, index), b"coding").is_some();
            if names_encoding || index == 0 && is_first {
                safe[..=index].fill(false);
            }
        }
        safe
    }
}

/// Returns a line with its break.
fn line<'t>(text: &'t [u8], starts: &[usize], index: usize) -> &'t [u8] {
    let end = starts.get(index + 1).copied().unwrap_or(text.len());
    &text[starts[index]..end]
}

impl Language {
    fn safe(&self, text: &[u8], starts: &[usize]) -> Vec<bool> {
        let mut safe = vec![true; starts.len() + 1];
        // Elements of JSX have text, where a comment would be content.
        if self.long.contains(&BACKTICK) && memmem::find(text, b"</").is_some() {
            return vec![false; starts.len() + 1];
        }
        let mut at = 0;
        let mut here: VecDeque<Vec<u8>> = VecDeque::new();
        while at < text.len() {
            let rest = &text[at..];
            let is_line_start = at == 0 || text[at - 1] == b'\n';
            if is_line_start && !here.is_empty() {
                at = self.end_of_here(text, at, &mut here, starts, &mut safe);
                continue;
            }
            if let Some((start, close, escapes)) = self.long_at(text, at) {
                let end = start + end_of(&text[start..], close, escapes);
                forbid(starts, &mut safe, at, end, text.len());
                at = end;
            } else if rest.starts_with(self.sign.as_bytes()) && self.is_comment(text, at) {
                at += memchr::memchr(b'\n', rest).unwrap_or(rest.len()).max(1);
            } else if self.has_here && rest.starts_with(b"<<") {
                let (word, length) = here_word(rest);
                here.extend(word);
                at += length;
            } else if self.short.as_bytes().contains(&rest[0]) {
                at += end_of_short(rest);
            } else if rest.starts_with(b"'\"'") || rest.starts_with(b"\\") {
                at += if rest[0] == b'\\' { 2 } else { 3 };
            } else if rest.starts_with(b"'\\\"'") {
                at += 4;
            } else {
                at += 1;
            }
        }
        if !here.is_empty() {
            forbid(starts, &mut safe, 0, text.len() + 1, text.len());
        }
        safe
    }

    /// Returns where what goes on over lines begins to have content, with its end, if it is at `at`.
    fn long_at(&self, text: &[u8], at: usize) -> Option<(usize, &'static str, bool)> {
        self.long.iter().find_map(|&(open, close, escapes)| {
            let is_there = match open.strip_prefix('\n') {
                Some(word) => {
                    (at == 0 || text[at - 1] == b'\n') && text[at..].starts_with(word.as_bytes())
                }
                None => text[at..].starts_with(open.as_bytes()),
            };
            let length = open.trim_start_matches('\n').len();
            is_there.then_some((at + length, close, escapes))
        })
    }

    /// Returns whether the sign at `at` begins a comment: in shells only at the start of a word.
    fn is_comment(&self, text: &[u8], at: usize) -> bool {
        let is_word = |byte: u8| !byte.is_ascii_whitespace() && !b";&|(){}[],=".contains(&byte);
        !self.has_here || self.sign != "#" || at == 0 || !is_word(text[at - 1])
    }

    /// Skips the lines of the here-documents that have been announced.
    fn end_of_here(
        &self,
        text: &[u8],
        start: usize,
        here: &mut VecDeque<Vec<u8>>,
        starts: &[usize],
        safe: &mut [bool],
    ) -> usize {
        let mut at = start;
        while !here.is_empty() && at < text.len() {
            let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
            if text[at..end].trim_ascii() == here[0] {
                here.pop_front();
            }
            at = end;
        }
        forbid(starts, safe, start.saturating_sub(1), at, text.len());
        at
    }
}

/// Forbids comments before the lines that begin after `from` and before `to`.
fn forbid(starts: &[usize], safe: &mut [bool], from: usize, to: usize, length: usize) {
    let first = starts.partition_point(|&start| start <= from);
    let last = starts.partition_point(|&start| start < to);
    safe[first..last.max(first)].fill(false);
    if to > length {
        safe[starts.len()] = false;
    }
}

/// Returns how long what ends with `close` is; longer than `rest` if it does not end.
fn end_of(rest: &[u8], close: &str, escapes: bool) -> usize {
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with(close.as_bytes()) {
            return at + close.len();
        }
        at += if escapes && rest[at] == b'\\' { 2 } else { 1 };
    }
    rest.len() + 1
}

/// Returns how long the string is that `rest` begins with, which ends with its line.
fn end_of_short(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != b'\n' {
        if rest[at] == rest[0] {
            return at + 1;
        }
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    at
}

/// Returns the word that ends a here-document, if `<<` announces one, and how many bytes that takes.
fn here_word(rest: &[u8]) -> (Option<Vec<u8>>, usize) {
    let signs = rest.iter().take_while(|&&byte| byte == b'<').count();
    let after = &rest[signs..];
    let opening = after
        .iter()
        .take_while(|byte| b"-~\"'\\".contains(byte))
        .count();
    let word: Vec<u8> = after[opening..]
        .iter()
        .copied()
        .take_while(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
        .collect();
    // A shift is followed by a number or a space.
    let is_word = signs == 2 && word.first().is_some_and(|first| !first.is_ascii_digit());
    let is_quote = |byte: &&u8| matches!(**byte, b'"' | b'\'');
    let closing = after.get(opening + word.len()).filter(is_quote);
    let length = signs + opening + word.len() + usize::from(closing.is_some());
    (is_word.then_some(word), length)
}

/// Lines at the margin begin an entry.
fn flat(text: &[u8], starts: &[usize]) -> Vec<bool> {
    let is_entry = |index: usize| !matches!(line(text, starts, index), [b' ' | b'\t', ..]);
    let mut safe: Vec<_> = (0..starts.len()).map(is_entry).collect();
    safe.push(true);
    safe
}

/// Lines that begin an entry, are comments or are empty, outside of block scalars and of strings that
/// go on over lines.
fn yaml(text: &[u8], starts: &[usize]) -> Vec<bool> {
    let mut safe = Vec::with_capacity(starts.len() + 1);
    // The indentation of the entry whose value is a block scalar.
    let mut block: Option<usize> = None;
    for index in 0..starts.len() {
        let whole = line(text, starts, index);
        let content = whole.trim_ascii();
        let indent = whole.iter().take_while(|&&byte| byte == b' ').count();
        if block.is_some_and(|outer| content.is_empty() || indent > outer) {
            safe.push(false);
            continue;
        }
        block = None;
        let is_comment = content.starts_with(b"#");
        let is_entry = content.starts_with(b"- ") || key_length(content).is_some();
        safe.push(is_comment || is_entry);
        if is_entry && has_block(content) {
            block = Some(indent);
        }
    }
    // What is quoted over several lines looks like anything.
    if (0..starts.len()).any(|index| leaves_open(line(text, starts, index))) {
        safe.fill(false);
    }
    safe.push(block.is_none());
    safe
}

/// Returns whether a string may go on after the line: it has an odd number of `"`, or an odd number
/// of `'` from the start of a value. In other places a `'` is an apostrophe.
fn leaves_open(line: &[u8]) -> bool {
    let is_odd = |quote: u8| memchr::memchr_iter(quote, line).count() % 2 == 1;
    let content = line.trim_ascii();
    let content = content.strip_prefix(b"- ").unwrap_or(content);
    let value = &content[key_length(content).unwrap_or(0)..];
    is_odd(b'"') || value.trim_ascii_start().starts_with(b"'") && is_odd(b'\'')
}

/// Returns the length of a key and its colon.
fn key_length(content: &[u8]) -> Option<usize> {
    let colon = memchr::memchr_iter(b':', content).find(|&at| {
        content
            .get(at + 1)
            .is_none_or(|next| matches!(next, b' ' | b'\t'))
    })?;
    let is_plain = |&byte: &u8| !b"{}[]#|>&*!,".contains(&byte);
    (colon > 0 && content[..colon].iter().all(is_plain)).then_some(colon + 1)
}

/// Returns whether the value of an entry is a block scalar.
fn has_block(content: &[u8]) -> bool {
    let value = memmem::find(content, b" #").map_or(content, |at| &content[..at]);
    let last = value.trim_ascii_end().rsplit(|&byte| byte == b' ').next();
    matches!(last, Some([b'|' | b'>', rest @ ..]) if rest.len() <= 2
        && rest.iter().all(|byte| byte.is_ascii_digit() || b"+-".contains(byte)))
}
