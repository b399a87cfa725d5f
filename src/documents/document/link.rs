//! The description of a link in markup, without its target.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::Part;
use urlint_standard::url::password::redacted_text;

/// The description of a link in markup, without its target.
///
/// Links of Markdown and reStructuredText are described as the HTML that they stand for.
///
/// `Debug` shows passwords as `***`.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// The name of the element, without a prefix: `a`. In HTML it is in lower case.
    pub element: Vec<u8>,
    /// The name of the attribute: `href`. `None` if the URL is in the text of an element of XML.
    pub attribute: Option<Vec<u8>>,
    /// The text of the link, or the description of an image, with its white space folded.
    pub anchor: Option<Vec<u8>>,
    /// The title.
    pub title: Option<Vec<u8>>,
    /// The types of the link: `nofollow`.
    pub rel: Option<Vec<u8>>,
    /// The place of the link in the running text: how many parts after its own, and the range.
    pub(crate) around: Option<(isize, Range<usize>)>,
}

impl Link {
    /// Returns the description of an element of which nothing else is known.
    pub(crate) fn of(element: &[u8]) -> Self {
        Link {
            element: element.to_vec(),
            ..Link::default()
        }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &Vec<u8>| {
            let text = redacted_text(text);
            String::from_utf8_lossy(&text).into_owned()
        };
        f.debug_struct("Link")
            .field("element", &shown(&self.element))
            .field("attribute", &self.attribute.as_ref().map(shown))
            .field("anchor", &self.anchor.as_ref().map(shown))
            .field("title", &self.title.as_ref().map(shown))
            .field("rel", &self.rel.as_ref().map(shown))
            .finish_non_exhaustive()
    }
}

/// The descriptions of the links of a part, if requested.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    /// The links of the targets, in order.
    pub(crate) targets: Vec<Link>,
    /// The offsets where the XML element around a text changes, in order.
    pub(crate) elements: Vec<(usize, Option<Arc<Link>>)>,
}

impl Part<'_> {
    /// The link of the candidate that begins at `at` of the text.
    pub(crate) fn link(&self, at: u64) -> Option<&Link> {
        let at = usize::try_from(at).ok()?;
        if let Some(ranges) = self.targets() {
            let next = ranges.partition_point(|range| range.start <= at);
            return self.links.targets.get(next.checked_sub(1)?);
        }
        let elements = &self.links.elements;
        let next = elements.partition_point(|(start, _)| *start <= at);
        let (_, element) = elements.get(next.checked_sub(1)?)?;
        element.as_deref()
    }
}

/// Returns `text` with its white space folded: each run becomes a space, and both ends are trimmed.
pub(crate) fn folded(text: &[u8]) -> Vec<u8> {
    let words = text.split(u8::is_ascii_whitespace);
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join(&b' ')
}
