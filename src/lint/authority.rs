//! The authority of schemes that have no production of their own.

use super::rule::Rule;
use crate::standard::rfc1738::{Components, is_host, is_unreserved};

use super::finding::Report;
use super::url::Url;

/// `//`, but not the `login` of section 3.1.
pub(super) fn generic(url: &Url<'_>, report: &mut Report<'_>) {
    let (Components::Other { .. }, Some(authority)) = (&url.parsed.components, &url.authority)
    else {
        return;
    };
    // By `ip-schemepart` only a slash ends the login; a `?` that ends it here is a part of it.
    let to_slash = authority.start
        ..url.text[authority.end..]
            .iter()
            .position(|&byte| byte == b'/')
            .map_or(url.text.len(), |at| authority.end + at);
    let is_login = to_slash == *authority && is_login(url);
    if !is_login {
        let message = "what follows `//` is no user, password, host and port";
        report.add(
            url.finding(Rule::GenericAuthority, to_slash, message)
                .label("not of the common form"),
        );
    }
}

/// ```text
/// login          = [ user [ ":" password ] "@" ] hostport
/// ```
fn is_login(url: &Url<'_>) -> bool {
    let user = |byte: &u8| is_unreserved(*byte) || b";?&=%".contains(byte);
    let userinfo = [&url.user, &url.password].into_iter().flatten();
    let digits = |port: &[u8]| !port.is_empty() && port.iter().all(u8::is_ascii_digit);
    is_host(url.host())
        && userinfo.flat_map(|part| url.slice(part)).all(user)
        && url.port.as_ref().is_none_or(|port| digits(url.slice(port)))
}
