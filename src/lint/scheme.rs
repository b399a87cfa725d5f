//! Rules about the name of the scheme.

use super::diagnostic::Applicability::{DisplayOnly, Unsafe};
use super::host::is_identifier;
use super::report::Report;
use super::role::is_in_sentence;
use super::rule::Rule;
use super::url::Url;
use urlint_find::Delimiter;
use urlint_find::mistake::Mistake;
use urlint_standard::standard::Part;
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::text::ascii::WordList;
use urlint_standard::url::host::is_example;
use urlint_standard::url::schemes;
use urlint_standard::url::schemes::Use;

/// Reports a URL with a mistake in the `://` after its scheme. Returns whether it is reported: then nothing
/// else about it is certain.
pub(super) fn mistaken(url: &Url<'_>, report: &mut Report<'_>) -> bool {
    let Some(mistake) = Mistake::at_start(url.text) else {
        return false;
    };
    if !report.wants(Rule::SchemeLookalike) {
        return false;
    }
    let separator = Part::new(mistake.name, mistake.len);
    let has_space = url.slice(separator).contains(&b' ');
    let applicability = match url.candidate.delimiter {
        Delimiter::Bare if has_space => DisplayOnly,
        // Characters of other scripts have problems of their own, which show once it is a URL.
        _ if !url.text[mistake.len..].is_ascii() => DisplayOnly,
        _ => Unsafe,
    };
    let [name, beginning] =
        [mistake.name, mistake.len].map(|len| String::from_utf8_lossy(&url.text[..len]));
    let message = format!("`{beginning}` looks like a mistaken `{name}://`");
    let finding = url.finding(Rule::SchemeLookalike, separator, message, "`://`?");
    let fix = url.fix("write `://`", applicability, separator, "://");
    report.add(finding.fix(fix));
    true
}

/// Reports a host, a second prefix or a misspelling in place of a scheme.
pub(super) fn lookalike(url: &Url<'_>, report: &mut Report<'_>) {
    if let Some(second) = second_scheme(url) {
        let fix = url.fix("drop the second scheme", Unsafe, second, "");
        let message = "the scheme is written twice";
        let finding = url.finding(Rule::SchemeLookalike, second, message, "the second scheme");
        return report.add(finding.fix(fix));
    }
    if twice(url, report) || url.predefined.is_some() {
        return;
    }
    let Some(scheme) = url.split.scheme else {
        return;
    };
    let name = url.scheme();
    // Outside of a sentence, another sign, a line break or a hexadecimal dump may have cut the scheme.
    let is_bare = url.candidate.delimiter == Delimiter::Bare;
    let is_cut = || is_bare && !is_in_sentence(report.around().before);
    let (message, label, is_minor, fix) = if name.eq_ignore_ascii_case("url") {
        let prefix = scheme.before(scheme.end + 1);
        let fix = url.fix("drop it", DisplayOnly, prefix, "");
        let message = "`URL:` is a prefix, not a scheme".to_owned();
        (message, "prefix".to_owned(), false, fix)
    } else if (name.contains('.') || name.eq_ignore_ascii_case("localhost"))
        && begins_with_port(&url.text[scheme.len() + 1..])
    {
        let fix = url.fix(
            "put a scheme before it",
            DisplayOnly,
            Part::at(0),
            "http://",
        );
        let shown = url.quoted(scheme);
        let message = format!("{shown} looks like a host with its port, not like a scheme");
        (message, "a host?".to_owned(), false, fix)
    } else if let Some(glued) = glued(url, name) {
        let (word, meant) = name.split_at(glued);
        let end = Part::at(glued as u32);
        let fix = url.fix("insert a space", DisplayOnly, end, " ");
        let (message, fix) = if report.around().before.ends_with(b"\\") {
            (
                format!("there are no braces after the macro `{word}`"),
                None,
            )
        } else {
            let message = format!("there is no space between the word `{word}` and `{meant}`");
            (message, fix)
        };
        (message, format!("`{meant}`?"), false, fix)
    } else if name.len() == 1 && url.host().contains(&b'.') {
        let message = format!("the scheme {} is only a letter", url.quoted(scheme));
        let fix = url.fix("write `http`", DisplayOnly, scheme, "http");
        (message, "`http`?".to_owned(), is_cut(), fix)
    } else if let Some((scheme, name, meant)) = misspelt_part(name, scheme) {
        let is_web = meant.starts_with("http");
        // `httpx` may be a scheme of its own.
        let applicability = if is_web && name.len() <= meant.len() {
            Unsafe
        } else {
            DisplayOnly
        };
        let is_minor = (meant.ends_with(name) && is_cut()) || (!is_web && is_bare);
        let fix = url.fix(format!("write `{meant}`"), applicability, scheme, meant);
        let shown = url.quoted(scheme);
        let message = format!("the scheme {shown} looks like a misspelt `{meant}`");
        (message, format!("`{meant}`?"), is_minor, fix)
    } else {
        return;
    };
    let finding = url.finding(Rule::SchemeLookalike, scheme, message, label);
    report.add(finding.hint_if(is_minor).fix(fix));
}

/// Returns the second scheme of `git+https://https://host`, with its slashes.
fn second_scheme(url: &Url<'_>) -> Option<Part> {
    let rest = url.after(url.scheme_part()).strip_prefix(b"://")?;
    let names: [&[u8]; 2] = [b"https://", b"http://"];
    let second = names.into_iter().find(|name| rest.starts_with(name))?;
    let start = url.scheme().len() + 3;
    (url.scheme().contains('+')).then(|| Part::new(start, start + second.len()))
}

/// Reports a second scheme, with its colon or without: `http://https://host`, `http://https//host`. Returns whether
/// there is one.
fn twice(url: &Url<'_>, report: &mut Report<'_>) -> bool {
    let Some(host) = url.split.host.filter(|host| !host.is_empty()) else {
        return false;
    };
    let is_web = schemes::lookup(url.slice(host)).is_some_and(|scheme| scheme.is_web);
    let rest = url.after(host);
    let colon = match rest.starts_with(b"://") {
        true => "",
        false if is_web && rest.starts_with(b"//") => ":",
        false => return false,
    };
    // Programs have links that hold the URL to open: `app://https://host`.
    let name = url.scheme();
    let is_own = schemes::lookup(name.as_bytes()).is_none() && misspelt(name).is_none();
    if is_own && !WordList("link url").contains(name.as_bytes()) {
        return false;
    }
    let message = "the scheme is written twice";
    let finding = url.finding(Rule::SchemeLookalike, host, message, "the second scheme");
    let edits = [
        (Part::at(0).before(host.start), ""),
        (Part::at(host.end), colon),
    ];
    let edits = &edits[..if colon.is_empty() { 1 } else { 2 }];
    let fix = is_web.then(|| url.fix_all("drop the first scheme", Unsafe, edits));
    report.add(finding.fix(fix.flatten()));
    true
}

/// Returns the length of the word before `http` or `https` in the scheme `name`.
fn glued(url: &Url<'_>, name: &str) -> Option<usize> {
    let lower = name.to_ascii_lowercase();
    let word = lower
        .strip_suffix("https")
        .or_else(|| lower.strip_suffix("http"))?;
    let is_word = word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_known = schemes::lookup(lower.as_bytes()).is_some();
    (is_word && !is_known && url.host().contains(&b'.')).then_some(word.len())
}

/// Returns whether `text` begins with one to five digits, followed by a slash or the end.
fn begins_with_port(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..=5).contains(&digits) && matches!(text.get(digits), None | Some(b'/'))
}

/// Returns the part of the scheme `name` at `scheme` that is misspelt, and the scheme that it looks like: all of it,
/// or `ttps` of `git+ttps`.
fn misspelt_part(name: &str, scheme: Part) -> Option<(Part, &str, &'static str)> {
    if let Some(meant) = misspelt(name) {
        return Some((scheme, name, meant));
    }
    let (_, last) = name.rsplit_once('+')?;
    let meant = misspelt(last).filter(|meant| meant.starts_with("http"))?;
    let start = scheme.end as usize - last.len();
    Some((Part::new(start, scheme.end as usize), last, meant))
}

fn misspelt(name: &str) -> Option<&'static str> {
    if !(2..=9).contains(&name.len()) {
        return None;
    }
    let name = name.to_ascii_lowercase();
    if schemes::lookup(name.as_bytes()).is_some() {
        return None;
    }
    let predefined = Predefined::ALL.iter().map(|scheme| scheme.name());
    predefined
        .filter(|meant| strsim::osa_distance(meant, &name) == 1)
        .max_by_key(|meant| *meant == "http")
}

/// Reports schemes whose traffic can be read on its way.
pub(super) fn cleartext(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(cleartext) = url.scheme_facts().and_then(|scheme| scheme.cleartext) else {
        return;
    };
    if is_example(url.host()) || is_loopback(url.host()) || is_identifier(url) {
        return;
    }
    let scheme = url.scheme_part();
    let fix = cleartext.instead.and_then(|instead| {
        let message = format!("use `{instead}`, if the server offers the same");
        url.fix(message, DisplayOnly, scheme, instead)
    });
    let message = format!("`{}` sends everything in clear text", url.scheme());
    let finding = url.finding(Rule::SchemeCleartext, scheme, message, "not encrypted");
    report.add(finding.fix(fix));
}

/// Returns whether the host is the reader's own machine.
fn is_loopback(host: &[u8]) -> bool {
    host.starts_with(b"127.") || host == b"[::1]"
}

/// Reports schemes that are historic, that few programs support, or that are experiments.
pub(super) fn deprecated(url: &Url<'_>, report: &mut Report<'_>) {
    let state = match url.scheme_facts().map(|scheme| scheme.use_today) {
        _ if schemes::is_experimental(url.scheme().as_bytes()) => "is experimental",
        // RFC 5538 defines both.
        Some(Use::Rare) if url.is_uri() && matches!(url.scheme(), "news" | "nntp") => return,
        Some(Use::Rare) => "is supported by few programs today",
        Some(Use::Historic) => "is historic",
        None | Some(Use::Current) => return,
    };
    let part = url.scheme_part();
    let message = format!("the scheme {} {state}", url.quoted(part));
    report.add(url.finding(Rule::SchemeDeprecated, part, message, "outdated"));
}
