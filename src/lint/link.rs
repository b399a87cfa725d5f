//! The text of a link beside its target.

use super::finding::Report;
use super::host::is_example;
use super::rule::Rule;
use super::url::Url;

/// Reports a target on another host than the URL that `anchor`, the text of the link, shows. Hosts of one
/// domain are alike, and so is a target that contains the host, as those of archives and proxies do.
pub(super) fn check(url: &Url<'_>, anchor: &[u8], report: &mut Report<'_>) {
    let (Some(part), Some(shown)) = (url.split.host, host_of(anchor.trim_ascii())) else {
        return;
    };
    let host = url.host().to_ascii_lowercase();
    let shown = shown.to_ascii_lowercase();
    let is_example = is_example(&host) && is_example(&shown);
    if !url.is_web() || host.is_empty() || is_example || domain(&host) == domain(&shown) {
        return;
    }
    let name = shown.strip_prefix(b"www.").unwrap_or(&shown);
    let text = url.candidate.text.to_ascii_lowercase();
    if memchr::memmem::find(&text, name).is_some() {
        return;
    }
    let shown = String::from_utf8_lossy(&shown);
    let message = format!(
        "the link shows `{shown}`, and leads to {}",
        url.quoted(part)
    );
    report.add(
        url.finding(Rule::LinkText, part, message)
            .label("another host"),
    );
}

/// Returns the host that `text` shows, if all of it is a URL of the web or begins with `www.`.
fn host_of(text: &[u8]) -> Option<&[u8]> {
    let schemes: [&[u8]; 2] = [b"https://", b"http://"];
    let rest = schemes.iter().find_map(|scheme| text.strip_prefix(*scheme));
    let rest = rest.or_else(|| text.starts_with(b"www.").then_some(text))?;
    let end = rest.iter().position(|byte| b"/?#:".contains(byte));
    let host = &rest[..end.unwrap_or(rest.len())];
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
    let is_whole = !text.iter().any(|byte| *byte <= b' ' || *byte >= 0x7F);
    let last = host.rsplit(|&byte| byte == b'.').next()?;
    let is_name = host.contains(&b'.') && last.len() > 1 && host.iter().all(is_part);
    (is_whole && is_name && last.iter().all(u8::is_ascii_alphabetic)).then_some(host)
}

/// Returns the last two labels of a host.
fn domain(host: &[u8]) -> &[u8] {
    let host = host.strip_suffix(b".").unwrap_or(host);
    let mut dots = memchr::memrchr_iter(b'.', host);
    let _ = dots.next();
    dots.next().map_or(host, |dot| &host[dot + 1..])
}
