//! How much the place of a URL lets a fault in it matter.

use super::rule::{Rule, Severity};
use super::url::Url;
use crate::document::Standing;
use crate::find::StreamOptions;
use crate::text::span::Span;
use crate::text::window::Window;
use crate::url::host::is_example;

/// What is around a candidate in its document.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Surroundings<'d> {
    pub(crate) standing: Standing,
    /// The text of the link with this target.
    pub(crate) anchor: Option<&'d [u8]>,
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

impl Standing {
    /// Returns the standing of `url`: one that is only shown and on a host for examples is as good
    /// as test data.
    pub(super) fn of(self, url: &Url<'_>) -> Standing {
        match self {
            Standing::Code if is_example(url.host()) => Standing::Shown,
            Standing::Shown if is_example(url.host()) => Standing::Tested,
            standing => standing,
        }
    }

    /// Returns the greatest severity of `rule` here. A login that is shown is an example.
    pub(super) fn most(self, rule: Rule) -> Severity {
        let is_of_login = matches!(
            rule,
            Rule::Password | Rule::UserinfoNotAllowed | Rule::UserinfoConfusion | Rule::EmptyUser
        );
        match self {
            Standing::Used | Standing::Code => Severity::Error,
            Standing::Shown if !is_of_login => Severity::Error,
            _ => Severity::Hint,
        }
    }
}
