//! Rules about user names and passwords.

use super::diagnostic::Applicability::DisplayOnly;
use super::host::is_local;
use super::report::Report;
use super::rule::{Rule, Severity};
use super::url::Url;
use urlint_standard::standard::Part;
use urlint_standard::standard::rfc1738::{Predefined, is_host};
use urlint_standard::text::ascii::WordList;
use urlint_standard::url::escape::decoded;
use urlint_standard::url::host::is_example;
use urlint_standard::url::password::passwords;

/// Reports a password that is not empty.
pub(super) fn password(url: &Url<'_>, report: &mut Report<'_>) {
    let parts = passwords(&url.candidate.text).into_iter().map(Part::from);
    report.add_all(parts.map(|part| {
        let (message, severity) = if url.split.password != Some(part) {
            // By the grammar it is something else, but it may be intended as a password.
            ("the URL seems to carry a password", Severity::Warning)
        } else if is_anonymous(url) {
            let message = "the URL carries the password of an anonymous user";
            (message, Severity::Hint)
        } else if is_example_login(url) || is_local(url) {
            ("the URL carries a password", Severity::Hint)
        } else {
            ("the URL carries a password", Severity::Error)
        };
        // With the colon before it, which may be encoded.
        let is_raw = url.candidate.text[..part.range().start].ends_with(b":");
        let colon = if is_raw { 1 } else { "%3A".len() as u32 };
        let whole = part.starting_at(part.start.saturating_sub(colon));
        let fix = url.fix("delete it; this changes the login", DisplayOnly, whole, "");
        let finding = url.finding(Rule::Password, part, message, "password");
        finding.severity(severity).fix(fix)
    }));
}

fn is_anonymous(url: &Url<'_>) -> bool {
    let user = url.split.user.map_or(&[][..], |user| url.slice(user));
    WordList("anonymous ftp").contains(user)
}

/// Returns whether the login is only an example: its host is a placeholder; its password is a name for one, such
/// as `SECRET_KEY`, or `mypassword` of a person of examples; its user name is a word for a user
/// name or at an example host, and its password is missing or a word for a password; or its password is such a word,
/// and its host is an example host or a word for a host.
pub(super) fn is_example_login(url: &Url<'_>) -> bool {
    const USERS: WordList = WordList("user username login me");
    const WORDS: WordList = WordList("password passwd pass pwd pw");
    const HOSTS: WordList = WordList("host hostname");
    const PEOPLE: WordList =
        WordList("alice bob carol isabel joe john jane foo bar admin root guest test");
    let is_name = |text: &[u8]| text.len() > 2 && is_constant(text);
    let host = url.host();
    let user = url.split.user.map(|part| url.slice(part));
    let password = url.split.password.map(|part| url.slice(part));
    if (host.contains(&b'_') && is_constant(host))
        || password.is_some_and(is_name_of_secret)
        || (user.is_some_and(|user| USERS.contains(user) || PEOPLE.contains(user))
            && password.is_some_and(|text| memchr::memmem::find(text, b"password").is_some()))
        || (user.is_some_and(is_name) && password.is_some_and(is_name))
    {
        return true;
    }
    let is_user = user.is_some_and(|user| USERS.contains(user));
    password.map_or(is_user || is_example(host), |password| {
        WORDS.contains(password) && (is_user || is_example(host) || HOSTS.contains(host))
    })
}

/// Returns whether `text` is the name of a constant: `PROXY_PORT`.
pub(super) fn is_constant(text: &[u8]) -> bool {
    text.iter()
        .all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
}

/// Returns whether `password` is a name for one: `KEY`, `API_KEY`, `aws_secret`, `APP-PASSWORD`.
fn is_name_of_secret(password: &[u8]) -> bool {
    const SECRETS: WordList = WordList("key secret token password passwd pass pwd");
    let is_of_name = |byte: &u8| byte.is_ascii_alphabetic() || b"_-".contains(byte);
    let mut words = password.split(|byte| b"_-".contains(byte));
    (is_constant(password) || words.clone().nth(1).is_some())
        && password.iter().all(is_of_name)
        && words.any(|word| SECRETS.contains(word))
}

/// Reports a login of http and https, which RFC 9110 deprecates.
pub(super) fn deprecated(url: &Url<'_>, report: &mut Report<'_>) {
    let (Some(authority), Some(host)) = (url.split.authority, url.split.host) else {
        return;
    };
    if !url.is_web() || url.split.user.is_none() {
        return;
    }
    let login = authority.before(host.start);
    let fix = url.fix("remove it", DisplayOnly, login, "");
    let message = format!("a user name is deprecated in {}", url.scheme());
    let finding = url.finding(Rule::UserinfoNotAllowed, login, message, "deprecated");
    let finding = finding.severity(Severity::Warning).fix(fix);
    report.add(finding.hint_if(is_example_login(url)));
}

/// Reports a user name that is present and empty.
pub(super) fn empty_user(url: &Url<'_>, report: &mut Report<'_>) {
    if let Some(user) = url.split.user.filter(|user| user.is_empty()) {
        let message = "the user name is present and empty";
        let finding = url.finding(Rule::EmptyUser, user, message, "empty user name");
        // Except in ftp, it is a delimiter without meaning (RFC 3986, section 6.2.3).
        report.add(finding.hint_if(url.is_uri() && url.predefined != Some(Predefined::Ftp)));
    }
}

/// Reports other parts that look like the host.
pub(super) fn confusion(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(host) = url.split.host else { return };
    // Other schemes have mail addresses as user names (RFC 5092), and accounts as paths (RFC 8905).
    let is_special = || url.scheme_facts().is_some_and(|scheme| scheme.is_special);
    if !url.text.contains(&b'@') || !is_special() {
        return;
    }
    let parts = [
        ("user name", url.split.user),
        ("password", url.split.password),
    ];
    for (name, part) in parts {
        let Some(part) = part else { continue };
        let Some(why) = confuses(url.slice(part)) else {
            continue;
        };
        let shown = match name {
            "password" => name.to_owned(),
            _ => format!("{name} {}", url.quoted(part)),
        };
        let message = format!("the {shown} {why}; the host is {}", url.quoted(host));
        let finding = url.finding(Rule::UserinfoConfusion, part, message, "not the host");
        // An anonymous user customarily gives an address as the password.
        report.add(finding.hint_if(name == "password" && is_anonymous(url)));
    }
    in_path(url, host, report);
}

/// Returns why people may take `text` for a host, or why programs may end it early.
fn confuses(text: &[u8]) -> Option<&'static str> {
    if text.contains(&b'.') && is_host(text) {
        return Some("looks like a host");
    }
    let hidden = text.contains(&b'%') && decoded(text).iter().any(|byte| b"@/:#".contains(byte));
    hidden.then_some("contains an encoded delimiter")
}

/// Reports an `@` in the first segment of the path, followed by the likeness of a host.
fn in_path(url: &Url<'_>, host: Part, report: &mut Report<'_>) {
    let path = url.split.path;
    let [b'/', rest @ ..] = url.slice(path) else {
        return;
    };
    if url.split.authority.is_none() || url.split.user.is_some() {
        return;
    }
    let end = rest.iter().position(|byte| b"/?;".contains(byte));
    let segment = &rest[..end.unwrap_or(rest.len())];
    let Some(at) = memchr::memrchr(b'@', segment) else {
        return;
    };
    let after = &segment[at + 1..];
    let end = memchr::memchr(b':', after).unwrap_or(after.len());
    let name = &after[..end];
    let same = name.eq_ignore_ascii_case(url.slice(host));
    if at == 0 || same || !name.contains(&b'.') || !is_host(name) {
        return;
    }
    // Mail addresses occur in the paths of archives; they are not deceptive if the host before them
    // is plainly a host.
    let is_number = |port| url.slice(port).iter().all(u8::is_ascii_digit);
    let is_plain = url.slice(host).contains(&b'.') && url.split.port.is_none_or(is_number);
    let start = "/".len() + at + "@".len();
    let part = path.within(Part::new(start, start + name.len()));
    let message = format!(
        "{} in the path looks like the host; the host is {}",
        url.quoted(part),
        url.quoted(host)
    );
    let finding = url.finding(Rule::UserinfoConfusion, part, message, "not the host");
    report.add(finding.hint_if(is_plain));
}
