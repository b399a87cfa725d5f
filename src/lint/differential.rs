//! Which host a URL names, by whom.

use super::rule::Rule;
use crate::standard::rfc1738::{Components, Part};
use crate::url::schemes::lookup;

use super::finding::Report;
use super::url::Url;

/// Hosts that differ between RFC 1738 and other ways to read.
pub(super) fn hosts(url: &Url<'_>, report: &mut Report<'_>) {
    let (Some(host), Some(authority)) = (&url.host, &url.authority) else {
        return;
    };
    let special = lookup(url.scheme().as_bytes()).is_some_and(|scheme| scheme.is_special);
    let file = matches!(url.parsed.components, Components::File { .. });
    let readings = [
        ("by RFC 3986", Some(rfc3986(url, authority.start))),
        ("to browsers", special.then(|| whatwg(url, authority.start))),
        (
            "to programs that stop at the first `@`",
            first_at(url, authority),
        ),
    ];
    let other = readings.into_iter().find_map(|(reader, part)| {
        let part = part?;
        let same = url.slice(&part).eq_ignore_ascii_case(url.slice(host));
        (!same && !file).then_some((reader, part))
    });
    let Some((reader, other)) = other else { return };
    let name = |part: &Part| match part.is_empty() {
        true => "empty".to_owned(),
        false => url.quoted(part),
    };
    let message = format!(
        "the host is {} by RFC 1738, but {} {reader}",
        name(host),
        name(&other)
    );
    report.add(
        url.finding(Rule::ParseDifferential, authority.clone(), message)
            .label("which host?"),
    );
}

/// The host of an authority, which ends before the first of `ends`: behind the last `@`, before the
/// port.
fn host(url: &Url<'_>, start: usize, ends: &[u8]) -> Part {
    let end = url.text[start..]
        .iter()
        .position(|byte| ends.contains(byte))
        .map_or(url.text.len(), |at| start + at);
    let start = memchr::memrchr(b'@', &url.text[start..end]).map_or(start, |at| start + at + 1);
    without_port(url, start..end)
}

fn without_port(url: &Url<'_>, part: Part) -> Part {
    let text = url.slice(&part);
    let literal = match text.first() {
        Some(b'[') => memchr::memchr(b']', text).unwrap_or(0),
        _ => 0,
    };
    let colon = memchr::memchr(b':', &text[literal..]).map(|at| literal + at);
    part.start..part.start + colon.unwrap_or(text.len())
}

/// ```text
/// ^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?
/// ```
fn rfc3986(url: &Url<'_>, start: usize) -> Part {
    host(url, start, b"/?#")
}

/// A backslash is a slash, and any number of them comes before the authority.
fn whatwg(url: &Url<'_>, start: usize) -> Part {
    let slashes = url.text[start..]
        .iter()
        .take_while(|byte| b"/\\".contains(byte))
        .count();
    host(url, start + slashes, b"/\\?#")
}

/// Where there is more than one `@`.
fn first_at(url: &Url<'_>, authority: &Part) -> Option<Part> {
    let text = url.slice(authority);
    let first = memchr::memchr(b'@', text)?;
    let second = first + 1 + memchr::memchr(b'@', &text[first + 1..])?;
    Some(without_port(
        url,
        authority.start + first + 1..authority.start + second,
    ))
}
