//! AsciiDoc.
//!
//! Targets are the URLs before `[text]`, with or without `link:` and other macros before them, and
//! the values of attributes. Everything else is running text.

use std::borrow::Cow;
use std::ops::Range;

use super::broken::line_before;
use super::markdown::REFERENCES;
use super::prose::{Escapes, Prose, lines, target_len};
use super::target::scheme_start;
use super::{BrokenLink, Parts, Scope};
use memchr::memrchr;
use urlint_standard::url::schemes::MAX_SCHEME;
use urlint_view::Layer;

/// The characters of a URL that have an escape are the dots that would become an ellipsis, and marks. `+++`
/// begins and ends characters that are no markup. References of HTML stay as they are for the browser.
pub(super) const ESCAPES: Escapes = Escapes {
    signs: [b'\\', b'+', b'&'],
    read: |text| {
        let len = match text {
            [b'\\', b'.', b'.', b'.', ..] | [b'\\', b'*' | b'_' | b'#' | b'^' | b'~', ..] => 1,
            [b'+', b'+', b'+', ..] => 3,
            _ => return (REFERENCES.read)(text),
        };
        Some((len, Cow::Borrowed(b"")))
    },
};

/// The greatest length of a target, in bytes.
const MAX_TARGET: usize = 4096;

/// Adds the parts of a document of AsciiDoc.
pub(super) fn parts<'s>(source: &'s [u8], _: Scope, parts: &mut Parts<'s>) {
    let mut prose = Prose::new(source, Layer::AsciiBut(b"[]<>`*_+^~#\""));
    // The delimiter of the listing that is open, and where its text begins.
    let mut listing: Option<(&[u8], usize)> = None;
    // The line before, the number of lines of the paragraph that it ends, and whether it says that macros are read in
    // the listing that is open.
    let (mut before, mut paragraph, mut has_macros): (&[u8], _, _) = (b"", 0, false);
    // Whether the paragraph is verbatim, and the separator of the cells of the table that is open.
    let (mut is_code, mut separator) = (false, None);
    for line in lines(source) {
        let text = source[line.clone()].trim_ascii_end();
        is_code = !text.is_empty() && (is_code || begins_code(before, text));
        if let [sign @ (b'|' | b'!' | b','), b'=', b'=', b'='] = text {
            let is_csv = memchr::memmem::find(before, b"format=csv").is_some();
            let sign = if is_csv { b',' } else { *sign };
            separator = separator.is_none().then_some(sign);
        }
        match listing {
            Some((delimiter, start)) if text == delimiter => {
                prose.keep(line.start);
                prose.end_example(start);
                listing = None;
            }
            None if let Some(delimiter) = listing_delimiter(text, is_code)
                && !(paragraph == 1 && is_underlined(before, delimiter)) =>
            {
                prose.keep(line.end);
                listing = Some((delimiter, prose.len()));
                let has = |word| memchr::memmem::find(before, word).is_some();
                has_macros = before.starts_with(b"[") && (has(b"macros") || has(b"normal"));
            }
            _ => {}
        }
        before = text;
        paragraph = if is_text(text) { paragraph + 1 } else { 0 };
        let is_verbatim = (listing.is_some() || is_code) && !has_macros;
        if let Some(value) = attribute(source, &line).filter(|_| !is_verbatim) {
            add(&mut prose, value.clone(), value.end);
            continue;
        }
        let mut code = None;
        let sign = separator.filter(|_| listing.is_none()).unwrap_or(b':');
        for at in memchr::memchr3_iter(b':', b'`', sign, &source[line.clone()]) {
            let at = line.start + at;
            if at < prose.at() {
                continue;
            } else if Some(source[at]) == separator && listing.is_none() {
                prose.keep(at);
                prose.replace(at + 1, b" ");
            } else if source[at] == b'`' && listing.is_none() {
                prose.keep(at);
                match code.take() {
                    Some(start) => prose.end_example(start),
                    None => code = Some(prose.len()),
                }
            } else if let Some((target, end)) = before_brackets(source, &line, at)
                && !is_verbatim
                && !separator.is_some_and(|sign| source[target.clone()].contains(&sign))
            {
                add(&mut prose, target, end);
            }
        }
        if prose.at() < line.end && !is_verbatim {
            prose.unescape(line.end, &REFERENCES);
        }
    }
    prose.finish(parts);
}

/// Returns the line that ends the block of code that `line` begins: `----`, `....`, `++++` or ```` ``` ````, or `--` if
/// the block `is_code`.
fn listing_delimiter(line: &[u8], is_code: bool) -> Option<&[u8]> {
    if line.starts_with(b"```") {
        return line.get(..3);
    }
    let is_run = |sign: u8| line.len() >= 4 && line.iter().all(|&byte| byte == sign);
    let is_open = is_code && line == b"--";
    (is_open || is_run(b'.') || is_run(b'-') || is_run(b'+')).then_some(line)
}

/// Returns whether a paragraph or a block that begins with `text` is code: by the attributes in the line `before` it,
/// or since it is indented and no item of a list.
fn begins_code(before: &[u8], text: &[u8]) -> bool {
    let styles: [&[u8]; 4] = [b"[source", b"[listing", b"[literal", b"[,"];
    let is_styled = before.ends_with(b"]") && styles.iter().any(|style| before.starts_with(style));
    let is_item = |word: &[u8]| !word.iter().any(u8::is_ascii_alphabetic);
    let mut words = text
        .split(u8::is_ascii_whitespace)
        .skip_while(|word| word.is_empty());
    let is_indented = text.starts_with(b" ") && before.is_empty();
    let has_term = || memchr::memmem::find(text, b"::").is_some();
    is_styled || is_indented && !words.next().is_none_or(is_item) && !has_term()
}

/// Returns whether `line` is text: no title, attributes, comment or delimiter of a block.
fn is_text(line: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let is_attributes = line.starts_with(b"[") && line.ends_with(b"]");
    let is_other = line.starts_with(b".") || line.starts_with(b"//") || line.starts_with(b"```");
    line.iter().any(is_letter) && !is_attributes && !is_other
}

/// Returns whether `line`, a paragraph, is a title with the `underline` below: as long, but for one character.
fn is_underlined(line: &[u8], underline: &[u8]) -> bool {
    let begins_character = |byte: &&u8| (**byte as i8) >= -64;
    let length = line.iter().filter(begins_character).count();
    underline.starts_with(b"-") && underline.len().abs_diff(length) <= 1
}

/// Adds a target; its delimiters end at `end`.
fn add(prose: &mut Prose<'_>, target: Range<usize>, end: usize) {
    if target.start >= prose.at() {
        prose.keep(target.start);
        prose.target(target, &ESCAPES);
        prose.replace(end, b" ");
    }
}

/// The range of the value in `:name: value`, if it is a URL, without `[text]` after it.
fn attribute(source: &[u8], line: &Range<usize>) -> Option<Range<usize>> {
    let text = source[line.clone()].trim_ascii_end();
    let name = text.strip_prefix(b":")?;
    let len = memchr::memchr(b':', name).filter(|&len| len > 0)?;
    let is_name = |&byte: &u8| byte.is_ascii_alphanumeric() || b"-_!".contains(&byte);
    let value = name[len + 1..].strip_prefix(b" ")?.trim_ascii_start();
    let begins_url =
        memchr::memmem::find(value, b"://").is_some_and(|at| scheme_start(&value[..at]) == 0);
    let end = line.start + text.len();
    let has_text = value.ends_with(b"]") && target_len(value, &["["]) < value.len();
    (name[..len].iter().all(is_name) && begins_url && !value.contains(&b' ') && !has_text)
        .then_some(end - value.len()..end)
}

/// The target whose scheme ends at `colon`, if brackets follow it, and its end with the `++` or `$$` of a
/// passthrough around it.
fn before_brackets(
    source: &[u8],
    line: &Range<usize>,
    colon: usize,
) -> Option<(Range<usize>, usize)> {
    let floor = line.start.max(colon.saturating_sub(MAX_SCHEME));
    let before = &source[floor + scheme_start(&source[floor..colon])..colon];
    let letter = before.iter().position(u8::is_ascii_alphabetic);
    let scheme = &before[letter.unwrap_or(before.len())..];
    let start = colon - scheme.len();
    let text = &source[colon + 1..line.end.min(colon + MAX_TARGET)];
    if scheme.is_empty() || !(text.starts_with(b"//") || scheme.eq_ignore_ascii_case(b"mailto")) {
        return None;
    }
    let marks = ["++", "$$"].map(str::as_bytes);
    let mut passthroughs = marks.iter();
    let passthrough = passthroughs.find(|mark| source[line.start..start].ends_with(mark));
    let (len, end) = if let Some(mark) = passthrough {
        let len = memchr::memmem::find(text, mark)?;
        (len, len + 2)
    } else {
        // Most URLs have no brackets after them.
        memchr::memchr3(b'[', b' ', b'\t', text).filter(|&at| text[at] == b'[')?;
        // `[protocol://][user@]host` has no target.
        let len = target_len(text, &["[", "]", "<"]);
        (len, len)
    };
    let is_target = len > 2 && text[end..].starts_with(b"[");
    let target = start..colon + 1 + len;
    is_target.then_some((target, colon + 1 + end))
}

/// Returns why the URL at `start..end` of running text is not the target of a link, although it was meant to be:
/// `[text](URL)`. Brackets directly after a word belong to a macro.
pub(super) fn why_no_link(text: &[u8], start: usize, end: usize) -> Option<BrokenLink> {
    let line = line_before(text, start)?;
    let words = line.strip_suffix(b"](")?;
    let open = memrchr(b'[', words)?;
    let is_apart = line[..open]
        .last()
        .is_none_or(|&byte| b" \t(*_|".contains(&byte));
    let is_text = words[open + 1..]
        .iter()
        .any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    let is_closed = text.get(end..)?.starts_with(b")");
    (is_apart && is_text && is_closed).then_some(BrokenLink::Markdown)
}

#[cfg(test)]
mod tests {
    use super::why_no_link;
    use crate::document::BrokenLink::Markdown;
    use crate::document::broken::testing::check;
    use crate::document::prose::testing::shown;
    use crate::document::{Depth, Kind};

    #[test]
    fn links_that_are_none() {
        let cases = [
            ("* [the page](http://h/x)", Some(Markdown)),
            ("see\n[the page](http://h/x).", Some(Markdown)),
            ("xref:a[the page](http://h/x)", None),
            ("a[i](http://h/x)", None),
            ("[1](http://h/x)", None),
            ("[the page] (http://h/x)", None),
            ("[the page](http://h/x more)", None),
            ("(http://h/x)", None),
        ];
        check(why_no_link, &cases);
    }

    #[test]
    fn documents() {
        let cases: &[(&str, &[&str])] = &[
            ("http://a.example/[text].", &["ta http://a.example/"]),
            (
                "http://a.example/v1\\...v2[text]",
                &["ta http://a.example/v1...v2"],
            ),
            (
                "http://a.example/{{ x }}/y[text]",
                &["ba http://a.example/{{ x }}/y"],
            ),
            ("http://a.example/?a=b[text]", &["ta http://a.example/?a=b"]),
            (
                "link:http://a.example/x_y[text, window=_blank]",
                &["ta http://a.example/x_y"],
            ),
            (
                "image::http://a.example/x.png[]",
                &["ta http://a.example/x.png"],
            ),
            (
                "link:++http://a.example/?q=[a b]++[text]",
                &["ta http://a.example/?q=[a b]"],
            ),
            (
                "link:$$http://a.example/x__y$$[] and $$ at a price",
                &["ta http://a.example/x__y"],
            ),
            // References of HTML stay in the page, but not in code.
            (
                "http://a.example/?b=1&amp;c=2[text] http://a.example/?b=1&amp;d=2.\n\n----\nhttp://a.example/?b&amp;c\n----",
                &[
                    "ta http://a.example/?b=1&c=2",
                    "ba http://a.example/?b=1&d=2",
                    "ba http://a.example/?b&amp;c",
                ],
            ),
            ("mailto:joe@a.example[Joe]", &["ta mailto:joe@a.example"]),
            ("link:a/b.html[x] xref:c[d] include::e.adoc[]", &[]),
            ("see http://a.example/.", &["ba http://a.example/"]),
            ("see http://a.example/ [1] and", &["ba http://a.example/"]),
            (
                "<http://a.example/> *http://b.example/*",
                &["an http://a.example/", "ba http://b.example/"],
            ),
            (":site: http://a.example/x_\n", &["ta http://a.example/x_"]),
            (":url: http://a.example/\r\n", &["ta http://a.example/"]),
            (":x: http://a.example/[Text]\n", &["ta http://a.example/"]),
            (":x: http://[::1]\n", &["ta http://[::1]"]),
            (":x: http://[::1]/[Text]\n", &["ta http://[::1]/"]),
            (
                "http://[::1]:80/ link:http://u@[::1]/x[y] http://[host]/[z]",
                &[
                    "ba http://[::1]:80/",
                    "ta http://u@[::1]/x",
                    "ta http://[host]/",
                ],
            ),
            (
                "----\nhttp://a.example/?q[]=1&r=2\n:x: http://b.example/?y[]\n----\nhttp://c.example/?q[]",
                &[
                    "ba http://a.example/?q[]=1&r=2",
                    "ba http://b.example/?y[]",
                    "ta http://c.example/?q",
                ],
            ),
            // Cells of tables.
            (
                "|===\n|http://a.example/x?a=1|b |http://b.example/[b]|c\n|===\nhttp://c.example/x?a|b[c]",
                &[
                    "ba http://a.example/x?a=1",
                    "ta http://b.example/",
                    "ta http://c.example/x?a|b",
                ],
            ),
            (
                ",===\na,http://a.example/x?a=1,b\n,===\n",
                &["ba http://a.example/x?a=1"],
            ),
            // Code without dashes.
            (
                "[source,sh]\ncurl http://a.example/?q[]=1\n\n curl http://b.example/?q[]=1\n\n * http://c.example/?q[x]",
                &[
                    "ba http://a.example/?q[]=1",
                    "ba http://b.example/?q[]=1",
                    "ta http://c.example/?q",
                ],
            ),
            (
                "[source]\n--\ncurl http://a.example/?q[]=1\n\ncurl http://b.example/?q[]=1\n--\nhttp://c.example/?q[x]",
                &[
                    "ba http://a.example/?q[]=1",
                    "ba http://b.example/?q[]=1",
                    "ta http://c.example/?q",
                ],
            ),
            // A title is text, and as long as its underline.
            (
                "[NOTE]\n----\nhttp://a.example/?q[]=1\n----\nhttp://c.example/?q[]",
                &["ba http://a.example/?q[]=1", "ta http://c.example/?q"],
            ),
            (
                ".Abc\n----\nhttp://a.example/?q[]=1\n----\n====\n----\nhttp://b.example/?q[]=1\n----",
                &["ba http://a.example/?q[]=1", "ba http://b.example/?q[]=1"],
            ),
            (
                "see\nthis:\n----\nhttp://a.example/?q[]=1\n----",
                &["ba http://a.example/?q[]=1"],
            ),
            (
                "Größe\n------\nhttp://a.example/?q[]",
                &["ta http://a.example/?q"],
            ),
            (
                "Abcd\n----\nhttp://a.example/?q[]",
                &["ta http://a.example/?q"],
            ),
            (
                "[subs=+macros]\n----\nhttp://a.example/?q[x]\n----",
                &["ta http://a.example/?q"],
            ),
            (
                "[x]#http://a.example/x# and link:http://a.example/a\\_b\\*[y]",
                &["ba http://a.example/x", "ta http://a.example/a_b*"],
            ),
            ("[xy://][z@]a", &[]),
            (":x: see http://a.example/", &["ba http://a.example/"]),
            ("`http://a.example/`", &["qu http://a.example/"]),
            (
                "http://a.example/[http://b.example/]",
                &["ta http://a.example/", "br http://b.example/"],
            ),
            (
                "http://a.example/<http://b.example/[x]",
                &["ba http://a.example/", "ta http://b.example/"],
            ),
        ];
        for (source, urls) in cases {
            let found = shown(source.as_bytes(), Kind::Asciidoc, Depth::default());
            assert_eq!(found, *urls, "{source:?}");
        }
    }
}
