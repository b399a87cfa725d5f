//! The role of a URL in its document, and its place, on which the severity of diagnostics about it depends.

use super::rule::Place;
use super::surroundings::Surroundings;
use super::url::Url;
use super::userinfo::is_login_of_example;
use urlint_documents::document::{Kind, Role};
use urlint_find::{Candidate, Delimiter, Flag};
use urlint_standard::text::ascii::WordList;
use urlint_standard::url::host::is_example;
use urlint_standard::url::schemes::lookup;

/// Returns the role of `url` with these surroundings. On a host for examples, a URL in code counts as only
/// shown, and one that is only shown counts as test data. So does one in quotes on such a host, since the text
/// is about its form. In code, and where it is only shown, so does a URL with a word as its host; and everywhere
/// text that has no host in its place.
pub(super) fn of_url(around: Surroundings<'_>, url: &Url<'_>) -> Role {
    let host = url.host();
    let role = match around.role {
        Role::Code if is_login_of_example(url, true) => Role::Shown,
        Role::Used | Role::Code
            if url.split.userinfo.is_some()
                && (is_in_session(around) || is_value_of_example(around)) =>
        {
            Role::Shown
        }
        role => role,
    };
    match role {
        _ if has_other_text(url) || is_of_program(around, url) || is_dummy(url.text) => {
            Role::Tested
        }
        Role::Used if is_quoted_example(around.kind, url) => Role::Tested,
        Role::Code | Role::Shown if is_word(host) => Role::Tested,
        Role::Code if is_of_examples(host) => Role::Shown,
        Role::Shown if is_of_examples(host) => Role::Tested,
        role => role,
    }
}

/// Returns whether the URL only looks like one: dots or a quotation mark stand in the place of its host, as in
/// `https://…` and `'file://'.name`, or its colon begins `::` of a program, as in `http::StatusCode`.
fn has_other_text(url: &Url<'_>) -> bool {
    let starts: [&[u8]; 4] = [b"..", "\u{2026}".as_bytes(), b"'", b"\""];
    let scheme = url.scheme_part().range().end;
    let is_path = matches!(url.text.get(scheme..), Some([b':', b':', first, ..]) if first.is_ascii_alphabetic());
    // After a user name, they are in a host.
    let is_start = url.split.userinfo.is_none();
    (is_path && url.is_web())
        || (is_start && starts.iter().any(|start| url.host().starts_with(start)))
}

/// Returns whether the URL is notation of a program: an address to listen on, `http://:80` or `http://+:80`, unless
/// it is marked as a URL; or the scheme that `sed` replaces, in `s/http:/https:/`.
fn is_of_program(around: Surroundings<'_>, url: &Url<'_>) -> bool {
    let is_text = !matches!(
        url.candidate.delimiter,
        Delimiter::Target | Delimiter::Wrapper | Delimiter::Angle
    );
    let has_port = url.split.port.is_some_and(|port| !port.is_empty());
    let command = around.before.strip_suffix(b"s/");
    let is_in_word = |before: &[u8]| before.last().is_some_and(u8::is_ascii_alphanumeric);
    let is_replaced = command.is_some_and(|before| !is_in_word(before));
    (is_text && has_port && matches!(url.host(), b"" | b"+") && url.split.userinfo.is_none())
        || (url.split.authority.is_none() && is_replaced)
}

/// Returns whether the URL is in a session of Python in a program, which shows its use and tests it.
fn is_in_session(around: Surroundings<'_>) -> bool {
    let start = memchr::memmem::rfind(around.before, b"\n\n").unwrap_or_default();
    let mut lines = around.before[start..].split(|byte| *byte == b'\n');
    around.role == Role::Code && lines.any(|line| line.trim_ascii_start().starts_with(b">>> "))
}

/// Returns whether the URL is in an example of a description of an API: in YAML or in JSON, a key to which it belongs by
/// the indentation of lines says so.
fn is_value_of_example(around: Surroundings<'_>) -> bool {
    const KEYS: WordList = WordList("example examples responses");
    let mut indent = usize::MAX;
    let mut lines = around.before.rsplit(|byte| *byte == b'\n');
    matches!(around.kind, Kind::Plain | Kind::Json)
        && lines.any(|line| {
            let text = line.trim_ascii_start();
            // An item of a list may have the indentation of its key.
            let own = line.len() - text.len() + usize::from(text.starts_with(b"-"));
            if text.is_empty() || own >= indent {
                return false;
            }
            indent = own;
            let key = memchr::memchr(b':', text).map(|end| &text[..end]);
            let mut words = key
                .unwrap_or_default()
                .rsplit(|byte| b" \"'".contains(byte));
            words
                .find(|word| !word.is_empty())
                .is_some_and(|word| KEYS.contains(word))
        })
}

/// Returns whether the URL is an example in quotes, so that the text is about its form.
pub(super) fn is_quoted_example(kind: Kind, url: &Url<'_>) -> bool {
    let Candidate {
        delimiter, flags, ..
    } = url.candidate;
    let is_link = flags.has(Flag::BrokenLink) || kind == Kind::Json;
    *delimiter == Delimiter::Quotes && !is_link && is_of_examples(url.host())
}

/// Returns whether `host` is a single word. The name of a scheme does not count: it was written twice by
/// mistake.
fn is_word(host: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    !host.is_empty() && host.iter().all(is_part) && lookup(host).is_none()
}

/// Returns whether the host is one for examples: of RFC 2606, also with a dot too many, or a word for a host.
fn is_of_examples(host: &[u8]) -> bool {
    const HOSTS: WordList =
        WordList("somehost myhost yourhost anyhost otherhost hostname dummyhost");
    let label = host.split(|byte| *byte == b'.').next().unwrap_or_default();
    let digits = label.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let word = &label[..label.len() - digits.count()];
    let dots = memchr::memmem::find(host, b"..");
    let is_doubled = || dots.is_some_and(|at| is_example(&[&host[..at], &host[at + 1..]].concat()));
    is_example(host) || HOSTS.contains(word) || is_doubled()
}

/// Returns whether the URL says that it is made up for a test.
fn is_dummy(text: &[u8]) -> bool {
    let is_word = |at: usize| {
        let around = [at.checked_sub(1), Some(at + b"dummy".len())];
        let mut around = around.into_iter().flatten().filter_map(|at| text.get(at));
        !around.any(u8::is_ascii_alphanumeric)
    };
    memchr::memmem::find_iter(text, b"dummy").any(is_word)
}

/// Returns the place of `url` in its document. A login of an example is only shown, wherever it stands.
pub(super) fn place(around: Surroundings<'_>, url: &Url<'_>) -> Place {
    let before = around.before;
    // In text, a label, an element or a cell may begin with it.
    let begins = |byte: &u8| byte.is_ascii_whitespace() || b":>|".contains(byte);
    match (around.role, url.candidate.delimiter) {
        (Role::Tested | Role::Elsewhere, _) => Place::Tested,
        (Role::Shown, _) => Place::Shown,
        _ if is_login_of_example(url, false) => Place::Shown,
        (Role::Used, Delimiter::Target | Delimiter::Wrapper | Delimiter::Angle) => Place::Link,
        (Role::Used, _) if before.is_empty() && around.after.is_empty() => Place::Link,
        (Role::Used, _) if before.last().is_none_or(begins) => Place::Text,
        _ if is_in_sentence(before) => Place::Text,
        _ => Place::Code,
    }
}

/// Returns whether a word and a blank precede.
pub(super) fn is_in_sentence(before: &[u8]) -> bool {
    let rest = before.strip_suffix(b" ").map(<[u8]>::last);
    rest.flatten()
        .is_some_and(|&last| last.is_ascii_alphanumeric() || b":,".contains(&last) || last >= 0x80)
}
