//! Rules about escapes: what they hide, and how they are written.

use super::diagnostic::Applicability;
use super::rule::{Rule, Severity};
use crate::standard::rfc1738::{Components, Part, Predefined};

use super::finding::{Finding, Report};
use super::path::is_dots;
use super::port;
use super::url::{Escape, Url, decoded, escape_at, escapes};

fn all<'u>(url: &Url<'u>) -> impl Iterator<Item = Escape> + use<'u> {
    escapes(url.text, 0..url.text.len())
}

/// The line breaks that stand encoded in the URL, each with how grave it is there.
fn line_breaks(url: &Url<'_>) -> impl Iterator<Item = (Part, Severity)> {
    let mut breaks = all(url)
        .filter(|escape| matches!(escape.byte, b'\r' | b'\n'))
        .peekable();
    std::iter::from_fn(move || {
        loop {
            let mut range = breaks.next()?.range();
            // CR and LF together are one line break.
            while let Some(more) = breaks.next_if(|more| more.at == range.end) {
                range.end = more.range().end;
            }
            if let Some(severity) = crlf_severity(url, &range) {
                return Some((range, severity));
            }
        }
    })
}

/// Where programs decode the URL and send it line by line it is an error.
fn crlf_severity(url: &Url<'_>, range: &Part) -> Option<Severity> {
    let within = |part: &Option<Part>| {
        part.as_ref()
            .is_some_and(|part| part.start <= range.start && range.end <= part.end)
    };
    if within(&url.user) || within(&url.password) {
        return Some(Severity::Error);
    }
    let severity = match &url.parsed.components {
        // The gopher+ string has line breaks by section 3.4.9.
        Components::Gopher { gopher_plus, .. }
            if within(gopher_plus) && port::other(url).is_none() =>
        {
            return None;
        }
        Components::Http { search, .. } if within(search) => Severity::Hint,
        Components::Http { .. } | Components::File { .. } => Severity::Warning,
        Components::Mailto { addr } if url.slice(&(addr.start..range.start)).contains(&b'?') => {
            Severity::Hint
        }
        Components::Other { .. } | Components::Unknown => {
            match url.slice(&(url.rest.start..range.start)).contains(&b'?') {
                true => Severity::Hint,
                false => Severity::Warning,
            }
        }
        _ => Severity::Error,
    };
    Some(severity)
}

/// `%0D` and `%0A`.
pub(super) fn crlf(url: &Url<'_>, report: &mut Report<'_>) {
    for (range, severity) in line_breaks(url) {
        if !report.wants(Rule::EncodedCrlf) {
            break;
        }
        let message = format!("{} is a line break", url.quoted(&range));
        report.add(
            url.finding(Rule::EncodedCrlf, range, message)
                .severity(severity)
                .label("line break"),
        );
    }
}

/// A line break that is sent to a port which is not the scheme's own.
pub(super) fn smuggling(url: &Url<'_>, report: &mut Report<'_>) {
    let Some((_, port)) = port::other(url) else {
        return;
    };
    let mut sent = line_breaks(url).filter(|(_, severity)| *severity > Severity::Hint);
    if let Some((range, _)) = sent.next() {
        let message = format!("the line break may begin a command for the service at port {port}");
        report.add(
            url.finding(Rule::ProtocolSmuggling, range, message)
                .label("line break"),
        );
    }
}

/// `%00`.
pub(super) fn nul(url: &Url<'_>, report: &mut Report<'_>) {
    for escape in all(url).filter(|escape| escape.byte == 0) {
        if !report.wants(Rule::EncodedNul) {
            break;
        }
        let message = "`%00` is a NUL, at which some programs end the URL";
        report.add(
            url.finding(Rule::EncodedNul, escape.range(), message)
                .label("NUL"),
        );
    }
}

/// The other control characters.
pub(super) fn control(url: &Url<'_>, report: &mut Report<'_>) {
    let gopher = url.parsed.predefined() == Some(Predefined::Gopher);
    let control = |escape: &Escape| match escape.byte {
        0 | b'\r' | b'\n' => false,
        b'\t' => !gopher,
        byte => byte.is_ascii_control(),
    };
    for escape in all(url).filter(control) {
        if !report.wants(Rule::EncodedControl) {
            break;
        }
        let message = format!("{} is a control character", url.quoted(&escape.range()));
        report.add(
            url.finding(Rule::EncodedControl, escape.range(), message)
                .label("control character"),
        );
    }
}

/// `%25` and two hexadecimal digits.
pub(super) fn double(url: &Url<'_>, report: &mut Report<'_>) {
    let hex = |at: usize| url.text.get(at).is_some_and(u8::is_ascii_hexdigit);
    let twice = |escape: &Escape| escape.byte == b'%' && hex(escape.at + 3) && hex(escape.at + 4);
    for escape in all(url).filter(twice) {
        if !report.wants(Rule::DoubleEncoding) {
            break;
        }
        let range = escape.at..escape.at + 5;
        let digits = escape.at + 1..escape.at + 3;
        let fix = url.fix("encode it once", Applicability::Display, &[(digits, "")]);
        let message = format!(
            "{} is an escape that was encoded once more",
            url.quoted(&range)
        );
        report.add(
            url.finding(Rule::DoubleEncoding, range, message)
                .label("encoded twice?")
                .fix(fix),
        );
    }
}

/// Whether `byte` is a letter, a digit, `-`, `.` or `_`, which mean the same with and without
/// encoding.
pub(crate) fn is_needless(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._".contains(&byte)
}

/// Escapes of such.
pub(super) fn needless(url: &Url<'_>, report: &mut Report<'_>) {
    for escape in all(url) {
        if !report.wants(Rule::NeedlessEscape) {
            break;
        }
        let range = escape.range();
        let dots = || escape.byte == b'.' && is_of_dots(url.text, escape.at);
        if !is_needless(escape.byte) || url.has_problem_in(&range) || dots() {
            continue;
        }
        let applicability = match url.parsed.is_valid() {
            // Punctuation at the end of what nothing marks off is taken for the text's.
            _ if range.end == url.candidate.text.len()
                && !escape.byte.is_ascii_alphanumeric()
                && !url.is_wrapped() =>
            {
                Applicability::Display
            }
            true => Applicability::Safe,
            // A decoded character may complete something.
            false => Applicability::Unsafe,
        };
        let c = char::from(escape.byte).to_string();
        let message = match url.fix("decode it", applicability, &[(range.clone(), &c)]) {
            // In a password neither the escape nor what it stands for is shown.
            None => url.finding(Rule::NeedlessEscape, range, "an escape is not needed"),
            fix => {
                let message = format!(
                    "{} stands for `{c}`, which needs no encoding",
                    url.quoted(&range)
                );
                url.finding(Rule::NeedlessEscape, range, message).fix(fix)
            }
        };
        report.add(message.label("not needed"));
    }
}

/// Whether the escape at `at` of `text`, which is a dot, is one of a segment that is `.` or `..`:
/// decoding it would have the segment removed.
pub(crate) fn is_of_dots(text: &[u8], at: usize) -> bool {
    // Only a few bytes on either side matter.
    let ends = |byte: &u8| b"/?;".contains(byte);
    let before = &text[at.saturating_sub(4)..at];
    let start = before.iter().rposition(ends).map_or(0, |at| at + 1);
    let start = at - before.len() + start;
    let after = &text[at + 3..text.len().min(at + 7)];
    let end = at + 3 + after.iter().position(ends).unwrap_or(after.len());
    is_dots(&text[start..end])
}

/// Small letters in escapes; a run of escapes is reported once.
pub(super) fn lowercase(url: &Url<'_>, report: &mut Report<'_>) {
    let mut next = 0;
    for escape in all(url) {
        if !report.wants(Rule::HexLowercase) {
            break;
        }
        let mut range = escape.range();
        if range.start < next {
            continue;
        }
        while escape_at(url.text, range.end, url.text.len()).is_some() {
            range.end += 3;
        }
        next = range.end;
        let run = url.slice(&range);
        if !run.iter().any(u8::is_ascii_lowercase) || url.has_problem_in(&range) {
            continue;
        }
        let upper = String::from_utf8_lossy(run).to_ascii_uppercase();
        let fix = url.fix(
            "write capital letters",
            Applicability::Safe,
            &[(range.clone(), &upper)],
        );
        let message = format!("{} has small letters", url.quoted(&range));
        report.add(
            url.finding(Rule::HexLowercase, range, message)
                .label("small letters")
                .fix(fix),
        );
    }
}

/// Delimiters that are data here.
pub(super) fn delimiter(url: &Url<'_>, report: &mut Report<'_>) {
    for escape in all(url).filter(|escape| b"/;?:@&=#%".contains(&escape.byte)) {
        if !report.wants(Rule::EncodedDelimiter) {
            break;
        }
        let range = escape.range();
        let raw = char::from(escape.byte);
        let message = match url.is_secret(&range) {
            true => "an encoded delimiter is data".to_owned(),
            false => format!("{} is data, a raw `{raw}` is not", url.quoted(&range)),
        };
        report.add(
            url.finding(Rule::EncodedDelimiter, range, message)
                .label("never decode"),
        );
    }
}

/// Escapes that decode to something else than UTF-8.
pub(super) fn not_utf8(url: &Url<'_>, report: &mut Report<'_>) {
    if all(url).all(|escape| escape.byte.is_ascii()) {
        return;
    }
    if let Some(finding) = first_not_utf8(url) {
        report.add(finding);
    }
}

fn first_not_utf8(url: &Url<'_>) -> Option<Finding> {
    let bytes = decoded(url.text);
    let error = std::str::from_utf8(&bytes).err()?;
    // From a place in the decoded bytes back to one in the URL.
    let mut at = 0;
    for _ in 0..error.valid_up_to() {
        at += width(url, at);
    }
    let start = at;
    for _ in 0..error
        .error_len()
        .unwrap_or(bytes.len() - error.valid_up_to())
    {
        at += width(url, at);
    }
    // Bytes that stand raw are a problem of the grammar.
    escape_at(url.text, start, url.text.len())?;
    let range = start..at;
    let message = format!("{} does not decode to UTF-8", url.quoted(&range));
    Some(
        url.finding(Rule::NotUtf8, range, message)
            .label("not UTF-8"),
    )
}

fn width(url: &Url<'_>, at: usize) -> usize {
    escape_at(url.text, at, url.text.len()).map_or(1, |_| 3)
}
