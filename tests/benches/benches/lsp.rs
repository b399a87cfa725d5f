//! How soon after a key press an editor has the diagnostics of a text, compared with `check` of the
//! text.
//!
//! `cargo bench --profile dist -p urlint-benches --bench lsp` talks to `urlint lsp` over pipes and prints times,
//! and the server's memory with fifty documents open. Texts are generated, and also taken from
//! `../shared/corpora` if present. `-- --soak MINUTES` edits at random for that time with all
//! requests mixed in, and checks that the server's answers stay right and its memory the same.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::print_stdout, reason = "the table is what this is for")]

mod editor;
mod made;
mod soak;
// Only part of it is used here.
#[allow(dead_code, unreachable_pub)]
mod whole;

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use memchr::memmem;
use serde_json::json;
use urlint::Event;
use urlint::config::Options;
use urlint::lint::Suppressions;

use editor::{Editor, position};
use whole::{median, texts, urlint};

/// How often each is measured.
const RUNS: usize = 15;

/// The encoding of editors that offer no other.
const ENCODING: &str = "utf-16";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // Without `--bench` this is `cargo test`, which only needs it to build.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    if let Some(at) = arguments.iter().position(|argument| argument == "--soak") {
        let minutes: f64 = arguments[at + 1].parse().unwrap();
        return soak::soak(urlint(), Duration::from_secs_f64(minutes * 60.0));
    }
    println!(
        "{:20} {:>11} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "milliseconds", "diagnostics", "check", "key", "times", "open", "links"
    );
    for size in [1_000_000, 10_000_000] {
        for (name, make) in &made::TEXTS {
            latency(&format!("{name}, {} MB", size / 1_000_000), &make(size));
        }
        for folder in ["rfc", "mail"] {
            let text = texts(&[folder]).concat();
            if text.len() >= size {
                let text = String::from_utf8_lossy(&text[..size]);
                let name = format!("{folder} corpus, {} MB", size / 1_000_000);
                latency(&name, &text);
            }
        }
    }
    for size in [100_000, 500_000] {
        memory(size);
    }
}

/// Returns the number of diagnostics of `check` for a text, with the default settings.
fn check(name: &str, text: &[u8]) -> usize {
    let settings = Options::default().resolve().for_file(Path::new(name));
    let mut suppressions = Suppressions::of(text);
    let mut count = 0;
    let read = settings.reader().read(name.as_bytes(), text, &mut |event| {
        if let Event::Found(found) = event {
            for diagnostic in urlint::lint::Checker::new(settings.lint())
                .judge(&found)
                .into_reported()
            {
                count += usize::from(!suppressions.suppresses(black_box(&diagnostic)));
            }
        }
        Ok::<(), std::io::Error>(())
    });
    read.unwrap();
    count
        + suppressions
            .unused(text, &settings.lint().selection)
            .count()
}

/// Prints how long `check` takes for a text, and the server for a key press.
fn latency(name: &str, text: &str) {
    let mut editor = Editor::new(urlint(), ENCODING, false);
    let uri = "file:///nowhere/text.txt";
    let start = Instant::now();
    editor.open(uri, "plaintext", text);
    let published = editor.bytes();
    let opened = start.elapsed().as_secs_f64();
    let count = memmem::find_iter(&published, "\"source\":\"urlint\"").count();
    assert_eq!(count, check("text.txt", text.as_bytes()));

    // A key in the middle of a line in the middle of the text, and the key that undoes it.
    let middle = text.len() / 2;
    let middle = middle + text[middle..].find(' ').unwrap_or_default();
    let keys = [(middle, middle, "x"), (middle, middle + 1, "")];
    let keys = keys.map(|(start, end, new)| {
        let range = json!({
            "start": position(text, start, ENCODING), "end": position(text, end, ENCODING),
        });
        json!({ "range": range, "text": new })
    });
    let [mut checks, mut times, mut links] = [(); 3].map(|()| Vec::new());
    for version in 2..2 + 2 * RUNS as u64 {
        let change = &keys[version as usize % 2];
        let start = Instant::now();
        editor.change(uri, version, std::slice::from_ref(change));
        let published = editor.bytes();
        times.push(start.elapsed().as_secs_f64());
        let expected = format!("\"version\":{version}");
        assert!(memmem::find(&published, expected.as_bytes()).is_some());
        if version % 2 == 1 {
            let start = Instant::now();
            black_box(check("text.txt", text.as_bytes()));
            checks.push(start.elapsed().as_secs_f64());
            let document = json!({ "textDocument": { "uri": uri } });
            let start = Instant::now();
            editor.ask("textDocument/documentLink", &document);
            editor.bytes();
            links.push(start.elapsed().as_secs_f64());
        }
    }
    let [check, key, links] = [&mut checks, &mut times, &mut links].map(|times| median(times));
    println!(
        "{name:20} {count:11} {:9.2} {:9.2} {:9.2} {:9.2} {:9.2}",
        1e3 * check,
        1e3 * key,
        key / check,
        1e3 * opened,
        1e3 * links
    );
    editor.end();
}

/// Prints the server's memory with fifty documents of `size` bytes open, after links were requested
/// in all of them.
fn memory(size: usize) {
    let mut editor = Editor::new(urlint(), ENCODING, false);
    let idle = editor.memory("VmRSS");
    let mut bytes = 0;
    for number in 0..50 {
        let (_, make) = made::TEXTS[number % 2];
        let text = make(size);
        bytes += text.len();
        let uri = format!("untitled:Untitled-{number}");
        editor.open(&uri, "plaintext", &text);
        editor.bytes();
        let document = json!({ "textDocument": { "uri": uri } });
        editor.ask("textDocument/documentLink", &document);
        editor.bytes();
    }
    let [now, most] = ["VmRSS", "VmHWM"].map(|figure| editor.memory(figure) as f64 / 1e6);
    println!(
        "fifty documents, {:.1} MB: {now:.0} MB of memory, at most {most:.0} MB, {:.0} MB before",
        bytes as f64 / 1e6,
        idle as f64 / 1e6
    );
    editor.end();
}
