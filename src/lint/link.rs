//! The text of a link, compared with its target.

use super::report::Report;
use super::rule::Rule;
use super::unicode;
use super::url::Url;
use urlint_documents::document::Kind;
use urlint_find::Delimiter;
use urlint_standard::standard::Part;
use urlint_standard::text::ascii::WordList;
use urlint_standard::url::escape::decoded;
use urlint_standard::url::host;
use urlint_standard::url::host::is_example;

/// The greatest number of words of a text of which a URL is one. In longer ones a URL is rather spoken of.
const MAX_WORDS: usize = 7;

/// Reports a program in place of a target in a message.
pub(super) fn script(url: &Url<'_>, report: &mut Report<'_>) {
    if is_script(url) && is_in_mail(report) {
        let part = url.scheme_part();
        let message = format!("the link runs a program in {}", url.quoted(part));
        report.add(url.finding(Rule::ScriptUrl, part, message, "a program"));
    }
}

/// Returns whether the URL is a program in place of a target.
pub(super) fn is_script(url: &Url<'_>) -> bool {
    const SCRIPTS: WordList = WordList("javascript vbscript");
    url.candidate.delimiter == Delimiter::Target && SCRIPTS.contains(url.slice(url.scheme_part()))
}

fn is_in_mail(report: &Report<'_>) -> bool {
    matches!(report.around().kind, Kind::Mail | Kind::Mbox)
}

/// Reports a target other than the URL that the text of the link shows: on another host, or, if the text is
/// nothing else, on the same host with another path. A host of the same domain is not reported, and neither is
/// an archive or a proxy of the URL. Newsletters count the readers of their links, so in mail only hosts are
/// compared.
pub(super) fn text(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(anchor) = report.around().anchor else {
        return;
    };
    let anchor = String::from_utf8_lossy(anchor);
    // A long URL may be broken there where it is shown.
    let anchor = anchor.replace('\u{200B}', "");
    let anchor = unicode::as_read(&anchor);
    let words: Vec<_> = anchor.split_whitespace().collect();
    if words.len() > MAX_WORDS || words.concat().as_bytes() == url.text {
        return;
    }
    let part = url.split.host.filter(|_| url.is_web());
    let Some(part) = part.or_else(|| host_after_slashes(url.text)) else {
        return;
    };
    let host = String::from_utf8_lossy(url.slice(part)).to_ascii_lowercase();
    let (host, own) = (host.trim_end_matches('.'), url.split.path);
    let rest = &url.candidate.text[part.range().end..];
    let is_whole = words.len() == 1 && !is_in_mail(report);
    let fault = |(name, path): (String, &str)| {
        let bare = without_www(&name);
        if without_www(host) == bare {
            let is_other = is_whole && !are_alike(url.slice(own), path.as_bytes());
            return is_other.then(|| (own, "another path", path.to_owned()));
        }
        let is_fine = host.is_empty()
            || (is_example(host.as_bytes()) && is_example(name.as_bytes()))
            || owner(domain(host)) == owner(domain(&name))
            || is_hyphened(host, bare)
            || (is_keeper(host) && keeps(rest, bare, path));
        (!is_fine).then_some((part, "another host", name))
    };
    let shown = words.iter().filter_map(|word| shown_url(word));
    // One of several may lead there.
    if let Some(Some((part, label, shown))) = shown.map(fault).min_by_key(Option::is_some) {
        let target = url.quoted(part);
        let message = format!("the link shows `{shown}`, and leads to {target}");
        let finding = url.finding(Rule::LinkText, part, message, label);
        // On the same host it is rather an older place, or the same one in another form.
        report.add(finding.hint_if(label == "another path"));
    }
}

/// Returns the host of a target that has the scheme of its page.
fn host_after_slashes(target: &[u8]) -> Option<Part> {
    let rest = target.strip_prefix(b"//")?;
    let end = rest.iter().position(|byte| b"/?#:".contains(byte));
    Some(Part::new(2, 2 + end.unwrap_or(rest.len())))
}

/// Returns whether `host` is a proxy's name for the host `name`, as in `www-a-org.proxy.b.edu`.
fn is_hyphened(host: &str, name: &str) -> bool {
    let (label, proxy) = host.split_once('.').unwrap_or_default();
    // A hyphen of the name may be doubled.
    let label = label.replace("--", "-");
    label.trim_start_matches("www-") == name.replace('.', "-")
        && (proxy.contains("prox") || is_keeper(proxy))
}

/// Returns whether `host` is that of an archive or a proxy whose URLs contain those that they lead to: a known
/// one, or in a domain that only universities and schools have.
fn is_keeper(host: &str) -> bool {
    const KNOWN: WordList = WordList(include_str!("hosts/keepers.txt"));
    let host = format!(".{host}");
    KNOWN
        .iter()
        .any(|known| host.ends_with(&format!(".{known}")))
        || matches!(host.rsplit('.').nth(1), Some("edu" | "ac"))
}

/// Returns whether the first URL in `text`, the path and query of another, has the host `name` and a path
/// like `path`.
fn keeps(text: &[u8], name: &str, path: &str) -> bool {
    let mut text = String::from_utf8_lossy(text).to_ascii_lowercase();
    if text.contains("-3a__") {
        // Proofpoint's `://`.
        text = text.replace('-', "%").replace('_', "/");
    }
    let text = String::from_utf8_lossy(&decoded(text.as_bytes())).into_owned();
    text.split_once(name).is_some_and(|(before, rest)| {
        let before = before.trim_end_matches("www.");
        let kept = rest.split(['?', '#', '&']).next().unwrap_or_default();
        before.ends_with(['/', '=', ':'])
            && !before.trim_end_matches("://").contains("://")
            && (kept.is_empty() || kept.starts_with('/'))
            && are_alike(kept.as_bytes(), path.as_bytes())
    })
}

fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// Returns whether the longer path has the names of the shorter one in order, perhaps with a language or a
/// version between them. Two names match if one begins with the other, or if one was shortened.
fn are_alike(path: &[u8], other: &[u8]) -> bool {
    let names = |path: &[u8]| -> Vec<Vec<u8>> {
        let path = decoded(path).to_ascii_lowercase();
        let names = path
            .split(|&byte| byte == b'/')
            .filter(|name| !name.is_empty());
        names.map(<[u8]>::to_vec).collect()
    };
    let (path, other) = (names(path), names(other));
    let (less, more) = if path.len() < other.len() {
        (path, other)
    } else {
        (other, path)
    };
    let mut more = more.iter();
    let is_short = |name: &[u8]| name.ends_with("\u{2026}".as_bytes()) || name.ends_with(b"..");
    less.iter().all(|name| {
        is_short(name)
            || more.any(|one| is_short(one) || one.starts_with(name) || name.starts_with(one))
    })
}

/// Returns the host, in lower case, and the path of the URL that a word of a text shows: one of the web, or a name
/// that begins with `www.`, whose path is not compared. Before a colon it is a label of the text.
fn shown_url(word: &str) -> Option<(String, &str)> {
    let word = word.trim_matches(|sign| "()[]{}<>\"'`*,;!\u{201C}\u{201D}".contains(sign));
    let lower = word.to_ascii_lowercase();
    let mut starts = ["https://", "http://", "www."].iter();
    let is_url = starts.any(|start| lower.starts_with(start)) && !word.ends_with(':');
    let name = String::from_utf8_lossy(host(lower.as_bytes())?).into_owned();
    let (_, last) = name.rsplit_once('.')?;
    let is_name =
        !name.contains(|sign: char| !sign.is_ascii_alphanumeric() && !"-.".contains(sign));
    let is_last = last.len() > 1 && !last.contains(|sign: char| !sign.is_ascii_alphabetic());
    let (_, rest) = word.split_once("//").unwrap_or_default();
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let path = path.find('/').map_or("", |start| &path[start..]);
    (is_url && is_name && is_last).then_some((name, path))
}

/// The domains of one owner, the first of which names it. Anybody's link may not lead through the others: those are
/// short forms of the owner's own pages.
#[rustfmt::skip]
const OWNERS: &[&str] = &[
    // https://github.com/microsoft/aka
    "microsoft.com aka.ms",
    // "Make way for youtu.be links", in YouTube's blog
    "youtube.com youtu.be",
    // https://github.com/SS13HUB/discord-data-research/blob/master/domains.md
    "discord.com discord.gg discordapp.com",
    // https://core.telegram.org/api/links
    "telegram.org t.me telegram.me",
];

/// Returns the domain that names the owner of `domain`.
fn owner(domain: &str) -> &str {
    let all = |names: &&&str| names.split(' ').any(|name| name == domain);
    let named = OWNERS.iter().find(all);
    named
        .and_then(|names| names.split(' ').next())
        .unwrap_or(domain)
}

/// Returns the registered domain of `host`, as far as the commonest public suffixes tell.
fn domain(host: &str) -> &str {
    const OF_COUNTRIES: WordList =
        WordList("ac co com edu go gob gouv gov gv id ltd me mil ne net nhs nom or org plc sch");
    const OF_HOSTERS: WordList =
        WordList("blogspot.com github.io gitlab.io netlify.app pages.dev vercel.app web.app");
    let mut ends = host.rmatch_indices('.').map(|(dot, _)| &host[dot + 1..]);
    let (last, second) = (ends.next().unwrap_or(host), ends.next().unwrap_or(host));
    let label = second.split('.').next().unwrap_or_default();
    let is_of_country = last.len() == 2 && OF_COUNTRIES.contains(label.as_bytes());
    if is_of_country || OF_HOSTERS.contains(second.as_bytes()) {
        ends.next().unwrap_or(host)
    } else {
        second
    }
}
