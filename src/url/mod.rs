//! What is true of URLs under any standard.

pub(crate) mod normalize;
pub mod password;
pub mod schemes;
