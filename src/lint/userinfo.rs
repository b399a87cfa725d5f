//! Rules about user names and passwords.

use super::diagnostic::Applicability::DisplayOnly;
use super::host::is_local;
use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_standard::standard::Part;
use urlint_standard::standard::rfc1738::is_host;
use urlint_standard::text::ascii::WordList;
use urlint_standard::url::escape::decoded;
use urlint_standard::url::host::is_example;
use urlint_standard::url::password::passwords;

/// Reports a password that is not empty.
pub(super) fn password(url: &Url<'_>, report: &mut Report<'_>) {
    let parts = passwords(&url.candidate.text).into_iter().map(Part::from);
    report.add_all(parts.map(|part| {
        let message = if url.split.password != Some(part) {
            // By the grammar it is something else, but it may be intended as a password.
            "the URL seems to carry a password"
        } else {
            "the URL carries a password"
        };
        // With the colon before it, which may be encoded.
        let is_raw = url.candidate.text[..part.range().start].ends_with(b":");
        let colon = if is_raw { 1 } else { "%3A".len() as u32 };
        let whole = part.starting_at(part.start.saturating_sub(colon));
        let fix = url.fix("delete it; this changes the login", DisplayOnly, whole, "");
        url.finding(Rule::Password, part, message, "password")
            .fix(fix)
    }));
}

/// Returns whether the login is no secret. It is for everybody, as that of an anonymous user or one whose password is the
/// user name; the server is the reader's own, or one for examples; or names stand for it, as in `joe:SECRET_KEY`, or words
/// for a user and a password do, one of which is enough in code.
pub(super) fn is_login_of_example(url: &Url<'_>, is_code: bool) -> bool {
    const USERS: WordList = WordList("user username login me");
    const PEOPLE: WordList =
        WordList("alice bob carol isabel joe john jane foo bar admin root guest test");
    const HOSTS: WordList = WordList("host hostname");
    const WORDS: WordList = WordList("password passwd pass pwd pw mypassword");
    let Some(user) = url.split.user.map(|part| url.slice(part)) else {
        return false;
    };
    let host = url.host();
    let is_user = USERS.contains(user);
    if host.contains(&b'_') && is_constant(host) {
        return true;
    }
    let Some(password) = url.split.password.map(|part| url.slice(part)) else {
        return is_user || is_example(host) || is_key_of_sentry(url, user);
    };
    let is_name = |text: &[u8]| text.len() > 2 && is_constant(text);
    let is_known = is_user || PEOPLE.contains(user) || is_example(host) || HOSTS.contains(host);
    WordList("anonymous ftp").contains(user)
        || (!user.is_empty() && user == password)
        || is_local(url)
        || is_name_of_secret(password)
        || (is_name(user) && is_name(password))
        || (is_code && is_user)
        || (is_code && has_word_for_password(password))
        || (is_known && WORDS.contains(password))
}

/// Returns whether the URL is one that errors are sent to, with a public key: `https://KEY@o1.ingest.sentry.io/2`.
fn is_key_of_sentry(url: &Url<'_>, user: &[u8]) -> bool {
    let project = url.slice(url.split.path).strip_prefix(b"/");
    let is_number = |project: &[u8]| !project.is_empty() && project.iter().all(u8::is_ascii_digit);
    user.len() == 32 && user.iter().all(u8::is_ascii_hexdigit) && project.is_some_and(is_number)
}

/// Returns whether `password` has a word for a password of examples, with whatever signs between: `s:3:c:r:e:t`.
fn has_word_for_password(password: &[u8]) -> bool {
    const WORDS: [&str; 7] = [
        "pass", "pwd", "secret", "s3cret", "changeme", "example", "test",
    ];
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric();
    let plain: Vec<_> = password.iter().copied().filter(is_of_word).collect();
    let has = |word: &&str| memchr::memmem::find(&plain, word.as_bytes()).is_some();
    WORDS.iter().any(has)
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
    report.add(finding.fix(fix));
}

/// Reports a user name that is present and empty.
pub(super) fn empty_user(url: &Url<'_>, report: &mut Report<'_>) {
    if let Some(user) = url.split.user.filter(|user| user.is_empty()) {
        let message = "the user name is present and empty";
        report.add(url.finding(Rule::EmptyUser, user, message, "empty user name"));
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
        report.add(url.finding(Rule::UserinfoConfusion, part, message, "not the host"));
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
