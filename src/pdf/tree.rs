//! The tree of pages, each of whose nodes is read once.

use std::collections::HashSet;
use std::iter;

use hayro_syntax::object::{Array, Dict, MaybeRef, Name, ObjRef, Object, Rect};
use hayro_syntax::page::A4;

use crate::Result;
use crate::bounds::Budget;
use crate::file::File;

/// The cost of a node, as that of so many bytes.
const NODE: usize = 64;

/// A page.
#[derive(Default)]
pub(crate) struct Page<'a> {
    pub(crate) dict: Dict<'a>,
    pub(crate) resources: Dict<'a>,
    media: Option<Rect>,
    crop: Option<Rect>,
}

impl<'a> Page<'a> {
    /// The node that `dict` describes, which inherits from `parent`.
    fn new(dict: Dict<'a>, parent: &Page<'a>) -> Self {
        let resources = dict.get(b"Resources");
        Page {
            resources: resources.unwrap_or_else(|| parent.resources.clone()),
            media: dict.get(b"MediaBox").or(parent.media),
            crop: dict.get(b"CropBox").or(parent.crop),
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
    file: &'a File,
    /// The nodes that have been begun, each with the rest of its children.
    open: Vec<(Page<'a>, Kids<'a>)>,
    /// The nodes that are referred to, and where the dictionaries of all nodes are.
    seen: (HashSet<ObjRef>, HashSet<*const u8>),
    /// The byte where the file is cut off, or of a node with a child that is missing or is there twice.
    pub(crate) damaged: Option<usize>,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(file: &'a File) -> Self {
        let pages = file.catalog().and_then(|catalog| catalog.get(b"Pages"));
        let without_pages = pages.is_none().then(|| file.place(file.root));
        // Without a tree, any object that has content may be a page.
        let has_content = |dict: &Dict<'_>| dict.contains_key(b"Contents");
        let objects = file.parsed.objects().into_iter();
        let kids: Box<dyn Iterator<Item = Dict<'a>>> = match pages {
            Some(pages) => Box::new(iter::once(pages)),
            None => Box::new(objects.filter_map(Object::into_dict).filter(has_content)),
        };
        let kids = Box::new(kids.map(|kid| MaybeRef::NotRef(Object::Dict(kid))));
        Tree {
            file,
            open: vec![(Page::default(), kids)],
            seen: Default::default(),
            damaged: file.cut.or(without_pages),
        }
    }

    /// Returns the next page. Fails if the budget is spent.
    pub(crate) fn next(&mut self, budget: &mut Budget) -> Result<Option<Page<'a>>> {
        while let Some((parent, kids)) = self.open.last_mut() {
            budget.take(NODE)?;
            let Some(kid) = kids.next() else {
                self.open.pop();
                continue;
            };
            let dict = match kid {
                MaybeRef::Ref(id) if !self.seen.0.insert(id) => None,
                MaybeRef::Ref(id) => self.file.parsed.xref().get::<Dict<'_>>(id.into()),
                MaybeRef::NotRef(object) => object.into_dict(),
            };
            let Some(dict) = dict.filter(|dict| self.seen.1.insert(dict.data().as_ptr())) else {
                let node = parent.dict.obj_id();
                self.damaged.get_or_insert(self.file.place(node));
                continue;
            };
            budget.take(dict.data().len())?;
            let node = Page::new(dict, parent);
            if let Some(kids) = node.dict.get::<Array<'_>>(b"Kids") {
                self.open.push((node, Box::new(kids.raw_iter())));
            } else if node.dict.get::<Name<'_>>(b"Type").as_deref() == Some(b"Pages") {
                let node = node.dict.obj_id();
                self.damaged.get_or_insert(self.file.place(node));
            } else {
                return Ok(Some(node));
            }
        }
        Ok(None)
    }
}
