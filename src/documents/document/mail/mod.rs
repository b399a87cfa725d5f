//! Messages of mail and news (RFC 5322) and their bodies (RFC 2045 to 2049).

mod header;
mod kind;

use std::collections::HashSet;
use std::ops::Range;

use header::Header;

use super::prose::Prose;
use super::{Content, Kind, MAX_DOCUMENT, Parts, Scope, set_base};
use urlint_find::scan::next_trigger;
use urlint_mail::entity::{Entity, Transfer};
use urlint_mail::structure::{Item, Section, walk};
use urlint_mail::{Attachment, mbox, shown};
use urlint_standard::text::Span;
use urlint_view::{Layer, View, charset, flowed, transfer};

/// The greatest depth of messages that are encoded in one another.
const MAX_ENCODED_DEPTH: u8 = 8;

/// Adds the parts of what is read as one message.
pub(super) fn parts_of_message<'s>(source: &'s [u8], scope: Scope, parts: &mut Parts<'s>) {
    if let Some(range) = in_emlx(source) {
        let mut inner = Parts::default();
        message(&source[range.clone()], scope, 0, &mut inner);
        return parts.add_at(range.start as u64, inner);
    }
    if let Some(at) = second_message(source) {
        let what = "a mailbox, read as one message; `--type mbox` reads it as many";
        parts.warn(Span::new(at as u64, at as u64), what);
    }
    message(source, scope, 0, parts);
}

/// The range of the message in a file of Apple Mail: its length stands before it, and a property list follows.
fn in_emlx(source: &[u8]) -> Option<Range<usize>> {
    let end = memchr::memchr(b'\n', &source[..source.len().min(32)])?;
    let length = std::str::from_utf8(&source[..end]).ok()?;
    let length: usize = length.trim_ascii().parse().ok()?;
    let start = end + 1;
    (length <= source.len() - start).then(|| start..start + length)
}

/// The text of each body of type `text` of a message of mail or news, decoded and, if the charset
/// is known, in UTF-8; HTML is still HTML. Bodies of attached messages are included, unless the
/// attached message is encoded as a whole.
///
/// Hidden, since the library returns candidates rather than texts; a test compares the decoded
/// texts with another implementation's.
#[doc(hidden)]
pub fn text_bodies(message: &[u8]) -> Vec<View<'_>> {
    let mut bodies = Vec::new();
    let mut parts = Parts::default();
    let mut reader = MessageReader::new(message, Scope::default(), 0, &mut parts);
    walk(message, &mut |item, _| {
        if let Item::Body { range, entity, .. } = item
            && entity.media().starts_with(b"text/")
        {
            bodies.push(reader.decoded(range, entity));
        }
    });
    bodies
}

/// Adds the parts of a message that is encoded in `depth` others.
pub(super) fn message<'s>(source: &'s [u8], scope: Scope, depth: u8, parts: &mut Parts<'s>) {
    let mut header = Header::new(scope.unknown_schemes);
    let first = parts.parts.len();
    let mut reader = MessageReader::new(source, scope, depth, parts);
    walk(source, &mut |item, section| match item {
        Item::Field(field) => header.add(source, &field),
        Item::Between(range) => reader.between(range),
        Item::Body {
            range,
            entity,
            alternative,
        } => {
            let first = reader.parts.parts.len();
            reader.body(range, entity, section);
            let parts = &mut reader.parts.parts[first..];
            for part in &mut *parts {
                part.alternative |= alternative;
                part.in_mail = true;
            }
            if scope.resolve
                && let Some(base) = entity.base()
            {
                set_base(parts, &base);
            }
        }
        Item::Fault { at, message } => reader.fault(at, message),
    });
    if let Some(span) = header.unknown {
        reader.warn(
            Warning::Charset,
            span,
            "an encoded word in an unknown charset, so read as it is",
        );
    }
    header.finish(reader.parts);
    if hides_addresses(source) {
        for part in &mut reader.parts.parts[first..] {
            let text = part.view.text();
            if part.content == Content::Lines
                && let Some(shown) = with_addresses(text)
            {
                part.view = part.view.compose(shown);
            }
        }
    }
}

/// Returns whether the separator before a message hides the address of its sender, as archives of Mailman 2 do in all
/// of the text: `From joe at a.example`.
fn hides_addresses(source: &[u8]) -> bool {
    let mut words = source.split(|&byte| byte == b' ');
    words.next() == Some(b"From") && words.nth(1) == Some(b"at")
}

/// Returns `text` with the `@` in its URLs of mail for which an archive has written ` at `; `None` if it has none.
fn with_addresses(text: &[u8]) -> Option<View<'static>> {
    const SCHEME: &[u8] = b"mailto:";
    let mut prose = Prose::new(text, Layer::Ascii);
    for at in memchr::memmem::find_iter(text, SCHEME) {
        let name = text[at + SCHEME.len()..].iter().take(MAX_NAME);
        let is_of_name = |byte: &&u8| byte.is_ascii_graphic() && !b"<>\"".contains(byte);
        let end = at + SCHEME.len() + name.take_while(&is_of_name).count();
        let host = text[end..].strip_prefix(b" at ").unwrap_or_default();
        let host = host.iter().take(MAX_NAME).take_while(is_of_name);
        if host.skip(1).any(|byte| *byte == b'.') {
            prose.keep(end);
            prose.replace(end + b" at ".len(), b"@");
        }
    }
    (prose.at() > 0).then(|| prose.take_view())
}

/// The greatest length of the name in an address, in bytes (RFC 5321, section 4.5.3.1.1).
const MAX_NAME: usize = 64;

/// A warning that is given at most once for each message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Warning {
    Structure,
    Charset,
    Encoding,
    Transfer(&'static str),
    Depth,
}

/// How many lines that may begin the second message are tried.
const MAX_TRIED: usize = 64;

/// Returns where the second message begins if `source` is a mailbox.
fn second_message(source: &[u8]) -> Option<usize> {
    if !source.starts_with(b"From ") || Kind::from_head(source) != Kind::Mbox {
        return None;
    }
    // Limited, so that a long text full of such lines takes no longer than another.
    let breaks = memchr::memmem::find_iter(source, b"\nFrom ").map(|at| at + 1);
    let head = |at: usize| &source[at..source.len().min(at + Kind::HEAD)];
    breaks
        .take(MAX_TRIED)
        .find(|&at| Kind::from_head(head(at)) == Kind::Mbox)
}

/// Adds the parts of a message, item by item.
struct MessageReader<'s, 'p> {
    source: &'s [u8],
    scope: Scope,
    /// How many messages this one is encoded in.
    depth: u8,
    parts: &'p mut Parts<'s>,
    /// The warnings that have been given.
    warned: HashSet<Warning>,
}

impl<'s, 'p> MessageReader<'s, 'p> {
    fn new(source: &'s [u8], scope: Scope, depth: u8, parts: &'p mut Parts<'s>) -> Self {
        MessageReader {
            source,
            scope,
            depth,
            parts,
            warned: HashSet::new(),
        }
    }

    fn between(&mut self, range: Range<usize>) {
        let text = &self.source[range.clone()];
        if !text.trim_ascii().is_empty() {
            self.parts.lines(View::borrowed(text, range.start as u64));
        }
    }

    fn body(&mut self, range: Range<usize>, entity: &Entity, section: Section<'_>) {
        let span = Span::new(range.start as u64, range.end as u64);
        let Some(kind) = kind::of_body(entity) else {
            let (raw, number) = (&self.source[range], section.of_body());
            let attachment = Attachment::new(raw, span, entity, &number);
            self.parts.attachments.push(attachment);
            return;
        };
        if kind == Kind::Plain && self.holds_nothing(&self.source[range.clone()], entity) {
            return;
        }
        let decoded = self.decoded(range, entity);
        let text = if kind == Kind::Plain && entity.flowed {
            self.step(decoded, |text| Some(flowed::unflow(text, entity.delsp)))
        } else {
            decoded
        };
        self.document(kind, text, span);
    }

    /// Returns whether no URL can be in the body `raw`, however its lines are joined, and there is nothing to warn
    /// about: it is not encoded, and no colon in it may follow a scheme, in any charset that is guessed.
    fn holds_nothing(&self, raw: &[u8], entity: &Entity) -> bool {
        let charset = entity.charset.as_deref().unwrap_or_default();
        !self.scope.unknown_schemes
            && matches!(entity.encoding, None | Some(Transfer::Identity))
            && !entity.delsp
            && is_ascii_or_utf_8(charset)
            && next_trigger(raw, 0).is_none()
            && (!charset.is_empty() || memchr::memchr(0x1B, raw).is_none())
    }

    /// Returns the text of a body, decoded, and in UTF-8 if its charset is known.
    fn decoded(&mut self, range: Range<usize>, entity: &Entity) -> View<'s> {
        let raw = &self.source[range.clone()];
        let start = range.start as u64;
        let bytes = match entity.encoding {
            Some(Transfer::Encoded(encoding)) => {
                let mut decoded = transfer::decode(raw, encoding);
                if let Some(fault) = decoded.fault {
                    let at = start + fault.at as u64;
                    let warning = Warning::Transfer(fault.message);
                    self.warn(warning, Span::new(at, at), fault.message);
                }
                self.between(range.start + decoded.end.min(raw.len())..range.end);
                decoded.view.shift(start);
                decoded.view
            }
            Some(Transfer::Unknown) => {
                let span = Span::new(start, start);
                let what = "an unknown transfer encoding, so read as it is";
                self.warn(Warning::Encoding, span, what);
                View::borrowed(raw, start)
            }
            Some(Transfer::Identity) | None => View::borrowed(raw, start),
        };
        self.in_utf8(bytes, entity, start)
    }

    fn in_utf8(&mut self, bytes: View<'s>, entity: &Entity, start: u64) -> View<'s> {
        let declared = entity.charset.as_deref().unwrap_or_default();
        let guessed = charset::is_open(declared).then(|| charset::guess(bytes.text()));
        let label = guessed.flatten().map_or(declared, str::as_bytes);
        if is_ascii_or_utf_8(label) {
            return bytes;
        }
        let mut is_known = true;
        let decoded = self.step(bytes, |text| {
            let decoded = charset::decode(text, label).ok();
            is_known = decoded.is_some();
            decoded
        });
        if !is_known {
            let what = format!("unknown charset `{}`, so read as it is", shown(label));
            self.warn(Warning::Charset, Span::new(start, start), what);
        }
        decoded
    }

    /// Returns the view that `decode` makes of the text of `view`, or `view` itself if it returns
    /// none. Text that does not change is not copied.
    fn step(
        &self,
        view: View<'s>,
        decode: impl for<'t> FnOnce(&'t [u8]) -> Option<View<'t>>,
    ) -> View<'s> {
        if let Some(start) = view.borrowed_at() {
            let end = start as usize + view.text().len();
            let Some(mut next) = decode(&self.source[start as usize..end]) else {
                return view;
            };
            next.shift(start);
            return next;
        }
        match decode(view.text()) {
            Some(next) if next.borrowed_at().is_none() => view.compose(next),
            _ => view,
        }
    }

    /// Adds a body that is a document of that kind.
    fn document(&mut self, kind: Kind, view: View<'s>, span: Span) {
        let is_message = matches!(kind, Kind::Mail | Kind::Mbox);
        if is_message && self.depth == MAX_ENCODED_DEPTH {
            let what = "encoded messages nested too deeply, so read as plain text";
            self.warn(Warning::Depth, span, what);
            self.parts.lines(view);
        } else if kind == Kind::Plain {
            self.parts.lines(view);
        } else if let Some(start) = view.borrowed_at() {
            let end = start as usize + view.text().len();
            let inner = self.inner(kind, &self.source[start as usize..end]);
            self.parts.add_at(start, inner);
        } else {
            let inner = self.inner(kind, view.text());
            self.parts.add_within(&view, inner);
        }
    }

    fn inner<'t>(&self, kind: Kind, text: &'t [u8]) -> Parts<'t> {
        let mut parts = Parts::default();
        match kind {
            Kind::Mail => message(text, self.scope, self.depth + 1, &mut parts),
            Kind::Mbox => {
                for range in mbox::split(text, MAX_DOCUMENT) {
                    let mut inner = Parts::default();
                    let start = range.start as u64;
                    message(&text[range], self.scope, self.depth + 1, &mut inner);
                    parts.add_at(start, inner);
                }
            }
            kind => parts = Parts::of(text, kind, self.scope),
        }
        parts
    }

    fn fault(&mut self, at: usize, what: &'static str) {
        let span = Span::new(at as u64, at as u64);
        self.warn(Warning::Structure, span, what);
    }

    fn warn(&mut self, warning: Warning, span: Span, what: impl Into<String>) {
        if self.warned.insert(warning) {
            self.parts.warn(span, what);
        }
    }
}

/// Returns whether a text in the charset `label` is read as it is; so it is if there is no label.
fn is_ascii_or_utf_8(label: &[u8]) -> bool {
    let is = |name: &&str| label.eq_ignore_ascii_case(name.as_bytes());
    ["", "us-ascii", "utf-8", "utf8", "ascii"].iter().any(is)
}
