//! From a candidate to diagnostics.
//!
//! Problems of the judge and flags of the candidate become findings in `problem` and `context`.
//! Every other rule names a check in its row of the table: a function in one of the files named
//! after the part that they check, which `checks` calls.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

#[doc(hidden)]
pub mod add_ignore;
mod checker;
mod checks;
mod context;
mod covered;
mod diagnostic;
mod differential;
mod dns;
mod edits;
mod elsewhere;
mod escapes;
mod fate;
mod finding;
mod finish;
pub mod fix;
mod fix_safety;
mod found;
mod host;
mod ignore_urls;
mod judged;
mod known_domains;
mod link;
mod normal;
mod path;
mod pattern;
mod port;
mod printable;
mod problem;
mod reference;
mod report;
mod restricted;
mod role;
mod rule;
mod scheme;
mod schemes;
mod selection;
mod settings;
mod slip;
mod suppress;
mod surroundings;
mod understood;
mod unicode;
mod url;
mod userinfo;

pub use checker::{Checked, Checker, Known};
pub use diagnostic::{Applicability, Diagnostic, Edit, Fix, UrlEdit, shortened};
pub use fate::{Fate, Fates};
pub use ignore_urls::{BadPattern, IgnoredUrls, UrlPattern};
pub use judged::Judged;
pub use restricted::{UrlComponent, UrlMatcher, UrlRule};
#[doc(hidden)]
pub use rule::Place;
pub use rule::{Group, Rule, Severity};
pub use selection::{Selection, Selector};
pub use settings::Settings;
pub use suppress::Suppressions;
pub(crate) use surroundings::Surroundings;

use std::collections::BTreeMap;

use checks::run_checks;
use finish::finish;
use report::Report;
use understood::is_notation;
use url::Url;
use urlint_documents::document::{Kind, Role};
use urlint_documents::read::Reader;
use urlint_find::{Candidate, Delimiter, Flag};
use urlint_standard::standard::{Parsed, Standard};

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
    check_as(Kind::Plain, source, settings)
}

/// Returns the diagnostics about the URLs of `source`, a document of `kind`, as [`check`] does for
/// plain text; `settings` says how URLs are found, too. Spans and edits are of source bytes, even if
/// a URL was decoded.
///
/// The source is checked as plain text if it cannot be read as that kind, is longer than
/// [`MAX_DOCUMENT`](urlint_documents::document::MAX_DOCUMENT) bytes, or needs more memory than there
/// is. A [`Reader`] reports that, and reads streams.
///
/// ```
/// use urlint::{Settings, check_as, document::Kind};
///
/// let page = "[old](http://a.example:/) and [new](http://b.example/)";
/// let diagnostics = check_as(Kind::Markdown, page.as_bytes(), &Settings::default());
/// assert_eq!(diagnostics.len(), 1);
/// assert_eq!(diagnostics[0].message, "there is a colon without a port");
/// ```
pub fn check_as(kind: Kind, source: &[u8], settings: &Settings) -> Vec<Diagnostic> {
    let reader = Reader::default()
        .with_finder(settings.finder.clone())
        .with_kind(kind);
    let mut all = Vec::new();
    let checker = Checker::new(settings);
    let checked = checker.check(&reader, b"", source, &mut |checked| {
        if let Checked::Diagnostic(diagnostic, _) = checked {
            all.push(diagnostic);
        }
        Ok::<(), std::io::Error>(())
    });
    if checked.is_err() {
        // Plain text takes no memory of its own.
        return if kind == Kind::Plain {
            all
        } else {
            check(source, settings)
        };
    }
    all.sort_by_key(|diagnostic| diagnostic.spans.start());
    all
}

/// Takes `url` apart as [`Standard::parse`] does, within the limits of [`check`]: judges no more than
/// its first [`Candidate::MAX_LEN`] bytes, and keeps the first [`Diagnostic::MAX_PLACES`] problems of
/// each kind.
///
/// ```
/// use urlint::standard::Standard;
///
/// let url = format!("http://a.example/{}", "~".repeat(2000));
/// let parsed = urlint::lint::parse(url.as_bytes(), Standard::Rfc1738);
/// assert_eq!(parsed.problems.len(), 1000);
/// ```
pub fn parse(url: &[u8], standard: Standard) -> Parsed<'_> {
    let mut parsed = standard.parse(url.get(..Candidate::MAX_LEN).unwrap_or(url));
    let mut places: BTreeMap<_, usize> = BTreeMap::new();
    parsed.problems.retain(|problem| {
        let places = places.entry(problem.kind).or_default();
        *places += 1;
        *places <= Diagnostic::MAX_PLACES
    });
    parsed
}

/// Returns the diagnostics about `candidate` that are [reported](Fate::Reported), in the order of their places.
/// Rules that are not selected cost nothing. A [`Checker`] knows its document too.
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
    let diagnostics = lint_in(Surroundings::default(), candidate, settings);
    let reported = diagnostics
        .into_iter()
        .filter(|(_, fate)| *fate == Fate::Reported);
    reported.map(|(diagnostic, _)| diagnostic).collect()
}

/// Returns the diagnostics about `candidate` in its document, with their fates as far as these depend on the
/// URL alone.
pub(crate) fn lint_in(
    around: Surroundings<'_>,
    candidate: &Candidate<'_>,
    settings: &Settings,
) -> Vec<(Diagnostic, Fate)> {
    if around.role == Role::Elsewhere {
        return Vec::new();
    }
    let url = Url::new(candidate, settings.standard).before(around.after);
    let role = role::of_url(around, &url);
    let mut around = Surroundings { role, ..around };
    around.place = role::place(around, &url);
    let mut findings = Report::new(&settings.selection, around);
    if candidate.flags.has(Flag::Placeholder) || is_notation(&url, around.kind) {
        // A placeholder is not a URL yet, so it is not checked.
        context::flag(&url, Flag::Placeholder, &mut findings);
    } else if candidate.delimiter == Delimiter::Target && url.text.starts_with(b"//") {
        // The target of a link, with the scheme of its page.
        link::text(&url, &mut findings);
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
    finish(findings, &url)
}

#[cfg(test)]
mod tests;
