//! Sources out of compressed files and archives: the same URLs are found as in the plain file, and damage
//! costs no more than the damaged part.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::attachments::message;
use crate::support::command::{Folder, run};
use crate::support::packing::*;
use urlint_testing::share;

#[test]
fn the_same_is_found_however_it_is_compressed() {
    assert_whole("a", TEXT, URLS);
    for (extension, compress) in METHODS {
        assert_whole(&format!("a.txt.{extension}"), &compress(TEXT), URLS);
        assert_whole("a", &compress(TEXT), URLS);
        assert_whole("empty", &compress(b""), "");
        let twice = compress(&compress(TEXT));
        assert_whole("a", &twice, URLS);
        let long: Vec<u8> = TEXT.repeat(share(2_000, 20_000));
        assert_whole("long", &compress(&long), &URLS.repeat(share(2_000, 20_000)));
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
    let html = b"<p><!-- mailto:joe@no.example --><a href='http://a.example/&amp;'>";
    for (extension, compress) in METHODS {
        let name = format!("a.html.{extension}");
        assert_whole(&name, &compress(html), "http://a.example/&\n");
    }
    let archive = zip(&[("a.html", html)]);
    assert_whole("a.txt", &archive, "http://a.example/&\n");
}

#[test]
fn office_documents_are_read_as_documents() {
    let content = b"<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>";
    let relations =
        b"<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>\
        <Relationship Type='http://schemas.openxmlformats.org/x' Target='word/document.xml'/>\
        <Relationship Type='http://schemas.openxmlformats.org/x' Target='http://link.example/' \
        TargetMode='External'/></Relationships>";
    let text = b"<?xml version='1.0'?>\n<w:document \
        xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:p>\
        <w:r><w:t>http://half.ex</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>ample/</w:t></w:r>\
        <w:r><w:instrText> HYPERLINK &quot;http://field.example/&quot; </w:instrText></w:r></w:p></w:document>";
    let document = zip(&[
        ("[Content_Types].xml", content),
        ("_rels/.rels", relations),
        ("word/document.xml", text),
    ]);
    let urls = "http://link.example/\nhttp://half.example/\nhttp://field.example/\n";
    assert_whole("a.docx", &document, urls);
}

#[test]
fn members_of_a_zip_archive_that_overlap_are_not_read() {
    let mut archive = zip(&[("a.txt", TEXT), ("b.txt", b"http://no.example/")]);
    let directory = memchr::memmem::rfind_iter(&archive, b"PK\x01\x02").next();
    // The second member of the directory is where the first is.
    let offset = directory.unwrap() + 42;
    archive[offset..offset + 4].fill(0);
    let message = "a.zip!b.txt: warning: overlaps another member, so not opened";
    assert_broken("a.zip", &archive, URLS, message);
}

#[test]
fn the_ratio_is_that_of_the_file() {
    // The directory of each member is read by itself, but that does not make the file longer.
    let long = vec![b'\n'; 30 << 20];
    let archive = zip(&[("a.txt", &long), ("b.txt", &long)]);
    let folder = Folder::of(&[("a.zip", &archive)]);
    let ratio = |ratio: usize| {
        folder.run(
            &["extract", "--max-ratio", &ratio.to_string(), "-v", "a.zip"],
            b"",
        )
    };
    let of_both = (60 << 20) / archive.len() + 1;
    assert_eq!(ratio(of_both).code, Some(0));
    let ran = ratio(of_both - 2);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--max-ratio"), "{}", ran.stderr);
}

#[test]
fn only_what_there_is_to_fix_in_them_is_told() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.gz"), gzip(b"<http://a.example/`x>")).unwrap();
    fs::write(folder.path().join("b.gz"), gzip(b"<http://b.example/>")).unwrap();
    let message = "urlint: a.gz: 1 not fixed: compressed files and archives are not changed\nNothing else to fix in 2 files.\n";
    // A diff has nothing of it; where fixes are to be made, one that is not has failed.
    for (flag, code) in [("--diff", 0), ("--fix-only", 2)] {
        let ran = run(folder.path(), &["check", flag, "a.gz", "b.gz"], b"");
        assert_eq!(
            (&*ran.text(), &*ran.stderr, ran.code),
            ("", message, Some(code))
        );
        let ran = run(folder.path(), &["check", flag, "b.gz"], b"");
        assert_eq!(ran.code, Some(0));
    }
    let arguments = ["check", "--output-format", "concise", "a.gz"];
    let ran = run(folder.path(), &arguments, b"");
    assert_eq!(ran.stderr, "Found 1 error in 1 file, 1 URL.\n");
}

#[test]
fn members_are_read_in_order_and_named() {
    let inner = gzip(&tar(&[("2003/march.mbox", MBOX), ("a.txt", TEXT)]));
    let outer = zip(&[("lists.tgz", &inner), ("notes/b.txt", TEXT)]);
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("all.zip"), &outer).unwrap();
    let arguments = ["extract", "--output-format", "csv", "all.zip"];
    let ran = run(folder.path(), &arguments, b"");
    let list = ran.text();
    let members: Vec<_> = list.lines().skip(1).collect();
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
            ["all.zip", "lists.tgz!a.txt", "http://a.example/^joe"],
            ["all.zip", "lists.tgz!a.txt", "http://b.example/two"],
            ["all.zip", "notes/b.txt", "http://a.example/^joe"],
            ["all.zip", "notes/b.txt", "http://b.example/two"],
        ]
    );
    assert_eq!(ran.stderr, "");
    assert_whole(
        "all",
        &outer,
        &format!("http://m.example/1\nhttp://m.example/2\n{URLS}{URLS}"),
    );
}

#[test]
fn lzma_needs_no_container() {
    let long = TEXT.repeat(20_000);
    assert_whole("a.txt.lzma", &lzma(TEXT), URLS);
    assert_whole("a", &lzma(&long), &URLS.repeat(20_000));
    let whole = lzma(&long);
    let cut = extract("a.lzma", &whole[..whole.len() / 2]);
    assert!(cut.text().starts_with(URLS));
    assert_eq!(cut.code, Some(2));
    assert_broken("a.lzma", &lzma(&vec![b'\n'; 18 << 20]), "", "--max-ratio");
}

#[test]
fn unopened_archives_are_reported() {
    const CPIO: &str = "a cpio archive (bsdtar -cf - @FILE converts it to tar)";
    let digits = |first: &[u8], digit: u8, length: usize| {
        let rest = vec![digit; length - first.len()];
        [first, &rest, b" http://no.example/"].concat()
    };
    for (bytes, what) in [
        (
            &b"Rar!\x1a\x07\0 http://no.example/"[..],
            "a RAR archive (bsdtar -cf - @FILE converts it to tar)",
        ),
        (
            b"7z\xbc\xaf\x27\x1c http://no.example/",
            "a 7z archive (bsdtar -cf - @FILE converts it to tar)",
        ),
        (
            b"\xed\xab\xee\xdb http://no.example/",
            "an RPM package (bsdtar -cf - @FILE converts it to tar)",
        ),
        (
            b"!<arch>\ndebian-binary   http://no.example/",
            "a Debian package (bsdtar -cf - @FILE converts it to tar)",
        ),
        (
            b"!<arch>\na.txt/ http://no.example/",
            "an ar archive (ar p FILE prints its members)",
        ),
        (digits(b"070701", b'f', 110).as_slice(), CPIO),
        (digits(b"070702", b'0', 110).as_slice(), CPIO),
        (digits(b"070707", b'7', 76).as_slice(), CPIO),
        (b"\xc7\x71\0\x08 http://no.example/", CPIO),
        (b"\x71\xc7\x08\0 http://no.example/", CPIO),
        (
            b"!BDN http://no.example/",
            "an Outlook mailbox (readpst converts it to mbox)",
        ),
        (b"LZIP\x01 http://no.example/", "an lzip file"),
        (
            b"ZIM\x04 http://no.example/",
            "a ZIM archive (zimdump dump --dir=FOLDER FILE unpacks it)",
        ),
    ] {
        let message = format!("a: warning: {what}, which is not opened (at byte 0)");
        assert_broken("a", bytes, "", &message);
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("a"), bytes).unwrap();
        let ran = run(folder.path(), &["extract", "--verbose"], b"");
        assert!(ran.text().is_empty());
        assert!(
            ran.stderr
                .contains(&format!("a: skipped, {what}, which is not opened")),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.code, Some(0));
    }
    for text in [
        &b"070701 http://a.example/"[..],
        b"070707 http://a.example/",
        &digits(b"070701", b'g', 110),
        &digits(b"070707", b'8', 76),
        b"\xc7\x71 http://a.example/",
    ] {
        let urls = extract("a", text).text();
        assert_eq!(urls.lines().count(), 1, "{text:?}");
    }
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
        ran.text()
            .starts_with("a.tar!b.txt:1:27: error[unsafe-character]"),
        "{}",
        ran.text()
    );
    assert_eq!(ran.code, Some(1));
}

#[test]
fn binary_members_are_skipped() {
    let binary = tar(&[("a.bin", b"http://no.example/\0"), ("a.txt", TEXT)]);
    let ran = extract("a.tar", &binary);
    assert_eq!(ran.text(), URLS);
    assert_eq!(ran.stderr, "urlint: a.tar!a.bin: skipped, a binary file\n");
    assert_eq!(ran.code, Some(0));
}

#[test]
fn folders_have_their_containers_opened() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.gz"), gzip(TEXT)).unwrap();
    fs::write(folder.path().join("b.bin"), b"http://no.example/\0").unwrap();
    fs::write(folder.path().join("c.gz"), gzip(b"http://no.example/\0")).unwrap();
    fs::write(folder.path().join("d.gz"), gzip(&[0; 20 << 20])).unwrap();
    let ran = run(folder.path(), &["extract"], b"");
    assert_eq!(ran.text(), URLS);
    // The rest is not read, so nothing is reported about its length.
    let skipped = "Skipped 3 binary: -v lists all that was skipped.\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), skipped));
}

#[test]
fn text_before_the_damage_is_found() {
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
        assert_eq!(cut.code, Some(2), "{name}");
        assert!(
            cut.stderr
                .starts_with(&format!("urlint: {name}: warning: ")),
            "{}",
            cut.stderr
        );
        assert!(cut.stderr.contains(" (at byte "), "{}", cut.stderr);
        let mut bad = whole.clone();
        let middle = bad.len() / 2;
        bad[middle] ^= 0x10;
        let bad = extract(&name, &bad);
        assert_eq!(bad.code, Some(2), "{name}: {}", bad.stderr);
    }
    let cut = gzip(&text);
    let found = extract("a.gz", &cut[..cut.len() / 2])
        .text()
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
        "http://a.example/^joe\nhttp://b.example/two\nhttp://a.example/^joe\n",
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
    assert!(ran.stderr.contains("--max-size"), "{}", ran.stderr);
    assert_eq!(ran.code, Some(2));
    assert!(ran.text().starts_with(URLS));
    let ran = run(folder.path(), &["extract", "--max-ratio", "0", "a.gz"], b"");
    assert!(ran.stderr.contains("--max-ratio"), "{}", ran.stderr);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn nesting_ends() {
    let nest = |depth| (0..depth).fold(TEXT.to_vec(), |inner, _| gzip(&inner));
    assert_whole("a", &nest(8), URLS);
    assert_broken("a", &nest(9), "", "more than 8");
}

#[test]
fn names_are_only_names() {
    let members: [(&str, &[u8]); 2] = [("../../\x1b[31m.txt", TEXT), ("/etc/x.bin", b"\0")];
    for archive in [tar, zip] {
        assert_eq!(extract("a", &archive(&members)).text(), URLS);
    }
    let archive = tar(&members);
    let arguments = ["check", "--output-format", "concise", "-"];
    let ran = run(Path::new("."), &arguments, &archive);
    assert!(
        ran.text().starts_with("-!../../\u{241b}[31m.txt:1:27: "),
        "{}",
        ran.text()
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
            ran.text(),
            URLS.repeat(expected),
            "{length} {:.300}",
            ran.stderr
        );
        assert!(ran.stderr.contains(message), "{length}: {}", ran.stderr);
    }
}

#[test]
fn nothing_is_written_back() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.gz");
    fs::write(&path, gzip(TEXT)).unwrap();
    let ran = run(folder.path(), &["check", "--fix", "a.gz"], b"");
    assert_eq!(ran.code, Some(1));
    assert!(ran.text().contains("%5E"), "{}", ran.text());
    assert_eq!(fs::read(&path).unwrap(), gzip(TEXT));
}

/// A file that is cut off ends the run with 2, named or found. `check` opens no archives in folders.
#[test]
fn a_broken_file_is_an_error_wherever_it_is() {
    let half = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    let damaged = half(gzip(&TEXT.repeat(9)));
    let message = message("there", &[("c.gz", &damaged)]);
    let files = [
        ("a.gz", damaged.clone()),
        ("a.zip", half(zip(&[("b.txt", TEXT)]))),
        ("b.zip", zip(&[("a.gz", &damaged)])),
        ("a.tar", half(tar(&[("b.txt", &TEXT.repeat(99))]))),
        #[cfg(feature = "pdf")]
        ("a.pdf", b"%PDF-1.4\n".to_vec()),
    ];
    let told = "could not be read, or not to the end: the messages above say why.";
    for (name, bytes) in files {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("c.txt"), TEXT).unwrap();
        // Messages have many attachments that are cut off, which are only counted.
        fs::write(folder.path().join("c.eml"), &message).unwrap();
        let whole = run(folder.path(), &["extract", "."], b"");
        assert_eq!(whole.code, Some(0), "{}", whole.stderr);
        fs::write(folder.path().join(name), bytes).unwrap();
        for paths in [&["."][..], &["c.txt", name]] {
            let ran = run(folder.path(), &[&["extract"], paths].concat(), b"");
            assert_eq!(ran.code, Some(2), "{name}: {}", ran.stderr);
            assert!(ran.stderr.contains(told), "{name}: {}", ran.stderr);
        }
        let ran = run(folder.path(), &["check", "."], b"");
        assert_eq!(ran.code, Some(1), "{name}: {}", ran.stderr);
        let ran = run(folder.path(), &["check", "--archives", "."], b"");
        assert_eq!(ran.code, Some(2), "{name}: {}", ran.stderr);
    }
}

/// Whatever becomes of a byte, nothing crashes.
#[test]
fn no_byte_brings_it_down() {
    let members: [(&str, &[u8]); 2] = [("a.txt", TEXT), ("b.mbox", MBOX)];
    let web = response("Transfer-Encoding: chunked\r\n", b"5\r\nabcde\r\n0\r\n\r\n");
    let mut samples = vec![tar(&members), zip(&members), lzma(TEXT), web];
    samples.extend(METHODS.map(|(_, compress)| compress(TEXT)));
    let folder = TempDir::new().unwrap();
    for sample in samples {
        let step = (sample.len() / share(8, 40)).max(1);
        for at in (0..sample.len()).step_by(step) {
            let mut broken = sample.clone();
            broken[at] ^= [0xff, 0x01, 0x80][at % 3];
            let ran = run(folder.path(), &["extract", "-"], &broken);
            assert!(matches!(ran.code, Some(0 | 2)), "{at}: {}", ran.stderr);
        }
    }
}
