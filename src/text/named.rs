//! Enums whose values have names.

/// Gives the values of an enum without fields their names: `ALL`, `name`, `from_name`, and
/// `Display`, which pads them as the format says.
macro_rules! named {
    ($type:ident { $($variant:ident = $name:literal,)+ }) => {
        impl $type {
            /// Every value.
            pub const ALL: &'static [$type] = &[$($type::$variant,)+];

            /// Returns the name, in lower case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($type::$variant => $name,)+ }
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
