//! The vocabularies of office documents: which elements hold their text, and which attributes their
//! links. Everything else is layout, properties, and names in the form of URLs.

use super::element::{ElementContent, local};
use crate::document::markup::{AttributeKind, Edge};
use urlint_standard::text::ascii::{WordList, begins};

/// How the names of the elements of OpenDocument begin that only mark a place in the text.
const MARKS: WordList = WordList(
    "bookmark reference-mark change annotation-end toc-mark alphabetical-index-mark user-index-mark",
);

/// A vocabulary of office documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Office {
    /// Office Open XML (ISO/IEC 29500): Word, PowerPoint, Excel.
    OpenXml,
    /// OpenDocument (ISO/IEC 26300), whose namespaces EPUB uses for its container. The package of EPUB
    /// is read in the same way.
    OpenDocument,
}

impl Office {
    /// The vocabulary that a namespace belongs to.
    pub(super) fn of(namespace: &[u8]) -> Option<Office> {
        const OPEN_XML: [&[u8]; 4] = [
            b"http://schemas.openxmlformats.org/",
            b"http://purl.oclc.org/ooxml/",
            b"http://schemas.microsoft.com/office/",
            // Signatures.
            b"http://www.w3.org/2000/09/xmldsig#",
        ];
        const OPEN_DOCUMENT: [&[u8]; 3] = [
            b"urn:oasis:names:tc:opendocument:xmlns:",
            b"http://www.idpf.org/2007/opf",
            b"http://www.daisy.org/z3986/2005/ncx/",
        ];
        let begins = |start: &[u8]| namespace.starts_with(start);
        if OPEN_DOCUMENT.into_iter().any(begins) {
            Some(Office::OpenDocument)
        } else if OPEN_XML.into_iter().any(begins)
            && !begins(b"http://schemas.microsoft.com/office/visio/")
        {
            Some(Office::OpenXml)
        } else {
            None
        }
    }

    /// How the content of an element is read; `None` if the elements around it decide that.
    pub(super) fn content(self, name: &[u8]) -> Option<ElementContent> {
        match (self, name) {
            (Office::OpenXml, b"t" | b"text" | b"v") | (Office::OpenDocument, b"p" | b"h") => {
                Some(ElementContent::Flow)
            }
            (Office::OpenXml, b"instrText") => Some(ElementContent::Field),
            (Office::OpenXml, b"f") => Some(ElementContent::Formula),
            // A copy for older programs, and text that has been deleted or moved away.
            (Office::OpenXml, b"Fallback" | b"moveFrom")
            | (Office::OpenDocument, b"tracked-changes") => Some(ElementContent::Hidden),
            _ => None,
        }
    }

    /// The edge that the tag of an element shows in the text; `None` if text goes on over it.
    pub(super) fn edge(self, name: &[u8]) -> Option<Edge> {
        match (self, name) {
            (Office::OpenXml, b"tab" | b"ptab") | (Office::OpenDocument, b"s" | b"tab") => {
                Some(Edge::Blank)
            }
            (
                Office::OpenXml,
                b"p" | b"si" | b"is" | b"text" | b"f" | b"v" | b"rPh" | b"br" | b"cr",
            ) => Some(Edge::Break),
            (Office::OpenXml, _)
            | (
                Office::OpenDocument,
                b"span" | b"a" | b"ruby" | b"ruby-base" | b"meta" | b"soft-page-break",
            ) => None,
            (Office::OpenDocument, name) => {
                let is_mark = MARKS.iter().any(|mark| begins(name, mark));
                (!is_mark).then_some(Edge::Break)
            }
        }
    }

    /// How the value of an attribute is read, if at all. `is_external` says that the element is a
    /// relationship to something outside of the document.
    pub(super) fn attribute(self, name: &[u8], is_external: bool) -> Option<AttributeKind> {
        match (self, local(name)) {
            (Office::OpenXml, b"Target") if is_external => Some(AttributeKind::Url),
            // Links of drawings, of Word 2003, and of tables from the web.
            (Office::OpenXml, b"href" | b"dest" | b"url") => Some(AttributeKind::UrlOrName),
            (Office::OpenXml, b"instr") => Some(AttributeKind::Field),
            (Office::OpenDocument, b"href") => Some(AttributeKind::Url),
            (Office::OpenDocument, b"url") => Some(AttributeKind::UrlOrName),
            (Office::OpenDocument, b"formula") => Some(AttributeKind::Formula),
            _ => Some(AttributeKind::of(name)).filter(|kind| *kind == AttributeKind::Identifier),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces() {
        for (namespace, office) in [
            (
                "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
                Some(Office::OpenXml),
            ),
            (
                "http://schemas.microsoft.com/office/2006/xmlPackage",
                Some(Office::OpenXml),
            ),
            (
                "urn:oasis:names:tc:opendocument:xmlns:container",
                Some(Office::OpenDocument),
            ),
            ("http://www.idpf.org/2007/opf", Some(Office::OpenDocument)),
            ("http://schemas.microsoft.com/office/visio/2012/main", None),
            ("urn:schemas-microsoft-com:vml", None),
            ("", None),
        ] {
            assert_eq!(Office::of(namespace.as_bytes()), office, "{namespace}");
        }
    }
}
