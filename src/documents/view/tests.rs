//! Views compared with a model that keeps the source of each byte, and chains of decoders compared
//! with encoders that keep the place of each character.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use urlint_testing::encoded::*;
use urlint_testing::tries;

/// A view, and the source of each of its bytes.
#[derive(Clone, Debug)]
struct Model {
    view: View<'static>,
    sources: Vec<Span>,
    /// The source offset of the next addition.
    at: u64,
}

impl Model {
    fn new(at: u64) -> Self {
        Model {
            view: View::new(Layer::Opaque),
            sources: Vec::new(),
            at,
        }
    }

    fn add(&mut self, addition: &Addition) {
        let Addition { unit, len, gap } = *addition;
        self.at += gap;
        let at = self.at;
        let bytes: Vec<u8> = (0..len).map(|i| b'a' + (at + i) as u8 % 26).collect();
        let (count, spans): (u64, Vec<Span>) = match unit {
            Unit::Each(1) => {
                self.view.copy(&bytes, at);
                let span = |i| Span::new(at + i, at + i + 1);
                (len, (0..len).map(span).collect())
            }
            Unit::Each(width) => {
                let width = u64::from(width);
                let span = |i| Span::new(at + i * width, at + (i + 1) * width);
                let spans: Vec<Span> = (0..len).map(span).collect();
                for (byte, span) in bytes.iter().zip(&spans) {
                    self.view.push(*byte, span.start, width);
                }
                (len * width, spans)
            }
            Unit::Together(width) => {
                let span = Span::new(at, at + u64::from(width));
                self.view.push_together(&bytes, span);
                (span.len(), vec![span; len as usize])
            }
            Unit::Characters { len: of, width, .. } => {
                let whole = len - len % u64::from(of);
                let bytes = &bytes[..whole as usize];
                let (of_bytes, width_bytes) = (u64::from(of), u64::from(width));
                for (i, character) in bytes.chunks(of.into()).enumerate() {
                    let source = at + i as u64 * width_bytes;
                    self.view.push_character(character, source, width);
                }
                let span = |i: u64| {
                    let start = at + i / of_bytes * width_bytes;
                    Span::new(start, start + width_bytes)
                };
                let count = whole / of_bytes * width_bytes;
                (count, (0..whole).map(span).collect())
            }
            Unit::Base64 { .. } => {
                self.view.push_base64(&bytes, at);
                let span = |i: u64| {
                    let start = at + i / 3 * 4 + i % 3;
                    Span::new(start, start + 2)
                };
                (len.div_ceil(3) * 4, (0..len).map(span).collect())
            }
        };
        self.sources.extend(spans);
        self.at += count;
    }

    fn of(additions: &[Addition]) -> Self {
        let mut model = Model::new(0);
        additions.iter().for_each(|addition| model.add(addition));
        model
    }

    /// The model without the bytes whose source goes past `end`.
    fn within(mut self, end: usize) -> Self {
        let fits = |span: &&Span| span.end <= end as u64;
        let len = self.sources.iter().take_while(fits).count();
        self.sources.truncate(len);
        self.view.text.to_mut().truncate(len);
        self.view.runs.retain(|run| run.start < len);
        self
    }

    /// The span from the first to the last source byte of `span`.
    fn hull(&self, span: Span) -> Span {
        let sources = &self.sources[span.start as usize..span.end as usize];
        let start = sources.iter().map(|span| span.start).min();
        let end = sources.iter().map(|span| span.end).max();
        Span::new(start.unwrap(), end.unwrap())
    }
}

/// A number of bytes added to a view, their unit, and their distance in the source from the bytes
/// before.
#[derive(Clone, Debug)]
struct Addition {
    unit: Unit,
    len: u64,
    gap: u64,
}

fn additions() -> impl Strategy<Value = Vec<Addition>> {
    let unit = prop_oneof![
        3 => Just(Unit::Each(1)),
        1 => (2..5u32).prop_map(Unit::Each),
        1 => (1..6u32).prop_map(Unit::Together),
        1 => (2..5u8, 1..4u8).prop_map(|(len, width)| Unit::Characters { len, width, missing: 0 }),
        1 => Just(Unit::Base64 { missing: 0 }),
    ];
    let addition = (unit, 1..12u64, prop_oneof![2 => Just(0), 1 => 0..4u64])
        .prop_map(|(unit, len, gap)| Addition { unit, len, gap });
    prop::collection::vec(addition, 1..8)
}

fn sources_of(view: &View<'_>) -> Vec<Span> {
    (0..view.text().len())
        .map(|at| view.source_of(at))
        .collect()
}

fn range_of(from: Index, to: Index, len: usize) -> Range<usize> {
    let (from, to) = (from.index(len + 1), to.index(len + 1));
    from.min(to)..from.max(to)
}

proptest! {
    #![proptest_config(tries(256))]

    #[test]
    fn bytes_come_from_where_they_were_taken(additions in additions()) {
        let model = Model::of(&additions);
        prop_assert_eq!(sources_of(&model.view), model.sources);
    }

    #[test]
    fn a_range_comes_from_where_its_bytes_do(additions in additions(), from: Index, to: Index) {
        let model = Model::of(&additions);
        let range = range_of(from, to, model.sources.len());
        let mapped = model.view.map(range.clone());
        let whole = model.view.map_whole(Span::new(range.start as u64, range.end as u64));
        if range.is_empty() {
            prop_assert!(mapped.is_empty() && whole.is_empty());
        } else {
            let mut spans = Spans::from(model.sources[range.start]);
            model.sources[range.clone()].iter().for_each(|&span| spans.push(span));
            prop_assert_eq!(&mapped, &spans);
            prop_assert_eq!(whole, Span::new(spans.start(), spans.end()));
        }
    }

    #[test]
    fn shifting_moves_all(additions in additions(), by in 0..1000u64) {
        let model = Model::of(&additions);
        let mut shifted = model.view.clone();
        shifted.shift(by);
        let moved = |span: &Span| Span::new(span.start + by, span.end + by);
        let expected: Vec<_> = model.sources.iter().map(moved).collect();
        prop_assert_eq!(sources_of(&shifted), expected);
    }

    #[test]
    fn one_view_after_another(first in additions(), second in additions()) {
        let first = Model::of(&first);
        let second = Model::of(&second).within(first.sources.len());
        let composed = first.view.compose(second.view.clone());
        prop_assert_eq!(composed.text(), second.view.text());
        let expected: Vec<_> = second.sources.iter().map(|&span| first.hull(span)).collect();
        prop_assert_eq!(sources_of(&composed), expected);
    }

    #[test]
    fn composing_is_associative(first in additions(), second in additions(), third in additions()) {
        let first = Model::of(&first);
        let second = Model::of(&second).within(first.sources.len());
        let third = Model::of(&third).within(second.sources.len());
        let left = first.view.compose(second.view.clone()).compose(third.view.clone());
        let right = first.view.compose(second.view.compose(third.view));
        prop_assert_eq!(sources_of(&left), sources_of(&right));
        prop_assert_eq!(left.layers, right.layers);
    }

    #[test]
    fn a_run_reaches_as_far_as_its_bytes_do(addition in additions(), cut: Index, limit in 0..80u64) {
        let model = Model::of(&addition[..1]);
        prop_assume!(!model.sources.is_empty());
        let at = cut.index(model.sources.len());
        let run = model.view.runs[0].cut(at, at);
        let before = |span: &&Span| span.end <= limit;
        let expected = at + model.sources[at..].iter().take_while(before).count();
        prop_assert_eq!(run.reach(limit).min(model.sources.len()), expected.max(at));
    }
}

/// Runs of composed views stay few, so that a long view takes little memory.
#[test]
fn composing_keeps_runs() {
    let part = View::borrowed(&[b' '; 100], 7);
    let mut encoded = View::new(Layer::Opaque);
    encoded.push_base64(&[0; 60], 3);
    assert_eq!(part.compose(encoded).runs.len(), 1);
    let quoted = quoted_printable(&b"=D6=D0".repeat(20));
    let characters = charset::decode(quoted.text(), b"gbk").unwrap();
    let composed = quoted.compose(characters);
    assert_eq!(composed.runs.len(), 1);
    assert_eq!(composed.map(3..6), Span::new(6, 12).into());
}

#[test]
fn an_empty_range() {
    let view = quoted_printable(b"a=3Db");
    let cases = [(0, 0, 0), (1, 1, 1), (2, 4, 4), (3, 5, 5), (9, 5, 5)];
    for (at, before, after) in cases {
        assert_eq!(view.map(at..at), Span::new(before, before).into(), "{at}");
        let span = Span::new(at as u64, at as u64);
        assert_eq!(view.map_whole(span), Span::new(after, after), "{at}");
    }
    // After the byte before it, not before the byte after it.
    let view = quoted_printable(b"a=\nb");
    assert_eq!(view.map(1..1), Span::new(3, 3).into());
    assert_eq!(view.map_whole(Span::new(1, 1)), Span::new(1, 1));
    let nothing = quoted_printable(b"=\n");
    assert_eq!(nothing.map(0..0), Span::new(0, 0).into());
    assert_eq!(nothing.map_whole(Span::new(0, 0)), Span::new(0, 0));
}

fn decoded<'v>(view: View<'v>, decode: impl Fn(&[u8]) -> View<'static>) -> View<'static> {
    let next = decode(view.text());
    view.compose(next)
}

proptest! {
    #![proptest_config(tries(1000))]

    /// Law 1 through a chain of decoders: a charset in base64 in quoted-printable, at an offset.
    #[test]
    fn a_chain_of_decoders(
        (encoding, text) in charsets(),
        width in 1..30usize,
        choices in prop::collection::vec(any::<u8>(), 1..20),
        offset in 0..50u64,
    ) {
        let characters = in_charset(&text, encoding);
        let source = in_quoted_printable(&in_base64(&characters, width), &choices);
        let bytes = bytes_of(&source);
        let part = View::borrowed(&bytes, offset);
        let view = decoded(decoded(part, quoted_printable), base64);
        let label = encoding.name().as_bytes();
        let last = charset::decode(view.text(), label).unwrap();
        let view = view.compose(last);
        prop_assert_eq!(view.text(), text.as_bytes());
        for (index, (at, character)) in text.char_indices().enumerate() {
            let carries = |of: &&(usize, &(u8, Vec<usize>))| of.1.1.contains(&index);
            let carried: Vec<usize> = source.iter().enumerate().filter(|of| carries(&of)).map(|of| of.0).collect();
            let (first, last) = (carried[0] as u64, carried[carried.len() - 1] as u64);
            let span = Span::new(at as u64, (at + character.len_utf8()) as u64);
            prop_assert_eq!(view.map_whole(span), Span::new(first + offset, last + 1 + offset));
        }
    }

}
