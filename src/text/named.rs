//! Enums whose values have names, and names that are misspelled.

/// Names the values of an enum without fields: defines `ALL`, `name`, `from_name`, and `Display`,
/// which respects padding.
macro_rules! named {
    ($type:ident { $($(#[$attribute:meta])* $variant:ident = $name:literal,)+ }) => {
        impl $type {
            /// Every value.
            pub const ALL: &'static [$type] = &[$($(#[$attribute])* $type::$variant,)+];

            /// Returns the name, in lower case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($(#[$attribute])* $type::$variant => $name,)+ }
            }

            /// Returns the value with this name, or `None` if there is none. Case matters.
            #[must_use]
            pub fn from_name(name: &str) -> Option<$type> {
                $type::ALL.iter().copied().find(|value| value.name() == name)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

pub(crate) use named;

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
