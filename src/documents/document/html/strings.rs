//! HTML in the strings of other documents.

use std::ops::Range;

use super::Page;
use crate::document::markup::MarkupTexts;
use crate::document::texts::Texts;
use crate::document::{Kind, Parts, Scope};
use urlint_view::View;

/// Adds the parts of `strings` to those of their document. Each string is a page of its own. They are not edited.
pub(crate) fn add_strings(strings: Texts, scope: Scope, parts: &mut Parts<'_>) {
    let Texts { view, ranges } = strings;
    if ranges.is_empty() {
        return;
    }
    let text = view.text();
    let scope = Scope {
        is_nested: true,
        ..scope
    };
    let (mut texts, mut inner) = (MarkupTexts::new(scope), Parts::default());
    for Range { start, end } in ranges {
        texts.begin_page(start);
        let mut page = Page {
            texts,
            position: start,
            text: start,
            ..Page::new(&text[..end], scope)
        };
        page.read();
        if let Some((rest, _)) = page.unfinished {
            inner.lines(View::borrowed(&text[rest..end], rest as u64));
        }
        texts = page.texts;
    }
    texts.finish(&mut inner, add_strings);
    inner.set_kind(Kind::Html);
    (inner.parts.iter_mut()).for_each(|part| part.is_carried = true);
    parts.add_within(&view, inner);
}
