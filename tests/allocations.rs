//! Finding and judging allocate nothing for a URL that lies in one piece.

#![allow(missing_docs)]

use std::hint::black_box;

use urlint::Standard;

const TEXT: &[u8] =
    b"<URL:http://a.example/x#y> and <ftp://b.example/>, \"http://c.example/?q=1\"\n\
    (gopher://d.example/11) or [mailto:e@f.example], URL:news:comp.risks and bare\n\
    http://g.example/~joe, https://h.example/ telnet://u:p@i.example:23/\n\
    wais://j.example/d/t/p file:///etc/motd nntp://k.example/a.b/1\n";

#[test]
fn a_url_in_one_piece_costs_no_allocation() {
    let mut found = 0;
    let mut problems = 0;
    let allocations = allocation_counter::measure(|| {
        for candidate in urlint::find(black_box(TEXT)) {
            found += 1;
            Standard::Rfc1738.judge(candidate.url(), |_| problems += 1);
        }
    });
    assert_eq!((found, problems), (12, 1));
    assert_eq!(allocations.count_total, 0);
}

#[test]
fn the_counter_counts() {
    let broken = b"<URL:http://a.example/\n  x>";
    let allocations = allocation_counter::measure(|| {
        assert_eq!(urlint::find(black_box(broken)).count(), 1);
    });
    assert!(allocations.count_total > 0);
}
