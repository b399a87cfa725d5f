//! Rules that compare the host of a URL with others: those in the tree of files, and those that are known.

use std::borrow::Cow;

use super::diagnostic::Applicability::{DisplayOnly, Unsafe};
use super::host::is_identifier;
use super::known_domains;
use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_standard::standard::Part;
use urlint_standard::url::host::is_example;

/// Reports http where the tree has https for the same host.
pub(super) fn https(url: &Url<'_>, report: &mut Report<'_>) {
    let (Some(tree), Some(part)) = (report.tree(), url.split.host) else {
        return;
    };
    let name = url.slice(part);
    if url.scheme() != "http" || url.split.port.is_some() || is_identifier(url) {
        return;
    }
    if is_example(name) || tree.count(name).https == 0 {
        return;
    }
    let message = format!("elsewhere, {} has `https`", url.quoted(part));
    let scheme = url.scheme_part();
    let finding = url.finding(Rule::HttpsElsewhere, scheme, message, "`https`?");
    report.add(finding.fix(url.fix("write `https`", Unsafe, scheme, "https")));
}

/// The misspelled beginning of a host, with one letter too many.
const WWWW: &[u8] = b"wwww.";

/// Reports a host that is one letter away from a known domain, or from a host that occurs fifty times as often,
/// or that begins with `wwww.`.
pub(super) fn rare_host(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(part) = url.split.host else { return };
    let host = url.slice(part);
    let start = host.get(..WWWW.len()).unwrap_or_default();
    let (part, meant, message): (_, Cow<'_, str>, _) = if start.eq_ignore_ascii_case(WWWW) {
        let start = part.before(part.start + WWWW.len() as u32);
        let message = "the host begins with `wwww.`, which has a `w` too many".to_owned();
        (start, "www.".into(), message)
    } else if let Some(tree) = report.tree()
        && let Some(common) = tree.meant(&host.to_ascii_lowercase())
    {
        let (here, often) = (tree.count(host).all(), tree.count(common).all());
        let times = if here == 1 { "once" } else { "twice" };
        let common = String::from_utf8_lossy(common);
        let quoted = url.quoted(part);
        let message = format!("{quoted} occurs {times}, and `{common}` {often} times");
        (part, common, message)
    } else if let Some((before, domain)) = known_domains::meant(host) {
        let part = Part {
            start: part.start + before as u32,
            ..part
        };
        let message = format!("{} differs in one letter from `{domain}`", url.quoted(part));
        (part, domain.into(), message)
    } else {
        return;
    };
    let fix = url.fix(format!("write `{meant}`"), DisplayOnly, part, &meant);
    let finding = url.finding(Rule::RareHost, part, message, "misspelled?");
    report.add(finding.fix(fix));
}
