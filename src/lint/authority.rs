//! The authority in schemes without a production of their own.

use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_standard::standard::rfc1738::{is_host, is_unreserved};

/// Reports `//` that is not followed by the `login` of section 3.1.
pub(super) fn generic(url: &Url<'_>, report: &mut Report<'_>) {
    let (None, Some(authority)) = (url.predefined, url.split.authority) else {
        return;
    };
    // By `ip-schemepart` only a slash ends the login, so a `?` that ends it here is part of it.
    let rest = url.split.rest();
    let to_slash = authority.before(rest.find(url.text, b'/').unwrap_or(rest.end));
    let is_login = to_slash == authority && is_login(url);
    if !is_login {
        let message = "the authority after `//` is not of the form `user:password@host:port`";
        let label = "not of the common form";
        report.add(url.finding(Rule::GenericAuthority, to_slash, message, label));
    }
}

/// ```text
/// login          = [ user [ ":" password ] "@" ] hostport
/// ```
fn is_login(url: &Url<'_>) -> bool {
    let user = |byte: &u8| is_unreserved(*byte) || b";?&=%".contains(byte);
    let userinfo = [url.split.user, url.split.password].into_iter().flatten();
    let digits = |port: &[u8]| !port.is_empty() && port.iter().all(u8::is_ascii_digit);
    is_host(url.host())
        && userinfo.flat_map(|part| url.slice(part)).all(user)
        && url.split.port.is_none_or(|port| digits(url.slice(port)))
}
