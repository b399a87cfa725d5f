//! Kinds of document, and the parts of a document of each kind.
//!
//! A document is held in memory and split into parts, each of which is a view of the source:
//! running text with its escapes decoded, and the targets of links. [`Kind`] has the table of all
//! kinds; each kind has a module of its own, named after it. A [`Reader`](crate::Reader) reads
//! whole sources.

mod ahead;
mod asciidoc;
mod broken;
mod calendar;
mod csv;
mod head;
mod html;
mod html_strings;
pub(crate) mod json;
mod kind;
mod language;
mod link;
mod mail;
mod markdown;
mod markup;
mod mediawiki;
mod path;
mod po;
mod policy;
pub(crate) mod program;
mod properties;
mod prose;
mod roff;
mod role;
mod rst;
mod rtf;
mod structure;
mod target;
#[cfg(test)]
mod tests;
mod tex;
mod texts;
mod urls;
mod web;
mod xml;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

#[doc(hidden)]
pub use broken::BrokenLink;
pub use kind::Kind;
#[doc(hidden)]
pub use language::LineComments;
pub use link::Link;
pub(crate) use link::{Links, folded};
#[doc(hidden)]
pub use mail::text_bodies;
#[doc(hidden)]
pub use policy::line_comments;
pub(crate) use policy::{FilePolicy, is_code, syntax};
#[doc(hidden)]
pub use role::Role;
#[doc(hidden)]
pub use rst::is_simple_border;
#[doc(hidden)]
pub use structure::{DocumentText, is_edited, structure};
use target::{is_absolute, is_complete};
pub use web::WebRecord;

use urlint_find::Candidate;
use urlint_find::{Finder, Rejoin};
#[doc(hidden)]
pub use urlint_mail::Letter;
use urlint_mail::entity::MAX_BASE;
pub use urlint_mail::{Attachment, Message};
use urlint_standard::text::Span;
use urlint_standard::text::utf8::utf_16;
use urlint_standard::url::resolve;
use urlint_view::{View, charset};

/// The greatest length of a document that is split into parts, in bytes (64 MiB). A longer message or
/// file is read as plain text.
pub const MAX_DOCUMENT: usize = 64 << 20;

/// Which parts of a document are read. The default is the text for people.
///
/// ```
/// use urlint::document::Depth;
///
/// let depth = Depth::default().with_deep(true);
/// assert!(depth.deep && !depth.skip_code);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Depth {
    /// Whether to read comments, scripts and styles of HTML and XML as well, as plain text.
    pub deep: bool,
    /// Whether to leave out code spans and code blocks of Markdown.
    pub skip_code: bool,
}

impl Depth {
    /// Sets whether comments, scripts and styles of HTML and XML are read.
    pub fn with_deep(self, deep: bool) -> Self {
        Depth { deep, ..self }
    }

    /// Sets whether code spans and code blocks of Markdown are left out.
    pub fn with_skip_code(self, skip_code: bool) -> Self {
        Depth { skip_code, ..self }
    }
}

/// Which parts of a document are produced: those that its [`Depth`] requests, except those that
/// cannot hold a URL that the finder looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    /// See [`Depth::deep`].
    pub(crate) deep: bool,
    /// See [`Depth::skip_code`].
    pub(crate) skip_code: bool,
    /// Whether to keep text without a known scheme: it may hold a host without a scheme, or a
    /// scheme that the user has added.
    pub(crate) unknown_schemes: bool,
    /// Whether [mistakes](Finder::mistakes) are found.
    pub(crate) mistakes: bool,
    /// Whether to keep descriptions of links.
    pub(crate) links: bool,
    /// Whether the source is source code.
    pub(crate) is_code: bool,
    /// Whether the source is a template of catalogues.
    pub(crate) template: bool,
    /// Whether relative targets are kept, to be resolved.
    pub(crate) resolve: bool,
    /// Whether the document is a string of another one, whose strings are not read as documents.
    pub(crate) is_nested: bool,
}

/// A part of a document.
#[derive(Debug, Default)]
pub(crate) struct Part<'s> {
    pub(crate) view: View<'s>,
    pub(crate) content: Content,
    /// Whether it is in a `multipart/alternative`, so that another part has the same text.
    pub(crate) alternative: bool,
    /// Whether it is in a message, in which a target that is a script is listed.
    pub(crate) in_mail: bool,
    /// The kind of its text, if that is not the kind of the document.
    pub(crate) kind: Option<Kind>,
    /// Whether it is the front matter of Markdown, which is not edited but is not an example.
    pub(crate) front_matter: bool,
    /// Whether it is text of another language that the document carries, such as a cell of a notebook: it is not edited.
    pub(crate) is_carried: bool,
    /// Whether it is in a block of HTML in Markdown.
    pub(crate) in_html: bool,
    /// Whether the program that reads the document may read Markdown there.
    pub(crate) reads_markdown: bool,
    /// The names of targets of reStructuredText that are like a URL.
    pub(crate) names: BTreeSet<Vec<u8>>,
    /// The ranges of the text that are code and the like within running text, or that nobody
    /// translates in a catalogue, in order.
    pub(crate) examples: Vec<Range<usize>>,
    /// The descriptions of its links.
    pub(crate) links: Links,
    /// The base of its relative targets, if they are resolved.
    pub(crate) base: Option<Vec<u8>>,
}

/// Sets that the document that `parts` belong to is at `base`, to which their own bases may be relative.
pub(crate) fn set_base(parts: &mut [Part<'_>], base: &[u8]) {
    if base.len() > MAX_BASE {
        return;
    }
    for part in parts {
        part.base = Some(match part.base.take() {
            Some(own) => resolve(base, &own).unwrap_or(own),
            None => base.to_vec(),
        });
    }
}

impl Part<'_> {
    /// Returns whether the part, of a document of `kind`, may be an example: code or preformatted
    /// text, which quotes URLs verbatim and must not be fixed. In kinds that do not mark code,
    /// everything except the targets of links may be an example.
    pub(crate) fn is_example(&self, kind: Kind) -> bool {
        let is_target = matches!(self.content, Content::Targets(_));
        match self.kind.unwrap_or(kind).family() {
            Kind::Markdown | Kind::Html | Kind::Xml => !is_target && self.content != Content::Flow,
            Kind::Rst | Kind::Asciidoc | Kind::Mediawiki | Kind::Roff | Kind::Tex => !is_target,
            _ => false,
        }
    }

    /// Returns the role of a candidate of the part, in a document of `kind` with this `policy`.
    /// `is_example` says that it is [in an example](Self::is_in_example).
    pub(crate) fn role(&self, kind: Kind, is_example: bool, policy: FilePolicy) -> Role {
        let own = self.kind.unwrap_or(kind).family();
        let is_code = matches!(own, Kind::Markdown | Kind::Html | Kind::Xml)
            && self.is_example(kind)
            && !self.front_matter;
        let own = match kind {
            Kind::Po if is_example => Role::Elsewhere,
            _ if is_example || is_code => Role::Shown,
            _ => Role::Used,
        };
        own.max(policy.role())
    }

    /// Returns the ranges of the targets, if the part consists of targets.
    fn targets(&self) -> Option<&[Range<usize>]> {
        match &self.content {
            Content::Targets(ranges) => Some(ranges),
            _ => None,
        }
    }

    /// Returns why the candidate, in a document of `kind`, is not the target of a link although it was meant to
    /// be.
    pub(crate) fn why_no_link(&self, kind: Kind, candidate: &Candidate<'_>) -> Option<BrokenLink> {
        let why = match (self.kind.unwrap_or(kind).family(), &self.content) {
            (Kind::Markdown, Content::Flow) if !self.reads_markdown => markdown::why_no_link,
            (Kind::Rst, Content::Flow) => rst::why_no_link,
            (Kind::Asciidoc, Content::Flow) => asciidoc::why_no_link,
            // Catalogues have messages of all markups, but only one ends links so.
            (Kind::Po, _) => |text: &[u8], start, end| {
                let why = rst::why_no_link(text, start, end);
                why.filter(|why| *why == BrokenLink::NoUnderscore)
            },
            _ => return None,
        };
        let pieces = &candidate.pieces;
        let (start, end) = (pieces.start() as usize, pieces.end() as usize);
        let why = why(self.view.text(), start, end);
        let is_named = || self.names.contains(&*candidate.text);
        why.filter(|why| *why != BrokenLink::NoTarget || !is_named())
            .map(|why| {
                if self.in_html {
                    BrokenLink::InHtml
                } else {
                    why
                }
            })
    }

    /// Returns whether the offset `at` of the text is in code within running text.
    pub(crate) fn is_in_example(&self, at: u64) -> bool {
        let next = self
            .examples
            .partition_point(|range| range.start as u64 <= at);
        let before = next.checked_sub(1).map(|last| &self.examples[last]);
        before.is_some_and(|range| at < range.end as u64)
    }
}

/// The kind of text of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Content {
    /// Text whose line breaks are shown: one of them may be in a URL.
    #[default]
    Lines,
    /// Text that is wrapped when it is shown: a line break is a space.
    Flow,
    /// Several texts like `Lines`, one in each range of the text. No URL extends beyond its range.
    Strings(Vec<Range<usize>>),
    /// Targets of links, one in each range of the text.
    Targets(Vec<Range<usize>>),
}

/// A warning about a document, not about a URL: such as damage, and how the document was read nevertheless.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Notice {
    /// The source bytes it is about.
    pub span: Span,
    /// The message, without a full stop.
    pub message: String,
    /// The number of the message in a mailbox, or of the line of JSON if only fields are read; both
    /// count from 1. `None` in other documents.
    pub member: Option<u64>,
}

impl Notice {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        Notice {
            span,
            message: message.into(),
            member: None,
        }
    }
}

/// Returns `span` moved on by `by` bytes.
pub(crate) fn shifted(span: Span, by: u64) -> Span {
    Span::new(span.start + by, span.end + by)
}

/// The parts of a document, the notices about it, and its attachments.
#[derive(Debug, Default)]
pub(crate) struct Parts<'s> {
    pub(crate) parts: Vec<Part<'s>>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) attachments: Vec<Attachment<'s>>,
}

impl<'s> Parts<'s> {
    /// Splits `source`, a document of `kind`, into parts.
    pub(crate) fn of(source: &'s [u8], kind: Kind, scope: Scope) -> Self {
        let mut parts = Parts::default();
        let is_markup = matches!(kind, Kind::Html | Kind::Xml);
        // Each part of a message has a charset of its own.
        let is_message = matches!(kind, Kind::Mail | Kind::Mbox);
        let label = if is_message {
            utf_16(source).map(str::as_bytes)
        } else {
            charset::of(source, is_markup)
        };
        match label.map(|label| charset::decode(source, label)) {
            Some(Ok(view)) => {
                let mut decoded = Parts::default();
                kind.add_parts(view.text(), scope, &mut decoded);
                parts.add_within(&view, decoded);
            }
            _ => kind.add_parts(source, scope, &mut parts),
        }
        parts
    }

    /// Adds text whose line breaks may be in a URL.
    pub(crate) fn lines(&mut self, view: View<'s>) {
        self.add(view, Content::Lines, Vec::new(), Links::default());
    }

    /// Adds text whose line breaks are spaces.
    pub(crate) fn flow(&mut self, view: View<'s>) {
        self.add(view, Content::Flow, Vec::new(), Links::default());
    }

    /// Adds the texts at `ranges` of the view, in order.
    pub(crate) fn strings(&mut self, view: View<'s>, ranges: Vec<Range<usize>>) {
        self.add(view, Content::Strings(ranges), Vec::new(), Links::default());
    }

    /// Adds the targets of links at `ranges` of the view, in order.
    pub(crate) fn targets(&mut self, view: View<'s>, ranges: Vec<Range<usize>>) {
        self.targets_with(view, ranges, Vec::new());
    }

    /// Adds targets as [`targets`](Self::targets) does, with the link of each if that is known.
    pub(crate) fn targets_with(
        &mut self,
        view: View<'s>,
        ranges: Vec<Range<usize>>,
        targets: Vec<Link>,
    ) {
        let links = Links {
            targets,
            ..Links::default()
        };
        self.add(view, Content::Targets(ranges), Vec::new(), links);
    }

    /// Adds text with code and the like at `examples`, in order, and the descriptions of its links.
    fn add(&mut self, view: View<'s>, content: Content, examples: Vec<Range<usize>>, links: Links) {
        if !view.text().is_empty() {
            self.parts.push(Part {
                view,
                content,
                examples,
                links,
                ..Part::default()
            });
        }
    }

    /// Sets the kind of the text of all parts.
    fn set_kind(&mut self, kind: Kind) {
        (self.parts.iter_mut()).for_each(|part| part.kind = Some(kind));
    }

    /// Adds the parts of `inner`, a document made of the text of `view`, such as a body of a
    /// message.
    pub(crate) fn add_within(&mut self, view: &View<'_>, inner: Parts<'_>) {
        for part in inner.parts {
            let view = view.compose(part.view);
            self.parts.push(Part { view, ..part });
        }
        for notice in inner.notices {
            let span = view.map_whole(notice.span);
            self.notices.push(Notice { span, ..notice });
        }
        for attachment in inner.attachments {
            let span = view.map_whole(attachment.span);
            self.attachments.push(attachment.moved(span));
        }
    }

    /// Adds the parts of `inner`, a document that begins at offset `start` of the source, unencoded.
    fn add_at(&mut self, start: u64, inner: Parts<'s>) {
        for mut part in inner.parts {
            part.view.shift(start);
            self.parts.push(part);
        }
        for notice in inner.notices {
            let span = shifted(notice.span, start);
            self.notices.push(Notice { span, ..notice });
        }
        for mut attachment in inner.attachments {
            attachment.span = shifted(attachment.span, start);
            self.attachments.push(attachment);
        }
    }

    /// Adds a warning about damage at `span`.
    pub(crate) fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.notices.push(Notice::new(span, message));
    }
}

/// Returns whether `value` is one URL and nothing else.
fn is_one_url(value: &[u8]) -> bool {
    let found = is_absolute(value).then(|| Finder::default().find_value(value).next());
    found.flatten().is_some_and(|found| *found.text == *value)
}

/// Returns `bytes` as text of the same length for a parser: each byte that is not valid UTF-8 is
/// replaced by `stand_in`, a US-ASCII character.
fn in_utf8(bytes: &[u8], stand_in: char) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| stand_in));
    }
    Cow::Owned(text)
}

impl Part<'_> {
    /// Returns how many relative targets are left out, since there is no base by which to resolve them.
    pub(crate) fn unresolved(&self) -> usize {
        let base = self.base.as_deref();
        match &self.content {
            Content::Targets(ranges) if base.and_then(|base| resolve(base, b"x")).is_none() => {
                let targets = ranges.iter().map(|range| &self.view.text()[range.clone()]);
                targets.filter(|target| target::is_relative(target)).count()
            }
            _ => 0,
        }
    }

    /// Finds the candidates of the part; their spans are in its own text.
    pub(crate) fn find<'p>(
        &'p self,
        finder: &Finder,
    ) -> Box<dyn Iterator<Item = Candidate<'p>> + 'p> {
        let text = self.view.text();
        let finder = finder.clone();
        let base = self.base.as_deref();
        match &self.content {
            Content::Lines => Box::new(finder.find(text)),
            Content::Flow => Box::new(finder.with_rejoin(Rejoin::Never).find(text)),
            Content::Strings(ranges) => Box::new(ranges.iter().flat_map(move |range| {
                let string = &text[range.clone()];
                let start = range.start as u64;
                let found = finder.find_value(string);
                found.map(move |found| View::borrowed(string, start).candidate(found))
            })),
            Content::Targets(ranges) => Box::new(
                ranges
                    .iter()
                    .filter_map(move |range| target::candidate(text, range.clone(), base, &finder))
                    .filter(|found| self.in_mail || !target::is_script(&found.text)),
            ),
        }
    }
}
