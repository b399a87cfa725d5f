//! reStructuredText.
//!
//! Targets occur in `` `text <target>`_ ``, `.. _name: target`, `__ target`, images and figures.
//! Everything else is running text. No URL continues from one cell of a table into another.

mod broken;
mod table;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::prose::{Escapes, Prose, lines};
use super::{Link, Parts, Scope, folded};
pub(super) use broken::why_no_link;
#[doc(hidden)]
pub use table::is_simple_border;
use urlint_standard::text::Span;
use urlint_standard::text::window::blanks;
use urlint_view::{Layer, View};

/// A backslash before punctuation, one before a space, which separates, and one before a line break, which is
/// removed with it. A backslash before a letter or a quotation mark is left: it is part of source code.
pub(super) const ESCAPES: Escapes = Escapes {
    signs: [b'\\'; 3],
    read: |text| match text {
        [b'\\', b'"' | b'\'', ..] => None,
        [b'\\', next, ..] if next.is_ascii_punctuation() => Some((2, Cow::Borrowed(&text[1..2]))),
        [b'\\', b'\r', b'\n', ..] => Some((3, Cow::Borrowed(b""))),
        [b'\\', b' ', ..] => Some((2, Cow::Borrowed(b" "))),
        [b'\\', b'\n' | b'\r', ..] => Some((2, Cow::Borrowed(b""))),
        _ => None,
    },
};

/// The escapes in targets: only a space after a backslash or in a placeholder stays.
const TARGET: Escapes = Escapes {
    signs: [b'\\', b' ', b'{'],
    read: |text| match text {
        [b' ', ..] => Some((1, Cow::Borrowed(b""))),
        [b'{', ..] => {
            let len = memchr::memchr(b'}', &text[..text.len().min(MAX_PLACEHOLDER)])?;
            Some((len, Cow::Borrowed(&text[..len])))
        }
        _ => (ESCAPES.read)(text),
    },
};

/// The greatest length of a placeholder, in bytes.
const MAX_PLACEHOLDER: usize = 64;

/// The greatest length of an embedded target, in bytes.
const MAX_EMBEDDED: usize = 2048;

/// Adds the parts of a document of reStructuredText.
pub(super) fn parts<'s>(source: &'s [u8], scope: Scope, parts: &mut Parts<'s>) {
    let mut prose = Prose::new(source, Layer::AsciiBut(b"\\`*_|<>\"")).with_links(scope);
    let mut lines = lines(source).peekable();
    // The indentation before a literal block that begins with the next line, and before the one
    // that is open, and where its text begins.
    let (mut announced, mut literal) = (None, None);
    let mut names = BTreeSet::new();
    let mut tables = View::new(Layer::Ascii);
    while let Some(line) = lines.next() {
        let text = &source[line.clone()];
        let is_outside = |outer| !text.trim_ascii().is_empty() && blanks(text) <= outer;
        if let Some(outer) = announced.take() {
            prose.unescape(line.start, &ESCAPES);
            literal = Some((outer, prose.len()));
        }
        if let Some((_, start)) = literal.take_if(|(outer, _)| is_outside(*outer)) {
            prose.unescape(line.start, &ESCAPES);
            prose.end_example(start);
        }
        if literal.is_none() && begins_literal(text.trim_ascii()) {
            announced = Some(blanks(text));
        }
        if literal.is_none()
            && !scope.is_nested
            && let Some(table) = table::begins(source, &line, lines.clone())
        {
            while lines.next_if(|line| line.start < table.end).is_some() {}
            prose.unescape(line.start, &ESCAPES);
            prose.replace(table.end, b"\n\n");
            let mut lines = table.lines;
            lines.sort_by_key(|(cell, _)| *cell);
            let mut last = usize::MAX;
            for (cell, line) in lines {
                let sign: &[u8] = if cell == last { b"\n" } else { b"\n\n" };
                tables.push_together(sign, Span::new(line.start as u64, line.start as u64));
                tables.copy(&source[line.clone()], line.start as u64);
                last = cell;
            }
            continue;
        }
        let Some(start) = explicit(source, &line) else {
            inline(source, &mut prose, line, literal.is_some());
            continue;
        };
        // Lines that are indented more continue the target, except the options of a directive.
        let indent = blanks(&table::without_marker(&source[line.clone()]));
        let mut end = line.end;
        while let Some(next) = lines.next_if(|next| continues(&source[next.clone()], indent)) {
            end = next.end;
        }
        let (element, anchor) = described(&source[line.start..start]);
        names.extend(anchor.filter(|name| name.contains(&b':')).map(unescaped));
        add(&mut prose, start..end, element, anchor);
    }
    prose.unescape(source.len(), &ESCAPES);
    if let Some((_, start)) = literal {
        prose.end_example(start);
    }
    let first = parts.parts.len();
    prose.finish(parts);
    if !tables.text().is_empty() {
        let (mut inner, is_nested) = (Parts::default(), true);
        self::parts(tables.text(), Scope { is_nested, ..scope }, &mut inner);
        parts.add_within(&tables, inner);
    }
    for text in &mut parts.parts[first..] {
        // Those of the text of the cells are known.
        text.names.extend(names.iter().cloned());
    }
}

/// Returns the `label` of a target without its quotes and escapes.
fn unescaped(label: &[u8]) -> Vec<u8> {
    let plain = label.iter().filter(|byte| !b"`\\".contains(byte));
    plain.copied().collect()
}

/// Returns whether indented lines after this one are code: it ends with `::`, or is a directive for code.
fn begins_literal(line: &[u8]) -> bool {
    const CODE: [&[u8]; 4] = [b"code", b"code-block", b"sourcecode", b"parsed-literal"];
    match line.strip_prefix(b".. ").map(<[u8]>::trim_ascii_start) {
        Some(directive) => {
            let name = memchr::memmem::find(directive, b"::").map(|end| &directive[..end]);
            name.is_some_and(|name| CODE.contains(&name))
        }
        None => line.ends_with(b"::"),
    }
}

/// Adds a target of the element `element`, whose text is `anchor`.
fn add(prose: &mut Prose<'_>, range: Range<usize>, element: Element, anchor: Option<&[u8]>) {
    if range.start >= prose.at() {
        prose.unescape(range.start, &ESCAPES);
        prose.target_over_lines(range.clone(), None, &TARGET);
        prose.describe(prose.len(), || {
            let anchor = anchor.map(|anchor| folded(&ESCAPES.decode(anchor)));
            let (name, attribute) = element;
            Link {
                element: name.into(),
                attribute: Some(attribute.into()),
                anchor: anchor.filter(|anchor| !anchor.is_empty()),
                ..Link::default()
            }
        });
        prose.replace(range.end, b" ");
    }
}

/// The name of an element of HTML and of its attribute.
type Element = (&'static str, &'static str);

/// Returns the element that explicit markup stands for, and the text of the link; `markup` is the
/// text before the target.
fn described(markup: &[u8]) -> (Element, Option<&[u8]>) {
    let markup = markup.trim_ascii();
    if ["image::", "figure::"]
        .iter()
        .any(|name| markup.ends_with(name.as_bytes()))
    {
        return (("img", "src"), None);
    }
    let label = markup
        .strip_prefix(b".. _")
        .and_then(|label| label.strip_suffix(b":"));
    let label = label.map(|label| {
        let quoted = label
            .strip_prefix(b"`")
            .and_then(|label| label.strip_suffix(b"`"));
        quoted.unwrap_or(label)
    });
    (("a", "href"), label.filter(|label| *label != b"_"))
}

/// Adds the targets of all `` `text <target>`_ `` that end in `range`, and notes literals such as ``` ``x`` ```,
/// unless all of it is code.
fn inline(source: &[u8], prose: &mut Prose<'_>, range: Range<usize>, is_code: bool) {
    let mut literal = None;
    for at in memchr::memchr_iter(b'`', &source[range.clone()]) {
        let at = range.start + at;
        let before = &source[range.start..at];
        if source[at..].starts_with(b"``") && !before.ends_with(b"`") && !is_code {
            prose.unescape(at, &ESCAPES);
            match literal.take() {
                Some(start) => prose.end_example(start),
                None => literal = Some(prose.len()),
            }
        } else if before.ends_with(b">") && source[at..].starts_with(b"`_") {
            embedded(source, prose, at - 1);
        }
    }
}

/// Adds the target of `` `text <target>`_ ``, whose `>` is at `end`.
fn embedded(source: &[u8], prose: &mut Prose<'_>, end: usize) {
    let floor = prose.at().max(end.saturating_sub(MAX_EMBEDDED));
    let Some(before) = source.get(floor..end) else {
        return;
    };
    let Some(open) = memchr::memrchr(b'<', before) else {
        return;
    };
    let target = &before[open + 1..];
    let mut lines = target.split(|&byte| byte == b'\n');
    let is_paragraph =
        lines.all(|line| target.len() == line.len() || !line.trim_ascii().is_empty());
    let stands_apart = match before[..open].last() {
        None | Some(b'`') => true,
        Some(byte) => byte.is_ascii_whitespace(),
    };
    if is_paragraph && stands_apart && !target.contains(&b'`') {
        let text = &before[..open];
        let start = memchr::memrchr(b'`', text).map(|at| at + 1);
        let anchor = start.map(|start| &text[start..]);
        add(prose, floor + open + 1..end, ("a", "href"), anchor);
    }
}

/// Returns whether a line continues a target that began in a line with the indentation `indent`.
fn continues(line: &[u8], indent: usize) -> bool {
    let text = line.trim_ascii();
    let is_markup = text.starts_with(b":") || text.starts_with(b"..") || text.starts_with(b"__ ");
    blanks(line) > indent && !text.is_empty() && !is_markup
}

/// The start of the target in a line of explicit markup.
fn explicit(source: &[u8], line: &Range<usize>) -> Option<usize> {
    let text = table::without_marker(&source[line.clone()]);
    let rest = text.trim_ascii_start();
    let after = if let Some(explicit) = rest.strip_prefix(b".. ") {
        let explicit = explicit.trim_ascii_start();
        match explicit {
            [b'_', label @ ..] => after_label(label)?,
            [b'|', name @ ..] => directive(&name[memchr::memchr(b'|', name)? + 1..])?,
            _ => directive(explicit)?,
        }
    } else if let Some(anonymous) = rest.strip_prefix(b"__ ") {
        anonymous
    } else {
        rest.strip_prefix(b":target:")?
    };
    let target = after.trim_ascii_start();
    let begins_url = memchr::memchr(b':', target).is_some_and(|colon| colon > 0);
    (begins_url || target.is_empty()).then_some(line.end - target.len())
}

/// The text after the label of a target.
fn after_label(label: &[u8]) -> Option<&[u8]> {
    if let Some(quoted) = label.strip_prefix(b"`") {
        let end = memchr::memchr(b'`', quoted)?;
        return quoted[end + 1..].strip_prefix(b":");
    }
    let colons = memchr::memchr_iter(b':', label);
    let is_end = |&colon: &usize| {
        let escaped = colon > 0 && label[colon - 1] == b'\\';
        !escaped && matches!(label.get(colon + 1), None | Some(b' ' | b'\t'))
    };
    let end = colons.take(8).find(is_end)?;
    Some(&label[end + 1..])
}

/// The text after the name of a directive that takes a target.
fn directive(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii_start();
    let names: [&[u8]; 2] = [b"image::", b"figure::"];
    names.iter().find_map(|name| text.strip_prefix(*name))
}

#[cfg(test)]
mod tests {
    use crate::document::prose::testing::shown;
    use crate::document::{Depth, Kind};

    #[test]
    fn documents() {
        let cases: &[(&str, &[&str])] = &[
            ("`x <http://a.example/>`_", &["ta http://a.example/"]),
            ("`x <http://a.example/>`__.", &["ta http://a.example/"]),
            ("`<http://a.example/>`_", &["ta http://a.example/"]),
            (
                "`x\n  <http://a.example/\n  y\\_z>`_",
                &["ta http://a.example/y_z"],
            ),
            (
                "`x <http://a.example/{{ x }}/y>`_",
                &["ta http://a.example/{{ x }}/y"],
            ),
            (
                "see ``http://a.example/<user>/{{ x }}``",
                &["qu http://a.example/<user>/{{ x }}"],
            ),
            ("`http://a.example/`_", &["qu http://a.example/"]),
            (".. _x: http://a.example/\n", &["ta http://a.example/"]),
            (
                "- .. _x: http://a.example/x_\n1. .. image:: http://b.example/\n        c.png\n   text",
                &["ta http://a.example/x_", "ta http://b.example/c.png"],
            ),
            (
                ".. _x y:\n   http://a.example/\n   b\n\nc",
                &["ta http://a.example/b"],
            ),
            (".. _`x: y`: http://a.example/\n", &["ta http://a.example/"]),
            (
                "  .. _x: http://a.example/x\\_y\r\n",
                &["ta http://a.example/x_y"],
            ),
            (
                ".. __: http://a.example/\n__ http://b.example/",
                &["ta http://a.example/", "ta http://b.example/"],
            ),
            (
                "__ http://a.example/x-\n  __ http://b.example/y/\n  __ http://c.example/z",
                &[
                    "ta http://a.example/x-",
                    "ta http://b.example/y/",
                    "ta http://c.example/z",
                ],
            ),
            (
                "  __ http://a.example/x/\n     y\n  .. __: http://b.example/\n  z_ is",
                &["ta http://a.example/x/y", "ta http://b.example/"],
            ),
            (
                ".. image:: http://a.example/x.png\n   :target: http://b.example/\n   :alt: x",
                &["ta http://a.example/x.png", "ta http://b.example/"],
            ),
            (
                ".. |x| image:: http://a.example/x.png",
                &["ta http://a.example/x.png"],
            ),
            ("`x <http://a.example/>`_::", &["ta http://a.example/"]),
            (".. note:: http://a.example/ is", &["ba http://a.example/"]),
            (
                ".. a comment: http://a.example/\n",
                &["ba http://a.example/"],
            ),
            ("see http://a.example/x\\_y.", &["ba http://a.example/x_y"]),
            ("see http://a.example/x_, and", &["ba http://a.example/x_"]),
            (
                "*http://a.example/* ``http://b.example/``",
                &["ba http://a.example/", "qu http://b.example/"],
            ),
            ("http://a.example/\\ s", &["ba http://a.example/"]),
            (
                "http://a.example/x\\ :sup:`1` http://b.example/\\ 中文",
                &["ba http://a.example/x", "ba http://b.example/"],
            ),
            (
                "`x <http://a.example/x y>`_ `x <http://a.example/x\\ y>`_",
                &["ta http://a.example/xy", "ta http://a.example/x y"],
            ),
            (
                ".. image:: http://a.example/x y.png\n   :target: http://b.example/x y\n",
                &["ta http://a.example/xy.png", "ta http://b.example/xy"],
            ),
            ("print(\"http://a.example/\\n\")", &["ba http://a.example/"]),
            ("<http://a.example/\n  x>", &["an http://a.example/x"]),
            ("`x <y_>`_ >`_ <>`_", &[]),
        ];
        for (source, urls) in cases {
            let found = shown(source.as_bytes(), Kind::Rst, Depth::default());
            assert_eq!(found, *urls, "{source:?}");
        }
    }

    #[test]
    fn cells_of_tables() {
        let cases: &[(&str, &[&str])] = &[
            (
                "+-----+-----+\n| <http://a.example/ | http://b.example/x-|\n| y> | c/d   |\n+-+-+\n",
                &["an http://a.example/y", "ba http://b.example/x-"],
            ),
            // A cell of a grid is read as a document: its lines belong together, up to the border of its row.
            (
                "+------+----+\n| `x <http://a.example/ | b |\n| c>`_ | `<http://d.example/>`_ |\n",
                &["ta http://a.example/c", "ta http://d.example/"],
            ),
            (
                "+------+----+\n| `x <http://a.example/ | b |\n+------+----+\n| c>`_ | .. image:: http://d.example/x |\n|  | y |\n+---+---+\n",
                &["ba http://a.example/", "ta http://d.example/x"],
            ),
            (
                "+-----------+\n| +---+---+ |\n| | a | http://a.example/ |\n| +---+---+ |\n+-----------+\n\n::\n\n  +---+\n  | `x <http://b.example/>`_ |\n",
                &["ba http://a.example/", "ta http://b.example/"],
            ),
            (
                "+---+\n| .. _x: http://a.example/ |\n|       b |\n+---+\n",
                &["ta http://a.example/b"],
            ),
            // A bar with text around it separates cells only at a corner of the border.
            (
                "+---+---+\n|http://a.example/?b|c|\n",
                &["ba http://a.example/?b|c"],
            ),
            (
                "+-----------------+---+\n|http://a.example/|b/c|\n",
                &["ba http://a.example/"],
            ),
            (
                "==================  ===\nhttp://a.example/  <http://b.example/c\n<http://d.example/\ne>                 f>\n==================  ===\n",
                &[
                    "ba http://a.example/",
                    "ba http://b.example/c",
                    "ba http://d.example/",
                ],
            ),
            // The text of the last column continues in lines where the other columns are empty.
            (
                "=====  =====\né      `x <http://a.example/\n       b>`_\nc      <http://d.example/\n       e>\n=====  =====\n\n<http://f.example/\ng>",
                &[
                    "ta http://a.example/b",
                    "an http://d.example/e",
                    "an http://f.example/g",
                ],
            ),
            (
                "===  ===\n<URL:http://a.example/  b>\n===  ===\n",
                &["wr http://a.example/b"],
            ),
            (
                "=====================  ===\n<URL:http://a.example/ b>\n=====================  ===\n",
                &["wr http://a.example/"],
            ),
            // A table in a list begins behind the marker of its item.
            (
                "* =====  =====\n  row 1  a\n  =====  =====\n\n__ http://a.example/\n   #b\n\n=====  =====\nx      <http://b.example/\ny>\n=====  =====\n",
                &["ta http://a.example/#b", "ba http://b.example/"],
            ),
            (
                "#. ===  =====\n   a    `x <http://a.example/\n        b>`_\n   ===  =====\n\n<http://c.example/\nd>",
                &["ta http://a.example/b", "an http://c.example/d"],
            ),
            (
                "1) +-----------------+---+\n   |http://a.example/|b/c|\n   +-----------------+---+\n",
                &["ba http://a.example/"],
            ),
            // No table: a heading, and a border without an end.
            (
                "====\n<http://a.example/\nb>\n====\n",
                &["an http://a.example/b"],
            ),
            (
                "==== ==\n<http://a.example/\nb>\n",
                &["an http://a.example/b"],
            ),
        ];
        for (source, urls) in cases {
            let found = shown(source.as_bytes(), Kind::Rst, Depth::default());
            assert_eq!(found, *urls, "{source:?}");
        }
    }
}
