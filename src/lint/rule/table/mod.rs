//! The table of rules: a file for each group, its rules in their order.
//!
//! A rule's doc comment is its documentation everywhere: in rustdoc, in `urlint rule NAME`, in the
//! manual's list. A row is that comment, the variant, its name, the highest severity it has, what
//! finds its violations, and where a document speaks of it; of what a judge reports the standard says
//! that, and `standards` what is different under the other standards.
//!
//! An enum is written in one place, and so the rows have to come together. Each group's file is a
//! macro that hands its rows on to the macro `then`, after what it was given; `gather!` sends them
//! from group to group, and `rules!` makes [`Rule`] of what has come together.

use super::{Group, Severity, Source};
use crate::find::candidate::Flag;
use crate::lint::{
    self, authority, differential, dns, escapes, host, ipv6, path, port, scheme, schemes, unicode,
    userinfo,
};

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
        $variant:ident = $name:literal, $severity:ident,
            $source:ident $(($what:expr))? $(, $reference:literal)?;
    )+})+) => {
        /// Everything that urlint can report.
        ///
        /// ```
        /// use urlint::lint::Group;
        /// use urlint::{Rule, Severity};
        ///
        /// let rule = Rule::from_name("unsafe-character").unwrap();
        /// assert_eq!(rule, Rule::UnsafeCharacter);
        /// assert_eq!(rule.severity(), Severity::Error);
        /// assert_eq!(rule.group(), Group::Encoding);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $($($(#[doc = $doc])+ $variant,)+)+
        }

        impl Rule {
            /// Every rule, in the order of the table.
            pub const ALL: &'static [Rule] = &[$($(Rule::$variant),+),+];

            /// Returns the rule's name, in kebab-case: its only identifier.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($(Rule::$variant => $name,)+)+ }
            }

            /// Returns the group that the rule belongs to.
            #[must_use]
            pub const fn group(self) -> Group {
                match self { $($(Rule::$variant)|+ => Group::$group,)+ }
            }

            /// Returns the highest severity that the rule itself gives its diagnostics.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $($(Rule::$variant => Severity::$severity,)+)+ }
            }

            /// The section that speaks of what the rule reports if no judge reports it, as its
            /// row says.
            pub(super) const fn own_reference(self) -> &'static str {
                match self { $($(Rule::$variant => concat!($($reference)?),)+)+ }
            }

            /// Returns the rule's documentation, as Markdown.
            #[must_use]
            pub const fn documentation(self) -> &'static str {
                match self { $($(Rule::$variant => concat!($($doc, "\n"),+),)+)+ }
            }
        }

        /// What finds each rule's violations, in the order of the table.
        pub(super) static SOURCES: [Source; Rule::ALL.len()] =
            [$($(Source::$source $(($what))?),+),+];
    };
}

gather! { [encoding syntax context security style] }
