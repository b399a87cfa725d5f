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
mod glyphs;
mod lines;
mod page;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};

use hayro_syntax::{DecryptionError, LoadPdfError, Pdf as Parsed};

use content::Document;

/// The greatest length of a PDF, in bytes; it is held in memory.
pub const MAX_LENGTH: usize = 256 << 20;

/// The greatest number of pages that are read.
pub const MAX_PAGES: usize = 20_000;

/// The greatest number of objects in a PDF.
const MAX_OBJECTS: usize = 4_000_000;

/// A PDF whose pages can be read.
///
/// ```
/// use urlint_pdf::Pdf;
///
/// assert_eq!(Pdf::open(b"%PDF-1.4".to_vec()).err(), Some("a damaged PDF"));
/// ```
pub struct Pdf(Parsed);

impl Pdf {
    /// Opens a PDF; an encrypted one with the empty password. Fails with a phrase that says why it is not read.
    pub fn open(bytes: Vec<u8>) -> Result<Self, &'static str> {
        if bytes.len() > MAX_LENGTH {
            return Err("a PDF of more than 256 MiB, which is not opened");
        }
        bounds::check_file(&bytes)?;
        match contained(|| Parsed::new(bytes)) {
            Some(Ok(pdf)) if pdf.len() > MAX_OBJECTS => Err("a PDF of too many objects"),
            Some(Ok(pdf)) => Ok(Pdf(pdf)),
            Some(Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))) => {
                Err("a PDF that is encrypted with a password")
            }
            Some(Err(LoadPdfError::Decryption(_))) => {
                Err("a PDF whose encryption is not supported")
            }
            Some(Err(LoadPdfError::Invalid)) | None => Err("a damaged PDF"),
        }
    }

    /// Passes each page to `take`, with its number from 1 on: its HTML, or a phrase that says why there is
    /// none. Fails with the error of `take`.
    ///
    /// ```
    /// # fn pages(pdf: &urlint_pdf::Pdf) {
    /// let _ = pdf.pages::<()>(|number, page| {
    ///     println!("{number}: {page:?}");
    ///     Ok(())
    /// });
    /// # }
    /// ```
    pub fn pages<E>(
        &self,
        mut take: impl FnMut(usize, Result<String, &'static str>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut document = Document::new(&self.0);
        for (index, page) in self.0.pages().iter().take(MAX_PAGES).enumerate() {
            let html = contained(|| page::html(&self.0, page, &mut document));
            take(index + 1, html.unwrap_or(Err("a damaged page")))?;
            if document.budget.is_spent() {
                return Ok(());
            }
        }
        if self.0.pages().len() > MAX_PAGES {
            take(
                MAX_PAGES + 1,
                Err("one page too many, so the rest is not read"),
            )?;
        }
        Ok(())
    }
}

/// Runs code of the crate that parses; `None` if it panics. It has been written for sound files,
/// and a hostile one must end its page and not the run. Nothing that it borrows is used after that.
fn contained<T>(run: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run)).ok()
}
