//! Names of the values of an enum.

/// Implements `ALL`, `name`, `from_name` and `Display` for an enum, from one table of names.
macro_rules! named {
    ($type:ident, $what:literal, { $($variant:ident => $name:literal,)+ }) => {
        impl $type {
            #[doc = concat!("Every ", $what, ".")]
            pub const ALL: &'static [$type] = &[$($type::$variant,)+];

            #[doc = concat!("Returns the name of the ", $what, ", in lower case.")]
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }

            #[doc = concat!("Returns the ", $what, " with this name, or `None` if there is none. ")]
            #[doc = "Case matters."]
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
