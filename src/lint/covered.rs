//! One mistake, one diagnostic: findings that another finding about the same mistake makes needless.

use super::diagnostic::Diagnostic;
use super::rule::{Rule, Severity};

/// Which findings of a rule are needless.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All about the URL.
    Anywhere,
    /// Those at the same place.
    Here,
    /// All about a URL that has backslashes in place of its slashes. They have the right fix.
    Backslashes,
}

macro_rules! covered {
    ($($rule:ident covers $($other:ident)+, $extent:ident;)+) => {
        &[$($((Rule::$rule, Rule::$other, Extent::$extent)),+),+]
    };
}

/// Rules whose findings say all that there is to say: the second is needless beside the first.
pub(super) const COVERED: &[(Rule, Rule, Extent)] = covered! {
    EmptyHost covers ParseDifferential, Anywhere;
    ExtraSlash covers ParseDifferential, Anywhere;
    BadIpLiteral covers ParseDifferential, Anywhere;
    MissingSlashes covers UnsafeCharacter, Backslashes;
    UserinfoConfusion covers UserinfoNotAllowed, Here;
    Password covers UserinfoNotAllowed, Here;
    BidiInvisible covers NonAscii, Here;
    Homograph covers NonAscii, Here;
    StrayEnd covers NonAscii, Here;
    MailAddress covers AuthorityNotAllowed, Anywhere;
    ScpPath covers BadPort, Anywhere;
    SecondQuery covers ReservedCharacter, Here;
    HttpsElsewhere covers SchemeCleartext, Anywhere;
};

/// Rules whose errors and warnings leave it open which URL was meant. What else is wrong is a fault of its own,
/// which a fix does not mend, but nothing is certain about it.
const DOUBTED: &[(Rule, Rule, Extent)] = covered! {
    BrokenLink covers BadHost MisplacedCharacter EmptyHost BadPort StrayEnd, Anywhere;
    PastedUrl covers StrayEnd UnsafeCharacter RawSpace, Anywhere;
    SchemeLookalike covers BadHost MisplacedCharacter, Anywhere;
    StrayEnd covers MisplacedCharacter, Anywhere;
    EmptyHost covers UnsafeCharacter EmptyPort, Anywhere;
    MisplacedCharacter covers BadPort, Anywhere;
    BadPort covers UserinfoNotAllowed, Anywhere;
};

/// Drops those of the diagnostics about one URL about which nothing is certain beside another one.
pub(super) fn drop_doubted(diagnostics: &mut Vec<Diagnostic>) {
    for (rule, doubted, _) in DOUBTED {
        let is_main = |one: &Diagnostic| one.rule == *rule && one.severity > Severity::Hint;
        if diagnostics.len() > 1 && diagnostics.iter().any(is_main) {
            diagnostics.retain(|one| one.rule != *doubted);
        }
    }
}
