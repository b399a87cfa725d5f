//! Enums whose variants have names.

/// Gives the variants of an enum without fields their names: a method `name`, and `Display`, which
/// pads them as asked for.
macro_rules! named {
    ($type:ident { $($variant:ident = $name:literal,)+ }) => {
        impl $type {
            /// Returns the name, in lower case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($type::$variant => $name,)+ }
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
