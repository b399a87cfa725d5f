//! How fast URLs are found, compared with other ways to find them.
//!
//! `cargo bench --profile dist -p urlint-benches --bench find` runs criterion's groups and then prints ratios from
//! rounds in which the engines take turns, since absolute figures drift between runs; add `--
//! --quick` for a shorter run. The texts are generated, and the same everywhere. Real ones from
//! `../shared/corpora` follow if present.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::print_stdout, reason = "the table is what this is for")]

mod engines;
mod made;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use criterion::{Criterion, Throughput};

use engines::{Engine, PEERS, SIZE, engines, speeds};

fn texts() -> Vec<(&'static str, String)> {
    let made = made::TEXTS.map(|(name, make)| (name, make(SIZE)));
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let real = [
        ("rfc corpus", corpus(&[corpora.join("rfc")], ".txt")),
        (
            "mail corpus",
            corpus(&[corpora.join("news"), corpora.join("mail")], ""),
        ),
    ];
    let real = real
        .into_iter()
        .filter_map(|(name, text)| Some((name, text?)));
    made.into_iter().chain(real).collect()
}

/// Returns the contents of the folders' files, concatenated and made valid UTF-8 for engines that
/// need it.
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

/// Prints the ratio of urlint's speed to the speed of its peers.
fn ratios(engines: &[Engine], texts: &[(&str, String)], rounds: usize) {
    println!(
        "\n{:12} {:20} {:>8} {:>7}   times {}",
        "text",
        "engine",
        "MB/s",
        "found",
        PEERS.join(", ")
    );
    for (name, text) in texts {
        let speeds = speeds(engines, text, rounds);
        for (engine, (speed, ratios)) in engines.iter().zip(speeds) {
            let found = (engine.run)(text);
            print!("{name:12} {:20} {speed:8.0} {found:7}  ", engine.name);
            for ratio in ratios {
                print!(" {ratio:5.2}");
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
    // Without `--bench` this is `cargo test`, which only needs it to run.
    if given("--bench") && !given("--list") {
        ratios(&engines, &texts, if given("--quick") { 5 } else { 21 });
    }
}
