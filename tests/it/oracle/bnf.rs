//! Reads the notation of section 5: that of RFC 822, with brackets around optional or repeated
//! elements.

use std::collections::HashMap;
use std::iter::Peekable;

/// One element of a rule's right side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Literal(Vec<u8>),
    Rule(String),
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
    Optional(Box<Node>),
    /// At least this many times.
    Repeat(usize, Box<Node>),
}

/// The rules by name.
#[derive(Debug)]
pub(crate) struct Grammar {
    rules: HashMap<String, Node>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Literal(Vec<u8>),
    Equals,
    Bar,
    Star,
    One,
    Open,
    Close,
    BareSlash,
}

impl Grammar {
    /// Panics if `text` is not in the notation of section 5.
    pub(crate) fn read(text: &str) -> Self {
        let mut rules = HashMap::new();
        for (name, right) in logical_lines(text) {
            let mut tokens = tokens(&right).into_iter().map(decision_o1).peekable();
            assert_eq!(tokens.next(), Some(Token::Equals), "{name}");
            let node = choice(&mut tokens);
            assert_eq!(tokens.next(), None, "{name}");
            let before = rules.insert(name.clone(), node);
            assert_eq!(before, None, "{name} has two rules");
        }
        Grammar { rules }
    }

    /// Makes a grammar of `rules`, read from another notation.
    pub(super) fn of(rules: HashMap<String, Node>) -> Self {
        Grammar { rules }
    }

    pub(crate) fn rule(&self, name: &str) -> &Node {
        self.rules
            .get(name)
            .unwrap_or_else(|| panic!("there is no rule {name}"))
    }

    /// Returns the names of the rules, sorted.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.rules.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// Returns the literal that everything derived from `node` begins with.
    pub(crate) fn first_literal<'g>(&'g self, node: &'g Node) -> &'g [u8] {
        match node {
            Node::Literal(literal) => literal,
            Node::Rule(name) => self.first_literal(self.rule(name)),
            Node::Sequence(nodes) | Node::Choice(nodes) => self.first_literal(&nodes[0]),
            Node::Optional(_) | Node::Repeat(..) => panic!("{node:?} may be empty"),
        }
    }
}

/// O1: the slash without quotation marks in `gopherurl` is a literal (erratum 5118).
fn decision_o1(token: Token) -> Token {
    match token {
        Token::BareSlash => Token::Literal(b"/".to_vec()),
        other => other,
    }
}

/// Returns each rule's name, and its right side with the equals sign, with continuation lines
/// joined.
pub(super) fn logical_lines(text: &str) -> Vec<(String, String)> {
    let mut rules: Vec<(String, String)> = Vec::new();
    for line in text.lines().map(without_comment) {
        if line.trim().is_empty() {
            continue;
        }
        if line.starts_with(' ') {
            let last = rules.last_mut().expect("a rule goes on");
            last.1.push_str(line);
        } else {
            let (name, right) = line.split_once(' ').expect("a rule has a right side");
            rules.push((name.to_owned(), right.to_owned()));
        }
    }
    rules
}

/// Removes the comment, which begins with a semicolon outside quotation marks.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            // `<">` is one quotation mark, not the start of a literal.
            b'"' if !line[..at].ends_with('<') || quoted => quoted = !quoted,
            b';' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

fn tokens(mut text: &str) -> Vec<Token> {
    const NAME: fn(char) -> bool = |c| c.is_ascii_alphanumeric() || "-_+".contains(c);
    let mut tokens = Vec::new();
    loop {
        text = text.trim_start();
        let Some(first) = text.chars().next() else {
            return tokens;
        };
        let (token, len) = match first {
            '=' => (Token::Equals, 1),
            '|' => (Token::Bar, 1),
            '*' => (Token::Star, 1),
            '[' => (Token::Open, 1),
            ']' => (Token::Close, 1),
            '/' => (Token::BareSlash, 1),
            '1' if text.starts_with("1*") => (Token::One, 1),
            '<' if text.starts_with("<\">") => (Token::Literal(b"\"".to_vec()), 3),
            '"' => {
                // No escapes: `"\"` is a backslash.
                let literal = text[1..].split('"').next().unwrap_or_default();
                (Token::Literal(literal.into()), literal.len() + 2)
            }
            _ => {
                let len = text.find(|c| !NAME(c)).unwrap_or(text.len());
                assert!(len > 0, "what is {text:?}?");
                (Token::Name(text[..len].to_owned()), len)
            }
        };
        tokens.push(token);
        text = &text[len..];
    }
}

fn choice(tokens: &mut Peekable<impl Iterator<Item = Token>>) -> Node {
    let mut nodes = vec![sequence(tokens)];
    while tokens.next_if_eq(&Token::Bar).is_some() {
        nodes.push(sequence(tokens));
    }
    single_or(nodes, Node::Choice)
}

fn sequence(tokens: &mut Peekable<impl Iterator<Item = Token>>) -> Node {
    let mut nodes = Vec::new();
    while !matches!(tokens.peek(), None | Some(Token::Bar | Token::Close)) {
        nodes.push(element(tokens));
    }
    assert!(!nodes.is_empty(), "an alternative is empty");
    single_or(nodes, Node::Sequence)
}

fn element(tokens: &mut Peekable<impl Iterator<Item = Token>>) -> Node {
    match tokens.next().expect("an element") {
        Token::Literal(literal) => Node::Literal(literal),
        Token::Name(name) => Node::Rule(name),
        Token::Open => Node::Optional(Box::new(bracketed(tokens))),
        Token::Star => repeated(0, tokens),
        Token::One => {
            assert_eq!(tokens.next(), Some(Token::Star));
            repeated(1, tokens)
        }
        other => panic!("{other:?} begins no element"),
    }
}

/// Brackets after a star group the repeated elements; they do not make them optional.
fn repeated(least: usize, tokens: &mut Peekable<impl Iterator<Item = Token>>) -> Node {
    let node = match tokens.next_if_eq(&Token::Open) {
        Some(_) => bracketed(tokens),
        None => element(tokens),
    };
    Node::Repeat(least, Box::new(node))
}

fn bracketed(tokens: &mut Peekable<impl Iterator<Item = Token>>) -> Node {
    let node = choice(tokens);
    assert_eq!(tokens.next(), Some(Token::Close));
    node
}

pub(super) fn single_or(mut nodes: Vec<Node>, several: fn(Vec<Node>) -> Node) -> Node {
    match nodes.len() {
        1 => nodes.remove(0),
        _ => several(nodes),
    }
}
