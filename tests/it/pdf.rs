//! PDFs, wherever they are: each page is a member.

use crate::attachments::message;
use crate::support::command::Folder;
use crate::support::packing::{response, zip};

const REPORT: &[u8] = include_bytes!("../../fixtures/pdf/report.pdf");

/// The URLs of the report: with a link over two lines, a link at other words, and text in a form.
const URLS: [&str; 7] = [
    "page 1\thttp://a.example/files/of/the/report.html",
    "page 1\thttp://a.example/more",
    "page 2\thttps://b.example/docs",
    "page 2\tmailto:joe@a.example",
    "page 2\thttp://a.example/a|b",
    "page 2\thttp://evil.example/",
    "page 2\thttp://bank.example/",
];

#[test]
fn pages_are_read_wherever_a_pdf_is() {
    let answer = response("Content-Type: application/pdf\r\n", REPORT);
    let files = [
        ("report.pdf", REPORT.to_vec(), ""),
        ("report", REPORT.to_vec(), ""),
        ("a.zip", zip(&[("b/c.pdf", REPORT)]), "b/c.pdf!"),
        ("a.eml", message("there", &[("c.pdf", REPORT)]), "c.pdf/"),
        ("a.warc", answer, "1!"),
    ];
    let folder = Folder::of(&files.each_ref().map(|(name, bytes, _)| (*name, bytes)));
    for (name, _, member) in &files {
        let pages = folder
            .run(&["extract", "--fields", "page,kind", name], b"")
            .text();
        let [one, two] = [1, 2].map(|page| format!("{page}\tpdf\n"));
        let expected = one.repeat(2) + &two.repeat(5);
        assert!(pages.ends_with(&expected), "{name}: {pages}");
        // The text outside of the PDF is of another kind.
        let header = if *name == "a.warc" { "\twarc\n" } else { "" };
        assert!(pages.starts_with(header), "{name}: {pages}");
        let fields = ["extract", "--fields", "member,url", name];
        let ran = folder.run(&fields, b"");
        let listed = ran.text();
        let listed = listed.lines().filter(|line| line.contains("page "));
        let expected = URLS.map(|url| format!("{member}{url}"));
        assert_eq!(
            listed.collect::<Vec<_>>(),
            expected,
            "{name}: {}",
            ran.stderr
        );
    }
}

#[test]
fn links_are_checked_and_nothing_is_fixed() {
    let folder = Folder::of(&[("report.pdf", REPORT)]);
    let check = [
        "check",
        "-f",
        "concise",
        "--fix",
        "--unsafe-fixes",
        "report.pdf",
    ];
    let ran = folder.run(&check, b"");
    let expected = "report.pdf!page 2:4:27: hint[unsafe-character] `|` must be encoded in `http://a.example/a|b`\n";
    assert_eq!(ran.text(), expected);
    assert!(folder.read("report.pdf").as_bytes() == REPORT);
}

#[test]
fn a_kind_that_is_given_decides() {
    let text = b"%PDF-1.4\nsee http://a.example/\n";
    let folder = Folder::of(&[("report.pdf", text)]);
    let ran = folder.run(&["extract", "--type", "plain", "report.pdf"], b"");
    assert_eq!(ran.text(), "http://a.example/\n");
    let ran = folder.run(&["extract", "report.pdf"], b"");
    assert_eq!((ran.code, &*ran.text()), (Some(2), ""));
    assert!(ran.stderr.contains("a damaged PDF"), "{}", ran.stderr);
}

#[test]
fn pages_without_text_are_not_read() {
    let page = |more: &str| {
        format!(
            "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n\
             2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n\
             3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]{more}>>\nendobj\n\
             trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n"
        )
    };
    let link =
        "/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(http://a.example/)>>>>]";
    let said = "Skipped 1 unread document: -v lists all that was skipped.\n";
    for (more, expected) in [("", said), (link, "")] {
        let folder = Folder::of(&[("a.pdf", page(more).as_bytes()), ("b.txt", b"x")]);
        let ran = folder.run(&["extract", "."], b"");
        assert_eq!(&*ran.stderr, expected);
        assert_eq!(ran.text().is_empty(), more.is_empty());
    }
}
