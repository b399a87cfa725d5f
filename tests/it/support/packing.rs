//! Compressed files and archives to read, and what urlint makes of them.

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

/// What `compress` makes of `bytes` with codes of up to `max_bits` bits, which empties its table after
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

/// An archive as Debian and GNU write it: long names stand in a member of their own.
pub(crate) fn ar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    let mut add = |name: &str, bytes: &[u8]| {
        let len = bytes.len();
        let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{len:<10}`\n", 0, 0, 0, 644);
        archive.extend_from_slice(header.as_bytes());
        archive.extend_from_slice(bytes);
        archive.extend_from_slice(&b"\n"[..len % 2]);
    };
    let names: String = members
        .iter()
        .map(|(name, _)| format!("{name}/\n"))
        .collect();
    add("/", b"\0\0\0\0");
    add("//", names.as_bytes());
    let mut at = 0;
    for (name, bytes) in members {
        match name.len() {
            ..16 => add(&format!("{name}/"), bytes),
            _ => add(&format!("/{at}"), bytes),
        }
        at += name.len() + 2;
    }
    archive
}

/// A member of a cpio archive with that mode, in one of the formats of headers.
pub(crate) type Cpio = fn(&str, u32, &[u8]) -> Vec<u8>;

pub(crate) const CPIOS: [Cpio; 3] = [newc, odc, words];

fn newc(name: &str, mode: u32, bytes: &[u8]) -> Vec<u8> {
    let (size, len) = (name.len() + 1, bytes.len());
    let mut member = format!(
        "070701{:08X}{mode:08X}{:024}{:08}{len:08X}{:032}{size:08X}{:08}",
        1, 0, 0, 0, 0
    );
    member += name;
    let mut member = member.into_bytes();
    member.push(0);
    member.resize(member.len().next_multiple_of(4), 0);
    member.extend_from_slice(bytes);
    member.resize(member.len().next_multiple_of(4), 0);
    member
}

fn odc(name: &str, mode: u32, bytes: &[u8]) -> Vec<u8> {
    let (size, len) = (name.len() + 1, bytes.len());
    let header = format!(
        "070707{:012o}{mode:06o}{:024o}{:011o}{size:06o}{len:011o}{name}\0",
        1, 0, 0
    );
    [header.as_bytes(), bytes].concat()
}

fn words(name: &str, mode: u32, bytes: &[u8]) -> Vec<u8> {
    let (size, len) = (name.len() + 1, bytes.len());
    let words = [
        0o070_707,
        0,
        1,
        mode as usize,
        0,
        0,
        1,
        0,
        0,
        0,
        size,
        len >> 16,
        len & 0xffff,
    ];
    let mut member: Vec<u8> = words
        .iter()
        .flat_map(|&word| (word as u16).to_le_bytes())
        .collect();
    member.extend_from_slice(name.as_bytes());
    member.push(0);
    member.resize(member.len().next_multiple_of(2), 0);
    member.extend_from_slice(bytes);
    member.resize(member.len().next_multiple_of(2), 0);
    member
}

pub(crate) fn cpio(members: &[(&str, &[u8])]) -> Vec<u8> {
    let members = members
        .iter()
        .flat_map(|(name, bytes)| newc(name, 0o100_644, bytes));
    members.chain(newc("TRAILER!!!", 0, b"")).collect()
}

/// An RPM package with that payload.
pub(crate) fn rpm(payload: &[u8]) -> Vec<u8> {
    let mut package = b"\xed\xab\xee\xdb\x03\0".to_vec();
    package.resize(96, 0);
    for (index, multiple) in [(3_u32, 8), (2, 1)] {
        package.extend_from_slice(b"\x8e\xad\xe8\x01\0\0\0\0");
        package.extend_from_slice(&index.to_be_bytes());
        package.extend_from_slice(&21_u32.to_be_bytes());
        package.resize(package.len() + 16 * index as usize + 21, b'x');
        package.resize(package.len().next_multiple_of(multiple), 0);
    }
    [&package, payload].concat()
}

/// A 7z archive with all members packed together, and a packed header.
pub(crate) fn sevenz(members: &[(&str, &[u8])]) -> Vec<u8> {
    let bytes: Vec<u8> = members
        .iter()
        .flat_map(|(_, bytes)| bytes.iter().copied())
        .collect();
    let sizes: Vec<_> = members.iter().map(|(_, bytes)| bytes.len()).collect();
    let (packed, coder) = lzma_coder(&bytes);
    let mut header = streams(&[0x01, 0x04], 0, packed.len(), &coder, bytes.len());
    header.extend_from_slice(&[0x08, 0x0d]);
    number(&mut header, members.len());
    if members.len() > 1 {
        header.push(0x09);
        sizes[..members.len() - 1]
            .iter()
            .for_each(|&size| number(&mut header, size));
    }
    header.extend_from_slice(&[0x0a, 1]);
    members
        .iter()
        .for_each(|(_, bytes)| header.extend_from_slice(&crc(bytes)));
    header.extend_from_slice(&[0, 0, 0x05]);
    number(&mut header, members.len());
    let names = members
        .iter()
        .flat_map(|(name, _)| name.encode_utf16().chain([0]));
    let names: Vec<u8> = names.flat_map(u16::to_le_bytes).collect();
    header.push(0x11);
    number(&mut header, names.len() + 1);
    header.push(0);
    header.extend_from_slice(&names);
    header.extend_from_slice(&[0, 0]);
    let (packed_header, coder) = lzma_coder(&header);
    let mut outer = streams(
        &[0x17],
        packed.len(),
        packed_header.len(),
        &coder,
        header.len(),
    );
    outer.push(0);
    sevenz_of(&[&packed[..], &packed_header].concat(), &outer)
}

/// A 7z archive of these packed bytes and this header.
pub(crate) fn sevenz_of(packed: &[u8], header: &[u8]) -> Vec<u8> {
    let mut start = (packed.len() as u64).to_le_bytes().to_vec();
    start.extend_from_slice(&(header.len() as u64).to_le_bytes());
    start.extend_from_slice(&crc(header));
    [
        b"7z\xbc\xaf\x27\x1c\0\x04",
        &crc(&start)[..],
        &start,
        packed,
        header,
    ]
    .concat()
}

/// Where packed bytes are, and what unpacks them.
fn streams(begin: &[u8], at: usize, packed: usize, coder: &[u8], size: usize) -> Vec<u8> {
    let mut header = [begin, &[0x06]].concat();
    number(&mut header, at);
    header.extend_from_slice(&[1, 0x09]);
    number(&mut header, packed);
    header.extend_from_slice(&[0, 0x07, 0x0b, 1, 0, 1]);
    header.extend_from_slice(coder);
    header.push(0x0c);
    number(&mut header, size);
    header.push(0);
    header
}

/// Packed bytes, and the coder that unpacks them.
fn lzma_coder(bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let options = lzma_rust2::LzmaOptions::default();
    let mut encoder = lzma_rust2::LzmaWriter::new_no_header(Vec::new(), &options, false).unwrap();
    encoder.write_all(bytes).unwrap();
    let mut coder = vec![0x23, 0x03, 0x01, 0x01, 5, encoder.props()];
    coder.extend_from_slice(&options.dict_size.to_le_bytes());
    (encoder.finish().unwrap(), coder)
}

fn number(header: &mut Vec<u8>, number: usize) {
    match number {
        ..0x80 => header.push(number as u8),
        0x80..0x4000 => header.extend_from_slice(&[0x80 | (number >> 8) as u8, number as u8]),
        _ => {
            header.push(0xff);
            header.extend_from_slice(&(number as u64).to_le_bytes());
        }
    }
}

fn crc(bytes: &[u8]) -> [u8; 4] {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

/// A ZIM archive of pages, each with its path, the number of its media type (HTML, PNG, plain text)
/// and its bytes. All of them are in one cluster, which is packed as `method` says.
pub(crate) fn zim(pages: &[(&str, u16, &[u8])], method: u8) -> Vec<u8> {
    let mut file = vec![0; 80];
    file.extend_from_slice(b"text/html\0image/png\0text/plain\0\0");
    let mut places = Vec::new();
    for (blob, (path, media_type, _)) in pages.iter().enumerate() {
        places.push(file.len() as u64);
        file.extend_from_slice(&media_type.to_le_bytes());
        file.extend_from_slice(b"\0C\0\0\0\0\0\0\0\0");
        file.extend_from_slice(&(blob as u32).to_le_bytes());
        file.extend_from_slice(path.as_bytes());
        file.extend_from_slice(b"\0\0");
    }
    // One refers to another.
    places.push(file.len() as u64);
    file.extend_from_slice(b"\xff\xff\0C\0\0\0\0\0\0\0\0to\0\0");
    let pointers = file.len() as u64;
    places
        .iter()
        .for_each(|place| file.extend_from_slice(&place.to_le_bytes()));
    let clusters = file.len() as u64;
    file.extend_from_slice(&(clusters + 8).to_le_bytes());
    let mut offset = 4 * (pages.len() as u32 + 1);
    let mut cluster = offset.to_le_bytes().to_vec();
    for (.., bytes) in pages {
        offset += bytes.len() as u32;
        cluster.extend_from_slice(&offset.to_le_bytes());
    }
    pages
        .iter()
        .for_each(|(.., bytes)| cluster.extend_from_slice(bytes));
    file.push(method);
    file.extend(match method {
        4 => xz(&cluster),
        5 => zstd(&cluster),
        _ => cluster,
    });
    file[..8].copy_from_slice(b"ZIM\x04\x06\0\x01\0");
    file[24..28].copy_from_slice(&(places.len() as u32).to_le_bytes());
    file[28] = 1;
    file[32..40].copy_from_slice(&pointers.to_le_bytes());
    file[48..56].copy_from_slice(&clusters.to_le_bytes());
    file[56..64].copy_from_slice(&80_u64.to_le_bytes());
    file
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
    let ran = run(folder.path(), &["extract", "--show-skipped", name], b"");
    let piped = ["extract", "--show-skipped", "--stdin-filename", name, "-"];
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

/// Asserts that `urls` is found before something is wrong that is told with the words `message`.
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
