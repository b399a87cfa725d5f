//! How fast `check` processes a tree of many files, compared with `rg -c`.
//!
//! `cargo bench --profile dist -p urlint-benches --bench check` writes generated RFCs to ten thousand files in a
//! temporary folder, and then those of `../shared/corpora/rfc` if present, runs the commands on
//! them in turn, and prints their times, elapsed and CPU, as multiples of those of `rg` with the
//! same number of threads. `rg` must be installed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::print_stdout, reason = "the table is what this is for")]

mod made;
// Only part of it is used here.
#[allow(dead_code, unreachable_pub)]
mod whole;

use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use whole::{command, median, texts, urlint};

/// The minimum number of files.
const FILES: usize = 10_000;

/// How often each command is run.
const RUNS: usize = 9;

fn main() {
    // Without `--bench` this is `cargo test`, which only needs it to build.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let made = made::TEXTS[0].1(4 << 20);
    // Pages, about as many as an RFC has.
    let pages: Vec<&str> = made.split_inclusive('\u{c}').collect();
    let made: Vec<Vec<u8>> = pages
        .chunks(20)
        .map(|pages| pages.concat().into())
        .collect();
    tree("made", &made);
    let real = texts(&["rfc"]);
    if !real.is_empty() {
        tree("corpus", &real);
    }
}

/// Runs the commands on a tree of copies of `texts`, and prints their times.
fn tree(name: &str, texts: &[Vec<u8>]) {
    let folder = tempfile::tempdir().unwrap();
    let mut files = 0;
    while files < FILES {
        let copy = folder.path().join(format!("{files:05}"));
        fs::create_dir(&copy).unwrap();
        for (number, text) in texts.iter().enumerate() {
            fs::write(copy.join(format!("{number:03}.txt")), text).unwrap();
        }
        files += texts.len();
    }
    let tree = folder.path().to_str().unwrap();
    let check = |threads, flags: &[&str]| {
        let first = [
            "check",
            "--isolated",
            "--exit-zero",
            "--quiet",
            "--threads",
            threads,
        ];
        command(urlint(), &first, &[flags, &[tree]].concat())
    };
    let rg = |threads| command("rg", &["-c", "-j", threads, "://"], &[tree]);
    let mut rows = [
        ("rg -c, 1 thread", rg("1"), 0),
        ("rg -c, 2 threads", rg("2"), 1),
        ("check, 1 thread", check("1", &[]), 0),
        ("check, 2 threads", check("2", &[]), 1),
        (
            "check, concise, 1 thread",
            check("1", &["--output-format", "concise"]),
            0,
        ),
        (
            "check, concise, 2 threads",
            check("2", &["--output-format", "concise"]),
            1,
        ),
    ];
    let mut runs = vec![Vec::new(); rows.len()];
    for round in 0..=RUNS {
        for ((_, command, _), runs) in rows.iter_mut().zip(&mut runs) {
            let used = measure(command);
            // The first round fills the page cache.
            if round > 0 {
                runs.push(used);
            }
        }
    }
    let figures = |index: usize| -> [f64; 2] {
        let [mut clock, cpu] = [0, 1].map(|kind| {
            let figures = runs[index].iter().map(|run: &[f64; 2]| run[kind]);
            figures.collect::<Vec<_>>()
        });
        // CPU time is counted in hundredths of seconds, so only the sum of many runs is accurate.
        [median(&mut clock), cpu.iter().sum::<f64>() / RUNS as f64]
    };
    let figures: Vec<[f64; 2]> = (0..rows.len()).map(figures).collect();
    println!(
        "\n{:32} {:>12} {:>9} {:>9} {:>9}",
        format!("{name}: {files} files"),
        "seconds",
        "times rg",
        "cpu",
        "times rg"
    );
    for ((name, _, beside), [clock, cpu]) in rows.iter().zip(&figures) {
        let [rg_clock, rg_cpu] = figures[*beside];
        println!(
            "{name:32} {clock:12.3} {:9.2} {cpu:9.3} {:9.2}",
            clock / rg_clock,
            cpu / rg_cpu
        );
    }
    let [[one, _], [two, _]] = [figures[2], figures[3]];
    println!("two threads are {:.2} times as fast as one", one / two);
}

/// Returns the seconds that a command takes, elapsed and CPU time.
fn measure(command: &mut Command) -> [f64; 2] {
    let out = tempfile::tempfile().unwrap();
    let before = processor_time();
    let start = Instant::now();
    let status = command.stdout(out).stderr(Stdio::null()).status();
    assert!(status.unwrap().success(), "{command:?}");
    [start.elapsed().as_secs_f64(), processor_time() - before]
}

/// Returns the seconds of CPU time that all commands have taken so far, if Linux reports it.
fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The fields before may contain spaces.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_ascii_whitespace().skip(13).take(2);
    let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}
