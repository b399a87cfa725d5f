//! Rules about particular schemes.

use super::diagnostic::Applicability::{DisplayOnly, Unsafe};
use super::finding::Sentence;
use super::report::Report;
use super::rule::{Rule, Severity};
use super::url::Url;
use urlint_standard::standard::rfc1738::{Predefined, is_host};
use urlint_standard::standard::{Part, Problem, ProblemKind, Standard};
use urlint_standard::url::escape::{decoded, escapes};

/// Reports a type that is neither in section 3.4.1 nor in common use.
pub(super) fn gopher_type(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(gtype) = url.own(Predefined::Gopher, "gtype") else {
        return;
    };
    let message = match url.slice(gtype) {
        [b'0'..=b'9' | b'+' | b'T' | b'g' | b'I' | b'h' | b'i' | b's'] => return,
        [b'%', ..] => format!("the gopher type {} is encoded", url.quoted(gtype)),
        _ => format!("the gopher type {} is unknown", url.quoted(gtype)),
    };
    report.add(url.finding(Rule::GopherType, gtype, message, "gopher type"));
}

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

/// Returns the part before the headers.
fn address(url: &Url<'_>) -> Option<Part> {
    (url.predefined == Some(Predefined::Mailto)).then_some(url.split.path)
}

/// Reports slashes before a mail address, an address with two `@` side by side, and by RFC 1738 other text.
pub(super) fn mail_address(url: &Url<'_>, report: &mut Report<'_>) {
    if url.predefined != Some(Predefined::Mailto) {
        return;
    }
    let finding = |part, message, label| url.finding(Rule::MailAddress, part, message, label);
    if let Some((part, message, label, remedy, text)) = slip_of_address(url) {
        let is_problem = |one: &Problem| one.kind == ProblemKind::MailtoAddrSpec;
        let severity = match url.problems.iter().any(is_problem) {
            true => Severity::Error,
            false => Severity::Warning,
        };
        let fix = url.fix(remedy, Unsafe, part, text);
        return report.add(finding(part, message, label).severity(severity).fix(fix));
    }
    let address = url.split.path;
    let is_address = url.text.ends_with(b":") || is_addr_spec(&decoded(url.slice(address)));
    if url.standard == Standard::Rfc1738 && !is_address {
        let message = "the text is not an address like `local@domain`";
        report.add(finding(address, message, "not an address").severity(Severity::Hint));
    }
}

/// The place of a slip, the message, the label, the message of the fix and what it writes there.
type Slip = (Part, &'static str, &'static str, &'static str, &'static str);

/// Returns the slip in a mail address that every standard has for a fault.
pub(super) fn slip_of_address(url: &Url<'_>) -> Option<Slip> {
    let start = url.scheme().len() + ":".len();
    let address = &url.text[start..];
    let (at, message, label, remedy, text) =
        if address.starts_with(b"//") && address.contains(&b'@') {
            let message = "a mail address has no slashes before it";
            (0, message, "remove", "remove the slashes", "")
        } else {
            let at = memchr::memmem::find(address, b"@@")?;
            (
                at,
                "the mail address has `@` twice",
                "one",
                "write one `@`",
                "@",
            )
        };
    let part = Part::new(start + at, start + at + 2);
    Some((part, message, label, remedy, text))
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

/// Reports headers, which RFC 1738 takes for part of the address.
pub(super) fn mailto_headers(url: &Url<'_>, report: &mut Report<'_>) {
    let (Some(address), Some(headers)) = (address(url), url.split.query) else {
        return;
    };
    let message = "RFC 1738 reads `?` as part of the address; headers came with RFC 2368";
    let headers = headers.starting_at(address.end);
    report.add(url.finding(Rule::MailtoHeaders, headers, message, "headers"));
}

/// Reports a `%` that was not intended to begin an escape.
pub(super) fn mailto_accidental_escape(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(address) = address(url) else { return };
    let odd = |byte: u8| !byte.is_ascii() || byte.is_ascii_control();
    let escapes = escapes(url.text, address).filter(|escape| odd(escape.byte));
    report.add_all(escapes.map(|escape| {
        let (rule, part) = (Rule::MailtoAccidentalEscape, escape.part());
        let percent = part.before(escape.at + 1);
        let fix = url.fix("encode the `%`", DisplayOnly, percent, "%25");
        let predicate = "decodes|decode to a character that no address contains";
        let message = Sentence::about(url.quoted(part), predicate);
        let finding = url.finding(rule, part, message, "meant literally?");
        finding.fix(fix)
    }));
}

/// Reports a news URL that names nothing, which RFC 5538 allows.
pub(super) fn news_empty(url: &Url<'_>, report: &mut Report<'_>) {
    let rest = Part::all(url.text).starting_at(url.scheme_part().end + 1);
    if url.predefined == Some(Predefined::News) && rest.is_empty() {
        let message = "the newsgroup or article is missing";
        let finding = url.finding(Rule::MissingComponent, rest, message, "missing here");
        report.add(finding.severity(Severity::Hint));
    }
}

/// Reports a newsgroup without an article.
pub(super) fn nntp_no_article(url: &Url<'_>, report: &mut Report<'_>) {
    if let Some(group) = url.own(Predefined::Nntp, "group")
        && url.own(Predefined::Nntp, "article").is_none()
    {
        let end = Part::at(group.end);
        let message = "the number of the article is missing";
        report.add(url.finding(Rule::NntpNoArticle, end, message, "a number goes here"));
    }
}

/// Reports a part of a wais URL that is present and empty.
pub(super) fn wais_empty(url: &Url<'_>, report: &mut Report<'_>) {
    let parts = [
        ("database", "database"),
        ("wtype", "type"),
        ("wpath", "path"),
    ];
    report.add_all(parts.into_iter().filter_map(|(name, shown)| {
        let part = url.own(Predefined::Wais, name);
        let part = part.filter(|part| part.is_empty())?;
        let message = Sentence::about(format!("the {shown}"), "is|are empty");
        Some(url.finding(Rule::WaisEmpty, part, message, "empty"))
    }));
}

/// Reports a part of a prospero URL that is present and empty.
pub(super) fn prospero_empty(url: &Url<'_>, report: &mut Report<'_>) {
    if url.predefined != Some(Predefined::Prospero) {
        return;
    }
    let empty = url.own_parts().iter().filter(|(_, part)| part.is_empty());
    report.add_all(empty.filter_map(|&(name, part)| {
        let what = match name {
            "hsoname" => "name of the object",
            "fieldname" => "name of the field",
            "fieldvalue" => "value of the field",
            _ => return None,
        };
        let message = Sentence::about(format!("the {what}"), "is|are empty");
        Some(url.finding(Rule::ProsperoEmpty, part, message, "empty"))
    }));
}

/// Reports `//` before the identifier of an article.
pub(super) fn news_slash_article(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(article) = url.own(Predefined::News, "article") else {
        return;
    };
    if url.slice(article).starts_with(b"//") {
        let message = "the slashes belong to the article's identifier: news URLs have no server";
        report.add(url.finding(Rule::NewsSlashArticle, article, message, "no server"));
    }
}
