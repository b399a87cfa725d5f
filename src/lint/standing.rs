//! How much the place of a URL lets a fault in it matter.

use super::rule::{Rule, Severity};
use super::url::Url;
use urlint_core::find::StreamOptions;
use urlint_core::text::Span;
use urlint_core::text::Window;
use urlint_core::url::host::is_example;
use urlint_documents::document::{BrokenLink, Standing};

/// What is around a candidate in its document.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Surroundings<'d> {
    pub(crate) standing: Standing,
    /// The text of the link with this target.
    pub(crate) anchor: Option<&'d [u8]>,
    /// Why it is no target, if it was meant to be one.
    pub(crate) broken: Option<BrokenLink>,
    /// The source before and after it.
    pub(crate) before: &'d [u8],
    pub(crate) after: &'d [u8],
}

impl<'d> Surroundings<'d> {
    /// The source before and after `outer`: not more than is kept of a stream.
    pub(crate) fn of(outer: Span, window: Window<'d>) -> Self {
        let most = StreamOptions::CONTEXT as u64;
        let before = Span::new(outer.start.saturating_sub(most), outer.start);
        let after = Span::new(outer.end, outer.end + most);
        Surroundings {
            before: window.slice(before),
            after: window.slice(after),
            ..Surroundings::default()
        }
    }
}

/// Returns the standing of `url`, which has this `standing` in its document: one that is only shown and
/// on a host for examples is as good as test data.
pub(super) fn of_url(standing: Standing, url: &Url<'_>) -> Standing {
    match standing {
        Standing::Code if is_example(url.host()) => Standing::Shown,
        Standing::Shown if is_example(url.host()) => Standing::Tested,
        standing => standing,
    }
}

/// Returns the greatest severity of `rule` in this standing. A login that is shown is an example.
pub(super) fn most_severe(standing: Standing, rule: Rule) -> Severity {
    let is_of_login = matches!(
        rule,
        Rule::Password | Rule::UserinfoNotAllowed | Rule::UserinfoConfusion | Rule::EmptyUser
    );
    match standing {
        Standing::Used | Standing::Code => Severity::Error,
        Standing::Shown if !is_of_login => Severity::Error,
        _ => Severity::Hint,
    }
}
