//! Rules under each standard: whether they report something, and the section that covers it.
//!
//! For the problems that a standard's judge reports, the standard itself returns the section. The
//! rule's row has the sections for all other rules: those that are not about a problem of a standard,
//! but are checked under it.

use super::{Detector, Group, Rule};
use urlint_standard::standard::{ProblemKind, Standard};

impl Rule {
    /// Returns the section that covers the rule under `standard`, such as `RFC 1738, section 2.2`. It is
    /// empty for the few rules that no document covers, and `None` if the rule reports nothing under
    /// that standard.
    ///
    /// ```
    /// use urlint::Rule;
    /// use urlint::standard::Standard;
    ///
    /// let rule = Rule::ReservedCharacter;
    /// assert_eq!(rule.reference(Standard::Rfc3986), Some("RFC 3986, section 2.2"));
    /// assert_eq!(Rule::QuestionInPath.reference(Standard::Whatwg), None);
    /// ```
    pub fn reference(self, standard: Standard) -> Option<&'static str> {
        let of_kind = self.kinds().find_map(|kind| standard.reference(kind));
        of_kind.or_else(|| self.is_checked(standard).then(|| self.section(standard)))
    }

    /// Returns the section in the rule's row, for rules that no judge reports.
    fn section(self, standard: Standard) -> &'static str {
        let [own, uri, web] = self.sections();
        let uri = match uri {
            // RFC 3986 has an appendix of its own about how a URL is set in its text.
            "" if self.group() == Group::Context && !own.is_empty() => "RFC 3986, Appendix C",
            "" => own,
            uri => uri,
        };
        match standard {
            Standard::Rfc1738 => own,
            Standard::Whatwg if !web.is_empty() => web,
            // Everything else is covered by a later RFC, or by none.
            _ => uri,
        }
    }

    /// The kinds of problems that the rule reports under some standard.
    fn kinds(self) -> impl Iterator<Item = ProblemKind> {
        let kinds = ProblemKind::ALL.iter().copied();
        kinds.filter(move |&kind| Rule::from(kind) == self)
    }

    /// Returns whether the judge of `standard` reports problems of the rule.
    ///
    /// ```
    /// use urlint::{Rule, Standard};
    ///
    /// assert!(Rule::UnsafeCharacter.is_problem(Standard::Rfc1738));
    /// assert!(!Rule::Password.is_problem(Standard::Rfc1738));
    /// ```
    #[must_use]
    pub fn is_problem(self, standard: Standard) -> bool {
        self.kinds().any(|kind| standard.reference(kind).is_some())
    }

    /// Returns whether something other than the judge makes the rule report under `standard`.
    fn is_checked(self, standard: Standard) -> bool {
        match self.detector() {
            Detector::Check(_) => self.has_check(standard),
            Detector::Text => true,
            Detector::Judge => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_standards_do_not_refer_to_rfc_1738() {
        let later = Standard::ALL
            .iter()
            .filter(|&&standard| standard != Standard::Rfc1738);
        for &standard in later {
            for &rule in Rule::ALL {
                let reference = rule.reference(standard).unwrap_or_default();
                let is_old = reference.contains("1738");
                assert!(!is_old, "{rule} under {standard}: {reference}");
            }
        }
    }
}
