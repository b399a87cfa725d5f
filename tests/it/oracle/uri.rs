//! A recognizer for RFC 3986 and 3987 that shares nothing with the judge: it reads the grammar from
//! `fixtures/rfc3986.abnf`, and has one function for each requirement that only the prose
//! expresses.

use std::collections::HashMap;

use super::abnf::{self, Alphabet};
use super::automaton::Automaton;
use super::bnf::Grammar;
use super::walk::{self, Random};

const ABNF: &str = include_str!("../../../fixtures/rfc3986.abnf");

/// The schemes with rules of their own, and their rules.
pub(crate) const SCHEMES: [(&str, &str); 12] = [
    ("http", "http-uri"),
    ("https", "https-uri"),
    ("ws", "ws-uri"),
    ("wss", "wss-uri"),
    ("ftp", "ftp-uri"),
    ("telnet", "telnet-uri"),
    ("gopher", "gopher-uri"),
    ("file", "file-uri"),
    ("nntp", "nntpurl"),
    ("news", "newsurl"),
    ("mailto", "mailtouri"),
    ("urn", "urn-name"),
];

pub(crate) struct Oracle {
    grammar: Grammar,
    alphabet: Alphabet,
    rules: HashMap<&'static str, Automaton>,
}

impl Oracle {
    pub(crate) fn new() -> Self {
        let (grammar, alphabet) = abnf::read(ABNF);
        Oracle {
            grammar,
            alphabet,
            rules: HashMap::new(),
        }
    }

    pub(crate) fn is_uri(&mut self, url: &[u8]) -> bool {
        let Ok(text) = str::from_utf8(url) else {
            return false;
        };
        self.derives("uri", text) && self.scheme_allows(text)
    }

    /// Returns whether `url` can be derived from `IRI`, and the URI that it stands for is valid in
    /// its scheme.
    pub(crate) fn is_iri(&mut self, url: &[u8]) -> bool {
        let Ok(text) = str::from_utf8(url) else {
            return false;
        };
        self.derives("iri", text) && self.scheme_allows(&mapped(text))
    }

    /// Returns whether `text` can be derived from one rule, named in lower case.
    pub(crate) fn derives(&mut self, rule: &'static str, text: &str) -> bool {
        let symbols = self.alphabet.symbols(text);
        self.rules
            .entry(rule)
            .or_insert_with(|| Automaton::new(&self.grammar, self.grammar.rule(rule)))
            .accepts(&symbols)
    }

    fn scheme_allows(&mut self, url: &str) -> bool {
        let (absolute, fragment) = match url.split_once('#') {
            Some((absolute, fragment)) => (absolute, Some(fragment)),
            None => (url, None),
        };
        let (scheme, rest) = absolute.split_once(':').expect("a URI has a scheme");
        let mut schemes = SCHEMES.iter();
        let Some((scheme, rule)) = schemes.find(|(name, _)| scheme.eq_ignore_ascii_case(name))
        else {
            return true;
        };
        self.derives(rule, absolute)
            && match *scheme {
                "ws" | "wss" => fragment.is_none(),
                "mailto" => self.addresses_are(rest),
                "news" => self.article_is(rest),
                _ => true,
            }
    }

    /// RFC 6068, section 2: after decoding, each address is an `addr-spec`.
    fn addresses_are(&mut self, rest: &str) -> bool {
        let to = rest.split('?').next().unwrap_or_default();
        to.is_empty()
            || to.split(',').all(|address| {
                String::from_utf8(decoded(address))
                    .is_ok_and(|address| self.derives("addr-spec", &address))
            })
    }

    /// RFC 5538, section 4: after decoding, an article is a `msg-id-core`, which RFC 5536 restricts
    /// to ASCII.
    fn article_is(&mut self, rest: &str) -> bool {
        // Skip the server, which may also contain an `@`.
        let path = match rest.strip_prefix("//") {
            Some(rest) => rest.split_once('/').map_or("", |(_, path)| path),
            None => rest,
        };
        !path.contains('@')
            || String::from_utf8(decoded(path))
                .is_ok_and(|path| path.is_ascii() && self.derives("msg-id-core", &path))
    }

    /// Returns a random derivation of `rule`.
    pub(crate) fn walk(&self, rule: &str, seed: u64) -> String {
        let mut symbols = Vec::new();
        let mut random = Random(seed);
        let start = self.grammar.rule(rule);
        walk::walk(&self.grammar, start, &mut random, &mut symbols);
        self.alphabet.text(&symbols, &mut random)
    }
}

/// RFC 3987, section 3.1, step 2: each character outside ASCII becomes the escapes of its UTF-8.
fn mapped(text: &str) -> String {
    let bytes = text.bytes();
    bytes
        .map(|byte| match byte {
            0x80.. => format!("%{byte:02X}"),
            _ => char::from(byte).to_string(),
        })
        .collect()
}

fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let (digits, after) = after.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("an escape"));
        rest = after;
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

#[test]
fn the_oracle_knows_what_is_a_uri() {
    let mut oracle = Oracle::new();
    let uris = [
        "a:",
        "a+b:?",
        "foo://",
        "foo://u@h:80/a?b/?c#d/?e",
        "http://h",
        "HTTP://h:/",
        "http://[::1%25a]",
        "http://[V1.:]/",
        "http://256.1.1.1/~",
        "ws://h?q",
        "file:/a",
        "file://h/",
        "telnet://u:p@h/",
        "gopher://h/1?a",
        "nntp://h/g/1",
        "news:",
        "news:a@b",
        "news://u@h/*",
        "mailto:",
        "mailto:a@b,%22c%2C%5C%22%22@%5Bd%5D",
        "urn:ab:c?+d?=e#f",
        "x:1.2.3.4",
        "mailto:%C3%A9@b",
    ];
    for uri in uris {
        assert!(oracle.is_uri(uri.as_bytes()), "{uri}");
        assert!(oracle.is_iri(uri.as_bytes()), "{uri}");
    }
    let others = [
        "",
        "a",
        "1:",
        "//h/",
        "a/b:c",
        "foo:a#b#c",
        "foo://[::]x",
        "foo://[1::2::3]",
        "http:/h",
        "http:///",
        "http://@",
        "ws://h#f",
        "ws://u@h",
        "file:a",
        "file:",
        "file:////a",
        "file:///a?b",
        "telnet://h/a",
        "gopher://u@h/",
        "nntp:///g",
        "nntp://h/g/a",
        "news:a@.b",
        "news:%C3%A9@b",
        "mailto:a",
        "mailto:a@b?c",
        "urn:a:b",
        "urn:ab:c?d",
        "foo:%4",
        "foo:\u{80}",
    ];
    for other in others {
        assert!(!oracle.is_uri(other.as_bytes()), "{other}");
        assert!(!oracle.is_iri(other.as_bytes()), "{other}");
    }
    let iris = [
        "x:é",
        "http://é:1/é?\u{E000}é#é",
        "mailto:é@é",
        "urn:ab:é",
        "news:é",
    ];
    for iri in iris {
        assert!(oracle.is_iri(iri.as_bytes()), "{iri}");
        assert!(!oracle.is_uri(iri.as_bytes()), "{iri}");
    }
    for other in [
        "é:x",
        "x:\u{E000}",
        "urn:é:x",
        "news:é@b",
        "x://h:８/",
        "x://[v1.é]/",
    ] {
        assert!(!oracle.is_iri(other.as_bytes()), "{other}");
    }
    assert!(!oracle.is_iri(b"x:\xE9"));
}
