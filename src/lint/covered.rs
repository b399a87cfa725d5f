//! One mistake, one diagnostic: findings that another finding about the same mistake makes needless.

use super::rule::Rule;

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

/// Rules whose findings say all that there is to say: the second is needless beside the first.
pub(super) const COVERED: [(Rule, Rule, Extent); 12] = [
    (Rule::EmptyHost, Rule::ParseDifferential, Extent::Anywhere),
    (Rule::ExtraSlash, Rule::ParseDifferential, Extent::Anywhere),
    (
        Rule::BadIpLiteral,
        Rule::ParseDifferential,
        Extent::Anywhere,
    ),
    (
        Rule::MissingSlashes,
        Rule::UnsafeCharacter,
        Extent::Backslashes,
    ),
    (
        Rule::UserinfoConfusion,
        Rule::UserinfoNotAllowed,
        Extent::Here,
    ),
    (Rule::Password, Rule::UserinfoNotAllowed, Extent::Here),
    (Rule::BidiInvisible, Rule::NonAscii, Extent::Here),
    (Rule::Homograph, Rule::NonAscii, Extent::Here),
    (
        Rule::MailAddress,
        Rule::AuthorityNotAllowed,
        Extent::Anywhere,
    ),
    (Rule::ScpPath, Rule::BadPort, Extent::Anywhere),
    (Rule::SecondQuery, Rule::ReservedCharacter, Extent::Here),
    (
        Rule::HttpsElsewhere,
        Rule::SchemeCleartext,
        Extent::Anywhere,
    ),
];
