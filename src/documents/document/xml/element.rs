//! The elements of XML vocabularies: their edges in the text, and how their content is read.

use crate::document::markup::Edge;

/// How the content of an element is read, if not as text and tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementContent {
    /// Text that is wrapped when it is shown, as in most elements.
    Flow,
    /// Text that is shown line by line.
    Lines,
    /// A program or a style.
    Hidden,
    /// Text that may be a document of HTML, as in feeds.
    Embedded,
    /// The instruction of a field, which may be a link.
    Field,
    /// The formula of a cell, which may make a link.
    Formula,
}

impl ElementContent {
    /// Returns how the element `name` is read. `has_styles` says that its document may have style sheets.
    pub(super) fn of(name: &[u8], has_styles: bool) -> Option<ElementContent> {
        match name {
            // RFCXML, XHTML, DocBook.
            b"artwork" | b"sourcecode" | b"pre" | b"listing" | b"textarea" | b"programlisting"
            | b"screen" | b"literallayout" | b"synopsis" | b"verbatim" => {
                Some(ElementContent::Lines)
            }
            b"style" if !has_styles => None,
            b"script" | b"style" => Some(ElementContent::Hidden),
            b"description" | b"encoded" | b"content" | b"summary" | b"title" | b"subtitle"
            | b"rights" | b"info" | b"tagline" => Some(ElementContent::Embedded),
            _ => None,
        }
    }
}

/// Returns whether an element of that name, of HTML, SVG or XSLT, may hold style sheets.
pub(super) fn may_hold_styles(name: &[u8]) -> bool {
    matches!(
        name,
        b"html" | b"head" | b"body" | b"div" | b"svg" | b"stylesheet" | b"transform"
    )
}

/// Returns the edge that the tag of an element shows in the text; `None` if the element is inline.
/// An unknown element is not taken to be inline.
pub(super) fn edge(name: &[u8]) -> Option<Edge> {
    match name {
        b"abbr" | b"acronym" | b"b" | b"bcp14" | b"bdi" | b"bdo" | b"big" | b"code" | b"del"
        | b"dfn" | b"em" | b"emphasis" | b"font" | b"i" | b"ins" | b"kbd" | b"mark" | b"q"
        | b"s" | b"samp" | b"small" | b"span" | b"spanx" | b"strike" | b"strong" | b"sub"
        | b"sup" | b"tspan" | b"tt" | b"u" | b"var" | b"wbr" => None,
        b"a" | b"contact" | b"cref" | b"eref" | b"iref" | b"relref" | b"ulink" | b"uri"
        | b"xref" => Some(Edge::Link),
        _ => Some(Edge::Break),
    }
}

/// Returns whether the content of an element of that name is nothing but a URL.
pub(super) fn is_location(name: &[u8]) -> bool {
    matches!(name, b"link" | b"loc" | b"uri" | b"url")
}

/// Returns whether an element of that name is a link whose text is its content.
pub(super) fn is_link(name: &[u8]) -> bool {
    matches!(
        name,
        b"a" | b"eref" | b"link" | b"ref" | b"relref" | b"ulink" | b"uri" | b"xref"
    )
}

/// Returns whether an element of that name holds a URL and no prose: all of it belongs to the URL.
pub(super) fn is_address(name: &[u8]) -> bool {
    matches!(name, b"guid" | b"id" | b"link" | b"loc" | b"uri" | b"url")
}

/// A name without its prefix.
pub(super) fn local(name: &[u8]) -> &[u8] {
    let start = memchr::memrchr(b':', name).map_or(0, |colon| colon + 1);
    &name[start..]
}

/// Returns whether `text` has a tag of HTML; `<http://a.example/>` is not one.
pub(super) fn is_html(text: &[u8]) -> bool {
    memchr::memchr_iter(b'<', text).any(|at| {
        let tag = &text[at + 1..];
        let tag = tag.strip_prefix(b"/").unwrap_or(tag);
        let name = tag
            .iter()
            .take(16)
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
        tag.first().is_some_and(u8::is_ascii_alphabetic) && tag.get(name).is_some_and(ends)
    })
}
