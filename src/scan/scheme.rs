//! Scheme names: which are known, and which one ends at a colon.

/// A scheme that is recognised by name.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    /// What makes a URL of it in free text where no `//` follows.
    without_slashes: WithoutSlashes,
}

/// What must follow the colon of a known scheme without `//`, so that `data: none`, `Tel:` in a
/// signature or `cid:` in a program are not taken for URLs.
#[derive(Clone, Copy)]
enum WithoutSlashes {
    /// The scheme needs them.
    Never,
    /// Anything.
    Any,
    /// Something with one of these characters in it.
    With(&'static [u8]),
    /// Something that begins with a digit or with `+` and a digit.
    Digits,
}

use WithoutSlashes::{Any, Digits, Never, With};

/// The schemes that are known, in groups that share how they look.
const KNOWN: &[(WithoutSlashes, &[&str])] = &[
    (
        Never,
        &[
            "http", "https", "ftp", "file", "gopher", "telnet", "nntp", "wais", "prospero", "ftps",
            "sftp", "tftp", "ssh", "git", "svn", "rsync", "nfs", "smb", "afp", "ldap", "ldaps",
            "irc", "ircs", "ws", "wss", "rtsp", "rtmp", "imap", "pop", "snews", "z39.50r",
            "z39.50s", "tn3270", "vemmi", "hdl", "coap", "coaps", "redis", "ipfs",
        ],
    ),
    (Any, &["mailto", "news"]),
    (
        With(b"@"),
        &[
            "mid",
            "cid",
            "sip",
            "sips",
            "xmpp",
            "acct",
            "im",
            "pres",
            "mailserver",
        ],
    ),
    (With(b":"), &["urn"]),
    (With(b","), &["data", "tag"]),
    (With(b"?"), &["magnet"]),
    (With(b"/"), &["doi", "afs"]),
    (Digits, &["tel", "sms", "fax", "geo"]),
];

/// The longest scheme name that is looked back for.
pub(crate) const MAX_SCHEME: usize = 64;

/// Looks `name` up, in any case.
pub(crate) fn known(name: &[u8]) -> Option<Known> {
    KNOWN.iter().find_map(|(without_slashes, names)| {
        let name = names
            .iter()
            .find(|known| known.as_bytes().eq_ignore_ascii_case(name))?;
        Some(Known {
            name,
            without_slashes: *without_slashes,
        })
    })
}

/// The names of all known schemes.
pub(crate) fn known_names() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().flat_map(|(_, names)| names.iter().copied())
}

impl Known {
    /// Whether `rest`, which follows the colon, makes a URL without `//`; `name` is the scheme as
    /// it was written.
    pub(crate) fn takes(&self, name: &[u8], rest: &[u8]) -> bool {
        // `Tel:5550123` and `News:none` are labels; `Mailto:` is seldom one.
        let label = name[0].is_ascii_uppercase() && name[1..].iter().any(u8::is_ascii_lowercase);
        if label && self.name != "mailto" {
            return false;
        }
        match self.without_slashes {
            Never => false,
            Any => true,
            With(needed) => rest.iter().any(|byte| needed.contains(byte)),
            Digits => matches!(rest, [b'0'..=b'9', ..] | [b'+', b'0'..=b'9', ..]),
        }
    }

    /// Whether the scheme's URLs have `//`.
    pub(crate) fn needs_slashes(&self) -> bool {
        matches!(self.without_slashes, Never)
    }
}

/// Where the scheme begins that ends at `colon`: the longest known name that starts at a word
/// boundary (a `+` is none, it makes one scheme of two), else the whole word, if that has a letter.
/// `word` is what [`word_start`] says.
pub(crate) fn start(text: &[u8], word: usize, colon: usize) -> Option<(usize, Option<Known>)> {
    let name = &text[word..colon];
    if name == b"http" || name == b"https" {
        return Some((word, known(name)));
    }
    let boundary = |at: &usize| *at == word || matches!(text[at - 1], b'.' | b'-');
    let longest = (word..colon)
        .filter(boundary)
        .find_map(|at| Some((at, Some(known(&text[at..colon])?))));
    if longest.is_some() {
        return longest;
    }
    if name.len() >= MAX_SCHEME {
        return None;
    }
    let first = name.iter().position(u8::is_ascii_alphanumeric)?;
    let has_letter = name.iter().any(u8::is_ascii_alphabetic);
    (has_letter && name.len() - first > 1).then_some((word + first, None))
}

/// Where the run of scheme characters begins that ends at `colon`.
pub(crate) fn word_start(text: &[u8], floor: usize, colon: usize) -> usize {
    let floor = floor.max(colon.saturating_sub(MAX_SCHEME));
    let mut at = colon;
    while at > floor && is_scheme_character(text[at - 1]) {
        at -= 1;
    }
    at
}

fn is_scheme_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start_in(text: &[u8]) -> Option<(usize, Option<Known>)> {
        start(text, word_start(text, 0, text.len()), text.len())
    }

    #[test]
    fn the_longest_known_name_at_a_word_boundary() {
        let cases: &[(&str, Option<&str>)] = &[
            ("see http", Some("http")),
            ("post.https", Some("https")),
            ("xhttp", Some("xhttp")),
            ("svn+ssh", Some("svn+ssh")),
            ("git+weird", Some("git+weird")),
            ("z39.50r", Some("z39.50r")),
            ("...foo", Some("foo")),
            ("3com", Some("3com")),
            ("12", None),
            ("x", None),
            ("", None),
            ("網址http", Some("http")),
            ("(HTTP", Some("HTTP")),
        ];
        for (text, expected) in cases {
            let found = start_in(text.as_bytes()).map(|(at, _)| &text[at..]);
            assert_eq!(found, *expected, "{text}");
        }
        let long = [b'a'; 100];
        assert!(start_in(&long).is_none());
    }
}
