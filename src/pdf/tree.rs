//! The tree of pages, each of whose nodes is read once.

use std::collections::HashSet;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, Rect};
use hayro_syntax::page::A4;

use crate::bounds::Budget;

/// The cost of a node, as that of so many bytes.
const NODE: usize = 64;

/// A page.
#[derive(Clone)]
pub(crate) struct Page<'a> {
    pub(crate) dict: Dict<'a>,
    pub(crate) resources: Dict<'a>,
    media: Option<Rect>,
    crop: Option<Rect>,
}

impl<'a> Page<'a> {
    /// The node that `dict` describes, which inherits from `parent`.
    fn new(dict: Dict<'a>, parent: Option<&Page<'a>>) -> Self {
        let inherited = parent.map(|parent| (parent.resources.clone(), parent.media, parent.crop));
        let (resources, media, crop) = inherited.unwrap_or_default();
        Page {
            resources: dict.get(b"Resources").unwrap_or(resources),
            media: dict.get(b"MediaBox").or(media),
            crop: dict.get(b"CropBox").or(crop),
            dict,
        }
    }

    /// The part of the page that is seen.
    pub(crate) fn area(&self) -> Rect {
        let media = self.media.unwrap_or(A4);
        self.crop.unwrap_or(media).intersect(media)
    }
}

/// The children of a node.
type Kids<'a> = Box<dyn Iterator<Item = MaybeRef<Object<'a>>> + 'a>;

/// The pages of a file, in order.
pub(crate) struct Tree<'a> {
    pdf: &'a Pdf,
    /// The nodes that have been begun, each with the rest of its children.
    open: Vec<(Page<'a>, Kids<'a>)>,
    /// Where the dictionaries of nodes are.
    seen: HashSet<*const u8>,
    /// Whether a node is missing, or is there twice.
    pub(crate) is_damaged: bool,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(pdf: &'a Pdf, root: Option<ObjectIdentifier>) -> Self {
        let mut tree = Tree {
            pdf,
            open: Vec::new(),
            seen: HashSet::new(),
            is_damaged: false,
        };
        let catalog = root.and_then(|root| pdf.xref().get::<Dict<'_>>(root));
        let pages = catalog.and_then(|catalog| catalog.get::<Dict<'_>>(b"Pages"));
        let is_open = pages.is_some_and(|pages| {
            tree.seen.insert(pages.data().as_ptr());
            tree.enter(Page::new(pages, None))
        });
        if !is_open {
            // Any object that has content may be a page.
            tree.is_damaged = true;
            let objects = pdf.objects().into_iter().filter_map(Object::into_dict);
            let pages = objects.filter(|dict| dict.contains_key(b"Contents"));
            let pages = pages.map(|page| MaybeRef::NotRef(Object::Dict(page)));
            tree.open
                .push((Page::new(Dict::empty(), None), Box::new(pages)));
        }
        tree
    }

    /// Begins a node that has children.
    fn enter(&mut self, node: Page<'a>) -> bool {
        let kids = node.dict.get::<Array<'_>>(b"Kids");
        let is_open = kids.is_some();
        self.open.extend(kids.map(|kids| {
            let kids: Kids<'a> = Box::new(kids.raw_iter());
            (node, kids)
        }));
        is_open
    }

    /// Returns the next page. Fails if the budget is spent.
    pub(crate) fn next(&mut self, budget: &mut Budget) -> Result<Option<Page<'a>>, &'static str> {
        while let Some((parent, kids)) = self.open.last_mut() {
            budget.take(NODE)?;
            let Some(kid) = kids.next() else {
                self.open.pop();
                continue;
            };
            let dict = match kid {
                MaybeRef::Ref(id) => self.pdf.xref().get::<Dict<'_>>(id.into()),
                MaybeRef::NotRef(object) => object.into_dict(),
            };
            let Some(dict) = dict.filter(|dict| self.seen.insert(dict.data().as_ptr())) else {
                self.is_damaged = true;
                continue;
            };
            budget.take(dict.data().len())?;
            let kind = dict.get::<Name<'_>>(b"Type");
            let node = Page::new(dict, Some(parent));
            if kind.is_none_or(|kind| &*kind != b"Pages") {
                return Ok(Some(node));
            }
            self.is_damaged |= !self.enter(node);
        }
        Ok(None)
    }
}
