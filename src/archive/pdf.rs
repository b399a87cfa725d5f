//! PDFs, whose members are pages.

use std::io::{self, Read};

use urlint_documents::document::Kind;
use urlint_pdf::{MAX_LENGTH, Pdf, Place, is_blank};

use super::peek::PeekReader;
use super::{Skipped, Source, Unpacker};

const SCANNED: Skipped<'static> =
    Skipped::Document("a PDF without text, perhaps scanned (ocrmypdf FILE NEW adds the text)");

impl<E: From<io::Error>> Unpacker<'_, E> {
    /// Passes on the pages of a PDF, each as HTML, and then the attached files.
    pub(super) fn pdf(&mut self, source: &Source, reader: &mut PeekReader<'_>) -> Result<(), E> {
        let mut bytes = Vec::new();
        reader.take(MAX_LENGTH as u64 + 1).read_to_end(&mut bytes)?;
        let pdf = match Pdf::open(bytes) {
            Ok(pdf) => pdf,
            Err(why) => return self.damaged(source, why, 0),
        };
        let mut is_empty = None;
        pdf.pages(|place, page| {
            let number = match place {
                Place::Page(number) => number,
                Place::Byte(at) => {
                    let why = page.err().unwrap_or_default();
                    return self.damaged(source, why, at as u64);
                }
            };
            let mut member = source.member(format!("page {number}").as_bytes());
            match page {
                _ if self.budget.is_spent() => Ok(()),
                Ok(html) => {
                    is_empty = Some(is_blank(&html) && is_empty != Some(false));
                    member.kind = Some(Kind::Html);
                    self.decompressed(&member, html.as_bytes()).map(drop)
                }
                Err(why) => {
                    is_empty = Some(false);
                    self.damaged(&member, why, 0)
                }
            }
        })?;
        for (number, (media_type, bytes)) in (1..).zip(pdf.attached()) {
            let mut member = source.member(format!("attached file {number}").as_bytes());
            member.kind = Kind::from_media_type(media_type.as_bytes());
            self.decompressed(&member, &*bytes)?;
        }
        match is_empty {
            Some(true) => self.skipped(source, SCANNED),
            _ => Ok(()),
        }
    }
}
