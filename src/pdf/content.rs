//! The glyphs that the content of a page shows, with their places (ISO 32000-2, sections 8.4 and 9).

use std::collections::{HashMap, HashSet};
use std::mem;
use std::rc::Rc;
use std::sync::Arc;

use hayro_font::kurbo::{Affine, Rect as Area};
use hayro_font::{
    CMapResolverFn, Font, FontCache, FontQuery, FontResolverFn, GlyphId, UNITS_PER_EM,
};
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{
    Array, Dict, Name, Number, Object, ObjectIdentifier, Rect, Stream, String as Bytes,
};
use hayro_syntax::page::Resources;

use crate::Result;
use crate::bounds::{Budget, PARSED};
use crate::file::File;
use crate::glyphs::{Glyph, text_of};
use crate::tree::Page;

/// The greatest number of glyphs on a page.
const MAX_GLYPHS: usize = 500_000;

/// How many glyphs back one may be that is drawn again, slightly shifted, since it is bold.
const REDRAWN: usize = 128;

/// How deep forms may be drawn in forms.
const MAX_DEPTH: usize = 16;

/// How many states may be saved.
const MAX_SAVED: usize = 512;

/// The costs of a glyph, of any operation, and of a form, as those of so many bytes.
const GLYPH: usize = 32;
const OPERATION: usize = 16;
const FORM: usize = 2048;

/// The flags of an annotation that is hidden or not shown on the screen.
const NOT_SEEN: i32 = 2 | 32;

/// How many groups of content may be switched off.
const MAX_GROUPS: usize = 100_000;

/// How many fonts a file may have.
const MAX_FONTS: usize = 4096;

/// The facts that all pages of a document share.
pub(crate) struct Document<'a> {
    pub(crate) file: &'a File,
    pub(crate) budget: Budget,
    /// The glyphs of the page that is drawn.
    glyphs: Glyphs,
    cache: FontCache<'a>,
    /// The fonts, by their dictionaries.
    fonts: HashMap<&'a [u8], Option<TextFont<'a>>>,
    /// The texts of the glyphs that were shown, by the number of their font and their code.
    texts: HashMap<(usize, u32), Rc<str>>,
    /// The bookmarks, until a page has them, and the URL that targets are relative to.
    pub(crate) outline: Option<ObjectIdentifier>,
    pub(crate) base: Option<Vec<u8>>,
    /// The groups of content that nobody sees unless they are switched on.
    hidden: HashSet<ObjectIdentifier>,
    resolvers: (FontResolverFn, CMapResolverFn),
}

/// A font, its number, and whether its codes are bytes that mostly are ASCII.
#[derive(Clone)]
struct TextFont<'a>(Font<'a>, usize, bool);

/// The glyphs of a page.
#[derive(Default)]
pub(crate) struct Glyphs {
    pub(crate) shown: Drawn,
    /// Text that nobody sees, as below a scanned page.
    pub(crate) invisible: Drawn,
}

/// Glyphs in the order in which they are drawn, and how far those reach that have the baseline of the last one.
#[derive(Default)]
pub(crate) struct Drawn {
    pub(crate) glyphs: Vec<Glyph>,
    base: f64,
    end: f64,
}

impl Drawn {
    /// Adds a glyph, unless it is one of the last ones that is drawn again. One to the right of them is not.
    fn add(&mut self, glyph: Glyph) {
        let recent = &self.glyphs[self.glyphs.len().saturating_sub(REDRAWN)..];
        if self.base != glyph.base {
            let is_on_line = |other: &&Glyph| (glyph.base - other.base).abs() < glyph.size;
            let starts = recent.iter().filter(is_on_line).map(|other| other.start);
            (self.base, self.end) = (glyph.base, starts.fold(f64::NEG_INFINITY, f64::max));
        }
        let is_beyond = glyph.start - self.end > glyph.near();
        let is_new = is_beyond || !recent.iter().any(|other| glyph.is_again(other));
        if self.glyphs.len() < MAX_GLYPHS && is_new {
            self.end = self.end.max(glyph.start);
            self.glyphs.push(glyph);
        }
    }
}

/// The part of the graphics state that text depends on.
#[derive(Clone, Default)]
struct State<'a> {
    matrix: Affine,
    font: Option<TextFont<'a>>,
    size: f64,
    character_spacing: f64,
    word_spacing: f64,
    scaling: f64,
    leading: f64,
    rise: f64,
    is_invisible: bool,
    /// How many forms it is drawn in.
    depth: usize,
    /// The matrices of the text and of its line.
    text: Affine,
    line: Affine,
}

impl<'a> Document<'a> {
    pub(crate) fn new(file: &'a File) -> Self {
        let font: FontResolverFn = Arc::new(|query| {
            Some(match query {
                FontQuery::Standard(standard) => standard.get_font_data(),
                FontQuery::Fallback(other) => other.pick_standard_font().get_font_data(),
            })
        });
        let catalog = file.catalog().unwrap_or_default();
        let base = catalog.get::<Dict<'_>>(b"URI");
        let base = base.and_then(|uri| uri.get::<Bytes<'_>>(b"Base"));
        Document {
            file,
            budget: Budget::new(file.length),
            outline: catalog.get_ref(b"Outlines").map(ObjectIdentifier::from),
            base: base.map(|base| base.as_bytes().to_vec()),
            glyphs: Glyphs::default(),
            cache: FontCache::new(),
            fonts: HashMap::new(),
            texts: HashMap::new(),
            hidden: hidden_groups(file).unwrap_or_default(),
            resolvers: (font, Arc::new(hayro_cmap::load_embedded)),
        }
    }

    /// Returns the glyphs of `page` and of its annotations. Fails with a phrase if they are too many.
    pub(crate) fn glyphs(&mut self, page: &Page<'a>, over: &[Dict<'a>]) -> Result<Glyphs> {
        let mut content = Vec::new();
        let one = page.dict.get::<Stream<'_>>(b"Contents");
        let several = page.dict.get::<Array<'_>>(b"Contents").unwrap_or_default();
        let several: Result<Vec<_>> = self.budget.objects(&several, FORM)?.collect();
        let several = several?.into_iter().filter_map(Object::into_stream);
        self.budget.take(FORM)?;
        for stream in one.into_iter().chain(several) {
            content.extend_from_slice(&self.budget.decoded(&stream)?);
            content.push(b'\n');
        }
        let state = State {
            scaling: 1.0,
            ..State::default()
        };
        let resources = self.resources(page.resources.clone())?;
        self.glyphs = Glyphs::default();
        self.draw(&content, &resources, state.clone())?;
        for annotation in over {
            self.appearance(annotation, &resources, state.clone())?;
        }
        Ok(mem::take(&mut self.glyphs))
    }

    /// Adds the glyphs of an annotation, whose form is drawn in a rectangle (section 12.5.5).
    fn appearance(
        &mut self,
        annotation: &Dict<'a>,
        resources: &Resources<'a>,
        mut state: State<'a>,
    ) -> Result {
        let all = self.budget.entry(annotation, b"AP")?;
        let all = all.and_then(Object::into_dict).unwrap_or_default();
        let form = match self.budget.entry(&all, b"N")? {
            Some(Object::Dict(states)) => match annotation.get::<Name<'_>>(b"AS") {
                Some(name) => self.budget.entry(&states, &name)?,
                None => None,
            },
            form => form,
        };
        let form = form.and_then(Object::into_stream);
        let area = annotation.get::<Rect>(b"Rect");
        let flags = annotation.get::<i32>(b"F").unwrap_or(0);
        let (Some(form), Some(area)) = (form, area.filter(|_| flags & NOT_SEEN == 0)) else {
            return Ok(());
        };
        let drawn = form.dict().get::<Rect>(b"BBox").unwrap_or(area);
        let drawn = Area::new(drawn.x0, drawn.y0, drawn.x1, drawn.y1);
        let drawn = matrix(form.dict()).transform_rect_bbox(drawn);
        let (x, y) = (area.width() / drawn.width(), area.height() / drawn.height());
        state.matrix = Affine::translate((area.x0, area.y0))
            * Affine::scale_non_uniform(x, y)
            * Affine::translate((-drawn.x0, -drawn.y0));
        self.form(&form, resources, &state)
    }

    /// Adds the glyphs of a content.
    fn draw(&mut self, content: &[u8], resources: &Resources<'a>, mut state: State<'a>) -> Result {
        let mut saved = Vec::new();
        // Whether each marked content is seen that has begun.
        let mut marked: Vec<bool> = Vec::new();
        let mut fonts = HashMap::new();
        let mut operations = TypedIter::new(content);
        while let Some(operation) = operations.next() {
            self.budget.take(OPERATION)?;
            let is_seen = marked.last().copied().unwrap_or(true);
            match operation {
                Op::SaveState(_) if saved.len() < MAX_SAVED => saved.push(state.clone()),
                Op::RestoreState(_) => state = saved.pop().unwrap_or(state),
                Op::Transform(to) => {
                    state.matrix *= affine([to.0, to.1, to.2, to.3, to.4, to.5]);
                }
                Op::BeginText(_) => state.set_line(Affine::IDENTITY),
                Op::SetTextMatrix(to) => {
                    state.set_line(affine([to.0, to.1, to.2, to.3, to.4, to.5]));
                }
                Op::NextLine(by) => state.next_line(by.0.as_f64(), by.1.as_f64()),
                Op::NextLineAndSetLeading(by) => {
                    state.leading = -by.1.as_f64();
                    state.next_line(by.0.as_f64(), by.1.as_f64());
                }
                Op::NextLineUsingLeading(_) => state.next_line(0.0, -state.leading),
                Op::CharacterSpacing(by) => state.character_spacing = by.0.as_f64(),
                Op::WordSpacing(by) => state.word_spacing = by.0.as_f64(),
                Op::HorizontalScaling(by) => state.scaling = by.0.as_f64() / 100.0,
                Op::TextLeading(by) => state.leading = by.0.as_f64(),
                Op::TextRise(by) => state.rise = by.0.as_f64(),
                // Neither filled nor stroked.
                Op::TextRenderingMode(mode) => state.is_invisible = mode.0.as_i64() % 4 == 3,
                Op::TextFont(font) => {
                    state.size = font.1.as_f64();
                    let known = fonts.entry(font.0.to_vec());
                    let load = || match resources.get_font(font.0) {
                        Some(dict) => self.font(&dict),
                        None => self.budget.take_other().ok().and(None),
                    };
                    state.font = known.or_insert_with(load).clone();
                }
                Op::ShowText(text) => self.show(&mut state, text.0.as_bytes(), is_seen)?,
                Op::NextLineAndShowText(text) => {
                    state.next_line(0.0, -state.leading);
                    self.show(&mut state, text.0.as_bytes(), is_seen)?;
                }
                Op::ShowTextWithParameters(text) => {
                    state.word_spacing = text.0.as_f64();
                    state.character_spacing = text.1.as_f64();
                    state.next_line(0.0, -state.leading);
                    self.show(&mut state, text.2.as_bytes(), is_seen)?;
                }
                Op::ShowTexts(texts) => {
                    for item in texts.0.iter::<Object<'_>>() {
                        match item {
                            Object::String(text) => {
                                self.show(&mut state, text.as_bytes(), is_seen)?;
                            }
                            // In thousandths of the size.
                            Object::Number(back) => {
                                let by = -back.as_f64() / 1000.0 * state.size;
                                state.go_on(by, by);
                            }
                            _ => {}
                        }
                    }
                }
                Op::XObject(form) if is_seen && state.depth < MAX_DEPTH => {
                    match resources.get_x_object(form.0) {
                        Some(form) => self.form(&form, resources, &state)?,
                        None => self.budget.take_other()?,
                    }
                }
                Op::BeginMarkedContent(_) if marked.len() < MAX_SAVED => marked.push(is_seen),
                Op::BeginMarkedContentWithProperties(marks) if marked.len() < MAX_SAVED => {
                    let all = &resources.properties;
                    let is_hidden =
                        matches!(marks.1, Object::Name(name) if self.is_hidden(all, name));
                    marked.push(is_seen && !is_hidden);
                }
                Op::EndMarkedContent(_) => drop(marked.pop()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds the glyphs of a form; an image has none.
    fn form(&mut self, form: &Stream<'a>, resources: &Resources<'a>, state: &State<'a>) -> Result {
        let dict = form.dict();
        self.budget.take(dict.data().len())?;
        let is_form = dict
            .get::<Name<'_>>(b"Subtype")
            .is_some_and(|name| *name == *b"Form");
        if !is_form || self.is_hidden(dict, &Name::new_unescaped(b"OC")) {
            return Ok(());
        }
        self.budget.take(FORM)?;
        let content = self.budget.decoded(form)?;
        let own = dict.get::<Dict<'_>>(b"Resources");
        let own = own.map(|own| self.resources(own)).transpose()?;
        let mut state = state.clone();
        state.matrix *= matrix(dict);
        state.depth += 1;
        self.draw(&content, own.as_ref().unwrap_or(resources), state)
    }

    /// Adds the glyphs of a string.
    fn show(&mut self, state: &mut State<'a>, text: &[u8], is_seen: bool) -> Result {
        let Some(TextFont(font, number, is_simple)) = state.font.clone() else {
            return Ok(());
        };
        let mut at = 0;
        while at < text.len() {
            let (code, length) = font.read_code(text, at);
            at += length.max(1);
            let advance = font.code_advance(code) / f64::from(UNITS_PER_EM);
            let (size, scaling, rise) = (state.size, state.scaling, state.rise);
            let size = Affine::new([size * scaling, 0.0, 0.0, size, 0.0, rise]);
            let place = state.matrix * state.text * size;
            let is_space = (code, length) == (32, 1);
            let spacing = if is_space { state.word_spacing } else { 0.0 } + state.character_spacing;
            state.go_on(
                advance.x * state.size + spacing,
                advance.y * state.size + spacing,
            );
            let text_of = || text_of(&font.glyph(GlyphId::NOTDEF, code), code, is_simple).into();
            let text = self.texts.entry((number, code)).or_insert_with(text_of);
            let glyph = Glyph::new(Rc::clone(text), place, advance.x);
            self.budget.take(GLYPH + 4 * glyph.text.len())?;
            match state.is_invisible {
                false if is_seen => self.glyphs.shown.add(glyph),
                false => {}
                true => self.glyphs.invisible.add(glyph),
            }
        }
        Ok(())
    }

    /// Returns resources, which are parsed. Fails if that is too much.
    fn resources(&mut self, dict: Dict<'a>) -> Result<Resources<'a>> {
        let length = dict.data().len();
        let all = Resources::new(dict);
        let parts = [&all.fonts, &all.x_objects, &all.properties].map(|part| part.data().len());
        self.budget
            .take((length + parts.iter().sum::<usize>()) / PARSED)?;
        Ok(all)
    }

    /// Returns the font that `dict` describes, if it can be loaded.
    fn font(&mut self, dict: &Dict<'a>) -> Option<TextFont<'a>> {
        self.budget.take(dict.data().len()).ok()?;
        if let Some(known) = self.fonts.get(dict.data()) {
            return known.clone();
        }
        if self.fonts.len() >= MAX_FONTS {
            return None;
        }
        let (fonts, maps) = &self.resolvers;
        let is_allowed = self.budget.take_font(dict).is_ok();
        let font = is_allowed.then(|| self.cache.font(dict, fonts, maps));
        let is_simple = !dict.contains_key(b"DescendantFonts");
        let number = self.fonts.len();
        let font = font.flatten();
        let font = font.map(|font| TextFont(font, number, is_simple));
        self.fonts.insert(dict.data(), font.clone());
        font
    }

    /// Returns whether the group that `name` refers to is switched off.
    fn is_hidden(&self, properties: &Dict<'a>, name: &Name<'_>) -> bool {
        let group = properties.get_ref(name);
        group.is_some_and(|group| self.hidden.contains(&group.into()))
    }
}

impl State<'_> {
    fn set_line(&mut self, line: Affine) {
        (self.text, self.line) = (line, line);
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.set_line(self.line * Affine::translate((x, y)));
    }

    /// Goes on by a distance along the line, which is one of two.
    fn go_on(&mut self, x: f64, y: f64) {
        let is_horizontal = self.font.as_ref().is_none_or(|font| font.0.is_horizontal());
        self.text *= Affine::translate(if is_horizontal {
            (x * self.scaling, 0.0)
        } else {
            (0.0, y)
        });
    }
}

fn affine(numbers: [Number; 6]) -> Affine {
    Affine::new(numbers.map(|number| number.as_f64()))
}

/// Returns the matrix of a form.
fn matrix(form: &Dict<'_>) -> Affine {
    let matrix = form.get::<[f64; 6]>(b"Matrix");
    matrix.map_or(Affine::IDENTITY, Affine::new)
}

/// Returns the groups of content that are switched off at first (section 8.11.4).
fn hidden_groups(file: &File) -> Option<HashSet<ObjectIdentifier>> {
    let groups = file
        .catalog()?
        .get::<Dict<'_>>(b"OCProperties")?
        .get::<Dict<'_>>(b"D")?;
    let off = groups.get::<Array<'_>>(b"OFF")?;
    let off = off.raw_iter().filter_map(|item| item.as_obj_ref());
    Some(off.map(ObjectIdentifier::from).take(MAX_GROUPS).collect())
}
