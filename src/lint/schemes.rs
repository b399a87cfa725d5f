//! Rules about particular schemes.

use super::diagnostic::Applicability::{DisplayOnly, Unsafe};
use super::finding::{Finding, Sentence};
use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_standard::standard::rfc1738::{Predefined, is_host};
use urlint_standard::standard::{Part, Standard};
use urlint_standard::url::escape::{decoded, escapes};

/// Reports a host other than the reader's own machine.
pub(super) fn file_remote_host(url: &Url<'_>, report: &mut Report<'_>) {
    let (Some(Predefined::File), Some(host)) = (url.predefined, url.split.host) else {
        return;
    };
    if host.is_empty() || url.slice(host).eq_ignore_ascii_case(b"localhost") {
        return;
    }
    let message = format!(
        "the file is on the host {}, and no protocol says how to get it",
        url.quoted(host)
    );
    report.add(url.finding(Rule::FileRemoteHost, host, message, "another host"));
}

/// Reports slashes before a mail address, an address with two `@` side by side, and by RFC 1738 other text.
pub(super) fn mail_address(url: &Url<'_>, report: &mut Report<'_>) {
    if url.predefined != Some(Predefined::Mailto) {
        return;
    }
    let finding = |part, message, label| url.finding(Rule::MailAddress, part, message, label);
    if let Some((part, message, label, remedy)) = slip_of_address(url) {
        let fix = remedy.and_then(|(remedy, text)| url.fix(remedy, Unsafe, part, text));
        return report.add(finding(part, message, label).fix(fix));
    }
    let address = url.split.path;
    let is_address = url.text.ends_with(b":") || is_addr_spec(&decoded(url.slice(address)));
    if url.standard == Standard::Rfc1738 && !is_address {
        let message = "the text is not an address like `local@domain`";
        report.add(finding(address, message, "not an address").hint_if(true));
    }
}

/// The place of a slip, the message, the label, and the message of the fix and what it writes there.
type Slip = (
    Part,
    &'static str,
    &'static str,
    Option<(&'static str, &'static str)>,
);

/// Returns the slip in a mail address that every standard has for a fault.
pub(super) fn slip_of_address(url: &Url<'_>) -> Option<Slip> {
    let start = url.scheme().len() + ":".len();
    let address = url.text[start..].split(|&byte| byte == b'?').next()?;
    let slip = |at: usize, len: usize, message, label, remedy| {
        let part = Part::new(start + at, start + at + len);
        Some((part, message, label, remedy))
    };
    if address.starts_with(b"//") && address.contains(&b'@') {
        let message = "a mail address has no slashes before it";
        return slip(0, 2, message, "remove", Some(("remove the slashes", "")));
    }
    let message = "the mail address has `@` twice";
    if let Some(at) = memchr::memmem::find(address, b"@@") {
        return slip(at, 2, message, "one", Some(("write one `@`", "@")));
    }
    // A comma separates addresses, and an `@` in quotation marks is part of a name.
    let mut ats = memchr::memchr_iter(b'@', address);
    let (first, second) = (ats.next()?, ats.next()?);
    let between = &address[first..second];
    if between.contains(&b',') || memchr::memchr2(b'"', b'%', address).is_some() {
        return None;
    }
    match memchr::memchr(b';', between) {
        Some(at) => {
            let message = "mail addresses are separated by `,`, not by `;`";
            slip(first + at, 1, message, "`,`?", Some(("write `,`", ",")))
        }
        None => slip(second, 1, message, "second", None),
    }
}

/// Returns whether `text` is an address like `local@domain`.
fn is_addr_spec(text: &[u8]) -> bool {
    let Some(at) = memchr::memrchr(b'@', text) else {
        return false;
    };
    let (local, domain) = (&text[..at], &text[at + 1..]);
    let literal = domain.starts_with(b"[") && domain.ends_with(b"]");
    let quoted = local.len() > 2 && local.starts_with(b"\"") && local.ends_with(b"\"");
    let atom = |byte: &u8| !b" ()<>@,;:\\\"[]".contains(byte) && !byte.is_ascii_control();
    (literal || is_host(domain)) && (quoted || (!local.is_empty() && local.iter().all(atom)))
}

/// Reports parts that the grammar allows, although they are hardly intended.
pub(super) fn unusual(url: &Url<'_>, report: &mut Report<'_>) {
    let finding = |part, message: Sentence, label: &str| {
        url.finding(Rule::UnusualComponent, part, message, label)
    };
    let is_rfc1738 = url.standard == Standard::Rfc1738;
    if is_rfc1738 && url.predefined == Some(Predefined::Mailto) {
        return accidental_escapes(url, report);
    }
    if is_rfc1738 && url.predefined.is_none() && !url.scheme().is_empty() {
        if !url.scheme().starts_with(|c: char| c.is_ascii_alphabetic()) {
            let message = "the scheme does not begin with a letter".into();
            report.add(finding(Part::new(0, 1), message, "no letter"));
        }
        if let Some(part) = other_authority(url) {
            let message = "the authority after `//` is not of the form `user:password@host:port`";
            report.add(finding(part, message.into(), "not of the common form"));
        }
    }
    let has_article = || url.own(Predefined::Nntp, "article").is_some();
    report.add_all(url.own_parts().iter().filter_map(|&(name, part)| {
        let text = url.slice(part);
        let what = match (name, url.predefined?) {
            ("gtype", _) => return unusual_gopher_type(url, part),
            _ if !is_rfc1738 => return None,
            ("group", Predefined::Nntp) if !has_article() => {
                let message = "the number of the article is missing";
                return Some(finding(
                    Part::at(part.end),
                    message.into(),
                    "a number goes here",
                ));
            }
            ("article", Predefined::News) if text.starts_with(b"//") => {
                let message =
                    "the slashes belong to the article's identifier: news URLs have no server";
                return Some(finding(part, message.into(), "no server"));
            }
            ("database", _) => "database",
            ("wtype", _) => "type",
            ("wpath", _) => "path",
            ("hsoname", _) => "name of the object",
            ("fieldname", _) => "name of the field",
            ("fieldvalue", _) => "value of the field",
            _ => return None,
        };
        let message = Sentence::about(format!("the {what}"), "is|are empty");
        text.is_empty().then(|| finding(part, message, "empty"))
    }));
}

/// Reports a type that is neither in section 3.4.1 nor in common use.
fn unusual_gopher_type(url: &Url<'_>, gtype: Part) -> Option<Finding> {
    let state = match url.slice(gtype) {
        [b'0'..=b'9' | b'+' | b'T' | b'g' | b'I' | b'h' | b'i' | b's'] => return None,
        [b'%', ..] => "encoded",
        _ => "unknown",
    };
    let message = format!("the gopher type {} is {state}", url.quoted(gtype));
    Some(url.finding(Rule::UnusualComponent, gtype, message, "gopher type"))
}

/// Reports each `%` of a mail address that was not intended to begin an escape.
fn accidental_escapes(url: &Url<'_>, report: &mut Report<'_>) {
    let odd = |byte: u8| !byte.is_ascii() || byte.is_ascii_control();
    let escapes = escapes(url.text, url.split.path).filter(|escape| odd(escape.byte));
    report.add_all(escapes.map(|escape| {
        let part = escape.part();
        let percent = part.before(escape.at + 1);
        let fix = url.fix("encode the `%`", DisplayOnly, percent, "%25");
        let predicate = "decodes|decode to a character that no address contains";
        let message = Sentence::about(url.quoted(part), predicate);
        url.finding(Rule::UnusualComponent, part, message, "meant literally?")
            .fix(fix)
    }));
}

/// Returns what follows `//` in a scheme without a production of its own, if it is not the `login` of section 3.1. By
/// `ip-schemepart` only a slash ends that, so a `?` that ends the authority is part of it.
fn other_authority(url: &Url<'_>) -> Option<Part> {
    let authority = url.split.authority?;
    let rest = url.split.rest();
    let to_slash = authority.before(rest.find(url.text, b'/').unwrap_or(rest.end));
    let is_number = |port: Part| !port.is_empty() && url.slice(port).iter().all(u8::is_ascii_digit);
    let is_login =
        to_slash == authority && is_host(url.host()) && url.split.port.is_none_or(is_number);
    (!is_login).then_some(to_slash)
}
