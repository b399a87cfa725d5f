//! Sources out of compressed files and archives: the same is found as in the plain file, and what
//! is broken costs no more than what is broken of it.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use flate2::Compression;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const TEXT: &[u8] = b"See <URL:http://a.example/~joe> and\nhttp://b.example/two\n";

const URLS: &str = "http://a.example/~joe\nhttp://b.example/two\n";

/// A message in a mailbox.
const MBOX: &[u8] = b"From a@b.example Mon Mar  3 12:00:00 2003\nSubject: x\n\nhttp://m.example/1\n\n\
                      From a@b.example Mon Mar  3 12:00:00 2003\nSubject: y\n\nhttp://m.example/2\n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    ruzstd::encoding::compress_to_vec(bytes, level)
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::default();
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn lz4(bytes: &[u8]) -> Vec<u8> {
    let info = lz4_flex::frame::FrameInfo::new().content_checksum(true);
    let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

type Compress = fn(&[u8]) -> Vec<u8>;

const METHODS: [(&str, Compress); 5] = [
    ("gz", gzip),
    ("zst", zstd),
    ("xz", xz),
    ("bz2", bzip2),
    ("lz4", lz4),
];

fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = SimpleFileOptions::default();
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// What came of a run: results, messages, exit code.
struct Ran {
    results: String,
    messages: String,
    code: i32,
}

/// Runs urlint over the files of `folder`, `stdin` on its standard input.
fn run(folder: &Path, arguments: &[&str], stdin: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_urlint"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Whoever does not want it does not read it.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    let output = child.wait_with_output().unwrap();
    Ran {
        results: String::from_utf8_lossy(&output.stdout).into_owned(),
        messages: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// The URLs of a file named `name` that holds `bytes`, as a file and on standard input.
fn extract(name: &str, bytes: &[u8]) -> Ran {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(name), bytes).unwrap();
    let ran = run(folder.path(), &["extract", "--show-skipped", name], b"");
    let piped = ["extract", "--show-skipped", "--stdin-filename", name, "-"];
    let piped = run(folder.path(), &piped, bytes);
    assert_eq!(ran.results, piped.results, "{name}");
    assert_eq!(ran.messages, piped.messages, "{name}");
    assert_eq!(ran.code, piped.code, "{name}");
    ran
}

/// Asserts that all of `urls` is found, and nothing is wrong.
#[track_caller]
fn assert_whole(name: &str, bytes: &[u8], urls: &str) {
    let ran = extract(name, bytes);
    assert_eq!(ran.results, urls, "{name}");
    assert_eq!(ran.messages, "", "{name}");
    assert_eq!(ran.code, 0, "{name}");
}

/// Asserts that `urls` is found before something is wrong that is told with the words `message`.
#[track_caller]
fn assert_broken(name: &str, bytes: &[u8], urls: &str, message: &str) {
    let ran = extract(name, bytes);
    assert_eq!(ran.results, urls, "{name}");
    assert!(ran.messages.contains(message), "{name}: {}", ran.messages);
    assert_eq!(ran.code, 2, "{name}");
}

#[test]
fn the_same_is_found_however_it_is_compressed() {
    assert_whole("a", TEXT, URLS);
    for (extension, compress) in METHODS {
        assert_whole(&format!("a.txt.{extension}"), &compress(TEXT), URLS);
        assert_whole("a", &compress(TEXT), URLS);
        assert_whole("empty", &compress(b""), "");
        let twice = compress(&compress(TEXT));
        assert_whole("a", &twice, URLS);
        let long: Vec<u8> = TEXT.repeat(20_000);
        assert_whole("long", &compress(&long), &URLS.repeat(20_000));
    }
}

#[test]
fn files_one_after_the_other_are_one() {
    for (extension, compress) in METHODS {
        assert_whole(extension, &compress(TEXT).repeat(20), &URLS.repeat(20));
    }
    let padded = [&gzip(TEXT)[..], &[0; 512]].concat();
    assert_whole("padded.gz", &padded, URLS);
    let skippable = [b"\x50\x2a\x4d\x18\x03\0\0\0abc", &zstd(TEXT)[..]].concat();
    assert_whole("skippable.zst", &skippable, URLS);
}

#[test]
fn the_name_below_the_compression_tells_the_kind() {
    let html = b"<p><!-- http://no.example/ --><a href='http://a.example/&amp;'>";
    for (extension, compress) in METHODS {
        let name = format!("a.html.{extension}");
        assert_whole(&name, &compress(html), "http://a.example/&\n");
    }
    let archive = zip(&[("a.html", html)]);
    assert_whole("a.txt", &archive, "http://a.example/&\n");
}

#[test]
fn members_are_read_in_order_and_named() {
    let inner = gzip(&tar(&[("2003/march.mbox", MBOX), ("a.txt", TEXT)]));
    let outer = zip(&[("lists.tgz", &inner), ("notes/b.txt", TEXT)]);
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("all.zip"), &outer).unwrap();
    let arguments = ["extract", "--output-format", "csv", "all.zip"];
    let ran = run(folder.path(), &arguments, b"");
    let members: Vec<_> = ran.results.lines().skip(1).collect();
    let members: Vec<_> = members.iter().map(|row| row.splitn(4, ',')).collect();
    let members: Vec<Vec<_>> = members
        .into_iter()
        .map(|row| row.take(3).collect())
        .collect();
    assert_eq!(
        members,
        [
            [
                "all.zip",
                "lists.tgz!2003/march.mbox!1",
                "http://m.example/1"
            ],
            [
                "all.zip",
                "lists.tgz!2003/march.mbox!2",
                "http://m.example/2"
            ],
            ["all.zip", "lists.tgz!a.txt", "http://a.example/~joe"],
            ["all.zip", "lists.tgz!a.txt", "http://b.example/two"],
            ["all.zip", "notes/b.txt", "http://a.example/~joe"],
            ["all.zip", "notes/b.txt", "http://b.example/two"],
        ]
    );
    assert_eq!(ran.messages, "");
    assert_whole(
        "all",
        &outer,
        &format!("http://m.example/1\nhttp://m.example/2\n{URLS}{URLS}"),
    );
}

#[test]
fn offsets_and_lines_count_in_the_member() {
    let folder = TempDir::new().unwrap();
    fs::write(
        folder.path().join("a.tar"),
        tar(&[("x", b"\n"), ("b.txt", TEXT)]),
    )
    .unwrap();
    let arguments = ["check", "--quiet", "--output-format", "concise", "a.tar"];
    let ran = run(folder.path(), &arguments, b"");
    assert!(
        ran.results
            .starts_with("a.tar!b.txt:1:27: error[unsafe-character]"),
        "{}",
        ran.results
    );
    assert_eq!(ran.code, 1);
}

#[test]
fn what_is_no_text_is_passed_over_in_archives() {
    let binary = tar(&[("a.bin", b"http://no.example/\0"), ("a.txt", TEXT)]);
    let ran = extract("a.tar", &binary);
    assert_eq!(ran.results, URLS);
    assert_eq!(
        ran.messages,
        "urlint: a.tar!a.bin: skipped, a binary file\n"
    );
    assert_eq!(ran.code, 0);
}

#[test]
fn folders_have_their_containers_opened() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.gz"), gzip(TEXT)).unwrap();
    fs::write(folder.path().join("b.bin"), b"http://no.example/\0").unwrap();
    fs::write(folder.path().join("c.gz"), gzip(b"http://no.example/\0")).unwrap();
    let ran = run(folder.path(), &["extract"], b"");
    assert_eq!(ran.results, URLS);
    assert_eq!(ran.code, 0);
}

#[test]
fn what_stands_before_the_break_is_found() {
    let text: Vec<u8> = (0..9_000u64)
        .map(|n| {
            format!(
                "http://a.example/{} \n",
                n.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            )
        })
        .collect::<String>()
        .into_bytes();
    for (extension, compress) in METHODS {
        let whole = compress(&text);
        let name = format!("a.{extension}");
        let cut = extract(&name, &whole[..whole.len() - 3]);
        assert_eq!(cut.code, 2, "{name}");
        assert!(
            cut.messages
                .starts_with(&format!("urlint: {name}: warning: ")),
            "{}",
            cut.messages
        );
        assert!(cut.messages.contains(" (at byte "), "{}", cut.messages);
        let mut bad = whole.clone();
        let middle = bad.len() / 2;
        bad[middle] ^= 0x10;
        let bad = extract(&name, &bad);
        assert_eq!(bad.code, 2, "{name}: {}", bad.messages);
    }
    let cut = gzip(&text);
    let found = extract("a.gz", &cut[..cut.len() / 2])
        .results
        .lines()
        .count();
    assert!((3_000..6_000).contains(&found), "{found}");
    assert_broken(
        "a.gz",
        &[&gzip(TEXT)[..], b"more"].concat(),
        URLS,
        "not compressed",
    );
}

#[test]
fn the_others_are_read_when_one_is_broken() {
    let mut broken = gzip(TEXT);
    let sum = broken.len() - 8;
    broken[sum] ^= 1;
    for archive in [tar, zip] {
        let whole = archive(&[("a.gz", &broken), ("b.txt", TEXT)]);
        assert_broken("a", &whole, &URLS.repeat(2), "urlint: a!a.gz: warning: ");
    }
    let cut = tar(&[("a.txt", TEXT), ("b.txt", TEXT)]);
    assert_broken(
        "a.tar",
        &cut[..1024 + 512 + 36],
        "http://a.example/~joe\nhttp://b.example/two\nhttp://a.example/~joe\n",
        "a.tar!b.txt: warning: ",
    );
    let cut = zip(&[("a.txt", TEXT), ("b.txt", TEXT)]);
    assert_broken(
        "a.zip",
        &cut[..cut.len() - 30],
        &URLS.repeat(2),
        "a.zip: warning: ",
    );
}

#[test]
fn bombs_do_not_go_off() {
    for (extension, compress) in METHODS.into_iter().filter(|(name, _)| *name != "lz4") {
        let bomb = compress(&gzip(&vec![b'\n'; 40 << 20]));
        let name = format!("a.{extension}");
        assert_broken(&name, &bomb, "", "--max-ratio");
    }
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.gz"), gzip(&TEXT.repeat(100))).unwrap();
    let ran = run(folder.path(), &["extract", "--max-size", "1K", "a.gz"], b"");
    assert!(ran.messages.contains("--max-size"), "{}", ran.messages);
    assert_eq!(ran.code, 2);
    assert!(ran.results.starts_with(URLS));
}

#[test]
fn nesting_ends() {
    let nest = |depth| (0..depth).fold(TEXT.to_vec(), |inner, _| gzip(&inner));
    assert_whole("a", &nest(8), URLS);
    assert_broken("a", &nest(9), "", "more than 8");
}

#[test]
fn names_are_only_names() {
    let archive = tar(&[("../../\x1b[31m.txt", TEXT), ("/etc/x.bin", b"\0")]);
    let ran = extract("a.tar", &archive);
    assert_eq!(ran.results, URLS);
    let arguments = ["check", "--output-format", "concise", "-"];
    let ran = run(Path::new("."), &arguments, &archive);
    assert!(
        ran.results.starts_with("-!../../\u{241b}[31m.txt:1:27: "),
        "{}",
        ran.results
    );
}

#[test]
fn names_are_held_up_to_a_limit() {
    for (length, message) in [(1 << 20, ""), (20 << 20, "too long")] {
        let mut builder = tar::Builder::new(tar(&[("a.txt", TEXT)])[..1024].to_vec());
        let mut header = tar::Header::new_gnu();
        let name = vec![b'n'; length];
        header.set_path("long").unwrap();
        header.set_entry_type(tar::EntryType::GNULongName);
        header.set_size(name.len() as u64);
        header.set_cksum();
        builder.append(&header, &name[..]).unwrap();
        let archive = [builder.into_inner().unwrap(), tar(&[("b.txt", TEXT)])].concat();
        // The builder ends its archive with two empty blocks.
        let end = archive.len() - tar(&[("b.txt", TEXT)]).len();
        let archive = [&archive[..end - 1024], &archive[end..]].concat();
        let ran = extract("a.tar", &archive);
        let expected = if message.is_empty() { 2 } else { 1 };
        assert_eq!(
            ran.results,
            URLS.repeat(expected),
            "{length} {:.300}",
            ran.messages
        );
        assert!(ran.messages.contains(message), "{length}: {}", ran.messages);
    }
}

#[test]
fn nothing_is_written_back() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.gz");
    fs::write(&path, gzip(TEXT)).unwrap();
    let ran = run(folder.path(), &["check", "--fix", "a.gz"], b"");
    assert_eq!(ran.code, 1);
    assert!(ran.results.contains("%7E"), "{}", ran.results);
    assert_eq!(fs::read(&path).unwrap(), gzip(TEXT));
}

/// A record of a web archive.
fn record(kind: &str, media_type: &str, body: &[u8]) -> Vec<u8> {
    let header = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:0>\r\n\
         WARC-Target-URI: <http://a.example/{kind}>\r\nContent-Type: {media_type}\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    [header.as_bytes(), body, b"\r\n\r\n"].concat()
}

/// A record that holds an HTTP response.
fn response(fields: &str, body: &[u8]) -> Vec<u8> {
    let header = format!("HTTP/1.1 200 OK\r\nServer: http://no.example/\r\n{fields}\r\n");
    let message = [header.as_bytes(), body].concat();
    record("response", "application/http; msgtype=response", &message)
}

const HTML: &[u8] = b"<!-- http://no.example/ --><a href=\"http://b.example/\">";

const OF_HTML: &str = "http://a.example/response\nhttp://b.example/\n";

#[test]
fn web_archives_are_read_record_by_record() {
    let request = b"GET / HTTP/1.1\r\nReferer: http://no.example/\r\n\r\n";
    let moved = "Location: http://b.example/moved\r\nContent-Type: text/html\r\n";
    let text = "http://c.example/ & so on".as_bytes();
    let archive = [
        record(
            "warcinfo",
            "application/warc-fields",
            b"format: http://no.example/",
        ),
        record("request", "application/http; msgtype=request", request),
        response(moved, HTML),
        response("Content-Type: image/png\r\n", b"http://no.example/"),
        record("conversion", "text/plain", text),
    ]
    .concat();
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a"), &archive).unwrap();
    let arguments = ["extract", "--show-skipped", "--output-format", "csv", "a"];
    let ran = run(folder.path(), &arguments, b"");
    let cells = |row: &str| row.split(',').skip(1).take(2).collect::<Vec<_>>().join(" ");
    let found: Vec<_> = ran.results.lines().skip(1).map(cells).collect();
    assert_eq!(
        found,
        [
            "1!head http://a.example/warcinfo",
            "2!head http://a.example/request",
            "3!head http://a.example/response",
            "3!head http://b.example/moved",
            "3 http://b.example/",
            "4!head http://a.example/response",
            "5!head http://a.example/conversion",
            "5 http://c.example/",
        ]
    );
    let skipped: Vec<_> = ran.messages.lines().collect();
    assert_eq!(
        skipped,
        [
            "urlint: a!1: skipped, the body of a warcinfo record",
            "urlint: a!2: skipped, the body of a request record",
            "urlint: a!4: skipped, image/png",
        ]
    );
    assert_eq!(ran.code, 0);
    let urls = run(folder.path(), &["extract", "a"], b"").results;
    let compressed = run(folder.path(), &["extract", "-"], &gzip(&archive)).results;
    assert_eq!(urls, compressed);
}

#[test]
fn bodies_are_decoded_as_their_messages_say() {
    let html = |fields: &str| format!("Content-Type: text/html\r\n{fields}");
    let chunked = |body: &[u8]| {
        let (first, second) = body.split_at(10);
        let size = format!("{:x}\r\n", second.len());
        [
            b"a\r\n",
            first,
            b"\r\n",
            size.as_bytes(),
            second,
            b"\r\n0\r\n\r\n",
        ]
        .concat()
    };
    let zlib = |body: &[u8]| {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(body).unwrap();
        encoder.finish().unwrap()
    };
    for (fields, body) in [
        ("", HTML.to_vec()),
        ("Transfer-Encoding: chunked\r\n", chunked(HTML)),
        ("Transfer-Encoding: chunked\r\n", HTML.to_vec()),
        ("Content-Encoding: gzip\r\n", gzip(HTML)),
        ("Content-Encoding: gzip\r\n", HTML.to_vec()),
        ("Content-Encoding: br\r\n", HTML.to_vec()),
        ("Content-Encoding: deflate\r\n", zlib(HTML)),
        ("Content-Encoding: deflate\r\n", zlib(HTML)[2..].to_vec()),
        (
            "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
            chunked(&gzip(HTML)),
        ),
    ] {
        let ran = extract("a", &response(&html(fields), &body));
        assert_eq!(ran.results, OF_HTML, "{fields}");
        assert_eq!((&*ran.messages, ran.code), ("", 0), "{fields}");
    }
    let brotli = response(&html("Content-Encoding: br\r\n"), b"\x0b\x02\x80\xff");
    assert_broken("a", &brotli, "http://a.example/response\n", "encoded as br");
    let body = chunked(&[HTML, b" and more"].concat());
    let fields = html("Transfer-Encoding: chunked\r\n");
    let cut = response(&fields, &body[..body.len() - 10]);
    assert_broken("a", &cut, OF_HTML, "a!1: warning: the chunk is cut off");
}

#[test]
fn web_archives_are_read_on_behind_a_broken_record() {
    let whole = response("Content-Type: text/html\r\n", HTML);
    let nameless = b"WARC/1.0\r\nWARC-Type: response\r\n\r\nhttp://no.example/\r\n";
    let broken = [&whole[..], nameless, &whole].concat();
    assert_broken(
        "a",
        &broken,
        &OF_HTML.repeat(2),
        "a!2: warning: a record without its length",
    );
    let broken = [&whole[..], b"and more\n", &whole].concat();
    assert_broken("a", &broken, &OF_HTML.repeat(2), "no record begins here");
    let cut = [&whole[..], &whole[..whole.len() - 20]].concat();
    let ran = extract("a", &cut);
    assert!(ran.results.starts_with(OF_HTML));
    assert!(
        ran.messages.contains("a!2: warning: a record of "),
        "{}",
        ran.messages
    );
    assert_eq!(ran.code, 2);
}

#[test]
fn older_web_archives_are_read_too() {
    let html = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=http://b.example/>";
    let archive = format!(
        "filedesc://a.arc 0.0.0.0 20140216050221 text/plain 9\n1 0 a\nURL\n\n\
         http://a.example/ 192.0.2.1 20140216050221 text/html {}\n{html}\n\
         http://c.example/ 192.0.2.1 20140216050221 text/plain 18\nhttp://d.example/\n\n",
        html.len()
    );
    let urls = "http://a.example/\nhttp://b.example/\nhttp://c.example/\nhttp://d.example/\n";
    assert_whole("a.arc", archive.as_bytes(), urls);
    let broken = archive.replace("text/plain 18", "text/plain -1");
    let urls = "http://a.example/\nhttp://b.example/\n";
    assert_broken("a.arc", broken.as_bytes(), urls, "no record begins here");
}

/// Whatever becomes of a byte, nothing crashes.
#[test]
fn no_byte_brings_it_down() {
    let members: [(&str, &[u8]); 2] = [("a.txt", TEXT), ("b.mbox", MBOX)];
    let web = response("Transfer-Encoding: chunked\r\n", b"5\r\nabcde\r\n0\r\n\r\n");
    let mut samples = vec![tar(&members), zip(&members), web];
    samples.extend(METHODS.map(|(_, compress)| compress(TEXT)));
    let folder = TempDir::new().unwrap();
    for sample in samples {
        let step = (sample.len() / 40).max(1);
        for at in (0..sample.len()).step_by(step) {
            let mut broken = sample.clone();
            broken[at] ^= [0xff, 0x01, 0x80][at % 3];
            let ran = run(folder.path(), &["extract", "-"], &broken);
            assert!(matches!(ran.code, 0 | 2), "{at}: {}", ran.messages);
        }
    }
}

/// What others wrote, if it is there: none crashes, and how many records each has is known.
#[test]
fn real_web_archives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora/warc");
    for (name, urls, code) in [
        ("bad.arc", 1, 2),
        ("example-iana.org-chunked.warc", 6, 0),
        ("example-trunc.warc", 3, 2),
        ("example-space-in-url.arc", 2, 2),
        ("example-wrong-chunks.warc.gz", 3, 0),
        ("example.arc.gz", 2, 0),
        ("example.warc", 5, 0),
        ("example.warc.gz", 5, 0),
        ("whirlwind.warc.wet.gz", 2, 0),
    ] {
        if folder.join(name).exists() {
            let ran = run(&folder, &["extract", name], b"");
            assert_eq!(ran.results.lines().count(), urls, "{name}");
            assert_eq!(ran.code, code, "{name}: {}", ran.messages);
            assert_eq!(ran.messages.is_empty(), code == 0, "{name}");
        }
    }
}
