//! Rules about the port.

use super::problem::empty_port;
use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_standard::standard::{Part, Standard};

/// Returns the digits of the port without leading zeros, if it consists of digits.
fn digits<'u>(url: &Url<'u>) -> Option<(Part, &'u [u8])> {
    let part = url.split.port?;
    let digits = url.slice(part);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
    Some((part, &digits[zeros..]))
}

/// Returns the port, if it is a valid port number.
fn number(url: &Url<'_>) -> Option<(Part, u16)> {
    let (part, digits) = digits(url)?;
    let port = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some((part, port))
}

/// Returns the scheme's default port.
pub(super) fn own(url: &Url<'_>) -> Option<u16> {
    let scheme = url.scheme_facts()?;
    match url.standard {
        Standard::Rfc1738 => scheme.port,
        _ => scheme.port_of_uri(),
    }
}

/// Returns the port, if it is not the scheme's default.
pub(super) fn other(url: &Url<'_>) -> Option<(Part, u16)> {
    let own = own(url)?;
    number(url).filter(|&(_, port)| port != own)
}

/// Reports a number that is not a valid port. A program may have a use for port 0 in a scheme of its own.
pub(super) fn range(url: &Url<'_>, report: &mut Report<'_>) {
    let Some((part, digits)) = digits(url) else {
        return;
    };
    let message = if digits.is_empty() && url.scheme_facts().is_some() {
        "there is no port 0"
    } else if !digits.is_empty() && number(url).is_none() {
        "the port is greater than 65535"
    } else {
        return;
    };
    report.add(url.finding(Rule::BadPort, part, message, "no such port"));
}

/// Reports a colon without a port, if the standard allows it.
pub(super) fn empty(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(port) = url.split.port.filter(|port| port.is_empty()) else {
        return;
    };
    let colon = port.starting_at(port.start - 1);
    if !url.after(colon).starts_with(b"//") {
        report.add(empty_port(url, colon).hint_if(true));
    }
}

/// Reports a port that is not the scheme's default.
pub(super) fn nondefault(url: &Url<'_>, report: &mut Report<'_>) {
    let Some((part, port)) = other(url) else {
        return;
    };
    let (message, label) = match own(url) {
        Some(own) if port >= 1024 => {
            let scheme = url.scheme();
            let message = format!("port {port} is not the default of {scheme}, which is {own}");
            (message, "other port")
        }
        _ => {
            let message = format!("port {port} is reserved for another service");
            (message, "reserved port")
        }
    };
    report.add(url.finding(Rule::PortNondefault, part, message, label));
}
