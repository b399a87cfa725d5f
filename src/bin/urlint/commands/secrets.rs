//! Passwords that no report may show: this output ends in logs.

use std::ops::Range;

use urlint::{Diagnostic, Found, Span, StreamOptions};

use crate::terminal;

/// What is secret about a candidate.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    /// Where its passwords stand in the source.
    pub(super) spans: Vec<Span>,
    /// Whether it ends within what may be a password, so that the rules take it for a port.
    is_cut: bool,
}

impl Secrets {
    pub(super) fn of(found: &Found<'_>) -> Secrets {
        let text = &found.candidate.text;
        let spans_of = |range| found.spans(range).iter().collect::<Vec<_>>();
        // The cheap test first, since this runs for every candidate: a password takes a colon
        // beside the scheme's, or an `@`.
        if memchr::memchr2_iter(b':', b'@', text).nth(1).is_none() {
            return Secrets::default();
        }
        if memchr::memchr(b'@', text).is_some() {
            let passwords = terminal::passwords_of(text).into_iter();
            return Secrets {
                spans: passwords.flat_map(spans_of).collect(),
                is_cut: false,
            };
        }
        let Some(start) = terminal::cut_password(text) else {
            return Secrets::default();
        };
        let mut spans = spans_of(start..text.len());
        let all = spans_of(0..text.len());
        let stands_raw = all.iter().map(|span| span.len()).sum::<u64>() == text.len() as u64;
        let rest = match all.last() {
            Some(last) if stands_raw => rest_behind(found, last.end),
            // What follows it cannot be read here.
            _ => Some(Vec::new()),
        };
        match rest {
            Some(rest) => {
                spans.extend(rest);
                Secrets {
                    spans,
                    is_cut: true,
                }
            }
            None => Secrets::default(),
        }
    }

    /// Hides passwords in all texts of a diagnostic, should any have got there.
    pub(super) fn scrub(&self, diagnostic: &mut Diagnostic) {
        if self.is_cut {
            // It may name any part of it.
            diagnostic.message = diagnostic.rule.summary().to_owned();
            if let Some(first) = diagnostic.message.get_mut(..1) {
                first.make_ascii_lowercase();
            }
            diagnostic.notes.clear();
            diagnostic.fix = None;
        }
        if let Some(url) = &mut diagnostic.url {
            hide(url, |url| self.passwords_of(url));
        }
        for alternative in &mut diagnostic.alternatives {
            hide(alternative, |url| self.passwords_of(url));
        }
        hide(&mut diagnostic.message, terminal::passwords_in);
        hide(&mut diagnostic.label, terminal::passwords_in);
        for note in &mut diagnostic.notes {
            hide(note, terminal::passwords_in);
        }
        let tells = |fix: &urlint::Fix| {
            let mut edits = fix.edits.iter();
            edits.any(|edit| !terminal::passwords_in(edit.replacement.as_bytes()).is_empty())
        };
        // A fix that would print the password is better not offered than offered with `***` in it.
        if diagnostic.fix.as_ref().is_some_and(tells) {
            diagnostic.fix = None;
        }
    }

    fn passwords_of(&self, url: &[u8]) -> Vec<Range<usize>> {
        match terminal::cut_password(url).filter(|_| self.is_cut) {
            Some(start) => std::iter::once(start..url.len()).collect(),
            None => terminal::passwords_of(url),
        }
    }
}

/// Where the password goes on that the candidate ends in, at the offset `end`, if it does.
fn rest_behind(found: &Found<'_>, end: u64) -> Option<Vec<Span>> {
    let (text, base) = (found.window.bytes, found.window.start);
    let at = usize::try_from(end.checked_sub(base)?).ok()?;
    // What lies further on is in some windows only.
    let text = &text[..text.len().min(at + StreamOptions::CONTEXT)];
    // Punctuation that was left to the text may be a part of it.
    let tail = text.get(at..)?.iter();
    let at = at + tail.take_while(|&&byte| !terminal::ends_url(byte)).count();
    let rest = terminal::rest_of_login(text, at);
    let span = |part: &Range<usize>| Span::new(base + part.start as u64, base + part.end as u64);
    (!rest.is_empty()).then(|| rest.iter().map(span).collect())
}

fn hide(text: &mut String, find: impl Fn(&[u8]) -> Vec<Range<usize>>) {
    for range in find(text.as_bytes()).into_iter().rev() {
        text.replace_range(range, terminal::HIDDEN);
    }
}
