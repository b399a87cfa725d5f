//! A rule that compares the host of a URL with known domains.

use super::diagnostic::Applicability::DisplayOnly;
use super::known_domains;
use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_standard::standard::Part;

/// The misspelled beginning of a host, with one letter too many.
const WWWW: &[u8] = b"wwww.";

/// Reports a host that is one letter away from a known domain, or that begins with `wwww.`.
pub(super) fn rare_host(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(part) = url.split.host else { return };
    let host = url.slice(part);
    let start = host.get(..WWWW.len()).unwrap_or_default();
    let (part, meant, message) = if start.eq_ignore_ascii_case(WWWW) {
        let start = part.before(part.start + WWWW.len() as u32);
        let message = "the host begins with `wwww.`, which has a `w` too many".to_owned();
        (start, "www.", message)
    } else if let Some((before, domain)) = known_domains::meant(host) {
        let part = Part {
            start: part.start + before as u32,
            ..part
        };
        let message = format!("{} differs in one letter from `{domain}`", url.quoted(part));
        (part, domain, message)
    } else {
        return;
    };
    let fix = url.fix(format!("write `{meant}`"), DisplayOnly, part, meant);
    let finding = url.finding(Rule::RareHost, part, message, "misspelled?");
    report.add(finding.fix(fix));
}
