//! Facts about the URL under the cursor.

use serde_json::{Value, json};
use urlint_find::{Delimiter, Evidence};
use urlint_standard::standard::Standard;
use urlint_standard::text::named::Named as _;

use super::analysis::{Analysis, Url};
use super::capabilities::Client;
use super::document::Document;
use super::links::shown;
use super::positions::Position;
use urlint_report::judgement::Judgement;
use urlint_report::terminal;

/// How many URLs before the cursor are looked at.
const MOST_NESTED: usize = 8;

/// Returns the text for the URL at `position`, or `None` if there is none.
pub(super) fn at(
    position: Position,
    analysis: &Analysis,
    document: &Document,
    standard: Standard,
    client: &Client,
) -> Option<Value> {
    let at = document.text.offset(position) as u64;
    let last = analysis.urls.partition_point(|url| url.outer.start <= at);
    // In markup, one URL may lie within what delimits another.
    let mut near = analysis.urls[..last].iter().rev().take(MOST_NESTED);
    let (url, shown) = near.find_map(|url| {
        let mut pieces = url.pieces.iter();
        let piece = pieces.find(|piece| piece.start <= at && at <= piece.end);
        let is_within = url.outer.start <= at && at < url.outer.end;
        Some((url, piece.or(is_within.then_some(url.outer))?))
    })?;
    let kind = if client.has_markdown {
        "markdown"
    } else {
        "plaintext"
    };
    let value = about_url(url, standard, client.has_markdown);
    let contents = json!({ "kind": kind, "value": value });
    Some(json!({ "contents": contents, "range": document.text.range(shown) }))
}

/// Returns how the URL was read. Editors show its problems by themselves.
fn about_url(url: &Url, standard: Standard, is_markdown: bool) -> String {
    // The fence around a text: at least `least` backquotes.
    let fence = |text: &str, least: usize| {
        let length = least.max(longest_run(text) + 1);
        "`".repeat(if is_markdown { length } else { 0 })
    };
    let (language, end, item) = if is_markdown {
        ("text\n", "\n\n", "- ")
    } else {
        ("", "\n", "")
    };
    let components = components(url, standard);
    let block = fence(&components, 3);
    let mut text = format!("{block}{language}{components}{block}{end}");
    for line in why(url) {
        text.push_str(&format!("{item}{line}\n"));
    }
    for other in &url.alternatives {
        let reading = shown(other);
        let fence = fence(&reading, 1);
        text.push_str(&format!(
            "{item}May also be read as {fence}{reading}{fence}\n"
        ));
    }
    text
}

/// Returns the URL and its components, without passwords.
fn components(url: &Url, standard: Standard) -> String {
    let text = if standard.has_fragments() {
        url.text.as_slice()
    } else {
        url.text
            .split(|&byte| byte == b'#')
            .next()
            .unwrap_or_default()
    };
    let mut out = format!("{}\n", shown(&url.text)).into_bytes();
    Judgement::new(text, standard, true).rows(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns why the URL begins, goes on and ends where it does, a sentence each.
fn why(url: &Url) -> Vec<String> {
    let mut lines = vec![format!("Begins: {}", beginning(url.delimiter))];
    let breaks = url.pieces.iter().count() - 1;
    if breaks > 0 {
        let reasons: Vec<_> = url
            .evidence
            .iter()
            .copied()
            .map(Evidence::meaning)
            .collect();
        let reasons = match reasons.as_slice() {
            [] => "the closing delimiter is on a later line".to_owned(),
            reasons => reasons.join("; "),
        };
        lines.push(format!("Joined from {} pieces: {reasons}", breaks + 1));
    }
    lines.push(format!("Ends: {}", url.ending.meaning()));
    lines
}

fn beginning(delimiter: Delimiter) -> String {
    match delimiter {
        Delimiter::Wrapper => "it is wrapped as `<URL:…>`".to_owned(),
        Delimiter::Angle => "it is in angle brackets".to_owned(),
        Delimiter::Quotes => "it is in quotation marks".to_owned(),
        Delimiter::Brackets => "it is in brackets".to_owned(),
        Delimiter::Prefix => "`URL:` precedes it".to_owned(),
        Delimiter::Bare => "at its scheme".to_owned(),
        Delimiter::Target => "markup names it as the target of a link".to_owned(),
        other => terminal::line(other.name().as_bytes()).into_owned(),
    }
}

/// Returns the length of the longest run of backquotes.
fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or_default()
}
