//! Lines of glyphs, in reading order.

use crate::glyphs::Glyph;

/// How many lines back a piece of a line that is drawn later may belong to.
const BACK: usize = 40;

/// A gap that is this wide, in ems, is white space.
const GAP: f64 = 0.13;

/// A gap that is this wide, in ems, is between columns.
const WIDE: f64 = 1.8;

/// Puts glyphs into lines. They are drawn in the order of reading, mostly column by column; a piece that
/// is drawn later goes to the line that it touches.
pub(crate) fn lines(glyphs: Vec<Glyph>) -> Vec<Vec<Glyph>> {
    let mut lines: Vec<Vec<Glyph>> = Vec::new();
    // The line that glyphs are being added to, which need not be the last.
    let mut current = 0;
    for glyph in glyphs {
        let last = lines.get(current).and_then(|line| line.last());
        if last.is_some_and(|last| follows(last, &glyph)) {
            lines[current].push(glyph);
            continue;
        }
        let from = lines.len().saturating_sub(BACK);
        let touching = lines[from..].iter().rposition(|line| touches(line, &glyph));
        current = touching.map_or(lines.len(), |at| from + at);
        match lines.get_mut(current) {
            Some(line) => line.push(glyph),
            None => lines.push(vec![glyph]),
        }
    }
    for line in &mut lines {
        line.sort_by(|one, other| one.start.total_cmp(&other.start));
    }
    lines
}

/// Returns whether two glyphs are on the same line; small ones may be raised.
fn is_level(one: &Glyph, other: &Glyph) -> bool {
    let size = one.size.max(other.size);
    one.angle == other.angle && (one.base - other.base).abs() < 0.4 * size
}

fn follows(last: &Glyph, next: &Glyph) -> bool {
    let gap = next.start - last.end;
    let size = last.size.max(next.size);
    is_level(last, next) && gap < WIDE * size && gap > -0.5 * size
}

/// Returns whether a glyph is beside an end of a line.
fn touches(line: &[Glyph], glyph: &Glyph) -> bool {
    let is_beside = |one: &Glyph, other: &Glyph| {
        let gap = other.start - one.end;
        is_level(one, other) && gap.abs() < one.size.max(other.size)
    };
    line.last().is_some_and(|last| is_beside(last, glyph))
        || line.first().is_some_and(|first| is_beside(glyph, first))
}

/// Returns whether white space is between two neighbours on a line, and none of them is white space.
pub(crate) fn is_gap(one: &Glyph, other: &Glyph) -> bool {
    let is_blank = |glyph: &Glyph| glyph.text.trim().is_empty();
    let gap = other.start - one.end;
    gap > GAP * one.size.min(other.size) && !is_blank(one) && !is_blank(other)
}
