//! One mistake, one diagnostic: findings that another finding about the same mistake makes needless.

use super::diagnostic::Diagnostic;
use super::fate::Fate;
use super::rule::{Rule, Severity};

/// Which findings of a rule are needless.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// All about the URL.
    Anywhere,
    /// Those at the same place.
    Here,
    /// All about a URL that has backslashes in the place of its slashes. Their fix is the right one.
    Backslashes,
}

macro_rules! covered {
    ($($rule:ident covers $($other:ident)+, $scope:ident;)+) => {
        &[$($((Rule::$rule, Rule::$other, Scope::$scope)),+),+]
    };
}

/// Pairs of rules: a finding of the first makes findings of the second needless.
pub(super) const COVERED: &[(Rule, Rule, Scope)] = covered! {
    EmptyHost covers ParseDifferential, Anywhere;
    ExtraSlash covers ParseDifferential, Anywhere;
    BadIpAddress covers ParseDifferential, Anywhere;
    BadIpAddress covers BadHost, Here;
    MissingSlashes covers UnsafeCharacter, Backslashes;
    UserinfoConfusion covers UserinfoNotAllowed, Here;
    Password covers UserinfoNotAllowed, Here;
    BidiInvisible covers NonAscii, Here;
    Homograph covers NonAscii, Here;
    StrayEnd covers NonAscii, Here;
    MailAddress covers ComponentNotAllowed, Anywhere;
    ScpPath covers BadPort, Anywhere;
    SecondQuery covers ReservedCharacter, Here;
};

/// Pairs of rules: an error or a warning of the first leaves the intended URL open, so that a diagnostic of the
/// second is uncertain. That one is about a problem of its own, which a fix of the first does not resolve.
const UNCERTAIN_BESIDE: &[(Rule, Rule, Scope)] = covered! {
    BrokenLink covers BadHost MisplacedCharacter EmptyHost BadPort StrayEnd, Anywhere;
    PastedUrl covers StrayEnd UnsafeCharacter RawSpace, Anywhere;
    SchemeLookalike covers BadHost MisplacedCharacter NotNormal, Anywhere;
    StrayEnd covers MisplacedCharacter, Anywhere;
    EmptyHost covers UnsafeCharacter EmptyPort, Anywhere;
    MisplacedCharacter covers BadPort, Anywhere;
    BadPort covers UserinfoNotAllowed, Anywhere;
};

/// Decides which of the diagnostics about a URL another one makes uncertain.
pub(super) fn find_uncertain(diagnostics: &mut [(Diagnostic, Fate)]) {
    if diagnostics.len() < 2 {
        return;
    }
    for &(rule, uncertain, _) in UNCERTAIN_BESIDE {
        let mut all = diagnostics.iter();
        if !all.any(|(one, fate)| {
            one.rule == rule && *fate == Fate::Reported && one.severity > Severity::Hint
        }) {
            continue;
        }
        for (one, fate) in diagnostics.iter_mut() {
            if one.rule == uncertain && *fate == Fate::Reported {
                *fate = Fate::Uncertain;
            }
        }
    }
}
