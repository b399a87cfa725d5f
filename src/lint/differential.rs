//! Which host a URL names, for whom.

use super::finding::Report;
use super::rule::Rule;
use super::url::Url;
use crate::standard::rfc1738::Predefined;
use crate::standard::{Part, Syntax};
use crate::url::Split;
use crate::url::split::host_and_port;

/// Hosts that differ between RFC 1738 and other readers.
pub(super) fn hosts(url: &Url<'_>, report: &mut Report<'_>) {
    let (Some(host), Some(authority)) = (url.split.host, url.split.authority) else {
        return;
    };
    if url.predefined == Some(Predefined::File) || is_plain(url, authority) {
        return;
    }
    let is_plain = authority == host && !host.is_empty();
    if is_plain && memchr::memchr2(b'\\', b'?', url.slice(host)).is_none() {
        // No reader sees anything else.
        return;
    }
    let host_by = |syntax| Split::by(syntax, url.text).host;
    let is_special = url.scheme_facts().is_some_and(|scheme| scheme.is_special);
    let by_browsers = if is_special {
        host_by(Syntax::Special)
    } else {
        None
    };
    let readings = [
        ("by RFC 3986", host_by(Syntax::Generic)),
        ("to browsers", by_browsers),
        (
            "to programs that stop at the first `@`",
            first_at(url, authority),
        ),
    ];
    let other = readings.into_iter().find_map(|(reader, part)| {
        let part = part?;
        let same = url.slice(part).eq_ignore_ascii_case(url.slice(host));
        (!same).then_some((reader, part))
    });
    let Some((reader, other)) = other else { return };
    let name = |part: Part| {
        if part.is_empty() {
            "empty".to_owned()
        } else {
            url.quoted(part)
        }
    };
    let message = format!(
        "the host is {} by RFC 1738, but {} {reader}",
        name(host),
        name(other)
    );
    report.add(
        url.finding(Rule::ParseDifferential, authority, message)
            .label("which host?"),
    );
}

/// Returns whether all readers agree on the authority: it is a name or an address of version 4, perhaps
/// with a port, between `://` and a slash or the URL's end. That is so for nearly all URLs, and found
/// out faster than each reader's host.
fn is_plain(url: &Url<'_>, authority: Part) -> bool {
    let before = &url.text[..authority.range().start];
    let text = authority.of(url.text);
    let host = text
        .iter()
        .take_while(|&&byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
    let host = host.count();
    let port = text[host..].strip_prefix(b":").unwrap_or(&text[host..]);
    host > 0
        && port.iter().all(u8::is_ascii_digit)
        && before.len() == url.scheme_part().range().end + b"://".len()
        && before.ends_with(b"://")
        && matches!(url.after(authority).first(), None | Some(b'/'))
}

/// The host, if it were between the first two of several `@`.
fn first_at(url: &Url<'_>, authority: Part) -> Option<Part> {
    let rest = authority.starting_at(authority.find(url.text, b'@')? + 1);
    let second = rest.find(url.text, b'@')?;
    let (host, _) = host_and_port(url.text, rest.before(second));
    Some(host)
}
