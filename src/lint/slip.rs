//! Slips that a person sees at once, in URLs that are valid all the same.

use super::diagnostic::Applicability::Unsafe;
use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_core::standard::Part;
use urlint_core::standard::rfc1738::Predefined;

/// Reports the URL's own beginning or its host in the path.
pub(super) fn pasted(url: &Url<'_>, report: &mut Report<'_>) {
    let host = url.host();
    if !url.is_web() || !host.contains(&b'.') {
        return;
    }
    let path = url.split.path;
    let Some((at, slashes)) = second_slashes(url.slice(path)) else {
        return;
    };
    let rest = &url.slice(path)[at + slashes..];
    let begins_with_host = rest
        .get(..host.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(host));
    let is_whole = matches!(rest.get(host.len()), None | Some(b'/'));
    if !begins_with_host || !is_whole || keeps_urls(url) {
        return;
    }
    let part = path.within(Part::new(at, at + slashes + host.len()));
    let message = format!(
        "the URL is pasted into itself: {} is its own host",
        url.quoted(part)
    );
    report.add(url.finding(Rule::PastedUrl, part, message, "again"));
}

/// Archives and proxies keep the URLs of others in their paths.
fn keeps_urls(url: &Url<'_>) -> bool {
    let path = url.slice(url.split.path);
    let words: [&[u8]; 3] = [b"archive", b"proxy", b"cache"];
    let has = |text: &[u8], word: &[u8]| memchr::memmem::find(text, word).is_some();
    words.iter().any(|word| has(url.host(), word)) || has(path, b"/web/") || has(path, b"proxy")
}

/// The first `//` of a path, or the scheme before it, and how long it is.
fn second_slashes(path: &[u8]) -> Option<(usize, usize)> {
    let slashes = memchr::memmem::find(path, b"//")?;
    let schemes: [&[u8]; 2] = [b"https:", b"http:"];
    let scheme = schemes
        .iter()
        .find(|scheme| path[..slashes].ends_with(scheme));
    let at = slashes - scheme.map_or(0, |scheme| scheme.len());
    (at > 0 || scheme.is_none()).then_some((at, slashes + 2 - at))
}

/// Reports a second `?` before a key, where the others are joined by `&`.
pub(super) fn second_query(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(query) = url.split.query.filter(|_| url.is_web()) else {
        return;
    };
    let text = url.slice(query);
    let Some(at) = memchr::memchr(b'?', text) else {
        return;
    };
    // A value may be a URL or a pattern.
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-=&.+[]".contains(byte);
    let is_key = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let (before, after) = (&text[..at], &text[at + 1..]);
    let key = after.iter().take_while(is_key).count();
    let is_pair = key > 0 && after.get(key) == Some(&b'=') && after.iter().all(is_plain);
    if !is_pair || !before.contains(&b'=') || !before.iter().all(is_plain) {
        return;
    }
    let part = query.within(Part::new(at, at + 1));
    let fix = url.fix("write `&`", Unsafe, part, "&");
    let message = "parameters are separated by `&`, not by a second `?`";
    let finding = url.finding(Rule::SecondQuery, part, message, "`&`?");
    report.add(finding.fix(fix));
}

/// Reports what is left of a bracket or of a space at the end.
pub(super) fn stray_end(url: &Url<'_>, report: &mut Report<'_>) {
    let text = &url.candidate.text[..];
    let len = if text.ends_with(b"%29") && !text.contains(&b'(') {
        let is_opened = memchr::memmem::find(text, b"%28").is_some();
        if is_opened { 0 } else { "%29".len() }
    } else {
        let mut start = text.len();
        while text[..start].ends_with(b"%20") {
            start -= "%20".len();
        }
        let has_space = start < text.len() && text[..start].ends_with(b"#");
        if has_space { text.len() - start + 1 } else { 0 }
    };
    if len == 0 || !url.is_web() {
        return;
    }
    let part = Part::new(text.len() - len, text.len());
    let message = format!(
        "{} at the end is probably not part of the URL",
        url.quoted(part)
    );
    let fix = url.fix("remove it", Unsafe, part, "");
    let finding = url.finding(Rule::StrayEnd, part, message, "remove");
    report.add(finding.fix(fix));
}

/// Reports slashes before a mail address, and an address with two `@` side by side.
pub(super) fn mail_address(url: &Url<'_>, report: &mut Report<'_>) {
    if url.predefined != Some(Predefined::Mailto) {
        return;
    }
    let start = url.scheme().len() + ":".len();
    let address = &url.text[start..];
    let (at, message, label, fix, text) = if address.starts_with(b"//") && address.contains(&b'@') {
        let message = "a mail address has no slashes before it";
        (0, message, "remove", "remove the slashes", "")
    } else if let Some(at) = memchr::memmem::find(address, b"@@") {
        let message = "the mail address has `@` twice";
        (at, message, "one", "write one `@`", "@")
    } else {
        return;
    };
    let part = Part::new(start + at, start + at + 2);
    let fix = url.fix(fix, Unsafe, part, text);
    let finding = url.finding(Rule::MailAddress, part, message, label);
    report.add(finding.fix(fix));
}

/// Reports the path of scp behind a host: `ssh://git@host:org/repo`.
pub(super) fn scp_path(url: &Url<'_>, report: &mut Report<'_>) {
    let is_of_ssh = ["ssh", "git+ssh"].contains(&url.scheme());
    let (Some(authority), true) = (url.split.authority, is_of_ssh) else {
        return;
    };
    let text = url.slice(authority);
    let login = memchr::memchr(b'@', text).map_or(0, |at| at + 1);
    let Some(colon) = memchr::memchr(b':', &text[login..]).map(|colon| login + colon) else {
        return;
    };
    let name = &text[colon + 1..];
    let is_folder = name.first().is_some_and(u8::is_ascii_alphabetic);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let is_placeholder = name.eq_ignore_ascii_case(b"port");
    if !is_folder
        || is_placeholder
        || !name.iter().all(is_name)
        || !url.after(authority).starts_with(b"/")
    {
        return;
    }
    let part = authority.within(Part::new(colon, colon + 1));
    let fix = url.fix("write `/`", Unsafe, part, "/");
    let message = "a path follows the host of `ssh://` after a slash, not after a colon as for scp";
    let finding = url.finding(Rule::ScpPath, part, message, "`/`?");
    report.add(finding.fix(fix));
}
