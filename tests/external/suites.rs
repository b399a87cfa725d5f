//! The suites of other projects, in packages that are installed by name: crates that the tests depend on,
//! packages of npm, and source distributions of PyPI.
//!
//! Where urlint differs from a suite, a table names the cases, and the sentence of the manual that says so. A
//! case that no longer differs, and a sentence that is no longer there, fail as well.

mod literals;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use urlint::Standard;
use urlint::standard::whatwg::href;
use urlint::url::{resolve, resolve_in_browser};

use crate::needs::{answer, npm, root, script, sdist};
use crate::support::command::run;
use crate::support::conformance::lines;
use crate::support::wrappings;
use literals::{Token, tokens};

/// Sentences of the manual, each with the cases in which urlint differs from a suite because of it.
type Known = &'static [(&'static str, &'static [&'static str])];

/// A case of a suite: its input, the expected result, and the result of urlint.
type Case = (String, String, String);

/// Compares the results of urlint with the results of a suite, which has at least `least` cases.
fn compare(suite: &str, least: usize, known: Known, cases: impl IntoIterator<Item = Case>) {
    let manual = manual();
    for (sentence, _) in known {
        assert!(
            manual.contains(sentence),
            "{suite}: {sentence:?} is not in the manual"
        );
    }
    let known: BTreeSet<_> = known
        .iter()
        .flat_map(|(_, inputs)| *inputs)
        .copied()
        .collect();
    let (mut count, mut wrong, mut differ) = (0, Vec::new(), BTreeSet::new());
    for (input, theirs, ours) in cases {
        count += 1;
        if theirs != ours {
            if !known.contains(&*input) {
                wrong.push(format!("{input:?}: {ours:?}, expected {theirs:?}"));
            }
            differ.insert(input);
        }
    }
    let same: Vec<_> = known.iter().filter(|one| !differ.contains(**one)).collect();
    assert!(
        wrong.is_empty(),
        "{suite}: {} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(same.is_empty(), "{suite}: these do not differ: {same:?}");
    assert!(count >= least, "{suite}: {count} cases");
}

/// All pages of the manual, with their white space folded.
fn manual() -> String {
    let folder = root().join("src/manual");
    let pages = std::fs::read_dir(folder)
        .unwrap()
        .map(|page| page.unwrap().path());
    let pages = pages.filter(|page| page.extension().is_some_and(|name| name == "md"));
    let text: String = pages
        .map(|page| std::fs::read_to_string(page).unwrap())
        .collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns where Cargo has unpacked the package `name`.
pub(crate) fn package(name: &str) -> Option<PathBuf> {
    static METADATA: std::sync::LazyLock<Option<Value>> = std::sync::LazyLock::new(|| {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args([
            "metadata",
            "--format-version",
            "1",
            "--offline",
            "--all-features",
        ]);
        let output = cargo.current_dir(root()).output().ok()?;
        serde_json::from_slice(&output.stdout).ok()
    });
    let packages = METADATA.as_ref()?["packages"].as_array()?;
    let package = packages.iter().find(|package| package["name"] == name)?;
    let manifest = Path::new(package["manifest_path"].as_str()?);
    Some(manifest.parent()?.to_owned())
}

fn read(name: &str, path: &str) -> String {
    std::fs::read_to_string(package(name).unwrap().join(path)).unwrap()
}

fn shown(url: Option<impl Into<Vec<u8>>>) -> String {
    url.map_or("failure".to_owned(), |url| {
        String::from_utf8_lossy(&url.into()).into_owned()
    })
}

/// The cases of the Web Platform Tests in the crate `url`: input, base, and the URL that the input parses to.
fn web_platform_tests() -> Vec<(String, Option<String>, String)> {
    let tests: Value = serde_json::from_str(&read("url", "tests/urltestdata.json")).unwrap();
    let tests = tests
        .as_array()
        .unwrap()
        .iter()
        .filter(|test| test.is_object());
    let text = |value: &Value| value.as_str().map(str::to_owned);
    tests
        .map(|test| {
            (
                text(&test["input"]).unwrap(),
                text(&test["base"]),
                shown(text(&test["href"])),
            )
        })
        .collect()
}

pub(crate) fn url_parses() {
    const KNOWN: Known = &[
        (
            "a name in ASCII parses, even with `xn--` before letters that IDNA refuses",
            &[
                "http://a.b.c.xn--pokxncvks",
                "http://10.0.0.xn--pokxncvks",
                "http://a.b.c.XN--pokxncvks",
                "http://a.b.c.Xn--pokxncvks",
                "http://10.0.0.XN--pokxncvks",
                "http://10.0.0.xN--pokxncvks",
                "file://xn--/p",
                "https://xn--/",
            ],
        ),
        (
            "`^` in a path is encoded in the URL that browsers make of it",
            &[
                "foo://host/ !\"$%&'()*+,-./:;<=>@[\\]^_`{|}~",
                "wss://host/ !\"$%&'()*+,-./:;<=>@[\\]^_`{|}~",
            ],
        ),
    ];
    let cases = web_platform_tests()
        .into_iter()
        .filter(|(_, base, _)| base.is_none());
    compare(
        "url",
        400,
        KNOWN,
        cases.map(|(input, _, theirs)| {
            let ours = shown(href(input.as_bytes()));
            (input, theirs, ours)
        }),
    );
}

pub(crate) fn url_resolves() {
    const KNOWN: Known = &[];
    let cases = web_platform_tests()
        .into_iter()
        .filter_map(|(input, base, theirs)| Some((input, base?, theirs)));
    compare(
        "url",
        300,
        KNOWN,
        cases.map(|(input, base, theirs)| {
            // As targets of documents are read.
            let target: String = input
                .trim_matches(|sign| sign <= ' ')
                .replace(['\t', '\n', '\r'], "");
            let url = resolve_in_browser(base.as_bytes(), target.as_bytes());
            let ours = shown(url.and_then(|url| href(&url)));
            (format!("{input} in {base}"), theirs, ours)
        }),
    );
}

pub(crate) fn idna_names() {
    const KNOWN: Known = &[];
    // Hyphens, lengths, empty labels and the characters of STD3 are no failures in URLs.
    const ALLOWED: [&str; 6] = ["V2", "V3", "A4_1", "A4_2", "X4_2", "U1"];
    let text = read("idna", "tests/IdnaTestV2.txt");
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let cases = lines
        .filter(|line| !line.trim().is_empty())
        .filter_map(|line| {
            let fields: Vec<_> = line
                .split(';')
                .map(|field| unescaped(field.trim()))
                .collect();
            let or = |index: usize, other: &str| match &*fields[index] {
                "" => other.to_owned(),
                "\"\"" => String::new(),
                text => text.to_owned(),
            };
            let source = &fields[0];
            let ascii = or(3, &or(1, source));
            let status = or(4, &or(2, "[]"));
            let mut codes = status.trim_matches(['[', ']']).split(", ");
            let is_valid = codes.all(|code| code.is_empty() || ALLOWED.contains(&code));
            // Other parts of the URL, addresses, and names without an ASCII form in the list.
            let last = ascii
                .trim_end_matches('.')
                .rsplit('.')
                .next()
                .unwrap_or_default();
            let is_number = last.bytes().all(|byte| byte.is_ascii_digit());
            let ends_host = |sign: char| sign <= ' ' || "/\\?#@:[]%\u{7F}".contains(sign);
            if source.is_empty()
                || is_number
                || source.contains(ends_host)
                || !(ascii.is_ascii() || source.is_ascii())
            {
                return None;
            }
            let is_forbidden = |sign: char| sign <= ' ' || "/\\?#@:[]%<>^|\u{7F}".contains(sign);
            let theirs = if source.is_ascii() {
                Some(source.to_ascii_lowercase())
            } else {
                Some(ascii).filter(|_| is_valid)
            };
            let theirs = theirs.filter(|name| !name.contains(is_forbidden));
            let ours = href(format!("https://{source}/").as_bytes());
            Some((
                source.clone(),
                shown(theirs.map(|name| format!("https://{name}/"))),
                shown(ours),
            ))
        });
    compare("idna", 3000, KNOWN, cases);
}

/// Returns `text` with `\u0000` and `\x{0000}` decoded.
fn unescaped(text: &str) -> String {
    let mut decoded = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        decoded.push_str(&rest[..at]);
        let (digits, len) = match &rest[at + 1..] {
            escape if escape.starts_with("x{") => {
                let end = escape.find('}').unwrap();
                (&escape[2..end], end + 1)
            }
            escape => (&escape[1..5], 5),
        };
        let number = u32::from_str_radix(digits, 16).unwrap();
        decoded.push(char::from_u32(number).unwrap_or('\u{FFFD}'));
        rest = &rest[at + 1 + len..];
    }
    decoded + rest
}

/// The URLs of `text`, each between bars, as linkify shows them.
fn marked(text: &str) -> String {
    let mut shown = String::new();
    let mut at = 0;
    for found in urlint::find_str(text) {
        let range = found.range().unwrap_or(at..at);
        shown += &format!("{}|{}|", &text[at..range.start], &text[range.clone()]);
        at = range.end;
    }
    shown + &text[at..]
}

pub(crate) fn linkify_finds() {
    const KNOWN: Known = &[
        (
            "Before `//`, any scheme is found, except a single letter, which names a drive.",
            &["1abc://foo", "a://foo"],
        ),
        (
            "`*`, `_` and `~` at the end belong to the text if the same mark precedes the URL",
            &[
                "https://example.org*",
                "https://example.org/*",
                "https://example.org/**",
            ],
        ),
        (
            "In the place of the host, characters belong to the URL even if no host may have them",
            &["http://example.org'/>"],
        ),
    ];
    let tokens = tokens(&read("linkify", "tests/url.rs"));
    let cases = tokens.windows(5).filter_map(|window| match window {
        [
            Token::Word(name),
            Token::Sign('('),
            Token::Text(text),
            Token::Sign(','),
            Token::Text(expected),
        ] if name == "assert_linked" => Some((text.clone(), expected.clone(), marked(text))),
        [
            Token::Word(name),
            Token::Sign('('),
            Token::Text(text),
            Token::Sign(')'),
            _,
        ] if name == "assert_not_linked" => Some((text.clone(), text.clone(), marked(text))),
        _ => None,
    });
    compare("linkify", 100, KNOWN, cases.collect::<Vec<_>>());
}

pub(crate) fn fluent_uri_parses() {
    const KNOWN: Known = &[];
    let tokens = tokens(&read("fluent-uri", "tests/parse.rs"));
    let cases = tokens.windows(4).filter_map(|window| match window {
        [Token::Word(name), Token::Sign('('), Token::Text(text), end]
            if ["parse", "fail"].contains(&&**name) =>
        {
            let is_valid = name == "parse" && *end == Token::Sign(')');
            // References without a scheme are not URLs.
            let has_scheme = urlint::url::split::scheme(text.as_bytes()).is_some();
            let ours = Standard::Rfc3986.parse(text.as_bytes()).problems.is_empty();
            (name == "fail" || has_scheme)
                .then(|| (text.clone(), is_valid.to_string(), ours.to_string()))
        }
        _ => None,
    });
    compare("fluent-uri", 40, KNOWN, cases.collect::<Vec<_>>());
}

/// The links in the examples of the specification of CommonMark, which are all found.
pub(crate) fn commonmark_links() {
    const KNOWN: Known = &[];
    const FENCE: &str = "````````````````````````````````";
    let text = std::fs::read_to_string(npm("commonmark-spec/spec.txt")).unwrap();
    let fence = format!("{FENCE} example\n");
    let examples = text.split(&*fence).skip(1);
    let cases = examples.filter_map(|example| {
        let (example, _) = example.split_once(FENCE)?;
        let (markdown, html) = example.split_once("\n.\n")?;
        let markdown = markdown.replace('→', "\t");
        let values = html
            .split(" href=\"")
            .skip(1)
            .chain(html.split(" src=\"").skip(1));
        let values = values.filter_map(|rest| rest.split('"').next());
        let links: Vec<_> = values
            .filter(|link| link.contains("://"))
            .map(|link| link.replace("&amp;", "&"))
            .collect();
        let ours = wrappings::found("a.md", &markdown)
            .iter()
            .map(|url| encoded(url))
            .collect::<Vec<_>>();
        let ours: Vec<_> = links
            .iter()
            .filter(|link| ours.contains(link))
            .cloned()
            .collect();
        (!links.is_empty()).then(|| (markdown, links.join(" "), ours.join(" ")))
    });
    compare("commonmark-spec", 10, KNOWN, cases);
}

/// Returns `url` as it is written in HTML: bytes that are not allowed in a URL are encoded.
pub(crate) fn encoded(url: &str) -> String {
    let is_of_url =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=%".contains(byte);
    let bytes = url.bytes();
    bytes
        .map(|byte| {
            if is_of_url(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

fn resolved(base: &str, reference: &str) -> String {
    shown(resolve(base.as_bytes(), reference.as_bytes()))
}

pub(crate) fn fluent_uri_resolves() {
    const KNOWN: Known = &[
        (
            "Only raw dots are dot segments: `%2e` is a name.",
            &[".. in foo:/bar/baz/.%2E/"],
        ),
        // The last segment of the base is left out, whatever it is (section 5.2.3).
        (
            "The target is resolved by the rules of RFC 3986, section 5",
            &[". in foo:/bar/.."],
        ),
    ];
    let mut base = String::new();
    let mut cases = Vec::new();
    for window in tokens(&read("fluent-uri", "tests/resolve.rs")).windows(7) {
        match window {
            [Token::Word(parse), Token::Sign('('), Token::Text(text), ..] if parse == "parse" => {
                base.clone_from(text);
            }
            [
                Token::Word(pass),
                Token::Sign('('),
                Token::Text(reference),
                Token::Sign(','),
                Token::Text(theirs),
                ..,
            ] if pass == "pass" => {
                cases.push((
                    format!("{reference} in {base}"),
                    theirs.clone(),
                    resolved(&base, reference),
                ));
            }
            _ => {}
        }
    }
    compare("fluent-uri", 40, KNOWN, cases);
}

pub(crate) fn iri_string_resolves() {
    const KNOWN: Known = &[(
        "A base without a slash, such as `mailto:joe@a.example`, resolves only fragments.",
        &["x/../.. in scheme:a", "x/../../y in scheme:a"],
    )];
    let mut base = String::new();
    let mut cases = Vec::new();
    for window in tokens(&read("iri-string", "tests/resolve.rs")).windows(5) {
        match window {
            [
                Token::Sign('('),
                Token::Text(text),
                Token::Sign(','),
                Token::Sign('&'),
                Token::Sign('['),
            ] => base.clone_from(text),
            [
                Token::Sign('('),
                Token::Text(reference),
                Token::Sign(','),
                Token::Text(theirs),
                Token::Sign(','),
            ] if theirs.contains(':') => {
                cases.push((
                    format!("{reference} in {base}"),
                    theirs.clone(),
                    resolved(&base, reference),
                ));
            }
            _ => {}
        }
    }
    compare("iri-string", 80, KNOWN, cases);
}

/// The cases in the source distribution `name` of PyPI: each text, and the URLs in it that have a scheme.
fn of_python(name: &str) -> Vec<Case> {
    let mut command = script("suites.py");
    command.arg(sdist(name));
    let cases = lines(&answer(command, b""));
    let folder = tempfile::tempdir().unwrap();
    let shown = |urls: Vec<&str>| {
        let with_scheme = urls.into_iter().filter(|url| url.contains(':'));
        with_scheme.collect::<Vec<_>>().join(" ")
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let cases = cases.iter().map(|case| {
        let (input, kind) = (text(&case[0]), text(&case[2]));
        let theirs = case[1].as_array().unwrap().iter();
        let theirs = shown(theirs.map(|url| url.as_str().unwrap()).collect());
        let ours = match input.split_once(" in ") {
            Some((reference, base)) if kind == "uri" => resolved(base, reference),
            _ if kind == "warc" => {
                std::fs::write(folder.path().join("a.warc"), &input).unwrap();
                let ran = run(folder.path(), &["extract", "--isolated", "a.warc"], b"");
                shown(ran.text().lines().collect())
            }
            _ => {
                let found = wrappings::found(&format!("a.{kind}"), &input);
                shown(found.iter().map(String::as_str).collect())
            }
        };
        (input, theirs, ours)
    });
    let has_url = |(input, ..): &Case| input.contains("://");
    cases.filter(has_url).collect()
}

pub(crate) fn django_urlizes() {
    const KNOWN: Known = &[
        (
            "In the place of the host, characters belong to the URL even if no host may have them",
            &[
                "http:///www.google.com",
                "http://.google.com",
                "http://@foo.com",
            ],
        ),
        (
            "brackets that the URL did not open",
            &["[http://168.192.0.1](http://168.192.0.1)"],
        ),
    ];
    compare("Django", 100, KNOWN, of_python("Django"));
}

pub(crate) fn bleach_linkifies() {
    const KNOWN: Known = &[
        (
            "character references are decoded",
            &["http://test.com?array[]=1&params_in[]=2"],
        ),
        (
            "If a word ends in a scheme of the web, the URL begins with that scheme",
            &["foohttp://bar", "fohttp://exampl.com"],
        ),
        (
            "brackets that the URL did not open",
            &[
                "((http://en.wikipedia.org/wiki/Test_(assessment))",
                "(http://en.wikipedia.org/wiki/Test_(assessment)))",
                "(http://en.wikipedia.org/wiki/)Test_(assessment",
            ],
        ),
        (
            "In the place of the host, characters belong to the URL even if no host may have them",
            &[
                "http://bar.com:xkcd",
                "http://foo.com:\u{663}\u{669}/",
                "http://foo.com:\u{1D7E0}\u{1D7D8}/",
            ],
        ),
    ];
    compare("bleach", 30, KNOWN, of_python("bleach"));
}

pub(crate) fn urlextract_finds() {
    const KNOWN: Known = &[
        (
            "brackets that the URL did not open",
            &["{\\url{http://www.google.com/{file.pdf}}"],
        ),
        (
            "Before `//`, any scheme is found",
            &["[[ \"$(giturl)\" =~ ^https://gitlab.com ]] echo \"found\" || echo \"didnt"],
        ),
        (
            "In the place of the host, characters belong to the URL even if no host may have them",
            &["http://192.1.1/"],
        ),
    ];
    compare("urlextract", 30, KNOWN, of_python("urlextract"));
}

pub(crate) fn uritools_joins() {
    const KNOWN: Known = &[];
    compare("uritools", 40, KNOWN, of_python("uritools"));
}

pub(crate) fn warcio_records_have_their_urls() {
    const KNOWN: Known = &[];
    compare("warcio", 10, KNOWN, of_python("warcio"));
}

/// The URLs of the suites, as they are in text.
fn urls() -> Vec<String> {
    let tokens = tokens(&read("linkify", "tests/url.rs"));
    let strings = tokens.into_iter().filter_map(|token| match token {
        Token::Text(text) => Some(text),
        _ => None,
    });
    let inputs = web_platform_tests()
        .into_iter()
        .flat_map(|(input, _, href)| [input, href]);
    let urls = strings
        .chain(inputs)
        .filter(|text| wrappings::is_plain(text));
    urls.collect::<BTreeSet<_>>().into_iter().collect()
}

pub(crate) fn urls_come_back_from_their_wrappings() {
    let urls = urls();
    assert!(urls.len() > 200, "{}", urls.len());
    for url in urls {
        wrappings::comes_back(&url);
        wrappings::is_the_same_everywhere(&url);
    }
}
