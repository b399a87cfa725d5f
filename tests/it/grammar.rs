//! The judge against the grammar itself: an independent recogniser reads section 5 of RFC 1738
//! from `fixtures/rfc1738.bnf`, and both must agree on millions of strings.

use std::cell::{Cell, RefCell};

use urlint::standard::rfc1738::{self, Parsed, Predefined};

use crate::oracle::{Oracle, Random};
use crate::support::urls::{derivations, every_byte, short_tails};
use urlint_testing::share;

/// Compares oracle and judge on one string, and counts.
struct Comparison {
    oracle: RefCell<Oracle>,
    strings: Cell<usize>,
    valid: Cell<usize>,
}

impl Comparison {
    fn new() -> Self {
        Comparison {
            oracle: RefCell::new(Oracle::new()),
            strings: Cell::new(0),
            valid: Cell::new(0),
        }
    }

    fn agree(&self, url: &[u8]) -> Result<(), String> {
        let mut oracle = self.oracle.borrow_mut();
        let expected = oracle.accepts(url);
        self.strings.set(self.strings.get() + 1);
        self.valid.set(self.valid.get() + usize::from(expected));
        let shown = url.escape_ascii();
        if rfc1738::is_valid(url) != expected {
            return Err(format!("the grammar says valid: {expected} of {shown}"));
        }
        let parsed = rfc1738::parse(url);
        if parsed.is_valid() != expected {
            return Err(format!("parse and is_valid differ on {shown}"));
        }
        if expected {
            components_are_derived(&mut oracle, &parsed)?;
        }
        Ok(())
    }

    /// Says how much was compared; fails if nearly all strings were of one kind.
    fn summary(&self, name: &str) {
        let (strings, valid) = (self.strings.get(), self.valid.get());
        eprintln!("{name}: {strings} strings, {valid} of them valid");
        assert!(valid * 50 > strings && (strings - valid) * 50 > strings);
    }
}

/// The components by name, prospero's fields among them.
fn components<'u>(parsed: &Parsed<'u>) -> Vec<(&'static str, &'u [u8])> {
    let present = parsed.named_parts().into_iter();
    present
        .filter_map(|(name, part)| Some((name, parsed.slice(part?))))
        .collect()
}

/// Each component of a valid URL must be derived from the nonterminal of its name, and together
/// with their separators they must make the URL.
fn components_are_derived(oracle: &mut Oracle, parsed: &Parsed<'_>) -> Result<(), String> {
    let mut rebuilt = parsed.scheme().unwrap_or_default().into_bytes();
    let scheme = Predefined::of(&rebuilt);
    rebuilt.extend_from_slice(match scheme {
        None | Some(Predefined::Mailto | Predefined::News) => b":",
        Some(_) => b"://",
    });
    let mut before = "";
    for (name, text) in components(parsed) {
        rebuilt.extend_from_slice(separator(scheme, before, name).as_bytes());
        rebuilt.extend_from_slice(text);
        before = name;
        let article = [text, b"@h"].concat();
        let (rule, text) = match nonterminal(scheme, name) {
            // `[ host | "localhost" ]` may be empty.
            "host" if scheme == Some(Predefined::File) && text.is_empty() => continue,
            "article" => ("article", &article[..]),
            rule => (rule, text),
        };
        if !oracle.derives(rule, text) {
            let url = parsed.url.escape_ascii();
            return Err(format!("{name} of {url} is no {rule}"));
        }
    }
    // The slash that telnet and gopher may have behind the host is in no component.
    let rest = parsed.url.get(rebuilt.len()..).unwrap_or(b"none");
    let slash = matches!(scheme, Some(Predefined::Telnet | Predefined::Gopher));
    let whole = rest.is_empty() || slash && rest == b"/";
    if !whole || !parsed.url[..rebuilt.len()].eq_ignore_ascii_case(&rebuilt) {
        let (url, rebuilt) = (parsed.url.escape_ascii(), rebuilt.escape_ascii());
        return Err(format!("the components of {url} make {rebuilt}"));
    }
    Ok(())
}

/// The nonterminal that a component is derived from.
fn nonterminal(scheme: Option<Predefined>, name: &'static str) -> &'static str {
    match (scheme, name) {
        (Some(Predefined::Http | Predefined::Https), "path") => "hpath",
        (_, "path") => "fpath",
        // A selector derives `%09` and characters that a search cannot have, so the string is derived anyway.
        (Some(Predefined::Gopher), "search") => "selector",
        (Some(Predefined::News), "group") => "grouppart",
        (Some(Predefined::Nntp), "article") => "digits",
        (_, "typecode") => "ftptype",
        (_, "gopher_plus") => "gopher+_string",
        (_, "addr") => "encoded822addr",
        (_, "hsoname") => "ppath",
        (_, name) => name,
    }
}

/// Returns the separator of two components in the grammar.
fn separator(scheme: Option<Predefined>, before: &str, name: &str) -> &'static str {
    match (scheme, before, name) {
        (_, "user" | "password" | "article", "host") => "@",
        (_, _, "password" | "port") => ":",
        (Some(Predefined::Gopher), _, "search" | "gopher_plus") => "%09",
        (_, _, "search") => "?",
        (_, _, "typecode") => ";type=",
        (_, _, "path" | "gtype" | "database" | "wtype" | "wpath" | "hsoname") => "/",
        (Some(Predefined::Nntp), _, "group" | "article") => "/",
        (_, _, "fieldname") => ";",
        (_, _, "fieldvalue") => "=",
        _ => "",
    }
}

/// Tokens that are inserted into URLs to spoil them, or to mend them by chance.
const TOKENS: &str = r#"; / ? : @ & = # ~ { | \ ^ [ ] ` < > " % %4 %41 %zz %2f %09 - . .. _ + * ' ( ) , $ ! 0 9 a Z
    // :// ;type= ;type=a :80 u@ u:p@ [::1] 1.2.3.4 localhost http =b ;c=d é 😀"#;
const UNPRINTABLE: [&[u8]; 7] = [b" ", b"\t", b"\n", b"\0", b"\x7f", b"\x80", b"\xe9"];

#[test]
fn derivations_and_what_becomes_of_them() {
    let comparison = Comparison::new();
    let printable = TOKENS.split_ascii_whitespace().map(str::as_bytes);
    let tokens: Vec<_> = printable.chain(UNPRINTABLE).collect();
    let derive = |seed| {
        let url = comparison.oracle.borrow().walk(seed);
        let shown = url.escape_ascii();
        assert!(rfc1738::is_valid(&url), "derived, but refused: {shown}");
        url
    };
    derivations(&tokens, derive, |url| comparison.agree(url));
    comparison.summary("walks");
}

#[test]
fn all_short_tails_over_a_small_alphabet() {
    const COMMON: [&str; 12] = ["a", "1", "-", ".", ":", "/", "?", "@", ";", "=", "%41", "~"];
    const STARTS: [(&str, &str, usize); 17] = [
        ("http://", "&", 5),
        ("http://h", "[", 4),
        ("http://h/", "#", 4),
        ("https:", "h", 5),
        ("HTTPS://h", "&", 4),
        ("ftp://", ";type=", 5),
        ("ftp://h/", ";type=a", 5),
        ("file://", "localhost", 5),
        ("gopher://h", "%09", 5),
        ("mailto:", "", 4),
        ("news:", "*", 5),
        ("nntp://h", "+", 5),
        ("telnet://", "h", 5),
        ("wais://h", "_", 5),
        ("prospero://h", "&", 5),
        ("x", "+", 4),
        ("", "http:", 5),
    ];
    let comparison = Comparison::new();
    short_tails(&COMMON, &STARTS, |url| comparison.agree(url));
    comparison.summary("short tails");
}

#[test]
fn every_byte_at_every_place() {
    let comparison = Comparison::new();
    let oracle = Oracle::new();
    let mut random = Random(1738);
    for _ in 0..share(6, 60) {
        let url = oracle.walk(random.below(usize::MAX) as u64);
        every_byte(&url, |url| comparison.agree(url));
    }
    comparison.summary("every byte");
}
