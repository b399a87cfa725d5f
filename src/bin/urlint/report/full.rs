//! The source lines with annotations, notes, and the lines as the fix would change them.

use std::borrow::Cow;
use std::io::{self, Write};

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use urlint::lint::{Edit, Fix};
use urlint::text::{Position, Spans};
use urlint::{Diagnostic, Severity, Span};

use super::excerpt::{Excerpt, Place};
use super::{Finding, Render, Report};
use crate::terminal::{self, Style};

/// The most lines of one diagnostic that are annotated, and the most edits that are shown.
const MOST_MARKS: usize = 8;

/// About how many bytes of a line are shown around the edits of a fix, and at least on either side of
/// one.
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
        let renderer = match style.width {
            Some(width) => renderer.term_width(width),
            None => renderer,
        };
        Full {
            renderer,
            hyperlinks: style.hyperlinks,
            any: false,
        }
    }
}

impl Report for Full {
    fn report(&mut self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        self.separate(out)?;
        self.render(out, finding)
    }

    fn renderer(&self) -> Option<Box<dyn Render>> {
        Some(Box::new(Full {
            renderer: self.renderer.clone(),
            ..*self
        }))
    }

    fn write_rendered(&mut self, out: &mut dyn Write, rendered: &[u8]) -> io::Result<()> {
        self.separate(out)?;
        out.write_all(rendered)
    }
}

impl Render for Full {
    fn render(&self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        let Finding {
            path,
            place,
            diagnostic,
            ..
        } = *finding;
        let path = place.part.within(path);
        let path = terminal::line(&path);
        let shown = place.excerpt(&focus(diagnostic));
        let mut groups = vec![self.finding(&path, diagnostic, place, &shown)];
        let mended;
        if let Some(fix) = &diagnostic.fix {
            let edits = together(&fix.edits);
            let is_drawable = drawable(&edits, place);
            // An edit that removes a line break changes the next line too.
            let focus = edits.iter().map(|edit| edit.span);
            let focus = focus.flat_map(|span| [span, Span::new(span.end, span.end + 1)]);
            let margin = (HELP_WIDTH / (2 * edits.len().max(1) as u64)).max(LEAST_MARGIN);
            mended = place.excerpt_within(margin, &focus.take(2 * MOST_MARKS).collect::<Vec<_>>());
            groups.push(help(fix, &edits, is_drawable.then_some(&mended)));
        }
        let rendered = self.renderer.render(&groups);
        let start = finding.start();
        let placed = with_place(&rendered, &path, start);
        writeln!(out, "{}", terminal::without_commands(&placed))
    }
}

impl Full {
    /// Writes the empty line between two diagnostics.
    fn separate(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::replace(&mut self.any, true) {
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn finding<'a>(
        &self,
        path: &'a str,
        diagnostic: &'a Diagnostic,
        place: &Place<'_>,
        shown: &'a Excerpt,
    ) -> Group<'a> {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Hint => Level::INFO.with_name("hint"),
        };
        let snippet = Snippet::source(&shown.text)
            .path(path)
            .line_start(shown.line as usize)
            .annotations(marks(diagnostic, shown));
        let title = level
            .primary_title(terminal::line(diagnostic.message.as_bytes()))
            .id(diagnostic.rule.name());
        let title = match address(diagnostic.reference()) {
            Some(address) if self.hyperlinks => title.id_url(address),
            _ => title,
        };
        title.element(snippet).elements(
            notes(diagnostic, place)
                .into_iter()
                .map(|note| Level::NOTE.message(note)),
        )
    }
}

/// Returns the address of a reference such as `RFC 1738, section 2.2`.
fn address(reference: &str) -> Option<String> {
    let (number, section) = match reference.strip_prefix("RFC ")?.split_once(", section ") {
        Some((number, section)) => (number, Some(section)),
        None => (reference.strip_prefix("RFC ")?, None),
    };
    let is_plain = |text: &str| {
        let mut bytes = text.bytes();
        !text.is_empty() && bytes.all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let address = format!("https://www.rfc-editor.org/rfc/rfc{number}");
    match section {
        _ if !is_plain(number) => None,
        Some(section) if is_plain(section) => Some(format!("{address}#section-{section}")),
        _ => Some(address),
    }
}

/// Puts the true line and column into the second line of a rendered report. The renderer counts
/// columns in the excerpt, whose lines may have lost their beginning.
pub(crate) fn with_place<'r>(rendered: &'r str, path: &str, place: Position) -> Cow<'r, str> {
    let path = format!("{path}:");
    let Some(heading) = rendered.find('\n') else {
        return rendered.into();
    };
    let Some(found) = rendered[heading..].find(&path) else {
        return rendered.into();
    };
    let start = heading + found + path.len();
    let counted = |byte: u8| byte == b':' || byte.is_ascii_digit();
    let length = rendered[start..]
        .bytes()
        .take_while(|&byte| counted(byte))
        .count();
    let (line, column) = (place.line, place.column);
    let (before, after) = (&rendered[..start], &rendered[start + length..]);
    format!("{before}{line}:{column}{after}").into()
}

/// Returns what the excerpt must show: the spans, and the pieces of a URL that was rejoined.
fn focus(diagnostic: &Diagnostic) -> Vec<Span> {
    let mut focus: Vec<_> = few(&diagnostic.pieces).collect();
    focus.extend(few(&diagnostic.spans));
    focus
}

/// Returns the spans that are annotated: all, or the first ones and the last.
fn few(spans: &Spans) -> impl Iterator<Item = Span> {
    let count = spans.iter().count();
    spans
        .iter()
        .enumerate()
        .filter(move |&(index, _)| index < MOST_MARKS - 1 || index + 1 == count)
        .map(|(_, span)| span)
}

/// Returns an annotation for each line of each span, the label at the first one, and for each other
/// line that has a piece of the URL.
fn marks<'a>(diagnostic: &'a Diagnostic, shown: &Excerpt) -> Vec<Annotation<'a>> {
    let ranges = |spans| {
        few(spans)
            .flat_map(|span| shown.ranges(span))
            .collect::<Vec<_>>()
    };
    let line_of = |at: usize| memchr::memchr_iter(b'\n', &shown.text.as_bytes()[..at]).count();
    let spans = ranges(&diagnostic.spans);
    let mut marked: Vec<_> = spans.iter().map(|span| line_of(span.start)).collect();
    let mut marks: Vec<Annotation<'a>> = Vec::new();
    for (i, piece) in ranges(&diagnostic.pieces).into_iter().enumerate() {
        let line = line_of(piece.start);
        if marked.contains(&line) {
            continue;
        }
        marked.push(line);
        let label = if i == 0 {
            "the URL starts here"
        } else {
            "and goes on here"
        };
        marks.push(AnnotationKind::Context.span(piece).label(label));
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
        let shown = urlint::lint::shortened(alternative);
        notes.push(format!("or as {}", terminal::line(shown.as_bytes())).into());
    }
    notes.extend(
        diagnostic
            .notes
            .iter()
            .map(|note| terminal::line(note.as_bytes())),
    );
    let reference = diagnostic.reference();
    if diagnostic.label.is_empty() && !reference.is_empty() {
        notes.push(reference.into());
    }
    notes
}

/// Returns whether the URL reads in the source as it was found: in one piece, and not encoded.
fn is_as_written(url: &str, diagnostic: &Diagnostic, place: &Place<'_>) -> bool {
    let piece = Span::new(
        diagnostic.pieces.start().saturating_sub(place.window.start),
        diagnostic.pieces.end().saturating_sub(place.window.start),
    );
    let source = piece.slice(place.window.bytes);
    // A hidden password and bytes that are not UTF-8 make the texts differ in any case.
    let comparable = diagnostic.password.is_none() && str::from_utf8(source).is_ok();
    // What is very long comes with its beginning and its length only.
    let is_cut_from_source = || {
        url.rsplit_once("…(")
            .is_some_and(|(head, _)| source.starts_with(head.as_bytes()))
    };
    let is_same = || !comparable || source == url.as_bytes() || is_cut_from_source();
    url.is_empty() || diagnostic.pieces.iter().count() == 1 && is_same()
}

/// Returns whether the edits can be shown in their lines without showing a password.
fn drawable(edits: &[Edit], place: &Place<'_>) -> bool {
    let window = Span::new(
        place.window.start,
        place.window.start + place.window.bytes.len() as u64,
    );
    let hidden = |edit: Span| {
        place
            .passwords
            .iter()
            .any(|password| password.start < edit.end && edit.start < password.end)
    };
    (1..=MOST_MARKS).contains(&edits.len())
        && edits.iter().all(|edit| {
            edit.span.start >= window.start && edit.span.end <= window.end && !hidden(edit.span)
        })
}

/// Returns `edits` with those that touch made one.
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

fn help<'a>(fix: &'a Fix, edits: &[Edit], mended: Option<&'a Excerpt>) -> Group<'a> {
    let title = Level::HELP.secondary_title(terminal::line(fix.message.as_bytes()));
    let Some(mended) = mended else {
        return Group::with_title(title);
    };
    let patches = edits.iter().map(|edit| {
        let lines = edit.replacement.split('\n');
        let lines = lines.map(|line| terminal::line(line.trim_end_matches('\r').as_bytes()));
        let replacement = lines.collect::<Vec<_>>().join("\n");
        let mut range = mended.range(edit.span);
        // A removed line break alone would be rendered as if it stayed.
        let next = match &mended.text[range.clone()] {
            "\n" => mended.text[range.end..].chars().next(),
            _ => None,
        };
        range.end += next.map_or(0, char::len_utf8);
        let replacement: String = replacement.chars().chain(next).collect();
        Patch::new(range, replacement)
    });
    title.element(
        Snippet::source(&mended.text)
            .line_start(mended.line as usize)
            .patches(patches),
    )
}
