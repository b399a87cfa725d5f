//! What to look for and what to report.

use super::diagnostic::Diagnostic;
use super::ignore_urls::IgnoredUrls;
use super::rule::{Group, Rule, Severity};
use crate::find::Finder;

/// What to look for and what to report.
///
/// ```
/// use urlint::{Rule, Selector, Settings};
///
/// let mut settings = Settings::default();
/// settings.selection.add(Selector::Rule(Rule::UnsafeCharacter));
/// assert_eq!(urlint::check(b"see http://a.example/~x", &settings).len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How URLs are found.
    pub finder: Finder,
    /// Which rules report.
    pub selection: Selection,
    /// The URLs that nothing is reported about.
    pub ignored: IgnoredUrls,
}

/// Names a rule or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// Every rule there is.
    All,
    /// The rules of a group.
    Group(Group),
    /// One rule.
    Rule(Rule),
}

impl Selector {
    /// The rules that it names, in the order of the table.
    pub fn rules(&self) -> impl Iterator<Item = Rule> + use<> {
        let selector = self.clone();
        Rule::ALL
            .iter()
            .copied()
            .filter(move |&rule| match selector {
                Selector::All => true,
                Selector::Group(group) => rule.group() == group,
                Selector::Rule(one) => rule == one,
            })
    }
}

/// Which rules report, and from which severity on.
///
/// By default the rules of `encoding` and `syntax` report everything, those of `context` and
/// `security` their errors and warnings, those of `style` nothing. A rule that is selected reports
/// everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// For each rule, in the table's order, the least severity that is reported.
    least: Vec<Option<Severity>>,
    /// For each rule, the severity of all its diagnostics, if that has been set.
    severity: Vec<Option<Severity>>,
}

impl Default for Selection {
    fn default() -> Self {
        let least = |rule: &Rule| match rule.group() {
            Group::Encoding | Group::Syntax => Some(Severity::Hint),
            Group::Context | Group::Security => Some(Severity::Warning),
            Group::Style => None,
        };
        Selection {
            least: Rule::ALL.iter().map(least).collect(),
            severity: vec![None; Rule::ALL.len()],
        }
    }
}

impl Selection {
    /// A selection of no rule.
    pub fn none() -> Self {
        Selection {
            least: vec![None; Rule::ALL.len()],
            severity: vec![None; Rule::ALL.len()],
        }
    }

    /// Adds the rules that `selector` names; they report everything.
    pub fn add(&mut self, selector: Selector) {
        for rule in selector.rules() {
            self.least[rule as usize] = Some(Severity::Hint);
        }
    }

    /// Takes the rules away that `selector` names.
    pub fn remove(&mut self, selector: Selector) {
        for rule in selector.rules() {
            self.least[rule as usize] = None;
        }
    }

    /// Sets the severity of all that the rules report that `selector` names, whatever they would
    /// say themselves. It does not add the rules.
    ///
    /// ```
    /// use urlint::{Rule, Selector, Settings, Severity};
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
        }
    }

    /// The severity of what `rule` reports and itself gives the severity `own`.
    pub fn severity(&self, rule: Rule, own: Severity) -> Severity {
        self.severity[rule as usize].unwrap_or(own)
    }

    /// The least severity that is reported of `rule`, if anything is.
    pub fn least(&self, rule: Rule) -> Option<Severity> {
        self.least[rule as usize]
    }

    /// Whether `rule` reports anything to which it itself gives the severity `own`.
    pub fn reports(&self, rule: Rule, own: Severity) -> bool {
        self.least(rule)
            .is_some_and(|least| self.severity(rule, own) >= least)
    }

    /// Whether `diagnostic` is to be reported.
    pub fn allows(&self, diagnostic: &Diagnostic) -> bool {
        self.least(diagnostic.rule)
            .is_some_and(|least| diagnostic.severity >= least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let unused = crate::Suppressions::of(b"urlint: ignore[bad-port]").unused(&marks);
        assert_eq!(unused[0].severity, Severity::Error);
        let mut none = Selection::none();
        none.set_severity(Selector::All, Severity::Error);
        assert!(!none.reports(rule, Severity::Error));
    }
}
