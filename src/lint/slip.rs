//! Rules about slips that a person sees at once, although the URLs are valid.

use super::diagnostic::Applicability::{DisplayOnly, Unsafe};
use super::pattern::Pattern;
use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_find::Delimiter;
use urlint_standard::standard::Part;
use urlint_standard::text::ascii::begins;

/// Reports the URL's own beginning or its host in the path or the query, and the next image of a `srcset`.
pub(super) fn pasted(url: &Url<'_>, report: &mut Report<'_>) {
    if !url.is_web() || !url.host().contains(&b'.') {
        return;
    }
    let again = || again(url, url.split.path).or_else(|| again(url, url.split.query?));
    let (part, message) = if let Some(part) = next_image(url) {
        let message = "images of several widths are in one URL";
        (part, message.to_owned())
    } else if let Some(part) = again() {
        let shown = url.quoted(part);
        (
            part,
            format!("the URL is pasted into itself: {shown} is its own host"),
        )
    } else {
        return;
    };
    report.add(url.finding(Rule::PastedUrl, part, message, "again"));
}

/// The width of an image and the comma after it, encoded, before another URL: `%20300w,%20https://`.
fn next_image(url: &Url<'_>) -> Option<Part> {
    static WIDTH: Pattern = Pattern::new("(%20[0-9]+[wx],%20)http");
    memchr::memmem::find(url.text, b",%20http")?;
    WIDTH.find(url.text)
}

/// Returns the URL's own host where it follows slashes in `whole`, the path or the query. A query may have
/// another URL as a value, so there it was pasted only if a letter or a digit precedes it.
fn again(url: &Url<'_>, whole: Part) -> Option<Part> {
    let text = url.slice(whole);
    let (at, slashes) = second_slashes(text)?;
    let end = at + slashes + url.host().len();
    let host = text.get(at + slashes..end)?;
    let is_pasted = || {
        if whole == url.split.path {
            matches!(text.get(end), None | Some(b'/')) && !keeps_urls(url)
        } else {
            text[..at].last().is_some_and(u8::is_ascii_alphanumeric)
        }
    };
    (host.eq_ignore_ascii_case(url.host()) && is_pasted()).then(|| whole.within(Part::new(at, end)))
}

/// Returns whether the URL is of an archive or a proxy, whose paths contain other URLs.
fn keeps_urls(url: &Url<'_>) -> bool {
    let path = url.slice(url.split.path);
    let words: [&[u8]; 3] = [b"archive", b"proxy", b"cache"];
    let has = |text: &[u8], word: &[u8]| memchr::memmem::find(text, word).is_some();
    words.iter().any(|word| has(url.host(), word))
        || has(path, b"/web/")
        || has(path, b"/fetch/")
        || has(path, b"proxy")
}

/// Returns where the first `//` of a path or query begins, with the scheme before it, and the length of both.
fn second_slashes(path: &[u8]) -> Option<(usize, usize)> {
    let slashes = memchr::memmem::find(path, b"//")?;
    let schemes: [&[u8]; 6] = [
        b"https:",
        b"http:",
        b"https%3A",
        b"http%3A",
        b"https%3a",
        b"http%3a",
    ];
    let scheme = schemes
        .iter()
        .find(|scheme| path[..slashes].ends_with(scheme));
    let at = slashes - scheme.map_or(0, |scheme| scheme.len());
    (at > 0 || scheme.is_none()).then_some((at, slashes + 2 - at))
}

/// Reports a second `?` of a query, where a key follows it, and a `&` that begins one.
pub(super) fn second_query(url: &Url<'_>, report: &mut Report<'_>) {
    if !url.is_web() {
        return;
    }
    let Some(query) = url.split.query else {
        return without_query(url, report);
    };
    // A value may be a URL or a pattern.
    static SECOND: Pattern =
        Pattern::new(r"^[\w\-=&.+\[\]]*=[\w\-=&.+\[\]]*(\?)[\w-]+=[\w\-=&.+\[\]]*$");
    let text = url.slice(query);
    let second = memchr::memchr(b'?', text).and_then(|_| SECOND.find(text));
    let Some(part) = second.map(|part| query.within(part)) else {
        return;
    };
    let fix = url.fix("write `&`", Unsafe, part, "&");
    let message = "parameters are separated by `&`, not by a second `?`";
    let finding = url.finding(Rule::SecondQuery, part, message, "`&`?");
    report.add(finding.fix(fix));
}

/// Reports parameters after the path: those of a redirector that was removed before the URL, or of a query whose `?` is
/// missing.
fn without_query(url: &Url<'_>, report: &mut Report<'_>) {
    // In a path, keys and values are separated by other signs.
    static PAIRS: Pattern = Pattern::new(r"^[^&=]+[\w-](&)[a-z_]+=[^&/]+(?:&[a-z_]+=[^&/]+)*$");
    let path = url.split.path;
    let text = url.slice(path);
    let first = memchr::memchr(b'&', text).and_then(|_| PAIRS.find(text));
    let Some(sign) = first.map(|part| path.within(part)) else {
        return;
    };
    // Outside of a target, a letter may be a name of its own.
    if url.candidate.delimiter != Delimiter::Target && url.after(sign).get(1) == Some(&b'=') {
        return;
    }
    let is_redirector = url.after(sign).starts_with(b"sa=");
    let part = if is_redirector {
        sign.before(path.end)
    } else {
        sign
    };
    let (message, label, remedy, new) = if is_redirector {
        (
            "the rest of a redirector stands at the end",
            "remove",
            "remove it",
            "",
        )
    } else {
        (
            "a query begins with `?`, not with `&`",
            "`?`?",
            "write `?`",
            "?",
        )
    };
    let finding = url.finding(Rule::SecondQuery, part, message, label);
    // Some servers write parameters without `?`, and read them so.
    let applicability = if is_redirector { Unsafe } else { DisplayOnly };
    report.add(finding.fix(url.fix(remedy, applicability, part, new)));
}

/// Reports the rest of markup or a space at the end.
pub(super) fn stray_end(url: &Url<'_>, report: &mut Report<'_>) {
    let text = &url.candidate.text[..];
    let repeated = || text.ends_with(b".git.git").then_some(b".git".len());
    let found = stray_len(url, text).filter(|_| url.is_web());
    let Some(len) = found.or_else(repeated) else {
        return;
    };
    let part = Part::new(text.len() - len, text.len());
    let shown = url.quoted(part);
    let message = format!("{shown} at the end is probably not part of the URL");
    let fix = url.fix("remove it", Unsafe, part, "");
    report.add(
        url.finding(Rule::StrayEnd, part, message, "remove")
            .fix(fix),
    );
}

/// Returns how many bytes at the end of `text` are hardly part of the URL. The end of a target is known, so
/// more is certain there; but a query may end in anything.
fn stray_len(url: &Url<'_>, text: &[u8]) -> Option<usize> {
    const SPACE: &[u8] = b"%20";
    let is_opened = |open: &[u8]| memchr::memmem::find(text, open).is_some();
    if text.ends_with(b"%29") {
        return (!is_opened(b"(") && !is_opened(b"%28")).then_some("%29".len());
    }
    let is_target = url.candidate.delimiter == Delimiter::Target;
    let is_certain = is_target && (url.split.query.is_none() || url.candidate.fragment().is_some());
    let signs: [&[u8]; 3] = [b"%5C", b"%5c", b"%60"];
    if is_certain && signs.iter().any(|sign| text.ends_with(sign)) {
        return Some("%5C".len());
    }
    // Punctuation of the text around a link, and the bracket that closed another one.
    let last = text.len().checked_sub(1)?;
    let is_word = |at: Option<usize>| at.is_some_and(|at| text[at].is_ascii_alphanumeric());
    let is_mark = match text[last] {
        b',' | b';' => is_target && is_word(last.checked_sub(1)),
        // The pages `*` and `?:` have no word in their names.
        b':' => {
            is_certain
                && is_word(last.checked_sub(1))
                && text.get(last.wrapping_sub(3)) != Some(&b'%')
        }
        b'*' => is_certain && text.ends_with(b")*"),
        b'.' => is_certain && matches!(text.get(last.wrapping_sub(1)), Some(b'/' | b')')),
        b')' => is_certain && !is_opened(b"("),
        _ => false,
    };
    if is_mark {
        let is_of_text =
            |byte: &&u8| b".,;:*".contains(byte) || (**byte == b')' && !is_opened(b"("));
        return Some(text.iter().rev().take_while(is_of_text).count());
    }
    let mut rest = text;
    while let Some(shorter) = rest.strip_suffix(SPACE) {
        rest = shorter;
    }
    let spaces = text.len() - rest.len();
    match rest.last().filter(|_| spaces > 0)? {
        b'#' => Some(spaces + 1),
        byte => (is_certain && byte.is_ascii_alphanumeric()).then_some(spaces),
    }
}

/// Reports a path after a host and a colon, as in scp: `ssh://git@host:org/repo`.
pub(super) fn scp_path(url: &Url<'_>, report: &mut Report<'_>) {
    // npm reads `git+ssh://git@host:org/repo`.
    static COLON: Pattern = Pattern::new(r"^ssh://(?:[^@/?#]*@)?[^:/?#@]*(:)[A-Za-z][\w.-]*/");
    let colon = (url.scheme() == "ssh").then(|| COLON.find(url.text));
    let is_path = |colon: &Part| !begins(url.after(*colon), "port/");
    let Some(part) = colon.flatten().filter(is_path) else {
        return;
    };
    let fix = url.fix("write `/`", Unsafe, part, "/");
    let message = "a path follows the host of `ssh://` after a slash, not after a colon as for scp";
    let finding = url.finding(Rule::ScpPath, part, message, "`/`?");
    report.add(finding.fix(fix));
}
