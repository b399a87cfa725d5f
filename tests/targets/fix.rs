//! Fixes of a document of any kind do no harm: each URL remains, and is the same after safe fixes,
//! no new errors appear, the text between URLs is the same, and fixing again changes nothing.

use std::collections::BTreeMap;
use std::io::Error;
use std::net::Ipv6Addr;

use urlint::document::Kind;
use urlint::fix::{Mended, mend};
use urlint::lint::{Applicability, Selection, Selector};
use urlint::standard::whatwg;
use urlint::url::{normalize_under, unescaped};
use urlint::{Event, Reader, Rule, Settings, Severity, Span, Standard};

/// The maximum length of a source, in bytes: each is read a dozen times.
const LONGEST: usize = 4 << 10;

/// The first byte chooses the kind of document for the rest, the second the fixes.
pub(super) fn fix(input: &[u8]) {
    let [kind, how, source @ ..] = input else {
        return;
    };
    if source.len() > LONGEST {
        return;
    }
    let (kind, how) = (usize::from(*kind), usize::from(*how));
    let reader = Reader::default().with_kind(Kind::ALL[kind % Kind::ALL.len()]);
    let mut selection = Selection::none();
    selection.add(Selector::All);
    let settings = Settings::default()
        .with_standard(Standard::ALL[how / 2 % Standard::ALL.len()])
        .with_selection(selection);
    let least = [Applicability::Safe, Applicability::Unsafe][how % 2];
    let fixed = mended(&reader, source, &settings, least);
    assert_eq!(fixed.made > 0, fixed.bytes.is_some());
    let Some(bytes) = fixed.bytes else {
        return;
    };
    let before = facts(&reader, source, &settings);
    let after = facts(&reader, &bytes, &settings);
    assert_eq!(before.urls.len(), after.urls.len());
    if least == Applicability::Safe {
        assert_eq!(before.urls, after.urls);
        for (before, after) in before.hrefs.iter().zip(&after.hrefs) {
            assert!(before.is_none() || before == after, "{before:?}, {after:?}");
        }
    }
    for (rule, count) in &after.errors {
        assert!(Some(count) <= before.errors.get(rule), "{rule}");
    }
    assert_eq!(before.between, after.between);
    let again = mended(&reader, &bytes, &settings, least);
    assert_eq!(again.made, 0);
    // Only the replacements have changed.
    let (mut rebuilt, mut at) = (Vec::new(), 0);
    for replacement in &fixed.replacements {
        assert!(at == 0 || at < replacement.old.start);
        rebuilt.extend_from_slice(Span::new(at, replacement.old.start).slice(source));
        rebuilt.extend_from_slice(replacement.new.slice(&bytes));
        at = replacement.old.end;
    }
    rebuilt.extend_from_slice(Span::new(at, source.len() as u64).slice(source));
    assert_eq!(rebuilt, bytes);
}

fn mended(reader: &Reader, source: &[u8], settings: &Settings, least: Applicability) -> Mended {
    let checker = urlint::lint::Checker::new(settings);
    let visit = &mut |_: urlint::lint::Checked<'_>| Ok::<(), std::io::Error>(());
    let mended = mend(&checker, reader, b"a", source, least, visit);
    mended.unwrap()
}

/// The facts about a document: its URLs, normalized and as a browser sends them, as a browser sends them as they
/// are, the number of errors by rule, and the text between the URLs.
struct Facts {
    urls: Vec<String>,
    hrefs: Vec<Option<String>>,
    errors: BTreeMap<Rule, usize>,
    between: String,
}

fn facts(reader: &Reader, source: &[u8], settings: &Settings) -> Facts {
    let mut facts = Facts {
        urls: Vec::new(),
        hrefs: Vec::new(),
        errors: BTreeMap::new(),
        between: String::new(),
    };
    let (mut between, mut at) = (Vec::new(), 0);
    let read = reader.read(b"a", source, &mut |event| {
        let Event::Found(found) = event else {
            return Ok(());
        };
        // A browser encodes and drops the same characters as a fix.
        let normal = normalize_under(settings.standard, &found.candidate.text);
        let url = whatwg::href(&normal).unwrap_or_else(|| form_without_browsers(&normal));
        facts.urls.push(url);
        facts.hrefs.push(whatwg::href(&found.candidate.text));
        for diagnostic in urlint::lint::Checker::new(settings)
            .judge(&found)
            .into_reported()
        {
            if diagnostic.severity == Severity::Error {
                *facts.errors.entry(diagnostic.rule).or_default() += 1;
            }
        }
        // The attributes of an element may hold the same bytes twice.
        let outer = found.candidate.outer;
        let start = outer.start.max(at);
        between.extend_from_slice(Span::new(at, start).slice(source));
        at = outer.end.max(at);
        Ok::<(), Error>(())
    });
    read.unwrap();
    between.extend_from_slice(Span::new(at, source.len() as u64).slice(source));
    // A line of quoted-printable that becomes too long is split, which changes nothing in its
    // content.
    let text = between.escape_ascii().to_string();
    facts.between = text.replace("=\\r\\n", "").replace("=\\n", "");
    facts
}

/// Returns a form of a URL that no browser follows, which is the same before and after safe fixes:
/// normal by RFC 3986, decoded, with addresses in their usual form.
fn form_without_browsers(url: &[u8]) -> String {
    let normal = normalize_under(Standard::Rfc3986, url);
    let text = unescaped(&normal).escape_ascii().to_string();
    let address = text.split_once("//[").and_then(|(before, rest)| {
        let (address, rest) = rest.split_once(']')?;
        let address: Ipv6Addr = address.parse().ok()?;
        Some(format!("{before}//[{address}]{rest}"))
    });
    address.unwrap_or(text)
}
