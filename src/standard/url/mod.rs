//! Properties of URLs that hold under every standard.

mod browser;
#[doc(hidden)]
pub mod host;
pub(crate) mod normalize;
pub mod password;
mod resolve;
pub mod schemes;
pub mod split;

// Functions that only the command needs.
#[doc(hidden)]
pub use crate::standard::escape::{self, decoded as unescaped};
pub use browser::resolve_in_browser;
pub use host::host;
#[doc(hidden)]
pub use normalize::normal_edits;
pub use normalize::{normalize, normalize_under};
pub use resolve::resolve;
pub use split::{Authority, Split};
