//! The sections of each standard that cover what a rule reports.
//!
//! For the problems that a standard's judge reports, the standard itself returns the section. The
//! tables here cover everything else: what is not a problem of a standard, but is checked under it
//! according to the rule's row.

use super::{Detector, Group, Rule, Severity};
use crate::standard::{ProblemKind, Standard};

/// The section of RFC 3986, or of the RFC that replaced RFC 1738 for the rule's scheme.
fn by_rfc3986(rule: Rule) -> &'static str {
    match rule {
        Rule::BadTypecode => "RFC 1738, section 3.2.2",
        Rule::UserinfoNotAllowed => "RFC 9110, section 4.2.4",
        Rule::EmptyPort | Rule::PortZeros | Rule::PortDefault | Rule::EmptyUser => {
            "RFC 3986, section 6.2.3"
        }
        Rule::FragmentPresent => "RFC 3986, section 3.5",
        Rule::SchemeUppercase => "RFC 3986, section 3.1",
        Rule::SchemeExperimental => "RFC 7595, section 3.8",
        Rule::SchemeDeprecated => "RFC 4156; RFC 4157",
        Rule::SchemeLookalike | Rule::UserinfoConfusion | Rule::ParseDifferential => {
            "RFC 3986, section 7.6"
        }
        Rule::SchemeCleartext => "RFC 9110, section 4.2.2",
        Rule::PortReserved | Rule::PortNondefault | Rule::EncodedCrlf | Rule::ProtocolSmuggling => {
            "RFC 3986, section 7.2"
        }
        Rule::PortRange => "RFC 3986, section 3.2.3",
        Rule::EncodedNul | Rule::EncodedControl => "RFC 3986, section 7.3",
        Rule::Password => "RFC 3986, section 7.5",
        Rule::DotSegments => "RFC 3986, section 6.2.2.3",
        Rule::Ipv4Range => "RFC 3986, section 7.4",
        Rule::HostLength | Rule::HostUnqualified => "RFC 3986, section 3.2.2",
        Rule::GopherSelectorOctet | Rule::GopherType => "RFC 4266, section 2.1",
        Rule::FileRemoteHost => "RFC 8089, section 2",
        Rule::QuestionInPath => "RFC 3986, section 3.4",
        Rule::EncodedDelimiter => "RFC 3986, section 2.2",
        // RFC 3986 has an appendix of its own about how a URL is set in its text.
        _ if rule.group() == Group::Context && !rule.own_reference().is_empty() => {
            "RFC 3986, Appendix C"
        }
        _ => rule.own_reference(),
    }
}

/// The same for the URL Standard, which covers only the six special schemes.
fn by_whatwg(rule: Rule) -> &'static str {
    match rule {
        Rule::FragmentPresent => "URL Standard, URL representation",
        Rule::SchemeUppercase => "URL Standard, scheme state",
        Rule::PortReserved => "Fetch Standard, port blocking",
        Rule::PortDefault | Rule::PortZeros => "URL Standard, port state",
        Rule::DotSegments => "URL Standard, path state",
        Rule::HostCase => "URL Standard, host parsing",
        Rule::HttpEmptyPath => "URL Standard, path start state",
        Rule::Password | Rule::EmptyUser | Rule::UserinfoConfusion => {
            "URL Standard, security considerations"
        }
        Rule::ParseDifferential => "URL Standard, URL parsing",
        Rule::FileRemoteHost => "URL Standard, file host state",
        // Everything else is covered by a later RFC, or by none.
        _ => by_rfc3986(rule),
    }
}

impl Rule {
    /// Returns the section that covers what the rule reports under `standard`, such as `RFC 1738,
    /// section 2.2`. It is empty for the few rules that no document covers, and `None` if the rule
    /// reports nothing under that standard.
    ///
    /// ```
    /// use urlint::Rule;
    /// use urlint::standard::Standard;
    ///
    /// let rule = Rule::ReservedCharacter;
    /// assert_eq!(rule.reference(Standard::Rfc3986), Some("RFC 3986, section 2.2"));
    /// assert_eq!(Rule::HexLowercase.reference(Standard::Whatwg), None);
    /// ```
    #[must_use]
    pub fn reference(self, standard: Standard) -> Option<&'static str> {
        if let Some(reference) = self.kind().and_then(|kind| standard.reference(kind)) {
            return Some(reference);
        }
        self.is_checked(standard).then(|| match standard {
            Standard::Rfc1738 => self.own_reference(),
            Standard::Rfc3986 | Standard::Rfc3987 => by_rfc3986(self),
            Standard::Whatwg => by_whatwg(self),
        })
    }

    /// The kind of problem that the rule reports under some standard.
    pub(in crate::lint) fn kind(self) -> Option<ProblemKind> {
        ProblemKind::from_name(self.name())
    }

    /// Returns whether the judge of `standard` reports what the rule is about.
    pub(in crate::lint) fn is_problem(self, standard: Standard) -> bool {
        let reference = self.kind().and_then(|kind| standard.reference(kind));
        reference.is_some()
    }

    /// Returns whether something other than the judge detects what the rule reports under
    /// `standard`.
    fn is_checked(self, standard: Standard) -> bool {
        match self.detector() {
            Detector::Check(_) | Detector::EscapeCheck(_) => self.has_check(standard),
            Detector::Flag(_) | Detector::Suppressions | Detector::Settings => true,
            Detector::Problem => false,
        }
    }

    /// The greatest severity that a check of the rule reports under `standard`.
    pub(in crate::lint) fn most_severe(self, standard: Standard) -> Severity {
        match (self, standard) {
            (Rule::DotSegments | Rule::FragmentPresent | Rule::NotUtf8, Standard::Rfc1738)
            | (Rule::FragmentPresent | Rule::NotUtf8, Standard::Whatwg) => Severity::Hint,
            _ => self.severity(),
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
                // No other document covers the types of ftp.
                let is_old = reference.contains("1738") && rule != Rule::BadTypecode;
                assert!(!is_old, "{rule} under {standard}: {reference}");
            }
        }
    }
}
