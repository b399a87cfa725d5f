//! What is wrong in a configuration file, drawn with its place like any diagnostic.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use urlint::{Position, Span, Window};

use crate::report::excerpt::Place;
use crate::report::with_place;
use crate::terminal;

/// The most mistakes of one file that are drawn.
const MOST: usize = 20;

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// Bytes of the file.
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    /// What is said beside the mark: what would be right.
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

/// The mistakes of the file that is called `name` and holds `text`, drawn in the order of their
/// places, in colours; each ends with a line break.
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
        match label.is_empty() {
            true => mark,
            false => mark.label(&*label),
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

/// Where `span` stands in `text`, with the text around it.
fn place(text: &str, span: Span) -> Place<'_> {
    let before = &text.as_bytes()[..(span.start as usize).min(text.len())];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    Place {
        outer: span,
        position: Position {
            line: memchr::memchr_iter(b'\n', before).count() as u64 + 1,
            column: String::from_utf8_lossy(&before[line_start..])
                .chars()
                .count() as u64
                + 1,
        },
        line_start: line_start as u64,
        window: Window {
            start: 0,
            bytes: text.as_bytes(),
        },
        part: Default::default(),
        passwords: &[],
    }
}

/// The nearest of `names` to `name`, if it is near enough to have been meant.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    names
        .map(|known| (strsim::osa_distance(&name, known), known))
        .filter(|&(distance, known)| distance <= known.len().div_ceil(3))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests;
