//! Web archives: records are read as documents of their kinds, and a broken one costs no more than itself.

use std::fs;
use std::io::Write;

use flate2::Compression;
use tempfile::TempDir;

use crate::support::command::run;
use crate::support::packing::{assert_broken, assert_whole, extract, gzip, record, response, zstd};
use urlint_testing::share;

const HTML: &[u8] = b"<!-- mailto:joe@no.example --><a href=\"http://b.example/\">";

/// The same, encoded by brotli.
const BROTLI: &[u8] = b"\x1b\x39\x00\x00\x1c\x09\x76\x6c\xc9\x7a\x71\xe9\x3c\xea\x16\x1f\x31\x35\xf9\xe6\x26\xd2\x2e\x2f\x40\
    \x65\xc0\x21\x07\x0e\xdf\xb5\x79\xe2\x99\xd4\x56\x07\x8a\x10\x6e\xb3\x76\x37\x3e\xef\x82\x7c\x02\x6a\x02";

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
    let arguments = ["extract", "--verbose", "--output-format", "csv", "a"];
    let ran = run(folder.path(), &arguments, b"");
    let cells = |row: &str| row.split(',').skip(1).take(2).collect::<Vec<_>>().join(" ");
    let found: Vec<_> = ran.text().lines().skip(1).map(cells).collect();
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
    let skipped: Vec<_> = ran.stderr.lines().collect();
    assert_eq!(
        skipped,
        [
            "urlint: a!1: skipped, the body of a warcinfo record",
            "urlint: a!2: skipped, the body of a request record",
            "urlint: a!4: skipped, image/png",
        ]
    );
    assert_eq!(ran.code, Some(0));
    let urls = run(folder.path(), &["extract", "a"], b"").text();
    let compressed = run(folder.path(), &["extract", "-"], &gzip(&archive)).text();
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
        ("Content-Encoding: br\r\n", BROTLI.to_vec()),
        ("Content-Encoding: zstd\r\n", zstd(HTML)),
        ("Content-Encoding: deflate\r\n", zlib(HTML)),
        ("Content-Encoding: deflate\r\n", zlib(HTML)[2..].to_vec()),
        (
            "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
            chunked(&gzip(HTML)),
        ),
    ] {
        let ran = extract("a", &response(&html(fields), &body));
        assert_eq!(ran.text(), OF_HTML, "{fields}");
        assert_eq!((&*ran.stderr, ran.code), ("", Some(0)), "{fields}");
    }
    let odd = response(&html("Content-Encoding: sdch\r\n"), b"\x0b\x02\x80\xff");
    assert_broken("a", &odd, "http://a.example/response\n", "encoded as sdch");
    let cut = response(&html("Content-Encoding: br\r\n"), &BROTLI[..30]);
    let ran = extract("a", &cut);
    assert!(
        ran.stderr.starts_with("urlint: a!1: warning: "),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.code, Some(2));
    let long = response(&html("Content-Encoding: br\r\n"), b"\x11\x1e\x80\xff");
    assert_broken("a", &long, "http://a.example/response\n", "encoded as br");
    // 20 MiB of line breaks.
    let bomb = b"\xcf\xff\xff\x7f\xf8\x25\x14\xe2\xb1\x40\x20\xf7\xfe\x3f\xff\xff\x7f\xf0\x4b\x00\xc4\x61\x01\x80\xee\xfd\x0f";
    let bomb = response("Content-Encoding: br\r\nContent-Type: text/plain\r\n", bomb);
    assert_broken("a", &bomb, "http://a.example/response\n", "--max-ratio");
    let body = chunked(&[HTML, b" and more"].concat());
    let fields = html("Transfer-Encoding: chunked\r\n");
    let cut = response(&fields, &body[..body.len() - 10]);
    assert_broken("a", &cut, OF_HTML, "a!1: warning: the chunk is cut off");
}

#[test]
fn frames_may_share_a_dictionary() {
    let record = response("Content-Type: text/plain\r\n", b"http://a.example/x\n");
    let dictionary = record.repeat(4);
    let frame = || {
        let encoder = zstd::Encoder::with_dictionary(Vec::new(), 3, &dictionary);
        let mut encoder = encoder.unwrap();
        encoder.write_all(&record).unwrap();
        encoder.finish().unwrap()
    };
    let skipped = |content: &[u8]| {
        let length = u32::try_from(content.len()).unwrap().to_le_bytes();
        [&b"\x5d\x2a\x4d\x18"[..], &length, content].concat()
    };
    for first in [skipped(&dictionary), skipped(&zstd(&dictionary))] {
        let file = [first, frame(), frame()].concat();
        let urls = "http://a.example/response\nhttp://a.example/x\n";
        assert_whole("a.warc.zst", &file, &urls.repeat(2));
        let cut = extract("a.warc.zst", &file[..file.len() - 3]);
        assert_eq!((cut.code, cut.text().contains(urls)), (Some(2), true));
    }
    let other = [skipped(b"text"), zstd(&record)].concat();
    let urls = extract("a.warc.zst", &other).text();
    assert!(urls.contains("http://a.example/x\n"), "{urls}");
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
        "a!2: warning: a record without a length",
    );
    let broken = [&whole[..], b"and more\n", &whole].concat();
    assert_broken("a", &broken, &OF_HTML.repeat(2), "no record begins here");
    let cut = [&whole[..], &whole[..whole.len() - 20]].concat();
    let ran = extract("a", &cut);
    assert!(ran.text().starts_with(OF_HTML));
    assert!(
        ran.stderr.contains("a!2: warning: a record of "),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.code, Some(2));
}

/// Each record is a member of its own, as crawlers write them.
#[test]
fn a_broken_member_costs_no_more_than_its_record() {
    let numbered = |number: u32| {
        let html = format!(
            "<p>{}<a href='http://b.example/{number}'>",
            "so on ".repeat(50)
        );
        response("Content-Type: text/html\r\n", html.as_bytes())
    };
    let records: Vec<_> = (0..5).map(numbered).collect();
    let members: Vec<_> = records.iter().map(|record| gzip(record)).collect();
    let frames: Vec<_> = records.iter().map(|record| zstd(record)).collect();
    let urls = |numbers: &[u32]| -> Vec<String> {
        let url = |number| format!("http://b.example/{number}");
        numbers.iter().map(url).collect()
    };
    let len = members[2].len();
    for at in (0..len).step_by(share(15, 3)) {
        let mut broken = members.clone();
        broken[2][at] ^= 0x10;
        let ran = extract("a.warc.gz", &broken.concat());
        let found: Vec<_> = ran.text().lines().map(str::to_owned).collect();
        for url in urls(&[0, 1, 3, 4]) {
            assert!(found.contains(&url), "{at}: {url} {}", ran.stderr);
        }
        // Bytes 4 to 9 say when and where it was compressed.
        assert_eq!(
            ran.code,
            if (4..10).contains(&at) {
                Some(0)
            } else {
                Some(2)
            },
            "{at}"
        );
    }
    for at in (0..frames[2].len()).step_by(share(15, 3)) {
        let mut broken = frames.clone();
        broken[2][at] ^= 0x10;
        let ran = extract("a.warc.zst", &broken.concat());
        let found: Vec<_> = ran.text().lines().map(str::to_owned).collect();
        for url in urls(&[0, 1, 3, 4]) {
            assert!(found.contains(&url), "{at}: {url} {}", ran.stderr);
        }
    }
    let cut = &members[2][..len / 2];
    let cut = [&members[..2].concat(), cut, &members[3..].concat()].concat();
    let ran = extract("a.warc.gz", &cut);
    let lines: Vec<_> = ran.text().lines().map(str::to_owned).collect();
    assert!(urls(&[0, 1, 3, 4]).iter().all(|url| lines.contains(url)));
    let junk = [&members[0], &b"and more"[..], &members[1]].concat();
    let message = "not compressed; the 8 bytes before the next part are skipped";
    let expected = ["http://a.example/response\n", "http://b.example/0\n"].concat();
    let expected = [expected.clone(), expected.replace('0', "1")].concat();
    assert_broken("a.warc.gz", &junk, &expected, message);
}

#[test]
fn a_wrong_length_costs_no_record() {
    let good = response("Content-Type: text/html\r\n", HTML);
    let length = good.len() - 4 - good.windows(4).position(|at| at == b"\r\n\r\n").unwrap() - 4;
    let good = String::from_utf8(good).unwrap();
    let told = format!("Content-Length: {length}");
    for wrong in [length - 20, length - 1, length + 5, length + 50, 3_000_000] {
        let broken = good.replace(&told, &format!("Content-Length: {wrong}"));
        let archive = [&*good, &broken, &good, &good].concat();
        let message = format!("a!2: warning: {length} bytes long, not {wrong} as it says");
        assert_broken("a", archive.as_bytes(), &OF_HTML.repeat(4), &message);
    }
    // A record whose content has records, and whose length is right, is not broken.
    let speaking = record("resource", "text/plain", good.as_bytes());
    let archive = [&speaking, good.as_bytes()].concat();
    let ran = extract("a", &archive);
    assert_eq!((&*ran.stderr, ran.code), ("", Some(0)));
}

#[test]
fn a_target_uri_is_all_of_its_field() {
    for (field, url) in [
        ("http://a.example/b c d", "http://a.example/b c d"),
        ("<http://a.example/b c>", "http://a.example/b c"),
        ("http://a.example/b).", "http://a.example/b)."),
        ("urn:x:1", "urn:x:1"),
    ] {
        let archive = format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {field}\r\n\
             Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nab\r\n\r\n"
        );
        assert_whole("a", archive.as_bytes(), &format!("{url}\n"));
    }
    let header = "Location: http://b.example/c d\r\n\
                  Link: <http://c.example/>; rel=next, </d>; rel=prev\r\n\
                  Refresh: 5; url=http://e.example/\r\n";
    let urls =
        "http://a.example/response\nhttp://b.example/c d\nhttp://c.example/\nhttp://e.example/\n";
    assert_whole("a", &response(header, b""), urls);
}

#[test]
fn converted_pages_are_read_as_json() {
    let json =
        br#"{"Links":[{"url":"http:\/\/b.example\/?x\u0026y","path":"A@/href"},{"url":"/c"}]}"#;
    let urls = "http://a.example/metadata\nhttp://b.example/?x&y\n";
    assert_whole("a.wat", &record("metadata", "application/json", json), urls);
    let answer = response("Content-Type: application/ld+json; charset=utf-8\r\n", json);
    let urls = urls.replace("metadata", "response");
    assert_whole("a.warc", &answer, &urls);
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
    let urls = "http://a.example/\nhttp://b.example/\nhttp://c.example/\n";
    assert_broken(
        "a.arc",
        broken.as_bytes(),
        urls,
        "a record without a length",
    );
}

#[test]
fn relative_links_are_resolved_by_the_base_of_their_document() {
    let html = "<a href=' ../x.html?a&amp;b ' target=content><img srcset='i.png 2x'><a href=//c.example/#t>\
                <a href=''><a href='x-unknown:1'><a href=http://d.example/./y>";
    let based = format!("<base href='/e/' target=_top>{html}");
    let page = |text: &str| response("Content-Type: text/html\r\n", text.as_bytes());
    let message = |text: &str| {
        format!(
            "Content-Type: text/html\r\nContent-Location: http://m.example/b\r\n /c\r\n\r\n{text}"
        )
    };
    let listed = |name: &str, source: &[u8], flags: &[&str]| {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join(name), source).unwrap();
        let fields = [
            "extract",
            "--element",
            "a,img,base",
            "--fields",
            "resolved,found,url",
            name,
        ];
        let ran = run(folder.path(), &[&fields[..], flags].concat(), b"");
        assert_eq!(ran.code, Some(0), "{name}");
        ran.text() + &ran.stderr
    };
    let rows = |folder: &str, pictures: &str| {
        format!(
            "true\t../x.html?a&b\t{folder}x.html?a&b\ntrue\ti.png\t{pictures}i.png\n\
             true\t//c.example/#t\thttp://c.example/#t\n\
             false\thttp://d.example/./y\thttp://d.example/./y\n"
        )
    };
    let markdown = response(
        "Content-Type: text/markdown\r\n",
        b"[a](../x.md) ![b](<y z.png>)",
    );
    let absolute = "false\thttp://d.example/./y\thttp://d.example/./y\n";
    let cases = [
        (
            "a.warc",
            page(html),
            rows("http://a.example/", "http://a.example/"),
        ),
        (
            "b.warc",
            page(&based),
            rows("http://a.example/", "http://a.example/e/"),
        ),
        (
            "c.mhtml",
            message(html).into(),
            rows("http://m.example/", "http://m.example/b/"),
        ),
        (
            "d.mhtml",
            message(&based).into(),
            rows("http://m.example/", "http://m.example/e/"),
        ),
        (
            "h.mhtml",
            format!(
                "Content-Type: multipart/related; boundary=x\r\nContent-Location: http://o.example/a/\r\n\r\n\
                 --x\r\nContent-Type: text/html\r\nContent-Location: b/c\r\n\r\n{html}\r\n--x--\r\n"
            )
            .into(),
            rows("http://o.example/a/", "http://o.example/a/b/"),
        ),
        ("e.html", html.into(), absolute.to_owned()),
        ("f.html", based.into(), absolute.to_owned()),
        (
            "g.warc",
            markdown,
            "true\t../x.md\thttp://a.example/x.md\ntrue\ty z.png\thttp://a.example/y z.png\n"
                .to_owned(),
        ),
    ];
    for (name, source, expected) in cases {
        let always = listed(name, &source, &["--resolve"]);
        let left_out = "1 warning about documents: -v lists them.\n";
        let left_out = if name.ends_with(".html") {
            left_out
        } else {
            ""
        };
        assert_eq!(always, expected.clone() + left_out, "{name}");
        let is_absolute = |line: &&str| line.starts_with("false");
        let absolute: String = expected.split_inclusive('\n').filter(is_absolute).collect();
        let never = listed(name, &source, &["--resolve=never"]);
        let nothing = "urlint: no URL passes `--element a,img,base`\n";
        let absolute = if absolute.is_empty() {
            nothing.to_owned()
        } else {
            absolute
        };
        assert_eq!(never, absolute, "{name}");
        let usual = if name.ends_with(".warc") {
            expected
        } else {
            absolute
        };
        assert_eq!(listed(name, &source, &[]), usual, "{name}");
    }
    let login = b"<base href=http://a.example/><a href=//joe:geheim@b.example/>";
    let hidden = "true\t//joe:***@b.example/\thttp://joe:***@b.example/\n";
    let ran = listed("h.html", login, &["--resolve", "--redact"]);
    assert!(ran.ends_with(hidden), "{ran}");
}
