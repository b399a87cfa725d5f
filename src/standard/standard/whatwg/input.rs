//! Characters that the URL parser drops before it reads: controls and spaces at either end, tabs and
//! line breaks anywhere.

use std::borrow::Cow;

use super::chars::{is_c0_control_or_space, is_tab_or_newline};
use super::{Components, Part};

/// The bytes that the parser reads, and where they come from.
pub(super) struct Input<'u> {
    /// The URL without the dropped characters.
    pub(super) text: Cow<'u, [u8]>,
    /// The offset of the first remaining byte in the URL.
    start: u32,
    /// The offset of each remaining byte in the URL; empty if they are contiguous.
    offsets: Vec<u32>,
}

impl<'u> Input<'u> {
    /// Returns the bytes of `url` that the parser reads. Passes each byte that it drops to `dropped`.
    pub(super) fn of(url: &'u [u8], mut dropped: impl FnMut(u8, Part)) -> Input<'u> {
        let mut drop = |at: usize| dropped(url[at], Part::new(at, at + 1));
        let is_kept = |byte: &u8| !is_c0_control_or_space(*byte);
        let start = url.iter().position(is_kept).unwrap_or(url.len());
        let end = url.iter().rposition(is_kept).map_or(start, |at| at + 1);
        (0..start).for_each(&mut drop);
        let mut input = Input {
            text: Cow::Borrowed(&url[start..end]),
            start: start as u32,
            offsets: Vec::new(),
        };
        if memchr::memchr3(b'\t', b'\n', b'\r', &input.text).is_some() {
            let mut kept = Vec::with_capacity(end - start);
            let mut at = start;
            let mut keep = |byte: u8| {
                if is_tab_or_newline(byte) {
                    drop(at);
                } else {
                    kept.push(byte);
                    input.offsets.push(at as u32);
                }
                at += 1;
            };
            for chunk in input.text.utf8_chunks() {
                chunk.valid().bytes().for_each(&mut keep);
                // Bytes that are not UTF-8 must not become valid because something between them is
                // dropped.
                chunk.invalid().iter().for_each(|_| keep(0xFF));
            }
            input.text = Cow::Owned(kept);
        }
        (end..url.len()).for_each(drop);
        input
    }

    /// Returns where `part` of the remaining bytes is in the URL.
    pub(super) fn place(&self, part: Part) -> Part {
        let (Some(&first), Some(&last)) = (self.offsets.first(), self.offsets.last()) else {
            return Part::at(self.start).within(part);
        };
        let offset = |at: u32| self.offsets.get(at as usize).copied();
        let start = offset(part.start).unwrap_or(last + 1);
        let end = match part.end.checked_sub(1) {
            Some(before) if !part.is_empty() => offset(before).map_or(last + 1, |at| at + 1),
            _ => start,
        };
        Part {
            start: start.max(first),
            end,
        }
    }

    /// Returns where the components of the remaining bytes are in the URL.
    pub(super) fn place_all(&self, components: &Components) -> Components {
        let place = |part: Option<Part>| part.map(|part| self.place(part));
        Components {
            scheme: place(components.scheme),
            user: place(components.user),
            password: place(components.password),
            host: place(components.host),
            port: place(components.port),
            path: place(components.path),
            query: place(components.query),
            fragment: place(components.fragment),
        }
    }
}
