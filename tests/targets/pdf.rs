//! A PDF that is made to take much time or memory is read in little of both, or refused: the first bytes choose the
//! filters, the references and the counts of its parts, the rest is in its content. The fuzzer limits time and memory; here
//! the members, which are bounded, are counted.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use urlint::archive::{Item, Limits, Opener, Source};

/// The numbers of the object streams and of the cross-reference stream.
const PACKED: usize = 90;
const TABLE: usize = 91;

/// The choices that the input makes.
struct Choices<'b>(&'b [u8]);

impl Choices<'_> {
    /// Returns a number below `end`.
    fn below(&mut self, end: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        usize::from(*first) % end
    }

    fn of<'s>(&mut self, all: &[&'s str]) -> &'s str {
        all[self.below(all.len())]
    }

    /// Returns a power of 2 up to 2^`most`.
    fn count(&mut self, most: usize) -> usize {
        1 << self.below(most + 1)
    }

    /// Returns data behind up to three filters, and the entries that name them, which may be wrong.
    fn filtered(&mut self, mut data: Vec<u8>) -> (Vec<u8>, String) {
        let mut names = Vec::new();
        for _ in 0..self.below(4) {
            let name = self.of(&[
                "FlateDecode",
                "Fl",
                "F#6cateDecode",
                "AHx",
                "A85",
                "RL",
                "LZW",
                "Crypt",
            ]);
            data = match name {
                "AHx" => data
                    .iter()
                    .map(|byte| format!("{byte:02x}"))
                    .collect::<String>()
                    .into_bytes(),
                "A85" | "RL" | "LZW" | "Crypt" => data,
                _ => {
                    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
                    encoder.write_all(&data).unwrap();
                    encoder.finish().unwrap()
                }
            };
            names.insert(0, format!("/{name}"));
        }
        let mut entries = match &names[..] {
            [] => String::new(),
            [name] if self.below(2) == 0 => format!("/Filter{name}"),
            _ => format!(
                "/{}[{}]",
                self.of(&["Filter", "F", "Fi#6cter"]),
                names.concat()
            ),
        };
        entries += self.of(&[
            "",
            "",
            "/DecodeParms<</Predictor 2/Columns 0>>",
            "/DecodeParms[<</Predictor 12/Columns 4>>]",
            "/DP<</Predictor 12/Columns 9999999999999>>",
            "/DecodeParms<</Predictor 2/Colors 255/BitsPerComponent 16>>",
            "/Filter 80 0 R",
        ]);
        (data, entries)
    }

    /// Returns a stream.
    fn stream(&mut self, entries: &str, data: Vec<u8>) -> Vec<u8> {
        let (data, filters) = self.filtered(data);
        let length = match self.below(6) {
            0 => data.len() * 2,
            1 => 0,
            _ => data.len(),
        };
        let before = self.of(&["", "", "", " % >>\n", "\n%<<>>\n"]);
        let decoy = self.of(&["", "", "", "/X(obj<</A % )\n1", "/X(endobj 5 0 obj <</N 1)"]);
        let head = format!("<<{entries}{filters}/Length {length}{decoy}>>{before}stream\n");
        [head.as_bytes(), &data, b"\nendstream"].concat()
    }
}

/// Makes a PDF.
fn file(choices: &mut Choices<'_>) -> Vec<u8> {
    let mut objects: Vec<(usize, Vec<u8>)> = Vec::new();
    let mut add = |number: usize, object: String| objects.push((number, object.into_bytes()));
    add(
        1,
        "<</Type/Catalog/Pages 2 0 R/OCProperties<</D<</OFF[3 0 R]>>>>>>".to_owned(),
    );
    // The tree: each level has `width` children, direct or by reference, of which the last may lead back.
    let (depth, width) = (choices.below(30), choices.count(5));
    let node = |level: usize| format!("<</Type/Pages/Kids {level} 0 R>>");
    add(2, node(10));
    for level in 10..10 + depth {
        let kid = match choices.below(3) {
            0 => format!("{} 0 R ", level + 30),
            1 => "2 0 R ".to_owned(),
            _ => node(level + 1),
        };
        add(level, format!("[{}]", kid.repeat(width)));
        add(level + 30, node(level + 1));
    }
    // The objects that may be in a stream of objects.
    let page = choices.of(&[
        "3 0 R ",
        "<<>>",
        "<</Type/Page>>",
        "<</Annots 5 0 R>>",
        "<</Contents[4 0 R 4 0 R]>>",
    ]);
    let leaf = format!("[{}3 0 R]", page.repeat(choices.count(16)));
    let fonts = choices.count(8);
    let names: String = (0..fonts).map(|font| format!("/G{font} 7 0 R")).collect();
    add(
        3,
        format!(
            "<</Type/Page/Annots 5 0 R/Contents 4 0 R/Resources<</XObject<</X 8 0 R>>/Font<<{names}>>>>>>"
        ),
    );
    let annotation = choices.of(&["<</Rect[0 0 1 1]/A 6 0 R>>", "6 0 R ", "null ", "5 0 R "]);
    add(5, format!("[{}]", annotation.repeat(choices.count(13))));
    let target = "x".repeat(choices.count(16));
    add(
        6,
        format!("<</Rect[0 0 1 1]/S/URI/URI(http://a.example/{target})/A 6 0 R>>"),
    );
    let last = choices.count(24);
    let widths = format!("0 {last} 500 ").repeat(choices.count(8));
    add(
        7,
        format!(
            "<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/ToUnicode 9 0 R/DescendantFonts[<</Type/Font/Subtype\
         /CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/W[{widths}]>>]>>"
        ),
    );
    add(
        80,
        choices
            .of(&["/FlateDecode", "[/Fl/Fl]", "/ObjStm", "80 0 R"])
            .to_owned(),
    );
    let shown: String = (0..fonts)
        .map(|font| format!("/G{font} 9 Tf <0041> Tj "))
        .collect();
    let drawn = choices.of(&[
        "/X Do ",
        "(http://a.example/) Tj ",
        "/G0 9 Tf ",
        "q ",
        "/OC /A BDC ",
    ]);
    let content = format!("BT {shown}{}", drawn.repeat(choices.count(14)));
    let content = choices.stream("", content.into_bytes());
    let drawn = drawn.repeat(choices.count(6));
    let form = choices.stream("/Subtype/Form", drawn.into_bytes());
    let map = "<0041><0041>\n".repeat(choices.count(14));
    let map = format!(
        "1 begincodespacerange <0000><ffff> endcodespacerange 9999 beginbfchar\n{map}endbfchar"
    );
    let map = choices.stream("", map.into_bytes());
    objects.extend([(4, content), (8, form), (9, map)]);
    let level = 10 + depth;
    let (mut head, mut body) = (format!("{level} 0 "), leaf);
    head += &choices
        .of(&["", "1 1 ", "1 9 2 99 "])
        .repeat(choices.count(12));
    body += &choices.of(&["", " ", "<<>>"]).repeat(choices.count(20));
    let first = head.len();
    let kind = choices.of(&[
        "/Type/ObjStm",
        "/Type/ObjStm",
        "/Type/Obj#53tm",
        "/Type 80 0 R",
        "",
        "/Subtype/Image",
    ]);
    let number = choices.of(&["1", "1", "99999999", "80 0 R"]);
    let packed = choices.stream(
        &format!("{kind}/N {number}/First {first}"),
        (head + &body).into_bytes(),
    );
    objects.push((PACKED, packed));
    written(objects, level, choices)
}

/// Returns the file that has these objects; `packed` is in the stream of objects.
fn written(objects: Vec<(usize, Vec<u8>)>, packed: usize, choices: &mut Choices<'_>) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut rows = vec![[0; 7]; TABLE + 1];
    for (number, object) in objects {
        let [.., a, b, c, d] = file.len().to_be_bytes();
        rows[number] = [1, a, b, c, d, 0, 0];
        file.extend(
            [
                format!("{number} 0 obj\n").as_bytes(),
                &object,
                b"\nendobj\n",
            ]
            .concat(),
        );
    }
    rows[packed] = [2, 0, 0, 0, PACKED as u8, 0, 0];
    let mut rows = rows.concat();
    rows.extend(vec![0; 7 * choices.count(14)]);
    let widths = choices.of(&["[1 4 2]", "[1 4 2]", "[0 1 0]", "[1 3 0]"]);
    let size = choices.of(&["92", "99999999"]);
    let at = file.len();
    let previous = choices.of(&["", "/Prev 9", "/Prev 99999"]);
    let table = choices.stream(
        &format!("/Type/XRef/Size {size}/W{widths}/Root 1 0 R{previous}"),
        rows,
    );
    file.extend([format!("{TABLE} 0 obj\n").as_bytes(), &table, b"\nendobj\n"].concat());
    let end = choices.of(&[
        "",
        "",
        "",
        "trailer<</Root 1 0 R>>\n",
        "trailer<</Root 1 0 R/Encrypt 6 0 R>>\n",
    ]);
    file.extend(format!("{end}startxref\n{at}\n%%EOF\n").bytes());
    let cut = choices.below(256);
    if cut > 200 {
        file.truncate(file.len() * (cut - 128) / 128);
    }
    file
}

/// The input chooses a PDF, whose pages are read with the usual limits.
pub(super) fn pdf(bytes: &[u8]) {
    let file = file(&mut Choices(bytes));
    let opener = Opener::new(Limits::default());
    let (mut members, mut length) = (0, 0);
    let mut take = |item: Item<'_>| -> io::Result<()> {
        if let Item::Source(_, mut content) = item {
            members += 1;
            length += io::copy(&mut content.by_ref(), &mut io::sink())?;
        }
        Ok(())
    };
    assert!(
        opener
            .open_bytes(&Source::file(b"a.pdf", false), &file, &mut take)
            .is_ok()
    );
    assert!(members <= 20_000);
    // The budget of a file is 64 MiB, and 128 times its length.
    assert!(length <= (64 << 20) + 128 * file.len() as u64, "{length}");
}
