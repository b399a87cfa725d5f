use proptest::prelude::*;
use urlint_config::Options;

use super::*;
use crate::config::show::tests::{every_key, source};
use urlint_testing::tries;

/// Returns the configuration error in `text`, the file `name`: as it is rendered, and without colours.
fn mistakes(name: &str, text: &str) -> (String, String) {
    let read = Options::from_toml(text, &source().with_name(name));
    let drawn = read.err().map(|error| rendered(&error)).unwrap_or_default();
    let plain = anstream::adapter::strip_str(&drawn).to_string();
    (drawn, plain)
}

#[test]
fn mistakes_are_drawn() {
    let text = "deep = true\r\nrejoin = \"n\u{1b}v\"\r\n";
    let (drawn, plain) = mistakes("a\u{7}b", text);
    // A string of TOML has no control characters.
    assert!(plain.contains("a\u{2407}b:2:"), "{drawn}");
    assert!(!plain.contains(['\u{7}', '\u{1b}', '\r']), "{drawn}");

    let long = format!("{}selct = 1", " ".repeat(3000));
    let (_, drawn) = mistakes("x", &long);
    assert!(
        drawn.contains("x:1:3001\n") && drawn.len() < 1000,
        "{drawn}"
    );
}

proptest! {
    #![proptest_config(tries(2_000))]

    #[test]
    fn any_text_is_read_and_its_mistakes_are_drawn(
        edits in prop::collection::vec((any::<prop::sample::Index>(), "[ \\]\\[{}=\"'.,#\n\ré\u{1b}a-c0-9]{0,3}"), 1..6),
    ) {
        let mut text = every_key();
        for (at, insert) in edits {
            let at = at.index(text.len());
            if text.is_char_boundary(at) {
                let end = (at + insert.len() % 2).min(text.len());
                if text.is_char_boundary(end) {
                    text.replace_range(at..end, &insert);
                }
            }
        }
        let read = Options::from_toml(&text, &source());
        let error = read.err();
        if let Some(BadConfig::Mistaken { mistake, .. }) = &error {
            prop_assert!(text.get(mistake.span.clone()).is_some(), "{mistake:?}");
        }
        let (_, drawn) = mistakes("urlint.toml", &text);
        prop_assert_eq!(drawn.is_empty(), error.is_none());
        let escapes = drawn.contains(char::from(27));
        prop_assert!(!escapes);
        // The line of text has no control characters either.
        let line = error.map(|error| error.to_string()).unwrap_or_default();
        prop_assert!(!line.contains(char::is_control));
    }
}
