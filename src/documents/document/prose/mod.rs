//! Running text with escapes and marked targets, as in all lightweight markup languages.

#[cfg(test)]
pub(super) mod testing;

use std::borrow::Cow;
use std::ops::Range;

use super::{Content, Link, Links, Parts, Scope};
use urlint_standard::text;
use urlint_standard::text::Span;
use urlint_view::{Layer, View};

/// Reads the escape at the start of a text: its length in bytes, and the text that it stands for.
pub(super) type Read = fn(&[u8]) -> Option<(usize, Cow<'_, [u8]>)>;

/// The escapes of a markup language, and the marks that end a URL in running text, which stand for a space.
pub(super) struct Escapes {
    /// The bytes that begin an escape.
    pub(super) signs: [u8; 3],
    /// Reads an escape.
    pub(super) read: Read,
}

impl Escapes {
    /// `text` with its escapes decoded.
    pub(super) fn decode<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let [one, two, three] = self.signs;
        if memchr::memchr3(one, two, three, text).is_none() {
            return Cow::Borrowed(text);
        }
        self.view(text, Layer::Opaque).into_text()
    }

    /// All of `source`, with its escapes decoded. `layer` says which characters are written as they are.
    pub(super) fn view(&self, source: &[u8], layer: Layer) -> View<'static> {
        let mut view = View::with_capacity(layer, source.len());
        self.add(&mut view, source, 0..source.len());
        view
    }

    /// Adds the text at `range` of `source`, with its escapes decoded, to `view`.
    pub(super) fn add(&self, view: &mut View<'static>, source: &[u8], range: Range<usize>) {
        let source = &source[..range.end.min(source.len())];
        let mut at = range.start.min(source.len());
        self.each(source, at, |escape, text| {
            view.copy(&source[at..escape.start], at as u64);
            at = escape.end;
            put(view, text, escape);
        });
        view.copy(&source[at..], at as u64);
    }

    /// Passes each escape in `source` from `at` on to `take`: its range, and the text that it stands for.
    fn each(&self, source: &[u8], mut at: usize, mut take: impl FnMut(Range<usize>, &[u8])) {
        let [one, two, three] = self.signs;
        while let Some(sign) = memchr::memchr3(one, two, three, &source[at..]) {
            at += sign;
            let rest = &source[at..];
            match (self.read)(rest) {
                // An escape cut short by the end of the text is not an escape.
                Some((len, text)) if len <= rest.len() => {
                    take(at..at + len, &text);
                    at += len;
                }
                _ => at += 1,
            }
        }
    }
}

/// Returns the length of the target at the start of `text`, up to a blank, one of `ends` or the end of the text.
/// Brackets that begin the host belong to the target: `http://[::1]/`, `http://joe@[host]/`.
pub(super) fn target_len(text: &[u8], ends: &[&str]) -> usize {
    let is_end = |at: &usize| {
        let rest = &text[*at..];
        rest[0] <= b' ' || ends.iter().any(|end| rest.starts_with(end.as_bytes()))
    };
    let next = |from: usize| (from..text.len()).find(is_end).unwrap_or(text.len());
    let end = next(0);
    let user = text[..end].iter().rev().take_while(|byte| **byte != b'/');
    let (scheme, user) = text[..end].split_at(end - user.count());
    let begins_host = scheme.ends_with(b"//") && (user.is_empty() || user.ends_with(b"@"));
    let is_of_host = |byte: &u8| byte.is_ascii_alphanumeric() || b":.%-_~".contains(byte);
    let host = text[end..].strip_prefix(b"[").filter(|_| begins_host);
    let len = host.and_then(|host| host.iter().position(|byte| !is_of_host(byte)));
    match len {
        Some(len) if len > 0 && text[end + 1 + len] == b']' => next(end + len + 2),
        _ => end,
    }
}

/// Adds `text` to `view`, in place of the source at `range`.
fn put(view: &mut View<'static>, text: &[u8], range: Range<usize>) {
    match text {
        [byte] if !range.is_empty() => view.push(*byte, range.start as u64, range.len() as u64),
        _ => view.push_together(text, Span::new(range.start as u64, range.end as u64)),
    }
}

/// How many replaced ranges are held at most.
const MOST_HELD: usize = 1 << 16;

/// A source that is split into running text and targets, from its first byte to its last.
pub(super) struct Prose<'s> {
    source: &'s [u8],
    /// The end of the source that has been taken.
    at: usize,
    /// The running text, up to `copied` of the source. In most documents it is made at the end, when the tree of a
    /// parser is no longer in memory.
    view: View<'static>,
    copied: usize,
    /// The ranges that were replaced since then, in order, each with the range of its text in `texts`.
    replaced: Vec<(Range<usize>, Range<usize>)>,
    texts: Vec<u8>,
    /// The length of the running text so far.
    len: usize,
    targets: View<'static>,
    ranges: Vec<Range<usize>>,
    /// The ranges of the running text that are code.
    examples: Vec<Range<usize>>,
    /// The descriptions of the targets, if requested.
    links: Option<Vec<Link>>,
}

impl<'s> Prose<'s> {
    /// Begins with nothing taken. `layer` says which characters are written as they are.
    pub(super) fn new(source: &'s [u8], layer: Layer) -> Self {
        Prose {
            source,
            at: 0,
            view: View::with_capacity(layer, source.len()),
            copied: 0,
            replaced: Vec::new(),
            texts: Vec::new(),
            len: 0,
            targets: View::new(layer),
            ranges: Vec::new(),
            examples: Vec::new(),
            links: None,
        }
    }

    /// Keeps descriptions of the targets if `scope` requests them.
    pub(super) fn with_links(mut self, scope: Scope) -> Self {
        self.links = scope.links.then(Vec::new);
        self
    }

    /// The end of the source that has been taken.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Takes the source up to `to` as running text, unchanged.
    pub(super) fn keep(&mut self, to: usize) {
        if self.at <= to && to <= self.source.len() {
            self.len += to - self.at;
            self.at = to;
        }
    }

    /// Notes that the running text is code from `start` on.
    pub(super) fn end_example(&mut self, start: usize) {
        self.examples.push(start..self.len());
    }

    /// Takes the source up to `to`, but puts `text` in its place.
    pub(super) fn replace(&mut self, to: usize, text: &[u8]) {
        if to < self.at || to > self.source.len() {
            return;
        }
        if self.replaced.len() == MOST_HELD {
            self.make();
        }
        let start = self.texts.len();
        self.texts.extend_from_slice(text);
        self.replaced.push((self.at..to, start..self.texts.len()));
        self.len += text.len();
        self.at = to;
    }

    /// Takes the source up to `to` as running text, with its escapes decoded.
    pub(super) fn unescape(&mut self, to: usize, escapes: &Escapes) {
        let to = to.min(self.source.len()).max(self.at);
        escapes.each(&self.source[..to], self.at, |escape, text| {
            self.keep(escape.start);
            self.replace(escape.end, text);
        });
        self.keep(to);
    }

    /// The length of the running text so far.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Describes the target that was added last, if requested: its link is the running text from
    /// `start` on.
    pub(super) fn describe(&mut self, start: usize, link: impl FnOnce() -> Link) {
        if let Some(links) = &mut self.links {
            links.push(Link {
                // The running text is the part after the targets.
                around: Some((1, start..self.len)),
                ..link()
            });
        }
    }

    /// Ends the link that was described last at the end of the running text so far.
    pub(super) fn end_link(&mut self) {
        let last = self.links.as_mut().and_then(|links| links.last_mut());
        if let Some((_, range)) = last.and_then(|link| link.around.as_mut()) {
            range.end = self.len;
        }
    }

    /// Adds `range` as a target, with its escapes decoded.
    pub(super) fn target(&mut self, range: Range<usize>, escapes: &Escapes) {
        self.target_in_pieces(range.end, [range], escapes);
    }

    /// Adds `range` as a target, with its escapes decoded. Line breaks and the blanks around them are
    /// removed, and so is the byte `hidden` before a line break.
    pub(super) fn target_over_lines(
        &mut self,
        range: Range<usize>,
        hidden: Option<u8>,
        escapes: &Escapes,
    ) {
        let mut lines = Vec::new();
        let mut at = range.start;
        let text = self.source.get(range.clone()).unwrap_or_default();
        for line in text.split(|&byte| byte == b'\n' || byte == b'\r') {
            let start = at + line.len() - line.trim_ascii_start().len();
            at += line.len() + 1;
            let mut shown = line.trim_ascii();
            if at <= range.end && hidden.is_some() && shown.last() == hidden.as_ref() {
                shown = &shown[..shown.len() - 1];
            }
            lines.push(start..start + shown.len());
        }
        self.target_in_pieces(range.end, lines, escapes);
    }

    /// Adds an empty target at `at`, where one was meant. It is in the view behind a bracket, whose place it has.
    pub(super) fn empty_target(&mut self, at: usize) {
        let place = Span::new(at as u64, at as u64);
        self.targets.push_together(b"(", place);
        let at = self.targets.text().len();
        self.ranges.push(at..at);
        self.targets.push_together(b"\n", place);
    }

    fn target_in_pieces(
        &mut self,
        end: usize,
        pieces: impl IntoIterator<Item = Range<usize>>,
        escapes: &Escapes,
    ) {
        let start = self.targets.text().len();
        for piece in pieces {
            escapes.add(&mut self.targets, self.source, piece);
        }
        self.ranges.push(start..self.targets.text().len());
        let end = Span::new(end as u64, end as u64);
        self.targets.push_together(b"\n", end);
    }

    /// Takes the rest, and adds the running text and the targets to the parts of a document.
    pub(super) fn finish(mut self, parts: &mut Parts<'s>) {
        let view = self.take_view();
        parts.targets_with(self.targets, self.ranges, self.links.unwrap_or_default());
        parts.add(view, Content::Flow, self.examples, Links::default());
    }

    /// Takes the rest, and returns the running text, which it leaves empty.
    pub(super) fn take_view(&mut self) -> View<'static> {
        self.keep(self.source.len());
        self.make();
        std::mem::take(&mut self.view)
    }

    /// Makes the running text of what was taken.
    fn make(&mut self) {
        let rest = (self.at..self.at, 0..0);
        for (range, text) in self.replaced.drain(..).chain([rest]) {
            let kept = &self.source[self.copied..range.start];
            self.view.copy(kept, self.copied as u64);
            self.copied = range.end;
            put(&mut self.view, &self.texts[text], range);
        }
        self.texts.clear();
    }
}

/// Returns the ranges of the lines of a source, without their line ends, and without an empty line
/// after the last line end.
pub(super) fn lines(source: &[u8]) -> impl Iterator<Item = Range<usize>> + Clone + '_ {
    text::lines(source)
        .filter(|line| line.start < source.len())
        .map(text::Line::range)
}
