//! Recognizers built from grammars: [`Oracle`] for RFC 1738, [`uri::Oracle`] for RFC 3986.
//!
//! The recognizer for RFC 1738 shares nothing with the judge: it reads the grammar as section 5
//! prints it (`fixtures/rfc1738.bnf`) and applies the four decisions, each in one place: O1 in
//! [`bnf`], the others in [`Oracle`].

mod abnf;
mod automaton;
mod bnf;
#[cfg(test)]
mod tests;
pub(crate) mod uri;
mod walk;

use std::collections::HashMap;

use automaton::Automaton;
use bnf::{Grammar, Node};
pub(crate) use walk::Random;

const BNF: &str = include_str!("../../../fixtures/rfc1738.bnf");

/// A recognizer of the texts that section 5 derives.
pub(crate) struct Oracle {
    grammar: Grammar,
    /// The names of the ten schemes with productions of their own, as written in the productions.
    schemes: Vec<Vec<u8>>,
    predefined: Automaton,
    genericurl: Automaton,
    others: HashMap<&'static str, Automaton>,
}

impl Oracle {
    pub(crate) fn new() -> Self {
        let grammar = Grammar::read(BNF);
        let (schemes, predefined) = predefined(&grammar);
        let predefined = Automaton::new(&grammar, &Node::Choice(predefined));
        let genericurl = Automaton::new(&grammar, grammar.rule("genericurl"));
        Oracle {
            grammar,
            schemes,
            predefined,
            genericurl,
            others: HashMap::new(),
        }
    }

    pub(crate) fn schemes(&self) -> &[Vec<u8>] {
        &self.schemes
    }

    /// Returns whether `url` can be derived from the grammar with O1 to O4.
    pub(crate) fn accepts(&mut self, url: &[u8]) -> bool {
        let (scheme, url) = decision_o4(decision_o3(url));
        self.predefined.accepts(&url) || !self.decision_o2(&scheme) && self.genericurl.accepts(&url)
    }

    /// O2: `otherurl` is not for the schemes that have productions of their own; otherwise it would
    /// derive everything that those reject.
    fn decision_o2(&self, scheme: &[u8]) -> bool {
        self.schemes.iter().any(|name| name == scheme)
    }

    /// Returns whether `text` can be derived from one rule.
    pub(crate) fn derives(&mut self, rule: &'static str, text: &[u8]) -> bool {
        self.others
            .entry(rule)
            .or_insert_with(|| Automaton::new(&self.grammar, self.grammar.rule(rule)))
            .accepts(text)
    }

    /// Returns a random derivation of `url`.
    pub(crate) fn walk(&self, seed: u64) -> Vec<u8> {
        let mut url = Vec::new();
        let start = self.grammar.rule("url");
        walk::walk(&self.grammar, start, &mut Random(seed), &mut url);
        url
    }
}

/// O3: case does not matter in a scheme (section 2.1); productions write it in lower case.
fn decision_o3(url: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut url = url.to_vec();
    let len = url.iter().position(|&byte| byte == b':').unwrap_or(0);
    url[..len].make_ascii_lowercase();
    (url[..len].to_vec(), url)
}

/// O4: https has the form of http, and is judged by its production.
fn decision_o4((scheme, url): (Vec<u8>, Vec<u8>)) -> (Vec<u8>, Vec<u8>) {
    match url.strip_prefix(b"https:") {
        Some(rest) => (b"http".to_vec(), [b"http:", rest].concat()),
        None => (scheme, url),
    }
}

/// Returns the alternatives of `url` except `otherurl`, and the schemes that they begin with.
fn predefined(grammar: &Grammar) -> (Vec<Vec<u8>>, Vec<Node>) {
    let Node::Choice(mut nodes) = grammar.rule("url").clone() else {
        panic!("url has alternatives");
    };
    nodes.retain(|node| *node != Node::Rule("otherurl".to_owned()));
    let schemes = nodes.iter().map(|node| {
        let literal = grammar.first_literal(node);
        let colon = literal.iter().position(|&byte| byte == b':');
        literal[..colon.expect("a colon ends the scheme")].to_vec()
    });
    (schemes.collect(), nodes)
}
