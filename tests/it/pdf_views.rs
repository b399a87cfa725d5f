//! The text of a PDF has four forms: the page as it is drawn, which urlint reads itself, and the texts of `pdftotext`, of
//! `pdftotext -layout` and of `pdftotext -raw`. Their URLs are the same, broken or not.
//!
//! The three texts are made here, from the places of the words, since few machines have `pdftotext`. Unlike it, they keep
//! all hyphens.

use crate::support::command::Folder;

/// Lines that stand below each other.
struct Block {
    column: usize,
    row: usize,
    lines: &'static [&'static str],
}

/// The row of the footer.
const FOOTER: usize = 74;

/// A document: its name, its pages in the order of reading, and its URLs.
type Document = (
    &'static str,
    &'static [&'static [Block]],
    &'static [&'static str],
);

const fn block(column: usize, row: usize, lines: &'static [&'static str]) -> Block {
    Block { column, row, lines }
}

const DOCUMENTS: &[Document] = &[
    (
        "a report with footers",
        &[
            &[
                block(
                    0,
                    0,
                    &[
                        "The report describes the state of the work at the end of the year, and names the places where the",
                        "data can be read. The tables of the first chapter are kept at https://data.a.example/reports/2023/",
                        "tables/first.csv and those of the second beside them. The minutes of the group, which meets at each",
                        "turn of the month, are at https://lists.a.example/archives/working-group/2023-11/minutes-of-the-",
                        "meeting.html, with all that was said there. A list of the members stands on the page of the group at",
                        "http://www.b.example/groups/members.html, and a form for new ones at https://www.b.example/join.",
                        "The next chapter is about the ways in which the numbers were found, and about their meaning. It is",
                        "longer than the others, since more was asked about it than about all else, as https://c.example/q?",
                        "topic=numbers&page=2 shows. The reports are kept at https://a.example/reports/of/all/the/members/",
                        "and the others elsewhere. The data themselves are at http://www.b.example/data/of/all/the/members/",
                    ],
                ),
                block(
                    0,
                    FOOTER,
                    &[
                        "Joe and Co, Berlin - 03/18/20                                               3/20",
                    ],
                ),
            ],
            &[
                block(
                    0,
                    0,
                    &[
                        "The last chapter looks at the years to come. It rests on all that stood in the studies of others,",
                        "above all on https://studies.d.example/of-the-coming-years/a-first-look/index.html and on all now",
                        "said there about the need of all for the data, which the advisory has, the name of which is known:",
                        "https://d.example/multiple-notes-about-the-implementations-of-all/",
                    ],
                ),
                block(
                    0,
                    FOOTER,
                    &[
                        "Joe and Co, Berlin - 03/18/20                                               4/20",
                    ],
                ),
            ],
        ],
        &[
            "https://data.a.example/reports/2023/tables/first.csv",
            "https://lists.a.example/archives/working-group/2023-11/minutes-of-the-meeting.html",
            "http://www.b.example/groups/members.html",
            "https://www.b.example/join",
            "https://c.example/q?topic=numbers&page=2",
            "https://a.example/reports/of/all/the/members/",
            "http://www.b.example/data/of/all/the/members/",
            "https://studies.d.example/of-the-coming-years/a-first-look/index.html",
            "https://d.example/multiple-notes-about-the-implementations-of-all/",
        ],
    ),
    (
        "references with hanging labels",
        &[&[
            block(0, 0, &["References"]),
            block(
                0,
                2,
                &[
                    "[1]    A. Author and B. Writer, \"On the ways of data\", in Journal of Ways, vol. 3, 2019. Available at:",
                    "       https://doi.org/10.1007/978-3-319-66402-6_32, pp. 3-20.",
                    "[2]    C. Other, \"A look at lists of references and at their labels\". [Online]. Available: https://e.example/en/",
                    "       developers/docs/scaling/roll-ups/ (visited on 2 May 2020).",
                    "[3]    D. Last, \"Of hyphens\", Letters, vol. 9, no. 2, 2021. doi: https://doi.org/10.3847/2041-",
                    "       8213/ac6736.",
                    "[4]    E. More. A page of it. 2018. url: https://f.example/abs/",
                    "       1509.06344.",
                    "[5]    F. Zed, \"Names\", 2017. https://g.example/people/zed/names.pdf",
                ],
            ),
            block(45, FOOTER, &["17"]),
        ]],
        &[
            "https://doi.org/10.1007/978-3-319-66402-6_32",
            "https://e.example/en/developers/docs/scaling/roll-ups/",
            "https://doi.org/10.3847/2041-8213/ac6736",
            "https://f.example/abs/1509.06344",
            "https://g.example/people/zed/names.pdf",
        ],
    ),
    (
        "DOIs",
        &[&[
            block(0, 0, &["Bibliography"]),
            block(
                0,
                2,
                &[
                    "1. A. Writer: On the ways of data and of their readers. In: Proceedings of the group, pp. 3-20 (2017).",
                    "   https://doi.org/10.1007/978-3-319-66402-6_32",
                    "2. B. Other: A look at lists. In: Lecture Notes, vol. 10, pp. 1-9 (2018). https://doi.org/10.1007/978-",
                    "   3-319-66402-6_1",
                    "3. C. Third: Of labels. Journal of Labels 3(2), 12-19 (2019). https://doi.org/10.1016/j.labels.2019.",
                    "   05.007",
                    "4. D. Fourth: Names (2020). https://doi.org/10.5281/zenodo.",
                    "   5773480",
                    "5. E. Fifth: Ends (2021). https://doi.org/10.1007/978-3-319-66402-6-",
                    "   32 .",
                    "6. F. Sixth: Dots (2021). https://doi.org/10.1145/1219092.1219093",
                ],
            ),
            block(45, FOOTER, &["453"]),
        ]],
        &[
            "https://doi.org/10.1007/978-3-319-66402-6_32",
            "https://doi.org/10.1007/978-3-319-66402-6_1",
            "https://doi.org/10.1016/j.labels.2019.05.007",
            "https://doi.org/10.5281/zenodo.5773480",
            "https://doi.org/10.1007/978-3-319-66402-6-32",
            "https://doi.org/10.1145/1219092.1219093",
        ],
    ),
    (
        "two columns",
        &[&[
            block(0, 0, &["Two sides"]),
            block(
                0,
                2,
                &[
                    "The first column tells of the one side, at",
                    "http://a.example/one, and of the sightings",
                    "there by all who looked. The page of it is",
                    "https://b.example/x/y and the data are at",
                    "https://data.b.example/sets/of/the/group/",
                    "first-set.csv, with a note for each. There",
                    "is a list of those who took part in it at",
                    "https://lists.b.example/archive/the-names-",
                    "of-all.html, which is kept by the members.",
                    "This is the end of the text of this column",
                    "which has as many lines as the other has,",
                    "so that each of them stands beside another",
                    "one, and none of them is left alone there.",
                ],
            ),
            block(
                52,
                2,
                &[
                    "The other column is about the other side,",
                    "https://c.example/two being its place. The",
                    "text of it goes on as that of the first one",
                    "does. It has the same number of lines and of",
                    "words, more or less, and is as wide as it is",
                    "since both have been set by one and the same",
                    "program, as http://d.example/says and as all",
                    "who have seen it say. The references of it",
                    "stand below:",
                    "[1] A. Writer. Of sides. https://github.com/",
                    "    joe/sides.jl, 2018. See the data of all",
                    "[2] B. Other. Labels. https://doi.org/10.5281/",
                    "    zenodo.2592633, March 2019. It is all.",
                ],
            ),
            block(38, FOOTER, &["- 5 -"]),
        ]],
        &[
            "http://a.example/one",
            "https://b.example/x/y",
            "https://data.b.example/sets/of/the/group/first-set.csv",
            "https://lists.b.example/archive/the-names-of-all.html",
            "https://c.example/two",
            "https://github.com/joe/sides.jl",
            "https://doi.org/10.5281/zenodo.2592633",
            "http://d.example/says",
        ],
    ),
    (
        "a table",
        &[&[
            block(
                0,
                0,
                &[
                    "The table lists the pages of the report, which are kept by the group, each with the year of its data.",
                ],
            ),
            block(
                0,
                2,
                &[
                    "Name          Page                                             Year",
                    "first         https://a.example/tables/of/the/year/first-",
                    "              table-of-all.html                                2019",
                    "second        https://b.example/second.html                    2020",
                    "third         https://c.example/tables/of/all/the/years/",
                    "              third.html                                       2021",
                ],
            ),
            block(
                0,
                9,
                &[
                    "The years are those in which the group has met, which are not always those of the report, since the",
                    "group began to meet before there was any, and went on to do so when the report was at its end, and",
                    "some of the others then wrote the rest of all that is the first chapter of the book about the data.",
                ],
            ),
            block(45, FOOTER, &["Page 8 of 30"]),
        ]],
        &[
            "https://a.example/tables/of/the/year/first-table-of-all.html",
            "https://b.example/second.html",
            "https://c.example/tables/of/all/the/years/third.html",
        ],
    ),
    (
        "justified text, an added hyphen, a list and notes",
        &[&[
            block(
                0,
                0,
                &[
                    "The  report  of  the  group  has  been  made  from  the  notes  of  all,  and   is   to   be   read   at",
                    "https://a.example/of/the/group/and-its-work/in-the-years/from-the-first-day-on/to-the-last-of-them/",
                    "report.pdf  by  each  who  wants  to.  Text  as  old  as  it  stands  on  the pages of the group, of which",
                    "https://a.example/pages/ is the first, and in  the  minutes,  which  are  kept  by  the  secretary  at",
                    "https://b.example/minutes/2020-03.txt; they are short. The manifest of the artifact, of which more was",
                    "said  above,  is  https://c.example/things/specs/blob/main/artifact-manifest/of-the-group/arti-",
                    "fact-manifest.md,  and  the  one  before  it  stands  beside  it.",
                    "1. The first thing of the list is at https://d.example/www-project-internet-of-things/",
                    "2. The second is https://d.example/www-project-serverless-top-10/",
                    "3. Others",
                ],
            ),
            block(
                0,
                60,
                &[
                    "1 https://e.example/notes/one/",
                    "2 https://f.example/notes/two",
                    "3 See https://g.example/notes/three/and-all-that-is-below-it/with-a-name-that-is-long/and-longer/still/",
                    "index.html",
                ],
            ),
            block(45, FOOTER, &["xvi"]),
        ]],
        &[
            "https://a.example/of/the/group/and-its-work/in-the-years/from-the-first-day-on/to-the-last-of-them/report.pdf",
            "https://a.example/pages/",
            "https://b.example/minutes/2020-03.txt",
            "https://c.example/things/specs/blob/main/artifact-manifest/of-the-group/artifact-manifest.md",
            "https://d.example/www-project-internet-of-things/",
            "https://d.example/www-project-serverless-top-10/",
            "https://e.example/notes/one/",
            "https://f.example/notes/two",
            "https://g.example/notes/three/and-all-that-is-below-it/with-a-name-that-is-long/and-longer/still/index.html",
        ],
    ),
    (
        "an audit",
        &[&[
            block(
                0,
                0,
                &[
                    "Issue M-4: No check that the sequencer is active",
                    "Source: https://github.com/audit-of-all/2023-12-things-judging/issues/47",
                    "Found by",
                    "zobront, watson, joe",
                    "Code Snippet",
                    "https://github.com/audit-of-all/2022-12-things/blob/main/contracts/hedgers/FuturesP",
                    "oolHedger.sol#L626-L665",
                    "Manual review of the code, by those who are named above, and by some others that were asked to do it.",
                    "The fix is in https://github.com/things/protocol/pull/49",
                    "zobront",
                    "The protocol team has fixed this in the pull request that is named above, and says that it is done.",
                ],
            ),
            block(0, FOOTER, &["12"]),
        ]],
        &[
            "https://github.com/audit-of-all/2023-12-things-judging/issues/47",
            "https://github.com/audit-of-all/2022-12-things/blob/main/contracts/hedgers/FuturesPoolHedger.sol#L626-L665",
            "https://github.com/things/protocol/pull/49",
        ],
    ),
];

/// The lines of a block, with one blank between words.
fn unspaced(block: &Block) -> String {
    let words = |line: &&str| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    block.lines.iter().map(words).collect()
}

/// The blocks of a page in the order in which some programs draw them: the footer first.
fn footer_first(page: &'static [Block]) -> impl Iterator<Item = &'static Block> {
    let (footer, blocks) = page.split_last().unwrap();
    [footer].into_iter().chain(blocks)
}

/// The text of a page as `pdftotext -layout` writes it: each word is in its column.
fn layout(page: &[Block]) -> String {
    let mut rows = vec![String::new(); FOOTER + 1];
    for block in page {
        for (row, line) in (block.row..).zip(block.lines) {
            let width = block.column;
            rows[row] = format!("{:width$}{line}", rows[row]);
        }
    }
    rows.join("\n") + "\n"
}

/// A PDF that draws each word of the blocks at its place.
fn pdf<'b>(pages: impl Iterator<Item = Vec<&'b Block>>) -> Vec<u8> {
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        String::new(),
        "<</Type/Font/Subtype/Type1/BaseFont/Courier>>".to_owned(),
    ];
    let mut kids = String::new();
    for page in pages {
        let mut content = "BT /F 8 Tf\n".to_owned();
        for block in page {
            for (row, line) in (block.row..).zip(block.lines) {
                for word in line.split_whitespace() {
                    let column = block.column + word.as_ptr().addr() - line.as_ptr().addr();
                    let (x, y) = (36.0 + 4.8 * column as f64, 760 - 10 * row);
                    let word = word.replace('(', "\\(").replace(')', "\\)");
                    content += &format!("1 0 0 1 {x:.1} {y} Tm ({word}) Tj\n");
                }
            }
        }
        content += "ET";
        let number = objects.len() + 1;
        kids += &format!("{number} 0 R ");
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {} 0 R/Resources<</Font<</F 3 0 R>>>>>>",
            number + 1
        ));
        objects.push(format!(
            "<</Length {}>>stream\n{content}\nendstream",
            content.len()
        ));
    }
    let count = objects.len() / 2 - 1;
    objects[1] = format!("<</Type/Pages/Kids[{kids}]/Count {count}>>");
    let mut file = "%PDF-1.4\n".to_owned();
    for (number, object) in (1..).zip(objects) {
        file += &format!("{number} 0 obj\n{object}\nendobj\n");
    }
    file += "trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n";
    file.into_bytes()
}

#[test]
fn four_views_of_a_document_have_the_same_urls() {
    for (name, pages, urls) in DOCUMENTS {
        let text = |page: fn(&'static [Block]) -> String| {
            let pages = pages.iter().map(|blocks| page(blocks) + "\u{c}");
            pages.collect::<String>().into_bytes()
        };
        let plain = text(|page| page.iter().map(unspaced).collect::<Vec<_>>().join("\n"));
        let raw = text(|page| footer_first(page).map(unspaced).collect());
        let drawn = pdf(pages.iter().map(|page| page.iter().collect()));
        let drawn_otherwise = pdf(pages.iter().map(|page| footer_first(page).collect()));
        let views = [
            ("plain.txt", plain),
            ("layout.txt", text(layout)),
            ("raw.txt", raw),
            ("drawn.pdf", drawn),
            ("drawn-otherwise.pdf", drawn_otherwise),
        ];
        let folder = Folder::of(&views.each_ref().map(|(name, bytes)| (*name, bytes)));
        let mut expected = urls.to_vec();
        expected.sort_unstable();
        for (file, _) in &views {
            let ran = folder.run(&["extract", file], b"");
            let listed = ran.text();
            let mut listed: Vec<_> = listed.lines().collect();
            listed.sort_unstable();
            assert_eq!(listed, expected, "{name}, {file}: {}", ran.stderr);
        }
    }
}
