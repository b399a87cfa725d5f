//! A fast path for tags as they are nearly always written, without the tokenizer.
//!
//! The result is always the tokenizer's own: a tag that is not plain is left to it, from its `<`
//! on.

use std::borrow::Cow;

use super::{Page, Raw};

impl Page<'_> {
    /// Reads the tag that begins here; returns how the following text is read, unless it is
    /// ordinary text and tags. Returns `None` if no plain tag begins here, so that the tokenizer
    /// has to read it.
    pub(super) fn plain_tag(&mut self) -> Option<Option<Raw>> {
        let source = self.source;
        let open = self.position;
        let is_end = *source.get(open + 1)? == b'/';
        let start = open + 1 + usize::from(is_end);
        if !source.get(start)?.is_ascii_alphabetic() {
            return None;
        }
        let mut at = run(source, start, TAG_NAME)?;
        let name = &source[start..at];
        self.begin_tag(is_end);
        loop {
            at = run(source, at, BLANK)?;
            match source[at] {
                b'>' => break,
                b'/' if source.get(at + 1) == Some(&b'>') => at += 1,
                _ => at = self.plain_attribute(at)?,
            }
        }
        self.open = open;
        self.position = at + 1;
        Some(self.end_tag(&lowercase(name)))
    }

    /// Reads the attribute at `at`; returns its end.
    #[inline(always)]
    fn plain_attribute(&mut self, at: usize) -> Option<usize> {
        let source = self.source;
        let end = run(source, at, ATTRIBUTE_NAME)?;
        if end == at {
            return None;
        }
        let name = &source[at..end];
        let after = run(source, end, BLANK)?;
        if source[after] != b'=' {
            return Some(after);
        }
        let at = run(source, after + 1, BLANK)?;
        let (value, end) = match source[at] {
            quote @ (b'"' | b'\'') => {
                let value = at + 1;
                let end = value + memchr::memchr(quote, &source[value..])?;
                (value..end, end + 1)
            }
            b'>' => return None,
            _ => {
                let end = run(source, at, UNQUOTED)?;
                (at..end, end)
            }
        };
        if let Some(kind) = self.kind_of_value(&lowercase(name), value.start) {
            self.tag.attributes.push((kind, value));
        }
        Some(end)
    }
}

/// Returns `name` in lower case.
#[inline]
fn lowercase(name: &[u8]) -> Cow<'_, [u8]> {
    if name.iter().any(u8::is_ascii_uppercase) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

// Classes of bytes, a bit for each.
const TAG_NAME: u8 = 1;
const ATTRIBUTE_NAME: u8 = 2;
const UNQUOTED: u8 = 4;
const BLANK: u8 = 8;

/// The classes of each byte. Attribute names exclude `=`, `<` and quotes, which are errors there.
static CLASSES: [u8; 256] = {
    let mut table = [TAG_NAME | ATTRIBUTE_NAME | UNQUOTED; 256];
    let mut byte = 0;
    while byte < 256 {
        match byte as u8 {
            b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' => table[byte] = BLANK,
            b'>' => table[byte] = 0,
            0 => table[byte] = UNQUOTED,
            b'/' => table[byte] = UNQUOTED,
            b'=' | b'<' | b'"' | b'\'' => table[byte] = TAG_NAME | UNQUOTED,
            _ => {}
        }
        byte += 1;
    }
    table
};

/// Returns where the run of bytes of `class` at `start` ends; `None` if that is the end of the
/// source.
#[inline(always)]
fn run(source: &[u8], start: usize, class: u8) -> Option<usize> {
    let is_in_class = |byte: u8| CLASSES[usize::from(byte)] & class != 0;
    let rest = source.get(start..)?;
    Some(start + rest.iter().position(|&byte| !is_in_class(byte))?)
}

#[cfg(test)]
mod tests {
    use html5gum::State;
    use proptest::prelude::*;

    use super::*;
    use crate::document::Scope;
    use urlint_testing::tries;

    /// The result of reading a page; `plainly` says whether plain tags are read without the tokenizer.
    fn read(source: &[u8], deep: bool, plainly: bool) -> String {
        let scope = Scope {
            deep,
            ..Scope::default()
        };
        let mut page = Page::new(source, scope);
        if plainly {
            page.read();
        } else {
            while page.tokenize(State::Data) {}
        }
        let Page {
            texts,
            has_markup,
            unfinished,
            ..
        } = page;
        format!("{texts:#?} {has_markup} {unfinished:?}")
    }

    #[test]
    fn most_tags_are_plain() {
        let cases = [
            ("<p>", true),
            ("</p>", true),
            ("<br/>", true),
            ("<BR />", true),
            ("<a href=\"http://a/\" Class='x>y' id=z disabled>", true),
            ("<td width = 600\n  height=\"1\"bgcolor=#fff>", true),
            ("<a href=http://a/b/>", true),
            ("<p", false),
            ("<p class=\"x>", false),
            ("<p class=>", false),
            ("<p =x>", false),
            ("<p / class=x>", false),
            ("<p a\"b=c>", false),
            ("<p <b>", false),
            ("<!-- x -->", false),
            ("<?xml?>", false),
            ("</>", false),
            ("<3>", false),
            ("<p\0>", false),
        ];
        for (source, expected) in cases {
            let scope = Scope::default();
            let mut page = Page::new(source.as_bytes(), scope);
            assert_eq!(page.plain_tag().is_some(), expected, "{source}");
        }
    }

    proptest! {
        #![proptest_config(tries(20_000))]

        #[test]
        fn plain_tags_are_read_as_the_tokenizer_reads_them(
            source in "(<|</|</?(a|P|pre|title|script|style|xmp|textarea|meta|b\0)|>|/>|/|=|\"|'|\
                       [ \r\n\t]| (href|SRC|alt|srcset|content|style|onload|x)|=\"|='|\
                       http://a/b|a:b|&amp;|0;url=|javascript:|<!--|-->|<!doctype|text|é|\0){0,24}",
            deep in any::<bool>(),
        ) {
            let plain = read(source.as_bytes(), deep, true);
            let tokenized = read(source.as_bytes(), deep, false);
            prop_assert_eq!(plain, tokenized, "{:?}", source);
        }
    }
}
