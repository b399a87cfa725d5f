//! What to look for and what to report.

use crate::diagnostic::Diagnostic;
use crate::find::Finder;
use crate::rule::{Group, Rule, Severity};

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

/// Which rules report, and from which severity on.
///
/// By default the rules of `encoding` and `syntax` report everything, those of `context` and
/// `security` their errors and warnings, those of `style` nothing. A rule that is selected reports
/// everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// For each rule, in the table's order, the least severity that is reported.
    least: Vec<Option<Severity>>,
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
        }
    }
}

impl Selection {
    /// A selection of no rule.
    pub fn none() -> Self {
        Selection {
            least: vec![None; Rule::ALL.len()],
        }
    }

    /// Adds the rules that `selector` names; they report everything.
    pub fn add(&mut self, selector: Selector) {
        self.set(selector, Some(Severity::Hint));
    }

    /// Takes the rules away that `selector` names.
    pub fn remove(&mut self, selector: Selector) {
        self.set(selector, None);
    }

    fn set(&mut self, selector: Selector, least: Option<Severity>) {
        for (&rule, slot) in Rule::ALL.iter().zip(&mut self.least) {
            let named = match selector {
                Selector::All => true,
                Selector::Group(group) => rule.group() == group,
                Selector::Rule(one) => rule == one,
            };
            if named {
                *slot = least;
            }
        }
    }

    /// Whether `rule` reports anything of this severity.
    pub fn reports(&self, rule: Rule, severity: Severity) -> bool {
        self.least[rule as usize].is_some_and(|least| severity >= least)
    }

    /// Whether `diagnostic` is to be reported.
    pub fn allows(&self, diagnostic: &Diagnostic) -> bool {
        self.reports(diagnostic.rule, diagnostic.severity)
    }
}
