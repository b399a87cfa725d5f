//! Rules that compare a URL with all others in the tree of files.

use super::diagnostic::Applicability::{DisplayOnly, Unsafe};
use super::host::is_identifier;
use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_core::url::host::is_example;

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

/// Reports a host that is one letter away from one that occurs fifty times as often, or that
/// begins with `wwww.`.
pub(super) fn rare_host(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(part) = url.split.host else { return };
    let start = url.slice(part).get(..WWWW.len());
    if start.is_some_and(|start| start.eq_ignore_ascii_case(WWWW)) {
        let start = part.before(part.start + WWWW.len() as u32);
        let message = "the host begins with `wwww.`, which has a `w` too many";
        let fix = url.fix("write `www.`", DisplayOnly, start, "www.");
        report.add(
            url.finding(Rule::RareHost, start, message, "misspelled?")
                .fix(fix),
        );
    }
    let Some(tree) = report.tree() else { return };
    let name = url.slice(part).to_ascii_lowercase();
    let Some(common) = tree.meant(&name) else {
        return;
    };
    let (here, often) = (tree.count(&name).all(), tree.count(common).all());
    let common = String::from_utf8_lossy(common);
    let times = if here == 1 { "once" } else { "twice" };
    let message = format!(
        "{} occurs {times}, and `{common}` {often} times",
        url.quoted(part)
    );
    let fix = url.fix(format!("write `{common}`"), DisplayOnly, part, &common);
    let finding = url.finding(Rule::RareHost, part, message, "misspelled?");
    report.add(finding.fix(fix));
}
