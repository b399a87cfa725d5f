use std::io::Write;
fn main() {
    let out = std::io::stdout();
    let mut out = out.lock();
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read(&path) else {
            continue;
        };
        for range in urlint::url::password::passwords_in_source(&text) {
            let old = urlint::url::password::passwords_in_text(&text);
            if old
                .iter()
                .any(|o| o.start <= range.start && range.end <= o.end)
            {
                continue;
            }
            let from = range.start.saturating_sub(50);
            let to = (range.end + 40).min(text.len());
            let show = |b: &[u8]| String::from_utf8_lossy(b).replace(['\n', '\r'], "⏎");
            let _ = writeln!(
                out,
                "{}: {}[[{}]]{}",
                path.rsplit('/').next().unwrap(),
                show(&text[from..range.start]),
                show(&text[range.clone()]),
                show(&text[range.end..to])
            );
        }
    }
}
