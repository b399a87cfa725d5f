//! What each rule is under each standard: where the standard speaks of it, if it has it at all.
//!
//! A kind of problem is a rule's under the standards whose judge reports it, and the standard says
//! where it speaks of that. The tables here are about all else: what is no problem of a standard, but
//! worth a look under it.

use super::{Group, Rule, Severity};
use crate::lint::settings::Selection;
use crate::standard::{ProblemKind, Standard};

/// For most rules that RFC 1738 has, the section of RFC 3986, or of the RFC that took the place of
/// RFC 1738 for that scheme. `None` says that the rule does not apply.
fn by_rfc3986(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::SchemeNonletter
        | Rule::IpLiteral
        | Rule::BadGroup
        | Rule::GenericAuthority
        | Rule::MailtoHeaders
        | Rule::MailtoAccidentalEscape
        | Rule::NntpNoArticle
        | Rule::WaisEmpty
        | Rule::ProsperoEmpty
        | Rule::NewsSlashArticle
        | Rule::DriveLetter => return None,
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
        _ => return in_text(rule, "RFC 3986, Appendix C"),
    })
}

/// The same for the URL Standard, which knows nothing of schemes but the six that are special.
fn by_whatwg(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::EmptyPort
        | Rule::PortNotAllowed
        | Rule::MissingSlash
        | Rule::MissingPath
        | Rule::MissingComponent
        | Rule::PathNotAllowed
        | Rule::QueryNotAllowed
        | Rule::FragmentNotAllowed
        | Rule::BadNamespace
        | Rule::BadTypecode
        | Rule::BadArticle
        | Rule::AuthorityNotAllowed
        | Rule::BadField
        | Rule::QuestionInPath
        | Rule::MailtoAddrSpec
        | Rule::GopherType
        | Rule::NeedlessEscape
        | Rule::HexLowercase
        | Rule::HostNotDns
        | Rule::ZoneId
        | Rule::BidiComponent => return None,
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
        // Of all else the RFCs speak that followed RFC 1738, or nobody any more.
        _ => return by_rfc3986(rule),
    })
}

/// For rules about how a URL is set in its text, the `appendix` that speaks of that; for others what
/// their row of the table says.
fn in_text(rule: Rule, appendix: &'static str) -> Option<&'static str> {
    let of_row = rule.own_reference();
    if rule.group() == Group::Context && !of_row.is_empty() {
        return Some(appendix);
    }
    Some(of_row)
}

impl Rule {
    /// Returns the section that speaks of what the rule reports under `standard`, such as `RFC 1738,
    /// section 2.2`; it is empty for a few rules of which no document speaks. `None` if the rule
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
        match standard {
            Standard::Rfc1738 => (!self.is_of_later_standards()).then(|| self.own_reference()),
            Standard::Rfc3986 | Standard::Rfc3987 => by_rfc3986(self),
            Standard::Whatwg => by_whatwg(self),
        }
    }

    /// Returns whether the rule reports what only later standards than RFC 1738 speak of.
    fn is_of_later_standards(self) -> bool {
        matches!(
            self,
            Rule::BadIpLiteral
                | Rule::ExtraSlash
                | Rule::QueryNotAllowed
                | Rule::FragmentNotAllowed
                | Rule::BadNamespace
                | Rule::DriveLetter
                | Rule::HostNotDns
                | Rule::ZoneId
                | Rule::Ipv6Form
                | Rule::BidiComponent
        )
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

    /// Returns whether a check of the rule, and not the judge, reports it under `standard`.
    pub(in crate::lint) fn is_checked(self, standard: Standard) -> bool {
        self.reference(standard).is_some()
            && (!self.is_problem(standard) || self.is_check_too(standard))
    }

    /// The greatest severity that a check of the rule reports under `standard`.
    pub(in crate::lint) fn most_severe(self, standard: Standard) -> Severity {
        match (self, standard) {
            (Rule::DotSegments | Rule::FragmentPresent | Rule::NotUtf8, Standard::Rfc1738)
            | (Rule::FragmentPresent | Rule::NotUtf8, Standard::Whatwg) => Severity::Hint,
            _ => self.severity(),
        }
    }

    /// Returns whether a check looks for what the rule reports in schemes in which the judge does not.
    fn is_check_too(self, standard: Standard) -> bool {
        // RFC 3986 admits a login in http, and RFC 9110 deprecates it; RFC 5538 admits `news:`.
        let is_uri = matches!(standard, Standard::Rfc3986 | Standard::Rfc3987);
        is_uri && matches!(self, Rule::UserinfoNotAllowed | Rule::MissingComponent)
    }
}

impl Selection {
    /// The selection that is usual under `standard`: of what its judge reports everything, of other
    /// rules errors and warnings, and of the rules of `style` nothing, but escapes in a host that are not
    /// UTF-8 under RFC 3986. [`Selection::default`] is that of RFC 1738.
    ///
    /// ```
    /// use urlint::lint::Selection;
    /// use urlint::standard::Standard;
    /// use urlint::{Rule, Severity};
    ///
    /// let selection = Selection::of(Standard::Rfc3986);
    /// assert_eq!(selection.least(Rule::MailtoAddrSpec), Some(Severity::Hint));
    /// assert_eq!(Selection::default().least(Rule::MailtoAddrSpec), None);
    /// ```
    #[must_use]
    pub fn of(standard: Standard) -> Selection {
        Selection::from_least(|rule| {
            if rule.is_problem(standard) {
                return Some(Severity::Hint);
            }
            let is_uri = matches!(standard, Standard::Rfc3986 | Standard::Rfc3987);
            match rule.group() {
                // In a host.
                Group::Style if is_uri && rule == Rule::NotUtf8 => Some(Severity::Error),
                Group::Style => None,
                _ => Some(Severity::Warning),
            }
        })
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
                // Nothing else speaks of the types of ftp.
                let is_old = reference.contains("1738") && rule != Rule::BadTypecode;
                assert!(!is_old, "{rule} under {standard}: {reference}");
            }
        }
    }
}
