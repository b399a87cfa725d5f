//! Excerpts: whatever is cropped out of a text can be shown, with its marks inside it and without
//! passwords.

use urlint::text::{Position, Window};
use urlint::{Diagnostic, Rule, Span};

use urlint_report::excerpt::{FilePart, Place};
use urlint_report::terminal::is_harmful;

/// The byte that passwords consist of; nothing else in the text has it.
const SECRET: u8 = b'Q';

/// The first bytes say where the URL and the marks are, the others are the text.
pub(super) fn excerpts(input: &[u8]) {
    let Some((numbers, text)) = input.split_first_chunk::<8>() else {
        return;
    };
    let scale = 1 + text.len() / 200;
    let at = |number: u8| (usize::from(number) * scale).min(text.len()) as u64;
    let span = |first: u8, length: u8| {
        let start = at(first);
        Span::new(start, (start + u64::from(length)).min(text.len() as u64))
    };
    let outer = span(numbers[0], numbers[1]);
    // Marks may be anywhere, even beyond the text.
    let far = Span::new(
        u64::from(numbers[6]),
        u64::from(numbers[6]) + u64::from(numbers[7]),
    );
    let focus = [span(numbers[2], numbers[3]), outer, far];
    let password = span(numbers[4], numbers[5]);
    let mut text = text.to_vec();
    text.iter_mut().for_each(u8::make_ascii_lowercase);
    for byte in &mut text[password.start as usize..password.end as usize] {
        if !b"\r\n".contains(byte) {
            *byte = SECRET;
        }
    }
    let text = &text[..];
    let before = &text[..outer.start as usize];
    let place = Place {
        outer,
        position: Position::default().after(before),
        window: Window {
            start: 0,
            bytes: text,
        },
        part: FilePart::default(),
    };
    let mut diagnostic = Diagnostic::new(Rule::Password, outer.into(), "");
    diagnostic.password = Some(password.into());
    for margin in [1, 100] {
        let excerpt = place.excerpt_within(margin, &place.hidden(Some(&diagnostic)), &focus);
        let harmful = excerpt
            .text
            .chars()
            .find(|&c| !"\n\t".contains(c) && is_harmful(c));
        assert_eq!(harmful, None);
        assert!(!excerpt.text.as_bytes().contains(&SECRET));
        assert!(excerpt.line >= 1);
        for span in focus {
            for range in excerpt.ranges(span) {
                assert!(excerpt.text.get(range).is_some());
            }
            assert!(excerpt.text.get(excerpt.range(span)).is_some());
        }
    }
    for span in focus {
        let (from, to) = (place.locate(span.start), place.locate(span.end));
        assert!(from <= to);
    }
}
