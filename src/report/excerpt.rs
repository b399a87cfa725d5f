//! The source lines around a diagnostic, cropped and safe to print.

use std::borrow::Cow;
use std::ops::Range;

use urlint_find::hidden_in_lines;
use urlint_lint::Diagnostic;
use urlint_standard::Span;
use urlint_standard::text::{Line, Position, Spans, Window};
use urlint_standard::url::password::MASK;

use crate::terminal;

/// How many bytes of a line are shown on either side of an annotated range.
const MARGIN: u64 = 100;

/// How far from the candidate text is shown, in bytes. The window has at least as much, as far as the
/// source has it.
const REACH: u64 = 512;

/// The fewest bytes worth cutting out.
const LEAST_CUT: usize = 8;

/// Shown for text that was cut out.
const CUT: char = '…';

/// The place of a candidate, with the text around it.
#[derive(Clone, Copy, Debug)]
pub struct Place<'w> {
    /// The candidate, delimiters included.
    pub outer: Span,
    /// The line and column of its start.
    pub position: Position,
    /// The source bytes around it.
    pub window: Window<'w>,
    /// The part of the file that it is in.
    pub part: FilePart<'w>,
}

/// A part of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct FilePart<'p> {
    /// The member of an archive; offsets and lines then count in the member.
    pub member: Option<&'p [u8]>,
    /// The number of a message in a mailbox, from 1.
    pub message: Option<u64>,
}

impl<'p> FilePart<'p> {
    /// Returns the name of the part, or `None` for the whole file.
    pub fn name(&self) -> Option<Cow<'p, [u8]>> {
        urlint_list::SourceInfo::new(b"", self.member).part(self.message)
    }

    /// Returns the name of the file at `path`, with the member if lines count in that.
    pub fn within<'f>(&self, path: &'f [u8]) -> Cow<'f, [u8]> {
        match self.member {
            Some(member) => Cow::Owned([path, b"!", member].concat()),
            None => Cow::Borrowed(path),
        }
    }
}

impl<'w> Place<'w> {
    /// Returns the line and column of a byte of the candidate, or of a byte after it that is still in
    /// the window. The LF of a CRLF is in the line that it ends.
    pub fn locate(&self, offset: u64) -> Position {
        let from = self.index(self.outer.start);
        let to = self.index(offset).max(from);
        let text = &self.window.bytes[from..to];
        match text.strip_suffix(b"\r") {
            Some(line) if self.window.bytes.get(to) == Some(&b'\n') => {
                let Position { line, column } = self.position.after(line);
                Position {
                    line,
                    column: column + 1,
                }
            }
            _ => self.position.after(text),
        }
    }

    /// Returns the line and column of the first byte of the first place at fault, and of the byte
    /// after the last.
    pub fn range(&self, diagnostic: &Diagnostic) -> (Position, Position) {
        let place = diagnostic.first_place();
        (self.locate(place.start), self.locate(place.end))
    }

    /// Returns the lines that the spans of `focus` touch, and the lines between them, without the spans
    /// that are [`hidden`](Self::hidden).
    pub fn excerpt(&self, hidden: &[Span], focus: &[Span]) -> Excerpt {
        self.excerpt_within(MARGIN, hidden, focus)
    }

    /// Returns the same as [`excerpt`](Self::excerpt), but of each line no more than `margin` bytes on
    /// either side of the ends of a span.
    pub fn excerpt_within(&self, margin: u64, hidden: &[Span], focus: &[Span]) -> Excerpt {
        let (text, base) = self.surroundings();
        let reach = Span::new(
            self.outer.start.saturating_sub(REACH - 2 * MARGIN),
            self.outer.end + REACH - 2 * MARGIN,
        );
        let in_text = |offset: u64| (offset.saturating_sub(base) as usize).min(text.len());
        let clamp = |offset: u64| in_text(offset.clamp(reach.start, reach.end));
        let focus = focus.iter().map(|span| clamp(span.start)..clamp(span.end));
        let mut focus: Vec<_> = focus.collect();
        focus.sort_by_key(|range| (range.start, range.end));
        let outer = clamp(self.outer.start);
        let first = focus.first().map_or(outer, |range| range.start);
        let last = focus.iter().map(|range| range.end).max().unwrap_or(first);

        let lines: Vec<_> = urlint_standard::text::lines(text)
            .map(Line::range)
            .collect();
        let line_of = |at: usize| {
            let after = lines.partition_point(|line| line.start <= at);
            after.saturating_sub(1)
        };
        let from = line_of(first);
        let to = line_of(last.saturating_sub(1).max(first));
        let candidate = line_of(outer);
        let mut excerpt = Excerpt {
            text: String::new(),
            line: (self.position.line + from as u64)
                .saturating_sub(candidate as u64)
                .max(1),
            map: Vec::new(),
        };
        let hidden = hidden.iter();
        let hidden = hidden.map(|span| in_text(span.start)..in_text(span.end));
        let hidden: Vec<_> = hidden.collect();
        // Grown bit by bit they would be copied again and again.
        let shown = lines[from..=to].iter().map(|line| line.len() + 1);
        let shown = shown.sum::<usize>().min(text.len() + 1);
        excerpt.text.reserve(shown);
        excerpt.map.reserve(shown);
        let mut writer = Writer {
            source: text,
            base,
            hidden: &hidden,
            margin: margin as usize,
            excerpt: &mut excerpt,
        };
        for line in &lines[from..=to] {
            writer.line(line.clone(), &focus);
        }
        excerpt
    }

    /// Returns the bytes that may be shown, and the offset of the first.
    fn surroundings(&self) -> (&'w [u8], u64) {
        let bytes = self.window.bytes;
        let start = self.index(self.outer.start);
        let end = self.index(self.outer.end).max(start);
        let near = start.saturating_sub(REACH as usize)..(end + REACH as usize).min(bytes.len());
        let line_start = memchr::memrchr2(b'\n', b'\r', &bytes[near.start..start])
            .map_or(near.start, |at| near.start + at + 1);
        let line_end = memchr::memchr2(b'\n', b'\r', &bytes[end..near.end])
            .map_or(near.end, |at| end + at + 1);
        let offset = self.window.start + line_start as u64;
        (&bytes[line_start..line_end], offset)
    }

    /// Returns the spans near the candidate that are not shown, in order: the password of the URL that
    /// `diagnostic` is about, and possible passwords in the text around it. A login may begin before the lines
    /// that are shown, or end after them.
    pub fn hidden(&self, diagnostic: Option<&Diagnostic>) -> Vec<Span> {
        let from = self.index(self.outer.start.saturating_sub(REACH));
        let to = self.index(self.outer.end + REACH).max(from);
        let offset = |at: usize| self.window.start + (from + at) as u64;
        let password = diagnostic.and_then(|diagnostic| diagnostic.password.as_ref());
        let mut hidden: Vec<_> = password.into_iter().flat_map(Spans::iter).collect();
        for range in hidden_in_lines(&self.window.bytes[from..to]) {
            let (mut start, end) = (offset(range.start), offset(range.end));
            for piece in diagnostic.iter().flat_map(|own| own.pieces.iter()) {
                if start < piece.end && piece.start < end {
                    hidden.push(Span::new(start, piece.start.max(start)));
                    start = piece.end;
                }
            }
            hidden.push(Span::new(start, end.max(start)));
        }
        hidden.retain(|span| !span.is_empty());
        hidden.sort_by_key(|span| span.start);
        let mut merged = Spans::from(Span::default());
        hidden.into_iter().for_each(|span| merged.push(span));
        merged.iter().filter(|span| !span.is_empty()).collect()
    }

    fn index(&self, offset: u64) -> usize {
        let index = offset.saturating_sub(self.window.start);
        index.min(self.window.bytes.len() as u64) as usize
    }
}

/// Some lines of a source as they are shown, with a map from the source to the shown text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The lines, separated by LF. There is no other control character but tab.
    pub text: String,
    /// The number of the first line.
    pub line: u64,
    /// For each character shown, in order, its offset in the source and in the text. Bytes that were cut
    /// out or replaced lie between two of them.
    map: Vec<(u64, usize)>,
}

impl Excerpt {
    /// Returns where `span` is shown, as a range for each line. For bytes that were cut out or
    /// replaced, that is the range of the text shown instead.
    pub fn ranges(&self, span: Span) -> Vec<Range<usize>> {
        let whole = self.range(span);
        let mut ranges = Vec::new();
        let mut start = whole.start;
        for line in self.text[whole.clone()].split('\n') {
            if !line.is_empty() {
                ranges.push(start..start + line.len());
            }
            start += line.len() + 1;
        }
        if ranges.is_empty() {
            ranges.push(whole.start..whole.start);
        }
        ranges
    }

    /// Returns where `span` is shown, as one range.
    pub fn range(&self, span: Span) -> Range<usize> {
        let start = self.before(span.start);
        if span.is_empty() {
            start..start
        } else {
            start..self.after(span.end).max(start)
        }
    }

    fn before(&self, offset: u64) -> usize {
        let next = self.map.partition_point(|entry| entry.0 <= offset);
        self.map
            .get(next.saturating_sub(1))
            .map_or(0, |entry| entry.1)
    }

    fn after(&self, offset: u64) -> usize {
        let next = self.map.partition_point(|entry| entry.0 < offset);
        self.map.get(next).map_or(self.text.len(), |entry| entry.1)
    }
}

struct Writer<'a> {
    source: &'a [u8],
    base: u64,
    hidden: &'a [Range<usize>],
    margin: usize,
    excerpt: &'a mut Excerpt,
}

impl Writer<'_> {
    /// Writes the parts of a line near `focus`, or else the beginning of the line.
    fn line(&mut self, line: Range<usize>, focus: &[Range<usize>]) {
        if !self.excerpt.map.is_empty() {
            self.excerpt.text.push('\n');
        }
        let mut shown = line.start;
        for part in self.kept(&line, focus) {
            if part.start > shown {
                self.push(shown, CUT);
            }
            self.part(part.clone());
            shown = part.end;
        }
        if shown < line.end {
            self.push(shown, CUT);
        }
        self.mark(line.end);
    }

    /// Returns the parts of a line to show.
    fn kept(&self, line: &Range<usize>, focus: &[Range<usize>]) -> Vec<Range<usize>> {
        let margin = self.margin;
        let mut kept: Vec<Range<usize>> = Vec::new();
        let mut keep = |at: usize| {
            let mut from = at.saturating_sub(margin).max(line.start);
            let mut to = (at + margin).min(line.end);
            if from - line.start < LEAST_CUT {
                from = line.start;
            }
            if line.end - to < LEAST_CUT {
                to = line.end;
            }
            let (from, to) = (self.boundary(from, line), self.boundary(to, line));
            match kept.last_mut() {
                Some(last) if from < last.end + LEAST_CUT => last.end = last.end.max(to),
                _ => kept.push(from..to),
            }
        };
        let mut points: Vec<usize> = focus
            .iter()
            .filter(|range| range.start <= line.end && range.end >= line.start)
            .flat_map(|range| [range.start.max(line.start), range.end.min(line.end)])
            .collect();
        if points.is_empty() {
            points.push(line.start);
        }
        points.sort_unstable();
        for point in points {
            keep(point);
        }
        kept
    }

    /// Returns `at`, or the next offset that is not inside a character.
    fn boundary(&self, at: usize, line: &Range<usize>) -> usize {
        let inside = |byte: &&u8| (0x80..0xc0).contains(*byte);
        match self.source.get(at..line.end) {
            Some(rest) if at > line.start => at + rest.iter().take(3).take_while(inside).count(),
            _ => at,
        }
    }

    fn part(&mut self, part: Range<usize>) {
        let mut at = part.start;
        for hidden in self.hidden {
            let (start, end) = (hidden.start.max(at), hidden.end.min(part.end));
            if start < end {
                self.plain(at..start);
                self.mark(start);
                self.excerpt.text.push_str(MASK);
                at = end;
            }
        }
        self.plain(at..part.end);
    }

    fn plain(&mut self, part: Range<usize>) {
        let source = self.source;
        terminal::each_char(&source[part.clone()], |offset, c| {
            let shown = if c == '\t' { c } else { terminal::harmless(c) };
            self.push(part.start + offset, shown);
        });
    }

    fn push(&mut self, at: usize, shown: char) {
        self.mark(at);
        self.excerpt.text.push(shown);
    }

    fn mark(&mut self, at: usize) {
        self.excerpt
            .map
            .push((self.base + at as u64, self.excerpt.text.len()));
    }
}

#[cfg(test)]
mod tests;
