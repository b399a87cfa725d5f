//! How fast URLs are found, beside other ways to find them.
//!
//! `cargo bench -p urlint-benches --bench find` runs criterion's groups and then prints ratios from rounds in which the engines
//! take turns, since absolute figures drift from run to run; `-- --quick` behind it is shorter.
//! Texts come from `../shared/corpora` if that is there, else they are made up.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::print_stdout, reason = "the table is what this is for")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use linkify::{LinkFinder, LinkKind};
use regex::bytes::RegexBuilder;
use urlint::Standard;

/// Stays in the last level of cache, so that the work is measured and not the memory.
const SIZE: usize = 4 << 20;

type Run = Box<dyn Fn(&str) -> usize>;

/// A way to find URLs; `run` returns how many there are.
struct Engine {
    name: &'static str,
    run: Run,
}

const URLINT: [&str; 4] = [
    "urlint find",
    "+ judge rfc1738",
    "+ judge rfc3986",
    "+ judge whatwg",
];
const PEERS: [&str; 3] = ["linkify", "regex", "memchr"];

fn engines() -> Vec<Engine> {
    let mut linkify = LinkFinder::new();
    linkify.kinds(&[LinkKind::Url]).url_must_have_scheme(true);
    let regex = RegexBuilder::new(r#"[a-z][a-z0-9+.-]*://[^\s<>"]+"#)
        .case_insensitive(true)
        .unicode(false)
        .build()
        .unwrap();
    let runs: [Run; 7] = [
        Box::new(|text| urlint::find(text.as_bytes()).count()),
        Box::new(|text| judge(Standard::Rfc1738, text)),
        Box::new(|text| judge(Standard::Rfc3986, text)),
        Box::new(|text| judge(Standard::Whatwg, text)),
        Box::new(move |text| linkify.links(text).count()),
        Box::new(move |text| regex.find_iter(text.as_bytes()).count()),
        // No finder, but a limit: every colon must be looked at.
        Box::new(|text| memchr::memchr_iter(b':', text.as_bytes()).count()),
    ];
    let names = URLINT.into_iter().chain(PEERS);
    names
        .zip(runs)
        .map(|(name, run)| Engine { name, run })
        .collect()
}

/// Finds URLs and judges each; returns how many there are.
#[inline(always)]
fn judge(standard: Standard, text: &str) -> usize {
    let mut problems = 0;
    let judged = urlint::find(text.as_bytes()).inspect(|candidate| {
        let url = if standard.has_fragments() {
            &candidate.text
        } else {
            candidate.url()
        };
        standard.judge(url, |_| problems += 1);
    });
    let found = judged.count();
    black_box(problems);
    found
}

fn texts() -> Vec<(&'static str, String)> {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let rfc = corpus(&[corpora.join("rfc")], ".txt");
    let mail = corpus(&[corpora.join("news"), corpora.join("mail")], "");
    vec![
        // How far URLs are apart in large collections of each.
        ("rfc", rfc.unwrap_or_else(|| prose(7600))),
        ("mail", mail.unwrap_or_else(|| prose(2400))),
        ("dense", dense()),
    ]
}

/// What the folders' files hold, one after the other, made valid UTF-8 for those who need it.
fn corpus(folders: &[PathBuf], suffix: &str) -> Option<String> {
    let mut text = String::new();
    for folder in folders {
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .ok()?
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.retain(|path| path.is_file() && path.to_string_lossy().ends_with(suffix));
        paths.sort();
        for path in paths {
            text.push_str(&String::from_utf8_lossy(&std::fs::read(path).unwrap()));
        }
    }
    cut(text)
}

fn cut(mut text: String) -> Option<String> {
    let end = (0..=SIZE).rev().find(|&end| text.is_char_boundary(end))?;
    text.truncate(end);
    (end > SIZE / 2).then_some(text)
}

/// Prose with a colon every other line and a URL every so many bytes.
fn prose(apart: usize) -> String {
    let mut text = String::new();
    for n in 0.. {
        let before = text.len();
        while text.len() < before + apart {
            text.push_str("The quick brown fox jumps over the lazy dog, and says to the next one:\nnothing at all\n");
        }
        writeln!(text, "see {}", url(n)).unwrap();
        if text.len() > SIZE {
            break;
        }
    }
    cut(text).unwrap()
}

/// A URL a line.
fn dense() -> String {
    let mut text = String::new();
    for n in 0.. {
        writeln!(text, "{}", url(n)).unwrap();
        if text.len() > SIZE {
            break;
        }
    }
    cut(text).unwrap()
}

/// The `n`th of many URLs of 60 to 110 bytes as they are met in the wild.
fn url(n: usize) -> String {
    const HOSTS: [&str; 6] = [
        "www.example.com",
        "lists.example.org",
        "en.m.example.net",
        "cs.example.edu",
        "192.0.2.7:8080",
        "cdn-3.static.example.io",
    ];
    const WORDS: [&str; 11] = [
        "archive",
        "2024",
        "index.html",
        "linux-kernel",
        "msg00042",
        "wiki",
        "a%20b",
        "papers",
        "v1.2.3",
        "Main_Page",
        "thread",
    ];
    // SplitMix64's last steps: as good as random, and the same every time.
    let mut bits = (n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mut pick = |bound: usize| {
        let picked = (bits >> 40) as usize % bound;
        bits = bits.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        picked
    };
    let scheme = ["http", "https", "https", "ftp"][pick(4)];
    let mut url = format!("{scheme}://{}", HOSTS[pick(6)]);
    if pick(8) == 0 {
        url.push_str("/~joe");
    }
    let length = 60 + pick(30);
    while url.len() < length - 12 {
        write!(url, "/{}", WORDS[pick(11)]).unwrap();
    }
    match pick(5) {
        0 => write!(url, "?id={}&q={}", pick(100_000), WORDS[pick(11)]).unwrap(),
        1 => write!(url, "#section-{}", pick(40)).unwrap(),
        _ => write!(url, "/{:08}", pick(1 << 24)).unwrap(),
    }
    url
}

fn groups(criterion: &mut Criterion, engines: &[Engine], texts: &[(&str, String)]) {
    for (name, text) in texts {
        let mut group = criterion.benchmark_group(*name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group
            .sample_size(20)
            .measurement_time(Duration::from_secs(2))
            .warm_up_time(Duration::from_millis(500));
        for engine in engines {
            group.bench_function(engine.name, |bencher| {
                bencher.iter(|| (engine.run)(black_box(text)));
            });
        }
    }
}

/// Seconds for one run, measured over a time that the clock can tell.
fn measure(engine: &Engine, text: &str) -> f64 {
    let start = Instant::now();
    let mut runs = 0;
    while start.elapsed() < Duration::from_millis(10) {
        black_box((engine.run)(black_box(text)));
        runs += 1;
    }
    start.elapsed().as_secs_f64() / f64::from(runs)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// How many times as fast as the others urlint is: the median over rounds of all engines in turn.
fn ratios(engines: &[Engine], texts: &[(&str, String)], rounds: usize) {
    println!(
        "\n{:6} {:20} {:>8} {:>7}   times {}",
        "text",
        "engine",
        "MB/s",
        "found",
        PEERS.join(", ")
    );
    for (name, text) in texts {
        let rounds: Vec<Vec<f64>> = (0..rounds)
            .map(|_| engines.iter().map(|engine| measure(engine, text)).collect())
            .collect();
        for (at, engine) in engines.iter().enumerate() {
            let speed = text.len() as f64 / 1e6 / median(rounds.iter().map(|round| round[at]));
            print!(
                "{name:6} {:20} {speed:8.0} {:7}  ",
                engine.name,
                (engine.run)(text)
            );
            if at < URLINT.len() {
                for peer in URLINT.len()..engines.len() {
                    print!(
                        " {:5.2}",
                        median(rounds.iter().map(|round| round[peer] / round[at]))
                    );
                }
            }
            println!();
        }
    }
}

fn main() {
    let given = |flag: &str| std::env::args().any(|argument| argument == flag);
    let (engines, texts) = (engines(), texts());
    let mut criterion = Criterion::default().configure_from_args();
    groups(&mut criterion, &engines, &texts);
    criterion.final_summary();
    // Without `--bench` this is `cargo test`, which only wants to see it run.
    if given("--bench") && !given("--list") {
        ratios(&engines, &texts, if given("--quick") { 5 } else { 21 });
    }
}
