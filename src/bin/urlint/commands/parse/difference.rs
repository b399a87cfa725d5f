//! How the standards differ about a URL, in a sentence of the JSON rows.

use std::net::Ipv4Addr;

use urlint::standard::Standard;
use urlint::url::Split;

use crate::report::judgement::Judgement;
use crate::terminal;

/// Returns a sentence about how the standards differ; `None` if they agree.
pub(super) fn difference(all: &[Judgement<'_>]) -> Option<String> {
    let [older, uri, web] = all else {
        return None;
    };
    hosts(older, uri, web)
        .or_else(|| paths(uri, web))
        .or_else(|| verdicts(all, web))
}

/// Returns which hosts the standards read, if these differ.
fn hosts(older: &Judgement<'_>, uri: &Judgement<'_>, web: &Judgement<'_>) -> Option<String> {
    let is_same = |one: &Judgement<'_>, other: &Judgement<'_>| {
        match (one.parsed.host(), other.parsed.host()) {
            (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
            // A standard that does not know the scheme's authority does not disagree.
            _ => true,
        }
    };
    let is_older_same = is_same(older, uri);
    let is_web_same = !web.parsed.parses() || is_same(uri, web);
    let gone_to = web.href.as_ref().and_then(|href| {
        let host = Split::of(href.as_bytes()).host?.of(href.as_bytes());
        Some(terminal::line(host).into_owned())
    });
    let is_number = |host: &String| {
        host.parse::<Ipv4Addr>().is_ok() && web.parsed.host() != Some(host.as_bytes())
    };
    if is_older_same && is_web_same && !gone_to.as_ref().is_some_and(is_number) {
        return None;
    }
    let shown = |by: &Judgement<'_>| by.parsed.components.host.map(|host| by.shown(host));
    let mut readings = Vec::new();
    for by in [Some(older).filter(|_| !is_older_same), Some(uri)] {
        let Some((by, host)) = by.and_then(|by| Some((by, shown(by)?))) else {
            continue;
        };
        let host = match &*host {
            "" => "an empty host".to_owned(),
            host => format!("the host `{host}`"),
        };
        readings.push(format!("{} reads {host}", reader(by)));
    }
    let written = || shown(web).filter(|_| web.parsed.parses());
    readings.push(match gone_to.or_else(written) {
        Some(host) => format!("browsers go to `{host}`"),
        None => "browsers follow it nowhere".to_owned(),
    });
    Some(readings.join(", "))
}

/// Returns which paths the standards read, if these differ.
fn paths(uri: &Judgement<'_>, web: &Judgement<'_>) -> Option<String> {
    let href = web.href.as_ref()?.as_bytes();
    let (path, read) = (uri.parsed.components.path?, web.parsed.components.path?);
    let asked = Split::of(href).path.of(href);
    let raw = web.parsed.slice(read);
    let is_repaired = raw.contains(&b'\\') && !asked.contains(&b'\\');
    if path == read && !is_repaired {
        return None;
    }
    let (path, asked) = (uri.shown(path), terminal::line(asked));
    let reader = reader(uri);
    Some(format!(
        "{reader} reads the path `{path}`, browsers ask for `{asked}`"
    ))
}

/// Returns by which standards the URL is valid, if by some and not by others.
fn verdicts(all: &[Judgement<'_>], web: &Judgement<'_>) -> Option<String> {
    let (valid, invalid): (Vec<_>, Vec<_>) = all.iter().partition(|by| by.is_valid());
    if valid.is_empty() || invalid.is_empty() {
        return None;
    }
    let names = |those: Vec<_>| those.into_iter().map(reader).collect::<Vec<_>>();
    let (valid, invalid) = (names(valid).join(" and "), names(invalid).join(" and "));
    Some(if web.parsed.parses() {
        format!("It is valid by {valid}, but not by {invalid}")
    } else {
        format!("It is valid by {valid}, but browsers follow it nowhere")
    })
}

/// Returns the name of the standard in a sentence.
fn reader(by: &Judgement<'_>) -> &'static str {
    match by.parsed.standard {
        Standard::Rfc3986 => "RFC 3986",
        Standard::Rfc3987 => "RFC 3987",
        Standard::Whatwg => "the URL Standard",
        _ => "RFC 1738",
    }
}
