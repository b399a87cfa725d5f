use proptest::prelude::*;

use super::*;
use crate::config::file::read;
use crate::config::file::tests::{ALL, source};
use crate::tries::tries;

fn plain(drawn: &str) -> String {
    anstream::adapter::strip_str(drawn).to_string()
}

#[test]
fn mistakes_are_drawn() {
    let text = "deep = true\r\nrejoin = \"n\u{1b}v\"\r\n";
    let drawn = draw("a\u{7}b", text, read(text, &source()).mistakes);
    // A string of TOML has no control characters.
    assert!(plain(&drawn).contains("a\u{2407}b:2:"), "{drawn}");
    assert!(
        !plain(&drawn).contains(['\u{7}', '\u{1b}', '\r']),
        "{drawn}"
    );

    let long = format!("{}selct = 1", " ".repeat(3000));
    let drawn = plain(&draw("x", &long, read(&long, &source()).mistakes));
    assert!(
        drawn.contains("x:1:3001\n") && drawn.len() < 1000,
        "{drawn}"
    );

    let many = "x = 1\n".repeat(1000);
    let drawn = plain(&draw("x", &many, read(&many, &source()).mistakes));
    assert!(drawn.ends_with("\nand 979 more\n"), "{drawn}");
}

proptest! {
    #![proptest_config(tries(2_000))]

    #[test]
    fn any_text_is_read_and_its_mistakes_are_drawn(
        edits in prop::collection::vec((any::<prop::sample::Index>(), "[ \\]\\[{}=\"'.,#\n\ré\u{1b}a-c0-9]{0,3}"), 1..6),
    ) {
        let mut text = ALL.to_owned();
        for (at, insert) in edits {
            let at = at.index(text.len());
            if text.is_char_boundary(at) {
                let end = (at + insert.len() % 2).min(text.len());
                if text.is_char_boundary(end) {
                    text.replace_range(at..end, &insert);
                }
            }
        }
        let mistakes = read(&text, &source()).mistakes;
        for mistake in &mistakes {
            prop_assert!(text.get(mistake.span.clone()).is_some(), "{mistake:?}");
        }
        let drawn = plain(&draw("urlint.toml", &text, mistakes.clone()));
        prop_assert_eq!(drawn.is_empty(), mistakes.is_empty());
        let escapes = drawn.contains(char::from(27));
        prop_assert!(!escapes);
    }
}
