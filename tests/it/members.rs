//! Files of many compressed members, one after another: the output is the same whichever thread
//! decompresses a member, and a broken member costs no more than itself.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::{Compression, GzBuilder};

use crate::support::command::Folder;
use crate::support::packing::{gzip, record, tar, xz, zstd};
use crate::support::same::assert_same;
use urlint_testing::share;

/// Text without a pattern, so that it is not much shorter when it is compressed; a URL in each line.
fn lines(first: usize, count: usize) -> (Vec<u8>, String) {
    let (mut text, mut urls) = (Vec::new(), String::new());
    for number in first..first + count {
        let word = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        writeln!(
            text,
            "{word:x} at http://a.example/{number} {:x}",
            word ^ word >> 7
        )
        .unwrap();
        writeln!(urls, "http://a.example/{number}").unwrap();
    }
    (text, urls)
}

/// Returns `count` members of 100 lines each and the URLs in them. They are longer than the part that is
/// decompressed at a time.
fn members(count: usize, compress: fn(&[u8]) -> Vec<u8>) -> (Vec<Vec<u8>>, Vec<String>) {
    let member = |number| {
        let (text, urls) = lines(number * 100, 100);
        (compress(&text), urls)
    };
    (0..count).map(member).unzip()
}

/// Asserts that a file, named or piped, lists `urls` from any number of threads; returns the messages.
#[track_caller]
fn assert_lists(file: &[u8], urls: &str) -> String {
    let folder = Folder::of::<&[u8]>(&[("a", file), ("stdin", file)]);
    let named = assert_same(folder.path(), &["a"]);
    assert!(named.text() == urls, "{}", named.stderr);
    let piped = assert_same(folder.path(), &["--stdin-filename", "a", "-"]);
    assert!(piped.text() == urls, "{}", piped.stderr);
    assert_eq!(named.stderr, piped.stderr);
    named.stderr
}

/// Splits a text into members as `bgzip` does, with the length of each in its header.
fn bgzf(text: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let empty: &[u8] = b"";
    for block in text.chunks(60_000).chain([empty]) {
        let header = GzBuilder::new().extra(&b"BC\x02\0\0\0"[..]);
        let mut encoder = header.write(Vec::new(), Compression::default());
        encoder.write_all(block).unwrap();
        let mut member = encoder.finish().unwrap();
        let length = u16::try_from(member.len() - 1).unwrap();
        member[16..18].copy_from_slice(&length.to_le_bytes());
        file.extend(member);
    }
    file
}

#[test]
fn many_members() {
    for compress in [gzip, zstd] {
        let (files, urls) = members(share(100, 600), compress);
        let file = files.concat();
        assert!(file.len() > share(1 << 17, 1 << 20), "{}", file.len());
        assert_eq!(assert_lists(&file, &urls.concat()), "");
    }
    let (text, urls) = lines(0, share(6_000, 60_000));
    assert_eq!(assert_lists(&bgzf(&text), &urls), "");
}

#[test]
fn long_members_among_short_ones() {
    for &compress in &[zstd, gzip][..share(1, 2)] {
        let (files, urls) = members(50, compress);
        let (long, long_urls) = lines(0, share(24_000, 120_000));
        assert!(long.len() > share(1, 5) << 20);
        let file = [files.concat(), compress(&long), files.concat()].concat();
        let expected = [urls.concat(), long_urls, urls.concat()].concat();
        assert_eq!(assert_lists(&file, &expected), "");
        // Much that is short, of which no one thread may hold all.
        let thin = compress(&vec![b'\n'; 3 << 20]).repeat(share(4, 40));
        let file = [files.concat(), thin, files.concat()].concat();
        assert_eq!(assert_lists(&file, &urls.concat().repeat(2)), "");
    }
}

#[test]
fn false_signatures_of_members() {
    let stored = |bytes: &[u8]| {
        let mut encoder = GzBuilder::new().write(Vec::new(), Compression::none());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let (files, urls) = members(share(100, 400), gzip);
    let inside = files.concat();
    let (text, first) = lines(1 << 20, 1000);
    // A list of URLs, and compressed ones, which are none: all members but the middle one.
    let middle = [&text[..], &inside, b"\nhttp://b.example/\n"].concat();
    let file = [&inside[..], &stored(&middle), &inside].concat();
    let expected = [
        urls.concat(),
        first,
        "http://b.example/\n".to_owned(),
        urls.concat(),
    ]
    .concat();
    assert_eq!(assert_lists(&file, &expected), "");
}

#[test]
fn broken_members_in_the_middle() {
    for compress in &[zstd, gzip][..share(1, 2)] {
        let (mut files, urls) = members(500, *compress);
        let mut expected = urls.clone();
        for (number, at) in [(3, 30), (170, 500), (171, 1200), (330, 2), (499, 700)] {
            files[number][at] ^= 0x41;
            expected[number].clear();
        }
        let half = files[250].len() / 2;
        files[250].truncate(half);
        expected[250].clear();
        files[400].extend_from_slice(b"what is this? http://no.example/");
        let folder = Folder::of::<&[u8]>(&[("a", &files.concat()), ("stdin", &files.concat())]);
        let named = assert_same(folder.path(), &["a"]);
        let piped = assert_same(folder.path(), &["--stdin-filename", "a", "-"]);
        assert_eq!(named.stdout, piped.stdout);
        assert_eq!(named.stderr, piped.stderr);
        assert!(named.stderr.lines().count() >= 7, "{}", named.stderr);
        assert_eq!(named.code, Some(2));
        // URLs before the fault in a member are listed too.
        let list = named.text();
        let mut found: Vec<_> = list.lines().collect();
        for url in expected.concat().lines() {
            assert!(
                found.binary_search(&url).is_ok() || found.contains(&url),
                "{url}"
            );
        }
        found.retain(|url| url.contains("no.example"));
        assert_eq!(found, [""; 0]);
        for cut in [100, 40_000, 300_000] {
            let whole = files[..200].concat();
            let file = &whole[..whole.len() - cut];
            let folder = Folder::of::<&[u8]>(&[("a", file)]);
            let ran = assert_same(folder.path(), &["a"]);
            assert_eq!(ran.code, Some(2));
        }
    }
}

#[test]
fn limits_hold_whoever_decompresses() {
    for &compress in &[gzip, zstd][..share(1, 2)] {
        let (files, _) = members(share(100, 400), compress);
        let thin = compress(&vec![b'\n'; 1 << 20]).repeat(40);
        let file = [files.concat(), thin, files.concat()].concat();
        let folder = Folder::of::<&[u8]>(&[("a", &file)]);
        for limit in [
            ["--max-size", "100K"],
            ["--max-size", "3M"],
            ["--max-size", "30M"],
            ["--max-ratio", "10"],
            ["--max-ratio", "25"],
        ] {
            let ran = assert_same(folder.path(), &[limit[0], limit[1], "a"]);
            assert!(ran.stderr.contains(limit[0]), "{limit:?} {}", ran.stderr);
            assert_eq!(ran.code, Some(2), "{limit:?}");
        }
    }
}

#[test]
fn web_archives_of_many_members() {
    let (mut archive, mut expected, mut plain) = (Vec::new(), String::new(), Vec::new());
    for number in 0..share(200, 1200) {
        let (text, urls) = lines(number * 20, 20);
        let record = record("conversion", "text/plain", &text);
        archive.extend(gzip(&record));
        plain.extend(record);
        expected += "http://a.example/conversion\n";
        expected += &urls;
    }
    assert_eq!(assert_lists(&archive, &expected), "");
    assert_eq!(assert_lists(&plain, &expected), "");
    assert_eq!(assert_lists(&zstd(&plain), &expected), "");
    assert_eq!(assert_lists(&xz(&plain), &expected), "");
}

#[test]
fn members_of_test_data_are_test_data() {
    let packed = gzip(&tar(&[("a.md", b"see <http://a.org/x{y>\n")]));
    let folder = Folder::new();
    for (name, severity) in [("x.tar.gz", "error"), ("tests/x.tar.gz", "hint")] {
        folder.write(name, &packed);
        let arguments = ["check", "--isolated", "--output-format", "concise", name];
        let expected = format!("{name}!a.md:1:20: {severity}[unsafe-character]");
        let said = folder.run(&arguments, b"");
        assert!(said.text().starts_with(&expected), "{}", said.text());
    }
}
