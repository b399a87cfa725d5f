//! What is noted about a candidate once it is known where it ends.

use super::{Match, Scanner};
use crate::find::candidate::Flag;
use crate::find::placeholder;
use crate::find::placeholder::{Around, MAX_AFTER};
use crate::text::window::Text;

impl Scanner {
    /// Notes whether the URL holds a placeholder. Most have none of the characters by which one is
    /// noticed.
    #[inline]
    pub(super) fn note_placeholder(&self, text: &Text<'_>, found: &mut Match) {
        let (start, end) = found.url();
        let before = self.before(text, start);
        let is_cut = || {
            text.bytes
                .get(end)
                .is_some_and(|&next| placeholder::is_sign_after(next))
        };
        let language = self.finder.language();
        if !language.has_no_sign(&found.bytes(text.bytes)) || before == Some(b'$') || is_cut() {
            self.look_for_placeholder(text, found, before);
        }
    }

    #[inline(never)]
    fn look_for_placeholder(&self, text: &Text<'_>, found: &mut Match, before: Option<u8>) {
        let (_, start) = found.url();
        let most = if found.is_closed() { 0 } else { MAX_AFTER };
        let is_inside = |&at: &usize| !matches!(text.at(at), None | Some(b'\n' | b'\r'));
        let len = (start..start + most).take_while(is_inside).count();
        let around = Around {
            before,
            after: text.bytes.get(start..start + len).unwrap_or_default(),
            language: self.finder.language(),
        };
        if placeholder::find(&found.bytes(text.bytes), &around).is_some() {
            found.flags.set(Flag::Placeholder);
        }
    }
}
