//! From a candidate to diagnostics.
//!
//! Problems of the grammar and flags of the candidate become findings in [`problems`] and
//! [`context`]. Everything else that can be reported is a row in [`CHECKS`] and a function in one
//! of the files named after what they look at.

mod authority;
mod context;
pub(crate) mod diagnostic;
mod differential;
mod escapes;
mod finding;
mod host;
pub(crate) mod ignore_urls;
mod path;
mod port;
mod problems;
mod remedy;
pub(crate) mod rule;
mod scheme;
mod schemes;
pub(crate) mod settings;
pub(crate) mod suppress;
mod unicode;
mod url;
mod userinfo;

use crate::find::candidate::{Candidate, Delimiter, Flag};
use crate::lint::diagnostic::Diagnostic;
use crate::lint::rule::Rule;
use crate::lint::settings::Settings;
use crate::lint::suppress::Suppressions;
pub(crate) use escapes::{is_needless, is_of_dots};
use finding::Report;
use url::Url;
pub(crate) use url::escape_at;

/// All that the rules have to say about the URLs of `source`, plain text, in the order of their
/// places, but for what marks in it [suppress](Suppressions).
///
/// ```
/// use urlint::{Rule, Settings, Span};
///
/// let source = b"my page: <URL:http://a.example/~joe>";
/// let diagnostics = urlint::check(source, &Settings::default());
/// assert_eq!(diagnostics.len(), 1);
/// assert_eq!(diagnostics[0].rule, Rule::UnsafeCharacter);
/// assert_eq!(diagnostics[0].spans, Span::new(31, 32).into());
/// assert_eq!(diagnostics[0].message, "`~` must be encoded in a URL");
/// ```
pub fn check(source: &[u8], settings: &Settings) -> Vec<Diagnostic> {
    let mut marks = Suppressions::of(source);
    let mut diagnostics = Vec::new();
    for candidate in settings.finder.find(source) {
        let after = source.get(candidate.pieces.end() as usize..);
        lint_before(&candidate, after, settings, &mut |diagnostic| {
            if !marks.suppress(&diagnostic) {
                diagnostics.push(diagnostic);
            }
        });
    }
    let unused = marks.unused(&settings.selection);
    if !unused.is_empty() {
        diagnostics.extend(unused);
        diagnostics.sort_by_key(|diagnostic| diagnostic.spans.start());
    }
    diagnostics
}

/// All that the rules have to say about `candidate`, in the order of their places. Rules that are
/// not selected are not looked at.
///
/// ```
/// use urlint::{Rule, Settings};
///
/// let candidate = urlint::find(b"<URL:http://a.example:/>").next().unwrap();
/// urlint::lint(&candidate, &Settings::default(), &mut |diagnostic| {
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
    let url = Url::new(candidate, after);
    let mut findings = Report::new(&settings.selection);
    context::flags(&url, &mut findings);
    // A candidate with nothing in it has been reported as such.
    if !url.text.is_empty() {
        problems::grammar(&url, &mut findings);
    }
    problems::fragment(&url, &mut findings);
    // Who names a scheme as their own has not mistyped it.
    let own = settings.finder.schemes.contains(url.scheme().as_bytes());
    for &(rule, check) in CHECKS {
        if own && rule == Rule::SchemeLookalike {
            continue;
        }
        if settings.selection.reports(rule, rule.severity()) {
            check(&url, &mut findings);
        }
    }
    // Few URLs have anything reported about them, so that is asked last.
    if findings.is_empty() || settings.ignored.contains(url.text) {
        return;
    }
    for diagnostic in findings.diagnostics(&url) {
        report(diagnostic);
    }
}

/// Looks for one thing in a URL.
type Check = fn(&Url<'_>, &mut Report<'_>);

/// The rules that are neither a kind of problem nor a flag, and what looks for them.
const CHECKS: &[(Rule, Check)] = &[
    (Rule::FragmentPresent, context::fragment_present),
    (Rule::SchemeLookalike, scheme::lookalike),
    (Rule::PortReserved, port::reserved),
    (Rule::PortRange, port::range),
    (Rule::EncodedCrlf, escapes::crlf),
    (Rule::ProtocolSmuggling, escapes::smuggling),
    (Rule::EncodedNul, escapes::nul),
    (Rule::EncodedControl, escapes::control),
    (Rule::Password, userinfo::password),
    (Rule::EmptyUser, userinfo::empty_user),
    (Rule::UserinfoConfusion, userinfo::confusion),
    (Rule::ParseDifferential, differential::hosts),
    (Rule::DoubleEncoding, escapes::double),
    (Rule::DotSegments, path::dot_segments),
    (Rule::Ipv4Range, host::ipv4_range),
    (Rule::Ipv4LeadingZero, host::ipv4_leading_zero),
    (Rule::Ipv4Special, host::ipv4_special),
    (Rule::HostLength, host::length),
    (Rule::PunycodeMixed, unicode::punycode_mixed),
    (Rule::Homograph, unicode::homograph),
    (Rule::BidiInvisible, unicode::bidi_invisible),
    (Rule::GopherSelectorOctet, schemes::gopher_selector_octet),
    (Rule::FileRemoteHost, schemes::file_remote_host),
    (Rule::QuestionInPath, path::question),
    (Rule::GenericAuthority, authority::generic),
    (
        Rule::MailtoAccidentalEscape,
        schemes::mailto_accidental_escape,
    ),
    (Rule::SchemeCleartext, scheme::cleartext),
    (Rule::SchemeUppercase, scheme::uppercase),
    (Rule::SchemeNonletter, scheme::nonletter),
    (Rule::SchemeExperimental, scheme::experimental),
    (Rule::SchemeDeprecated, scheme::deprecated),
    (Rule::PortDefault, port::default),
    (Rule::PortNondefault, port::nondefault),
    (Rule::PortZeros, port::zeros),
    (Rule::NeedlessEscape, escapes::needless),
    (Rule::HexLowercase, escapes::lowercase),
    (Rule::EncodedDelimiter, escapes::delimiter),
    (Rule::NotUtf8, escapes::not_utf8),
    (Rule::HostUnqualified, host::unqualified),
    (Rule::HostCase, host::case),
    (Rule::HostExample, host::example),
    (Rule::HttpEmptyPath, path::http_empty),
    (Rule::MailtoAddrSpec, schemes::mailto_addr_spec),
    (Rule::MailtoHeaders, schemes::mailto_headers),
    (Rule::GopherType, schemes::gopher_type),
    (Rule::NntpNoArticle, schemes::nntp_no_article),
    (Rule::WaisEmpty, schemes::wais_empty),
    (Rule::ProsperoEmpty, schemes::prospero_empty),
    (Rule::NewsSlashArticle, schemes::news_slash_article),
];

#[cfg(test)]
mod tests;
