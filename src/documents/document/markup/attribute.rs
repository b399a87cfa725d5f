//! Attributes: their kinds, and the URLs in their values.

use std::ops::Range;

use super::{Add, Edge, MarkupTexts, Value, at, may_begin_with_scheme, whole, words};
use crate::document::target::scheme_start;
use crate::document::{is_one_url, json};
use urlint_standard::text::Span;
use urlint_standard::text::ascii::{begins, ends};
use urlint_view::{Layer, View};

/// The kind of an attribute, by its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AttributeKind {
    Url,
    /// A URL in some formats, and a name in others, such as `_blank`: only one with a scheme is a URL.
    UrlOrName,
    /// Several URLs separated by white space.
    Urls,
    /// Relation types separated by white space, some of which may be URLs.
    Relations,
    /// The image candidates of `srcset`: several URLs, each with its descriptor.
    Sources,
    /// Text that people read, or in `meta` the page to go to.
    Text,
    /// A program or a style.
    Program,
    /// An identifier in the form of a URL that is not a link.
    Identifier,
    /// The instruction of a field in a document of Word, which may be a link.
    Field,
    /// The formula of a cell, whose strings may be URLs.
    Formula,
    Other,
}

impl AttributeKind {
    pub(crate) fn of(name: &[u8]) -> AttributeKind {
        match name {
            b"href" | b"src" | b"action" | b"formaction" | b"cite" | b"data" | b"poster"
            | b"background" | b"longdesc" | b"codebase" | b"manifest" | b"lowsrc" | b"dynsrc"
            | b"xlink:href" => AttributeKind::Url,
            b"icon" | b"target" | b"url" => AttributeKind::UrlOrName,
            b"ping" | b"profile" | b"archive" => AttributeKind::Urls,
            b"rel" | b"rev" => AttributeKind::Relations,
            b"srcset" | b"imagesrcset" => AttributeKind::Sources,
            b"content" | b"title" | b"alt" | b"summary" | b"label" | b"placeholder"
            | b"aria-label" | b"aria-description" => AttributeKind::Text,
            b"style" => AttributeKind::Program,
            b"itemtype" | b"vocab" | b"prefix" | b"epub:prefix" | b"xmlns" => {
                AttributeKind::Identifier
            }
            name if name.starts_with(b"xmlns:") => AttributeKind::Identifier,
            name if ends(name, "schemalocation") => AttributeKind::Identifier,
            name if name.starts_with(b"on") => AttributeKind::Program,
            _ => AttributeKind::Other,
        }
    }
}

/// An attribute whose value is to be read.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) kind: AttributeKind,
    /// The range of its value in the source, without quotes.
    pub(crate) value: Range<usize>,
    /// Whether it belongs to `meta`.
    pub(crate) of_meta: bool,
}

impl MarkupTexts {
    /// Takes the parts of the value of `attribute` that are to be read, decoded by `add`.
    pub(crate) fn attribute(&mut self, source: &[u8], attribute: Attribute, add: impl Add) {
        let Attribute {
            kind,
            value: range,
            of_meta,
        } = attribute;
        let value = source.get(range.clone()).unwrap_or_default();
        let targets = &mut self.targets;
        match kind {
            AttributeKind::Url | AttributeKind::UrlOrName
                if self.scope.deep && is_program(value) =>
            {
                self.hide(source, range);
            }
            AttributeKind::UrlOrName if targets.relative && !may_begin_with_scheme(value) => {}
            AttributeKind::Url | AttributeKind::UrlOrName => {
                targets.value(source, range, add, whole);
            }
            AttributeKind::Urls => targets.value(source, range, add, words),
            AttributeKind::Sources => targets.value(source, range, add, sources),
            AttributeKind::Field => targets.value(source, range, add, field),
            AttributeKind::Formula => targets.value(source, range, add, formula),
            AttributeKind::Relations => targets.value(source, range, add, |text, target| {
                words(text, &mut |word| {
                    if Value::of(&text[word.clone()]) == Value::Url {
                        target(word);
                    }
                });
            }),
            AttributeKind::Program => self.hide(source, range),
            // No URL continues in the next word.
            AttributeKind::Identifier => words(value, &mut |word| {
                self.hide(source, range.start + word.start..range.start + word.end);
            }),
            AttributeKind::Other if begins_json(value) => self.json(source, range, add),
            AttributeKind::Text | AttributeKind::Other => match Value::of_decoded(value, &add) {
                Value::Url => targets.value(source, range, add, whole),
                Value::Other if of_meta && refresh(value).is_some() => {
                    targets.value(source, range, add, |text, target| {
                        refresh(text).into_iter().for_each(target);
                    });
                }
                Value::Other
                    if !self.scope.is_nested && begins_html(value) && {
                        let mut text = View::new(Layer::References);
                        add(&mut text, value, range.start as u64);
                        self.html.take_html(&text)
                    } => {}
                Value::Other if kind == AttributeKind::Other && !may_be_text(value) => {}
                Value::Text | Value::Other => {
                    if memchr::memchr2(b':', b'&', value).is_some() {
                        self.asides.edge(Edge::Gap, at(range.start));
                        self.asides.text(source, range, add);
                    }
                }
            },
        }
    }
}

impl MarkupTexts {
    /// Takes the strings of the JSON at `range` of `source`.
    fn json(&mut self, source: &[u8], range: Range<usize>, add: impl Add) {
        let mut value = View::new(Layer::References);
        add(&mut value, &source[range.clone()], range.start as u64);
        let mut others = View::new(Layer::References);
        for string in json::strings(value.text()) {
            let text = json::decoded(&value.text()[string.clone()], string.start as u64);
            let text = value.compose(text);
            if json::is_target(text.text()) || is_one_url(text.text()) {
                let add = |view: &mut View<'static>, _: &[u8], _: u64| view.append(&text);
                self.targets.value(source, range.clone(), add, whole);
            } else if memchr::memchr(b':', text.text()).is_some() {
                let end = string.end as u64;
                others.append(&text);
                others.push_together(b"\n\n", value.map_whole(Span::new(end, end)));
            }
        }
        if !others.text().is_empty() {
            self.asides.edge(Edge::Gap, at(range.start));
            let add = |view: &mut View<'static>, _: &[u8], _: u64| view.append(&others);
            self.asides.text(source, range, add);
        }
    }
}

/// Returns whether `value`, which may have references, begins as an object or array of JSON does.
fn begins_json(value: &[u8]) -> bool {
    let mut signs = value.iter().filter(|byte| !byte.is_ascii_whitespace());
    match (signs.next(), signs.next()) {
        (Some(b'{'), Some(sign)) => b"\"&".contains(sign),
        (Some(b'['), Some(sign)) => b"\"&{[".contains(sign),
        _ => false,
    }
}

/// Returns whether `value`, which may have references, begins as HTML does.
fn begins_html(value: &[u8]) -> bool {
    let value = value.trim_ascii_start();
    value.starts_with(b"<") || begins(value, "&lt;")
}

/// Returns whether an attribute of any name with this `value` may be read.
pub(crate) fn may_be_read(value: &[u8]) -> bool {
    may_begin_with_scheme(value) || begins_json(value) || may_be_text(value)
}

/// Returns whether the `value` of an attribute of any name is text with a URL, or HTML, and not a program or a
/// template: a word before the URL, or a tag at its beginning.
fn may_be_text(value: &[u8]) -> bool {
    let value = value.trim_ascii_start();
    memchr::memmem::find(value, b"://").is_some_and(|at| {
        let before = value[..scheme_start(&value[..at])].last();
        let is_apart =
            before.is_some_and(|byte| byte.is_ascii_whitespace() || b";>".contains(byte));
        let is_program = value.starts_with(b"{") || value.starts_with(b"[");
        begins_html(value) || (is_apart && !is_program)
    })
}

fn is_program(value: &[u8]) -> bool {
    begins(value.trim_ascii_start(), "javascript:")
}

/// Finds the URLs of `srcset`: each ends at white space, and its descriptor at a comma.
fn sources(text: &[u8], target: &mut dyn FnMut(Range<usize>)) {
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let start = at + rest.iter().take_while(|byte| is_between(byte)).count();
        let after = text[start..].iter();
        let end = start + after.take_while(|byte| !byte.is_ascii_whitespace()).count();
        let url = &text[start..end];
        let commas = url.iter().rev().take_while(|&&byte| byte == b',').count();
        if commas < url.len() {
            target(start..end - commas);
        }
        at = match commas {
            0 => end + descriptor(&text[end..]),
            _ => end,
        };
    }
}

/// The length of a descriptor: up to a comma outside of parentheses.
fn descriptor(text: &[u8]) -> usize {
    let mut in_brackets = false;
    let ends = |byte: &u8| {
        match byte {
            b'(' => in_brackets = true,
            b')' => in_brackets = false,
            _ => {}
        }
        *byte == b',' && !in_brackets
    };
    text.iter().position(ends).unwrap_or(text.len())
}

/// The range of the URL in `5; URL='http://a.example/'`, the `content` of a `meta` that redirects.
fn refresh(text: &[u8]) -> Option<Range<usize>> {
    let skip = |at: usize, is: &dyn Fn(u8) -> bool| {
        let rest = text.get(at..).unwrap_or_default().iter();
        at + rest.take_while(|&&byte| is(byte)).count()
    };
    let is_space = |byte: u8| byte.is_ascii_whitespace();
    let time = skip(0, &|byte| {
        is_space(byte) || byte.is_ascii_digit() || byte == b'.'
    });
    let name = skip(time, &|byte| is_space(byte) || matches!(byte, b';' | b','));
    let word = text.get(name..name + 3)?;
    let equals = skip(name + 3, &is_space);
    if !word.eq_ignore_ascii_case(b"url") || text.get(equals) != Some(&b'=') {
        return None;
    }
    let start = skip(equals + 1, &is_space);
    Some(match text.get(start) {
        Some(&quote @ (b'"' | b'\'')) => start + 1..skip(start + 1, &|byte| byte != quote),
        _ => start..text.len(),
    })
}

/// Finds the strings in the formula of a cell that are not joined to something else by `&`:
/// `HYPERLINK("http://a.example/", "a")`. In `"[http://a.example/b.xlsx]Sheet1!A1"`, a place in a file follows its URL.
fn formula(text: &[u8], target: &mut dyn FnMut(Range<usize>)) {
    let mut parts = text.split(|&byte| byte == b'"');
    let mut before = parts.next().unwrap_or_default();
    let mut at = before.len() + 1;
    while let (Some(string), Some(after)) = (parts.next(), parts.next()) {
        let joins = |byte: Option<&u8>| byte == Some(&b'&');
        if !joins(before.trim_ascii_end().last()) && !joins(after.trim_ascii_start().first()) {
            let file = string
                .strip_prefix(b"[")
                .and_then(|file| memchr::memchr(b']', file));
            let place = file.map_or(0..string.len(), |len| 1..1 + len);
            target(at + place.start..at + place.end);
        }
        at += string.len() + after.len() + 2;
        before = after;
    }
}

/// Finds the URL in the instruction of a field of Word: `HYPERLINK \l "here" "http://a.example/"`.
fn field(text: &[u8], target: &mut dyn FnMut(Range<usize>)) {
    let mut at = 0;
    let mut next = || {
        let rest = text.get(at..)?;
        let start = at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let is_quoted = text[start] == b'"';
        let start = start + usize::from(is_quoted);
        let ends = |byte: &u8| {
            if is_quoted {
                *byte == b'"'
            } else {
                byte.is_ascii_whitespace()
            }
        };
        let length = text[start..].iter().position(ends);
        let end = length.map_or(text.len(), |length| start + length);
        at = end + 1;
        Some((start..end, is_quoted))
    };
    let names: [&[u8]; 3] = [b"HYPERLINK", b"INCLUDEPICTURE", b"INCLUDETEXT"];
    let is = |range: Range<usize>, name: &[u8]| text[range].eq_ignore_ascii_case(name);
    let is_link =
        |(range, _): (Range<usize>, bool)| names.iter().any(|name| is(range.clone(), name));
    if !next().is_some_and(is_link) {
        return;
    }
    while let Some((range, is_quoted)) = next() {
        if is_quoted || text[range.start] != b'\\' {
            return target(range);
        }
        // Switches with a value: a place in the target, a tip, a frame.
        if [b"\\l", b"\\o", b"\\t"]
            .iter()
            .any(|name| is(range.clone(), *name))
        {
            next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_sources() {
        let cases: [(&str, &[&str]); 9] = [
            ("a", &["a"]),
            ("a 1x, b 2x", &["a", "b"]),
            (" a,\n b 2x,", &["a", "b"]),
            ("a,b 1x", &["a,b"]),
            ("http://a/w_1,h_2/x 1x,y", &["http://a/w_1,h_2/x", "y"]),
            ("a (1,2), b", &["a", "b"]),
            ("a (1,2", &["a"]),
            (",, ,", &[]),
            ("", &[]),
        ];
        for (value, expected) in cases {
            let mut found = Vec::new();
            sources(value.as_bytes(), &mut |range| found.push(&value[range]));
            assert_eq!(found, expected, "{value:?}");
        }
    }

    #[test]
    fn redirections() {
        let cases = [
            ("5; URL='http://a/'", Some("http://a/")),
            ("0;url=\"http://a/\" x", Some("http://a/")),
            ("0;url=http://a/", Some("http://a/")),
            (" 1.5 , Url = http://a/'", Some("http://a/'")),
            ("url=x", Some("x")),
            ("5;url='x", Some("x")),
            ("5", None),
            ("5; ur", None),
            ("curl=x", None),
        ];
        for (value, url) in cases {
            let found = refresh(value.as_bytes()).map(|range| &value[range]);
            assert_eq!(found, url, "{value:?}");
        }
    }

    #[test]
    fn formulas() {
        let cases: [(&str, &[&str]); 5] = [
            (r#"HYPERLINK("http://a/ b";"c")"#, &["http://a/ b", "c"]),
            (r#"HYPERLINK("http://a/"&A1,"c")"#, &["c"]),
            (r#"HYPERLINK("http://a/" & "b")"#, &[]),
            (r#"A1+"http://a/"#, &[]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            let mut found = Vec::new();
            formula(text.as_bytes(), &mut |range| found.push(&text[range]));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn urls_in_fields_of_word() {
        for (field_text, url) in [
            (r#" HYPERLINK "http://a/" "#, Some("http://a/")),
            (r#"hyperlink http://a/ \o "x""#, Some("http://a/")),
            (r#"HYPERLINK \l "b" \n "http://a/ b""#, Some("http://a/ b")),
            (r#"HYPERLINK "http://a/"#, Some("http://a/")),
            (
                r#"INCLUDEPICTURE "http://a/" \* MERGEFORMATINET"#,
                Some("http://a/"),
            ),
            (r#"HYPERLINK \l "b""#, None),
            (r#"HYPERLINK \l"#, None),
            (r#"REF http://a/"#, None),
            ("", None),
        ] {
            let mut found = None;
            field(field_text.as_bytes(), &mut |range| {
                found = Some(&field_text[range]);
            });
            assert_eq!(found, url, "{field_text}");
        }
    }
}
