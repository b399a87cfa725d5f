//! The descriptions of links in tags.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::{MarkupTexts, TextBuilder};
use crate::document::{Link, Links, folded};

/// The greatest number of open elements whose names are kept.
const MAX_OPEN: usize = 1_000;

/// The text that holds a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    Flow,
    Lines,
}

/// The descriptions of the links of a document, in order.
#[derive(Debug, Default)]
pub(super) struct LinkTexts {
    /// The link of each target, and the range of the text that holds it.
    links: Vec<(Link, TextKind, Range<usize>)>,
    /// The links whose text has not ended.
    open: Range<usize>,
    /// The offsets of the running text where the element around it changes.
    elements: Vec<(usize, Option<Arc<Link>>)>,
    /// An element of each name, since a document has many elements and few names.
    named: HashMap<Vec<u8>, Arc<Link>>,
    /// The elements that are open, outermost first.
    stack: Vec<Arc<Link>>,
    /// How many more are open.
    deeper: usize,
}

impl MarkupTexts {
    /// Describes the targets that have been added since the last call; `is_preformatted` says which
    /// text holds the tag of `link`.
    pub(crate) fn describe(&mut self, link: &Link, is_preformatted: bool) {
        let Some(links) = &mut self.links else {
            return;
        };
        let (kind, text) = if is_preformatted {
            (TextKind::Lines, &self.lines)
        } else {
            (TextKind::Flow, &self.flow)
        };
        let at = text.view.text().len();
        while links.links.len() < self.targets.ranges.len() {
            links.links.push((link.clone(), kind, at..at));
        }
    }

    /// How many targets have been described.
    pub(crate) fn described(&self) -> usize {
        self.targets.ranges.len()
    }

    /// Begins the text of the links from the `first` on.
    pub(crate) fn open_link(&mut self, first: usize) {
        if let Some(links) = &mut self.links {
            links.open = first..links.links.len();
        }
    }

    /// Ends the text of the links that are open.
    pub(crate) fn close_link(&mut self) {
        let Some(mut links) = self.links.take() else {
            return;
        };
        links.close(self);
        self.links = Some(links);
    }

    /// Notes that an element `name` begins in the running text.
    pub(crate) fn begin_element(&mut self, name: &[u8]) {
        let at = self.flow.view.text().len();
        if let Some(links) = &mut self.links {
            if links.stack.len() == MAX_OPEN {
                links.deeper += 1;
                return;
            }
            let named = links.named.entry(name.to_vec());
            let link = named.or_insert_with_key(|name| Arc::new(Link::of(name)));
            let link = link.clone();
            links.stack.push(link.clone());
            links.mark(at, Some(link));
        }
    }

    /// Notes that an element `name` ends in the running text, with all open elements inside it.
    pub(crate) fn end_element(&mut self, name: &[u8]) {
        let at = self.flow.view.text().len();
        if let Some(links) = &mut self.links {
            if let Some(deeper) = links.deeper.checked_sub(1) {
                links.deeper = deeper;
                return;
            }
            let last = links.stack.iter().rposition(|open| open.element == name);
            links.stack.truncate(last.unwrap_or(links.stack.len()));
            let around = links.stack.last().cloned();
            links.mark(at, around);
        }
    }
}

impl LinkTexts {
    /// Ends the text of the links that are open.
    pub(super) fn close(&mut self, texts: &MarkupTexts) {
        for index in std::mem::take(&mut self.open) {
            let Some((link, kind, around)) = self.links.get_mut(index) else {
                continue;
            };
            let text: &TextBuilder = match kind {
                TextKind::Flow => &texts.flow,
                TextKind::Lines => &texts.lines,
            };
            let text = text.view.text();
            around.end = text.len();
            link.anchor = Some(folded(text.get(around.clone()).unwrap_or_default()));
        }
    }

    fn mark(&mut self, at: usize, element: Option<Arc<Link>>) {
        match self.elements.last_mut() {
            Some((last, old)) if *last == at => *old = element,
            _ => self.elements.push((at, element)),
        }
    }

    /// The elements of the running text.
    pub(super) fn elements(&mut self) -> Links {
        Links {
            elements: std::mem::take(&mut self.elements),
            ..Links::default()
        }
    }

    /// Returns the links of the targets, given the index of the part that holds the targets, and
    /// the indices of the parts that hold links.
    pub(super) fn finish(self, texts: [usize; 2], targets: usize) -> Vec<Link> {
        let links = self.links.into_iter();
        let placed = links.map(|(mut link, kind, around)| {
            let text = texts[kind as usize] as isize;
            link.around = Some((text - targets as isize, around));
            link
        });
        placed.collect()
    }
}
