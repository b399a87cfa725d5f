//! From the parts of a document to its candidates, each with all that is known about it.

use std::cell::OnceCell;

use super::found::{Found, Origin, Within};
use super::merge::{Located, Merged};
use super::piece::Document;
use super::records::Members;
use super::shortened::Shortened;
use super::unread::unread;
use super::{Event, Reader, Visit};
use crate::document::{Notice, Part, Parts, set_base, shifted};
use urlint_find::{Candidate, Flag};
use urlint_mail::LazyOutline;
use urlint_standard::text::Span;

/// The most bytes that all relative targets of a document may have once they are resolved: this many, or
/// [`MOST_RESOLVED_TIMES`] times as many as the document has, if that is more.
const MOST_RESOLVED: usize = 16 << 20;
const MOST_RESOLVED_TIMES: usize = 100;

impl Reader {
    /// Reads a document that has been split into parts.
    pub(super) fn parts<E>(
        &self,
        document: &Document<'_>,
        parts: Parts<'_>,
        visit: &mut Visit<'_, E>,
    ) -> Result<(), E> {
        let Parts {
            mut parts,
            notices,
            attachments,
        } = parts;
        self.place(document, &mut parts);
        for notice in self.notices(document, notices, &parts) {
            visit(Event::Notice(notice))?;
        }
        let window = document.window();
        let outline = document.is_message().then(|| LazyOutline::new(window));
        let dates = OnceCell::new();
        let mut members = Members::new(document);
        let mut resolved = Resolved::of(document);
        let mut locator = document.locator;
        for mut located in Shortened::new(Merged::new(&parts, &self.finder), &parts) {
            self.mark_broken(document, &parts, &mut located);
            let in_source = { located.cursor }.candidate(located.candidate.clone());
            if self.finder.mistakes && is_spaced_by_markup(&in_source) {
                continue;
            }
            let start = located.start;
            let position = self.positions.then(|| locator.advance(window, start));
            let within = Within {
                parts: &parts,
                part: located.part,
                outline: outline.as_ref(),
                dates: &dates,
            };
            let found = Found {
                position,
                member: members.at(start),
                ..described(document, in_source, &located, within)
            };
            match resolved.take(&found) {
                Ok(()) => visit(Event::Found(found))?,
                Err(notice) => notice.map_or(Ok(()), |notice| visit(Event::Notice(notice)))?,
            }
        }
        for mut attachment in attachments {
            attachment.span = shifted(attachment.span, document.start);
            attachment.member = document.member.filter(|_| !document.is_records());
            attachment.outline = outline.as_ref();
            visit(Event::Attachment(attachment))?;
        }
        Ok(())
    }

    /// Sets where the parts of a document are in its source, and by which base their targets are resolved.
    fn place(&self, document: &Document<'_>, parts: &mut [Part<'_>]) {
        (parts.iter_mut()).for_each(|part| part.view.shift(document.start));
        if let Some(base) = self.base.as_deref().filter(|base| !base.is_empty()) {
            set_base(parts, base);
        }
    }

    /// Returns the notices about a document: `own`, which its parts gave, and about text that is not read.
    fn notices(
        &self,
        document: &Document<'_>,
        own: Vec<Notice>,
        parts: &[Part<'_>],
    ) -> impl Iterator<Item = Notice> {
        let (start, member, is_records) = (document.start, document.member, document.is_records());
        let own = own.into_iter().map(move |notice| Notice {
            span: shifted(notice.span, start),
            member: if is_records { notice.member } else { member },
            ..notice
        });
        let counts = self.unread && !is_records;
        let unread = counts.then(|| unread(document, parts)).flatten();
        let count: usize = parts.iter().map(Part::unresolved).sum();
        let unresolved = (self.base.is_some() && count > 0).then(|| {
            let message = format!("without a base, so relative targets are left out: {count}");
            Notice::new(Span::new(start, start), message)
        });
        own.chain(unread).chain(unresolved)
    }

    /// Marks a candidate that was meant to be the target of a link, if mistakes are found.
    fn mark_broken(&self, document: &Document<'_>, parts: &[Part<'_>], located: &mut Located<'_>) {
        let why = || parts[located.part].why_no_link(document.kind, &located.candidate);
        if self.finder.mistakes && !located.is_example && why().is_some() {
            located.candidate.flags.set(Flag::BrokenLink);
        }
    }
}

/// Describes the candidate `in_source`, which was `located` in a part.
fn described<'w>(
    document: &'w Document<'_>,
    in_source: Candidate<'w>,
    located: &'w Located<'w>,
    within: Within<'w>,
) -> Found<'w> {
    let part = &within.parts[within.part];
    let mut policy = document.by_name.policy;
    policy.read_only |= located.is_example || part.is_example(document.kind) || part.is_carried;
    Found {
        candidate: in_source,
        position: None,
        window: document.window(),
        member: None,
        alternative: part.alternative,
        origin: Some(Origin {
            view: &part.view,
            candidate: &located.candidate,
        }),
        within: Some(within),
        kind: document.kind,
        policy,
        role: part.role(document.kind, located.is_example, policy),
    }
}

/// Counts the bytes of relative targets: a base may have any length, and each target repeats it.
struct Resolved {
    bytes: usize,
    most: usize,
}

impl Resolved {
    fn of(document: &Document<'_>) -> Self {
        Resolved {
            bytes: 0,
            most: MOST_RESOLVED.max(document.text.len() * MOST_RESOLVED_TIMES),
        }
    }

    /// Counts a candidate, if it is a relative target. Fails if there are too many bytes, the first time with a
    /// notice.
    fn take(&mut self, found: &Found<'_>) -> Result<(), Option<Notice>> {
        if found.relative().is_none() {
            return Ok(());
        }
        let was_within = self.bytes <= self.most;
        self.bytes += found.candidate.text.len();
        if self.bytes <= self.most {
            return Ok(());
        }
        let at = found.candidate.outer.start;
        let message = "resolved, its relative targets are too long, so the rest is left out";
        Err(was_within.then(|| Notice::new(Span::new(at, at), message)))
    }
}

/// Returns whether the space after the `//` of a mistaken URL stands for a tag: `<b>http://</b>a.example`.
fn is_spaced_by_markup(candidate: &Candidate<'_>) -> bool {
    let written: u64 = (candidate.pieces.iter())
        .map(|piece| piece.end - piece.start)
        .sum();
    let has_space = || memchr::memmem::find(&candidate.text, b":// ").is_some();
    written != candidate.text.len() as u64 && has_space()
}
