//! The URL Standard of the WHATWG: its conformance vectors, and Ada, the parser of Node.

use serde_json::{Value, json};
use urlint::standard::Part;
use urlint::standard::whatwg::{href, parse};
use urlint::url::resolve_in_browser;

use crate::needs::{answer, script, shared};
use crate::support::conformance::{differences, lines};

/// Valid or not, parsed or not, and the href, the components or the problems where the vector has
/// them.
pub(crate) fn vectors() {
    let text = std::fs::read_to_string(shared("vectors/whatwg.jsonl")).unwrap();
    let vectors = lines(&text);
    assert!(vectors.len() > 500, "{}", vectors.len());
    let wrong = differences(&vectors, |vector| {
        let found = judged(vector["url"].as_str().unwrap());
        let is_valid = vector["valid"] == true;
        let rest: &[&str] = if is_valid {
            &["components", "spans"]
        } else {
            &["problems"]
        };
        let names = ["valid", "parses", "href"].iter().chain(rest);
        let names = names.filter(|&&name| vector.get(name).is_some());
        let of = |all: &Value| names.clone().map(|&name| all[name].clone()).collect();
        let mut expected: Value = of(vector);
        // Where one problem stands for several errors, it has the name of one of them.
        if let Some(problems) = vector.get("problems") {
            let mut problems = problems.clone();
            for problem in problems.as_array_mut().unwrap() {
                problem.as_object_mut().unwrap().remove("error");
            }
            *expected.as_array_mut().unwrap().last_mut().unwrap() = problems;
        }
        (expected, of(&found))
    });
    assert!(wrong.is_empty(), "{wrong}");
}

fn judged(url: &str) -> Value {
    let parsed = parse(url.as_bytes());
    let parts = parsed.named_parts();
    let text = |part: Part| json!(std::str::from_utf8(parsed.slice(part)).unwrap());
    let span = |part: Part| json!([part.start, part.end]);
    let named = |show: &dyn Fn(Part) -> Value| {
        let shown = parts.iter().map(|(name, part)| {
            let shown = part.map_or(Value::Null, show);
            ((*name).to_owned(), shown)
        });
        Value::Object(shown.collect())
    };
    let problems = parsed
        .problems
        .iter()
        .map(|problem| json!({"kind": problem.kind.name(), "span": span(problem.part)}));
    json!({
        "valid": parsed.is_valid(),
        "parses": parsed.parses(),
        "href": href(url.as_bytes()),
        "components": named(&text),
        "spans": named(&span),
        "problems": problems.collect::<Value>(),
    })
}

/// URLs to change in all sorts of ways.
const SEEDS: [&str; 24] = [
    "http://a.example/",
    "https://www.a-long-name.of-many.labels.example/x/y.html?q=1&r=%20#top",
    "http://joe:secret@a.example:80/x/../y?q#f",
    "https://1.2.3.4/",
    "https://0x7f.1/",
    "http://0300.0250.01.09/",
    "ws://[1::2]:99/x",
    "http://[::ffff:1.2.3.4]/",
    "file:///C:/x/y",
    "file://host/x/y",
    r"file:c:\x\..\y",
    "file://localhost//x/./y",
    "foo://host/x/./y?q#f",
    "foo:/x/../y",
    "foo:/..//x",
    "foo:opaque path?q#f",
    "mailto:joe@a.example?subject=x",
    "http://faß.example/é?é#é",
    "http://xn--caf-dma.example/",
    "http://XN--A.example/",
    "http://☃.example。/",
    r"http:\\a.example\b",
    "data:text/plain,x y",
    "ftp://a.example/%2e%2e/%41/.%2E",
];

/// Texts that are inserted into them.
const MORE: [&str; 72] = [
    "/",
    "\\",
    "?",
    "#",
    ":",
    "@",
    "[",
    "]",
    "%",
    ".",
    "-",
    "_",
    "~",
    "|",
    "^",
    "{",
    "}",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "!",
    "$",
    "&",
    "(",
    "*",
    "+",
    ",",
    ";",
    "=",
    " ",
    "\t",
    "\n",
    "\0",
    "\x1F",
    "\x7F",
    "0",
    "a",
    "A",
    "x",
    "8",
    "256",
    "é",
    "ß",
    "１",
    "。",
    "\u{200D}",
    "\u{AD}",
    "א",
    "😀",
    "\u{FFFE}",
    "\u{85}",
    "%41",
    "%2e",
    "%00",
    "%zz",
    "..",
    "/../",
    "/./",
    "//",
    "C:",
    "C|",
    "xn--",
    "0x",
    "::",
    "1.2.3.4",
    "[::1]",
    "localhost",
    "file:",
    "http:",
    "foo:",
];

/// The same numbers in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

fn changed(numbers: &mut Numbers) -> String {
    let mut url: Vec<char> = SEEDS[numbers.below(SEEDS.len())].chars().collect();
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(url.len() + 1);
        let more = MORE[numbers.below(MORE.len())].chars();
        match numbers.below(4) {
            0 | 1 => drop(url.splice(at..at, more)),
            2 if at < url.len() => drop(url.splice(at..=at, more)),
            _ if at < url.len() => drop(url.remove(at)),
            _ => {}
        }
    }
    url.into_iter().collect()
}

/// Ada takes some names that are written from right to left, which UTS 46 refuses since the rules for
/// these hold for each label of such a name (CheckBidi): those with a label that ends in a sign or
/// begins with a digit.
fn is_known_to_differ(url: &str, ours: Option<&str>, theirs: &Value) -> bool {
    ours.is_none() && theirs.is_string() && url.contains('א')
}

pub(crate) fn ada_makes_the_same_of_urls() {
    let mut numbers = Numbers(1);
    let urls: Vec<_> = (0..50_000).map(|_| changed(&mut numbers)).collect();
    let lines: Vec<_> = urls.iter().map(|url| json!(url).to_string()).collect();
    let answers = answer(script("ada.py"), lines.join("\n").as_bytes());
    let answers: Vec<Value> = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), urls.len());
    let mut parsed = 0;
    for (url, theirs) in urls.iter().zip(&answers) {
        let ours = href(url.as_bytes());
        parsed += usize::from(ours.is_some());
        let is_same = ours.as_deref() == theirs.as_str();
        assert!(
            is_same || is_known_to_differ(url, ours.as_deref(), theirs),
            "{url:?}: {ours:?}, by Ada {theirs}"
        );
    }
    assert!((10_000..40_000).contains(&parsed), "{parsed}");
}

/// The pieces of relative references.
const REFERENCES: [&str; 15] = [
    "a",
    "b.html",
    ".",
    "..",
    "/",
    "/",
    "\\",
    "//",
    "?",
    "#",
    "x y",
    "é",
    "c.example",
    ":",
    "@",
];

pub(crate) fn ada_resolves_references_alike() {
    const BASES: [&str; 4] = [
        "http://a.example/b/c.html?d#e",
        "https://joe@a.example:8080",
        "ftp://a.example/b//c/",
        "foo://a.example/b/c",
    ];
    let mut numbers = Numbers(2);
    let mut reference = || -> String {
        let parts = 1 + numbers.below(6);
        (0..parts)
            .map(|_| REFERENCES[numbers.below(REFERENCES.len())])
            .collect()
    };
    let has_scheme = |reference: &str| {
        reference
            .split(['/', '?', '#'])
            .next()
            .unwrap()
            .contains(':')
    };
    let references: Vec<_> = (0..20_000)
        .map(|_| reference())
        .filter(|one| !has_scheme(one))
        .collect();
    let pairs = || references.iter().zip(BASES.iter().cycle());
    let lines: Vec<_> = pairs().map(|pair| json!(pair).to_string()).collect();
    let answers = answer(script("ada.py"), lines.join("\n").as_bytes());
    for ((reference, base), theirs) in pairs().zip(answers.lines()) {
        let url = resolve_in_browser(base.as_bytes(), reference.as_bytes()).unwrap();
        let ours = json!(href(&url)).to_string();
        let theirs: Value = serde_json::from_str(theirs).unwrap();
        assert_eq!(ours, theirs.to_string(), "{reference:?} in {base}");
    }
    assert_eq!(answers.lines().count(), references.len());
}
