#![expect(clippy::unwrap_used, reason = "a test may fail")]

use super::*;
use proptest::prelude::*;
use urlint_testing::tries;

const LIMIT: usize = 64 << 20;

const POSTMARK: &str = "From joe@a.example Mon Mar  3 12:00:00 2003\n";

/// The messages of a mailbox that is read `read_size` bytes at a time, with a limit of their length.
fn read(text: &[u8], read_size: usize, limit: usize) -> Vec<(u64, Vec<u8>, u64, Option<Piece>)> {
    let mut mbox = Mbox {
        read_size,
        limit_of_piece: limit / 2,
        ..Mbox::new(text, limit)
    };
    let mut found = Vec::new();
    while let Some(message) = mbox.next_message().unwrap() {
        let Message {
            start,
            bytes,
            number,
            piece,
        } = message;
        found.push((start, bytes.to_vec(), number, piece));
    }
    found
}

/// The text of all messages, with `|` before each one but the first.
fn shown(text: &str) -> String {
    let messages = read(text.as_bytes(), READ_SIZE, LIMIT);
    let texts: Vec<_> = messages
        .iter()
        .map(|(_, bytes, ..)| String::from_utf8_lossy(bytes))
        .collect();
    texts.join("|")
}

#[test]
fn splits() {
    // `^` stands for a usual `From ` line.
    let cases = [
        "^A: b\n\nx\n\n|^A: b\n\ny\n",
        "^A: b\n\n|^A: b\n",
        "^A: b\n\n|^\n",
        "^A: b\n\n|^",
        "^\n|^\n|^",
        "\n^A: b\n",
        "\n\n\n\n\n^A: b\n",
        "junk\n\n|^A: b\n",
        "no mailbox\n",
        "",
        "^A: b\n\nx\n^A: b\n",
        "^A: b\n\nFrom here on, at 12:00 in Mar 2003\nwe\n",
        "^A: b\n\nFrom us: x\n",
        "^A: b\n\n>^A: b\n",
        "^A: b\r\n\r\nx\r\n\r\n|^A: b\r\n",
        "^A: b\r\rx\r\r|From a Mon Mar  3 12:00 2003\rA: b\r",
        "^A: b\n\n|From - Mon Mar  3 12:00:00 2003\nA: b\n",
        "^A: b\n\n|From a at b Mon, 3 Mar 03 12:00:00 +0000\nA: b\n",
        "^A: b\n\n|From ???@??? Mon Mar 03 12:00:00 2003\nA: b\n",
        "^A: b\n\n|From a Mon Mar  3 12:00 EST 2003 remote from b\nA: b\n",
        "^A: b\n\n|From 4711\nA: b\n",
        "^A: b\n\n|From -4711\nA: b\n",
        "^A: b\n\nFrom 4711\n\n\nno header\n",
        "^A: b\n\n|^>From a\nA: b\n",
        "^Content-Length: 55\n\nFrom\n\n^A: b\n|^A: b\n",
        "^content-length: 55\n\nFrom\n\n^A: b\n\n|^A: b\n",
        "^Content-Length: 54\n\nFrom\n\n^A: b\n",
        "^Content-Length: 9\n\nFrom\n\n|^A: b\n\n|^A: b\n",
        "^Content-Length: 999999999999999999999999\n\nx\n\n|^A: b\n",
        "^Content-Length: 18446744073709551615\n\nx\n\n|^A: b\n",
    ];
    for case in cases {
        let case = case.replace('^', POSTMARK);
        assert_eq!(shown(&case.replace('|', "")), case);
    }
}

#[test]
fn splits_batches() {
    let cases = [
        "#! rnews 6\nA: b\n\n|#! rnews 18\nA\n#! rnews 9\nB\n\nC\n|#! rnews 1\nA",
        "#! rnews 7\nA: b\n\n|#! rnews 99\nA: b\n\n|#! rnews 5\nA: b\n",
        "#! rnews 6\nA\n#! rnews\n|#! rnews 18446744073709551615\nB\n",
    ];
    for case in cases {
        assert_eq!(shown(&case.replace('|', "")), case);
    }
}

#[test]
fn long_messages_come_in_pieces() {
    let body = "0123456789\n".repeat(20);
    let text = format!("{POSTMARK}A: b\n\n{body}\n{POSTMARK}A: b\n\n{body}").into_bytes();
    let found = read(&text, 10, 200);
    let all: Vec<_> = found
        .iter()
        .flat_map(|(_, bytes, ..)| bytes)
        .copied()
        .collect();
    assert_eq!(all, text);
    let kinds: Vec<_> = found
        .iter()
        .map(|&(.., number, piece)| (number, piece))
        .collect();
    let (first, other) = (Some(Piece::First), Some(Piece::Other));
    assert_eq!(
        kinds,
        [
            (1, first),
            (1, other),
            (1, other),
            (2, first),
            (2, other),
            (2, other)
        ]
    );
    for (_, bytes, ..) in found {
        assert!(bytes.len() <= 100 && bytes.ends_with(b"\n"));
    }
}

proptest! {
    #![proptest_config(tries(256))]

    /// Nothing is lost, and it does not matter how the bytes arrive.
    #[test]
    fn chunks_do_not_matter(
        lines in prop::collection::vec(0..8usize, 0..60),
        chunk in 1..200usize,
        limit in 60..400usize,
        first in 0..2usize,
    ) {
        let (head, other) = [
            ("", "\r\n"),
            ("#! rnews 9\n", "#! rnews 30\n"),
        ][first];
        let kinds = [
            POSTMARK, "\n", "A: b\n", "Content-Length: 60\n", "From \n", "text\n", other, "\r",
        ];
        let lines: String = lines.iter().map(|&line| kinds[line]).collect();
        let text = [head, &lines].concat();
        let whole = read(text.as_bytes(), 1 << 16, limit);
        let all: Vec<_> = whole.iter().flat_map(|(_, bytes, ..)| bytes).copied().collect();
        prop_assert_eq!(all, text.as_bytes());
        prop_assert_eq!(read(text.as_bytes(), chunk, limit), whole);
    }
}
