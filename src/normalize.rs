//! One way of writing a URL among those that are the same.

use std::borrow::Cow;

/// stub
pub fn normalize(url: &[u8]) -> Cow<'_, [u8]> {
    Cow::Borrowed(url)
}
