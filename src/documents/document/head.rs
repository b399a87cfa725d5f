//! Detecting the kind of a source by its first bytes.

use std::sync::LazyLock;

use regex::bytes::{RegexSet, RegexSetBuilder};

use super::Kind;
use urlint_mail::mbox::{Separator, is_dated};
use urlint_standard::text;
use urlint_standard::text::ascii::WordList;

/// How documents of some kinds begin.
static BEGINNINGS: LazyLock<Option<RegexSet>> = LazyLock::new(|| {
    let comments = r"(?: \s*(?: <!--.*?--> | <\?.*?\?> ) )* \s*";
    let beginnings = Kind::BEGINNINGS.iter();
    let beginnings = beginnings.map(|(_, text)| format!("^(?:{})", text.replace("%C", comments)));
    RegexSetBuilder::new(beginnings)
        .unicode(false)
        .dot_matches_new_line(true)
        .ignore_whitespace(true)
        .build()
        .ok()
});

/// The kind that the first bytes of a source look like.
pub(super) fn kind(head: &[u8]) -> Kind {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    // Most texts begin otherwise, and need no expressions.
    let may_begin = match head.trim_ascii_start() {
        [b'{', next, ..] => *next == b'\\',
        [first, ..] => b"<.'\\%#mMbB".contains(first),
        [] => false,
    };
    let first = || {
        let beginnings = if may_begin { BEGINNINGS.as_ref() } else { None };
        beginnings?.matches(head).iter().next()
    };
    if begins_mbox(head) {
        Kind::Mbox
    } else if let Some(index) = first() {
        Kind::BEGINNINGS[index].0
    } else if begins_message(head) {
        Kind::Mail
    } else if begins_record(head) {
        Kind::Json
    } else {
        Kind::Plain
    }
}

/// Returns whether the first line is an object of JSON that begins with a name; the line may be cut.
fn begins_record(head: &[u8]) -> bool {
    let mut lines = lines(head);
    let line = lines.next().unwrap_or_default().trim_ascii_end();
    let is_whole =
        line.ends_with(b"}") && lines.all(|next| next.starts_with(b"{") || next.is_empty());
    let is_cut = line.len() == head.len();
    line.starts_with(b"{\"") && memchr::memmem::find(line, b"\":").is_some() && (is_whole || is_cut)
}

/// The lines of `head` without their breaks; the last one may be cut.
fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    text::lines(head).map(|line| &head[line.range()])
}

/// Returns whether the first line begins a mailbox: `From ` with a sender and a date, `From ` with
/// anything if the fields of a message follow, or the first line of another mailbox format.
fn begins_mbox(head: &[u8]) -> bool {
    if Separator::of(head) != Separator::From {
        return true;
    }
    let mut lines = lines(head);
    let Some(sender_and_date) = lines.next().and_then(|line| line.strip_prefix(b"From ")) else {
        return false;
    };
    is_dated(sender_and_date) || lines.next().and_then(field_name).is_some_and(is_well_known)
}

/// Returns whether `head` begins with the fields of a message, two of them well known. Other lines
/// may occur among them, as some mailers have left them there.
fn begins_message(head: &[u8]) -> bool {
    let (mut known, mut stray) = (0, 0);
    let mut lines = lines(head).peekable();
    while let Some(line) = lines.next() {
        let is_cut = lines.peek().is_none();
        match line {
            [] => break,
            [b' ' | b'\t', ..] => {}
            _ => match field_name(line) {
                Some(name) => known += usize::from(is_well_known(name)),
                None => stray += usize::from(!is_cut),
            },
        }
        if stray > 0 && (known == 0 || stray > 1 + known / 4) {
            return false;
        }
    }
    known >= 2
}

/// The name of the field that begins with `line`.
fn field_name(line: &[u8]) -> Option<&[u8]> {
    let colon = memchr::memchr(b':', line).filter(|&colon| colon > 0)?;
    let name = line[..colon].trim_ascii_end();
    name.iter().all(u8::is_ascii_graphic).then_some(name)
}

/// Returns whether only mail and news have fields of this name.
fn is_well_known(name: &[u8]) -> bool {
    const NAMES: WordList = WordList(
        "Received Return-Path From Sender Reply-To To Cc Bcc Subject Date Message-ID \
        In-Reply-To References MIME-Version Content-Type Content-Transfer-Encoding Delivered-To Delivery-Date \
        Envelope-To DKIM-Signature List-Id Resent-From Path Newsgroups Organization Lines NNTP-Posting-Host",
    );
    let is_own = name.len() > 2 && name[..2].eq_ignore_ascii_case(b"X-");
    is_own || NAMES.contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads() {
        let cases: &[(&str, Kind)] = &[
            ("", Kind::Plain),
            ("From joe@a.example Mon Mar  3 12:00:00 2003\n", Kind::Mbox),
            (
                "From - Sat Mar 03 12:00:00 2003\r\nX-Mozilla-Status: 0001\r\n",
                Kind::Mbox,
            ),
            (
                "From a b c Mon Mar  3 12:00 2003 remote from x\n",
                Kind::Mbox,
            ),
            ("From <> Thu, 3 Mar 2003 12:00:00 +0100\n", Kind::Mbox),
            ("From joe\nReturn-Path: <joe@a.example>\n", Kind::Mbox),
            ("From here on it is warm.\n", Kind::Plain),
            ("#! rnews 1234\nPath: x\n", Kind::Mbox),
            ("#! rnews is how batches begin\n", Kind::Plain),
            ("From May 3 on, 12 of them\n", Kind::Plain),
            (
                ">From joe@a.example Mon Mar  3 12:00:00 2003\n",
                Kind::Plain,
            ),
            ("From: joe@a.example\nSubject: x\n\n", Kind::Mail),
            ("From: joe@a.example\rSubject: x\r\r", Kind::Mail),
            ("\u{FEFF}from: joe@a.example\r\nsubject: x", Kind::Mail),
            (
                " cut!path!joe\nFrom: joe@a.example\nSubject: x\n\nx",
                Kind::Mail,
            ),
            ("Received: by x\n\tid 7\n>From y\nDate: z\n\nx", Kind::Mail),
            ("Subject: my day\n\nI went\n", Kind::Plain),
            ("Title: x\nAuthor: y\n\n", Kind::Plain),
            ("To: be\nor not\nto be\nFrom: x\n", Kind::Plain),
            (
                "Note: To: and From: are names\nand so on\nTo: x\nFrom: y\n",
                Kind::Plain,
            ),
            ("\n\n<!DOCTYPE html><p>", Kind::Html),
            ("<!-- hi --> <HTML lang=en>", Kind::Html),
            ("<header>", Kind::Plain),
            ("<?xml version=\"1.0\"?>\n<rfc>", Kind::Xml),
            (
                "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"x\">",
                Kind::Html,
            ),
            ("<?xml", Kind::Xml),
            (
                "<x:package version='2.0'\n xmlns:x='http://a.example/'>",
                Kind::Xml,
            ),
            ("<urn:rfc:2648> xmlns:urn=", Kind::Plain),
            ("<http://a.example/>", Kind::Plain),
            ("<Project Sdk='x'\n xmlns='urn:x'>", Kind::Xml),
            ("<!-- x --><a.b-c xmlns = 'urn:x'>", Kind::Xml),
            ("<h1 align=center>A README</h1> xmlns=", Kind::Plain),
            ("<rss version=\"2.0\">", Kind::Xml),
            ("<svg>", Kind::Xml),
            ("<Relationships xmlns=\"http://a.example/\">", Kind::Xml),
            ("<xml xmlns:v=\"urn:x\">", Kind::Xml),
            ("<!DOCTYPE rfc [", Kind::Xml),
            (
                "<?xml version='1.0'?>\n<?xml-stylesheet?><!-- x -->\n<html>",
                Kind::Html,
            ),
            ("<?php echo 1 ?>", Kind::Plain),
            ("<div>in Markdown, say</div>", Kind::Plain),
            ("<http://a.example/>", Kind::Plain),
            (".TH LS 1\n", Kind::Roff),
            (".Dd May 3\n", Kind::Roff),
            (".\\\" Copyright\n", Kind::Roff),
            ("'\\\" t\n.TH X 1\n", Kind::Roff),
            ("'\\\"\n", Kind::Roff),
            (".so man1/x.1\n", Kind::Roff),
            ("...and so on\n", Kind::Plain),
            (".if\n", Kind::Plain),
            ("% a thesis\n\n\\documentclass[a4paper]{book}\n", Kind::Tex),
            ("\\document\n", Kind::Plain),
            ("# heading\n", Kind::Plain),
            ("# A catalogue\n#\nmsgid \"\"\nmsgstr \"\"\n", Kind::Po),
            ("msgctxt \"menu\"\nmsgid \"x\"\n", Kind::Po),
            ("msgid = \"\"\n", Kind::Plain),
            ("BEGIN:VCALENDAR\r\nX-A: b\nX-C: d\n", Kind::Calendar),
            ("begin:vcard\n", Kind::Calendar),
            ("BEGIN:VCARD is the first line\n", Kind::Plain),
            ("X: BEGIN:VCARD\n", Kind::Plain),
            (
                "id,url\n1,http://a.example/\n2,http://b.example/\n",
                Kind::Plain,
            ),
        ];
        for (head, expected) in cases {
            assert_eq!(kind(head.as_bytes()), *expected, "{head:?}");
        }
    }

    #[test]
    fn each_beginning_is_an_expression() {
        assert!(BEGINNINGS.is_some());
    }

    #[test]
    fn the_last_line_may_be_incomplete() {
        let head = b"From: joe@a.example\nSubject: something lo";
        assert_eq!(kind(head), Kind::Mail);
    }
}
