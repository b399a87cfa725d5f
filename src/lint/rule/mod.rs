//! Rules: everything that urlint can report, and the names by which it is selected.

mod table;

use std::fmt;

use crate::find::candidate::Flag;
use crate::standard::rfc1738::ProblemKind;
use crate::text::names::named;
pub use table::Rule;

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth a look; does not make `urlint check` fail.
    Hint,
    /// Likely a fault.
    Warning,
    /// Certainly a fault.
    Error,
}

named!(Severity, "severity", {
    Error => "error",
    Warning => "warning",
    Hint => "hint",
});

/// What a rule is about; rules can be selected by group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Characters that must be encoded, and escapes.
    Encoding,
    /// The structure that the grammar asks for.
    Syntax,
    /// How the URL stands in its text.
    Context,
    /// What can be used to deceive or to attack.
    Security,
    /// Valid, but better written otherwise.
    Style,
}

named!(Group, "group", {
    Encoding => "encoding",
    Syntax => "syntax",
    Context => "context",
    Security => "security",
    Style => "style",
});

/// Names that are not rules of their own: what they report is part of another rule.
const ALIASES: [(&str, &[Rule]); 8] = [
    ("raw-unsafe", &[Rule::UnsafeCharacter, Rule::RawSpace]),
    ("raw-hash", &[Rule::UnsafeCharacter]),
    ("raw-backslash", &[Rule::UnsafeCharacter]),
    ("raw-non-ascii", &[Rule::NonAscii]),
    ("reserved-misplaced", &[Rule::ReservedCharacter]),
    ("file-slashes", &[Rule::MissingSlashes]),
    ("trailing-dot", &[Rule::BadHost]),
    ("unterminated", &[Rule::UnterminatedWrapper]),
];

impl Rule {
    /// Looks a rule up by its name.
    pub fn from_name(name: &str) -> Option<Rule> {
        Rule::ALL.iter().copied().find(|rule| rule.name() == name)
    }

    /// The rules that a further name stands for: the kinds of problem that the name is a special
    /// case of, or a rule that is also known by a shorter name.
    ///
    /// ```
    /// use urlint::Rule;
    ///
    /// assert_eq!(Rule::aliases("raw-backslash"), Some(&[Rule::UnsafeCharacter][..]));
    /// assert_eq!(Rule::aliases("unsafe-character"), None);
    /// ```
    pub fn aliases(name: &str) -> Option<&'static [Rule]> {
        let (_, rules) = ALIASES.iter().find(|(alias, _)| *alias == name)?;
        Some(rules)
    }

    /// The name of a rule or group that `name` may be a misspelling of.
    ///
    /// ```
    /// use urlint::Rule;
    ///
    /// assert_eq!(Rule::suggest("unsafe-charcter"), Some("unsafe-character"));
    /// assert_eq!(Rule::suggest("securty"), Some("security"));
    /// assert_eq!(Rule::suggest("whatever-else"), None);
    /// ```
    pub fn suggest(name: &str) -> Option<&'static str> {
        let name = name.to_ascii_lowercase().replace('_', "-");
        let rules = Rule::ALL.iter().map(|rule| rule.name());
        let groups = Group::ALL.iter().map(|group| group.name());
        let aliases = ALIASES.iter().map(|(alias, _)| *alias);
        rules
            .chain(groups)
            .chain(aliases)
            .map(|known| (strsim::osa_distance(&name, known), known))
            .filter(|&(distance, known)| distance <= known.len() / 3)
            .min_by_key(|&(distance, _)| distance)
            .map(|(_, known)| known)
    }

    /// The first line of the documentation, without its full stop.
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

impl From<ProblemKind> for Rule {
    fn from(kind: ProblemKind) -> Rule {
        match kind {
            ProblemKind::ControlCharacter => Rule::ControlCharacter,
            ProblemKind::RawSpace => Rule::RawSpace,
            ProblemKind::NonAscii => Rule::NonAscii,
            ProblemKind::UnsafeCharacter => Rule::UnsafeCharacter,
            ProblemKind::BadEscape => Rule::BadEscape,
            ProblemKind::ReservedCharacter => Rule::ReservedCharacter,
            ProblemKind::MisplacedCharacter => Rule::MisplacedCharacter,
            ProblemKind::NoScheme => Rule::NoScheme,
            ProblemKind::BadScheme => Rule::BadScheme,
            ProblemKind::MissingSlashes => Rule::MissingSlashes,
            ProblemKind::UserinfoNotAllowed => Rule::UserinfoNotAllowed,
            ProblemKind::EmptyHost => Rule::EmptyHost,
            ProblemKind::BadHost => Rule::BadHost,
            ProblemKind::IpLiteral => Rule::IpLiteral,
            ProblemKind::EmptyPort => Rule::EmptyPort,
            ProblemKind::BadPort => Rule::BadPort,
            ProblemKind::PortNotAllowed => Rule::PortNotAllowed,
            ProblemKind::MissingSlash => Rule::MissingSlash,
            ProblemKind::MissingPath => Rule::MissingPath,
            ProblemKind::MissingComponent => Rule::MissingComponent,
            ProblemKind::PathNotAllowed => Rule::PathNotAllowed,
            ProblemKind::BadTypecode => Rule::BadTypecode,
            ProblemKind::BadGroup => Rule::BadGroup,
            ProblemKind::BadArticle => Rule::BadArticle,
            ProblemKind::AuthorityNotAllowed => Rule::AuthorityNotAllowed,
            ProblemKind::BadField => Rule::BadField,
        }
    }
}

impl From<Flag> for Rule {
    fn from(flag: Flag) -> Rule {
        match flag {
            Flag::Unterminated => Rule::UnterminatedWrapper,
            Flag::Empty => Rule::Empty,
            Flag::InteriorSpace => Rule::InteriorSpace,
            Flag::AmbiguousHyphen => Rule::AmbiguousHyphen,
            Flag::HyphenResolved => Rule::HyphenResolved,
            Flag::PossibleQpSoftBreak => Rule::PossibleQpSoftBreak,
            Flag::BrokenUrl => Rule::BrokenUrl,
            Flag::PrefixCase => Rule::PrefixCase,
            Flag::QuotePrefix => Rule::QuotePrefix,
            Flag::QuoteDepthChange => Rule::QuoteDepthChange,
            Flag::PageBreak => Rule::PageBreak,
            Flag::TooLong => Rule::TooLong,
        }
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
        let aliases = ALIASES.iter().map(|(alias, _)| *alias);
        for name in Rule::ALL
            .iter()
            .map(|rule| rule.name())
            .chain(groups)
            .chain(aliases)
        {
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
    fn suggestions() {
        let cases = [
            ("bad_escape", Some("bad-escape")),
            ("BAD-HOST", Some("bad-host")),
            ("bda-port", Some("bad-port")),
            ("raw-hsah", Some("raw-hash")),
            ("styel", Some("style")),
            ("", None),
            ("E501", None),
        ];
        for (name, expected) in cases {
            assert_eq!(Rule::suggest(name), expected, "{name}");
        }
    }
}
