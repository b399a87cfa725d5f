//! Mistakes in configuration files, rendered with their source lines as diagnostics are.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use urlint::Span;
use urlint::config::{BadConfig, BadFile, Mistake};
use urlint::text::{Position, Window};

use crate::error::Error;
use crate::report::excerpt::Place;
use crate::report::with_place;
use crate::terminal;

impl From<BadConfig> for Error {
    fn from(error: BadConfig) -> Self {
        Error::Configuration(rendered(&error))
    }
}

/// Renders everything that is wrong with a configuration, in colour. The text ends with a line break.
pub(crate) fn rendered(error: &BadConfig) -> String {
    let files: Vec<_> = error.files().iter().map(file).collect();
    files.join("\n")
}

fn file(file: &BadFile) -> String {
    match file {
        BadFile::Mistaken {
            name,
            text,
            mistakes,
            ..
        } => draw(name.as_deref().unwrap_or_default(), text, mistakes),
        // It has no place.
        other => format!("urlint: {other}\n"),
    }
}

/// Renders the mistakes in the text `text` of the file `name`. Each ends with a line break.
fn draw(name: &str, text: &str, mistakes: &[Mistake]) -> String {
    let mut drawn: Vec<_> = mistakes
        .iter()
        .take(BadConfig::MOST)
        .map(|mistake| format!("{}\n", one(name, text, mistake)))
        .collect();
    if let Some(more @ 1..) = mistakes.len().checked_sub(BadConfig::MOST) {
        drawn.push(format!("and {more} more\n"));
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
        remembered: None,
    }
}

#[cfg(test)]
mod tests;
