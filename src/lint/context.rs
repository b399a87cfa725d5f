//! How the URL stands in its text: the candidate's flags, and its fragment.

use crate::candidate::Flag;
use crate::diagnostic::{Applicability, Edit, Fix};
use crate::rule::Rule;
use crate::span::{Span, Spans};

use super::finding::{Finding, Report, shown};
use super::url::Url;

/// Reports every flag of the candidate.
pub(super) fn flags(url: &Url<'_>, report: &mut Report<'_>) {
    for flag in url.candidate.flags.iter() {
        let rule = Rule::from(flag);
        if report.wants(rule) {
            report.add(finding(url, flag, rule));
        }
    }
}

fn finding(url: &Url<'_>, flag: Flag, rule: Rule) -> Finding {
    let at_gaps = |message: &str| Finding::new(rule, gaps(url), message);
    let at_end = |message: &str| Finding::new(rule, end(url), message);
    match flag {
        Flag::Unterminated => Finding::new(rule, opener(url), "the wrapper is never closed")
            .label("`>` is missing")
            .fix(one_edit(
                "close the wrapper",
                Applicability::Display,
                end(url),
                ">",
            )),
        Flag::Empty => Finding::new(
            rule,
            url.candidate.outer.into(),
            "there is no URL in the wrapper",
        )
        .label("empty"),
        Flag::InteriorSpace => {
            at_gaps("white space stands inside the URL: remove it, or write `%20`?")
                .label("ignored")
                .fix(one_edit(
                    "write `%20`",
                    Applicability::Display,
                    gaps(url),
                    "%20",
                ))
        }
        Flag::AmbiguousHyphen => {
            let spans = before_breaks(url, b'-');
            with_readings(
                url,
                Finding::new(
                    rule,
                    spans,
                    "the hyphen at the line break may belong to the URL or not",
                ),
            )
            .label("part of the URL?")
        }
        Flag::HyphenResolved => with_readings(
            url,
            at_gaps("a hyphen at the line break was dropped, only so the URL is valid"),
        )
        .label("dropped"),
        Flag::PossibleQpSoftBreak => {
            let spans = before_breaks(url, b'=');
            with_readings(
                url,
                Finding::new(
                    rule,
                    spans,
                    "the `=` at the line break may be a quoted-printable soft break",
                ),
            )
            .label("part of the URL?")
        }
        Flag::BrokenUrl => {
            with_readings(url, at_end("the URL may go on in the next line")).label("may go on")
        }
        Flag::PrefixCase => {
            let start = opener(url);
            let prefix = Span::new(
                start.end().saturating_sub(4).max(start.start()),
                start.end(),
            );
            Finding::new(rule, prefix.into(), "the prefix is not written `URL:`")
                .label("other capitals")
                .fix(one_edit(
                    "write `URL:`",
                    Applicability::Safe,
                    prefix.into(),
                    "URL:",
                ))
        }
        Flag::QuotePrefix => {
            at_gaps("quote marks at the start of a line were taken out of the URL")
                .label("taken out")
        }
        Flag::QuoteDepthChange => {
            at_gaps("the URL goes on in a line of another quote depth").label("other depth")
        }
        Flag::PageBreak => at_gaps("the URL goes on behind a page break").label("taken out"),
        Flag::TooLong => {
            let message = format!("the URL goes on past {} bytes", crate::MAX_URL);
            at_end(&message).label("cut here")
        }
    }
}

/// Both readings, each in a note.
fn with_readings(url: &Url<'_>, finding: Finding) -> Finding {
    if url.candidate.alternatives.is_empty() {
        return finding;
    }
    let read = format!("read as {}", shown(&url.candidate.text));
    let others = url.candidate.alternatives.iter();
    others.fold(finding.note(read), |finding, other| {
        finding.note(format!("could also be {}", shown(&other.text)))
    })
}

/// `<URL:`, as far as it is there.
fn opener(url: &Url<'_>) -> Spans {
    let outer = url.candidate.outer;
    let width = match url.candidate.delimiter {
        crate::Delimiter::Wrapper => 5,
        crate::Delimiter::Prefix => 4,
        _ => 1,
    };
    Span::new(outer.start, outer.end.min(outer.start + width)).into()
}

/// Behind the URL's last byte.
fn end(url: &Url<'_>) -> Spans {
    let end = url.candidate.pieces.end();
    Span::new(end, end).into()
}

/// What was dropped between the pieces of the URL; where it is in one piece, all of it.
fn gaps(url: &Url<'_>) -> Spans {
    let pieces = &url.candidate.pieces;
    let between = pieces.iter().zip(pieces.iter().skip(1));
    collect(between.map(|(before, after)| Span::new(before.end, after.start)))
        .unwrap_or_else(|| pieces.clone())
}

/// Where `byte` is the last one of a piece and some other reading does without it.
fn before_breaks(url: &Url<'_>, byte: u8) -> Spans {
    let candidate = url.candidate;
    let mut passed = 0;
    let mut ends = Vec::new();
    for piece in candidate.pieces.iter() {
        passed += piece.len() as usize;
        let at = Span::new(piece.end.saturating_sub(1), piece.end);
        let covered = |pieces: &Spans| {
            pieces
                .iter()
                .any(|span| span.start <= at.start && at.end <= span.end)
        };
        let doubted = candidate
            .alternatives
            .iter()
            .any(|other| !covered(&other.pieces));
        let last = passed
            .checked_sub(1)
            .and_then(|last| candidate.text.get(last));
        if last == Some(&byte) && doubted {
            ends.push(at);
        }
    }
    collect(ends.into_iter()).unwrap_or_else(|| gaps(url))
}

fn collect(mut spans: impl Iterator<Item = Span>) -> Option<Spans> {
    let mut all = Spans::from(spans.next()?);
    spans.for_each(|span| all.push(span));
    Some(all)
}

/// A fix in one place; none where there are several.
fn one_edit(message: &str, applicability: Applicability, spans: Spans, text: &str) -> Option<Fix> {
    let mut all = spans.iter();
    let (Some(span), None) = (all.next(), all.next()) else {
        return None;
    };
    Some(Fix {
        message: message.to_owned(),
        applicability,
        edits: vec![Edit {
            span,
            replacement: text.to_owned(),
        }],
    })
}

/// A fragment is in the brackets, but no part of the URL.
pub(super) fn fragment_present(url: &Url<'_>, report: &mut Report<'_>) {
    if url.candidate.fragment().is_none() {
        return;
    }
    let range = url.text.len()..url.candidate.text.len();
    report.add(
        url.finding(Rule::FragmentPresent, range, "a fragment follows the URL")
            .label("fragment"),
    );
}
