//! Texts of a document that follow one another in a view.

use std::ops::Range;

use super::html_strings::is_html;
use urlint_view::{Layer, View};

/// Texts of a document, each at a range of one view, so that many small ones take no more memory than a large one.
#[derive(Debug)]
pub(crate) struct Texts {
    pub(super) view: View<'static>,
    pub(super) ranges: Vec<Range<usize>>,
}

impl Texts {
    /// Begins without texts. `layer` says which characters are written as they are.
    pub(crate) fn new(layer: Layer) -> Self {
        Texts {
            view: View::new(layer),
            ranges: Vec::new(),
        }
    }

    /// Adds a text.
    pub(crate) fn add(&mut self, text: &View<'_>) {
        let start = self.view.text().len();
        self.view.append(text);
        self.ranges.push(start..self.view.text().len());
    }

    /// Adds a text and returns `true` if it is HTML by its beginning and end.
    pub(crate) fn take_html(&mut self, text: &View<'_>) -> bool {
        let is_html = is_html(text.text());
        if is_html {
            self.add(text);
        }
        is_html
    }
}
