//! The judge of RFC 3986 against the grammar itself: an independent recogniser reads the ABNF from
//! `fixtures/rfc3986.abnf`, and both must agree on millions of strings, as URIs and as IRIs.

use std::cell::{Cell, RefCell};

use urlint::Standard;
use urlint::standard::rfc3986::{self, HostKind, Parsed, zone_id};

use crate::oracle::Random;
use crate::oracle::uri::{Oracle, SCHEMES};
use crate::support::urls::{derivations, every_byte, short_tails};
use urlint_testing::share;

/// Compares oracle and judge on one string, and counts.
struct Comparison {
    oracle: RefCell<Oracle>,
    strings: Cell<usize>,
    valid: Cell<usize>,
    valid_iri: Cell<usize>,
}

impl Comparison {
    fn new() -> Self {
        Comparison {
            oracle: RefCell::new(Oracle::new()),
            strings: Cell::new(0),
            valid: Cell::new(0),
            valid_iri: Cell::new(0),
        }
    }

    fn agree(&self, url: &[u8]) -> Result<(), String> {
        let mut oracle = self.oracle.borrow_mut();
        let (uri, iri) = (oracle.is_uri(url), oracle.is_iri(url));
        self.strings.set(self.strings.get() + 1);
        self.valid.set(self.valid.get() + usize::from(uri));
        self.valid_iri
            .set(self.valid_iri.get() + usize::from(iri && !uri));
        let shown = url.escape_ascii();
        if rfc3986::is_valid(url) != uri {
            return Err(format!("the grammar says URI: {uri} of {shown}"));
        }
        if Standard::Rfc3987.is_valid(url) != iri {
            return Err(format!("the grammar says IRI: {iri} of {shown}"));
        }
        let (as_uri, as_iri) = (rfc3986::parse(url), Standard::Rfc3987.parse(url));
        if as_uri.is_valid() != uri || as_iri.is_valid() != iri {
            return Err(format!("parse and is_valid differ on {shown}"));
        }
        if as_uri.components != as_iri.components {
            return Err(format!("{shown} is taken apart in two ways"));
        }
        if uri {
            components_are_derived(&mut oracle, &as_uri)?;
        }
        components_are_the_url(&as_uri)
    }

    /// Says how much was compared; fails if nearly all strings were of one kind.
    fn summary(&self, name: &str) {
        let (strings, valid) = (self.strings.get(), self.valid.get());
        let iris = self.valid_iri.get();
        eprintln!("{name}: {strings} strings, {valid} of them URIs, {iris} only IRIs");
        assert!(valid * 50 > strings && (strings - valid) * 50 > strings);
    }
}

/// Each component of a URI is derived from the nonterminal of its name, the path from one of four.
fn components_are_derived(oracle: &mut Oracle, parsed: &Parsed<'_>) -> Result<(), String> {
    let path = match (parsed.host(), parsed.components.path) {
        (Some(_), _) => "path-abempty",
        (None, Some(path)) if path.is_empty() => "path-empty",
        (None, Some(path)) if parsed.slice(path)[0] == b'/' => "path-absolute",
        (None, _) => "path-rootless",
    };
    let parts = parsed.named_parts().into_iter();
    let mut rules: Vec<_> = parts
        .map(|(name, part)| (name, part.map(|part| parsed.slice(part))))
        .collect();
    for (name, _) in &mut rules {
        *name = if *name == "path" { path } else { name };
    }
    let kind = match parsed.host().and_then(HostKind::of) {
        Some(HostKind::Ipv4) => "ipv4address",
        Some(HostKind::Ipv6 | HostKind::IpvFuture) => "ip-literal",
        _ => "reg-name",
    };
    rules.push((kind, parsed.host()));
    rules.push(("zoneid", parsed.host().and_then(zone_id)));
    for (rule, text) in rules {
        let Some(text) = text else { continue };
        let text = str::from_utf8(text).expect("a URI is US-ASCII");
        if !oracle.derives(rule, text) {
            return Err(format!(
                "{text} of {} is no {rule}",
                parsed.url.escape_ascii()
            ));
        }
        let ipv4 = oracle.derives("ipv4address", text);
        if rule == "reg-name" && ipv4 {
            return Err(format!("{text} is an IPv4 address"));
        }
    }
    Ok(())
}

/// The components of any URL with a scheme and their separators make the URL.
fn components_are_the_url(parsed: &Parsed<'_>) -> Result<(), String> {
    let components = parsed.components;
    let Some(scheme) = components.scheme else {
        return Ok(());
    };
    let mut rebuilt = [parsed.slice(scheme), b":"].concat();
    let mut add = |before: &str, part: Option<_>, after: &str| {
        if let Some(part) = part {
            rebuilt.extend_from_slice(before.as_bytes());
            rebuilt.extend_from_slice(parsed.slice(part));
            rebuilt.extend_from_slice(after.as_bytes());
        }
    };
    if let Some(host) = components.host {
        add("//", Some(rfc3986::Part::at(0)), "");
        add("", components.userinfo(), "@");
        add("", Some(host), "");
        add(":", components.port, "");
    }
    add("", components.path, "");
    add("?", components.query, "");
    add("#", components.fragment, "");
    if rebuilt == parsed.url {
        return Ok(());
    }
    let (url, rebuilt) = (parsed.url.escape_ascii(), rebuilt.escape_ascii());
    Err(format!("the components of {url} make {rebuilt}"))
}

/// Tokens that are inserted into URLs to spoil them, or to mend them by chance.
const TOKENS: &str = r#"; / ? : @ & = # ~ { | \ ^ [ ] ` < > " % %4 %41 %zz %2f %25 %40 %22 %C3 %A9 - . .. _ + * ' ( ) ,
    $ ! 0 9 a Z v1. // :// :80 u@ u:p@ [::1] [::1%25a] [v1.a] 1.2.3.4 :: :1: 01 255 256 http =b ?+ ?= &c=d
    é 😀 \u{80} \u{E000} \u{FFFD} \u{FDD0} \u{10FFFD}"#;
const UNPRINTABLE: [&[u8]; 7] = [b" ", b"\t", b"\n", b"\0", b"\x7f", b"\x80", b"\xe9"];

/// The tokens; `\u{}` is the character of that number.
fn tokens() -> Vec<Vec<u8>> {
    let character = |token: &str| {
        let number = token.strip_prefix("\\u{")?.strip_suffix('}')?;
        char::from_u32(u32::from_str_radix(number, 16).ok()?)
    };
    let printable = TOKENS.split_ascii_whitespace().map(|token| {
        let text = character(token).map_or(token.to_owned(), |character| character.to_string());
        text.into_bytes()
    });
    printable.chain(UNPRINTABLE.map(<[u8]>::to_vec)).collect()
}

/// A derivation of `URI` or `IRI`, or of the rule of a scheme; one in eight has a fragment more.
fn derived(oracle: &Oracle, seed: u64) -> String {
    let mut random = Random(seed);
    let own = |random: &mut Random| SCHEMES[random.below(SCHEMES.len())].1;
    let url = match random.below(8) {
        0 | 1 => return oracle.walk("uri", seed),
        2 => return oracle.walk("iri", seed),
        3 => {
            let address = oracle.walk("addr-spec", seed);
            format!("mailto:{}", encoded(&address, &mut random))
        }
        4 => {
            let article = oracle.walk("msg-id-core", seed);
            format!("news:{}", encoded(&article, &mut random))
        }
        5 => format!("x://{}/", oracle.walk("ip-literal", seed)),
        _ => oracle.walk(own(&mut random), seed),
    };
    match random.below(8) {
        0 => format!("{url}#{}", oracle.walk("fragment", seed)),
        _ => url,
    }
}

/// An address with escapes: wherever they are needed but for one in sixteen, elsewhere rarely.
fn encoded(address: &str, random: &mut Random) -> String {
    let mut out = Vec::new();
    for byte in address.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~!$&'*+;=@:".contains(&byte);
        if plain == (random.below(16) > 0) {
            out.push(byte);
        } else {
            out.extend_from_slice(format!("%{byte:02x}").as_bytes());
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[test]
fn derivations_and_what_becomes_of_them() {
    let comparison = Comparison::new();
    let tokens = tokens();
    let tokens: Vec<_> = tokens.iter().map(Vec::as_slice).collect();
    let derive = |seed| derived(&comparison.oracle.borrow(), seed).into_bytes();
    derivations(&tokens, derive, |url| comparison.agree(url));
    comparison.summary("walks");
}

#[test]
fn all_short_tails_over_a_small_alphabet() {
    const COMMON: [&str; 11] = ["a", "1", "-", ".", ":", "/", "?", "@", "#", "%41", "~"];
    const STARTS: [(&str, &str, usize); 17] = [
        ("http://", "&", 4),
        ("http://h", "[", 4),
        ("https:", "h", 4),
        ("x://[", "]", 4),
        ("x://[1:2:3:4:5:6", "]", 5),
        ("x://[::1", "%25", 4),
        ("ws://", "h", 4),
        ("ftp://", "é", 4),
        ("file:", "|", 4),
        ("gopher://h", "%09", 4),
        ("mailto:", ",", 4),
        ("mailto:a@b?", "=", 4),
        ("news:", "*", 5),
        ("nntp://h", "+", 4),
        ("telnet://", "h", 4),
        ("urn:", "b", 5),
        ("", "x:", 5),
    ];
    let comparison = Comparison::new();
    short_tails(&COMMON, &STARTS, |url| comparison.agree(url));
    comparison.summary("short tails");
}

#[test]
fn all_short_addresses_in_brackets() {
    const ALPHABET: [&str; 6] = ["1", "abcd", ":", "::", "0.0.0.255", "12345"];
    let comparison = Comparison::new();
    for length in 0..=share(5, 6) as u32 {
        for number in 0..ALPHABET.len().pow(length) {
            let digits = (0..length).map(|i| number / ALPHABET.len().pow(i) % ALPHABET.len());
            let text: String = digits.map(|digit| ALPHABET[digit]).collect();
            comparison
                .agree(format!("x://[{text}]").as_bytes())
                .unwrap();
            comparison
                .agree(format!("x://[1:2:{text}]").as_bytes())
                .unwrap();
        }
    }
    eprintln!("addresses: {} strings", comparison.strings.get());
}

#[test]
fn every_byte_at_every_place() {
    let comparison = Comparison::new();
    let oracle = Oracle::new();
    let mut random = Random(3986);
    for _ in 0..share(6, 60) {
        let url = derived(&oracle, random.below(usize::MAX) as u64).into_bytes();
        every_byte(&url, |url| comparison.agree(url));
    }
    comparison.summary("every byte");
}
