//! How fast URLs are validated, compared with crates that parse or validate URLs.
//!
//! `cargo bench --profile dist -p urlint-benches --bench verdict` prints the time for a URL, and ratios from
//! rounds in which the engines take turns; add `-- --quick` for a shorter run. The URLs are those
//! that urlint finds in `../shared/corpora` if present, or else invented.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::print_stdout, reason = "the table is what this is for")]

use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use urlint::Standard;

/// A way to decide whether a URL is valid.
type Engine = (&'static str, fn(&str) -> bool);

const OWN: [Engine; 4] = [
    ("rfc1738", |url| Standard::Rfc1738.is_valid(url.as_bytes())),
    ("rfc3986", |url| Standard::Rfc3986.is_valid(url.as_bytes())),
    ("rfc3987", |url| Standard::Rfc3987.is_valid(url.as_bytes())),
    ("whatwg", |url| Standard::Whatwg.is_valid(url.as_bytes())),
];
const PEERS: [Engine; 3] = [
    ("fluent-uri", |url| fluent_uri::Uri::parse(url).is_ok()),
    ("iri-string", |url| {
        iri_string::validate::iri::<iri_string::spec::UriSpec>(url).is_ok()
    }),
    ("url", |url| url::Url::parse(url).is_ok()),
];

/// Returns the URLs with their fragments, each once.
fn urls() -> Vec<String> {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let mut urls = BTreeSet::new();
    for folder in ["docs", "mail", "news", "rfc"] {
        add_found(&corpora.join(folder), &mut urls);
    }
    if urls.is_empty() {
        let made_up = (0..4000).map(|n| {
            let path = ["wiki/Main_Page", "~joe/a%20b", "archive?id=7", "v1.2.3#top"][n % 4];
            format!("https://lists-{}.example.org/{}/{path}", n % 9, n * 7)
        });
        urls.extend(made_up);
    }
    urls.into_iter().collect()
}

/// Adds the URLs in the files below `folder`.
fn add_found(folder: &Path, urls: &mut BTreeSet<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            add_found(&path, urls);
            continue;
        }
        let text = std::fs::read(path).unwrap();
        for candidate in urlint::find(&text) {
            urls.insert(String::from_utf8_lossy(&candidate.text).into_owned());
        }
    }
}

/// Returns the nanoseconds for a URL, measured over a time long enough for the clock.
fn measure(engine: Engine, urls: &[String]) -> f64 {
    let start = Instant::now();
    let mut runs = 0;
    while start.elapsed() < Duration::from_millis(10) {
        black_box(urls.iter().filter(|url| engine.1(black_box(url))).count());
        runs += 1;
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(runs) / urls.len() as f64
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let given = |flag: &str| std::env::args().any(|argument| argument == flag);
    let urls = urls();
    // Without `--bench` this is `cargo test`, which only wants to see it run.
    let rounds = match (given("--bench"), given("--quick")) {
        (false, _) => 1,
        (true, true) => 5,
        (true, false) => 41,
    };
    let engines: Vec<Engine> = OWN.into_iter().chain(PEERS).collect();
    let rounds: Vec<Vec<f64>> = (0..rounds)
        .map(|_| {
            engines
                .iter()
                .map(|engine| measure(*engine, &urls))
                .collect()
        })
        .collect();
    let peers = PEERS.map(|(name, _)| name).join(", ");
    println!("{} URLs", urls.len());
    println!(
        "{:12} {:>7} {:>7}   times {peers}",
        "engine", "ns/URL", "valid"
    );
    for (at, (name, run)) in engines.iter().enumerate() {
        let valid = urls.iter().filter(|url| run(url)).count();
        let time = median(rounds.iter().map(|round| round[at]));
        print!("{name:12} {time:7.1} {valid:7}  ");
        if at < OWN.len() {
            for peer in OWN.len()..engines.len() {
                print!(
                    " {:5.2}",
                    median(rounds.iter().map(|round| round[peer] / round[at]))
                );
            }
        }
        println!();
    }
}
