//! The text of a link, compared with its target.

use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_core::url::escape::decoded;
use urlint_core::url::host;
use urlint_core::url::host::is_example;
use urlint_documents::document::Kind;

/// Reports a target other than the URL that the text of the link shows: on another host, or on the same
/// host with another path. A target in the same domain is not reported, and neither is one that contains
/// the host, as in archives and proxies. Newsletters count the readers of their links, so in mail it is a
/// hint unless the target is an IP address.
pub(super) fn text(url: &Url<'_>, report: &mut Report<'_>) {
    let anchor = report.around().anchor.unwrap_or_default();
    let shown = shown_host(anchor);
    let (Some(part), Some(shown), true) = (url.split.host, shown, url.is_web()) else {
        return;
    };
    let host = url.host().to_ascii_lowercase();
    let shown = shown.to_ascii_lowercase();
    if host.is_empty() || (is_example(&host) && is_example(&shown)) {
        return;
    }
    let name = without_www(&shown);
    let (part, label, shown) = if without_www(&host) == name {
        let (own, path) = (url.split.path, path_of(anchor));
        if are_alike(url.slice(own), path) {
            return;
        }
        (own, "another path", path.to_vec())
    } else {
        let text = url.candidate.text.to_ascii_lowercase();
        let is_within = || memchr::memmem::find(&text, name).is_some();
        if domain(&host) == domain(&shown) || is_within() {
            return;
        }
        (part, "another host", shown)
    };
    let shown = String::from_utf8_lossy(&shown);
    let message = format!(
        "the link shows `{shown}`, and leads to {}",
        url.quoted(part)
    );
    let finding = url.finding(Rule::LinkText, part, message, label);
    let is_mail = matches!(report.around().kind, Kind::Mail | Kind::Mbox);
    let is_address = host
        .iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b'.');
    report.add(finding.hint_if(is_mail && !is_address));
}

fn without_www(host: &[u8]) -> &[u8] {
    host.strip_prefix(b"www.").unwrap_or(host)
}

/// Returns the path of a URL, without its query and fragment; nothing if there is no scheme.
fn path_of(url: &[u8]) -> &[u8] {
    let host = memchr::memmem::find(url, b"//").map_or(url.len(), |slashes| slashes + 2);
    let path = memchr::memchr(b'/', &url[host..]).map_or(url.len(), |slash| host + slash);
    let is_end = |byte: &u8| b"?#".contains(byte);
    let path = &url[path..];
    &path[..path.iter().position(is_end).unwrap_or(path.len())]
}

/// Returns whether the longer path has the names of the shorter one in order, perhaps with a language or a
/// version between them. Two names match if one begins with the other, or if one was shortened.
fn are_alike(path: &[u8], other: &[u8]) -> bool {
    let names = |path: &[u8]| -> Vec<Vec<u8>> {
        let path = decoded(path).to_ascii_lowercase();
        let names = path
            .split(|&byte| byte == b'/')
            .filter(|name| !name.is_empty());
        names.map(<[u8]>::to_vec).collect()
    };
    let (path, other) = (names(path), names(other));
    let (less, more) = match path.len() < other.len() {
        true => (path, other),
        false => (other, path),
    };
    let mut more = more.iter();
    let is_short = |name: &[u8]| name.ends_with("\u{2026}".as_bytes()) || name.ends_with(b"..");
    less.iter().all(|name| {
        is_short(name)
            || more.any(|one| is_short(one) || one.starts_with(name) || name.starts_with(one))
    })
}

/// Returns the host that `text` shows, if all of it is a URL of the web or begins with `www.`.
fn shown_host(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii();
    let starts: [&[u8]; 3] = [b"https://", b"http://", b"www."];
    let is_whole = !text.iter().any(u8::is_ascii_whitespace);
    let is_url = is_whole && starts.iter().any(|start| text.starts_with(start));
    let shown = host(text).filter(|_| is_url)?;
    let (_, last) = shown.split_at(memchr::memrchr(b'.', shown)? + 1);
    let is_name = shown
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(byte));
    (is_name && last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic)).then_some(shown)
}

/// Returns the last two labels of a host.
fn domain(host: &[u8]) -> &[u8] {
    let host = host.strip_suffix(b".").unwrap_or(host);
    let mut dots = memchr::memrchr_iter(b'.', host);
    let _ = dots.next();
    dots.next().map_or(host, |dot| &host[dot + 1..])
}
