//! Reads the part of ABNF (RFC 5234) that the RFCs of URLs use. Its terminals are code points; here
//! they are symbols, to which [`Alphabet`] assigns one byte each.

use std::collections::HashMap;
use std::iter::Peekable;

use super::bnf::{Grammar, Node, logical_lines, single_or};
use super::walk::Random;

/// Each ASCII character is a symbol; outside ASCII, the characters that no rule distinguishes share
/// one.
pub(crate) struct Alphabet {
    /// The first code point of each symbol from 0x80 on.
    starts: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Literal(String),
    /// Code points, from the first to the last.
    Range(u32, u32),
    /// The minimum and the maximum number of times.
    Repeat(usize, Option<usize>),
    Equals,
    Slash,
    Open,
    Close,
    OpenOptional,
    CloseOptional,
}

impl Alphabet {
    const FIRST: u32 = 0x80;

    /// Makes the symbols that the ranges in `tokens` require.
    fn new<'t>(tokens: impl IntoIterator<Item = &'t Token>) -> Self {
        let mut starts = vec![Self::FIRST];
        for token in tokens {
            if let Token::Range(first, last) = *token {
                starts.extend([first, last + 1]);
            }
        }
        starts.retain(|&start| start >= Self::FIRST);
        starts.sort_unstable();
        starts.dedup();
        assert!(starts.len() <= 0x80, "there are bytes for all symbols");
        Alphabet { starts }
    }

    fn symbol(&self, code: u32) -> u8 {
        if code < Self::FIRST {
            return code as u8;
        }
        (Self::FIRST as usize + self.starts.partition_point(|&start| start <= code) - 1) as u8
    }

    /// Returns the symbols of `text`.
    pub(crate) fn symbols(&self, text: &str) -> Vec<u8> {
        text.chars().map(|c| self.symbol(c.into())).collect()
    }

    /// Returns a text that has these symbols.
    pub(crate) fn text(&self, symbols: &[u8], random: &mut Random) -> String {
        let mut character = |&symbol: &u8| {
            let Some(at) = symbol.checked_sub(Self::FIRST as u8) else {
                return symbol.into();
            };
            let first = self.starts[at as usize];
            let end = self.starts.get(at as usize + 1).unwrap_or(&0x11_0000);
            let code = first + random.below((end - first) as usize) as u32;
            char::from_u32(code).expect("a rule that has surrogates")
        };
        symbols.iter().map(&mut character).collect()
    }

    fn range(&self, first: u32, last: u32) -> Node {
        let (first, last) = (self.symbol(first), self.symbol(last));
        let symbols = first..=last;
        single_or(
            symbols.map(|symbol| Node::Literal(vec![symbol])).collect(),
            Node::Choice,
        )
    }
}

/// Reads the rules of `text`; their names become lower case, as case does not matter.
pub(crate) fn read(text: &str) -> (Grammar, Alphabet) {
    let rules: Vec<_> = logical_lines(text)
        .into_iter()
        .map(|(name, right)| (name.to_ascii_lowercase(), tokens(&right)))
        .collect();
    let alphabet = Alphabet::new(rules.iter().flat_map(|(_, tokens)| tokens));
    let mut grammar = HashMap::new();
    for (name, tokens) in rules {
        let mut tokens = tokens.into_iter().peekable();
        assert_eq!(tokens.next(), Some(Token::Equals), "{name}");
        let node = alternation(&mut tokens, &alphabet);
        assert_eq!(tokens.next(), None, "{name}");
        let before = grammar.insert(name.clone(), node);
        assert_eq!(before, None, "{name} has two rules");
    }
    (Grammar::of(grammar), alphabet)
}

fn tokens(mut text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    loop {
        text = text.trim_start();
        let Some(first) = text.chars().next() else {
            return tokens;
        };
        let (token, len) = match first {
            '=' => (Token::Equals, 1),
            '/' => (Token::Slash, 1),
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            '[' => (Token::OpenOptional, 1),
            ']' => (Token::CloseOptional, 1),
            '"' => {
                let literal = text[1..].split('"').next().unwrap_or_default();
                (Token::Literal(literal.to_owned()), literal.len() + 2)
            }
            '%' => {
                let radix = if text.starts_with("%x") { 16 } else { 10 };
                let len = run(&text[2..], |c| c.is_ascii_hexdigit() || c == '-');
                let range = &text[2..2 + len];
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                let number = |digits| u32::from_str_radix(digits, radix).expect("a number");
                (Token::Range(number(first), number(last)), 2 + len)
            }
            '*' | '0'..='9' => {
                let len = run(text, |c| c.is_ascii_digit() || c == '*');
                let number = |digits: &str| digits.parse().ok();
                let times = match text[..len].split_once('*') {
                    Some((least, most)) => Token::Repeat(number(least).unwrap_or(0), number(most)),
                    None => Token::Repeat(number(&text[..len]).unwrap_or(0), number(&text[..len])),
                };
                (times, len)
            }
            _ => {
                let len = run(text, |c| c.is_ascii_alphanumeric() || c == '-');
                assert!(len > 0, "what is {text:?}?");
                (Token::Name(text[..len].to_ascii_lowercase()), len)
            }
        };
        tokens.push(token);
        text = &text[len..];
    }
}

fn run(text: &str, within: impl Fn(char) -> bool) -> usize {
    text.find(|c| !within(c)).unwrap_or(text.len())
}

fn alternation(tokens: &mut Peekable<impl Iterator<Item = Token>>, alphabet: &Alphabet) -> Node {
    let mut nodes = vec![concatenation(tokens, alphabet)];
    while tokens.next_if_eq(&Token::Slash).is_some() {
        nodes.push(concatenation(tokens, alphabet));
    }
    single_or(nodes, Node::Choice)
}

fn concatenation(tokens: &mut Peekable<impl Iterator<Item = Token>>, alphabet: &Alphabet) -> Node {
    let mut nodes = Vec::new();
    while !matches!(
        tokens.peek(),
        None | Some(Token::Slash | Token::Close | Token::CloseOptional)
    ) {
        nodes.push(repetition(tokens, alphabet));
    }
    assert!(!nodes.is_empty(), "an alternative is empty");
    single_or(nodes, Node::Sequence)
}

fn repetition(tokens: &mut Peekable<impl Iterator<Item = Token>>, alphabet: &Alphabet) -> Node {
    let Some(Token::Repeat(least, most)) = tokens.peek().cloned() else {
        return element(tokens, alphabet);
    };
    tokens.next();
    let node = element(tokens, alphabet);
    let Some(most) = most else {
        assert!(least <= 1, "no rule asks for more");
        return Node::Repeat(least, Box::new(node));
    };
    // As many optional nodes as allowed, each inside the one before.
    let optional = (least..most).fold(None, |inner: Option<Node>, _| {
        let nodes = [Some(node.clone()), inner].into_iter().flatten().collect();
        Some(Node::Optional(Box::new(single_or(nodes, Node::Sequence))))
    });
    let mut nodes = vec![node; least];
    nodes.extend(optional);
    single_or(nodes, Node::Sequence)
}

fn element(tokens: &mut Peekable<impl Iterator<Item = Token>>, alphabet: &Alphabet) -> Node {
    match tokens.next().expect("an element") {
        // Case does not matter in a literal (RFC 5234, section 2.3).
        Token::Literal(literal) => single_or(
            literal.bytes().map(of_either_case).collect(),
            Node::Sequence,
        ),
        Token::Name(name) => Node::Rule(name),
        Token::Range(first, last) => alphabet.range(first, last),
        Token::Open => {
            let node = alternation(tokens, alphabet);
            assert_eq!(tokens.next(), Some(Token::Close));
            node
        }
        Token::OpenOptional => {
            let node = alternation(tokens, alphabet);
            assert_eq!(tokens.next(), Some(Token::CloseOptional));
            Node::Optional(Box::new(node))
        }
        other => panic!("{other:?} begins no element"),
    }
}

fn of_either_case(byte: u8) -> Node {
    let (lower, upper) = (byte.to_ascii_lowercase(), byte.to_ascii_uppercase());
    let mut nodes = vec![Node::Literal(vec![lower])];
    if upper != lower {
        nodes.push(Node::Literal(vec![upper]));
    }
    single_or(nodes, Node::Choice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notation_is_read_as_the_rfc_means_it() {
        let literal = |symbol: u8| Node::Literal(vec![symbol]);
        let rule = |name: &str| Node::Rule(name.into());
        let optional = |node| Node::Optional(Box::new(node));
        let cases = [
            (
                "x = \"a\" / %x30-31 ; a comment",
                Node::Choice(vec![
                    Node::Choice(vec![literal(b'a'), literal(b'A')]),
                    Node::Choice(vec![literal(b'0'), literal(b'1')]),
                ]),
            ),
            (
                "x = 1*2Y\n    [ \";\" ] 2z",
                Node::Sequence(vec![
                    Node::Sequence(vec![rule("y"), optional(rule("y"))]),
                    optional(literal(b';')),
                    Node::Sequence(vec![rule("z"), rule("z")]),
                ]),
            ),
            (
                "x = *2( y ) / 1*z / *z",
                Node::Choice(vec![
                    optional(Node::Sequence(vec![rule("y"), optional(rule("y"))])),
                    Node::Repeat(1, Box::new(rule("z"))),
                    Node::Repeat(0, Box::new(rule("z"))),
                ]),
            ),
            ("x = 0y", Node::Sequence(vec![])),
            // Two symbols: the characters before U+00A0, and those from it on.
            ("x = %xA0-10FFFF", literal(0x81)),
        ];
        for (text, expected) in cases {
            assert_eq!(*read(text).0.rule("x"), expected, "{text}");
        }
    }

    #[test]
    fn symbols_are_what_rules_tell_apart() {
        let (_, alphabet) = read("x = %xA0-D7FF / %xE000-F8FF");
        let symbols = alphabet.symbols("a\u{80}\u{A0}\u{D7FF}\u{E000}\u{10000}");
        assert_eq!(symbols, [b'a', 0x80, 0x81, 0x81, 0x83, 0x84]);
        let text = alphabet.text(&[b'a', 0x81, 0x83], &mut Random(1));
        assert_eq!(alphabet.symbols(&text), [b'a', 0x81, 0x83]);
    }
}
