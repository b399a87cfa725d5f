use std::io::Read;
fn main() {
    let mut t = Vec::new();
    match std::env::args().nth(1) {
        Some(p) => {
            t = std::fs::read(p).unwrap();
        }
        None => {
            std::io::stdin().read_to_end(&mut t).unwrap();
        }
    }
    for c in urlint::find(&t) {
        println!(
            "{}..{} {} {} {:?} alts={:?} flags={:?}",
            c.outer.start,
            c.outer.end,
            c.delimiter,
            String::from_utf8_lossy(&c.text),
            c.pieces
                .iter()
                .map(|s| (s.start, s.end))
                .collect::<Vec<_>>(),
            c.alternatives
                .iter()
                .map(|a| String::from_utf8_lossy(&a.text).into_owned())
                .collect::<Vec<_>>(),
            c.flags.iter().collect::<Vec<_>>()
        );
    }
}
