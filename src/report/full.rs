//! The format `full`: source lines with annotations, notes, and the lines as the fix would change them.

use std::borrow::Cow;
use std::io::{self, Write};
use std::iter;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use urlint_lint::{Applicability, Diagnostic, Edit, Fix};
use urlint_standard::Span;
use urlint_standard::text::{Position, Spans};

use super::excerpt::{Excerpt, Place};
use super::{PlacedDiagnostic, Report, by_severity, url_of_section};
use crate::terminal::{self, Style};

/// The most lines of one diagnostic that are annotated, and the most edits that are shown.
const MOST_MARKS: usize = 8;

/// About how many bytes of a line are shown around all edits of a fix, and the least on either side of an
/// edit.
const HELP_WIDTH: u64 = 100;
const LEAST_MARGIN: u64 = 8;

pub(crate) struct Full {
    renderer: Renderer,
    hyperlinks: bool,
    any: bool,
}

impl Full {
    /// With hyperlinks, the name of a rule links to the section of the RFC.
    pub(crate) fn new(style: Style) -> Self {
        let renderer = if style.color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        Full {
            renderer: match style.width {
                Some(width) => renderer.term_width(width),
                None => renderer,
            },
            hyperlinks: style.hyperlinks,
            any: false,
        }
    }
}

impl Report for Full {
    fn report(&mut self, out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        if std::mem::replace(&mut self.any, true) {
            out.write_all(b"\n")?;
        }
        let (place, diagnostic) = (placed.place, placed.diagnostic);
        let path = place.part.within(placed.path);
        let path = terminal::line(&path);
        let hidden = place.hidden(Some(diagnostic));
        let focus = few(&diagnostic.pieces).chain(few(&diagnostic.spans));
        let shown = place.excerpt(&hidden, &focus.collect::<Vec<_>>());
        let mut groups = vec![self.message_group(&path, diagnostic, place, &shown)];
        let mended;
        if let Some(fix) = &diagnostic.fix {
            let edits = together(&fix.edits);
            // An edit that removes a line break also changes the next line.
            let focus = edits.iter().map(|edit| edit.span);
            let focus = focus.flat_map(|span| [span, Span::new(span.end, span.end + 1)]);
            let margin = (HELP_WIDTH / (2 * edits.len().max(1) as u64)).max(LEAST_MARGIN);
            let focus: Vec<_> = focus.take(2 * MOST_MARKS).collect();
            mended = place.excerpt_within(margin, &hidden, &focus);
            let is_drawable = drawable(&edits, place, &hidden);
            let by = applied_by(fix, placed);
            groups.push(help(fix, by, &edits, is_drawable.then_some(&mended)));
        }
        let rendered = self.renderer.render(&groups);
        let rendered = with_place(&rendered, &path, placed.start());
        writeln!(out, "{}", terminal::without_commands(&rendered))
    }
}

impl Full {
    fn message_group<'a>(
        &self,
        path: &'a str,
        diagnostic: &'a Diagnostic,
        place: &Place<'_>,
        shown: &'a Excerpt,
    ) -> Group<'a> {
        let levels = [Level::ERROR, Level::WARNING, Level::INFO.with_name("hint")];
        let level = by_severity(diagnostic.severity, levels);
        let snippet = Snippet::source(&shown.text)
            .path(path)
            .line_start(shown.line as usize)
            .annotations(marks(diagnostic, shown));
        let title = level
            .primary_title(terminal::line(diagnostic.message.as_bytes()))
            .id(diagnostic.rule.name());
        let title = match url_of_section(diagnostic.reference()) {
            Some(address) if self.hyperlinks => title.id_url(address),
            _ => title,
        };
        let notes = notes(diagnostic, place).into_iter();
        let notes = notes.map(|note| Level::NOTE.message(note));
        title.element(snippet).elements(notes)
    }
}

/// Puts the true line and column into the second line of a rendered report. The renderer counts
/// columns in the excerpt, whose lines may have lost their beginning.
pub fn with_place<'r>(rendered: &'r str, path: &str, place: Position) -> Cow<'r, str> {
    let path = format!("{path}:");
    let heading = rendered.find('\n').unwrap_or_default();
    let Some(found) = rendered[heading..].find(&path) else {
        return rendered.into();
    };
    let (before, counted) = rendered.split_at(heading + found + path.len());
    let after = counted.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit());
    format!("{before}{}:{}{after}", place.line, place.column).into()
}

/// Returns the spans that are annotated: all, or if there are too many, the first ones and the last.
fn few(spans: &Spans) -> impl Iterator<Item = Span> {
    let count = spans.iter().count();
    spans
        .iter()
        .enumerate()
        .filter(move |&(index, _)| index < MOST_MARKS - 1 || index + 1 == count)
        .map(|(_, span)| span)
}

/// Returns an annotation for each line of each span, with the label at the first, and one for each other
/// line with a piece of the URL.
fn marks<'a>(diagnostic: &'a Diagnostic, shown: &Excerpt) -> Vec<Annotation<'a>> {
    let ranges = |spans| few(spans).flat_map(|span| shown.ranges(span));
    let line_of = |at: usize| memchr::memchr_iter(b'\n', &shown.text.as_bytes()[..at]).count();
    let spans: Vec<_> = ranges(&diagnostic.spans).collect();
    let mut marked: Vec<_> = spans.iter().map(|span| line_of(span.start)).collect();
    let mut marks: Vec<Annotation<'a>> = Vec::new();
    let labels = iter::once("the URL starts here").chain(iter::repeat("and goes on here"));
    for (piece, label) in ranges(&diagnostic.pieces).zip(labels) {
        let line = line_of(piece.start);
        if !marked.contains(&line) {
            marked.push(line);
            marks.push(AnnotationKind::Context.span(piece).label(label));
        }
    }
    let mut label = Some(label(diagnostic)).filter(|label| !label.is_empty());
    for span in spans {
        let mark = AnnotationKind::Primary.span(span);
        marks.push(match label.take() {
            Some(label) => mark.label(label),
            None => mark,
        });
    }
    marks
}

/// Returns the label of a diagnostic, with the section of the standard.
fn label(diagnostic: &Diagnostic) -> Cow<'_, str> {
    let label = terminal::line(diagnostic.label.as_bytes());
    match diagnostic.reference() {
        reference if label.is_empty() || reference.is_empty() => label,
        reference => Cow::Owned(format!("{label} ({reference})")),
    }
}

fn notes<'d>(diagnostic: &'d Diagnostic, place: &Place<'_>) -> Vec<Cow<'d, str>> {
    let mut notes = Vec::new();
    if let Some(read) = &diagnostic.url
        && (!diagnostic.alternatives.is_empty() || !is_as_written(read, diagnostic, place))
    {
        let shown = diagnostic.shown_url().unwrap_or_default();
        notes.push(format!("read as {}", terminal::line(shown.as_bytes())).into());
    }
    for alternative in &diagnostic.alternatives {
        let shown = urlint_lint::shortened(alternative);
        notes.push(format!("or as {}", terminal::line(shown.as_bytes())).into());
    }
    let own = diagnostic.notes.iter();
    notes.extend(own.map(|note| terminal::line(note.as_bytes())));
    let reference = diagnostic.reference();
    if diagnostic.label.is_empty() && !reference.is_empty() {
        notes.push(reference.into());
    }
    notes
}

/// Returns whether the URL looks in the source as it was read: in one piece, and not encoded.
fn is_as_written(url: &str, diagnostic: &Diagnostic, place: &Place<'_>) -> bool {
    let piece = Span::new(diagnostic.pieces.start(), diagnostic.pieces.end());
    let source = place.window.slice(piece);
    // With a hidden password or bytes that are not UTF-8, the texts would always differ.
    let comparable = diagnostic.password.is_none() && str::from_utf8(source).is_ok();
    // A very long URL is given only by its beginning and its length.
    let is_cut_from_source = || {
        let cut = url.rsplit_once("…(");
        cut.is_some_and(|(head, _)| source.starts_with(head.as_bytes()))
    };
    let is_same = || !comparable || source == url.as_bytes() || is_cut_from_source();
    url.is_empty() || diagnostic.pieces.iter().count() == 1 && is_same()
}

/// Returns whether the edits can be shown in their lines, of which nothing is hidden where they are.
fn drawable(edits: &[Edit], place: &Place<'_>, hidden: &[Span]) -> bool {
    let is_shown = |edit: &Edit| {
        let Span { start, end } = edit.span;
        let mut hidden = hidden.iter();
        start >= place.window.start
            && end <= place.window.start + place.window.bytes.len() as u64
            && !hidden.any(|hidden| hidden.start < end && start < hidden.end)
    };
    (1..=MOST_MARKS).contains(&edits.len()) && edits.iter().all(is_shown)
}

/// Returns `edits`, with adjacent ones merged.
fn together(edits: &[Edit]) -> Vec<Edit> {
    let mut together: Vec<Edit> = Vec::new();
    for edit in edits {
        match together.last_mut() {
            Some(last) if last.span.end == edit.span.start => {
                last.span.end = edit.span.end;
                last.replacement.push_str(&edit.replacement);
            }
            _ => together.push(edit.clone()),
        }
    }
    together
}

/// Returns the way to make a fix: by a flag, or by hand.
fn applied_by(fix: &Fix, placed: &PlacedDiagnostic<'_>) -> &'static str {
    match fix.applicability {
        _ if placed.least.is_none() || fix.edits.is_empty() => "by hand",
        Applicability::Safe => "`--fix`",
        Applicability::Unsafe => "`--unsafe-fixes`",
        _ => "by hand",
    }
}

fn help<'a>(fix: &Fix, by: &str, edits: &[Edit], mended: Option<&'a Excerpt>) -> Group<'a> {
    let message = terminal::line(fix.message.as_bytes());
    let title = Level::HELP.secondary_title(format!("{message} ({by})"));
    let Some(mended) = mended else {
        return Group::with_title(title);
    };
    let patches = edits.iter().map(|edit| {
        let lines = edit.replacement.split('\n');
        let lines = lines.map(|line| terminal::line(line.trim_end_matches('\r').as_bytes()));
        let replacement = lines.collect::<Vec<_>>().join("\n");
        let mut range = mended.range(edit.span);
        // The removal of nothing but a line break would be rendered as if it stayed.
        let next = match &mended.text[range.clone()] {
            "\n" => mended.text[range.end..].chars().next(),
            _ => None,
        };
        range.end += next.map_or(0, char::len_utf8);
        let replacement: String = replacement.chars().chain(next).collect();
        Patch::new(range, replacement)
    });
    let snippet = Snippet::source(&mended.text).line_start(mended.line as usize);
    title.element(snippet.patches(patches))
}
