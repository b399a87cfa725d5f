//! A JSON object for each diagnostic, a line each or all in an array; keys and their order are a
//! contract.

use std::io::{self, Write};

use urlint::{Diagnostic, Fix};

use super::excerpt::Place;
use super::{Render, Report, json};

pub(crate) struct JsonLines;

/// The same objects in one array.
#[derive(Default)]
pub(crate) struct Json {
    items: json::Items,
    object: Object,
}

/// A diagnostic as an object, in a buffer that is used again.
#[derive(Default)]
struct Object {
    bytes: Vec<u8>,
}

impl Object {
    fn of(&mut self, path: &[u8], place: &Place<'_>, diagnostic: &Diagnostic) -> &[u8] {
        self.bytes.clear();
        json::object(&mut self.bytes, |object| {
            fill(object, path, place, diagnostic);
        });
        &self.bytes
    }
}

impl Report for Json {
    fn report(
        &mut self,
        out: &mut dyn Write,
        path: &[u8],
        place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()> {
        self.items.next(out, b"[")?;
        out.write_all(self.object.of(path, place, diagnostic))
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.items.end(out, b"[", b"]\n")
    }
}

impl Report for JsonLines {
    fn report(
        &mut self,
        out: &mut dyn Write,
        path: &[u8],
        place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()> {
        self.render(out, path, place, diagnostic)
    }

    fn renderer(&self) -> Option<Box<dyn Render>> {
        Some(Box::new(JsonLines))
    }
}

impl Render for JsonLines {
    fn render(
        &self,
        out: &mut dyn Write,
        path: &[u8],
        place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()> {
        out.write_all(Object::default().of(path, place, diagnostic))?;
        out.write_all(b"\n")
    }
}

fn fill(object: &mut json::Object<'_>, path: &[u8], place: &Place<'_>, diagnostic: &Diagnostic) {
    let spans = &diagnostic.spans;
    let (start, end) = place.range(diagnostic);
    object.string("path", path);
    object.optional("member", place.part.name().as_deref());
    object.string("rule", diagnostic.rule.name().as_bytes());
    object.string("severity", diagnostic.severity.name().as_bytes());
    object.string("message", diagnostic.message.as_bytes());
    let url = diagnostic.url.as_deref().unwrap_or_default();
    object.string("url", url.as_bytes());
    object.number("start", spans.start());
    object.number("end", spans.end());
    object.number("line", start.line);
    object.number("column", start.column);
    object.number("end_line", end.line);
    object.number("end_column", end.column);
    json::list(object.field("pieces"), diagnostic.pieces.iter(), json::pair);
    object.strings("notes", &diagnostic.notes);
    object.strings("alternatives", &diagnostic.alternatives);
    match &diagnostic.fix {
        Some(fix) => json::object(object.field("fix"), |object| fill_fix(object, fix)),
        None => object.null("fix"),
    }
}

fn fill_fix(object: &mut json::Object<'_>, fix: &Fix) {
    object.string("message", fix.message.as_bytes());
    object.string("applicability", fix.applicability.name().as_bytes());
    json::list(object.field("edits"), &fix.edits, |out, edit| {
        json::object(out, |object| {
            object.number("start", edit.span.start);
            object.number("end", edit.span.end);
            object.string("replacement", edit.replacement.as_bytes());
        });
    });
}
