//! A page as HTML: its lines, with the links at their words.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashSet;

use encoding_rs::{UTF_8, WINDOWS_1252};
use hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, Rect};
use htmlize::escape_attribute;
use memchr::memmem;
use urlint_standard::url::{resolve, unescaped};

use crate::Result;
use crate::bounds::Budget;
use crate::content::{Document, Glyphs};
use crate::glyphs::Glyph;
use crate::lines::{is_gap, lines};
use crate::tree::Page;

/// The greatest number of links on a page.
const MAX_LINKS: usize = 10_000;

/// The cost of an annotation, which is parsed again for each page that has it, as that of so many bytes of content.
const ANNOTATION: usize = 512;

/// A link, and where its words are: one rectangle for each line.
#[derive(Default)]
struct Link {
    target: String,
    words: String,
    areas: Vec<Rect>,
    /// Whether the words are the target.
    is_shown: bool,
    is_written: bool,
}

/// Returns a page. Fails with a phrase if it draws too much.
pub(crate) fn html<'a>(page: &Page<'a>, document: &mut Document<'a>) -> Result<String> {
    let annotations = annotations(page, &mut document.budget)?;
    let Glyphs { shown, invisible } = document.glyphs(page, &annotations)?;
    let crop = page.area();
    let mut seen = shown.glyphs;
    if crop.width() > 1.0 && crop.height() > 1.0 {
        seen.retain(|glyph| is_in(&crop, glyph, 1.0));
    }
    if seen.is_empty() {
        seen = invisible.glyphs;
    }
    let lines = lines(seen);
    let mut links = links(&annotations, document)?;
    bookmarks(document, &mut links)?;
    let notes = notes(&annotations, &mut document.budget)?;
    // The link of each glyph, in the order of the lines.
    let all = || lines.iter().flatten();
    let owners = owners(all(), &links, &mut document.budget)?;
    for (glyph, owner) in all().zip(&owners) {
        if let Some(number) = owner {
            links[*number].words.push_str(&glyph.text);
        }
    }
    for link in &mut links {
        link.is_shown = is_same(&link.words, &link.target);
    }
    list_once(&mut links);
    let is_dropped = |owner: &Option<usize>| owner.is_some_and(|number| links[number].is_shown);
    let mut dropped: Vec<bool> = owners.iter().map(is_dropped).collect();
    drop_targets(&lines, &links, &mut dropped, &mut document.budget);
    let title = document.file.parsed.metadata().title.as_deref();
    let title = text(title.unwrap_or_default());
    let html = written(&title, &lines, &owners, &dropped, &mut links, &notes);
    document.budget.take(html.len())?;
    Ok(html)
}

fn is_in(area: &Rect, glyph: &Glyph, margin: f64) -> bool {
    let middle = glyph.middle;
    (area.x0 - margin..=area.x1 + margin).contains(&middle.x)
        && (area.y0 - margin..=area.y1 + margin).contains(&middle.y)
}

/// Marks links as written whose targets another link of the page lists, unless their words are a URL themselves, with
/// which the target is compared.
fn list_once(links: &mut [Link]) {
    let mut listed = HashSet::new();
    // The words that are the target come first.
    for is_shown in [true, false] {
        for link in links.iter_mut().filter(|link| link.is_shown == is_shown) {
            let is_url = link.words.contains("://") && !link.words.contains(&link.target);
            link.is_written = !listed.insert(link.target.clone()) && !is_url;
        }
    }
}

/// Drops glyphs that are the target of a link, wherever they stand on the page: broken over lines, or beside the link.
fn drop_targets(lines: &[Vec<Glyph>], links: &[Link], dropped: &mut [bool], budget: &mut Budget) {
    let (mut flat, mut glyphs) = (String::new(), Vec::new());
    // Whether white space is before each glyph.
    let mut apart = Vec::new();
    for line in lines {
        for (at, glyph) in line.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &line[before]);
            let text = glyph.text.trim();
            flat.push_str(text);
            glyphs.extend(text.bytes().map(|_| apart.len()));
            let is_space = |before: &Glyph| is_gap(before, glyph) || before.text.trim().is_empty();
            apart.push(before.is_none_or(is_space));
        }
    }
    let mut targets: Vec<&str> = links.iter().map(|link| &*link.target).collect();
    targets.retain(|target| target.contains("://"));
    targets.sort_unstable_by_key(|target| (Reverse(target.len()), *target));
    targets.dedup();
    let is_edge = |at: usize| glyphs.get(at).is_none_or(|glyph| apart[*glyph]);
    let is_url = |at: usize| {
        let byte = flat.as_bytes().get(at);
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"/-_~%=&#+@?".contains(byte))
    };
    for target in targets {
        if budget.take(flat.len() / 16).is_err() {
            return;
        }
        for start in memmem::find_iter(flat.as_bytes(), target) {
            let end = start + target.len();
            // It is neither the beginning nor the end of another URL.
            let begins = is_edge(start) || !is_url(start - 1);
            let ends = is_edge(end) || !is_url(end) && (is_edge(end + 1) || !is_url(end + 1));
            let all = glyphs[start]..=glyphs[end - 1];
            if begins && ends && !dropped[all.clone()].contains(&true) {
                dropped[all].fill(true);
            }
        }
    }
}

/// Returns the link that each glyph is in. Fails if there are too many of both.
fn owners<'g>(
    glyphs: impl Iterator<Item = &'g Glyph>,
    links: &[Link],
    budget: &mut Budget,
) -> Result<Vec<Option<usize>>> {
    let mut areas: Vec<(&Rect, usize)> = Vec::new();
    for (number, link) in links.iter().enumerate() {
        areas.extend(link.areas.iter().map(|area| (area, number)));
    }
    let mut last = 0;
    let find = |glyph: &Glyph| {
        let is_here = |(area, _): &(&Rect, usize)| is_in(area, glyph, 0.0);
        // Mostly it is that of the glyph before.
        if !areas.get(last).is_some_and(is_here) {
            budget.take(areas.len())?;
            match areas.iter().position(is_here) {
                Some(area) => last = area,
                None => return Ok(None),
            }
        }
        Ok(Some(areas[last].1))
    };
    glyphs.map(find).collect()
}

/// Returns the annotations of a page. Fails if they are too many.
fn annotations<'a>(page: &Page<'a>, budget: &mut Budget) -> Result<Vec<Dict<'a>>> {
    let all = page.dict.get::<Array<'_>>(b"Annots").unwrap_or_default();
    let all: Result<Vec<_>> = budget.objects(&all, ANNOTATION)?.take(MAX_LINKS).collect();
    Ok(all?.into_iter().filter_map(Object::into_dict).collect())
}

/// Returns the links of a page. One whose words are on several lines has an annotation for each.
fn links(annotations: &[Dict<'_>], document: &mut Document<'_>) -> Result<Vec<Link>> {
    let mut links: Vec<Link> = Vec::new();
    for annotation in annotations {
        let target = target(annotation, document)?;
        let (Some(target), Some(area)) = (target, annotation.get::<Rect>(b"Rect")) else {
            continue;
        };
        let is_next_line = |last: &&mut Link| {
            let above = last.areas.last();
            last.target == target
                && above.is_some_and(|above| {
                    let height = above.height().max(area.height());
                    area.y1 < above.y1 - height * 0.3 && above.y0 - area.y1 < height
                })
        };
        match links.last_mut().filter(is_next_line) {
            Some(link) => link.areas.push(area),
            None => links.push(Link {
                target,
                areas: vec![area],
                ..Link::default()
            }),
        }
    }
    Ok(links)
}

/// Adds the targets of the bookmarks, which the first page has.
fn bookmarks(document: &mut Document<'_>, links: &mut Vec<Link>) -> Result {
    let (mut open, mut seen) = (Vec::from_iter(document.outline.take()), HashSet::new());
    while let Some(id) = open.pop().filter(|_| seen.len() < MAX_LINKS) {
        document.budget.take(ANNOTATION)?;
        let item = document.file.parsed.xref().get::<Dict<'_>>(id);
        let Some(item) = item.filter(|_| seen.insert(id)) else {
            document.budget.take_other()?;
            continue;
        };
        document.budget.take(item.data().len())?;
        links.extend(target(&item, document)?.map(|target| Link {
            target,
            ..Link::default()
        }));
        let others = [item.get_ref(b"Next"), item.get_ref(b"First")];
        open.extend(others.into_iter().flatten().map(ObjectIdentifier::from));
    }
    Ok(())
}

/// Returns the target of an annotation or a bookmark: a URL, or the name of a file if it is one.
fn target(owner: &Dict<'_>, document: &mut Document<'_>) -> Result<Option<String>> {
    let budget = &mut document.budget;
    let action = budget.entry(owner, b"A")?;
    let action = action.and_then(Object::into_dict).unwrap_or_default();
    let target = match budget.entry(&action, b"URI")? {
        None => {
            let file = match budget.entry(&action, b"F")? {
                Some(Object::Dict(file)) => budget.entry(&file, b"F")?,
                file => file,
            };
            let file = file.and_then(Object::into_string);
            file.filter(|name| memmem::find(name.as_bytes(), b"://").is_some())
        }
        target => target.and_then(Object::into_string),
    };
    let Some(target) = target else {
        return Ok(None);
    };
    let target = text(target.as_bytes());
    let base = document.base.as_deref();
    let whole = base.and_then(|base| resolve(base, target.as_bytes()));
    let whole = whole.and_then(|whole| String::from_utf8(whole).ok());
    Ok(Some(whole.unwrap_or_else(|| target.into_owned())))
}

/// Returns the texts of annotations that they do not draw: notes, free text, and values of fields.
fn notes(annotations: &[Dict<'_>], budget: &mut Budget) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    for annotation in annotations {
        let kind = annotation.get::<Name<'_>>(b"Subtype");
        let key: &[u8] = match kind.as_deref() {
            Some(b"Widget" | b"FreeText") if annotation.contains_key(b"AP") => continue,
            Some(b"Widget") => b"V",
            Some(b"Link") | None => continue,
            Some(_) => b"Contents",
        };
        let note = budget.entry(annotation, key)?;
        let note = note.and_then(Object::into_string);
        notes.extend(note.map(|note| text(note.as_bytes()).into_owned()));
    }
    Ok(notes)
}

/// Returns whether the words of a link are its target, whole or without its scheme and `www`.
fn is_same(words: &str, target: &str) -> bool {
    let letters = |text: &str| -> String {
        let is_kept = |char: &char| char.is_alphanumeric();
        text.chars()
            .filter(is_kept)
            .flat_map(char::to_lowercase)
            .collect()
    };
    let target = unescaped(target.as_bytes());
    let (shown, whole) = (letters(words), letters(&text(&target)));
    let rest = whole.strip_suffix(&*shown).unwrap_or("-");
    words.contains(['.', ':', '@'])
        && matches!(
            rest,
            "" | "http" | "https" | "ftp" | "mailto" | "httpwww" | "httpswww"
        )
}

/// Around the lines of a page. Text that other programs make of PDF has form feeds, too.
pub(super) const START: &str = "<pre>\u{c}\n";
pub(super) const END: &str = "\u{c}</pre>\n";

fn written(
    title: &str,
    lines: &[Vec<Glyph>],
    owners: &[Option<usize>],
    dropped: &[bool],
    links: &mut [Link],
    notes: &[String],
) -> String {
    let mut html = String::from("<meta charset=\"utf-8\"><title>");
    escape(&mut html, title);
    html.push_str("</title>");
    html.push_str(START);
    let mut owners = owners.iter().copied().zip(dropped);
    let mut open = None;
    for line in lines {
        let mut before: Option<&Glyph> = None;
        for glyph in line {
            let (owner, is_dropped) = owners.next().unwrap_or((None, &false));
            let is_apart = before.is_some_and(|before| is_gap(before, glyph));
            if open.is_some() && open != owner {
                html.push_str("</a>");
                open = None;
            }
            if is_apart {
                html.push(' ');
            }
            let link = owner.and_then(|number| links.get_mut(number));
            if let Some(link) = link.filter(|link| !link.is_written) {
                link.is_written = true;
                anchor(&mut html, &link.target);
                if link.is_shown {
                    html.push_str("</a>");
                } else {
                    open = owner;
                }
            }
            if !is_dropped {
                escape(&mut html, &glyph.text);
            }
            before = Some(glyph);
        }
        html.push('\n');
    }
    if open.is_some() {
        html.push_str("</a>");
    }
    for link in links.iter().filter(|link| !link.is_written) {
        anchor(&mut html, &link.target);
        html.push_str("</a>\n");
    }
    for line in notes.iter().flat_map(|note| note.split(['\r', '\n'])) {
        escape(&mut html, line);
        html.push('\n');
    }
    html.push_str(END);
    html
}

fn anchor(html: &mut String, target: &str) {
    html.push_str("<a href=\"");
    escape(html, target);
    html.push_str("\">");
}

/// Returns a text string of the document (section 7.9.2.2), whose first bytes say how it is encoded. Without them it is
/// UTF-8, or else Latin-1.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    match UTF_8.decode(bytes) {
        (text, _, false) => text,
        _ => WINDOWS_1252.decode(bytes).0,
    }
}

fn escape(html: &mut String, text: &str) {
    // Most glyphs are one letter.
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return html.push_str(text);
    }
    html.push_str(&escape_attribute(text.replace(char::is_control, "")));
}
