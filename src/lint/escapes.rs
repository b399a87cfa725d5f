//! Rules about escapes: the characters that they hide, and their form.

use super::diagnostic::Applicability::DisplayOnly;
use super::finding::{Finding, Sentence};
use super::port;
use super::report::Report;
use super::rule::Rule;
use super::surroundings::Surroundings;
use super::url::Url;
use urlint_documents::document::Kind;
use urlint_find::Delimiter;
use urlint_standard::standard::Part;
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::url::escape::{Escape, decoded, escape_at};

/// Reports encoded control characters. Line breaks in a row are one.
pub(super) fn control(url: &Url<'_>, report: &mut Report<'_>) {
    let is_break = |escape: &Escape| matches!(escape.byte, b'\r' | b'\n');
    let is_gopher = url.predefined == Some(Predefined::Gopher);
    // By section 3.4.9, the gopher+ string has line breaks.
    let plus = url
        .own(Predefined::Gopher, "gopher_plus")
        .filter(|_| port::other(url).is_none());
    let is_own = |escape: &Escape| match escape.byte {
        b'\t' => is_gopher,
        b'\r' | b'\n' => plus.is_some_and(|plus| plus.contains(escape.part())),
        _ => false,
    };
    let control = |escape: &Escape| escape.byte.is_ascii_control() && !is_own(escape);
    let mut escapes = url.escapes().filter(control).peekable();
    let mut findings = Vec::new();
    while let Some(escape) = escapes.next() {
        let mut part = escape.part();
        let mut next = |part: &Part| escapes.next_if(|next| is_break(next) && next.at == part.end);
        let (predicate, label) = if is_break(&escape) {
            while let Some(more) = next(&part) {
                part.end = more.part().end;
            }
            ("is|are a| line break|breaks", "line break")
        } else if escape.byte == 0 {
            (
                "is|are a| NUL|NULs at which some programs end the URL",
                "NUL",
            )
        } else {
            (
                "is|are a| control character|characters",
                "control character",
            )
        };
        let message = Sentence::about(url.quoted(part), predicate);
        let finding = url.finding(Rule::EncodedControl, part, message, label);
        // In a query, a line break or a tab is data.
        let is_of_query = url.split.query.is_some_and(|query| query.contains(part));
        let is_of_text = is_break(&escape) || escape.byte == b'\t';
        findings.push(finding.hint_if(is_of_text && is_of_query));
    }
    report.add_all(findings);
}

/// Reports `&amp;`, and `%25` before two hexadecimal digits.
pub(super) fn double(url: &Url<'_>, report: &mut Report<'_>) {
    let Surroundings {
        kind,
        before,
        after,
        ..
    } = report.around();
    // Targets in markup have been decoded once.
    let is_target = url.candidate.delimiter == Delimiter::Target;
    let is_of_element = || kind == Kind::Xml || is_in_attribute(before);
    let is_decoded = !url.is_verbatim() || (is_target && is_of_element());
    let is_of_markup =
        || is_in_attribute(before) || (kind == Kind::Plain && is_in_element(before, after));
    if let Some(part) = reference(url).filter(|_| is_decoded || !is_of_markup()) {
        let predicate = if is_decoded {
            "is a character reference that was encoded again"
        } else {
            "is a character reference, which only markup decodes"
        };
        let message = Sentence::about(url.quoted(part), predicate);
        report.add(url.finding(Rule::DoubleEncoding, part, message, "encoded twice?"));
    }
    let hex = |at: u32| {
        let byte = url.text.get(at as usize);
        byte.is_some_and(u8::is_ascii_hexdigit)
    };
    let twice = |escape: &Escape| escape.byte == b'%' && hex(escape.at + 3) && hex(escape.at + 4);
    report.add_all(url.escapes().filter(twice).map(|escape| {
        let part = Part {
            start: escape.at,
            end: escape.at + 5,
        };
        let digits = escape.part().skip(1);
        let fix = url.fix("encode it once", DisplayOnly, digits, "");
        let message = Sentence::about(
            url.quoted(part),
            "is|are an| escape|escapes that was|were encoded again",
        );
        let finding = url.finding(Rule::DoubleEncoding, part, message, "encoded twice?");
        // Sites have names that were encoded twice, and answer to them.
        finding.hint_if(true).fix(fix)
    }));
}

/// Returns the first character reference of an ampersand in the query that a key follows.
fn reference(url: &Url<'_>) -> Option<Part> {
    const REFERENCES: [&[u8]; 4] = [b"&amp;", b"&#38;", b"&#038;", b"&#x26;"];
    // `&#38;` seems to begin a fragment.
    let text = &url.candidate.text[..];
    let query = memchr::memchr(b'?', text)?;
    let at = |at: &usize| {
        let rest = &text[query + *at..];
        let reference = REFERENCES.iter().find(|sign| rest.starts_with(sign))?;
        let key = &rest[reference.len()..];
        let is_key = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.[]".contains(*byte);
        let len = key.iter().take_while(is_key).count();
        let start = query + *at;
        let is_before_key = len > 0 && key.get(len) == Some(&b'=');
        is_before_key.then(|| Part::new(start, start + reference.len()))
    };
    memchr::memchr_iter(b'&', &text[query..]).find_map(|offset| at(&offset))
}

/// Returns whether a URL in text ends an element of markup, or is all that it contains, so that the text shows markup.
fn is_in_element(before: &[u8], after: &[u8]) -> bool {
    let end = after.iter().position(|byte| b"<>".contains(byte));
    before.trim_ascii_end().ends_with(b">") && end.is_some_and(|at| after[at..].starts_with(b"</"))
}

/// Returns whether the text before a URL opens an attribute of markup, perhaps in a string of source code.
fn is_in_attribute(before: &[u8]) -> bool {
    let quote = before
        .iter()
        .rev()
        .take_while(|byte| b"\"'\\".contains(byte))
        .count();
    before[..before.len() - quote].ends_with(b"=")
}

/// Reports encoded delimiters, which are data.
pub(super) fn delimiter(url: &Url<'_>, report: &mut Report<'_>) {
    let delimiters: &[u8] = if url.is_uri() {
        b"/;?:@&=#%!$'()*+,[]"
    } else {
        b"/;?:@&=#%"
    };
    let encoded = |escape: &Escape| delimiters.contains(&escape.byte);
    report.add_all(url.escapes().filter(encoded).map(|escape| {
        let part = escape.part();
        let raw = char::from(escape.byte);
        let message = if url.is_secret(part) {
            "an encoded delimiter is data".into()
        } else {
            let what = format!("{} for `{raw}`", url.quoted(part));
            Sentence::about(what, "is|are data, and no delimiter|delimiters")
        };
        url.finding(Rule::EncodedDelimiter, part, message, "never decode")
    }));
}

/// Reports escapes that do not decode to UTF-8.
pub(super) fn not_utf8(url: &Url<'_>, report: &mut Report<'_>) {
    if url.escapes().all(|escape| escape.byte.is_ascii()) {
        return;
    }
    if let Some(finding) = first_not_utf8(url) {
        report.add(finding);
    }
}

fn first_not_utf8(url: &Url<'_>) -> Option<Finding> {
    let bytes = decoded(url.text);
    let error = std::str::from_utf8(&bytes).err()?;
    // Maps an offset of the decoded bytes back to the URL.
    let after = |at: usize, count: usize| (0..count).fold(at, |at, _| at + width(url.text, at));
    let start = after(0, error.valid_up_to());
    let count = error.error_len();
    let end = after(start, count.unwrap_or(bytes.len() - error.valid_up_to()));
    // Bytes that are not encoded are a problem of the grammar.
    escape_at(url.text, start)?;
    let part = Part::new(start, end);
    let message = format!("{} does not decode to UTF-8", url.quoted(part));
    Some(url.finding(Rule::NotUtf8, part, message, "not UTF-8"))
}

/// Returns how many bytes of `text` at `at` make one decoded byte.
fn width(text: &[u8], at: usize) -> usize {
    escape_at(text, at).map_or(1, |_| Escape::LEN as usize)
}
