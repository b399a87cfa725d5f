//! TeX, LaTeX and BibTeX.
//!
//! Targets are the first arguments of `\url`, `\href` and similar commands, and the field `url` of
//! a bibliography, and the first arguments of `@uref` and `@url` of Texinfo. Everything else is running text, comments included.

use std::borrow::Cow;
use std::ops::Range;

use super::prose::{Escapes, Prose};
use super::{Kind, Parts, Scope};
use urlint_standard::text::ascii::ends;
use urlint_standard::text::window::blanks;
use urlint_view::Layer;

/// Escapes of characters of URLs.
pub(super) const ESCAPES: Escapes = Escapes {
    signs: [b'\\', b'$', b'{'],
    read: escape,
};

/// The same in running text, where a URL ends before another command.
const IN_TEXT: Escapes = Escapes {
    read: |text| escape(text).or_else(|| command_after_url(text)),
    ..ESCAPES
};

/// Escapes in the arguments of Texinfo.
const TEXINFO: Escapes = Escapes {
    signs: [b'@'; 3],
    read: |text| match text.get(1)? {
        b'@' | b'{' | b'}' => Some((2, Cow::Borrowed(&text[1..2]))),
        _ => None,
    },
};

/// Commands that stand for a character, and the character. A command comes before its own prefixes.
const WORDS: &[(&[u8], &[u8])] = &[
    (b"\\textasciitilde", b"~"),
    (b"\\textasciicircum", b"^"),
    (b"\\textunderscore", b"_"),
    (b"\\textbackslash", b"\\"),
    (b"\\textless", b"<"),
    (b"\\textgreater", b">"),
    (b"\\textquotedbl", b"\""),
    (b"\\allowbreak", b""),
    (b"\\discretionary{}{}{}", b""),
    (b"\\slash", b"/"),
    (b"\\string", b""),
];

/// Formulas and accents that stand for one character, or that no URL goes on after.
const SIGNS: [(&[u8], &[u8]); 13] = [
    (b"$\\sim$", b"~"),
    (b"$\\tilde{}$", b"~"),
    (b"$\\tilde{ }$", b"~"),
    (b"$\\tilde{\\ }$", b"~"),
    (b"$\\tilde{~}$", b"~"),
    (b"\\~{}", b"~"),
    (b"\\~{ }", b"~"),
    (b"\\char`\\~", b"~"),
    (b"$<$", b"<"),
    (b"$>$", b">"),
    (b"$\\langle$", b"<"),
    (b"$\\rangle$", b">"),
    (b"$^", b" "),
];

/// The commands whose first argument is a URL.
const COMMANDS: [&[u8]; 6] = [b"url", b"href", b"path", b"nolinkurl", b"burl", b"Url"];

/// The greatest length of an argument, in bytes.
const MAX_ARGUMENT: usize = 1024;

/// Adds the parts of a document of TeX.
pub(super) fn parts<'s>(source: &'s [u8], _: Scope, parts: &mut Parts<'s>) {
    let mut prose = Prose::new(source, Layer::AsciiBut(b"\\%#&_${}~^"));
    for at in memchr::memchr3_iter(b'\\', b'=', b'@', source) {
        if at < prose.at() {
            continue;
        }
        let argument = match source[at] {
            b'\\' => command(source, at + 1),
            b'@' => macro_of_texinfo(source, at + 1),
            _ => field(source, at),
        };
        // An address of mail in `\url` is only set as one.
        let is_address = |range: &Range<usize>| {
            let text = &source[range.clone()];
            text.contains(&b'@') && !text.contains(&b':')
        };
        if let Some(argument) = argument.filter(|range| !is_address(range)) {
            prose.unescape(argument.start, &IN_TEXT);
            let escapes = match source[at] {
                b'@' => &TEXINFO,
                _ => &ESCAPES,
            };
            prose.target_over_lines(argument.clone(), Some(b'%'), escapes);
            prose.replace(argument.end, b" ");
        } else if let Some(code) = verbatim(source, at) {
            prose.unescape(code.start - 1, &IN_TEXT);
            prose.replace(code.start, b" ");
            prose.keep(code.end);
            prose.replace(code.end + 1, b" ");
        }
    }
    prose.unescape(source.len(), &IN_TEXT);
    prose.finish(parts);
    parts.set_kind(Kind::Tex);
}

fn escape(text: &[u8]) -> Option<(usize, Cow<'_, [u8]>)> {
    if let Some((sign, stands_for)) = SIGNS.iter().find(|(sign, _)| text.starts_with(sign)) {
        return Some((sign.len(), Cow::Borrowed(*stands_for)));
    }
    match text {
        // A group around one character.
        [b'{', b'\\' | b'$', ..] => {
            let (len, character) = escape(&text[1..])?;
            let is_alone = character.len() == 1 && text.get(1 + len) == Some(&b'}');
            is_alone.then_some((len + 2, character))
        }
        [b'\\', b'%' | b'#' | b'&' | b'_' | b'$' | b'{' | b'}', ..] => {
            Some((2, Cow::Borrowed(&text[1..2])))
        }
        [b'\\', b'-' | b'/', ..] => Some((2, Cow::Borrowed(b""))),
        [b'\\', b'\\', ..] => Some((2, Cow::Borrowed(b" "))),
        _ => {
            let (word, stands_for) = WORDS.iter().find(|(word, _)| text.starts_with(word))?;
            let end = match &text[word.len()..] {
                [b'{', b'}', ..] => 2,
                [b' ', ..] => 1,
                [letter, ..] if letter.is_ascii_alphabetic() => return None,
                _ => 0,
            };
            Some((word.len() + end, Cow::Borrowed(*stands_for)))
        }
    }
}

/// Puts a space before the command at the start of `text`, if it takes an argument or breaks the line. Other
/// commands, as in `http://a.example/\version/`, stand for a part of the URL.
fn command_after_url(text: &[u8]) -> Option<(usize, Cow<'_, [u8]>)> {
    let name = text.strip_prefix(b"\\")?;
    let end = name.iter().position(|byte| !byte.is_ascii_alphabetic())?;
    let is_after = match &name[end..] {
        [b'{', b'}', ..] => false,
        [b'{' | b'[', ..] => end > 0,
        _ => [&b"newline"[..], b"linebreak", b"par"].contains(&&name[..end]),
    };
    is_after.then_some((1, Cow::Borrowed(b" \\")))
}

/// The range between the signs of the command at `at`, if it is `\verb` or the like.
fn verbatim(source: &[u8], at: usize) -> Option<Range<usize>> {
    let names: [&[u8]; 3] = [b"\\verb*", b"\\verb", b"\\lstinline"];
    let name = names.iter().find(|name| source[at..].starts_with(name))?;
    let start = at + name.len();
    let sign = *source.get(start)?;
    let is_sign = sign.is_ascii_punctuation() && !b"{[*".contains(&sign);
    is_sign.then(|| up_to(source, start + 1, sign))?
}

/// The range of the argument of the command whose name begins at `at`, if the command takes a URL.
fn command(source: &[u8], at: usize) -> Option<Range<usize>> {
    let text = &source[at..];
    let is_command = |command: &&&[u8]| {
        let next = text.get(command.len());
        text.starts_with(command) && !next.is_some_and(u8::is_ascii_alphabetic)
    };
    let command = COMMANDS.iter().find(is_command)?;
    let mut start = at + command.len();
    start += usize::from(source.get(start) == Some(&b'*'));
    start += blanks(&source[start..]);
    if source.get(start) == Some(&b'[') {
        let options = &source[start..source.len().min(start + MAX_ARGUMENT)];
        start += memchr::memchr(b']', options)? + 1;
    }
    match source.get(start)? {
        b'{' => in_braces(source, start + 1),
        // Delimiters like the ones of `\verb`.
        sign @ (b'|' | b'!' | b'+' | b'"') => up_to(source, start + 1, *sign),
        _ => None,
    }
}

/// The range of the first argument of the macro of Texinfo whose name begins at `at`, if that is a URL.
fn macro_of_texinfo(source: &[u8], at: usize) -> Option<Range<usize>> {
    let names: [&[u8]; 2] = [b"uref{", b"url{"];
    let name = names.iter().find(|name| source[at..].starts_with(name))?;
    let arguments = in_braces(source, at + name.len())?;
    let comma = memchr::memchr(b',', &source[arguments.clone()]);
    Some(arguments.start..comma.map_or(arguments.end, |comma| arguments.start + comma))
}

/// The range of the value of the field `url`, if the `=` at `at` sets it.
fn field(source: &[u8], at: usize) -> Option<Range<usize>> {
    let before = source[at.saturating_sub(24)..at].trim_ascii_end();
    let is_apart = |at: &u8| matches!(at, b' ' | b'\t' | b'\n' | b'\r' | b',');
    if !ends(before, "url") || !before[..before.len() - 3].last().is_none_or(is_apart) {
        return None;
    }
    let opener = at + 1 + blanks(&source[at + 1..]);
    let mut value = source.get(opener + 1..)?;
    // Exporters protect the value by more braces.
    while let Some(inner) = value.trim_ascii_start().strip_prefix(b"{") {
        value = inner;
    }
    let start = source.len() - value.len();
    match source.get(opener)? {
        _ if source.get(start) == Some(&b'\\') => None,
        b'{' => in_braces(source, start),
        b'"' if start == opener + 1 => up_to(source, start, b'"'),
        b'"' => in_braces(source, start),
        _ => None,
    }
}

/// The range from `start` to the closing brace.
fn in_braces(source: &[u8], start: usize) -> Option<Range<usize>> {
    let text = &source[start..source.len().min(start + MAX_ARGUMENT)];
    let mut depth = 0;
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(start..start + at),
            b'}' => depth -= 1,
            b'\n' if text[at + 1..].starts_with(b"\n") => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The range from `start` to `sign`, on one line.
fn up_to(source: &[u8], start: usize, sign: u8) -> Option<Range<usize>> {
    let text = &source[start..source.len().min(start + MAX_ARGUMENT)];
    let len = memchr::memchr3(sign, b'\n', b'\r', text)?;
    (text[len] == sign).then_some(start..start + len)
}

#[cfg(test)]
mod tests {
    use crate::document::prose::testing::shown;
    use crate::document::{Depth, Kind};

    #[test]
    fn documents() {
        let cases: &[(&str, &[&str])] = &[
            ("\\url{http://a.example/}.", &["ta http://a.example/"]),
            (
                "\\url {http://a.example/x\\_y\\%20}",
                &["ta http://a.example/x_y%20"],
            ),
            ("\\url|http://a.example/|", &["ta http://a.example/"]),
            (
                "\\url{joe@a.example} \\url{mailto:joe@a.example}",
                &["ta mailto:joe@a.example"],
            ),
            (
                "\\href[pdfnewwindow]{http://a.example/\\#b}{text}",
                &["ta http://a.example/#b"],
            ),
            (
                "\\href{http://a.example/}{http://b.example/}",
                &["ta http://a.example/", "br http://b.example/"],
            ),
            (
                "\\nolinkurl{http://a.example/{b}}",
                &["ta http://a.example/{b}"],
            ),
            ("\\path{/etc/passwd} \\url{b.html}", &[]),
            ("\\url{http://a.example/%\n  b}", &["ta http://a.example/b"]),
            ("\\urlstyle{http://a.example/}", &["br http://a.example/"]),
            ("\\url{http://a.example/", &["ba http://a.example/"]),
            (
                "@uref{http://a.example/x,A name} @url{http://b.example/\n, c, d} @uref{x}",
                &["ta http://a.example/x", "ta http://b.example/"],
            ),
            (
                "  url = {http://a.example/\\~{}b},",
                &["ta http://a.example/~b"],
            ),
            (
                "URL=\"http://a.example/$\\sim$b\"",
                &["ta http://a.example/~b"],
            ),
            (
                "url = {\\url{http://a.example/}}",
                &["ta http://a.example/"],
            ),
            (
                "howpublished = \"\\url{http://a.example/}\"",
                &["ta http://a.example/"],
            ),
            ("note = {http://a.example/}", &["br http://a.example/"]),
            ("url = {{http://a.example/}},", &["ta http://a.example/"]),
            (
                "url = { {\n  http://a.example/b}},",
                &["ta http://a.example/b"],
            ),
            ("url = \"{http://a.example/}\",", &["ta http://a.example/"]),
            (
                "url = {{\\url{http://a.example/}}},",
                &["ta http://a.example/"],
            ),
            // A group around one character, and around a name.
            (
                "\\url{http://a.example/a{\\_}b{\\textasciitilde}c}",
                &["ta http://a.example/a_b~c"],
            ),
            (
                "\\url{http://a.example/{id}}",
                &["ta http://a.example/{id}"],
            ),
            // Signs in formulas.
            ("$<$http://a.example/x$>$.", &["an http://a.example/x"]),
            ("http://a.example/x$^{1}$", &["ba http://a.example/x"]),
            // Commands of code, whose text is not a target.
            ("\\verb+http://a.example/x+ y", &["ba http://a.example/x"]),
            (
                "\\lstinline#curl http://a.example/x# y",
                &["ba http://a.example/x"],
            ),
            (
                "\\verbatim http://a.example/x+",
                &["ba http://a.example/x+"],
            ),
            // A command after a URL, and one that is a part of it.
            (
                "http://a.example/x\\footnote{y}",
                &["ba http://a.example/x"],
            ),
            ("http://a.example/x\\newline y", &["ba http://a.example/x"]),
            (
                "http://a.example/\\version/x",
                &["ba http://a.example/\\version/x"],
            ),
            ("``at http://a.example/x''", &["ba http://a.example/x"]),
            (
                "see http://a.example/x\\_y\\textasciitilde{}z.",
                &["ba http://a.example/x_y~z"],
            ),
            ("see http://a.example/\\-x \\\\", &["ba http://a.example/x"]),
            ("http://a.example/\\\\ x", &["ba http://a.example/"]),
            ("% see http://a.example/", &["ba http://a.example/"]),
            (
                "@uref{http://a.example/@@b,c} @url{mailto:joe@@a.example} joe@b",
                &["ta http://a.example/@b", "ta mailto:joe@a.example"],
            ),
            ("{\\tt http://a.example/}", &["ba http://a.example/"]),
            (
                "\\texttt{http://a.example/\\textasciitildex}",
                &["br http://a.example/\\textasciitildex"],
            ),
        ];
        for (source, urls) in cases {
            let found = shown(source.as_bytes(), Kind::Tex, Depth::default());
            assert_eq!(found, *urls, "{source:?}");
        }
    }
}
