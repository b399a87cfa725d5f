//! Which rules report, and from which severity up.

use std::sync::OnceLock;

use super::rule::{Group, Rule, Severity};
use urlint_standard::standard::Standard;

/// Selects one or several rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Selector {
    /// Every rule.
    All,
    /// The rules of a group.
    Group(Group),
    /// One rule.
    Rule(Rule),
}

impl Selector {
    /// Returns what a name selects: `ALL`, a group, or a rule.
    #[doc(hidden)]
    pub fn named(name: &str) -> Option<Selector> {
        if name == "ALL" {
            return Some(Selector::All);
        }
        let group = Group::from_name(name).map(Selector::Group);
        group.or_else(|| Rule::from_name(name).map(Selector::Rule))
    }

    /// Returns the selected rules, in the order of the table.
    pub fn rules(self) -> impl Iterator<Item = Rule> + use<> {
        let all = Rule::ALL.iter().copied();
        all.filter(move |&rule| match self {
            Selector::All => true,
            Selector::Group(group) => rule.group() == group,
            Selector::Rule(one) => rule == one,
        })
    }
}

/// The rules that report, each from a lowest severity up.
///
/// By default, the rules of `encoding` and `syntax` report everything, those of `context` and
/// `security` report errors and warnings, and those of `style` report nothing. A rule that is added
/// reports everything.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Selection {
    /// For each rule, in the order of the table, the lowest severity that is reported.
    least: Vec<Option<Severity>>,
    /// For each rule, the severity of all its diagnostics, if it has been set.
    severity: Vec<Option<Severity>>,
    /// The rules that were [added](Self::add).
    named: RuleSet,
    /// For each standard, the rules whose [checks](super::checks) report something.
    checks: [RuleSet; Standard::ALL.len()],
}

/// A [bit] for each rule.
pub(super) type RuleSet = u128;

const _: () = assert!(Rule::ALL.len() <= RuleSet::BITS as usize);

pub(super) const fn bit(rule: Rule) -> RuleSet {
    1 << rule as u32
}

impl Default for Selection {
    fn default() -> Self {
        Selection::of(Standard::default())
    }
}

impl Selection {
    /// Selects the rules for which `least` returns the lowest severity that is reported.
    pub(super) fn from_least(least: impl Fn(Rule) -> Option<Severity>) -> Self {
        let mut selection = Selection {
            least: Rule::ALL.iter().map(|&rule| least(rule)).collect(),
            ..Selection::none()
        };
        Rule::ALL
            .iter()
            .for_each(|rule| selection.choose_check(*rule));
        selection
    }

    /// Computes under which standards the check of `rule` reports something, since that is needed for each URL.
    fn choose_check(&mut self, rule: Rule) {
        for &standard in Standard::ALL {
            let reports = self.reports(rule, rule.severity());
            let checks = &mut self.checks[standard as usize];
            *checks &= !bit(rule);
            if reports && rule.has_check(standard) {
                *checks |= bit(rule);
            }
        }
    }

    /// Returns the rules whose checks under `standard` report something.
    #[inline]
    pub(super) fn checks(&self, standard: Standard) -> RuleSet {
        self.checks[standard as usize]
    }

    /// The default selection under `standard`: everything that its judge reports, and errors and
    /// warnings of other rules, but nothing of `style`. [`Selection::default`] is the one of RFC 1738.
    ///
    /// ```
    /// use urlint::lint::Selection;
    /// use urlint::standard::Standard;
    /// use urlint::{Rule, Severity};
    ///
    /// let selection = Selection::of(Standard::Rfc3986);
    /// assert_eq!(selection.least(Rule::MailAddress), Some(Severity::Hint));
    /// assert_eq!(Selection::default().least(Rule::MailAddress), Some(Severity::Warning));
    /// ```
    pub fn of(standard: Standard) -> Selection {
        // They are asked for with each URL that is judged by itself.
        static SELECTIONS: [OnceLock<Selection>; Standard::ALL.len()] =
            [const { OnceLock::new() }; Standard::ALL.len()];
        (SELECTIONS[standard as usize].get_or_init(|| of(standard))).clone()
    }

    /// A selection of no rule.
    pub fn none() -> Self {
        Selection {
            least: vec![None; Rule::ALL.len()],
            severity: vec![None; Rule::ALL.len()],
            named: 0,
            checks: [0; Standard::ALL.len()],
        }
    }

    /// Adds the rules of `selector`, which then report everything, and whose hints are [fixed](Self::name) too.
    pub fn add(&mut self, selector: Selector) {
        for rule in selector.rules() {
            self.least[rule as usize] = Some(Severity::Hint);
            self.choose_check(rule);
        }
        self.name(selector);
    }

    /// Lets the hints of the rules of `selector` be fixed. Those of other rules are only worth a look, so
    /// [`mend`](crate::fix::mend) does not change URLs because of them.
    pub fn name(&mut self, selector: Selector) {
        self.named |= selector.rules().fold(0, |set, rule| set | bit(rule));
    }

    /// Returns whether a fix of `rule` is made if its diagnostic is of this `severity`.
    pub fn fixes(&self, rule: Rule, severity: Severity) -> bool {
        severity > Severity::Hint || self.is_named(rule) || rule == Rule::RestrictedUrl
    }

    /// Returns whether `rule` was [added](Self::add), and is not only part of the default.
    pub fn is_named(&self, rule: Rule) -> bool {
        self.named & bit(rule) != 0
    }

    /// Removes the rules of `selector`.
    pub fn remove(&mut self, selector: Selector) {
        for rule in selector.rules() {
            self.least[rule as usize] = None;
            self.named &= !bit(rule);
            self.choose_check(rule);
        }
    }

    /// Sets the severity of everything that the rules of `selector` report. This does not add the
    /// rules.
    ///
    /// ```
    /// use urlint::{Rule, Settings, Severity};
    /// use urlint::lint::Selector;
    ///
    /// let mut settings = Settings::default();
    /// settings.selection.set_severity(Selector::All, Severity::Hint);
    /// settings.selection.set_severity(Selector::Rule(Rule::Password), Severity::Error);
    /// let diagnostics = urlint::check(b"<URL:http://a.example/~joe>", &settings);
    /// assert_eq!(diagnostics[0].severity, Severity::Hint);
    /// ```
    pub fn set_severity(&mut self, selector: Selector, severity: Severity) {
        for rule in selector.rules() {
            self.severity[rule as usize] = Some(severity);
            self.choose_check(rule);
        }
    }

    /// Returns the severity of a diagnostic of `rule` whose own severity is `own`.
    pub fn severity(&self, rule: Rule, own: Severity) -> Severity {
        self.severity[rule as usize].unwrap_or(own)
    }

    /// Returns the lowest severity of `rule` that is reported; `None` if nothing is.
    pub fn least(&self, rule: Rule) -> Option<Severity> {
        self.least[rule as usize]
    }

    /// Returns whether a diagnostic of `rule` whose own severity is `own` is reported.
    pub fn reports(&self, rule: Rule, own: Severity) -> bool {
        self.least(rule)
            .is_some_and(|least| self.severity(rule, own) >= least)
    }
}

/// Returns the default selection under `standard`.
fn of(standard: Standard) -> Selection {
    Selection::from_least(|rule| {
        if rule.is_problem(standard) {
            return Some(Severity::Hint);
        }
        match rule.group() {
            Group::Style => None,
            _ if rule == Rule::RestrictedUrl => Some(Severity::Hint),
            _ => Some(Severity::Warning),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suppress::Suppressions;

    #[test]
    fn severities_that_were_set_decide_what_is_reported() {
        let rule = Rule::BrokenUrl;
        let cases = [
            (None, false, Severity::Hint),
            (Some(Severity::Warning), true, Severity::Warning),
            (Some(Severity::Hint), false, Severity::Hint),
        ];
        for (severity, reports, effective) in cases {
            let mut selection = Selection::default();
            if let Some(severity) = severity {
                selection.set_severity(Selector::Rule(rule), severity);
            }
            assert_eq!(selection.reports(rule, rule.severity()), reports);
            assert_eq!(selection.severity(rule, rule.severity()), effective);
        }
        let mut marks = Selection::default();
        marks.set_severity(Selector::Rule(Rule::UnusedSuppression), Severity::Error);
        let source = b"urlint: ignore[bad-port]";
        let suppressions = Suppressions::of(source);
        let mut unused = suppressions.unused(source, &marks);
        let severity = unused.next().map(|diagnostic| diagnostic.severity);
        assert_eq!(severity, Some(Severity::Error));
        let mut none = Selection::none();
        none.set_severity(Selector::All, Severity::Error);
        assert!(!none.reports(rule, Severity::Error));
    }
}
