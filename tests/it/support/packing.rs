//! Compressed files and archives to read, and the results of urlint.

use std::collections::HashMap;
use std::io::{Cursor, Write};

use flate2::Compression;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::command::{Folder, Ran, run};

pub(crate) const TEXT: &[u8] = b"See <URL:http://a.example/^joe> and\nhttp://b.example/two\n";

pub(crate) const URLS: &str = "http://a.example/^joe\nhttp://b.example/two\n";

/// A message in a mailbox.
pub(crate) const MBOX: &[u8] = b"From a@b.example Mon Mar  3 12:00:00 2003\nSubject: x\n\nhttp://m.example/1\n\n\
                      From a@b.example Mon Mar  3 12:00:00 2003\nSubject: y\n\nhttp://m.example/2\n";

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::bulk::Compressor::new(3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.compress(bytes).unwrap()
}

pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::default();
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn lz4(bytes: &[u8]) -> Vec<u8> {
    let info = lz4_flex::frame::FrameInfo::new().content_checksum(true);
    let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn lzma(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::LzmaOptions::default();
    let encoder = lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, None);
    let mut encoder = encoder.unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns `bytes` as `compress` packs them with codes of up to `max_bits` bits. It empties its table after
/// each `clears` codes. With `None` there is no code for that.
pub(crate) fn lzw(bytes: &[u8], max_bits: u32, clears: Option<usize>) -> Vec<u8> {
    let first = if clears.is_some() { 257 } else { 256 };
    let flag = if clears.is_some() { 0x80 } else { 0 };
    let mut codes = Codes {
        file: vec![0x1f, 0x9d, max_bits as u8 | flag],
        group: Vec::new(),
        bits: 9,
    };
    let mut table = HashMap::new();
    let mut before = None;
    let mut written = 0;
    for &byte in bytes {
        let Some(code) = before else {
            before = Some(u16::from(byte));
            continue;
        };
        if let Some(&longer) = table.get(&(code, byte)) {
            before = Some(longer);
            continue;
        }
        codes.put(code);
        written += 1;
        let next = first + table.len();
        if next >> codes.bits > 0 && (codes.bits < max_bits || codes.bits == 9) {
            codes.change(codes.bits + 1);
        }
        if next < 1 << max_bits {
            table.insert((code, byte), next as u16);
        }
        before = Some(u16::from(byte));
        if clears == Some(written) {
            codes.put(256);
            codes.change(9);
            table.clear();
            written = 0;
        }
    }
    before.into_iter().for_each(|code| codes.put(code));
    codes.flush(false);
    codes.file
}

/// Codes of LZW, eight in a group.
struct Codes {
    file: Vec<u8>,
    group: Vec<u16>,
    bits: u32,
}

impl Codes {
    fn put(&mut self, code: u16) {
        self.group.push(code);
        if self.group.len() == 8 {
            self.flush(true);
        }
    }

    fn change(&mut self, bits: u32) {
        self.flush(true);
        self.bits = bits;
    }

    /// Writes the group, up to its full length if `fills`.
    fn flush(&mut self, fills: bool) {
        let bits = self.bits as usize;
        let mut bytes = [0; 16];
        for (at, code) in self.group.iter().enumerate() {
            for bit in (0..bits).filter(|bit| code >> bit & 1 == 1) {
                bytes[(at * bits + bit) / 8] |= 1 << ((at * bits + bit) % 8);
            }
        }
        let used = (self.group.len() * bits).div_ceil(8);
        let length = if fills && used > 0 { bits } else { used };
        self.file.extend_from_slice(&bytes[..length]);
        self.group.clear();
    }
}

pub(crate) type Compress = fn(&[u8]) -> Vec<u8>;

pub(crate) const METHODS: [(&str, Compress); 5] = [
    ("gz", gzip),
    ("zst", zstd),
    ("xz", xz),
    ("bz2", bzip2),
    ("lz4", lz4),
];

pub(crate) fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    tar_named(members)
}

/// An archive whose members have names of any bytes.
pub(crate) fn tar_named<N: AsRef<[u8]>>(members: &[(N, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        let name = name.as_ref();
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name);
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

pub(crate) fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = SimpleFileOptions::default();
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The URLs of a file named `name` that holds `bytes`, as a file and on standard input.
pub(crate) fn extract(name: &str, bytes: &[u8]) -> Ran {
    let folder = Folder::of(&[(name, bytes)]);
    let ran = run(folder.path(), &["extract", "--verbose", name], b"");
    let piped = ["extract", "--verbose", "--stdin-filename", name, "-"];
    let piped = run(folder.path(), &piped, bytes);
    assert_eq!(ran.text(), piped.text(), "{name}");
    assert_eq!(ran, piped, "{name}");
    ran
}

/// Asserts that all of `urls` is found, and nothing is wrong.
#[track_caller]
pub(crate) fn assert_whole(name: &str, bytes: &[u8], urls: &str) {
    let ran = extract(name, bytes);
    assert_eq!(ran.text(), urls, "{name}");
    assert_eq!(ran.stderr, "", "{name}");
    assert_eq!(ran.code, Some(0), "{name}");
}

/// Asserts that `urls` is found before a fault, which is reported with the words `message`.
#[track_caller]
pub(crate) fn assert_broken(name: &str, bytes: &[u8], urls: &str, message: &str) {
    let ran = extract(name, bytes);
    assert_eq!(ran.text(), urls, "{name}");
    assert!(ran.stderr.contains(message), "{name}: {}", ran.stderr);
    assert_eq!(ran.code, Some(2), "{name}");
}

/// A record of a web archive.
pub(crate) fn record(kind: &str, media_type: &str, body: &[u8]) -> Vec<u8> {
    let header = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:0>\r\n\
         WARC-Target-URI: <http://a.example/{kind}>\r\nContent-Type: {media_type}\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    [header.as_bytes(), body, b"\r\n\r\n"].concat()
}

/// A record that holds an HTTP response.
pub(crate) fn response(fields: &str, body: &[u8]) -> Vec<u8> {
    let header = format!("HTTP/1.1 200 OK\r\nServer: http://no.example/\r\n{fields}\r\n");
    let message = [header.as_bytes(), body].concat();
    record("response", "application/http; msgtype=response", &message)
}
