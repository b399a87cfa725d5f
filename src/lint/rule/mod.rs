//! Rules: everything that urlint can report, and the names by which it is selected.

mod record;
mod standards;
mod table;

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

pub use record::Place;
use table::DETECTORS;
pub use table::Rule;
pub(super) use table::rule_table;
use urlint_find::Flag;
use urlint_standard::standard::{ProblemKind, Standard};
use urlint_standard::text::named::{named, nearest};

/// How serious a diagnostic is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth a look; does not make `urlint check` fail.
    #[default]
    Hint,
    /// Probably an error.
    Warning,
    /// Certainly an error.
    Error,
}

named! { Severity {
    Error = "error",
    Warning = "warning",
    Hint = "hint",
}}

named! {
    /// The groups of rules, by which rules can be selected.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Group {
        /// Characters that must be encoded, and escapes.
        Encoding = "encoding",
        /// The structure that the grammar requires.
        Syntax = "syntax",
        /// How the URL is set in its text.
        Context = "context",
        /// Means of deception and attack.
        Security = "security",
        /// Valid URLs that are better written differently.
        Style = "style",
    }
}

impl Rule {
    /// Looks a rule up by its name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Rule> {
        Rule::ALL.iter().copied().find(|rule| rule.name() == name)
    }

    /// Returns the name of a rule or group that `name` may be a misspelling of, or of the rule that reports problems
    /// of this kind, or what a former rule of this name did.
    ///
    /// ```
    /// use urlint::Rule;
    ///
    /// assert_eq!(Rule::suggest("unsafe-charcter"), Some("unsafe-character"));
    /// assert_eq!(Rule::suggest("securty"), Some("security"));
    /// assert_eq!(Rule::suggest("ipv4-range"), Some("bad-ip-address"));
    /// assert_eq!(Rule::suggest("host-example"), Some("host-not-public"));
    /// assert_eq!(Rule::suggest("whatever-else"), None);
    /// ```
    #[must_use]
    pub fn suggest(name: &str) -> Option<&'static str> {
        let rules = Rule::ALL.iter().map(|rule| rule.name());
        let groups = Group::ALL.iter().map(|group| group.name());
        let shared = BY_NAME.get(name).map(|rule| rule.name());
        shared.or_else(|| nearest(name, rules.chain(groups)))
    }

    /// Returns the first line of the documentation, without its full stop.
    pub fn summary(self) -> &'static str {
        let documentation = self.documentation().trim_start();
        let first = documentation.split("\n\n").next().unwrap_or(documentation);
        first.trim().trim_end_matches('.')
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The detector of the problems that a rule reports.
#[derive(Clone, Copy)]
pub(super) enum Detector {
    /// The judge of a standard alone.
    Judge,
    /// A [check](super::checks), under these standards.
    Check(&'static [Standard]),
    /// The finder, which sets a flag, the suppression comments, or the user's own rules.
    Text,
}

impl Rule {
    pub(super) fn detector(self) -> Detector {
        DETECTORS[self as usize]
    }

    /// Returns whether the rule has a check under `standard`.
    pub(super) fn has_check(self, standard: Standard) -> bool {
        match self.detector() {
            Detector::Check(under) => under.contains(&standard),
            _ => false,
        }
    }
}

/// The rules by their names, and by those that they share, which take precedence.
static BY_NAME: LazyLock<HashMap<&str, Rule>> = LazyLock::new(|| {
    let rules = || Rule::ALL.iter().copied();
    let own = rules().map(|rule| (rule.name(), rule));
    let shared = rules().flat_map(|rule| {
        rule.shared()
            .split_whitespace()
            .map(move |name| (name, rule))
    });
    own.chain(shared).collect()
});

/// For each kind of problem, the rule that reports it.
static BY_KIND: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let kinds = ProblemKind::ALL.iter();
    kinds
        .filter_map(|kind| BY_NAME.get(kind.name()).copied())
        .collect()
});

/// For each flag, the rule that reports it.
static BY_FLAG: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let flags = Flag::ALL.iter();
    flags
        .filter_map(|flag| BY_NAME.get(flag.name()).copied())
        .collect()
});

impl From<ProblemKind> for Rule {
    /// Returns the rule that reports problems of this kind.
    fn from(kind: ProblemKind) -> Rule {
        BY_KIND[kind as usize]
    }
}

impl From<Flag> for Rule {
    /// Returns the rule that reports this flag of a candidate.
    fn from(flag: Flag) -> Rule {
        BY_FLAG[flag as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_in_kebab_case() {
        let mut seen = HashSet::new();
        let groups = Group::ALL.iter().map(|group| group.name());
        for name in Rule::ALL.iter().map(|rule| rule.name()).chain(groups) {
            assert!(seen.insert(name), "{name} twice");
            let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(name.chars().all(kebab), "{name}");
        }
        for &rule in Rule::ALL {
            assert_eq!(Rule::from_name(rule.name()), Some(rule));
        }
    }

    #[test]
    fn documentation_has_a_summary_a_reason_and_an_example() {
        for &rule in Rule::ALL {
            let text = rule.documentation();
            let first = text.trim_start().lines().next().unwrap_or_default();
            assert!(first.ends_with('.'), "{rule}: {first}");
            assert_eq!(first.trim_end_matches('.'), rule.summary());
            assert!(text.contains("\n ## Example\n\n ```text\n"), "{rule}");
            assert!(text.trim_end().ends_with('.'), "{rule}");
        }
    }

    #[test]
    fn each_kind_and_each_flag_has_a_rule() {
        assert_eq!(BY_KIND.len(), ProblemKind::ALL.len());
        assert_eq!(BY_FLAG.len(), Flag::ALL.len());
        for rule in Rule::ALL {
            for name in rule.shared().split_whitespace() {
                assert_eq!(Rule::from_name(name), None);
                assert_eq!(Rule::suggest(name), Some(rule.name()), "{name}");
            }
        }
    }

    #[test]
    fn suggestions() {
        let cases = [
            ("bad_escape", Some("bad-escape")),
            ("BAD-HOST", Some("bad-host")),
            ("bda-port", Some("bad-port")),
            ("styel", Some("style")),
            ("", None),
            ("E501", None),
        ];
        for (name, expected) in cases {
            assert_eq!(Rule::suggest(name), expected, "{name}");
        }
    }
}
