//! Compressed files and archives to read, and the results of urlint.

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
