//! Rules about escapes: the characters that they hide, and their form.

use super::diagnostic::Applicability::{DisplayOnly, Safe, Unsafe};
use super::finding::{Finding, Sentence};
use super::port;
use super::report::Report;
use super::rule::{Rule, Severity};
use super::url::Url;
use urlint_core::find::Delimiter;
use urlint_core::standard::Part;
use urlint_core::standard::rfc1738::Predefined;
use urlint_core::url::escape::{Escape, decoded, escape_at, is_in_dot_segment, is_needless};

/// The encoded line breaks of the URL, each with its severity.
fn line_breaks(url: &Url<'_>) -> impl Iterator<Item = (Part, Severity)> {
    let mut breaks = url
        .escapes()
        .filter(|escape| matches!(escape.byte, b'\r' | b'\n'))
        .peekable();
    std::iter::from_fn(move || {
        loop {
            let mut part = breaks.next()?.part();
            // CR and LF together are one line break.
            while let Some(more) = breaks.next_if(|more| more.at == part.end) {
                part.end = more.part().end;
            }
            if let Some(severity) = crlf_severity(url, part) {
                return Some((part, severity));
            }
        }
    })
}

/// The severity of a line break: an error where programs decode the URL and send it line by line.
fn crlf_severity(url: &Url<'_>, part: Part) -> Option<Severity> {
    let within = |whole: Option<Part>| whole.is_some_and(|whole| whole.contains(part));
    if within(url.split.userinfo) {
        return Some(Severity::Error);
    }
    if within(url.own(Predefined::Gopher, "gopher_plus")) && port::other(url).is_none() {
        // The gopher+ string has line breaks by section 3.4.9.
        return None;
    }
    let is_sent_by_lines = match url.predefined {
        None | Some(Predefined::Http | Predefined::Https | Predefined::File) => false,
        Some(Predefined::Mailto) => !within(url.split.query),
        Some(Predefined::News) => true,
        Some(_) => url.split.authority.is_some(),
    };
    Some(if is_sent_by_lines {
        Severity::Error
    } else if within(url.split.query) {
        Severity::Hint
    } else {
        Severity::Warning
    })
}

/// Reports `%0D` and `%0A`.
pub(super) fn crlf(url: &Url<'_>, report: &mut Report<'_>) {
    report.add_all(line_breaks(url).map(|(part, severity)| {
        let message = Sentence::about(url.quoted(part), "is|are a| line break|breaks");
        let finding = url.finding(Rule::EncodedCrlf, part, message, "line break");
        finding.severity(severity)
    }));
}

/// Reports a line break that is sent to a port other than the scheme's default.
pub(super) fn smuggling(url: &Url<'_>, report: &mut Report<'_>) {
    let Some((_, port)) = port::other(url) else {
        return;
    };
    let mut sent = line_breaks(url).filter(|(_, severity)| *severity > Severity::Hint);
    if let Some((part, _)) = sent.next() {
        let message = format!("the line break may begin a command for the service at port {port}");
        report.add(url.finding(Rule::ProtocolSmuggling, part, message, "line break"));
    }
}

/// Reports `%00`.
pub(super) fn nul(url: &Url<'_>, report: &mut Report<'_>) {
    let message = "`%00` is a NUL, and some programs end the URL there";
    let nuls = url.escapes().filter(|escape| escape.byte == 0);
    report.add_all(nuls.map(|nul| url.finding(Rule::EncodedNul, nul.part(), message, "NUL")));
}

/// Reports the other encoded control characters.
pub(super) fn control(url: &Url<'_>, report: &mut Report<'_>) {
    let gopher = url.predefined == Some(Predefined::Gopher);
    let control = |escape: &Escape| match escape.byte {
        0 | b'\r' | b'\n' => false,
        b'\t' => !gopher,
        byte => byte.is_ascii_control(),
    };
    report.add_all(url.escapes().filter(control).map(|escape| {
        let part = escape.part();
        let predicate = "is|are a| control character|characters";
        let message = Sentence::about(url.quoted(part), predicate);
        url.finding(Rule::EncodedControl, part, message, "control character")
    }));
}

/// Reports `&amp;`, and `%25` before two hexadecimal digits.
pub(super) fn double(url: &Url<'_>, report: &mut Report<'_>) {
    let before = report.around().before;
    // Targets in markup have been decoded once.
    let is_target = url.candidate.delimiter == Delimiter::Target;
    let is_decoded = !url.is_verbatim() || (is_target && is_in_attribute(before));
    if let Some(part) = reference(url).filter(|_| is_decoded || !is_in_attribute(before)) {
        let predicate = match is_decoded {
            true => "is a character reference that was encoded again",
            false => "is a character reference, which only markup decodes",
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
        finding.severity(Severity::Hint).fix(fix)
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

/// Returns whether the text before a URL opens an attribute of markup, perhaps in a string of source code.
fn is_in_attribute(before: &[u8]) -> bool {
    let quote = before
        .iter()
        .rev()
        .take_while(|byte| b"\"'\\".contains(byte))
        .count();
    before[..before.len() - quote].ends_with(b"=")
}

/// Reports escapes of characters that need none.
pub(super) fn needless(url: &Url<'_>, report: &mut Report<'_>) {
    if url.is_uri() && url.scheme().eq_ignore_ascii_case("urn") {
        // Names are compared without decoding (RFC 8141, section 3.1).
        return;
    }
    report.add_all(url.escapes().filter_map(|escape| {
        let part = escape.part();
        let dots = || escape.byte == b'.' && is_in_dot_segment(url.text, escape.at as usize);
        let may_be_raw = is_needless(escape.byte) || (url.is_uri() && escape.byte == b'~');
        if !may_be_raw || url.has_problem_in(part) || dots() {
            return None;
        }
        let at_end = part.end as usize == url.candidate.text.len();
        let applicability = if at_end && !escape.byte.is_ascii_alphanumeric() && !url.is_wrapped() {
            // Punctuation at the end of an undelimited URL would be taken for part of the text.
            DisplayOnly
        } else if url.is_uri() {
            Safe
        } else {
            // The same by RFC 3986, but browsers compare URLs without decoding them; and the
            // decoded character may complete something else.
            Unsafe
        };
        let c = char::from(escape.byte).to_string();
        let fix = url.fix("decode it", applicability, part, &c);
        let message = if fix.is_some() {
            let what = format!("{} for `{c}`", url.quoted(part));
            Sentence::about(what, "is|are not needed")
        } else {
            // Neither an escape in a password nor its character is shown.
            "an escape is not needed".into()
        };
        let finding = url.finding(Rule::NeedlessEscape, part, message, "not needed");
        Some(finding.fix(fix))
    }));
}

/// Reports lowercase letters in escapes; a run of escapes is reported once.
pub(super) fn lowercase(url: &Url<'_>, report: &mut Report<'_>) {
    let mut next = 0;
    report.add_all(url.escapes().filter_map(|escape| {
        let mut part = escape.part();
        if part.start < next {
            return None;
        }
        while escape_at(url.text, part.end as usize).is_some() {
            part.end += Escape::LEN;
        }
        next = part.end;
        let run = url.slice(part);
        if !run.iter().any(u8::is_ascii_lowercase) || url.has_problem_in(part) {
            return None;
        }
        let upper = String::from_utf8_lossy(run).to_ascii_uppercase();
        // The same by RFC 3986, but browsers keep them as they are.
        let applicability = if url.is_uri() { Safe } else { Unsafe };
        let fix = url.fix("write capital letters", applicability, part, &upper);
        let message = Sentence::about(url.quoted(part), "has|have small letters");
        let finding = url.finding(Rule::HexLowercase, part, message, "small letters");
        Some(finding.fix(fix))
    }));
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
    let is_of_host = url.split.host.is_some_and(|host| host.contains(part));
    let finding = url.finding(Rule::NotUtf8, part, message, "not UTF-8");
    // RFC 3986, section 3.2.2.
    Some(finding.hint_if(!url.is_uri() || !is_of_host))
}

/// Returns how many bytes of `text` at `at` make one decoded byte.
fn width(text: &[u8], at: usize) -> usize {
    escape_at(text, at).map_or(1, |_| Escape::LEN as usize)
}
