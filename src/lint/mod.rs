//! From a candidate to diagnostics.
//!
//! Problems of the judge and flags of the candidate become findings in `problems` and `context`.
//! Every other rule names a check in its row of the table: a function in one of the files named
//! after what they check.

mod authority;
mod context;
mod covered;
mod data;
pub(crate) mod diagnostic;
mod differential;
mod dns;
mod escapes;
mod finding;
pub(crate) mod fix_safety;
mod host;
pub(crate) mod ignore_urls;
mod ipv6;
mod link;
mod path;
mod port;
mod printable;
mod problems;
mod reference;
mod remedy;
mod repair;
pub(crate) mod restricted;
pub(crate) mod rule;
mod scheme;
mod schemes;
pub(crate) mod settings;
mod severity;
mod slip;
mod standing;
pub(crate) mod suppress;
mod tree;
mod unicode;
mod url;
mod userinfo;

pub use diagnostic::{Applicability, Diagnostic, Edit, Fix, UrlEdit, shortened};
pub use ignore_urls::{BadPattern, BadPatternKind, IgnoredUrls, UrlPattern};
pub use restricted::{UrlComponent, UrlMatcher, UrlRule};
pub use rule::{Group, Rule, Severity};
pub use settings::{Selection, Selector, Settings};
pub(crate) use standing::{Standing, Surroundings};
pub use suppress::Suppressions;
pub use tree::Tree;

use crate::find::candidate::{Candidate, Flag};
use crate::text::window::Window;
use finding::Report;
use rule::checks;
use url::Url;

/// Returns the diagnostics about the URLs of `source`, plain text, in the order of their places.
/// Those that [suppression comments](Suppressions) in it suppress are left out, and those about
/// such comments are included.
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
    let found = settings.finder.find(source);
    let window = Window {
        start: 0,
        bytes: source,
    };
    let all = found.flat_map(|candidate| {
        lint_in(
            Surroundings::of(candidate.outer, window),
            &candidate,
            settings,
        )
    });
    unsuppressed(source, settings, all)
}

/// Returns `all` diagnostics about the URLs of `source` without those that are suppressed in it, and
/// with those about its suppression comments.
pub(crate) fn unsuppressed(
    source: &[u8],
    settings: &Settings,
    all: impl IntoIterator<Item = Diagnostic>,
) -> Vec<Diagnostic> {
    let mut suppressions = Suppressions::of(source);
    let all = all.into_iter();
    let mut diagnostics: Vec<_> = all
        .filter(|diagnostic| !suppressions.suppresses(diagnostic))
        .collect();
    let about_urls = diagnostics.len();
    diagnostics.extend(suppressions.unused(source, &settings.selection));
    if diagnostics.len() > about_urls {
        diagnostics.sort_by_key(|diagnostic| diagnostic.spans.start());
    }
    diagnostics
}

/// Returns the diagnostics about `candidate`, in the order of their places. Rules that are not
/// selected cost nothing.
///
/// ```
/// use urlint::{Rule, Settings};
///
/// let candidate = urlint::find(b"<URL:http://a.example:/>").next().unwrap();
/// let mut diagnostics = urlint::lint::lint(&candidate, &Settings::default());
/// assert_eq!(diagnostics[0].rule, Rule::EmptyPort);
/// assert_eq!(diagnostics.remove(0).fix.unwrap().message, "drop the colon");
/// ```
pub fn lint(candidate: &Candidate<'_>, settings: &Settings) -> Vec<Diagnostic> {
    lint_in(Surroundings::default(), candidate, settings)
}

/// Returns the diagnostics about `candidate` in its document.
pub(crate) fn lint_in(
    around: Surroundings<'_>,
    candidate: &Candidate<'_>,
    settings: &Settings,
) -> Vec<Diagnostic> {
    if around.standing == Standing::Elsewhere {
        return Vec::new();
    }
    let url = Url::new(candidate, settings.standard).before(around.after);
    let around = Surroundings {
        standing: around.standing.of(&url),
        ..around
    };
    let mut findings = Report::new(&settings.selection, around).beside(settings.tree.as_deref());
    if candidate.flags.has(Flag::Placeholder) {
        // A placeholder is not a URL yet, so it is not checked.
        context::flag(&url, Flag::Placeholder, &mut findings);
    } else if !scheme::mistaken(&url, &mut findings) {
        // A scheme in the settings is not a misspelling of another.
        let is_own = settings.finder.schemes.contains(url.scheme().as_bytes());
        run_checks(&url, is_own, &mut findings);
        restricted::check(&url, &settings.url_rules, &mut findings);
    }
    // Few URLs have findings, so the patterns are matched last.
    if findings.is_empty() || settings.ignored.contains(url.text) {
        return Vec::new();
    }
    findings.finish(&url)
}

/// Runs the checks that `report` selects; `is_own` says that the user has added the URL's scheme.
fn run_checks(url: &Url<'_>, is_own: bool, report: &mut Report<'_>) {
    if url.is_data() {
        return data::white_space(url, report);
    }
    context::flags(url, report);
    // An empty candidate has already been reported as such.
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

#[cfg(all(test, feature = "documents"))]
mod tests;
