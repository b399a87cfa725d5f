//! Which host a URL names, by each standard.

use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::standard::{Part, Standard};
use urlint_standard::url::split::host_and_port;

/// Reports hosts that differ between readers: the standard, the other standards, and programs that
/// stop at the first `@`.
pub(super) fn hosts(url: &Url<'_>, report: &mut Report<'_>) {
    let (Some(host), Some(authority)) = (url.split.host, url.split.authority) else {
        return;
    };
    let is_number = |port: Part| url.slice(port).iter().all(u8::is_ascii_digit);
    let is_whole =
        authority.start == host.start && !host.is_empty() && url.split.port.is_none_or(is_number);
    let has_end = || memchr::memchr2(b'\\', b'?', url.slice(host)).is_some();
    if url.predefined == Some(Predefined::File)
        || (is_whole && !has_end() && is_between_plain_ends(url, authority))
    {
        // All readers agree.
        return;
    }
    let mut readings = readings(url, authority);
    let Some((first, host)) = readings.next() else {
        return;
    };
    let differs = |part: &Part| !url.slice(*part).eq_ignore_ascii_case(url.slice(host));
    let Some((reader, other)) = readings.find(|(_, part)| differs(part)) else {
        return;
    };
    let name = |part: Part| {
        if part.is_empty() {
            "empty".to_owned()
        } else {
            url.quoted(part)
        }
    };
    let message = format!(
        "the host is {} {first}, but {} {reader}",
        name(host),
        name(other)
    );
    report.add(url.finding(Rule::ParseDifferential, authority, message, "which host?"));
}

/// Returns the hosts that readers see, the standard's own first. A reader that sees none, since its
/// standard does not cover the scheme or its parser fails, is left out: it connects nowhere else.
fn readings<'u>(
    url: &'u Url<'_>,
    authority: Part,
) -> impl Iterator<Item = (&'static str, Part)> + 'u {
    let own = match url.standard {
        Standard::Rfc3987 => Standard::Rfc3986,
        standard => standard,
    };
    let mut readers = [
        (Standard::Rfc3986, "by RFC 3986"),
        (Standard::Whatwg, "to browsers"),
        (Standard::Rfc1738, "by RFC 1738"),
    ];
    readers.sort_by_key(|(other, _)| *other != own);
    let readers = readers.into_iter();
    let by_standards = readers.filter_map(|(standard, name)| Some((name, host_by(standard, url)?)));
    let first_at = move || {
        let host = first_at(url, authority)?;
        Some(("to programs that stop at the first `@`", host))
    };
    by_standards.chain(std::iter::once_with(first_at).flatten())
}

/// Returns the host that readers by `standard` connect to, as it is written; `None` if they fail.
fn host_by(standard: Standard, url: &Url<'_>) -> Option<Part> {
    let mut parses = true;
    let components = standard.judge(url.text, |problem| parses &= !problem.is_failure);
    components.host.filter(|_| parses)
}

/// Returns whether all readers agree on where the authority begins and ends, unless one of its own
/// characters ends it: it follows `://`, and is followed by a slash, the URL's end or a plain
/// query.
fn is_between_plain_ends(url: &Url<'_>, authority: Part) -> bool {
    let before = &url.text[..authority.range().start];
    let after = url.after(authority);
    before.len() == url.scheme_part().range().end + b"://".len()
        && before.ends_with(b"://")
        && match after.first() {
            None | Some(b'/') => true,
            // By RFC 1738 a `?` may occur in a login, and in the host of schemes without a query.
            Some(b'?') => url.is_web() && memchr::memchr2(b'@', b'\\', after).is_none(),
            _ => false,
        }
}

/// The host, if it is taken from between the first two of several `@`.
fn first_at(url: &Url<'_>, authority: Part) -> Option<Part> {
    let rest = authority.starting_at(authority.find(url.text, b'@')? + 1);
    let second = rest.find(url.text, b'@')?;
    let (host, _) = host_and_port(url.text, rest.before(second));
    Some(host)
}
