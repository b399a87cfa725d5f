//! Links of lightweight markup, as the programs read them that people convert it with: docutils, Asciidoctor, pandoc.

use std::collections::{BTreeMap, BTreeSet};

use crate::needs::{answer, script};
use crate::suites::encoded;
use crate::support::wrappings::found;

/// URLs, in each of which `NAME` stands for a name of its own.
const URLS: [&str; 19] = [
    "http://NAME.example/",
    "http://NAME.example",
    "https://NAME.example:8080/x/y.html",
    "http://NAME.example/?x=1&y=2",
    "http://NAME.example/x#f",
    "ftp://NAME.example/x_y.txt",
    "http://NAME.example/~joe/a-b",
    "http://NAME.example/x_(a)",
    "http://NAME.example/a,b;c=1",
    "http://NAME.example/x%20y",
    "http://NAME.example/a*b",
    "http://NAME.example/a'b",
    "http://NAME.example/a@b",
    "http://NAME.example/a=b",
    "http://NAME.example/a--b",
    "http://NAME.example/a__b__c",
    "http://NAME.example/a//b",
    "http://[::1]/NAME.example",
    "http://joe@NAME.example/",
];

/// URLs with signs that separate the fields of tables, that are escaped in strings, or that are quoted there.
const SIGNS: [&str; 10] = [
    "http://a.example/x;jsessionid=1?q=2",
    "http://b.example/0,1518,123,00.html",
    "http://c.example/a|b?c|d",
    "http://d.example/?ids[]=1&k[a]=b;c",
    "http://e.example/?a=1&amp;b=2&copy=3",
    "http://f.example/Earth''s_rotation's",
    "http://g.example/?q=1,2;3|4",
    "http://h.example/x_(a)#b",
    "http://[::1]/i.example",
    "http://j.example/%22%20&lt;",
];

/// Returns the documents of a sort that `strings.py` makes of the URLs: the name, the text, and all that Python reads
/// in it.
fn made(sort: &str) -> Vec<(String, String, Vec<String>)> {
    let mut program = script("strings.py");
    program.arg(sort);
    let answer = answer(program, SIGNS.join("\n").as_bytes());
    let parts: Vec<_> = answer.split_terminator('\0').collect();
    let lines = |text: &str| text.lines().map(str::to_owned).collect();
    let documents = parts.chunks_exact(3);
    documents
        .map(|part| (part[0].to_owned(), part[1].to_owned(), lines(part[2])))
        .collect()
}

/// The cells of a table are those that Python's `csv` reads, each of them a text.
pub(crate) fn tables() {
    let documents = made("csv");
    for (name, text, cells) in &documents {
        let in_cell = |cell: &String| {
            if SIGNS.contains(&&**cell) {
                vec![cell.clone()]
            } else {
                found("a.txt", cell)
            }
        };
        let expected: Vec<_> = cells.iter().flat_map(in_cell).collect();
        assert_eq!(found(name, text), expected, "{name}:\n{text}");
    }
    assert!(documents.len() > 50);
}

/// The targets in strings with HTML are those that html5lib finds in them.
pub(crate) fn strings() {
    let documents = made("html");
    for (name, text, targets) in &documents {
        assert_eq!(&found(name, text), targets, "{name}:\n{text}");
    }
    assert!(documents.len() > 20);
}

/// The set of URLs with each name.
type Named = BTreeMap<String, BTreeSet<String>>;

fn named(urls: impl IntoIterator<Item = String>) -> Named {
    let mut all = Named::new();
    for url in urls {
        let name = url.split_once(".example").and_then(|(before, _)| {
            let at = before.rfind("name")?;
            Some(before[at..].to_owned())
        });
        if let Some(name) = name.filter(|_| url.contains("://")) {
            all.entry(name).or_default().insert(encoded(&url));
        }
    }
    all
}

/// A grid table of reStructuredText whose second cell breaks a link to `url` over its lines, as pandoc does.
fn grid(url: &str) -> String {
    let (head, tail) = url.split_at(url.len() / 2);
    let lines = ["`t".to_owned(), format!("<{head}"), format!("{tail}>`__")];
    let width = url.len() + 2;
    let border = format!("+---+-{}-+\n", "-".repeat(width));
    let lines = lines.iter().map(|line| format!("| b | {line:width$} |\n"));
    border.clone() + &lines.collect::<String>() + &border
}

/// Asserts that each URL that the program and urlint find alike in the first of `contexts`, a sentence, is alike in all
/// others in which the program links it. `URL` stands for the URL there.
fn are_alike(markup: &str, file: &str, contexts: &[&str]) {
    let document = |context: &&str| -> String {
        let urls = URLS.iter().enumerate();
        let blocks = urls.map(|(number, url)| {
            let url = url.replace("NAME", &format!("name{number}"));
            // The width of a column.
            let line = "=".repeat(url.len());
            let context = context.replace("GRID", &grid(&url));
            context.replace("URL", &url).replace("LINE", &line) + "\n\n"
        });
        blocks.collect()
    };
    let documents: Vec<_> = contexts.iter().map(document).collect();
    let mut program = script("markup.py");
    program.arg(markup);
    let answers = answer(program, (documents.join("\0") + "\0").as_bytes());
    let theirs = answers.split_terminator('\0');
    let theirs: Vec<_> = theirs
        .map(|urls| named(urls.lines().map(str::to_owned)))
        .collect();
    let ours = documents.iter().map(|text| named(found(file, text)));
    let ours: Vec<_> = ours.collect();
    assert_eq!(theirs.len(), contexts.len());
    let plain: BTreeSet<_> = theirs[0]
        .iter()
        .filter(|(name, urls)| ours[0].get(*name) == Some(urls))
        .map(|(name, _)| name.clone())
        .collect();
    assert!(plain.len() >= 14, "{markup}: {plain:?}");
    let mut wrong = Vec::new();
    for (number, context) in contexts.iter().enumerate() {
        let linked = theirs[number].iter();
        let linked: Vec<_> = linked.filter(|(name, _)| plain.contains(*name)).collect();
        if linked.len() < 8 {
            wrong.push(format!("{context:?}: only {linked:?} are links"));
        }
        for (name, urls) in linked {
            let ours = ours[number].get(name);
            if ours != Some(urls) {
                wrong.push(format!("{context:?}: {ours:?}, expected {urls:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{markup}:\n{}", wrong.join("\n"));
}

pub(crate) fn restructured_text() {
    let contexts = [
        "see URL there",
        "see URL.",
        "(URL)",
        "\"URL\"",
        "'URL',",
        "URL: text",
        "`t <URL>`__",
        "<URL>",
        ".. image:: URL",
        ".. figure:: URL\n\n   Caption",
        ".. image:: x.png\n   :target: URL",
        ".. __: URL",
        "see URL\\ s",
        ":sup:`x` URL",
        ":field: URL",
        "* URL",
        "| URL\n| more",
        "LINE  ==\nURL  b\nLINE  ==",
        "GRID",
        "text [#]_ URL\n\n.. [#] foot URL",
        ".. note:: URL",
        "term\n  URL",
        "[URL]",
        "{URL}",
        "URL...",
        "-- URL --",
    ];
    are_alike("rst", "a.rst", &contexts);
}

pub(crate) fn asciidoc() {
    let contexts = [
        "see URL there",
        "see URL.",
        "(URL)",
        "see URL, and",
        "*URL*",
        "_URL_",
        "`URL`",
        "URL[text]",
        "URL[text,window=_blank]",
        "URL[t^]",
        "URL[*b*]",
        "URL[a [b\\] c]",
        "link:URL[text]",
        "link:++URL++[x]",
        "<URL>",
        "image::URL[]",
        "image:URL[x]",
        "* URL",
        "|===\n|URL |b\n|===",
        "NOTE: URL",
        "term:: URL",
        "URL;",
        "URL!",
        "footnote:[URL]",
        "[quote]\nURL",
        "#URL#",
    ];
    are_alike("asciidoc", "a.adoc", &contexts);
}

pub(crate) fn wikis() {
    let mediawiki = [
        "see URL there",
        "see URL.",
        "\"URL\"",
        "''URL''",
        "''see URL''",
        "[URL t]",
        "[URL]",
        "[URL \"t\"]",
        "[URL ''t'']",
        "* URL",
        "; t : URL",
        "{|\n|URL||b\n|}",
        "<b>URL</b>",
        "<ref>URL</ref>",
        "x<br>URL<br/>y",
        "URL!",
        ":URL",
        "<!-- x -->URL<!-- y -->",
    ];
    are_alike("mediawiki", "a.wiki", &mediawiki);
    let dokuwiki = [
        "see URL there",
        "(URL)",
        "**URL**",
        "[[URL|t]]",
        "[[URL]]",
        "  * URL",
        "| URL | b |",
        "((URL))",
        "> URL",
    ];
    are_alike("dokuwiki", "a.dokuwiki", &dokuwiki);
    let creole = [
        "see URL there",
        "(URL)",
        "**URL**",
        "[[URL|t]]",
        "[[URL]]",
        "{{URL}}",
        "{{URL|t}}",
        "* URL",
        "URL,",
    ];
    are_alike("creole", "a.creole", &creole);
}

pub(crate) fn org() {
    let contexts = [
        "see URL there",
        "see URL.",
        "(URL)",
        "[[URL][t]]",
        "[[URL]]",
        "<URL>",
        "*URL*",
        "/URL/",
        "- URL",
        "| URL | b |",
        "| b |URL|",
        "x [[URL]], y",
        "\"URL\"",
    ];
    are_alike("org", "a.org", &contexts);
}
