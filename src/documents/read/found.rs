//! Candidates of sources of any kind.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;

use super::dates::Dates;
use crate::document::{BrokenLink, FilePolicy, Kind, Link, Message, Part, Role};
use urlint_find::{Candidate, Delimiter, Ending, Flag};
use urlint_mail::LazyOutline;
use urlint_standard::text::Position;
use urlint_standard::text::Window;
use urlint_standard::text::beginning::MAX_SHARED;
use urlint_standard::text::{Span, Spans};
use urlint_standard::url::password::redacted;
use urlint_view::View;
use urlint_view::words::Around;

/// A candidate of a source, and where in the source it was found.
///
/// `Debug` shows passwords as `***`, and hides the text around the candidate.
#[non_exhaustive]
pub struct Found<'w> {
    /// The candidate; its offsets count from the first byte of the source.
    pub candidate: Candidate<'w>,
    /// The line and column in which `candidate.outer` starts, if
    /// [positions](super::Reader::positions) are counted.
    pub position: Option<Position>,
    /// Source bytes around the candidate, including `candidate.outer`.
    pub window: Window<'w>,
    /// The number of the message, from 1, if the source is a mailbox; the number of the line, from 1,
    /// if only [fields](super::Reader::json_fields) of JSON are read.
    pub member: Option<u64>,
    /// Whether the candidate is in one of several forms of the same text, as in
    /// `multipart/alternative` (RFC 2046, section 5.1.4), so that the other forms may contain the
    /// same URL.
    pub alternative: bool,
    /// The view that it was found in, if that is not the source itself.
    #[doc(hidden)]
    pub origin: Option<Origin<'w>>,
    /// Where in the document it was found, if that was split into parts.
    pub(crate) within: Option<Within<'w>>,
    /// The kind of the document.
    pub kind: Kind,
    /// The policy for reports and fixes in the source, by its name.
    #[doc(hidden)]
    pub policy: FilePolicy,
    /// The role of the candidate in its document.
    #[doc(hidden)]
    pub role: Role,
}

impl fmt::Debug for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Found");
        shown.field("candidate", &self.candidate);
        shown.field("position", &self.position);
        shown.field("window", &self.window);
        shown.field("member", &self.member);
        shown.field("alternative", &self.alternative);
        shown.field("kind", &self.kind);
        shown.finish_non_exhaustive()
    }
}

/// The view that a candidate was found in.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Origin<'w> {
    pub view: &'w View<'w>,
    /// The candidate, with spans in the view.
    pub candidate: &'w Candidate<'w>,
}

/// Where in a document a candidate was found.
#[derive(Clone, Copy)]
pub(crate) struct Within<'w> {
    /// The parts of the document, and the index of the one that it was found in.
    pub(super) parts: &'w [Part<'w>],
    pub(super) part: usize,
    /// The outline of the document, if that is a message.
    pub(super) outline: Option<&'w LazyOutline<'w>>,
    /// The dates of the entries of the document, computed on first use.
    pub(super) dates: &'w OnceCell<Dates>,
}

impl<'w> Found<'w> {
    #[doc(hidden)]
    #[inline(always)]
    pub fn in_plain_text(
        candidate: Candidate<'w>,
        position: Option<Position>,
        window: Window<'w>,
    ) -> Self {
        Found {
            candidate,
            position,
            window,
            member: None,
            alternative: false,
            origin: None,
            within: None,
            kind: Kind::Plain,
            policy: FilePolicy::default(),
            role: Role::Used,
        }
    }
}

impl Found<'_> {
    /// Sets the policy for the source.
    #[must_use]
    #[inline(always)]
    pub(super) fn with_policy(mut self, policy: FilePolicy) -> Self {
        self.policy = policy;
        self.role = policy.role();
        self
    }

    /// The description of the link with this target, or of the XML element whose text contains the
    /// candidate. `None` elsewhere, and unless [links](super::Reader::links) are kept.
    ///
    /// ```
    /// use urlint::{Event, Reader};
    ///
    /// let page: &[u8] = b"<p>See <a href='http://a.example/' rel=nofollow>the\n<b>page</b></a>.";
    /// Reader::default().with_links(true).read(b"a.html", page, &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         let link = found.link().unwrap();
    ///         assert_eq!(link.element, b"a");
    ///         assert_eq!(link.anchor.as_deref(), Some(&b"the page"[..]));
    ///         assert_eq!(link.rel.as_deref(), Some(&b"nofollow"[..]));
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn link(&self) -> Option<&Link> {
        let within = self.within?;
        let part = within.parts.get(within.part)?;
        part.link(self.origin?.candidate.outer.start)
    }

    /// Why the candidate is not the target of a link, although it was meant to be.
    #[doc(hidden)]
    pub fn broken_link(&self) -> Option<BrokenLink> {
        let (within, candidate) = (self.within?, self.origin?.candidate);
        let part = within.parts.get(within.part)?;
        let is_broken = candidate.flags.has(Flag::BrokenLink);
        is_broken.then(|| part.why_no_link(self.kind, candidate))?
    }

    /// The target of the link as it is written, if it is relative, so that the candidate's text is the URL that
    /// it was [resolved](super::Reader::base) to. The candidate's pieces are the pieces of the target.
    ///
    /// ```
    /// use urlint::{Event, Reader};
    ///
    /// let page: &[u8] = b"<base href='http://a.example/b/'><a href='../x?y&amp;z'>";
    /// let mut relative = Vec::new();
    /// Reader::default().with_base(*b"").read(b"a.html", page, &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         relative.push(found.relative().map(|target| target.to_vec()));
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// assert_eq!(relative, [None, Some(b"../x?y&z".to_vec())]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn relative(&self) -> Option<Cow<'_, [u8]>> {
        let Origin { view, candidate } = self.origin?;
        let within = self.within?;
        within.parts.get(within.part)?.base.as_ref()?;
        if candidate.delimiter != Delimiter::Target {
            return None;
        }
        let text = view.text();
        let written = match candidate.pieces.single() {
            Some(span) => Cow::Borrowed(span.slice(text)),
            None => {
                let pieces = candidate.pieces.iter().map(|span| span.slice(text));
                Cow::Owned(pieces.collect::<Vec<_>>().concat())
            }
        };
        // A resolved URL begins with a scheme, and a relative one does not.
        (*written != *candidate.text).then_some(written)
    }

    /// The message that the candidate was found in, if the document is a message of mail or news.
    ///
    /// ```
    /// use urlint::{Event, Reader};
    ///
    /// let message: &[u8] = b"From: joe@a.example\nSubject: a page\n\nsee http://a.example/";
    /// Reader::default().read(b"1.eml", message, &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         let message = found.message().unwrap();
    ///         assert_eq!(message.field("subject").as_deref(), Some(&b"a page"[..]));
    ///         assert_eq!(message.part().as_deref(), Some("1"));
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn message(&self) -> Option<Message<'_>> {
        self.within?.outline?.at(self.candidate.outer.start)
    }

    /// The date of the entry that has the candidate, as it is written: a bookmark (`ADD_DATE`), an entry of a feed
    /// (`pubDate`, `updated` and others), or an object of JSON (`ts`, `date` and others).
    ///
    /// ```
    /// use urlint::{Event, Reader};
    ///
    /// let export: &[u8] = br#"[{"text": "<http://a.example/>", "ts": "1355517523.000005"}]"#;
    /// Reader::default().read(b"a.json", export, &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         assert_eq!(found.date(), Some(&b"1355517523.000005"[..]));
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn date(&self) -> Option<&[u8]> {
        let Window { start, bytes } = self.window;
        let dates = self.within?.dates;
        let dates = dates.get_or_init(|| Dates::of(bytes, self.kind));
        let at = self.candidate.outer.start.checked_sub(start)?;
        dates.at(bytes, usize::try_from(at).ok()?)
    }

    /// The candidate with the words around it: at most `chars` characters on either side, in whole
    /// words, with white space folded and without control characters. The text is decoded, and
    /// bytes that are not UTF-8 become U+FFFD. In plain text, the surrounding words are available
    /// only if [positions](super::Reader::positions) are counted, and around the target of a link
    /// only if [links](super::Reader::links) are kept. If the text of the link has more than 8,192
    /// bytes, the words are those in the attribute.
    ///
    /// ```
    /// let text = &b"words before it (see\nhttp://a.example/), and words after it"[..];
    /// urlint::Reader::default().read(b"a.txt", text, &mut |event| {
    ///     if let urlint::Event::Found(found) = event {
    ///         assert_eq!(found.words_around(12), "it (see http://a.example/), and words");
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn words_around(&self, chars: usize) -> String {
        self.words(chars, false)
    }

    /// The [words around](Self::words_around) the candidate, without passwords if `redact`.
    #[doc(hidden)]
    pub fn words(&self, chars: usize, redact: bool) -> String {
        let url = match redacted(&self.candidate.text) {
            Cow::Owned(url) if redact => Some(url),
            _ => None,
        };
        let in_text = |text: &[u8], start: u64, span: Span| {
            let at = |offset: u64| {
                usize::try_from(offset)
                    .unwrap_or(usize::MAX)
                    .min(text.len())
            };
            let around = Around {
                text,
                start,
                range: at(span.start)..at(span.end),
                shown: url.as_deref(),
                chars,
                redact,
            };
            around.words()
        };
        let Some(origin) = self.origin else {
            let Window { start, bytes } = self.window;
            let Span { start: from, end } = self.candidate.outer;
            let span = Span::new(from.saturating_sub(start), end.saturating_sub(start));
            return in_text(bytes, start, span);
        };
        let around = self.link().and_then(|link| {
            // A link may have many URLs, and its whole text would be repeated for each.
            let is_short = |(_, range): &(_, Range<usize>)| range.len() <= MAX_SHARED;
            let (after, range) = link.around.clone().filter(is_short)?;
            let within = self.within?;
            let part = within.parts.get(within.part.checked_add_signed(after)?)?;
            let around = Around {
                text: part.view.text(),
                start: 0,
                shown: link.anchor.as_deref().filter(|_| !range.is_empty()),
                range,
                chars,
                redact,
            };
            Some(around.words())
        });
        match around {
            Some(words) => words,
            None if self.candidate.delimiter == Delimiter::Target => String::new(),
            None => in_text(origin.view.text(), 0, origin.candidate.outer),
        }
    }

    /// Why the candidate ends where it does, in the text that it was found in.
    pub fn ending(&self) -> Ending {
        match self.origin {
            None => {
                let after = self.window.from(self.candidate.outer.end);
                self.candidate.ending(after)
            }
            Some(Origin { view, candidate }) => {
                let end = usize::try_from(candidate.outer.end).unwrap_or(usize::MAX);
                candidate.ending(view.text().get(end..).unwrap_or_default())
            }
        }
    }

    /// The source bytes that `range` of the candidate's text was read from.
    pub fn spans(&self, range: Range<usize>) -> Spans {
        match self.origin {
            None => self.candidate.pieces.slice(range),
            // No part of the URL is a certain part of the target.
            Some(_) if self.relative().is_some() => self.candidate.pieces.clone(),
            Some(origin) => origin.view.spans(&origin.candidate.pieces.slice(range)),
        }
    }
}
