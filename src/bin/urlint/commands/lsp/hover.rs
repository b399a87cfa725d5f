//! What is known of the URL under the cursor.

use gen_lsp_types as lsp;
use urlint::Diagnostic;
use urlint::find::{Delimiter, Ending, Evidence};
use urlint::standard::Standard;

use super::analysis::{Analysis, Url};
use super::capabilities::Client;
use super::config_file;
use super::document::Document;
use super::links::shown;
use crate::commands::parse::Judgement;
use crate::report::url_of_section;
use crate::terminal;

/// How many URLs before the cursor are looked at.
const MOST_NESTED: usize = 8;

/// Returns the text for the URL at `position`, or `None` if there is none.
pub(super) fn at(
    position: lsp::Position,
    analysis: &Analysis,
    document: &Document,
    standard: Standard,
    client: &Client,
) -> Option<lsp::Hover> {
    if let Some(about) = config_file::hover(position, document, client) {
        return Some(about);
    }
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
    let about = |diagnostic: &&Diagnostic| diagnostic.outer == url.outer;
    let diagnostics = analysis.diagnostics.iter().filter(about);
    let (kind, value) = if client.has_markdown {
        (
            lsp::MarkupKind::Markdown,
            markdown(url, diagnostics, standard),
        )
    } else {
        (
            lsp::MarkupKind::PlainText,
            plain(url, diagnostics, standard),
        )
    };
    Some(lsp::Hover {
        contents: lsp::Contents::MarkupContent(lsp::MarkupContent { kind, value }),
        range: Some(document.text.range(shown)),
    })
}

fn markdown<'d>(
    url: &Url,
    diagnostics: impl Iterator<Item = &'d Diagnostic>,
    standard: Standard,
) -> String {
    let components = components(url, standard);
    let fence = "`".repeat(longest_run(&components).max(2) + 1);
    let mut text = format!("{fence}text\n{components}{fence}\n\n");
    for line in why(url) {
        text.push_str(&format!("- {line}\n"));
    }
    for reading in readings(url) {
        let fence = "`".repeat(longest_run(&reading) + 1);
        text.push_str(&format!("- May also be read as {fence}{reading}{fence}\n"));
    }
    for diagnostic in diagnostics {
        let reference = diagnostic.reference();
        let section = url_of_section(reference).map(|href| format!(" ([{reference}]({href}))"));
        text.push_str(&format!(
            "\n**{}** `{}`: {}{}\n",
            diagnostic.severity,
            diagnostic.rule,
            diagnostic.rule.summary(),
            section.unwrap_or_default()
        ));
    }
    text
}

fn plain<'d>(
    url: &Url,
    diagnostics: impl Iterator<Item = &'d Diagnostic>,
    standard: Standard,
) -> String {
    let mut text = format!("{}\n", components(url, standard));
    for line in why(url) {
        text.push_str(&format!("{line}\n"));
    }
    for reading in readings(url) {
        text.push_str(&format!("May also be read as {reading}\n"));
    }
    for diagnostic in diagnostics {
        let (severity, rule) = (diagnostic.severity, diagnostic.rule);
        text.push_str(&format!("\n{severity}[{rule}]: {}\n", rule.summary()));
    }
    text
}

/// Returns what `urlint parse` prints, without passwords.
fn components(url: &Url, standard: Standard) -> String {
    let text = if standard.has_fragments() {
        url.text.as_slice()
    } else {
        url.text
            .split(|&byte| byte == b'#')
            .next()
            .unwrap_or_default()
    };
    let mut out = Vec::new();
    let passwords = url.passwords.iter();
    let passwords = passwords.map(|range| range.start.min(text.len())..range.end.min(text.len()));
    Judgement::hiding(text, standard, passwords.collect()).text(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

fn readings(url: &Url) -> impl Iterator<Item = String> {
    url.alternatives
        .iter()
        .map(|other| shown(&other.text, &other.passwords))
}

/// Returns why the URL begins, goes on and ends where it does, a sentence each.
fn why(url: &Url) -> Vec<String> {
    let mut lines = vec![format!("Begins: {}", beginning(url.delimiter))];
    let breaks = url.pieces.iter().count() - 1;
    if breaks > 0 {
        let reasons: Vec<_> = url
            .evidence
            .iter()
            .map(|evidence| reason(*evidence))
            .collect();
        let reasons = if reasons.is_empty() {
            "its closing delimiter comes later".to_owned()
        } else {
            reasons.join("; ")
        };
        lines.push(format!("Read from {} pieces: {reasons}", breaks + 1));
    }
    lines.push(format!("Ends: {}", end(url.ending)));
    lines
}

fn beginning(delimiter: Delimiter) -> String {
    match delimiter {
        Delimiter::Wrapper => "it is wrapped as `<URL:…>`".to_owned(),
        Delimiter::Angle => "it is in angle brackets".to_owned(),
        Delimiter::Quotes => "it is in quotation marks".to_owned(),
        Delimiter::Brackets => "it is in brackets".to_owned(),
        Delimiter::Prefix => "`URL:` precedes it".to_owned(),
        Delimiter::Bare => "a scheme begins it".to_owned(),
        Delimiter::Target => "markup names it as the target of a link".to_owned(),
        other => terminal::line(other.name().as_bytes()).into_owned(),
    }
}

fn reason(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Hyphen => "the line ends in a hyphen",
        Evidence::SoftHyphen => "the line ends in a soft hyphen",
        Evidence::Grammar => "only with the next line is it valid",
        Evidence::DelimiterFirst => "the next line begins with a delimiter of URLs",
        Evidence::MiddleOfWord => "the line is full, and the next line is the rest of a word",
        Evidence::SlashToSlash => "the line and the next word end in `/`",
        Evidence::EndOfParagraph => "the line is full, and a single word ends the paragraph",
        Evidence::DelimiterLast => "the line ends in a delimiter of URLs, and is full",
        Evidence::Fold => "a backslash folds the line",
        Evidence::StringLiterals => "the next string literal belongs to this one",
        other => other.name(),
    }
}

fn end(ending: Ending) -> &'static str {
    match ending {
        Ending::Closed => "its delimiter closes it",
        Ending::LineEnd => "the line ends, and nothing says that it goes on in the next",
        Ending::Space => "white space follows",
        Ending::Punctuation => "punctuation of the text follows",
        Ending::Character => "a character follows that is not part of a URL",
        Ending::Limit => "it is as long as a URL may be",
        Ending::TextEnd => "the text ends",
        other => other.name(),
    }
}

/// Returns the length of the longest run of backquotes.
fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or_default()
}
