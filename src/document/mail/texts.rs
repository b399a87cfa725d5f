//! The bodies of a message that are text.

use std::collections::HashSet;

use super::Message;
use super::structure::{Piece, walk};
use crate::document::{Look, Parts};
use crate::view::View;

/// A body of a message that is text.
#[derive(Debug)]
pub struct TextBody<'s> {
    /// The media type, in lower case: `text/plain`.
    pub media_type: Vec<u8>,
    /// The text, decoded and, where the charset is known, in UTF-8.
    pub view: View<'s>,
}

/// The bodies of the media type `text` of a message of mail or news, in the order in which they
/// stand; those of messages in it, too, unless such a message is encoded as a whole. Only transfer
/// encodings (RFC 2045, section 6) and charsets are undone: HTML is still HTML.
///
/// ```
/// use urlint::view::text_bodies;
///
/// let message = b"Content-Transfer-Encoding: quoted-printable\n\nhttp://a.example/=\n?x=3D1\n";
/// let bodies = text_bodies(message);
/// assert_eq!(bodies[0].media_type, b"text/plain");
/// assert_eq!(bodies[0].view.text(), b"http://a.example/?x=1\n");
/// ```
pub fn text_bodies(message: &[u8]) -> Vec<TextBody<'_>> {
    let mut bodies = Vec::new();
    let mut parts = Parts::default();
    let mut reader = Message {
        source: message,
        look: Look::default(),
        encoded_in: 0,
        parts: &mut parts,
        said: HashSet::new(),
    };
    walk(message, &mut |piece| {
        if let Piece::Body { range, entity, .. } = piece
            && entity.media().starts_with(b"text/")
        {
            bodies.push(TextBody {
                media_type: entity.media().to_vec(),
                view: reader.decoded(range, entity),
            });
        }
    });
    bodies
}
