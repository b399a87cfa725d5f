//! How fast URLs are judged, beside other ways to do that.
//!
//! `cargo bench -p urlint-benches --bench judge`. The URLs are those of `../shared/corpora` if that is
//! there, else they are made up.

#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput};
use url::Url;
use urlint::standard::{Standard, whatwg};

fn urls() -> Vec<String> {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let mut urls = BTreeSet::new();
    for folder in ["rfc", "news", "mail"] {
        let entries = std::fs::read_dir(corpora.join(folder));
        for path in entries
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path())
        {
            if path.is_file() {
                let text = std::fs::read(path).unwrap();
                let found = urlint::find(&text);
                urls.extend(found.map(|url| String::from_utf8_lossy(url.url()).into_owned()));
            }
        }
    }
    if urls.is_empty() {
        let made_up =
            |n| format!("http://www.example-{n}.example/path/to/page-{n}.html?number={n}");
        urls.extend((0..1000).map(made_up));
    }
    urls.into_iter().collect()
}

fn main() {
    let urls = urls();
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("verdict");
    group.throughput(Throughput::Elements(urls.len() as u64));
    let mut bench = |name: &str, judge: &dyn Fn(&str) -> bool| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| urls.iter().filter(|url| judge(black_box(url))).count());
        });
    };
    for &standard in Standard::ALL {
        let name = format!("urlint {standard}");
        bench(&name, &|url| standard.is_valid(url.as_bytes()));
    }
    bench("urlint href", &|url| whatwg::href(url.as_bytes()).is_some());
    // Parses only, and repairs nearly everything.
    bench("url", &|url| Url::parse(url).is_ok());
    group.finish();
    criterion.final_summary();
}
