use proptest::prelude::*;
use urlint_lint::Rule;

use super::*;
use urlint_testing::tries;

fn place(text: &[u8], outer: Span) -> Place<'_> {
    let window = Window {
        start: 0,
        bytes: text,
    };
    let start = Place {
        outer: Span::default(),
        position: Position { line: 1, column: 1 },
        window,
        part: Default::default(),
    };
    Place {
        outer,
        position: start.locate(outer.start),
        ..start
    }
}

fn span_of(text: &[u8], part: &str) -> Span {
    let start = memchr::memmem::find(text, part.as_bytes()).unwrap_or(text.len());
    Span::new(start as u64, (start + part.len()) as u64)
}

fn excerpt_of(place: &Place<'_>, focus: &[Span]) -> Excerpt {
    place.excerpt(&place.hidden(None), focus)
}

fn shown(text: &[u8], focus: &str) -> String {
    let span = span_of(text, focus);
    let excerpt = excerpt_of(&place(text, span), &[span]);
    let mut shown = excerpt.text.clone();
    for range in excerpt.ranges(span).into_iter().rev() {
        shown.insert(range.end, '|');
        shown.insert(range.start, '|');
    }
    format!("{} {shown}", excerpt.line)
}

#[test]
fn lines_end_with_lf_crlf_and_cr() {
    let text = b"one\r\ntwo\rthree\nfour\r\n\r\nsix";
    assert_eq!(shown(text, "one"), "1 |one|");
    assert_eq!(shown(text, "two"), "2 |two|");
    assert_eq!(shown(text, "four"), "4 |four|");
    assert_eq!(shown(text, "six"), "6 |six|");
    assert_eq!(shown(text, "ree\nfo"), "3 th|ree|\n|fo|ur");
    assert_eq!(shown(text, "e\r\ntwo\rt"), "1 on|e|\n|two|\n|t|hree");
}

#[test]
fn unprintable_text_is_replaced() {
    assert_eq!(
        shown(b"a\xff\xfe b\x1b[0m\tc", "b\x1b["),
        "1 a\u{fffd}\u{fffd} |b\u{241b}[|0m\tc"
    );
    assert_eq!(
        shown(b"x <ftp://joe:secret@a/> y", "y"),
        "1 x <ftp://joe:***@a/> |y|"
    );
    assert_eq!(shown(b"ftp://joe:secret@a/", "cre"), "1 ftp://joe:|***|@a/");
}

#[test]
fn passwords_that_are_known_are_hidden() {
    let text = b"cret@a.example/> and http://b/";
    let span = span_of(text, "http");
    let mut diagnostic = Diagnostic::new(Rule::Password, span.into(), "");
    diagnostic.password = Some(Span::new(0, 4).into());
    let place = place(text, span);
    let excerpt = place.excerpt(&place.hidden(Some(&diagnostic)), &[span]);
    assert_eq!(excerpt.text, "***@a.example/> and http://b/");
    assert_eq!(excerpt.ranges(span).first(), Some(&(20..24)));
}

#[test]
fn long_lines_are_cropped() {
    let long = "x".repeat(5000);
    let text = format!("{long} here {long}\nnext");
    let kept = "x".repeat(99);
    assert_eq!(
        shown(text.as_bytes(), "here"),
        format!("1 …{kept} |here| {kept}…")
    );
    let ends = "x".repeat(100);
    assert_eq!(
        shown(text.as_bytes(), &long),
        format!("1 |{ends}…{ends}| here {}…", "x".repeat(94))
    );
}

#[test]
fn columns_count_characters() {
    let text = "é\u{4e2d}\u{1f600} http://a/\rb".as_bytes();
    let place = place(text, span_of(text, "http://a/"));
    assert_eq!(place.position, Position { line: 1, column: 5 });
    assert_eq!(
        place.locate(text.len() as u64),
        Position { line: 2, column: 2 }
    );
    let broken = b"\xff\xe2\x82http://a/";
    let place = self::place(broken, span_of(broken, "http"));
    assert_eq!(place.position, Position { line: 1, column: 4 });
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => "[a-z/:@.]{1,9}".prop_map(String::into_bytes),
        2 => proptest::sample::select(vec![&b"\n"[..], b"\r\n", b"\r", b"\t", b"\0", b"\x1b", "é".as_bytes(), "\u{4e2d}".as_bytes(), "\u{1f600}".as_bytes(), b"://u:p@"]).prop_map(<[u8]>::to_vec),
        1 => proptest::collection::vec(any::<u8>(), 0..5),
        1 => (any::<u8>(), 0..700usize).prop_map(|(byte, count)| vec![byte; count]),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn spans(text: &[u8]) -> impl Strategy<Value = Vec<Span>> + use<> {
    let end = text.len() as u64 + 3;
    let span = (0..end, 0..60u64).prop_map(|(start, len)| Span::new(start, start + len));
    proptest::collection::vec(span, 0..5)
}

fn cases() -> impl Strategy<Value = (Vec<u8>, Span, Vec<Span>)> {
    bytes().prop_flat_map(|text| {
        let end = text.len() as u64;
        let outer = (0..=end, 0..300u64)
            .prop_map(move |(start, len)| Span::new(start, (start + len).min(end)));
        (spans(&text), outer, Just(text)).prop_map(|(spans, outer, text)| (text, outer, spans))
    })
}

/// The least that a window may hold.
fn least_window(text: &[u8], outer: Span) -> Window<'_> {
    let (start, end) = (outer.start as usize, outer.end as usize);
    let from = start.saturating_sub(REACH as usize);
    let to = (end + REACH as usize).min(text.len());
    Window {
        start: from as u64,
        bytes: &text[from..to],
    }
}

proptest! {
    #![proptest_config(tries(256))]

    #[test]
    fn ranges_fit_and_the_window_does_not_matter((text, outer, focus) in cases()) {
        let wide = place(&text, outer);
        let narrow = Place { window: least_window(&text, outer), ..wide };
        let excerpt = excerpt_of(&wide, &focus);
        prop_assert_eq!(&excerpt, &excerpt_of(&narrow, &focus));
        for &span in &focus {
            for range in excerpt.ranges(span) {
                prop_assert!(excerpt.text.get(range).is_some());
            }
        }
        let widest = excerpt.text.lines().map(str::len).max().unwrap_or(0);
        prop_assert!(widest <= 6000, "{widest}");
    }

    #[test]
    fn printable_text_is_drawn((text, outer, focus) in cases()) {
        let excerpt = excerpt_of(&place(&text, outer), &focus);
        let marks = focus.iter().flat_map(|&span| excerpt.ranges(span));
        let snippet = annotate_snippets::Snippet::source(&excerpt.text)
            .line_start(excerpt.line as usize)
            .annotations(marks.map(|range| annotate_snippets::AnnotationKind::Primary.span(range)));
        let title = annotate_snippets::Level::ERROR.primary_title("title");
        annotate_snippets::Renderer::plain().render(&[title.element(snippet)]);
    }
}
