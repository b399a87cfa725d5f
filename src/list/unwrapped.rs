//! The targets of links that lead through a service, which checks or counts each click.

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::general_purpose::URL_SAFE_NO_PAD_INDIFFERENT;
use memchr::memmem;

use super::domain;
use urlint_standard::url::host::in_domain;
use urlint_standard::url::{host, schemes, split, unescaped};

/// Reads the target in the rest of a link, from its path or query on.
type Read = fn(&[u8]) -> Option<Vec<u8>>;

/// The services: their domain (`google.` under any public suffix), the start of the path, and where the target is.
/// Above each is its source.
#[rustfmt::skip]
const SERVICES: [(&str, &str, Read); 18] = [
    // Microsoft: "Safe Links in Microsoft Defender for Office 365".
    ("safelinks.protection.outlook.com", "", |rest| parameter(rest, "url")),
    ("safelinks.protection.office365.us", "", |rest| parameter(rest, "url")),
    // Proofpoint: "How do I decode a rewritten URL?", with the script URLDefenseDecode.py.
    ("urldefense.proofpoint.com", "/v1/url", |rest| parameter(rest, "u")),
    ("urldefense.proofpoint.com", "/v2/url", |rest| hyphens(value(rest, "u")?)),
    ("urldefense.proofpoint.com", "/v3/__", underscores),
    ("urldefense.com", "/v3/__", underscores),
    ("urldefense.us", "/v3/__", underscores),
    // Barracuda: "Link Protection".
    ("linkprotect.cudasvc.com", "/url", |rest| parameter(rest, "a")),
    // Cisco Secure Email: "Outbreak Filters", URL rewriting.
    ("secure-web.cisco.com", "/", |rest| Some(unescaped(rest.splitn(3, |&byte| byte == b'/').nth(2)?).into())),
    // Sophos Email: "Time of Click URL Protection".
    ("protection.sophos.com", "", |rest| base64(value(rest, "u")?)),
    // Google: links in mail of its Docs, Groups and Calendar, results of its search.
    ("google.", "/url", |rest| parameter(rest, "q").or_else(|| parameter(rest, "url"))),
    // YouTube: links in descriptions.
    ("youtube.com", "/redirect", |rest| parameter(rest, "q")),
    // Facebook: "Link Shim".
    ("facebook.com", "/l.php", |rest| parameter(rest, "u")),
    ("l.instagram.com", "", |rest| parameter(rest, "u")),
    // LinkedIn: links in mail.
    ("linkedin.com", "/redir/redirect", |rest| parameter(rest, "url")),
    // Slack: links in messages.
    ("slack-redir.net", "/link", |rest| parameter(rest, "url")),
    // DuckDuckGo: results of its search.
    ("duckduckgo.com", "/l/", |rest| parameter(rest, "uddg")),
    // VK: links in messages.
    ("vk.com", "/away.php", |rest| parameter(rest, "to")),
];

/// How many services a link is followed through at most.
const MOST: usize = 8;

/// Returns where `url` leads through the services, if it leads through any.
pub(super) fn unwrapped(url: &[u8]) -> Option<Vec<u8>> {
    let next = |url: &Vec<u8>| target(url);
    std::iter::successors(target(url), next).take(MOST).last()
}

/// Returns the target of a link through a service.
fn target(url: &[u8]) -> Option<Vec<u8>> {
    let host = host(url)?.to_ascii_lowercase();
    let rest = &url[memmem::find(url, b"://")? + 3..];
    let rest = &rest[memchr::memchr2(b'/', b'?', rest)?..];
    let (.., read) = SERVICES.iter().find(|(name, start, _)| {
        let name = name.as_bytes();
        let is_host = if name.ends_with(b".") {
            domain(&host).is_some_and(|domain| domain.starts_with(name))
        } else {
            in_domain(&host, name).is_some()
        };
        is_host && rest.starts_with(start.as_bytes())
    })?;
    // Blanks and controls are escaped, since a URL has none.
    let escape = |byte| match byte {
        0..=b' ' | 0x7f => format!("%{byte:02X}").into_bytes(),
        _ => vec![byte],
    };
    let target: Vec<u8> = read(rest)?.into_iter().flat_map(escape).collect();
    let (scheme, rest) = target.split_at(split::scheme(&target)?.len());
    let is_url = rest.starts_with(b"://") || schemes::lookup_known(scheme).is_some();
    is_url.then_some(target)
}

/// Returns the parameter `name` of a query as it is written.
fn value<'r>(rest: &'r [u8], name: &str) -> Option<&'r [u8]> {
    let query = &rest[memchr::memchr(b'?', rest)? + 1..];
    let query = query.split(|&byte| byte == b'#').next()?;
    query.split(|&byte| byte == b'&').find_map(|parameter| {
        // Mail in plain text may have the `&amp;` of HTML.
        let parameter = parameter.strip_prefix(b"amp;").unwrap_or(parameter);
        parameter.strip_prefix(name.as_bytes())?.strip_prefix(b"=")
    })
}

/// Returns the parameter `name` of a query.
fn parameter(rest: &[u8], name: &str) -> Option<Vec<u8>> {
    value(rest, name).map(|value| unescaped(value).into())
}

/// Decodes a URL with `-` for `%` and `_` for `/`.
fn hyphens(text: &[u8]) -> Option<Vec<u8>> {
    let plain = |byte: &u8| match byte {
        b'-' => b'%',
        b'_' => b'/',
        other => *other,
    };
    let escaped: Vec<u8> = text.iter().map(plain).collect();
    Some(unescaped(&escaped).into())
}

/// Decodes a URL between `__` and `__;`, with `*` for each of the characters that follow in base64, or `**` and a
/// letter for as many of them as the letter says.
fn underscores(rest: &[u8]) -> Option<Vec<u8>> {
    let text = rest.strip_prefix(b"/v3/__")?;
    let (text, after) = text.split_at(memmem::find(text, b"__;")?);
    let removed = base64(after[3..].split(|&byte| byte == b'!').next()?)?;
    let mut removed = str::from_utf8(&removed).ok()?.chars();
    let text = unescaped(text);
    let mut text = str::from_utf8(&text).ok()?.chars().peekable();
    let mut url = String::new();
    while let Some(character) = text.next() {
        // One of the slashes may be lost on the way.
        if url.ends_with(":/") && !url[..url.len() - 2].contains('/') && character != '/' {
            url.push('/');
        }
        match character {
            '*' if text.next_if_eq(&'*').is_some() => {
                let times = URL_SAFE.as_str().find(text.next()?)? + 2;
                url.extend(removed.by_ref().take(times));
            }
            '*' => url.push(removed.next()?),
            other => url.push(other),
        }
    }
    Some(url.into())
}

/// Decodes base64 for URLs, with or without padding.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD_INDIFFERENT.decode(unescaped(text)).ok()
}

#[cfg(test)]
mod tests {
    use super::unwrapped;

    #[test]
    fn targets() {
        for (url, target) in [
            // A service in a service.
            (
                "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttp%253A%252F%252Fa.example%252Fx%26sa%3DD&data=05%7C01&reserved=0",
                "http://a.example/x",
            ),
            (
                "https://eur01.safelinks.protection.outlook.com/ap/w-59/?url=mailto%3Ajoe%40a.example&amp;data=05",
                "mailto:joe@a.example",
            ),
            (
                "https://urldefense.proofpoint.com/v1/url?u=http://a.example/x%3Fa%3Db%26c&k=oI",
                "http://a.example/x?a=b&c",
            ),
            (
                "https://urldefense.proofpoint.com/v2/url?u=http-3A__a.example_x-2Dy-5Fz-3Fq-3D1&d=DwMF",
                "http://a.example/x-y_z?q=1",
            ),
            (
                "https://urldefense.com/v3/__https://a.example/x?y=1__;!!ACWV!MwAZ$",
                "https://a.example/x?y=1",
            ),
            (
                "https://urldefense.us/v3/__https:/a.example/F*2Fx*y**Ez__;JSPDpMO2w7wxMjM!!A!B$",
                "https://a.example/F%2Fx#yäöü123z",
            ),
            (
                "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fa.example%2f&c=E,1,gq&typo=1",
                "https://a.example/",
            ),
            (
                "https://secure-web.cisco.com/1EH1B-CL_/https%3A%2F%2Fa.example%2Fx",
                "https://a.example/x",
            ),
            (
                "https://us-west-2.protection.sophos.com/?d=a.example&u=aHR0cDovL2EuZXhhbXBsZS8_eA==&i=NjM",
                "http://a.example/?x",
            ),
            (
                "https://www.google.co.uk/url?sa=t&amp;url=https://a.example/%2520a%0Ab#c",
                "https://a.example/%20a%0Ab",
            ),
            (
                "https://L.Facebook.com/l.php?u=https%3A%2F%2Fa.example%2F&h=AT",
                "https://a.example/",
            ),
        ] {
            let found =
                unwrapped(url.as_bytes()).map(|url| String::from_utf8_lossy(&url).into_owned());
            assert_eq!(found.as_deref(), Some(target), "{url}");
        }
        for url in [
            "http://a.example/",
            "mailto:joe@google.com",
            "https://www.google.com/url?q=two+words",
            "https://www.google.com/search?q=http://a.example/",
            "https://google.a.example/url?q=http://a.example/",
            "https://nosafelinks.protection.outlook.com/?url=http://a.example/",
            "https://nam02.safelinks.protection.outlook.com/?data=url=http://a.example/",
            "https://urldefense.com/v3/__https://a.example/",
            "https://urldefense.com/v3/__https://a.example/*x__;!!A!B$",
            "https://urldefense.com/v3/__https://a.example/**",
            "https://protection.sophos.com/?u=%",
            "https://secure-web.cisco.com/x",
            "https://l.instagram.com",
        ] {
            assert_eq!(unwrapped(url.as_bytes()), None, "{url}");
        }
    }
}
