//! Fixes that conflict in `apply`, and fixes that `mend` leaves out.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use super::*;
use crate::diagnostic::Applicability;
use crate::selection::Selector;
use crate::settings::Settings;
use crate::{Checked, Checker};
use urlint_documents::read::Reader;

fn fix(edits: &[(u64, u64, &str)]) -> Fix {
    let edits = edits
        .iter()
        .map(|&(start, end, text)| Edit::new(Span::new(start, end), text));
    Fix::new("", Applicability::Safe, edits.collect())
}

#[test]
fn fixes_are_made_as_a_whole_or_wait() {
    type Edits = &'static [(u64, u64, &'static str)];
    type Case = (&'static [Edits], &'static str, &'static [usize]);
    let cases: &[Case] = &[
        (&[&[(1, 2, "X")]], "aXcdef", &[0]),
        (&[&[(4, 5, "")], &[(1, 2, "")]], "acdf", &[1, 0]),
        (&[&[(1, 2, "X")], &[(2, 3, "Y")]], "aXYdef", &[0, 1]),
        // An overlap.
        (&[&[(1, 3, "X")], &[(2, 4, "Y")]], "aXdef", &[0]),
        (&[&[(0, 6, "X")], &[(2, 4, "Y")]], "X", &[0]),
        // The same offset twice.
        (&[&[(1, 1, "X")], &[(1, 1, "Y")]], "aXbcdef", &[0]),
        (&[&[(1, 2, "X")], &[(1, 1, "Y")]], "aXcdef", &[0]),
        (&[&[(1, 2, "X")], &[(2, 2, "Y")]], "aXcdef", &[0]),
        // A fix whose second edit conflicts is not made in part.
        (
            &[
                &[(0, 1, "X"), (4, 5, "X")],
                &[(1, 2, "Y"), (4, 5, "Y")],
                &[(2, 3, "Z")],
            ],
            "XbZdXf",
            &[0, 2],
        ),
        // A fix may lie between the edits of another.
        (
            &[&[(0, 1, "X"), (4, 5, "X")], &[(2, 3, "Z")]],
            "XbZdXf",
            &[0, 1],
        ),
        // Nothing changes, out of reach, not in order.
        (
            &[
                &[(0, 1, "a")],
                &[(5, 9, "X")],
                &[(3, 4, ""), (1, 2, "")],
                &[],
            ],
            "abcdef",
            &[],
        ),
        (&[&[(6, 6, "X")]], "abcdefX", &[0]),
    ];
    for (fixes, expected, taken) in cases {
        let fixes: Vec<_> = fixes.iter().map(|edits| fix(edits)).collect();
        let applied = apply(b"abcdef", &fixes);
        assert_eq!(
            String::from_utf8_lossy(&applied.bytes),
            *expected,
            "{fixes:?}"
        );
        assert_eq!(applied.taken, *taken, "{fixes:?}");
    }
}

fn mended(source: &str, least: Applicability) -> (String, Mended) {
    let mut settings = Settings::default();
    settings.selection.add(Selector::All);
    let (checker, reader) = (Checker::new(&settings), Reader::default());
    let visit = &mut |_: Checked<'_>| Ok::<(), std::io::Error>(());
    let mended = mend(&checker, &reader, b"x", source.as_bytes(), least, visit);
    let mended = mended.unwrap();
    let bytes = mended.bytes.clone().unwrap_or_else(|| source.into());
    (String::from_utf8(bytes).unwrap(), mended)
}

#[test]
fn a_source_is_mended_to_the_end() {
    use Applicability::{Safe, Unsafe};
    let cases = [
        (
            Safe,
            "see <url:HTTP://A.Example:80/%7e~x>",
            "see <URL:http://a.example/%7e~x>",
            2,
        ),
        (
            Unsafe,
            "see <url:HTTP://A.Example:80/%7e~x>",
            "see <URL:http://a.example/%7E%7Ex>",
            4,
        ),
        // Only one insertion at an offset is made at a time.
        (
            Safe,
            "<URL:http://a.example:>",
            "<URL:http://a.example/>",
            2,
        ),
        (
            Safe,
            "<URL:http://www-\n  a.example/x>",
            "<URL:http://www-\n  a.example/x>",
            0,
        ),
        (
            Unsafe,
            "<URL:http://www-\n  a.example/x> y",
            "<URL:http://www-a.example/x> y",
            1,
        ),
        (
            Unsafe,
            "<URL:http://www-\n  .example/x> y",
            "<URL:http://www.example/x> y",
            1,
        ),
    ];
    for (least, source, expected, made) in cases {
        let (text, mended) = mended(source, least);
        assert_eq!(text, expected);
        assert_eq!((mended.made, mended.refused), (made, 0), "{source}");
    }
}

#[test]
fn harmful_fixes_are_left_out() {
    // The slash would continue the URL in the next line.
    let source =
        "Of all that there are the best one is under the name http://www.a.example\nx.html is it";
    let (text, mended) = mended(source, Applicability::Unsafe);
    assert_eq!(text, source);
    assert_eq!(
        (mended.made, mended.refused, mended.given_up),
        (0, 1, false)
    );
}
