//! Properties of URLs that hold under every standard.

#[doc(hidden)]
pub mod host;
pub(crate) mod normalize;
pub mod password;
pub mod schemes;
pub mod split;

// Functions that only the command needs.
#[doc(hidden)]
pub use crate::standard::escape::{self, decoded as unescaped};
pub use host::host;
#[doc(hidden)]
pub use normalize::normal_edits;
pub use normalize::{normalize, normalize_under};
pub use split::{Authority, Split};
