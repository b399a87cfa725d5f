//! Ways to find URLs in memory, timed side by side.

use std::hint::black_box;
use std::time::{Duration, Instant};

use linkify::{LinkFinder, LinkKind};
use regex::bytes::RegexBuilder;
use urlint::Standard;

/// The length of texts, in bytes: they fit in the last level of cache, so that the work is measured
/// rather than the memory.
pub(crate) const SIZE: usize = 4 << 20;

type Run = Box<dyn Fn(&str) -> usize>;

/// A way to find URLs; `run` returns how many there are.
pub(crate) struct Engine {
    pub(crate) name: &'static str,
    pub(crate) run: Run,
}

/// The parts of urlint that are measured.
pub(crate) const URLINT: [&str; 4] = [
    "urlint find",
    "+ judge rfc1738",
    "+ judge rfc3986",
    "+ judge whatwg",
];
/// The programs that they are compared with.
pub(crate) const PEERS: [&str; 3] = ["linkify", "regex ://", "memchr :"];

/// Returns all of these, in that order.
pub(crate) fn engines() -> Vec<Engine> {
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
        // Not a finder, but a bound: every colon must be looked at.
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

/// Returns the seconds for one run, measured over a time long enough for the clock.
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

/// Returns the speed of each engine on a text, in megabytes per second, and for those of urlint,
/// the ratio to each peer: medians over rounds in which all engines take turns.
pub(crate) fn speeds(engines: &[Engine], text: &str, rounds: usize) -> Vec<(f64, Vec<f64>)> {
    let rounds: Vec<Vec<f64>> = (0..rounds)
        .map(|_| engines.iter().map(|engine| measure(engine, text)).collect())
        .collect();
    let speed = |at: usize| {
        let speed = text.len() as f64 / 1e6 / median(rounds.iter().map(|round| round[at]));
        let peers = URLINT.len()..engines.len();
        let ratio = |peer: usize| median(rounds.iter().map(|round| round[peer] / round[at]));
        let ratios = if at < URLINT.len() {
            peers.map(ratio).collect()
        } else {
            Vec::new()
        };
        (speed, ratios)
    };
    (0..engines.len()).map(speed).collect()
}
