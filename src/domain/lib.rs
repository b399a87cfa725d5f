//! Registered domains. The list is code that takes long to optimise, and is a package so that a build from a clone
//! does without.

/// Returns the registered domain that `host` belongs to, by the public suffix list: `b.co.uk` for
/// `a.b.co.uk`. Returns `None` if `host` is an address, or itself a public suffix. `host` must be
/// in lower case.
///
/// ```
/// use urlint::list::domain;
///
/// assert_eq!(domain(b"www.a.co.uk"), Some(&b"a.co.uk"[..]));
/// assert_eq!(domain(b"co.uk"), None);
/// assert_eq!(domain(b"192.0.2.7"), None);
/// ```
#[must_use]
pub fn domain(host: &[u8]) -> Option<&[u8]> {
    let is_address = host.first() == Some(&b'[') || host.last().is_some_and(u8::is_ascii_digit);
    let name = host.strip_suffix(b".").unwrap_or(host);
    let found = psl::domain(name).filter(|_| !is_address)?;
    Some(found.as_bytes())
}
