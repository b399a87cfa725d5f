//! Rules about user names and passwords.

use super::diagnostic::Applicability;
use super::rule::{Rule, Severity};
use crate::standard::rfc1738::{Part, is_host};

use super::finding::Report;
use super::url::{Url, decoded};

/// A password that is not empty.
pub(super) fn password(url: &Url<'_>, report: &mut Report<'_>) {
    // What the end of the text cuts may be one, but may be as well the name of a port.
    let is_whole = |range: &&Part| range.end < url.candidate.text.len();
    for range in url.secrets().iter().filter(is_whole) {
        if !report.wants(Rule::Password) {
            break;
        }
        let is = |part: &Option<Part>| part.as_ref() == Some(range);
        let anonymous = is_anonymous(url);
        let (message, severity) = match is(&url.password) {
            true if anonymous => (
                "the URL carries the password of an anonymous user",
                Severity::Hint,
            ),
            true => ("the URL carries a password", Severity::Error),
            // By the grammar it is something else, but whoever wrote it may have meant one.
            false => ("the URL seems to carry a password", Severity::Warning),
        };
        // With the colon before it, which may be encoded.
        let is_raw = url.candidate.text[..range.start].ends_with(b":");
        let colon = if is_raw { 1 } else { "%3A".len() };
        let whole = range.start.saturating_sub(colon)..range.end;
        let fix = url.fix(
            "delete it, which changes the login",
            Applicability::Display,
            &[(whole, "")],
        );
        report.add(
            url.finding(Rule::Password, range.clone(), message)
                .severity(severity)
                .label("password")
                .fix(fix),
        );
    }
}

fn is_anonymous(url: &Url<'_>) -> bool {
    let user = url.user.as_ref().map_or(&[][..], |user| url.slice(user));
    [&b"anonymous"[..], b"ftp"]
        .iter()
        .any(|name| user.eq_ignore_ascii_case(name))
}

/// A user name that is present and empty.
pub(super) fn empty_user(url: &Url<'_>, report: &mut Report<'_>) {
    if let Some(user) = url.user.clone().filter(Part::is_empty) {
        let message = "the user name is present and empty";
        report.add(
            url.finding(Rule::EmptyUser, user, message)
                .label("empty user name"),
        );
    }
}

/// Something else than the host looks like it.
pub(super) fn confusion(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(host) = url.host.clone() else { return };
    let parts = [("user name", &url.user), ("password", &url.password)];
    for (name, part) in parts {
        let Some(part) = part else { continue };
        let Some(why) = confuses(url.slice(part)) else {
            continue;
        };
        let severity = match name {
            // The address of the user is the customary password of an anonymous one.
            "password" if is_anonymous(url) => Severity::Hint,
            _ => Severity::Warning,
        };
        let shown = match name {
            "password" => name.to_owned(),
            _ => format!("{name} {}", url.quoted(part)),
        };
        let message = format!("the {shown} {why}; the host is {}", url.quoted(&host));
        report.add(
            url.finding(Rule::UserinfoConfusion, part.clone(), message)
                .severity(severity)
                .label("not the host"),
        );
    }
    in_path(url, &host, report);
}

/// What makes people take `text` for a host, or programs end it early.
fn confuses(text: &[u8]) -> Option<&'static str> {
    if text.contains(&b'.') && is_host(text) {
        return Some("looks like a host");
    }
    let hidden = text.contains(&b'%') && decoded(text).iter().any(|byte| b"@/:#".contains(byte));
    hidden.then_some("has a delimiter encoded")
}

/// An `@` in the first segment of the path, with what looks like a host behind it.
fn in_path(url: &Url<'_>, host: &Part, report: &mut Report<'_>) {
    let rest = url.slice(&url.rest);
    if url.authority.is_none() || url.user.is_some() || rest.first() != Some(&b'/') {
        return;
    }
    let segment = rest[1..]
        .split(|byte| b"/?;".contains(byte))
        .next()
        .unwrap_or_default();
    let Some(at) = memchr::memrchr(b'@', segment) else {
        return;
    };
    let behind = &segment[at + 1..];
    let behind = behind
        .split(|&byte| byte == b':')
        .next()
        .unwrap_or_default();
    let same = behind.eq_ignore_ascii_case(url.slice(host));
    if at == 0 || same || !behind.contains(&b'.') || !is_host(behind) {
        return;
    }
    // Addresses of mail stand in the paths of archives; they deceive nobody while the host before
    // them is plainly one.
    let port = url
        .port
        .as_ref()
        .is_none_or(|port| url.slice(port).iter().all(u8::is_ascii_digit));
    let severity = match url.slice(host).contains(&b'.') && port {
        true => Severity::Hint,
        false => Severity::Warning,
    };
    let start = url.rest.start + 1 + at + 1;
    let range = start..start + behind.len();
    let message = format!(
        "{} in the path looks like the host; the host is {}",
        url.quoted(&range),
        url.quoted(host)
    );
    report.add(
        url.finding(Rule::UserinfoConfusion, range, message)
            .severity(severity)
            .label("not the host"),
    );
}
