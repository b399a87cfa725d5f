//! PDFs, read page by page: each page becomes a document of HTML.
//!
//! A [`Pdf`] gives each page as a document of one `<pre>`, which has the lines of the page in reading order. Links
//! stand at the words below them. If these words are the target itself, only the target is
//! kept, so that the URL stands there once.
//!
//! ```
//! assert!(urlint_pdf::Pdf::open(b"no PDF".to_vec()).is_err());
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod bounds;
mod content;
mod file;
mod glyphs;
mod lines;
mod page;
#[cfg(test)]
mod tests;
mod tree;

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use hayro_syntax::object::{Name, Stream};

use bounds::Budget;
use content::Document;
use file::File;
use tree::Tree;

/// A result, or a phrase that says why there is none.
type Result<T = ()> = std::result::Result<T, &'static str>;

/// The greatest length of a PDF, in bytes; it is held in memory.
pub const MAX_LENGTH: usize = 256 << 20;

/// The greatest number of pages that are read.
pub const MAX_PAGES: usize = 20_000;

/// A PDF whose pages can be read.
///
/// ```
/// use urlint_pdf::Pdf;
///
/// assert_eq!(Pdf::open(b"%PDF-1.4".to_vec()).err(), Some("a damaged PDF"));
/// ```
pub struct Pdf(File);

impl Pdf {
    /// Opens a PDF; an encrypted one with the empty password. Fails with a phrase that says why it is not read.
    pub fn open(bytes: Vec<u8>) -> std::result::Result<Self, &'static str> {
        if bytes.len() > MAX_LENGTH {
            return Err("a PDF of more than 256 MiB, which is not opened");
        }
        file::open(bytes).map(Pdf)
    }

    /// Returns the attached files that can be decoded, each with its media type or an empty one.
    ///
    /// ```
    /// # fn attached(pdf: &urlint_pdf::Pdf) {
    /// for (media_type, bytes) in pdf.attached() {
    ///     println!("{} bytes of {media_type}", bytes.len());
    /// }
    /// # }
    /// ```
    pub fn attached(&self) -> impl Iterator<Item = (String, Vec<u8>)> {
        let mut budget = Budget::new(self.0.length);
        let mut decoded = move |file: Stream<'_>| {
            let kind = file.dict().get::<Name<'_>>(b"Subtype");
            let kind = String::from_utf8_lossy(kind.as_deref().unwrap_or_default()).into_owned();
            Some((kind, budget.decoded(&file).ok()?.into_owned()))
        };
        let files = self.0.attached();
        files.filter_map(move |file| contained(|| decoded(file)).flatten())
    }

    /// Passes each page to `take`, with its number from 1 on: its HTML, or a phrase that says why there is none. A fault
    /// of the file itself comes last, with its byte instead of a page. Fails with the error of `take`.
    ///
    /// ```
    /// # fn pages(pdf: &urlint_pdf::Pdf) {
    /// let _ = pdf.pages::<()>(|place, page| {
    ///     println!("{place:?}: {page:?}");
    ///     Ok(())
    /// });
    /// # }
    /// ```
    pub fn pages<E>(
        &self,
        mut take: impl FnMut(Place, Result<String>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let file = &self.0;
        let mut damaged = Some(file.place(file.root));
        if let Some((mut document, mut tree)) = contained(|| (Document::new(file), Tree::new(file)))
        {
            for number in 1.. {
                let Some(next) = contained(|| tree.next(&mut document.budget)) else {
                    break;
                };
                let html = match next {
                    Ok(None) => {
                        damaged = tree.damaged;
                        break;
                    }
                    Ok(Some(_)) if number > MAX_PAGES => {
                        Err("one page too many, so the rest is not read")
                    }
                    Ok(Some(page)) => contained(|| page::html(&page, &mut document))
                        .unwrap_or(Err("a damaged page")),
                    Err(why) => Err(why),
                };
                take(Place::Page(number), html)?;
                if document.budget.is_spent() || number > MAX_PAGES {
                    return Ok(());
                }
            }
        }
        match damaged {
            Some(byte) => take(Place::Byte(byte), Err(DAMAGED_TREE)),
            None => Ok(()),
        }
    }
}

/// Returns whether `page`, as [`Pdf::pages`] gives it, has neither text nor links, as one that was scanned.
///
/// ```
/// assert!(urlint_pdf::is_blank("<title></title><pre>\u{c}\n\u{c}</pre>\n"));
/// assert!(!urlint_pdf::is_blank("<title></title><pre>\u{c}\nA line\n\u{c}</pre>\n"));
/// ```
#[must_use]
pub fn is_blank(page: &str) -> bool {
    let text = page.strip_suffix(page::END);
    text.is_some_and(|text| text.ends_with(page::START))
}

const DAMAGED_TREE: &str = "a damaged PDF, some of whose pages may be missing";

/// The place of a page, or of a fault of the file.
///
/// ```
/// assert_ne!(urlint_pdf::Place::Page(1), urlint_pdf::Place::Byte(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The number of a page, from 1 on.
    Page(usize),
    /// An offset in the file, in bytes.
    Byte(usize),
}

/// Runs code of the crate that parses; `None` if it panics. It has been written for sound files,
/// and a hostile one must end its page and not the run. Nothing that it borrows is used after that. Nobody is told of
/// the panic.
fn contained<T>(run: impl FnOnce() -> T) -> Option<T> {
    thread_local!(static IS_CONTAINED: Cell<bool> = const { Cell::new(false) });
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_CONTAINED.get() {
                report(panic);
            }
        }));
    });
    let before = IS_CONTAINED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(run)).ok();
    IS_CONTAINED.set(before);
    result
}
