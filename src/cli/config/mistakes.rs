//! Configuration errors, rendered with their source lines as diagnostics are.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use urlint_config::{BadConfig, Mistake};
use urlint_standard::Span;
use urlint_standard::text::{Position, Window};

use crate::error::Error;
use urlint_report::excerpt::Place;
use urlint_report::{terminal, with_place};

impl From<BadConfig> for Error {
    fn from(error: BadConfig) -> Self {
        Error::Configuration(rendered(&error))
    }
}

/// Renders a configuration error, in colour. The text ends with a line break.
pub(crate) fn rendered(error: &BadConfig) -> String {
    match error {
        BadConfig::Mistaken {
            name,
            text,
            mistake,
            ..
        } => draw(name.as_deref().unwrap_or_default(), text, mistake),
        // The other errors have no place.
        _ => format!("urlint: {error}\n"),
    }
}

fn draw(name: &str, text: &str, mistake: &Mistake) -> String {
    let name = terminal::line(name.as_bytes());
    let span = Span::new(mistake.span.start as u64, mistake.span.end as u64);
    let place = place(text, span);
    let excerpt = place.excerpt(&place.hidden(None), &[span]);
    let ranges = excerpt.ranges(span).into_iter().take(1);
    let snippet = Snippet::source(&excerpt.text)
        .path(&*name)
        .line_start(excerpt.line as usize)
        .annotations(ranges.map(|range| AnnotationKind::Primary.span(range)));
    let title = Level::ERROR.primary_title(terminal::line(mistake.message.as_bytes()));
    let drawn = Renderer::styled().render(&[title.element(snippet)]);
    format!("{}\n", with_place(&drawn, &name, place.position))
}

/// Returns the place of `span` in `text`.
fn place(text: &str, span: Span) -> Place<'_> {
    let before = &text.as_bytes()[..(span.start as usize).min(text.len())];
    Place {
        outer: span,
        position: Position::default().after(before),
        window: Window {
            start: 0,
            bytes: text.as_bytes(),
        },
        part: Default::default(),
    }
}

#[cfg(test)]
mod tests;
