//! Hosts by their form, and the domains that most of them are in.

use super::word::top_level_domain;
use urlint_standard::text::ascii::WordList;

/// Returns whether `text` begins with a host that has a domain.
pub(super) fn begins_with_host(text: &[u8]) -> bool {
    top_level_domain(&text[..host_len(text)])
        .is_some_and(|domain| domain.len() > 1 && domain.iter().all(u8::is_ascii_alphabetic))
}

/// Returns whether the last segment of the path of `url` is the address of a message, which has a digit:
/// `20240102.3-1-joe@a.example`.
pub(super) fn is_message(url: &[u8]) -> bool {
    let path = memchr::memmem::find(url, b"://").map_or(url, |at| &url[at + "://".len()..]);
    let segment = memchr::memrchr(b'/', path).map_or(&path[..0], |slash| &path[slash + 1..]);
    memchr::memchr(b'@', segment).is_some_and(|at| {
        let (name, host) = (&segment[..at], &segment[at + 1..]);
        name.iter().any(u8::is_ascii_digit) && host_len(host) == host.len() && has_suffix(host)
    })
}

/// Returns the length of the host that `token` begins with, if it is one.
pub(super) fn host_len(token: &[u8]) -> usize {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-.".contains(*byte);
    token.iter().take_while(is_part).count()
}

/// Returns whether `rest` of a URL begins the path, which may be encoded.
pub(super) fn begins_path(rest: &[u8]) -> bool {
    matches!(rest, [b'/', ..] | [b'%', b'2', b'F' | b'f', ..])
}

/// Returns whether `host` ends in a top-level domain.
pub(super) fn has_suffix(host: &[u8]) -> bool {
    top_level_domain(host).is_some_and(is_suffix)
}

/// Returns whether `name` is a top-level domain, of those that most URLs are in.
pub(super) fn is_suffix(name: &[u8]) -> bool {
    const SUFFIXES: WordList = WordList(
        "com org net edu gov mil int info biz io dev app ai me tv co cc example eu de uk fr nl \
        it es ch at be se no dk fi pl cz sk hu ro bg gr pt ie ru ua by jp cn kr tw hk sg in \
        th id au nz ca us mx br ar cl za il tr ir lt",
    );
    SUFFIXES.contains(name)
}
