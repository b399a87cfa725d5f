//! The table of rules: a file for each group, its rules in their order.
//!
//! A rule's doc comment is its documentation everywhere: in rustdoc, in `urlint rule NAME`, in the
//! manual's list. A row is that comment, the variant, its name, the gravest severity it has, and
//! where the standard speaks of it.
//!
//! An enum is written in one place, and so the rows have to come together. Each group's file is a
//! macro that hands its rows on to the macro `then`, behind what it was given; `gather!` sends
//! them from group to group, and `rules!` makes [`Rule`] of what has come together.

use super::{Group, Severity};

#[macro_use]
mod encoding;
#[macro_use]
mod syntax;
#[macro_use]
mod context;
#[macro_use]
mod security;
#[macro_use]
mod style;

/// Asks one group after the other for its rows: those of `[encoding syntax]` become
/// `Encoding { … } Syntax { … }`.
macro_rules! gather {
    ([$group:ident $($others:ident)*] $($rows:tt)*) => {
        $group! { gather! [$($others)*] $($rows)* }
    };
    ([] $($rows:tt)*) => {
        rules! { $($rows)* }
    };
}

macro_rules! rules {
    ($($group:ident {$(
        $(#[doc = $doc:literal])+
        $variant:ident = $name:literal, $severity:ident, $reference:literal;
    )+})+) => {
        /// Everything that urlint can report.
        ///
        /// ```
        /// use urlint::{Rule, Severity};
        ///
        /// let rule = Rule::from_name("unsafe-character").unwrap();
        /// assert_eq!(rule, Rule::UnsafeCharacter);
        /// assert_eq!(rule.severity(), Severity::Error);
        /// assert_eq!(rule.reference(), "RFC 1738, section 2.2");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($($(#[doc = $doc])+ $variant,)+)+
        }

        impl Rule {
            /// Every rule, in the order of the table.
            pub const ALL: &'static [Rule] = &[$($(Rule::$variant),+),+];

            /// The rule's name, in kebab-case: the only identifier it has.
            pub fn name(self) -> &'static str {
                match self { $($(Rule::$variant => $name,)+)+ }
            }

            /// What the rule is about.
            pub fn group(self) -> Group {
                match self { $($(Rule::$variant)|+ => Group::$group,)+ }
            }

            /// The gravest severity that the rule's diagnostics have.
            pub fn severity(self) -> Severity {
                match self { $($(Rule::$variant => Severity::$severity,)+)+ }
            }

            /// Where the standard speaks of it.
            pub fn reference(self) -> &'static str {
                match self { $($(Rule::$variant => $reference,)+)+ }
            }

            /// The rule's documentation, as Markdown.
            pub fn documentation(self) -> &'static str {
                match self { $($(Rule::$variant => concat!($($doc, "\n"),+),)+)+ }
            }
        }
    };
}

gather! { [encoding syntax context security style] }
