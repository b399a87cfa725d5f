//! Rules about URLs in references and abstracts of drafts.

use super::report::Report;
use super::rule::Rule;
use super::surroundings::Surroundings;
use super::url::Url;
use urlint_documents::document::Kind;
use urlint_find::Delimiter;
use urlint_standard::standard::Part;
use urlint_standard::text::window::is_blank;

/// The document that a URL names.
enum Named<'u> {
    Rfc(u64),
    /// A draft without its revision, and the revision.
    Draft(&'u [u8], &'u [u8]),
}

/// Reports a URL in an abstract.
pub(super) fn in_abstract(url: &Url<'_>, report: &mut Report<'_>) {
    if is_in_abstract(report.around()) {
        let message = "an abstract should be complete in itself, without URLs";
        let whole = Part::all(url.text);
        report.add(url.finding(Rule::UrlInAbstract, whole, message, "in the abstract"));
    }
}

/// Reports a URL in a reference, or alone in an `<eref>` of RFCXML, without angle brackets.
pub(super) fn brackets(url: &Url<'_>, report: &mut Report<'_>) {
    let Surroundings {
        kind,
        before,
        after,
        ..
    } = report.around();
    let message = match url.candidate.delimiter {
        Delimiter::Bare
            if before[paragraph(before)..].starts_with(b"   [") && is_in_text_entry(before) =>
        {
            "in references, URLs are set in angle brackets"
        }
        Delimiter::Target if kind == Kind::Xml && is_bare_eref(before, after) => {
            "without `brackets=\"angle\"`, the URL is set without angle brackets"
        }
        _ => return,
    };
    let whole = Part::all(url.text);
    report.add(url.finding(Rule::ReferenceBrackets, whole, message, "`<...>`"));
}

/// Returns whether the text between is the target of an `<eref>` without text, which shows the URL, and without brackets.
fn is_bare_eref(before: &[u8], after: &[u8]) -> bool {
    const MARK: &[u8] = b"brackets";
    let tag = memchr::memrchr(b'<', before).map(|at| &before[at..]);
    let end = memchr::memchr(b'>', after);
    tag.zip(end).is_some_and(|(tag, end)| {
        let (rest, text) = after.split_at(end);
        let has_mark = [tag, rest]
            .iter()
            .any(|part| memchr::memmem::find(part, MARK).is_some());
        let is_empty = rest.ends_with(b"/") || text.starts_with(b"></eref>");
        tag.starts_with(b"<eref") && is_empty && !has_mark
    })
}

/// The separators of entries of references: a blank line in text, the tags of an element in markup.
const BOUNDS: &str = "\n\n|\r\n\r\n|<reference |</reference>|<dd|</dd>|<dt|</dt>|<li|</li>|<td|</td>|<t>|</t>|<tr|</tr>";

/// Reports a URL of an RFC if the entry has the DOI of another RFC, and a URL of a draft if the entry has
/// another revision of the draft.
pub(super) fn mismatch(url: &Url<'_>, report: &mut Report<'_>) {
    let Surroundings { before, after, .. } = report.around();
    let Some(named) = named(url) else { return };
    let bounds = || BOUNDS.split('|');
    let starts = bounds().filter_map(|mark| memchr::memmem::rfind(before, mark.as_bytes()));
    let label = lines(before)
        .filter(|&at| begins_entry(&before[at..]))
        .last();
    let before = &before[starts.chain(label).max().unwrap_or_default()..];
    let ends = bounds().filter_map(|mark| memchr::memmem::find(after, mark.as_bytes()));
    let label = lines(after).find(|&at| begins_entry(&after[at..]));
    let ends = ends.chain(label);
    // The text around a URL may be cut in a number.
    let whole = after.iter().rposition(u8::is_ascii_whitespace);
    let after = &after[..ends.min().or(whole).unwrap_or_default()];
    let others = [before, after];
    let other = match named {
        Named::Rfc(number) => {
            let dois = others.iter().flat_map(|text| numbers(text));
            let mut others = label_of_rfc(before).into_iter().chain(dois);
            others
                .find(|&other| other != number)
                .map(|other| format!("RFC {other}"))
        }
        Named::Draft(name, revision) => {
            let mut others = others.iter().flat_map(|text| revisions(text, name));
            let other = others.find(|other| *other != revision);
            other.map(|other| format!("revision {}", String::from_utf8_lossy(other)))
        }
    };
    if let Some(other) = other {
        let part = url.split.path;
        let shown = url.quoted(part);
        let message = format!("the URL names {shown}, but the entry names {other}");
        report.add(url.finding(Rule::ReferenceMismatch, part, message, "which?"));
    }
}

/// Returns whether the text after `before` is in the abstract of a draft: in RFCXML, in kramdown-rfc, or
/// in text, where the lines below the heading are indented.
fn is_in_abstract(Surroundings { kind, before, .. }: Surroundings<'_>) -> bool {
    let is_heading = |line: &[u8]| line.first().is_some_and(u8::is_ascii_alphanumeric);
    let mut lines = before.split(|&byte| byte == b'\n').rev().skip(1);
    match kind {
        // The entry of a reference may quote the abstract of another document.
        Kind::Xml => {
            is_within(before, "<abstract", "</abstract>")
                && !is_within(before, "<reference ", "</reference>")
        }
        Kind::Markdown => is_within(before, "\n--- abstract", "\n--- "),
        _ => (lines.find(|line| is_heading(line)))
            .is_some_and(|line| line.trim_ascii_end() == b"Abstract"),
    }
}

/// Returns whether `start` is in `before`, and no `end` after it.
fn is_within(before: &[u8], start: &str, end: &str) -> bool {
    let at = memchr::memmem::rfind(before, start.as_bytes());
    at.is_some_and(|at| memchr::memmem::find(&before[at + 1..], end.as_bytes()).is_none())
}

/// Returns where each line of `text` but the first begins.
fn lines(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    memchr::memchr_iter(b'\n', text).map(|end| end + 1)
}

/// Returns whether `text` begins with the label of an entry of references, `[RFC1738]  Berners-Lee`, or with the
/// sign of a row or an item.
fn begins_entry(text: &[u8]) -> bool {
    let blanks = text.iter().take_while(|byte| is_blank(**byte)).count();
    let text = &text[blanks..];
    let is_item = matches!(text, [b'|' | b'*' | b'-' | b'+' | b'o', b' ', ..]);
    is_item || label(text).is_some()
}

/// Returns the label in brackets that `text` begins with, if text follows it on its line, or indented on the next one.
fn label(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"[")?;
    let end = memchr::memchr(b']', rest)?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
    let is_label = end > 0
        && rest[..end].iter().all(is_part)
        && matches!(
            rest.get(end + 1..),
            Some([b' ' | b'\t', ..] | [b'\n', b' ', ..] | [b'\r', b'\n', b' ', ..])
        );
    is_label.then_some(&rest[..end])
}

/// Returns where the last paragraph of `before` begins, perhaps in a figure of RFCXML.
fn paragraph(before: &[u8]) -> usize {
    let starts = ["\n\n", "<![CDATA["].map(|start| {
        let at = memchr::memmem::rfind(before, start.as_bytes());
        at.map_or(0, |at| at + start.len())
    });
    starts[0].max(starts[1])
}

/// Returns whether the text after `before` is in an entry of references in text: a paragraph that begins with a label.
fn is_in_text_entry(before: &[u8]) -> bool {
    label(before[paragraph(before)..].trim_ascii_start()).is_some()
}

/// Returns whether the text after `before` is in an entry of references: in text, in RFCXML, or in kramdown-rfc.
pub(super) fn is_in_entry(before: &[u8]) -> bool {
    is_in_text_entry(before)
        || is_within(before, "<reference ", "</reference>")
        || before.trim_ascii_end().ends_with(b"\n    target:")
}

fn named<'u>(url: &Url<'u>) -> Option<Named<'u>> {
    let path = url.slice(url.split.path);
    let last = path
        .rsplit(|&byte| byte == b'/')
        .find(|segment| !segment.is_empty())?;
    match url.host() {
        b"www.rfc-editor.org" | b"datatracker.ietf.org" | b"tools.ietf.org" | b"www.ietf.org"
            if last.starts_with(b"rfc") =>
        {
            Some(Named::Rfc(number(&last[b"rfc".len()..])?))
        }
        b"doi.org" | b"dx.doi.org" => Some(Named::Rfc(numbers(path).next()?)),
        b"datatracker.ietf.org" | b"www.ietf.org" | b"tools.ietf.org"
            if last.starts_with(b"draft-") =>
        {
            let end = memchr::memchr(b'.', last).unwrap_or(last.len());
            let (name, revision) = last[..end].split_at_checked(end.checked_sub(2)?)?;
            let name = name.strip_suffix(b"-")?;
            let is_revision = revision.iter().all(u8::is_ascii_digit);
            is_revision.then_some(Named::Draft(name, revision))
        }
        _ => None,
    }
}

/// Returns the number that `text` begins with.
fn number(text: &[u8]) -> Option<u64> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&text[..digits]).ok()?.parse().ok()
}

/// Returns the RFC that the label of the entry names, or the text directly before the brackets around the URL:
/// `RFC 2119 (http://...)`.
fn label_of_rfc(before: &[u8]) -> Option<u64> {
    let named = |text: &[u8]| {
        let rest = text.strip_prefix(b"RFC")?;
        let digits = rest.trim_ascii_start();
        let is_number = digits.len() <= 5 && digits.iter().all(u8::is_ascii_digit);
        is_number.then(|| number(digits))?
    };
    let words = before.trim_ascii_end();
    let start = memchr::memmem::rfind(words, b"RFC");
    let directly = || named(&words[start.filter(|_| words.len() < before.len())?..]);
    label(before.trim_ascii_start())
        .and_then(named)
        .or_else(directly)
}

/// The RFCs whose DOIs are in `text`.
fn numbers(text: &[u8]) -> impl Iterator<Item = u64> + '_ {
    const DOI: &[u8] = b"10.17487/RFC";
    memchr::memmem::find_iter(text, DOI).filter_map(|at| number(&text[at + DOI.len()..]))
}

/// The revisions of the draft `name` in `text`.
fn revisions<'t>(text: &'t [u8], name: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
    memchr::memmem::find_iter(text, name).filter_map(move |at| {
        let rest = text[at + name.len()..].strip_prefix(b"-")?;
        let (revision, rest) = rest.split_at_checked(2)?;
        let is_revision = revision.iter().all(u8::is_ascii_digit);
        let is_end = !rest.first().is_some_and(u8::is_ascii_alphanumeric);
        (is_revision && is_end).then_some(revision)
    })
}
