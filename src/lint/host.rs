//! Rules about the host: addresses, lengths and names.

use std::net::Ipv4Addr;

use super::diagnostic::Applicability::{Safe, Unsafe};
use super::dns;
use super::finding::Sentence;
use super::reference;
use super::report::Report;
use super::rule::Rule;
use super::url::{Url, host_to_browsers};
use urlint_documents::document::Role;
use urlint_standard::standard::{Part, Problem, Standard};
use urlint_standard::text::ascii::WordList;
use urlint_standard::url::escape::decoded;
use urlint_standard::url::host::{in_domain, is_example};

/// The numbers of an address, each with its place; `None` if the host is a name.
fn hostnumber<'u>(url: &Url<'u>) -> Option<[(Part, &'u [u8]); 4]> {
    if !url.host().first()?.is_ascii_digit() {
        return None;
    }
    let mut numbers = url.labels().map(|label| {
        let number = url.slice(label);
        let digits = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
        digits.then_some((label, number))
    });
    let mut next = || numbers.next().flatten();
    let four = [next()?, next()?, next()?, next()?];
    numbers.next().is_none().then_some(four)
}

/// Returns the value of a number of an address, if it is not too great.
fn octet(digits: &[u8]) -> Option<u8> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Reports numbers that are too great or may be read as octal, and a zone, which names an interface of one machine.
pub(super) fn ip_address(url: &Url<'_>, report: &mut Report<'_>) {
    if let (Some(address), Some(part)) = (disguised(url), url.split.host) {
        let message = format!("browsers read the host {} as {address}", url.quoted(part));
        let applicability = if url.standard == Standard::Whatwg {
            Safe
        } else {
            Unsafe
        };
        let fix = url.fix(
            "write the host as browsers read it",
            applicability,
            part,
            &address,
        );
        let finding = url.finding(Rule::BadIpAddress, part, message, "an address");
        report.add(finding.fix(fix));
    }
    // The judge knows the other forms.
    if url.standard == Standard::Whatwg {
        return;
    }
    for (part, digits) in hostnumber(url).into_iter().flatten() {
        let (predicate, label) = if octet(digits).is_none() {
            ("is|are greater than 255", "no such address")
        } else if digits.len() > 1 && digits[0] == b'0' {
            let predicate = "begins|begin with a zero, and may be read as octal";
            (predicate, "decimal or octal?")
        } else {
            continue;
        };
        let message = Sentence::about(url.quoted(part), predicate);
        report.add(url.finding(Rule::BadIpAddress, part, message, label));
    }
    let Some(host) = url.split.host.filter(|_| url.is_uri()) else {
        return;
    };
    // RFC 6874, section 2.
    if url.host().starts_with(b"[")
        && let Some(mark) = host.find(url.text, b'%')
        && let zone = host.starting_at(mark + 3).before(host.end - 1)
        && !url.has_problem_in(host)
    {
        let zone_of_machine = "means something on one machine only, and browsers know no zones";
        let message = format!("the zone {} {zone_of_machine}", url.quoted(zone));
        report.add(url.finding(Rule::BadIpAddress, zone, message, "zone"));
    }
}

/// Returns the address that browsers read in a host that is not written as four numbers, such as `127.1`, if the judge
/// has not reported that.
fn disguised(url: &Url<'_>) -> Option<String> {
    let last = url.labels().last()?;
    let has_digit = url.slice(last).first()?.is_ascii_digit();
    let is_reported = |problem: &Problem| Rule::from(problem.kind) == Rule::BadIpAddress;
    if !has_digit || hostnumber(url).is_some() || url.problems.iter().any(is_reported) {
        return None;
    }
    host_to_browsers(url.text).filter(|host| host.parse::<Ipv4Addr>().is_ok())
}

/// Returns whether the host is the reader's own machine, or in a private network.
pub(super) fn is_local(url: &Url<'_>) -> bool {
    let host = url.host();
    host.eq_ignore_ascii_case(b"localhost")
        || host == b"[::1]"
        || special_network(url)
            .is_some_and(|network| [OWN_HOST, OWN_NETWORK, PRIVATE].contains(&network))
}

const OWN_HOST: &str = "this host";
const OWN_NETWORK: &str = "this host or network";
const PRIVATE: &str = "private";

/// Returns the network of an IPv4 address that is not on the public network (RFC 6890).
fn special_network(url: &Url<'_>) -> Option<&'static str> {
    let address: Ipv4Addr = str::from_utf8(url.host()).ok()?.parse().ok()?;
    match address.octets() {
        [169, 254, 169, 254] => Some("where clouds keep credentials"),
        [0, ..] => Some(OWN_NETWORK),
        [127, ..] => Some(OWN_HOST),
        [169, 254, ..] => Some("on this link only"),
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Some(PRIVATE),
        [224..=239, ..] => Some("a multicast group"),
        _ => None,
    }
}

/// Reports a host that is not public: an address of a special network, a name for examples and tests, or a single
/// label.
pub(super) fn not_public(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(part) = url.split.host else { return };
    let (host, shown) = (url.slice(part), url.quoted(part));
    let is_single = !host.is_empty() && host[0] != b'[' && !host.contains(&b'.');
    let (message, label) = if let Some(network) = special_network(url) {
        let message = format!("the address {shown} is {network}");
        (message, "not of the public network")
    } else if is_example(host) {
        let message = format!("{shown} is a host for examples and tests");
        (message, "example")
    } else if is_single {
        let message = format!("the host {shown} is not fully qualified");
        (message, "no domain")
    } else {
        return;
    };
    report.add(url.finding(Rule::HostNotPublic, part, message, label));
}

/// Reports a host that is longer than a domain name can be, and one that is looked up in the DNS, but is no name of it.
/// In unknown schemes it need not be a domain name. An example of a long name is never looked up.
pub(super) fn name(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(host) = url.split.host else { return };
    let Some(scheme) = url.scheme_facts() else {
        return;
    };
    let is_name = !matches!(url.slice(host).first(), None | Some(b'['));
    if !is_name || (url.is_uri() && url.has_problem_in(host)) {
        return;
    }
    if hostnumber(url).is_none() && !is_example(url.slice(host)) {
        length(url, host, report);
    }
    if url.is_uri() && scheme.port.is_some() {
        dns::not_dns(url, report);
    }
}

fn length(url: &Url<'_>, host: Part, report: &mut Report<'_>) {
    // The host is decoded before it is looked up, if it may have escapes.
    let len = |part: Part| {
        if url.is_uri() {
            decoded(url.slice(part)).len()
        } else {
            part.len()
        }
    };
    let places = url.labels().map(|label| (label, "label", len(label), 63));
    let dot = usize::from(url.host().ends_with(b"."));
    let places = places.chain([(host, "host", len(host) - dot, 253)]);
    let long = places.filter(|(.., len, most)| len > most);
    report.add_all(long.map(|(part, what, len, most)| {
        let message = format!("a {what} of {len} characters is longer than {most}");
        url.finding(Rule::BadHost, part, message, "too long")
    }));
}

/// Reports a host in an example that is not reserved for examples. Addresses for documentation are those
/// of RFC 5737.
pub(super) fn real_example(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(part) = url.split.host else { return };
    let host = url.slice(part);
    let is_shown = match report.around().role {
        Role::Shown => !is_example(host),
        // Most URLs in source code and configuration are used.
        Role::Code => is_made_up(host),
        _ => false,
    };
    // An entry of references names its source.
    if !is_shown || reference::is_in_entry(report.around().before) {
        return;
    }
    let name = std::str::from_utf8(host).unwrap_or_default();
    let is_reserved = match name.parse() {
        Ok(address) => is_ipv4_example(address),
        _ => !host.contains(&b'.') || is_own_name(host) || is_identifier(url),
    };
    if !is_reserved {
        let message = format!("{} is not reserved for examples", url.quoted(part));
        report.add(url.finding(Rule::RealHostInExample, part, message, "`example.com`?"));
    }
}

/// Returns whether the domain has a name that people invent for examples, although somebody owns it.
fn is_made_up(host: &[u8]) -> bool {
    const NAMES: WordList = WordList("acme foo bar baz foobar");
    const OWN: WordList = WordList("corp company domain site website host app");
    let mut labels = host.rsplit(|&byte| byte == b'.').skip(1);
    let name = labels.next().unwrap_or_default().to_ascii_lowercase();
    let own = name
        .strip_prefix(b"my")
        .or_else(|| name.strip_prefix(b"your"));
    NAMES.contains(&name) || own.is_some_and(|name| OWN.contains(name))
}

fn is_ipv4_example(address: Ipv4Addr) -> bool {
    address.is_documentation()
        || address.is_loopback()
        || address.is_unspecified()
        || address.is_broadcast()
        || address.is_multicast()
}

/// Returns whether the host belongs to the IETF, or is one for repositories, whose URLs are not examples, or names
/// something other than a host of the DNS.
fn is_own_name(host: &[u8]) -> bool {
    const DOMAINS: WordList = WordList(
        "ietf.org rfc-editor.org iana.org iab.org irtf.org github.com gitlab.com codeberg.org arpa local onion",
    );
    let mut domains = DOMAINS.iter();
    domains.any(|domain| in_domain(host, domain.as_bytes()).is_some())
}

/// Hosts and beginnings of paths whose URLs are names that programs compare: of namespaces, schemas,
/// vocabularies and licences. Their scheme must never change.
const IDENTIFIERS: WordList = WordList(include_str!("hosts/identifiers.txt"));

/// Returns whether the URL is a name that programs compare.
pub(super) fn is_identifier(url: &Url<'_>) -> bool {
    let (host, path) = (url.host(), url.slice(url.split.path));
    let is_known = |(known, start): (&str, &str)| {
        let is_start = path
            .get(1..)
            .unwrap_or_default()
            .starts_with(start.as_bytes());
        host.eq_ignore_ascii_case(known.as_bytes()) && is_start
    };
    let mut known = IDENTIFIERS.iter().filter_map(|name| name.split_once('/'));
    host.starts_with(b"schemas.") || known.any(is_known)
}
