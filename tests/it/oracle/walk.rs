//! Random derivations: a walk down the grammar's own tree writes a string of its language.

use super::bnf::{Grammar, Node};

/// SplitMix64: small, and the same everywhere for the same seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) as usize % bound
    }
}

/// Appends a string that `node` derives.
pub(crate) fn walk(grammar: &Grammar, node: &Node, random: &mut Random, out: &mut Vec<u8>) {
    match node {
        Node::Literal(literal) => out.extend_from_slice(literal),
        Node::Rule(name) => walk(grammar, grammar.rule(name), random, out),
        Node::Sequence(nodes) => {
            for node in nodes {
                walk(grammar, node, random, out);
            }
        }
        Node::Choice(nodes) => walk(grammar, &nodes[random.below(nodes.len())], random, out),
        Node::Optional(node) => {
            // Present more often than absent: the interesting parts are nested.
            if random.below(4) > 0 {
                walk(grammar, node, random, out);
            }
        }
        Node::Repeat(least, node) => {
            for _ in 0..*least {
                walk(grammar, node, random, out);
            }
            while random.below(3) > 0 {
                walk(grammar, node, random, out);
            }
        }
    }
}
