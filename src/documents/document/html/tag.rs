//! Tags of HTML: their edges in the text, and how their content is read.

use html5gum::State;

use crate::document::markup::Edge;

/// Content of an element in which tags are not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Raw {
    /// A title: text that is wrapped, with references.
    Title,
    /// Text that is shown line by line, with references.
    Textarea,
    /// Text that is shown line by line, without references.
    Verbatim,
    /// Text that is shown line by line, without references, to the end of the page.
    Endless,
    Script,
    Style,
}

impl Raw {
    /// Returns how the content of an element is read; `None` if it is ordinary text and tags, as is
    /// the content that a browser shows only without frames, plug-ins or scripts.
    pub(super) fn of(name: &[u8]) -> Option<Raw> {
        Some(match name {
            b"title" => Raw::Title,
            b"textarea" => Raw::Textarea,
            b"xmp" => Raw::Verbatim,
            b"plaintext" => Raw::Endless,
            b"script" => Raw::Script,
            b"style" => Raw::Style,
            _ => return None,
        })
    }

    /// The state in which the tokenizer reads the content.
    pub(super) fn state(self) -> State {
        match self {
            Raw::Title | Raw::Textarea => State::RcData,
            Raw::Verbatim | Raw::Style => State::RawText,
            Raw::Endless => State::PlainText,
            Raw::Script => State::ScriptData,
        }
    }
}

/// Returns whether the content of an element is shown line by line.
pub(super) fn is_preformatted(name: &[u8]) -> bool {
    matches!(name, b"pre" | b"listing")
}

/// Returns the edge that the tag of an element shows in the text; `None` if the element is inline,
/// as every unknown one is.
pub(in crate::document) fn edge(name: &[u8]) -> Option<Edge> {
    match name {
        b"a" => Some(Edge::Link),
        b"audio" | b"button" | b"canvas" | b"embed" | b"iframe" | b"img" | b"input" | b"meter"
        | b"object" | b"picture" | b"progress" | b"select" | b"sup" | b"svg" | b"td" | b"th"
        | b"video" => Some(Edge::Blank),
        b"address" | b"article" | b"aside" | b"blockquote" | b"body" | b"br" | b"caption"
        | b"center" | b"dd" | b"details" | b"dialog" | b"dir" | b"div" | b"dl" | b"dt"
        | b"fieldset" | b"figcaption" | b"figure" | b"footer" | b"form" | b"frameset" | b"h1"
        | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"head" | b"header" | b"hgroup" | b"hr"
        | b"html" | b"legend" | b"li" | b"main" | b"menu" | b"nav" | b"noframes" | b"ol"
        | b"optgroup" | b"option" | b"p" | b"script" | b"section" | b"style" | b"summary"
        | b"table" | b"tbody" | b"tfoot" | b"thead" | b"title" | b"tr" | b"ul" => Some(Edge::Break),
        _ => None,
    }
}
