//! From a candidate to diagnostics.
//!
//! Problems of the judge and flags of the candidate become findings in `problems` and `context`.
//! Every other rule names a function in its row of the table, a check, in one of the files named
//! after what they look at.

mod authority;
mod context;
mod data;
pub(crate) mod diagnostic;
mod differential;
mod dns;
mod escapes;
mod finding;
mod host;
pub(crate) mod ignore_urls;
mod ipv6;
mod path;
mod port;
mod printable;
mod problems;
pub(crate) mod promise;
mod remedy;
mod repair;
pub(crate) mod rule;
mod scheme;
mod schemes;
pub(crate) mod settings;
mod severity;
pub(crate) mod suppress;
mod unicode;
mod url;
mod userinfo;

pub use diagnostic::{Applicability, Diagnostic, Edit, Fix, UrlEdit, shortened};
pub use ignore_urls::{BadPattern, BadPatternKind, IgnoredUrls, UrlPattern};
pub use rule::{Group, Rule, Severity};
pub use settings::{Selection, Selector, Settings};
pub use suppress::Suppressions;

use crate::find::candidate::{Candidate, Delimiter, Flag};
use finding::Report;
use rule::checks;
use url::Url;

/// Returns the diagnostics about the URLs of `source`, plain text, in the order of their places, but
/// for those that comments in it [suppress](Suppressions), and those about such comments.
///
/// ```
/// use urlint::{Rule, Settings, Span};
///
/// let source = b"my page: <URL:http://a.example/~joe>";
/// let diagnostics = urlint::check(source, &Settings::default());
/// assert_eq!(diagnostics.len(), 1);
/// assert_eq!(diagnostics[0].rule, Rule::UnsafeCharacter);
/// assert_eq!(diagnostics[0].spans, Span::new(31, 32).into());
/// assert_eq!(diagnostics[0].message, "`~` must be encoded in `http://a.example/~joe`");
/// ```
pub fn check(source: &[u8], settings: &Settings) -> Vec<Diagnostic> {
    let mut suppressions = Suppressions::of(source);
    let mut diagnostics = Vec::new();
    for candidate in settings.finder.find(source) {
        let after = source.get(candidate.pieces.end() as usize..);
        lint_before(&candidate, after, settings, &mut |diagnostic| {
            if !suppressions.suppresses(&diagnostic) {
                diagnostics.push(diagnostic);
            }
        });
    }
    let about_urls = diagnostics.len();
    diagnostics.extend(suppressions.unused(source, &settings.selection));
    if diagnostics.len() > about_urls {
        diagnostics.sort_by_key(|diagnostic| diagnostic.spans.start());
    }
    diagnostics
}

/// Hands the diagnostics about `candidate` to `report`, in the order of their places. Rules that are
/// not selected cost nothing.
///
/// ```
/// use urlint::{Rule, Settings};
///
/// let candidate = urlint::find(b"<URL:http://a.example:/>").next().unwrap();
/// urlint::lint::lint(&candidate, &Settings::default(), &mut |diagnostic| {
///     assert_eq!(diagnostic.rule, Rule::EmptyPort);
///     assert_eq!(diagnostic.fix.unwrap().message, "drop the colon");
/// });
/// ```
///
/// The text after the candidate is not known here. If no delimiter closes the candidate, what may be
/// the beginning of a password that goes on in the next line is shown in no diagnostic.
pub fn lint(candidate: &Candidate<'_>, settings: &Settings, report: &mut dyn FnMut(Diagnostic)) {
    let is_closed = !matches!(candidate.delimiter, Delimiter::Bare | Delimiter::Prefix)
        && !candidate.flags.has(Flag::Unterminated);
    let after = is_closed.then_some(&b""[..]);
    lint_before(candidate, after, settings, report);
}

/// Does what [`lint`] does; `after` is what follows the candidate in its text, if that is known.
pub(crate) fn lint_before(
    candidate: &Candidate<'_>,
    after: Option<&[u8]>,
    settings: &Settings,
    report: &mut dyn FnMut(Diagnostic),
) {
    let url = Url::new(candidate, after, settings.standard);
    let mut findings = Report::new(&settings.selection);
    // What is not a URL yet is not judged.
    if candidate.flags.has(Flag::Placeholder) {
        context::flag(&url, Flag::Placeholder, &mut findings);
        return report_unless_ignored(findings, &url, settings, report);
    }
    // A scheme that the settings name is not a misspelling of another.
    let is_own = settings.finder.schemes.contains(url.scheme().as_bytes());
    look(&url, is_own, &mut findings);
    report_unless_ignored(findings, &url, settings, report);
}

/// Looks for everything that `report` wants to know of the URL; `is_own` says that its scheme is the
/// user's.
fn look(url: &Url<'_>, is_own: bool, report: &mut Report<'_>) {
    if url.is_data() {
        return data::white_space(url, report);
    }
    context::flags(url, report);
    // A candidate with nothing in it has been reported as such.
    if !url.text.is_empty() {
        problems::grammar(url, report);
    }
    if !url.standard.has_fragments() {
        problems::fragment(url, report);
    }
    let has_escape = memchr::memchr(b'%', url.text).is_some();
    let all = checks(url.standard);
    let mut chosen = report.checks(url.standard);
    while let Some(checked) = all.get(chosen.trailing_zeros() as usize) {
        chosen &= chosen - 1;
        let is_of_own = is_own && checked.rule == Rule::SchemeLookalike;
        if (has_escape || !checked.needs_escape) && !is_of_own {
            (checked.check)(url, report);
        }
    }
}

/// Hands `findings` to `report`, unless the settings name the URL as one to say nothing about.
fn report_unless_ignored(
    findings: Report<'_>,
    url: &Url<'_>,
    settings: &Settings,
    report: &mut dyn FnMut(Diagnostic),
) {
    // Few URLs have anything reported about them, so that is asked last.
    if !findings.is_empty() && !settings.ignored.contains(url.text) {
        findings.finish(url, report);
    }
}

#[cfg(test)]
mod tests;
