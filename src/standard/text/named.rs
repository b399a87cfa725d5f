//! Enums whose values have names, and names that are misspelled.

/// An enum whose values have names.
pub trait Named: Copy + Send + Sync + 'static {
    /// Every value.
    const ALL: &'static [Self];

    /// Returns the name, in lower case.
    fn name(self) -> &'static str;

    /// Returns the meaning of the value in a few words, or an empty text if the name says it.
    fn meaning(self) -> &'static str;
}

/// Names the values of an enum without fields: defines `ALL`, `name`, `from_name`, and `Display`,
/// which respects padding. The names are written at the values, `Never = "never"`, or in a list of
/// their own if `ALL` has another order; a meaning follows after a colon.
#[doc(hidden)]
#[macro_export]
macro_rules! __named {
    (
        $(#[$on_type:meta])*
        pub enum $type:ident {
            $($(#[$on_value:meta])* $value:ident = $name:literal $(: $meaning:literal)?,)+
        }
    ) => {
        $(#[$on_type])*
        pub enum $type {
            $($(#[$on_value])* $value,)+
        }

        $crate::text::named::named! { $type { $($value = $name $(: $meaning)?,)+ } }
    };

    ($type:ident {
        $($(#[$attribute:meta])* $value:ident = $name:literal $(: $meaning:literal)?,)+
    }) => {
        impl $type {
            /// Every value.
            pub const ALL: &'static [$type] = &[$($(#[$attribute])* $type::$value,)+];

            /// Returns the name, in lower case.
            pub const fn name(self) -> &'static str {
                match self { $($(#[$attribute])* $type::$value => $name,)+ }
            }

            /// Returns the value with this name, or `None` if there is none. Case matters.
            #[must_use]
            pub fn from_name(name: &str) -> Option<$type> {
                $type::ALL.iter().copied().find(|value| value.name() == name)
            }
        }

        impl $crate::text::named::Named for $type {
            const ALL: &'static [$type] = $type::ALL;

            fn name(self) -> &'static str {
                $type::name(self)
            }

            fn meaning(self) -> &'static str {
                match self { $($(#[$attribute])* $type::$value => concat!($($meaning)?),)+ }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

#[doc(hidden)]
pub use __named as named;

/// The most bytes of a name that may be a misspelling: to compare takes time with its length.
const MOST_MEANT: usize = 100;

/// Returns the name among `names` that is nearest to `name`, if it is near enough to have been
/// meant.
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > MOST_MEANT {
        return None;
    }
    let name = name.to_ascii_lowercase().replace('_', "-");
    names
        .into_iter()
        .map(|known| (strsim::osa_distance(&name, known), known))
        .filter(|&(distance, known)| distance <= known.len() / 3)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, known)| known)
}
