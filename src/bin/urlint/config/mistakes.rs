//! Mistakes in configuration files, rendered with their source lines as diagnostics are.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use urlint::Span;
use urlint::text::{Position, Window};

use crate::report::excerpt::Place;
use crate::report::with_place;
use crate::terminal;

/// The most mistakes of one file that are rendered.
const MOST: usize = 20;

/// A mistake in a configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// The bytes at fault.
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    /// The text beside the annotation: what would be right.
    pub(crate) label: String,
}

impl Mistake {
    pub(crate) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Mistake {
            span,
            message: message.into(),
            label: String::new(),
        }
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }
}

/// Renders the mistakes of the file `name`, whose content is `text`, in the order of their places
/// and in colour. Each ends with a line break.
pub(crate) fn draw(name: &str, text: &str, mut mistakes: Vec<Mistake>) -> String {
    mistakes.sort_by_key(|mistake| (mistake.span.start, mistake.span.end));
    let count = mistakes.len();
    let mut drawn: Vec<_> = mistakes
        .iter()
        .take(MOST)
        .map(|mistake| format!("{}\n", one(name, text, mistake)))
        .collect();
    if count > MOST {
        drawn.push(format!("and {} more\n", count - MOST));
    }
    drawn.join("\n")
}

fn one(name: &str, text: &str, mistake: &Mistake) -> String {
    let name = terminal::line(name.as_bytes());
    let span = Span::new(mistake.span.start as u64, mistake.span.end as u64);
    let excerpt = place(text, span).excerpt(&[span]);
    let ranges = excerpt.ranges(span).into_iter().take(1);
    let label = terminal::line(mistake.label.as_bytes());
    let marks = ranges.map(|range| {
        let mark = AnnotationKind::Primary.span(range);
        if label.is_empty() {
            mark
        } else {
            mark.label(&*label)
        }
    });
    let snippet = Snippet::source(&excerpt.text)
        .path(&*name)
        .line_start(excerpt.line as usize)
        .annotations(marks);
    let title = Level::ERROR.primary_title(terminal::line(mistake.message.as_bytes()));
    let drawn = Renderer::styled().render(&[title.element(snippet)]);
    with_place(&drawn, &name, place(text, span).position).into_owned()
}

/// Returns the place of `span` in `text`.
fn place(text: &str, span: Span) -> Place<'_> {
    let before = &text.as_bytes()[..(span.start as usize).min(text.len())];
    let line_start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
    Place {
        outer: span,
        position: Position::default().after(before),
        line_start: line_start as u64,
        window: Window {
            start: 0,
            bytes: text.as_bytes(),
        },
        part: Default::default(),
        passwords: &[],
    }
}

#[cfg(test)]
mod tests;
