#![expect(clippy::unwrap_used, reason = "a test may fail")]

use crate::Pdf;

/// The dictionary of a font.
const FONT: &str = "/Type/Font/Subtype/Type1/BaseFont/Courier";

/// Makes a PDF of one page with annotations, which draws `content` in a font, and may draw the form `/X`, which draws
/// `form`.
fn file(content: &str, font: &str, form: &str, annotations: &str) -> Vec<u8> {
    let resources = format!("<</Font<</F <<{font}>>>>/XObject<</X 5 0 R>>>>");
    let stream = |dict: &str, content: &str| {
        format!(
            "<<{dict}/Length {}>>stream\n{content}\nendstream",
            content.len()
        )
    };
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Annots[{annotations}]\
             /Resources {resources}>>"
        ),
        stream("", content),
        stream(
            &format!("/Subtype/Form/BBox[0 0 600 800]/Resources {resources}"),
            form,
        ),
    ];
    let mut file = "%PDF-1.4\n".to_owned();
    let mut places = String::new();
    for (index, object) in objects.iter().enumerate() {
        places += &format!("{:010} 00000 n \n", file.len());
        file += &format!("{} 0 obj\n{object}\nendobj\n", index + 1);
    }
    let at = file.len();
    file += &format!(
        "xref\n0 6\n0000000000 65535 f \n{places}trailer<</Size 6/Root 1 0 R>>\nstartxref\n{at}\n%%EOF"
    );
    file.into_bytes()
}

/// Makes a PDF of one page that draws `content` and has links.
fn pdf(content: &str, links: &[(&str, [i32; 4])]) -> Vec<u8> {
    let link = |(target, [a, b, c, d]): &(&str, [i32; 4])| {
        format!("<</Type/Annot/Subtype/Link/Rect[{a} {b} {c} {d}]/A<</S/URI/URI({target})>>>>")
    };
    file(
        content,
        FONT,
        "",
        &links.iter().map(link).collect::<String>(),
    )
}

fn pages(file: Vec<u8>) -> Vec<Result<String, &'static str>> {
    let mut pages = Vec::new();
    let pdf = Pdf::open(file).unwrap();
    let all: Result<(), ()> = pdf.pages(|_, page| {
        pages.push(page);
        Ok(())
    });
    all.unwrap();
    pages
}

#[test]
fn links_stand_at_their_words() {
    let content =
        "BT /F 10 Tf 100 700 Td (See http://a.example/x and) Tj 0 -12 Td (this page.) Tj ET";
    let links = [
        ("http://a.example/x", [123, 695, 232, 710]),
        ("mailto:b@c.example", [100, 685, 124, 697]),
        ("other.pdf", [10, 10, 20, 20]),
    ];
    let expected = "<meta charset=\"utf-8\"><title></title><pre>\u{c}\n\
        See <a href=\"http://a.example/x\"></a> and\n\
        <a href=\"mailto:b@c.example\">this</a> page.\n\
        <a href=\"other.pdf\"></a>\n\u{c}</pre>\n";
    assert_eq!(pages(pdf(content, &links)), [Ok(expected.to_owned())]);
}

#[test]
fn hidden_text_is_left_out() {
    let content = "BT /F 10 Tf 100 700 Td (seen) Tj 3 Tr 0 -12 Td (hidden) Tj ET";
    let page = pages(pdf(content, &[])).remove(0).unwrap();
    assert!(
        page.contains("seen\n") && !page.contains("hidden"),
        "{page}"
    );
}

/// The lines of a page that draws `content`, in `font`, without the head and the end of all pages.
fn lines(content: &str, font: &str, form: &str) -> String {
    let page = pages(file(content, font, form, "")).remove(0).unwrap();
    let (_, lines) = page.split_once("\u{c}\n").unwrap();
    lines.replace("\u{c}</pre>\n", "")
}

#[test]
fn text_is_read_in_lines() {
    for (content, expected) in [
        // Gaps are white space, kerning and bold by a second drawing are not.
        (
            "BT /F 10 Tf 9 90 Td [(http://a)-80(.exa)20(mple/)-900(b)] TJ ET",
            "http://a.example/ b\n",
        ),
        (
            "BT /F 10 Tf 9 90 Td (see) Tj 1 0 0 1 9.2 90 Tm (see) Tj ET",
            "see\n",
        ),
        // Spacing, scaling, leading and rise.
        (
            "BT /F 10 Tf 14 TL 1 Tc 9 90 Td (a b) Tj T* 0 Tc 50 Tz (ab) ' ET",
            "a b\nab\n",
        ),
        ("BT /F 10 Tf 9 90 Td (x) Tj 3 Ts 6 0 Td (2) Tj ET", "x2\n"),
        // Columns that are drawn one after the other, and a line that is drawn in two pieces.
        (
            "BT /F 10 Tf 9 90 Td (a) Tj 0 -12 Td (b) Tj 300 12 Td (c) Tj 0 -12 Td (d) Tj ET",
            "a\nb\nc\nd\n",
        ),
        (
            "BT /F 10 Tf 15 90 Td (b) Tj 0 -12 Td (c) Tj -6 12 Td (a) Tj ET",
            "ab\nc\n",
        ),
        // Saved states, forms, rotated text.
        (
            "q 2 0 0 2 0 0 cm BT /F 10 Tf (a) Tj ET Q BT /F 10 Tf 0 50 Td (b) Tj ET",
            "a\nb\n",
        ),
        ("q 1 0 0 1 9 90 cm /X Do Q", "form\n"),
        ("BT /F 10 Tf 0 1 -1 0 50 90 Tm (up) Tj ET", "up\n"),
        // Text outside of the page, and ligatures and hyphens as letters.
        (
            "BT /F 10 Tf 9 900 Td (out) Tj 0 -120 Td (\\256\\255) Tj ET",
            "fi\u{203a}\n",
        ),
    ] {
        let form = "BT /F 10 Tf (form) Tj ET";
        assert_eq!(lines(content, FONT, form), expected, "{content}");
    }
}

#[test]
fn a_url_is_listed_once() {
    let area = [0, 0, 1, 1];
    let show = |text: &str| format!("BT /F 10 Tf 9 700 Td {text} Tj ET");
    for (text, target, expected) in [
        (
            "(at http://a.example/x, or)",
            "http://a.example/x",
            "at , or\n<a href=\"http://a.example/x\"></a>\n",
        ),
        (
            "(at http://a.example/) Tj 0 -12 Td (x now)",
            "http://a.example/x",
            "at \n now\n<a href=\"http://a.example/x\"></a>\n",
        ),
        // Another URL ends in the target, or begins with it.
        (
            "(at http://b.example/http://a.example/x)",
            "http://a.example/x",
            "at http://b.example/http://a.example/x\n<a href=\"http://a.example/x\"></a>\n",
        ),
        (
            "(at http://a.example/xy)",
            "http://a.example/x",
            "at http://a.example/xy\n<a href=\"http://a.example/x\"></a>\n",
        ),
    ] {
        let page = pages(pdf(&show(text), &[(target, area), (target, area)]))
            .remove(0)
            .unwrap();
        let (_, lines) = page.split_once("\u{c}\n").unwrap();
        assert_eq!(lines.replace("\u{c}</pre>\n", ""), expected, "{text}");
    }
}

/// The lines of a page with annotations, each of which is `entries`, and with other entries of the catalog.
fn over(annotations: &[&str], catalog: &str) -> String {
    let all: String = annotations.iter().map(|one| format!("<<{one}>>")).collect();
    let form = "BT /F 10 Tf 2 2 Td (drawn) Tj ET";
    let file = file("BT /F 10 Tf 9 700 Td (text) Tj ET", FONT, form, &all);
    let file = String::from_utf8(file).unwrap();
    let file = file.replace("/Pages 2 0 R", &format!("/Pages 2 0 R{catalog}"));
    let page = pages(file.into_bytes()).remove(0).unwrap();
    let (_, lines) = page.split_once("\u{c}\n").unwrap();
    lines.replace("\u{c}</pre>\n", "")
}

#[test]
fn annotations_are_read_as_they_are_seen() {
    let drawn = "/Rect[9 500 109 600]/AP<</N 5 0 R>>";
    for (annotation, expected) in [
        (
            format!("/Subtype/FreeText/Contents(not drawn){drawn}"),
            "text\ndrawn\n",
        ),
        (
            format!("/Subtype/Widget/FT/Tx/V(value){drawn}"),
            "text\ndrawn\n",
        ),
        (format!("/Subtype/Stamp/F 2{drawn}"), "text\n"),
        (format!("/Subtype/Stamp/F 32{drawn}"), "text\n"),
        (
            "/Subtype/Widget/FT/Btn/Rect[9 500 99 600]/AS/On/AP<</N<</On 5 0 R>>>>".to_owned(),
            "text\ndrawn\n",
        ),
        (
            "/Subtype/Widget/FT/Btn/Rect[9 500 99 600]/AS/Off/AP<</N<</On 5 0 R>>>>".to_owned(),
            "text\n",
        ),
        ("/Subtype/Widget/FT/Tx/V(value)".to_owned(), "text\nvalue\n"),
        (
            "/Subtype/Highlight/Contents(a \\351 note\rof lines)".to_owned(),
            "text\na \u{e9} note\nof lines\n",
        ),
        ("/Subtype/Link/Contents(to a page)".to_owned(), "text\n"),
    ] {
        assert_eq!(over(&[&annotation], ""), expected, "{annotation}");
    }
}

#[test]
fn files_bookmarks_and_bases_are_targets() {
    let link = |action: &str| format!("/Subtype/Link/Rect[1 1 2 2]/A<<{action}>>");
    let target = |target: &str| format!("text\n<a href=\"{target}\"></a>\n");
    let base = "/URI<</Base(http://a.example/d/)>>";
    for (action, catalog, expected) in [
        (
            "/S/Launch/F<</FS/URL/F(http://a.example/x)>>",
            "",
            target("http://a.example/x"),
        ),
        (
            "/S/GoToR/F(http://a.example/x.pdf)/D[0/Fit]",
            "",
            target("http://a.example/x.pdf"),
        ),
        ("/S/GoToR/F(x.pdf)/D[0/Fit]", "", "text\n".to_owned()),
        ("/S/URI/URI(x.html)", "", target("x.html")),
        (
            "/S/URI/URI(x.html)",
            base,
            target("http://a.example/d/x.html"),
        ),
        (
            "/S/URI/URI(mailto:joe@b.example)",
            base,
            target("mailto:joe@b.example"),
        ),
    ] {
        assert_eq!(over(&[&link(action)], catalog), expected, "{action}");
    }
    let outline = "/Outlines 7 0 R>>endobj 7 0 obj<</First 8 0 R>>endobj \
        8 0 obj<</Next 7 0 R/First 7 0 R/A<</S/URI/URI(http://a.example/b)>>";
    assert_eq!(over(&[], outline), target("http://a.example/b"));
}

#[test]
fn attached_files_have_a_media_type() {
    let end = "/Pages 2 0 R>>endobj 7 0 obj<</Type/EmbeddedFile/Subtype/text#2fhtml/Length 3>>stream\n<b>\nendstream endobj 8 0 obj<<";
    let file = String::from_utf8(pdf("", &[])).unwrap();
    let file = file.replace("/Pages 2 0 R>>", &format!("{end}>>"));
    let pdf = Pdf::open(file.into_bytes()).unwrap();
    let attached: Vec<_> = pdf.attached().collect();
    assert_eq!(attached, [("text/html".to_owned(), b"<b>".to_vec())]);
}

#[test]
fn hostile_files_take_little() {
    let text = "BT /F 10 Tf 9 90 Td (text) Tj ET ";
    let descendant = "/Type/Font/Subtype/CIDFontType2/BaseFont/A\
        /CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/W";
    let composite = |widths: &str| {
        format!(
            "/Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[<<{descendant}[{widths}]>>]"
        )
    };
    // A font that would take too much is not loaded; a form that draws itself ends.
    for (font, form) in [
        (composite("0 4294967295 500"), ""),
        (composite(&"0 65535 500 ".repeat(99)), ""),
        (
            format!("{FONT}/FirstChar 4000000000/LastChar 4000000001/Widths[1 2]"),
            "",
        ),
    ] {
        assert_eq!(lines(text, &font, form), "", "{font}");
    }
    assert_eq!(
        lines(&format!("{text}/X Do"), FONT, "/X Do /X Do"),
        "text\n"
    );
    let filters = String::from_utf8(pdf(text, &[])).unwrap();
    let twice = "<</Filter[/RunLengthDecode/RunLengthDecode/LZWDecode]/Length";
    let filters = filters.replace("<</Length", twice).into_bytes();
    assert!(pages(filters)[0].is_err());
}

#[test]
fn damage_ends_at_its_page() {
    let sound = pdf(
        "BT /F 10 Tf 100 700 Td (http://a.example/) Tj ET",
        &[("http://b.example/", [9; 4])],
    );
    // A linear congruential generator.
    let mut random: u64 = 1;
    for _ in 0..1000 {
        let mut file = sound.clone();
        for _ in 0..4 {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let at = (random >> 33) as usize % file.len();
            file[at] = (random >> 24) as u8;
        }
        if let Ok(pdf) = Pdf::open(file) {
            let _ = pdf.pages::<()>(|_, _| Ok(()));
        }
    }
}

#[test]
fn a_cut_file_ends_nothing_else() {
    let file = pdf("BT /F 10 Tf 100 700 Td (http://a.example/) Tj ET", &[]);
    for end in 0..file.len() {
        if let Ok(pdf) = Pdf::open(file[..end].to_vec()) {
            let _ = pdf.pages::<()>(|_, _| Ok(()));
        }
    }
}
