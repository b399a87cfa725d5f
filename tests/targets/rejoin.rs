//! A URL that was broken over lines is put back together from its pieces, and nothing of the text
//! around it becomes part of it.

use urlint::find::{Flag, Rejoin};
use urlint::{Candidate, Finder, Span};

use super::find::{covered, finder};

/// Texts that lines begin with.
const LEADERS: [&str; 12] = [
    "", "   ", "\t", "> ", ">> ", "> > ", "| ", "# ", "// ", " * ", "%% ", "-- ",
];

/// How lines end.
const BREAKS: [&str; 4] = ["\n", "\r\n", "\r", " \n"];

/// The first byte says how to find. The next two choose the leader of the lines, how they end, and
/// after how many bytes; the rest is a URL, and after a NUL the text that follows it.
pub(super) fn rejoin(input: &[u8]) {
    let [how, leader, width, rest @ ..] = input else {
        return;
    };
    any_text(&finder(usize::from(*how)), rest);
    let (url, prose) = match rest.iter().position(|&byte| byte == 0) {
        Some(end) => (&rest[..end], &rest[end + 1..]),
        None => (rest, &b" and more\n"[..]),
    };
    let url: Vec<_> = url.iter().copied().filter(|&byte| is_plain(byte)).collect();
    let url = [b"http://a.example/", &url[..]].concat();
    let leader_text = LEADERS[usize::from(*leader) % LEADERS.len()];
    let line_break = BREAKS[usize::from(*leader) / LEADERS.len() % BREAKS.len()];
    // In more lines than this, it would not be read as one URL.
    let width = (8 + usize::from(width % 64)).max(url.len() / 32 + 1);
    let pieces: Vec<_> = url.chunks(width).collect();
    let between = format!("{line_break}{leader_text}");
    let broken = pieces.join(between.as_bytes());
    let before = format!("{leader_text}see <URL:").into_bytes();
    let text = [&before, &broken, &b">"[..], prose].concat();
    for rejoin in [Rejoin::Never, Rejoin::Judged, Rejoin::Likely] {
        let finder = Finder::default().with_rejoin(rejoin);
        let first = finder.find(&text).next();
        let first = first.expect("a wrapper is found, however it is broken");
        assert_eq!(first.outer.end as usize, before.len() + broken.len() + 1);
        assert_eq!(&*first.text, &url[..], "{}", text.escape_ascii());
    }
}

/// Returns whether a URL keeps `byte` wherever a line ends: neither a hyphen nor a `=`, which may have been
/// inserted there, and not a sign that a leader may have.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/.?&_+,!~".contains(&byte)
}

/// In any text, pieces are part of it, and the text left out between them has no words.
fn any_text(finder: &Finder, text: &[u8]) {
    for candidate in finder.find(text) {
        assert_eq!(
            covered(text, &candidate, &candidate.pieces),
            &*candidate.text
        );
        assert!(!candidate.text.iter().any(|&byte| b"\r\n".contains(&byte)));
        let pieces: Vec<_> = candidate.pieces.iter().collect();
        for pair in pieces.windows(2) {
            let gap = Span::new(pair[0].end, pair[1].start).slice(text);
            assert!(is_silent(&candidate, gap), "{}", text.escape_ascii());
        }
    }
}

/// Returns whether `gap` has no words, unless it is a page break.
fn is_silent(candidate: &Candidate<'_>, gap: &[u8]) -> bool {
    candidate.flags.has(Flag::PageBreak) || !gap.iter().any(u8::is_ascii_alphanumeric)
}
