//! Where a comment may stand in a document without changing anything else.

use std::ops::Range;
use std::path::Path;

use pulldown_cmark::{Event, Tag};
use urlint::document::Kind;

use super::code::Syntax;
use super::structure::markdown;

/// The places of a document for comments.
pub(super) struct Places {
    /// Where each line starts.
    pub(super) starts: Vec<usize>,
    /// For each line whether a comment may come before it; at last, whether it may at the end.
    safe: Vec<bool>,
    /// For each line whether a comment may come at its end, if lines may have that.
    pub(super) at_end: Vec<bool>,
    /// What a comment begins and ends with.
    pub(super) delimiters: (&'static str, &'static str),
    /// What stands between a comment and the line that it is before.
    pub(super) gap: Gap,
    /// The line break of the document.
    pub(super) line_break: &'static [u8],
}

/// What follows a comment before a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// The line is in the same line.
    None,
    Line,
    /// An empty line, so that the comment is a block of its own.
    Block,
}

impl Places {
    /// Returns the places of `text`, or `None` if documents like it have no comments.
    pub(super) fn of(kind: Kind, path: &Path, text: &[u8]) -> Option<Places> {
        let starts = starts(text);
        let mut at_end = vec![false; starts.len()];
        let mut gap = Gap::Line;
        let extension = path.extension().and_then(|extension| extension.to_str());
        let (safe, delimiters) = match kind {
            Kind::Plain => {
                let syntax = Syntax::of(&extension?.to_ascii_lowercase())?;
                (syntax.safe(text, &starts), (syntax.sign(), ""))
            }
            Kind::Markdown => {
                let (safe, inline) = in_markdown(text, &starts)?;
                at_end = inline;
                (safe, kind.comment()?)
            }
            Kind::Html | Kind::Xml => {
                if kind == Kind::Xml {
                    gap = Gap::None;
                }
                (in_markup(text, &starts), kind.comment()?)
            }
            Kind::Rst => {
                gap = Gap::Block;
                (in_rst(text, &starts), ("..", ""))
            }
            Kind::Asciidoc => (between(text, &starts, asciidoc_fence), kind.comment()?),
            Kind::Tex => (between(text, &starts, tex_fence), kind.comment()?),
            Kind::Roff => (between(text, &starts, roff_fence), kind.comment()?),
            _ => return None,
        };
        let line_break: &[u8] = match memchr::memchr(b'\n', text) {
            Some(end) if text[..end].ends_with(b"\r") => b"\r\n",
            _ => b"\n",
        };
        Some(Places {
            starts,
            safe,
            at_end,
            delimiters,
            gap,
            line_break,
        })
    }

    /// Returns whether a comment for the next line may come before the line.
    pub(super) fn is_safe(&self, line: usize) -> bool {
        self.gap != Gap::Block && self.safe[line]
    }

    /// Returns the lines around a line that comments may come before: the last one up to it, and the
    /// first one after it, or the number of all lines. `None` if there is none before.
    pub(super) fn around(&self, line: usize) -> Option<Range<usize>> {
        let before = (0..=line).rev().find(|&before| self.safe[before])?;
        let mut after = line + 1..self.starts.len();
        // Nothing has to follow up to the end.
        let after = after.find(|&after| self.safe[after]);
        Some(before..after.unwrap_or(self.starts.len()))
    }
}

/// Returns where each line of `text` starts.
pub(super) fn starts(text: &[u8]) -> Vec<usize> {
    let after_breaks = memchr::memchr_iter(b'\n', text).map(|at| at + 1);
    let starts = std::iter::once(0).chain(after_breaks);
    starts.filter(|&at| at == 0 || at < text.len()).collect()
}

/// Returns which of the lines that begin at `starts` the offset `at` is in.
pub(super) fn line_of(starts: &[usize], at: usize) -> usize {
    starts.partition_point(|&start| start <= at).max(1) - 1
}

/// Returns a line without the white space at its end.
fn line<'t>(text: &'t [u8], starts: &[usize], index: usize) -> &'t [u8] {
    let end = starts.get(index + 1).copied().unwrap_or(text.len());
    text[starts[index]..end].trim_ascii_end()
}

/// In Markdown, a comment may come before a block that is in no other, and at the end of a line of a
/// paragraph.
fn in_markdown(text: &[u8], starts: &[usize]) -> Option<(Vec<bool>, Vec<bool>)> {
    let text = std::str::from_utf8(text).ok()?;
    let mut safe = vec![false; starts.len() + 1];
    let mut inline = vec![false; starts.len()];
    let line_of = |at: usize| line_of(starts, at);
    let mut depth = 0;
    for (event, range) in markdown(text).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                let is_front_matter = matches!(tag, Tag::MetadataBlock(_));
                if depth == 0 && !is_front_matter && starts[line_of(range.start)] == range.start {
                    safe[line_of(range.start)] = true;
                }
                let last = range.end.saturating_sub(1).max(range.start);
                let lines = line_of(range.start)..=line_of(last);
                match tag {
                    Tag::Paragraph => inline[lines].fill(true),
                    // Items may hold text without a paragraph.
                    Tag::Item => inline[line_of(range.start)] = true,
                    Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::Table(_) | Tag::Heading { .. } => {
                        inline[lines].fill(false);
                    }
                    _ => {}
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    for (_, definition) in markdown(text).reference_definitions().iter() {
        let first = line_of(definition.span.start);
        let last = line_of(definition.span.end.saturating_sub(1));
        inline[first..=last].fill(false);
        safe[first] |= starts[first] == definition.span.start;
    }
    // A document without front matter may begin with a comment; nothing may come before one.
    safe[starts.len()] = true;
    Some((safe, inline))
}

/// In HTML and XML, a comment may come before a line that begins in no tag, comment or declaration
/// and in no element where white space counts.
fn in_markup(text: &[u8], starts: &[usize]) -> Vec<bool> {
    let mut safe = vec![false; starts.len() + 1];
    // The element where white space counts.
    let mut exact: Option<&str> = None;
    let mut at = 0;
    let mut line = 0;
    while line < starts.len() {
        let next = memchr::memchr(b'<', text.get(at..).unwrap_or_default());
        let next = next.map_or(text.len(), |found| at + found);
        while line < starts.len() && starts[line] <= next {
            safe[line] = exact.is_none() && starts[line] >= at;
            line += 1;
        }
        if next >= text.len() {
            break;
        }
        at = end_of_markup(text, next);
        match exact {
            None => exact = exact_element(&text[next + 1..], &text[..at.min(text.len())]),
            Some(name) if is_end_of(&text[next + 1..], name) => exact = None,
            Some(_) => {}
        }
    }
    // Nothing may come before a declaration.
    if text.trim_ascii_start().starts_with(b"<?xml") || text.starts_with(b"\xef\xbb\xbf") {
        safe[0] = false;
    }
    safe[starts.len()] = at <= text.len() && exact.is_none();
    safe
}

/// Returns the element of the start tag, if white space counts in it. `tag` begins with the name,
/// and `before` ends with the tag.
fn exact_element(tag: &[u8], before: &[u8]) -> Option<&'static str> {
    const EXACT: [&str; 12] = [
        "pre",
        "script",
        "style",
        "textarea",
        "title",
        "xmp",
        "artwork",
        "sourcecode",
        "screen",
        "programlisting",
        "literallayout",
        "code",
    ];
    let exact = EXACT.into_iter().find(|name| is_name(tag, name));
    exact.filter(|_| !before.ends_with(b"/>"))
}

/// Returns whether `tag`, from after its `<`, is the end tag of the element `name`.
fn is_end_of(tag: &[u8], name: &str) -> bool {
    tag.strip_prefix(b"/").is_some_and(|tag| is_name(tag, name))
}

/// Returns whether `tag` begins with `name`, in upper or lower case.
fn is_name(tag: &[u8], name: &str) -> bool {
    let (head, rest) = tag.split_at(name.len().min(tag.len()));
    head.eq_ignore_ascii_case(name.as_bytes())
        && !rest.first().is_some_and(u8::is_ascii_alphanumeric)
}

/// Returns where the comment, declaration, instruction or tag ends that begins at `at`, with a `<`;
/// more than the length of `text` if it does not end. A `<` that begins nothing ends after itself.
fn end_of_markup(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    let until = |close: &[u8]| {
        let end = memchr::memmem::find(rest, close);
        end.map_or(text.len() + 1, |end| at + end + close.len())
    };
    if rest.starts_with(b"<!--") {
        until(b"-->")
    } else if rest.starts_with(b"<![CDATA[") {
        until(b"]]>")
    } else if rest.starts_with(b"<?") {
        until(b"?>")
    } else if rest.starts_with(b"<!DOCTYPE") && rest[..rest.len().min(1024)].contains(&b'[') {
        until(b"]>")
    } else if matches!(rest, [_, b'/' | b'!' | b'a'..=b'z' | b'A'..=b'Z', ..]) {
        end_of_tag(text, at)
    } else {
        at + 1
    }
}

/// Returns where the tag at `at` ends; values in quotes may have a `>`.
fn end_of_tag(text: &[u8], at: usize) -> usize {
    let mut quote = None;
    for (offset, &byte) in text[at..].iter().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at + offset + 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    text.len() + 1
}

/// In reStructuredText, a comment is a block: it may come before a block at the margin, but not
/// between the items of a list or the rows of a table, nor after what refers to the next block.
fn in_rst(text: &[u8], starts: &[usize]) -> Vec<bool> {
    let line = |index: usize| line(text, starts, index);
    let count = starts.len();
    let mut safe = vec![false; count + 1];
    let mut in_table = false;
    // The last block at the margin.
    let mut last: &[u8] = b"";
    for (index, safe) in safe.iter_mut().enumerate().take(count) {
        let whole = line(index);
        let is_after_blank = index == 0 || line(index - 1).is_empty();
        let is_border = whole.contains(&b' ')
            && whole.starts_with(b"==")
            && whole.iter().all(|byte| b"= ".contains(byte));
        if is_border {
            let is_closing = in_table && (index + 1 == count || line(index + 1).is_empty());
            in_table = !is_closing;
        }
        if whole.is_empty() || matches!(whole[0], b' ' | b'\t') {
            continue;
        }
        let next = if index + 1 < count {
            line(index + 1)
        } else {
            b""
        };
        let is_term = matches!(next, [b' ' | b'\t', ..]);
        let refers = last.starts_with(b".. _") || last.starts_with(b"__ ") || last.ends_with(b"::");
        if is_after_blank {
            *safe = !is_item(whole)
                && (!is_term || whole.starts_with(b".."))
                && (!in_table || is_border)
                && !refers
                && !whole.starts_with(b".. _")
                && !whole.starts_with(b"__ ");
        }
        last = whole;
    }
    safe[count] = !in_table && line(count - 1).first().is_none_or(|first| *first != b' ');
    safe
}

/// Returns whether a line begins an item of a list, a field, an option or a line of a line block.
fn is_item(line: &[u8]) -> bool {
    let (first, rest) = line.split_first().unwrap_or((&0, &[]));
    let is_bullet = b"*-+|".contains(first) && rest.first().is_none_or(|&next| next == b' ');
    let marker = line.split(|&byte| byte == b' ').next().unwrap_or_default();
    let is_number = marker.len() <= 6
        && marker.len() > 1
        && marker.ends_with(b".") | marker.ends_with(b")")
        && (marker.len() <= 3 || marker.iter().any(u8::is_ascii_digit));
    is_bullet
        || is_number
        || *first == b':'
        || *first == b'-' && !rest.starts_with(b"--")
        || *first == b'/'
}

/// What a line says about the lines after it.
enum Fence {
    /// They are as they are up to the line that begins with this.
    Until(Vec<u8>),
    /// They are as they are up to the same line.
    UntilSame,
    /// The next line belongs to this one.
    Next,
}

/// Lines that are not inside of what `fence` begins.
fn between(text: &[u8], starts: &[usize], fence: fn(&[u8]) -> Option<Fence>) -> Vec<bool> {
    let mut safe = vec![true; starts.len() + 1];
    // What ends the lines, and whether it has to be a whole line.
    let mut until: Option<(Vec<u8>, bool)> = None;
    for index in 0..starts.len() {
        let whole = line(text, starts, index);
        if let Some((end, is_whole)) = &until {
            safe[index] = false;
            if whole == end || !is_whole && whole.starts_with(end) {
                until = None;
            }
            continue;
        }
        match fence(whole) {
            Some(Fence::Until(end)) => until = Some((end, false)),
            Some(Fence::UntilSame) => until = Some((whole.to_vec(), true)),
            Some(Fence::Next) => safe[index + 1] = false,
            None => {}
        }
    }
    safe[starts.len()] &= until.is_none();
    safe
}

fn asciidoc_fence(line: &[u8]) -> Option<Fence> {
    let first = *line.first()?;
    let is_same = line.len() >= 4 && line.iter().all(|&byte| byte == first);
    if is_same && b"-.+_/=*".contains(&first) || line == b"|===" {
        return Some(Fence::UntilSame);
    }
    if line.starts_with(b"```") {
        return Some(Fence::Until(b"```".to_vec()));
    }
    let goes_on =
        line.ends_with(b" \\") || line.starts_with(b"[") || first == b'.' || first == b':';
    // What is indented is literal.
    (goes_on || first == b' ').then_some(Fence::Next)
}

fn tex_fence(line: &[u8]) -> Option<Fence> {
    const NAMES: [&str; 7] = [
        "verbatim",
        "Verbatim",
        "lstlisting",
        "minted",
        "alltt",
        "comment",
        "filecontents",
    ];
    let name = NAMES.iter().find(|name| {
        let begins = format!("\\begin{{{name}");
        memchr::memmem::find(line, begins.as_bytes()).is_some()
    })?;
    Some(Fence::Until(format!("\\end{{{name}").into_bytes()))
}

fn roff_fence(line: &[u8]) -> Option<Fence> {
    let pairs: [(&[u8], &[u8]); 5] = [
        (b".TS", b".TE"),
        (b".EQ", b".EN"),
        (b".PS", b".PE"),
        (b".ig", b".."),
        (b".de", b".."),
    ];
    if let Some((_, end)) = pairs.iter().find(|(begin, _)| line.starts_with(begin)) {
        return Some(Fence::Until(end.to_vec()));
    }
    (line.ends_with(b"\\") || line.ends_with(b"\\c")).then_some(Fence::Next)
}
