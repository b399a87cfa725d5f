//! How the tokenizer gets at the bytes of a page.

use std::convert::Infallible;

use html5gum::Reader;

/// Bytes that are handed out in long pieces: whoever takes what is between tags from the page
/// itself need not be stopped at references and line breaks in text and in quoted values.
#[derive(Debug)]
pub(super) struct Rest<'s>(pub(super) &'s [u8]);

impl<'s> Rest<'s> {
    /// Takes so many bytes.
    #[inline(always)]
    fn take(&mut self, len: usize) -> Option<&'s [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }
}

impl Reader for Rest<'_> {
    type Error = Infallible;

    #[inline(always)]
    fn read_byte(&mut self) -> Result<Option<u8>, Infallible> {
        Ok(self.take(1).map(|byte| byte[0]))
    }

    #[inline(always)]
    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, Infallible> {
        let begins = self.0.get(..text.len()).is_some_and(|start| {
            start == text || (!case_sensitive && start.eq_ignore_ascii_case(text))
        });
        if begins {
            self.take(text.len());
        }
        Ok(begins)
    }

    /// What is looked for is known when this is compiled, for each place where it is looked for.
    #[inline(always)]
    fn read_until<'b>(
        &'b mut self,
        needles: &[u8],
        _: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Infallible> {
        let len = match only(needles) {
            Some(needle) => memchr::memchr(needle, self.0),
            None => self.0.iter().position(|byte| needles.contains(byte)),
        };
        // A needle is handed out alone.
        let len = len.unwrap_or(self.0.len()).max(1);
        Ok(self.take(len))
    }
}

/// Which of the needles ends something: `<` text, a quote a value. The tokenizer stops at the others
/// only to tell of them, or to decode them.
#[inline(always)]
fn only(needles: &[u8]) -> Option<u8> {
    let ends = |byte: &u8| !matches!(byte, b'&' | b'\0' | b'\r');
    let mut ending = needles.iter().copied().filter(|byte| ends(byte));
    match (ending.next(), ending.next()) {
        (Some(needle), None) => Some(needle),
        _ => None,
    }
}
