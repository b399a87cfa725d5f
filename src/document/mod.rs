//! Documents: what a source is made of, part by part.
//!
//! A document is held whole and taken apart into [`Part`]s, each a view of the source. What kinds
//! there are and how they are told is in [`kind`]; how one is taken apart, in the file of
//! [`view`] that is named after it.

mod asciidoc;
mod head;
mod html;
pub(crate) mod json;
mod kind;
pub(crate) mod mail;
mod markdown;
mod markup;
mod prose;
mod roff;
mod rst;
mod target;
mod tex;
mod urls;
mod xml;

use std::ops::Range;

pub use kind::Kind;
pub(crate) use kind::is_code;
pub use mail::{TextBody, text_bodies};
pub(crate) use target::{is_absolute, is_complete};

use crate::find::candidate::Candidate;
use crate::find::{Finder, Rejoin};
use crate::text::span::Span;
use crate::view::{View, charset};

/// The longest document that is taken apart, in bytes: a message, or a file of markup. A longer one
/// is read as plain text.
pub const MAX_DOCUMENT: usize = 64 << 20;

/// What of a document is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// Also comments, scripts and styles of markup, as plain text.
    pub deep: bool,
    /// Not code spans and code blocks of Markdown.
    pub skip_code: bool,
}

/// What is looked for when a document is taken apart: its [`Depth`], and what follows from how
/// candidates are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// As [`Depth::deep`].
    pub(crate) deep: bool,
    /// As [`Depth::skip_code`].
    pub(crate) skip_code: bool,
    /// Also what begins with none of the schemes that are known: hosts, and URLs with a scheme of
    /// somebody's own.
    pub(crate) marks: bool,
}

/// A part of a document.
#[derive(Debug)]
pub(crate) struct Part<'s> {
    pub(crate) view: View<'s>,
    pub(crate) content: Content,
    /// Whether it says what other parts say too: one of the alternatives of a message.
    pub(crate) alternative: bool,
}

/// What the text of a part is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Free text whose lines were broken by people and programs: a break may stand in a URL.
    Lines,
    /// Free text that is broken anew when it is shown: a line break is as good as a space.
    Flow,
    /// Free texts as in `Lines`, each in its range of the text: a URL ends where one does.
    Strings(Vec<Range<usize>>),
    /// Targets of links, each in its range of the text; between them is nothing.
    Targets(Vec<Range<usize>>),
}

/// Something to be told about a document beside its URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What sort of thing.
    pub kind: NoticeKind,
    /// The source bytes that it is about.
    pub span: Span,
    /// What there is to say, without a full stop.
    pub message: String,
    /// The message of a mailbox that it is about, or the line of JSON of which only fields are read,
    /// from 1.
    pub member: Option<u64>,
}

/// Sorts of [`Notice`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// The document is not as it should be, and how it was read nevertheless.
    Warning,
    /// Something was passed over, since it is no text.
    Skipped,
    /// A line is not as it should be, and how it was read nevertheless. There may be as many of
    /// these as there are lines: `urlint` tells the first of a source, and how many more there are.
    Line,
}

/// The parts of a document, and what there is to say about it.
#[derive(Debug, Default)]
pub(crate) struct Parts<'s> {
    pub(crate) parts: Vec<Part<'s>>,
    pub(crate) notices: Vec<Notice>,
}

impl<'s> Parts<'s> {
    /// The parts of `source`, a document of the kind `kind`.
    pub(crate) fn of(source: &'s [u8], kind: Kind, look: Look) -> Self {
        let mut parts = Parts::default();
        if let Some(label) = charset::of_bom(source)
            && let Ok(view) = charset::decode(source, label.as_bytes())
        {
            parts.within(&view, Parts::of(view.text(), kind, look));
            return parts;
        }
        match kind {
            Kind::Plain => parts.lines(View::same(source, 0)),
            Kind::Mail | Kind::Mbox => mail::parts(source, look, &mut parts),
            Kind::Html => html::parts(source, look, &mut parts),
            Kind::Xml => xml::parts(source, look, &mut parts),
            Kind::Markdown => markdown::parts(source, look, &mut parts),
            Kind::Rst => rst::parts(source, &mut parts),
            Kind::Asciidoc => asciidoc::parts(source, &mut parts),
            Kind::Roff => roff::parts(source, &mut parts),
            Kind::Tex => tex::parts(source, &mut parts),
            Kind::Json => json::parts(source, look, &mut parts),
            Kind::Urls => urls::parts(source, &mut parts),
        }
        parts
    }

    /// Adds free text whose line breaks may stand in a URL.
    pub(crate) fn lines(&mut self, view: View<'s>) {
        self.add(view, Content::Lines);
    }

    /// Adds free text whose line breaks are as good as spaces.
    pub(crate) fn flow(&mut self, view: View<'s>) {
        self.add(view, Content::Flow);
    }

    /// Adds free texts, which stand at `ranges` of the view, in order.
    pub(crate) fn strings(&mut self, view: View<'s>, ranges: Vec<Range<usize>>) {
        self.add(view, Content::Strings(ranges));
    }

    /// Adds targets of links, which stand at `ranges` of the view, in order.
    pub(crate) fn targets(&mut self, view: View<'s>, ranges: Vec<Range<usize>>) {
        self.add(view, Content::Targets(ranges));
    }

    fn add(&mut self, view: View<'s>, content: Content) {
        if !view.text().is_empty() {
            self.parts.push(Part {
                view,
                content,
                alternative: false,
            });
        }
    }

    /// Adds the parts of `inner`, a document of the same source.
    pub(crate) fn take(&mut self, inner: Parts<'s>) {
        self.parts.extend(inner.parts);
        self.notices.extend(inner.notices);
    }

    /// Adds the parts of a document `inner` that was found in `view`: a part of a message, say.
    pub(crate) fn within(&mut self, view: &View<'_>, inner: Parts<'_>) {
        for part in inner.parts {
            let view = view.then(&part.view);
            self.parts.push(Part { view, ..part });
        }
        for notice in inner.notices {
            let span = view.map_whole(notice.span);
            self.notices.push(Notice { span, ..notice });
        }
    }

    /// Adds the parts of a document `inner` that stands as it is at `start`.
    pub(crate) fn at(&mut self, start: u64, inner: Parts<'s>) {
        for mut part in inner.parts {
            part.view.shift(start);
            self.parts.push(part);
        }
        for notice in inner.notices {
            let Span { start: from, end } = notice.span;
            let span = Span::new(from + start, end + start);
            self.notices.push(Notice { span, ..notice });
        }
    }

    /// Tells that the document is not as it should be at `span`.
    pub(crate) fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.notice(NoticeKind::Warning, span, message.into());
    }

    /// Tells that the bytes `span` are passed over; `what` says what they are.
    pub(crate) fn skip(&mut self, span: Span, what: impl Into<String>) {
        self.notice(NoticeKind::Skipped, span, what.into());
    }

    fn notice(&mut self, kind: NoticeKind, span: Span, message: String) {
        self.notices.push(Notice {
            kind,
            span,
            message,
            member: None,
        });
    }
}

impl Part<'_> {
    /// The candidates of the part, their spans in its own text.
    pub(crate) fn find(&self, finder: &Finder) -> Vec<Candidate<'_>> {
        let text = self.view.text();
        match &self.content {
            Content::Lines => finder.find(text).collect(),
            Content::Flow => {
                let finder = finder.clone().with_rejoin(Rejoin::Never);
                finder.find(text).collect()
            }
            Content::Strings(ranges) => {
                let mut found = Vec::new();
                for range in ranges {
                    let string = &text[range.clone()];
                    let own = finder.find(string);
                    found.extend(own.map(|candidate| {
                        View::same(string, range.start as u64).candidate(candidate)
                    }));
                }
                found
            }
            Content::Targets(ranges) => ranges
                .iter()
                .filter_map(|range| target::candidate(text, range.clone(), &finder.schemes))
                .collect(),
        }
    }
}
