//! Rules about IPv6 addresses.

use core::net::Ipv6Addr;

use super::diagnostic::Applicability::Safe;
use super::report::Report;
use super::rule::{Rule, Severity};
use super::url::Url;
use urlint_core::standard::Part;

/// The address in the brackets of the host, and the zone after its `%25` (RFC 6874, section 2).
fn address(url: &Url<'_>) -> Option<(Part, Option<Part>)> {
    let host = url.split.host?;
    let (b"[", b"]") = (url.host().get(..1)?, url.host().get(host.len() - 1..)?) else {
        return None;
    };
    let inside = Part::new(host.range().start + 1, host.range().end - 1);
    match inside.find(url.text, b'%') {
        Some(percent) => {
            let (address, zone) = inside.split_at(percent);
            let mark = url.slice(zone).starts_with(b"%25").then_some("%25".len())?;
            Some((address, Some(zone.skip(mark as u32))))
        }
        None => Some((inside, None)),
    }
}

/// Reports a zone, which names an interface of one machine.
pub(super) fn zone_id(url: &Url<'_>, report: &mut Report<'_>) {
    if let Some((_, Some(zone))) = address(url)
        && !url.has_problem_in(zone)
    {
        let message = format!(
            "the zone {} means something on one machine only, and browsers know no zones",
            url.quoted(zone)
        );
        report.add(url.finding(Rule::ZoneId, zone, message, "zone"));
    }
}

/// Reports an address that is not in the form of RFC 5952.
pub(super) fn form(url: &Url<'_>, report: &mut Report<'_>) {
    let Some((part, _)) = address(url) else {
        return;
    };
    let text = std::str::from_utf8(url.slice(part)).unwrap_or_default();
    // Whether the end is written as an IPv4 address is up to the author, who knows the network.
    let usual = match text.parse::<Ipv6Addr>() {
        Ok(address) if !text.contains('.') => usual(address),
        _ => return,
    };
    if usual == text {
        return;
    }
    let fix = url.fix("write the usual form", Safe, part, &usual);
    let message = format!("the usual form of {} is `{usual}`", url.quoted(part));
    let finding = url.finding(Rule::Ipv6Form, part, message, "another form");
    report.add(finding.severity(Severity::Hint).fix(fix));
}

/// Formats `address` by RFC 5952, section 4, with hexadecimal numbers only.
pub(super) fn usual(address: Ipv6Addr) -> String {
    let usual = address.to_string();
    if !usual.contains('.') {
        return usual;
    }
    // The standard library writes an embedded IPv4 address as one.
    let [.., a, b] = address.segments();
    let head = usual.rsplit_once(':').map_or("", |(head, _)| head);
    format!("{head}:{a:x}:{b:x}")
}
