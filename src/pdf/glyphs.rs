//! Glyphs, as characters with their places.

use std::rc::Rc;

use hayro_font::FontGlyph;
use hayro_font::hayro_cmap::BfString;
use hayro_font::kurbo::{Affine, Point};
use urlint_standard::text::utf8::ligature;

/// The text of a glyph and its place, in the space that it is read in: lines go to the right.
#[derive(Clone, Debug)]
pub(crate) struct Glyph {
    pub(crate) text: Rc<str>,
    /// The direction of its line, in degrees.
    pub(crate) angle: i16,
    pub(crate) start: f64,
    pub(crate) end: f64,
    /// Where its baseline is.
    pub(crate) base: f64,
    pub(crate) size: f64,
    /// Its middle on the page.
    pub(crate) middle: Point,
}

impl Glyph {
    /// A glyph at `place`, which maps an em to the page. Its width, `advance`, is in ems.
    pub(crate) fn new(text: Rc<str>, place: Affine, advance: f64) -> Self {
        let [a, b, c, d, x, y] = place.as_coeffs();
        // Infinite numbers become 0.
        let angle = b.atan2(a).to_degrees().round() as i16;
        let (sin, cos) = f64::from(angle).to_radians().sin_cos();
        let start = x * cos + y * sin;
        Glyph {
            text,
            angle,
            start,
            end: start + advance * a.hypot(b),
            base: y * cos - x * sin,
            size: c.hypot(d),
            middle: place * Point::new(advance / 2.0, 0.25),
        }
    }

    /// Returns the distance from one place to another that is nearly the same.
    pub(crate) fn near(&self) -> f64 {
        0.1 * self.size
    }

    /// Returns whether `other` is the same glyph, drawn again at nearly the same place, as bold text may be.
    pub(crate) fn is_again(&self, other: &Glyph) -> bool {
        (self.start - other.start).abs() < self.near()
            && (self.base - other.base).abs() < self.near()
            && self.text == other.text
    }
}

/// Returns the text of a glyph, without ligatures and with the hyphens, tildes and slashes that URLs have. The codes of
/// a simple font without names are ASCII.
pub(crate) fn text_of(glyph: &FontGlyph<'_>, code: u32, is_simple: bool) -> String {
    let known = match glyph {
        FontGlyph::Outline(outline) => outline.as_unicode(),
        FontGlyph::Type3(drawn) => drawn.as_unicode(),
    };
    let ascii = || char::from_u32(code).filter(|char| is_simple && char.is_ascii());
    let text = match known {
        Some(BfString::Char(char)) => char.to_string(),
        Some(BfString::String(text)) => text,
        None => ascii().unwrap_or(char::REPLACEMENT_CHARACTER).to_string(),
    };
    if text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\u{ad}' | '\u{2010}' | '\u{2011}' | '\u{2212}' => plain.push('-'),
            '\u{2dc}' | '\u{223c}' => plain.push('~'),
            '\u{2215}' | '\u{2044}' => plain.push('/'),
            '\u{a0}' => plain.push(' '),
            _ if char.is_control() => {}
            _ => match ligature(char) {
                Some(letters) => plain.push_str(letters),
                None => plain.push(char),
            },
        }
    }
    plain
}
