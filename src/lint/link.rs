//! The text of a link beside its target.

use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_core::url::host;
use urlint_core::url::host::is_example;

/// Reports a target on another host than the URL that the text of the link shows. Hosts of one domain are
/// alike, and so is a target that contains the host, as those of archives and proxies do.
pub(super) fn text(url: &Url<'_>, report: &mut Report<'_>) {
    let shown = report.around().anchor.and_then(shown_host);
    let (Some(part), Some(shown)) = (url.split.host, shown) else {
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
    report.add(url.finding(Rule::LinkText, part, message, "another host"));
}

/// Returns the host that `text` shows, if all of it is a URL of the web or begins with `www.`.
fn shown_host(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii();
    let starts: [&[u8]; 3] = [b"https://", b"http://", b"www."];
    let is_whole = text.iter().all(u8::is_ascii_graphic);
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
