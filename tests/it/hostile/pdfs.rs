//! PDFs of a few bytes that would take all memory or all time.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::attachments::message;
use crate::memory::run;
use crate::support::command::{Folder, Ran};

const FONT: &str = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn stream(entries: &str, data: &[u8]) -> Vec<u8> {
    let head = format!("<<{entries}/Length {}>>stream\n", data.len());
    [head.as_bytes(), data, b"\nendstream"].concat()
}

/// Returns the parts of a PDF of one page, which has a URL; other `objects` replace them.
fn objects(objects: &[(usize, Vec<u8>)]) -> Vec<(usize, Vec<u8>)> {
    let content = b"BT /F1 12 Tf 72 700 Td (http://a.example/page) Tj ET";
    let page =
        "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots 6 0 R/Resources<</Font<</F1 5 0 R>>>>>>";
    let mut all = vec![
        (1, b"<</Type/Catalog/Pages 2 0 R>>".to_vec()),
        (2, b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec()),
        (3, page.as_bytes().to_vec()),
        (4, stream("", content)),
        (5, FONT.as_bytes().to_vec()),
    ];
    all.retain(|(number, _)| !objects.iter().any(|(other, _)| number == other));
    all.extend_from_slice(objects);
    all
}

/// Returns the beginning of a file and where its objects are.
fn begun(objects: &[(usize, Vec<u8>)]) -> (Vec<u8>, Vec<(usize, usize)>) {
    let (mut file, mut places) = (b"%PDF-1.7\n".to_vec(), Vec::new());
    for (number, object) in objects {
        places.push((*number, file.len()));
        file.extend(
            [
                format!("{number} 0 obj\n").as_bytes(),
                object,
                b"\nendobj\n",
            ]
            .concat(),
        );
    }
    (file, places)
}

/// Returns a PDF with these objects and those that it needs.
fn pdf(others: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let (mut file, places) = begun(&objects(others));
    let at = file.len();
    file.extend(b"xref\n");
    for (number, place) in places {
        file.extend(format!("{number} 1\n{place:010} 00000 n \n").bytes());
    }
    file.extend(format!("trailer\n<</Size 99/Root 1 0 R>>\nstartxref\n{at}\n%%EOF\n").bytes());
    file
}

/// Returns a PDF whose object `number` is the first in a stream with these entries, which `pack` has packed, and
/// whose table is a stream.
fn packed(number: usize, object: &str, entries: &str, pack: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let head = format!("{number} 0 ");
    let entries = format!("{entries}/N 1/First {}", head.len());
    let stream_of = stream(&entries, &pack((head + object).as_bytes()));
    let mut plain = objects(&[(90, stream_of)]);
    plain.retain(|(other, _)| *other != number);
    let (mut file, places) = begun(&plain);
    let mut rows = [[0_u8; 7]; 92];
    for (number, place) in places {
        let [a, b, c, d] = u32::try_from(place).unwrap().to_be_bytes();
        rows[number] = [1, a, b, c, d, 0, 0];
    }
    rows[number] = [2, 0, 0, 0, 90, 0, 0];
    let at = file.len();
    let table = stream("/Type/XRef/Size 92/W[1 4 2]/Root 1 0 R", &rows.concat());
    file.extend([b"91 0 obj\n", &*table, b"\nendobj\n"].concat());
    file.extend(format!("startxref\n{at}\n%%EOF\n").bytes());
    file
}

/// Reads a PDF with little memory.
fn extract(file: &[u8]) -> Ran {
    let folder = Folder::of(&[("a.pdf", file)]);
    let ran = run(&folder, &["extract", "--isolated", "-j", "1", "a.pdf"]);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    ran
}

/// Fails if a PDF is not left with this message.
fn assert_left(file: &[u8], message: &str) {
    let ran = extract(file);
    let is_told = ran.code == Some(2) && ran.stderr.contains(message);
    assert!(is_told, "{:?}: {} not in {}", ran.code, message, ran.stderr);
}

const SPENT: &str = "draws too much";
const TREE: &str = "a damaged PDF, some of whose pages may be missing";

/// Returns a tree of arrays by reference, each with the next one so many times, and its end.
fn fan(levels: usize, width: usize, end: &str) -> Vec<u8> {
    let mut all = vec![(2, b"<</Type/Pages/Kids 10 0 R/Count 1>>".to_vec())];
    for level in 10..10 + levels {
        let kid = format!("<</Type/Pages/Kids {} 0 R>>", level + 1);
        all.push((level, format!("[{}]", kid.repeat(width)).into_bytes()));
    }
    all.push((10 + levels, end.as_bytes().to_vec()));
    pdf(&all)
}

#[test]
fn each_node_of_the_tree_is_read_once() {
    let file = fan(34, 2, "[3 0 R]");
    assert_left(&file, TREE);
    assert_eq!(extract(&file).text(), "http://a.example/page\n");
    assert_left(&fan(6, 10, "[<</Type/Page>>]"), TREE);
    let looped = pdf(&[(2, b"<</Type/Pages/Kids[3 0 R 2 0 R]/Count 1>>".to_vec())]);
    assert_left(&looped, TREE);
    assert_eq!(extract(&looped).text(), "http://a.example/page\n");
    // Pages in an array that is short when it is compressed.
    let pages = format!("[{}]", "<<>>".repeat(5_000_000));
    let tree = ("/Type/ObjStm/Filter/FlateDecode", "<</Type/Pages/Kids");
    let file = packed(2, &format!("{}{pages}>>", tree.1), tree.0, deflated);
    assert_left(&file, "one page too many");
}

#[test]
fn streams_with_objects_have_bounds() {
    let tree = "<</Type/Pages/Kids[3 0 R]/Count 1>>";
    let sound = packed(2, tree, "/Type/ObjStm/Filter/FlateDecode", deflated);
    let ran = extract(&sound);
    assert_eq!(
        (ran.code, &*ran.text()),
        (Some(0), "http://a.example/page\n")
    );
    let bomb = |bytes: &[u8]| deflated(&[bytes, &vec![b' '; 80 << 20]].concat());
    let twice = |bytes: &[u8]| deflated(&bomb(bytes));
    let hex = |bytes: &[u8]| {
        twice(bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let too_long = "objects that decompress to too much";
    for (entries, file) in [
        (
            "hex",
            packed(
                2,
                tree,
                "/Type/ObjStm/Filter[/AHx/FlateDecode/Fl]",
                |bytes| hex(bytes).into_bytes(),
            ),
        ),
        (
            "twice",
            packed(2, tree, "/Type/ObjStm/Filter[/FlateDecode/Fl]", twice),
        ),
        (
            "escaped",
            packed(2, tree, "/Type/Obj#53tm/Fi#6cter[/Fl/Fl]", twice),
        ),
        (
            "hidden",
            packed(
                2,
                tree,
                "/Type/ObjStm/Filter[/Fl/Fl]/X(obj<</A % )\n1",
                twice,
            ),
        ),
        (
            "columns",
            packed(
                2,
                tree,
                "/Type/ObjStm/Filter/Fl/DecodeParms<</Predictor 12/Columns 999999999999>>",
                deflated,
            ),
        ),
    ] {
        let ran = extract(&file);
        assert_eq!(ran.code, Some(2), "{entries}");
        assert!(ran.stderr.contains(too_long), "{entries}: {}", ran.stderr);
    }
    assert_left(&packed(2, tree, "/Type/ObjStm/Filter 80 0 R", twice), TREE);
    let long = packed(2, tree, "/Type/ObjStm/Filter/FlateDecode", bomb);
    assert_left(&long, too_long);
    // A stream that does not say that it has objects is none, if it is that long.
    let image = packed(2, tree, "/Subtype/Image/Filter/FlateDecode", bomb);
    assert_left(&image, TREE);
    // A stream whose data has the beginning of one with objects.
    let image = |bytes: &[u8]| [b"<</Type/ObjStm/N 1/First 4>>stream\n", &*twice(bytes)].concat();
    let hidden = packed(2, tree, "/Subtype/Image/Filter[/Fl/Fl]", image);
    assert_left(&hidden, TREE);
}

#[test]
fn the_tables_of_objects_have_bounds() {
    let table = stream(
        "/Type/XRef/Size 40000000/W[0 1 0]/Root 1 0 R/Filter/FlateDecode",
        &deflated(&vec![1; 40 << 20]),
    );
    let (mut file, _) = begun(&objects(&[]));
    let at = file.len();
    file.extend([b"91 0 obj\n", &*table, b"\nendobj\n"].concat());
    file.extend(format!("startxref\n{at}\n%%EOF\n").bytes());
    let ran = extract(&file);
    assert_eq!(
        (ran.code, &*ran.text()),
        (Some(0), "http://a.example/page\n")
    );
    let objects = |number: usize| format!("{number} 0 obj 1 ");
    let many: String = (0..=1_000_000).map(objects).collect();
    let many = format!("%PDF-1.4\n{many}");
    assert_left(many.as_bytes(), "a PDF of too many objects");
}

#[test]
fn nothing_is_looked_for_again_and_again() {
    let start = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>\n";
    for part in [
        "<</A(",
        "5 0 obj [",
        "5 0 obj <</Length 9>>stream ",
        "trailer<<",
        "stream>>",
    ] {
        let file = start.to_owned() + &part.repeat(100_000);
        assert_left(file.as_bytes(), TREE);
    }
    // A child that is long, and no node.
    let kids = "5 0 R ".repeat(100_000);
    let pages = format!("<</Type/Pages/Kids[{kids}]>>");
    let long = format!("[{}]", "0 ".repeat(500_000));
    assert_left(
        &pdf(&[(2, pages.into_bytes()), (5, long.into_bytes())]),
        TREE,
    );
}

#[test]
fn targets_widths_and_titles_count_against_one_budget() {
    let uri = format!("<</S/URI/URI(http://a.example/{})>>", "x".repeat(1_000_000));
    let links = format!("[{}]", "<</Rect[0 0 1 1]/A 7 0 R>>".repeat(10_000));
    assert_left(
        &pdf(&[(6, links.into_bytes()), (7, uri.into_bytes())]),
        SPENT,
    );

    // Entries of annotations that are long, and one form that all of them draw.
    let long = format!("[{}]", "0 ".repeat(10_000)).into_bytes();
    let form = stream("/Subtype/Form/BBox[0 0 9 9]", &vec![b' '; 20_000]);
    for (entries, seven) in [
        ("/A 7 0 R", &long),
        ("/AP<</N 7 0 R>>", &long),
        ("/AP<</N 7 0 R>>", &form),
    ] {
        let all = format!(
            "[{}]",
            format!("<</Rect[0 0 1 1]{entries}>>").repeat(10_000)
        );
        assert_left(&pdf(&[(6, all.into_bytes()), (7, seven.clone())]), SPENT);
    }

    // Links that pages share.
    let link =
        |number: usize| format!("<</Rect[0 0 1 1]/A<</S/URI/URI(http://a.example/{number})>>>>");
    let links = format!("[{}]", (0..5000).map(link).collect::<String>());
    let pages = format!(
        "<</Type/Pages/Kids[{}]>>",
        "<</Type/Page/Annots 6 0 R>>".repeat(1000)
    );
    let file = pdf(&[(2, pages.into_bytes()), (6, links.into_bytes())]);
    assert_left(&file, SPENT);

    let fonts = 100;
    let font = "<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2\
                /BaseFont/A/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/W[0 2000000 WIDTH]>>]>>";
    let mut all: Vec<_> = (0..fonts)
        .map(|at| {
            (
                100 + at,
                font.replace("WIDTH", &at.to_string()).into_bytes(),
            )
        })
        .collect();
    let names: String = (100..100 + fonts)
        .map(|at| format!("/G{at} {at} 0 R"))
        .collect();
    let shown: String = (100..100 + fonts)
        .map(|at| format!("/G{at} 12 Tf <0041> Tj "))
        .collect();
    all.push((
        3,
        format!("<</Type/Page/Contents 4 0 R/Resources<</Font<<{names}>>>>>>").into_bytes(),
    ));
    all.push((4, stream("", format!("BT {shown}ET").as_bytes())));
    assert_left(&pdf(&all), SPENT);
}

#[test]
fn a_panic_of_a_crate_is_not_shown() {
    let content = deflated(b"BT /F1 12 Tf (http://a.example/x) Tj ET");
    for parameters in [
        "Predictor 2/Columns 0",
        "Predictor 12/Colors 0",
        "Predictor 2/Colors 16/BitsPerComponent 16",
    ] {
        let entries = format!("/Filter/FlateDecode/DecodeParms<</{parameters}>>");
        let file = pdf(&[(4, stream(&entries, &content))]);
        let ran = extract(&file);
        assert_eq!(
            ran.stderr.lines().count(),
            1,
            "{parameters}: {}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains("a damaged page"),
            "{parameters}: {}",
            ran.stderr
        );
    }
}

#[test]
fn a_pdf_that_was_cut_off_is_told() {
    let file = pdf(&[]);
    let end = memchr::memmem::rfind(&file, b"startxref").unwrap();
    for cut in (0..=end).step_by(7).skip(2) {
        let ran = extract(&file[..cut]);
        assert_eq!(ran.code, Some(2), "{cut}: {}", ran.stderr);
        let byte = format!("(at byte {cut})");
        let is_told = ran.stderr.contains("a damaged PDF") || ran.stderr.contains(&byte);
        assert!(is_told, "{cut}: {}", ran.stderr);
    }
    assert_eq!(extract(&file).code, Some(0));
}

#[test]
fn a_pdf_in_a_message_does_not_stop_the_others() {
    let fan = fan(34, 2, "[3 0 R]");
    let mail = message("http://a.example/mail", &[("a.pdf", &fan)]);
    let folder = Folder::of(&[("a.eml", &*mail), ("b.txt", b"http://b.example/")]);
    let left = "1 attachment was not opened, or not to the end";
    let ran = run(&folder, &["extract", "--isolated", "."]);
    let urls = "http://a.example/mail\nhttp://a.example/page\nhttp://b.example/\n";
    assert_eq!(ran.text(), urls);
    assert!(ran.stderr.contains(left), "{}", ran.stderr);
    let ran = run(&folder, &["check", "--isolated", "a.eml"]);
    assert!(ran.stderr.contains(left), "{}", ran.stderr);
}
