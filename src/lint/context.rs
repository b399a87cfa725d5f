//! How the URL is set in its text: the candidate's flags, and its fragment.

use super::diagnostic::Applicability::{DisplayOnly, Safe, Unsafe};
use super::diagnostic::{Applicability, Edit, Fix};
use super::finding::Finding;
use super::report::Report;
use super::rule::Rule;
use super::understood::is_notation;
use super::url::Url;
use urlint_documents::document::{BrokenLink, Kind};
use urlint_find::placeholder;
use urlint_find::{Candidate, Delimiter, Flag};
use urlint_standard::standard::Part;
use urlint_standard::text::{Span, Spans};

/// Reports every flag of the candidate.
pub(super) fn flags(url: &Url<'_>, report: &mut Report<'_>) {
    for flag in url.candidate.flags.iter() {
        self::flag(url, flag, report);
    }
    if url.candidate.flags.has(Flag::BrokenLink) || !report.wants(Rule::BrokenLink) {
        return;
    }
    let is_target = url.candidate.delimiter == Delimiter::Target;
    let wrong = if is_open_attribute(report) {
        Some("the quotation mark of the attribute is not closed")
    } else if !is_target {
        None
    } else if is_in_destination(report) {
        Some("its destination is another link; write `[text](URL)`")
    } else if has_bar(report) {
        Some("a space separates the URL from the text, not `|`")
    } else {
        None
    };
    if let Some(wrong) = wrong {
        let place = url.candidate.pieces.clone();
        let message = format!("the link is wrong: {wrong}");
        report.add(Finding::new(Rule::BrokenLink, place, message, "broken"));
    }
}

/// Returns whether a quotation mark is missing behind an attribute in plain text, such as documentation of Java.
fn is_open_attribute(report: &Report<'_>) -> bool {
    let around = report.around();
    around.kind == Kind::Plain
        && around.before.ends_with(b"<a href=\"")
        && around.after.starts_with(b">")
}

/// Returns whether a bar follows the target of a link of MediaWiki: `[URL|text]`.
fn has_bar(report: &Report<'_>) -> bool {
    let around = report.around();
    let is_single = around.before.strip_suffix(b"[");
    around.kind == Kind::Mediawiki
        && is_single.is_some_and(|before| !before.ends_with(b"["))
        && around.after.starts_with(b"|")
}

/// Returns whether the link of Markdown with this target stands where the destination of another one is meant to be:
/// `[text]([text](URL))`, perhaps not closed.
fn is_in_destination(report: &Report<'_>) -> bool {
    let around = report.around();
    let opened = || {
        let text = around.before.strip_suffix(b"](")?;
        let open = memchr::memrchr(b'[', text)?;
        Some(text[..open].ends_with(b"]("))
    };
    around.kind == Kind::Markdown && around.after.starts_with(b")") && opened().unwrap_or(false)
}

/// Reports `flag`, which the candidate has.
pub(super) fn flag(url: &Url<'_>, flag: Flag, report: &mut Report<'_>) {
    let rule = Rule::from(flag);
    if report.wants(rule) {
        report.add(finding(url, flag, rule, report));
    }
}

fn finding(url: &Url<'_>, flag: Flag, rule: Rule, report: &Report<'_>) -> Finding {
    if flag == Flag::BrokenLink && url.text.is_empty() {
        let message = "the link leads nowhere: its target is empty";
        return Finding::new(rule, outer(url), message, "a URL is missing");
    }
    if flag == Flag::BrokenLink && url.candidate.delimiter == Delimiter::Target {
        let message = "the link leads nowhere: its target contains more than the URL";
        return Finding::new(rule, around(url), message, "remove").fix(unwrap(url));
    }
    let (message, label, place, fix) = row(url, flag);
    let message = match (flag, report.around().broken) {
        (Flag::BrokenLink, Some(why)) => broken_link(why),
        _ => message.replace("{}", &Candidate::MAX_LEN.to_string()),
    };
    Finding::new(rule, place, message, label).fix(fix)
}

macro_rules! rows {
    ($($flag:ident $message:literal, $label:literal, at $place:expr $(, fix $fix:expr)?;)+) => {
        /// Returns the message about `flag`, a short label for its place, the source bytes that it is about, and the fix.
        fn row(url: &Url<'_>, flag: Flag) -> (&'static str, &'static str, Spans, Option<Fix>) {
            match flag {
                $(Flag::$flag => ($message, $label, ($place)(url), None$(.or(($fix)(url)))?),)+
                flag => (flag.name(), "here", gaps(url), None),
            }
        }
    };
}

rows! {
    Unterminated "the wrapper is never closed", "`>` is missing", at opener, fix close;
    Empty "there is no URL in the wrapper", "empty", at outer;
    InteriorSpace "there is white space inside the URL: remove it, or write `%20`?", "ignored", at spaces, fix escape_space;
    AmbiguousHyphen "the hyphen at the line break may belong to the URL or not", "part of the URL?", at |url| before_breaks(url, b'-'), fix join;
    HyphenResolved "a hyphen at the line break was removed, since the URL is valid only without it", "removed", at gaps, fix join;
    PossibleQpSoftBreak "the `=` at the line break may be a quoted-printable soft line break", "part of the URL?", at |url| before_breaks(url, b'=');
    BrokenUrl "the URL may continue on the next line", "may continue", at end, fix wrap;
    PrefixCase "the prefix is not written `URL:`", "other capitals", at prefix, fix capitals;
    QuotePrefix "quote marks at the start of a line were removed from the URL", "removed", at gaps;
    QuoteDepthChange "the URL continues on a line of another quote depth", "other depth", at gaps;
    PageBreak "the URL continues after a page break", "removed", at gaps;
    TooLong "the URL is longer than {} bytes", "cut here", at end;
    Placeholder "the URL contains a placeholder, so it is not judged", "placeholder", at first_placeholder;
    BrokenLink "not a link", "shown as text", at outer;
}

/// Returns the message about a broken link.
fn broken_link(why: BrokenLink) -> String {
    let why = match why {
        BrokenLink::InHtml => "Markdown is not read in a block of HTML",
        BrokenLink::Space => "there is a space between `]` and `(`",
        BrokenLink::Swapped => "the brackets are of another kind; write `[text](URL)`",
        BrokenLink::Unclosed => "there is no `)` after the URL",
        BrokenLink::SpaceInside => "there is a space between the brackets around the URL",
        BrokenLink::WrongQuotes => "the quotation marks of the title are not `\"`",
        BrokenLink::OpenAttribute => "the quotation mark of the attribute is not closed",
        BrokenLink::Doubled => "there are two brackets before the URL",
        BrokenLink::Fullwidth => "the bracket before the URL is `（`, not `(`",
        BrokenLink::Misplaced => {
            "links are not possible here, such as in a surplus cell of a table, in the text of another link or between escaped brackets"
        }
        BrokenLink::Empty => "`()` is empty",
        BrokenLink::NoTarget => "no target has this name; write `` `text <URL>`_ ``",
        BrokenLink::NoSpace => "there is no space before `<`",
        BrokenLink::NoUnderscore => "there is no `_` after the backquote at its end",
        BrokenLink::Markdown => "`[text](URL)` is of Markdown; write `URL[text]`",
        BrokenLink::NoColon => "there is no `:` after the name of the target",
    };
    format!("not a link: {why}")
}

/// Returns the source bytes around the URL in the target of a link.
fn around(url: &Url<'_>) -> Spans {
    let (outer, pieces) = (url.candidate.outer, &url.candidate.pieces);
    let before = Span::new(outer.start, pieces.start());
    let after = Span::new(pieces.end(), outer.end);
    let around = [before, after].into_iter().filter(|span| !span.is_empty());
    Spans::of(around).unwrap_or_else(|| after.into())
}

/// Returns the fix that leaves nothing but the URL in the target of a link, if the rest can only be signs: the target
/// of another link may be the one that is meant.
fn unwrap(url: &Url<'_>) -> Option<Fix> {
    const MOST: u64 = 8;
    let around = around(url);
    let edits = around.iter().map(|span| Edit::new(span, "")).collect();
    let is_fixed = url.is_verbatim() && around.len() <= MOST;
    is_fixed.then(|| Fix::new("remove it", Safe, edits))
}

fn close(url: &Url<'_>) -> Option<Fix> {
    write_once(url, "close the wrapper", DisplayOnly, &end(url), ">")
}

fn escape_space(url: &Url<'_>) -> Option<Fix> {
    write_once(url, "write `%20`", DisplayOnly, &spaces(url), "%20")
}

fn capitals(url: &Url<'_>) -> Option<Fix> {
    write_once(url, "write `URL:`", Safe, &prefix(url), "URL:")
}

/// Writes `text` at the only place of `spans`. If there are several, each needs a decision of its own.
fn write_once(
    url: &Url<'_>,
    message: &str,
    applicability: Applicability,
    spans: &Spans,
    text: &str,
) -> Option<Fix> {
    let applicability = applicability.min(Applicability::most_in(&url.candidate.pieces));
    let span = spans.single().filter(|_| url.is_verbatim())?;
    Some(Fix::new(
        message,
        applicability,
        vec![Edit::new(span, text)],
    ))
}

/// Joins the lines of the URL as it was read. Spaces inside a line need a decision of their own. The
/// text between pages, or between lines of different quote depths, must not be deleted.
fn join(url: &Url<'_>) -> Option<Fix> {
    let candidate = url.candidate;
    let flags = candidate.flags;
    if flags.has(Flag::PageBreak) || flags.has(Flag::QuoteDepthChange) || !url.is_verbatim() {
        return None;
    }
    let breaks = between(url).filter(|gap| !candidate.spaces.contains(gap));
    let edits: Vec<_> = breaks.map(|span| Edit::new(span, "")).collect();
    (!edits.is_empty()).then(|| Fix::new("join the lines", Unsafe, edits))
}

/// Wraps a bare URL, to say that it does not continue on the next line.
fn wrap(url: &Url<'_>) -> Option<Fix> {
    let pieces = &url.candidate.pieces;
    let insert = |at, text: &str| Edit::new(Span::new(at, at), text);
    let bare = url.candidate.delimiter == Delimiter::Bare;
    (bare && url.is_verbatim()).then(|| {
        let edits = vec![insert(pieces.start(), "<URL:"), insert(pieces.end(), ">")];
        Fix::new("mark its end", Unsafe, edits)
    })
}

fn outer(url: &Url<'_>) -> Spans {
    url.candidate.outer.into()
}

/// `<URL:`, or the part of it that is there.
fn opener(url: &Url<'_>) -> Spans {
    let outer = url.candidate.outer;
    let width = match url.candidate.delimiter {
        Delimiter::Wrapper => 5,
        Delimiter::Prefix => 4,
        _ => 1,
    };
    Span::new(outer.start, outer.end.min(outer.start + width)).into()
}

/// The `URL:` of the opener.
fn prefix(url: &Url<'_>) -> Spans {
    let opener = opener(url);
    let start = opener.end().saturating_sub(4).max(opener.start());
    Span::new(start, opener.end()).into()
}

/// The place after the URL's last byte.
fn end(url: &Url<'_>) -> Spans {
    let end = url.candidate.pieces.end();
    Span::new(end, end).into()
}

/// The first placeholder, or the place after the URL if it is a notation of another kind.
fn first_placeholder(url: &Url<'_>) -> Spans {
    let candidate = url.candidate;
    let find = |is_code| placeholder::find(&candidate.text, is_code);
    let found = find(false).or_else(|| find(true));
    let notation = || Some(url.split.authority?.range()).filter(|_| is_notation(url, Kind::Plain));
    let range = found.or_else(notation);
    range.map_or_else(|| end(url), |range| candidate.pieces.slice(range))
}

/// The white space that was removed inside a line, or everything between the pieces if the
/// candidate does not list it.
fn spaces(url: &Url<'_>) -> Spans {
    Spans::of(url.candidate.spaces.iter().copied()).unwrap_or_else(|| gaps(url))
}

/// The bytes that were removed between the pieces of the URL, or the whole URL if it is in one piece.
fn gaps(url: &Url<'_>) -> Spans {
    Spans::of(between(url)).unwrap_or_else(|| url.candidate.pieces.clone())
}

fn between(url: &Url<'_>) -> impl Iterator<Item = Span> {
    let pieces = &url.candidate.pieces;
    let pairs = pieces.iter().zip(pieces.iter().skip(1));
    pairs.map(|(before, after)| Span::new(before.end, after.start))
}

/// Each place where `byte` ends a piece and is missing from another reading.
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
    Spans::of(ends).unwrap_or_else(|| gaps(url))
}

/// Reports a fragment, which is not part of the URL.
pub(super) fn fragment_present(url: &Url<'_>, report: &mut Report<'_>) {
    if url.candidate.fragment().is_none() {
        return;
    }
    let part = Part::new(url.text.len(), url.candidate.text.len());
    let message = if url.standard.has_fragments() {
        "the URL has a fragment"
    } else {
        "a fragment follows the URL"
    };
    report.add(url.finding(Rule::FragmentPresent, part, message, "fragment"));
}
