//! `data:` URLs, which contain the resource itself (RFC 2397).

use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use super::{context, problem};
use urlint_find::Flag;
use urlint_standard::standard::ProblemKind;
use urlint_standard::text::ascii::ends;

/// Reports white space in data that is not in base64, where some programs keep it and others drop
/// it. Nothing else of a `data:` URL is checked, since programs write and read it.
pub(super) fn white_space(url: &Url<'_>, report: &mut Report<'_>) {
    if is_base64(url.text) {
        return;
    }
    if url.candidate.flags.has(Flag::InteriorSpace) {
        context::flag(url, Flag::InteriorSpace, report);
    }
    for &problem in &url.problems {
        let is_space = match problem.kind {
            ProblemKind::RawSpace => true,
            ProblemKind::ControlCharacter => {
                matches!(url.slice(problem.part), b"\t" | b"\n" | b"\r")
            }
            _ => false,
        };
        if is_space && report.wants(Rule::from(problem.kind)) {
            report.add(problem::finding(url, problem).fix(None));
        }
    }
}

/// Returns whether the part before the comma ends with `;base64`.
fn is_base64(url: &[u8]) -> bool {
    let head = url.split(|&byte| byte == b',').next();
    head.is_some_and(|head| ends(head, ";base64"))
}
