//! Turns a rule into a recognizer. No rule refers to itself, so the language is regular. The
//! deterministic automaton is built lazily, as the strings that are tested require.

use std::collections::HashMap;

use super::bnf::{Grammar, Node};

type ByteSet = Box<[bool; 256]>;

enum State {
    Byte(ByteSet, usize),
    Split(Vec<usize>),
    Accept,
}

const UNKNOWN: u32 = u32::MAX;

/// Recognizes the texts that can be derived from one node of a grammar.
pub(crate) struct Automaton {
    states: Vec<State>,
    /// The sets of `states` met so far, sorted.
    sets: Vec<Vec<usize>>,
    numbers: HashMap<Vec<usize>, u32>,
    table: Vec<[u32; 256]>,
    accepting: Vec<bool>,
}

impl Automaton {
    pub(crate) fn new(grammar: &Grammar, node: &Node) -> Self {
        let mut states = vec![State::Accept];
        let start = compile(grammar, node, 0, &mut states);
        let mut automaton = Automaton {
            states,
            sets: Vec::new(),
            numbers: HashMap::new(),
            table: Vec::new(),
            accepting: Vec::new(),
        };
        automaton.number([start]);
        automaton
    }

    pub(crate) fn accepts(&mut self, text: &[u8]) -> bool {
        let mut at = 0;
        for &byte in text {
            let mut next = self.table[at as usize][byte as usize];
            if next == UNKNOWN {
                next = self.step(at, byte);
                self.table[at as usize][byte as usize] = next;
            }
            at = next;
        }
        self.accepting[at as usize]
    }

    fn step(&mut self, at: u32, byte: u8) -> u32 {
        let next: Vec<usize> = self.sets[at as usize]
            .iter()
            .filter_map(|&state| match &self.states[state] {
                State::Byte(set, next) if set[byte as usize] => Some(*next),
                _ => None,
            })
            .collect();
        self.number(next)
    }

    /// Returns the number of the set of all states that can be reached from `states` without
    /// reading a byte.
    fn number(&mut self, states: impl IntoIterator<Item = usize>) -> u32 {
        let mut set: Vec<usize> = Vec::new();
        let mut pending: Vec<usize> = states.into_iter().collect();
        while let Some(state) = pending.pop() {
            if set.contains(&state) {
                continue;
            }
            set.push(state);
            if let State::Split(next) = &self.states[state] {
                pending.extend(next);
            }
        }
        set.sort_unstable();
        let new = self.sets.len() as u32;
        let number = *self.numbers.entry(set.clone()).or_insert(new);
        if number == new {
            self.accepting.push(set.contains(&0));
            self.sets.push(set);
            self.table.push([UNKNOWN; 256]);
        }
        number
    }
}

/// Adds the states that read `node` and then continue with `next`; returns the first of them.
fn compile(grammar: &Grammar, node: &Node, next: usize, states: &mut Vec<State>) -> usize {
    let state = if let Some(set) = byte_set(grammar, node) {
        State::Byte(set, next)
    } else {
        match node {
            Node::Literal(literal) => {
                return literal.iter().rfold(next, |next, &byte| {
                    states.push(State::Byte(one_byte(byte), next));
                    states.len() - 1
                });
            }
            Node::Rule(name) => return compile(grammar, grammar.rule(name), next, states),
            Node::Sequence(nodes) => {
                return nodes
                    .iter()
                    .rfold(next, |next, node| compile(grammar, node, next, states));
            }
            Node::Choice(nodes) => State::Split(
                nodes
                    .iter()
                    .map(|node| compile(grammar, node, next, states))
                    .collect(),
            ),
            Node::Optional(node) => State::Split(vec![compile(grammar, node, next, states), next]),
            Node::Repeat(least, node) => {
                let again = states.len();
                states.push(State::Split(Vec::new()));
                let body = compile(grammar, node, again, states);
                states[again] = State::Split(vec![body, next]);
                return if *least == 0 { again } else { body };
            }
        }
    };
    states.push(state);
    states.len() - 1
}

/// Returns the bytes that `node` stands for, if it derives nothing but single bytes.
fn byte_set(grammar: &Grammar, node: &Node) -> Option<ByteSet> {
    match node {
        Node::Literal(literal) => match literal[..] {
            [byte] => Some(one_byte(byte)),
            _ => None,
        },
        Node::Rule(name) => byte_set(grammar, grammar.rule(name)),
        Node::Choice(nodes) => {
            let mut union = Box::new([false; 256]);
            for node in nodes {
                let set = byte_set(grammar, node)?;
                for (all, one) in union.iter_mut().zip(set.iter()) {
                    *all |= one;
                }
            }
            Some(union)
        }
        _ => None,
    }
}

fn one_byte(byte: u8) -> ByteSet {
    let mut set = Box::new([false; 256]);
    set[byte as usize] = true;
    set
}
