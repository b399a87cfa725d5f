//! Texts that are generated identically everywhere: shaped like RFCs, like mail, and like lists of
//! URLs.
//!
//! The length of lines, the share of blank ones, the frequency of colons, `@` and URLs, and the text
//! around them were counted in collections of RFCs and mail. Words, names and hosts are invented.

use std::fmt::Write as _;

/// The maximum width of a line of prose.
const WIDTH: usize = 72;

/// The number of lines on a page of an RFC.
const PAGE: usize = 56;

const WORDS: [&str; 96] = [
    "the",
    "of",
    "a",
    "to",
    "in",
    "is",
    "and",
    "that",
    "for",
    "be",
    "this",
    "with",
    "as",
    "it",
    "on",
    "or",
    "are",
    "by",
    "an",
    "not",
    "the",
    "of",
    "a",
    "to",
    "in",
    "and",
    "that",
    "must",
    "if",
    "from",
    "may",
    "at",
    "can",
    "which",
    "will",
    "should",
    "when",
    "have",
    "has",
    "one",
    "all",
    "other",
    "no",
    "any",
    "but",
    "was",
    "they",
    "more",
    "message",
    "server",
    "client",
    "field",
    "value",
    "request",
    "address",
    "number",
    "protocol",
    "network",
    "header",
    "response",
    "example",
    "section",
    "following",
    "data",
    "octets",
    "type",
    "used",
    "contains",
    "document",
    "implementation",
    "specified",
    "connection",
    "character",
    "described",
    "information",
    "option",
    "packet",
    "length",
    "string",
    "defined",
    "identifier",
    "resource",
    "parameter",
    "between",
    "people",
    "think",
    "would",
    "really",
    "something",
    "about",
    "time",
    "work",
    "using",
    "same",
    "system",
    "files",
];

const NAMES: [&str; 12] = [
    "Joe", "Ann", "Kim", "Lee", "Maria", "Olaf", "Priya", "Sam", "Tove", "Uri", "Wanda", "Yusuf",
];

const HOSTS: [&str; 6] = [
    "www.example.com",
    "lists.example.org",
    "en.m.example.net",
    "cs.example.edu",
    "192.0.2.7:8080",
    "cdn-3.static.example.io",
];

const SEGMENTS: [&str; 11] = [
    "archive",
    "2024",
    "index.html",
    "linux-kernel",
    "msg00042",
    "wiki",
    "a%20b",
    "papers",
    "v1.2.3",
    "Main_Page",
    "thread",
];

/// Generates a text of at least `size` bytes, up to the end of a page, a message or a line.
pub(crate) type Make = fn(size: usize) -> String;

/// The texts and their names.
pub(crate) const TEXTS: [(&str, Make); 3] = [("rfc", rfc), ("mail", mail), ("dense", dense)];

/// Pseudo-random numbers, the same every time (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 16) as usize % bound
    }

    /// Returns true this many times in a thousand.
    pub(crate) fn rarely(&mut self, thousandths: usize) -> bool {
        self.below(1000) < thousandths
    }

    pub(crate) fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    fn clock(&mut self) -> String {
        let [hour, minute, second] = [24, 60, 60].map(|bound| self.below(bound));
        format!("{hour:02}:{minute:02}:{second:02}")
    }

    fn mailbox(&mut self) -> String {
        let name = self.of(&NAMES).to_lowercase();
        format!("{name}{}@{}", self.below(100), self.of(&HOSTS[1..4]))
    }

    /// Returns a URL of 20 to 60 bytes.
    fn short_url(&mut self) -> String {
        let scheme = self.of(&["http", "http", "http", "http", "http", "https", "ftp"]);
        let mut url = format!("{scheme}://{}/", self.of(&HOSTS));
        for _ in 0..self.below(4) {
            write!(url, "{}/", self.of(&SEGMENTS)).unwrap();
        }
        if self.rarely(400) {
            url.push_str(self.of(&SEGMENTS));
        }
        url
    }

    /// Returns a URL of 60 to 110 bytes.
    fn long_url(&mut self) -> String {
        let scheme = self.of(&["http", "https", "https", "ftp"]);
        let mut url = format!("{scheme}://{}", self.of(&HOSTS));
        if self.below(8) == 0 {
            url.push_str("/~joe");
        }
        let length = 60 + self.below(30);
        while url.len() < length - 12 {
            write!(url, "/{}", self.of(&SEGMENTS)).unwrap();
        }
        match self.below(5) {
            0 => write!(url, "?id={}&q={}", self.below(100_000), self.of(&SEGMENTS)).unwrap(),
            1 => write!(url, "#section-{}", self.below(40)).unwrap(),
            _ => write!(url, "/{:08}", self.below(1 << 24)).unwrap(),
        }
        url
    }

    /// Returns a word of prose with the text around it.
    fn word(&mut self, kind: &Kind) -> String {
        let word = self.of(&WORDS);
        let chance = self.below(10_000);
        let mut from = 0;
        let mut within = |share: usize| {
            from += share;
            (from - share..from).contains(&chance)
        };
        if within(kind.urls) {
            let [before, behind] = self.around();
            return format!("{before}{}{behind}", self.short_url());
        }
        if within(kind.mailboxes) {
            return format!("<{}>", self.mailbox());
        }
        if within(kind.colons) {
            return format!("{word}:");
        }
        if within(kind.inner) {
            return match self.below(5) {
                0 => format!("{}::{word}", self.of(&WORDS)),
                1 => self.clock(),
                2 => format!("{word}:={}", self.below(10)),
                _ => format!("{word}:{}", self.of(&WORDS)),
            };
        }
        match chance % 16 {
            0 => format!("{word},"),
            1 => format!("{word}."),
            2 if chance.is_multiple_of(5) => format!("\"{word}\""),
            _ => word.to_owned(),
        }
    }

    /// Returns the text before and after a URL.
    fn around(&mut self) -> [&'static str; 2] {
        match self.below(20) {
            0..=2 => ["<", ">"],
            3..=5 => ["<URL:", ">"],
            6..=8 => ["\"", "\""],
            9..=10 => ["(", ")"],
            11..=12 => ["", "."],
            _ => ["", ""],
        }
    }
}

/// A style of prose: how many of ten thousand words are of each kind.
struct Kind {
    /// The beginning of each line.
    indent: &'static str,
    urls: usize,
    mailboxes: usize,
    /// Words followed by a colon.
    colons: usize,
    /// Words that contain a colon.
    inner: usize,
    /// The number of paragraphs in a thousand that end in a colon.
    ends: usize,
}

/// Returns lines of prose with about `words` words.
fn paragraph(random: &mut Random, kind: &Kind, words: usize) -> Vec<String> {
    let mut lines = vec![kind.indent.to_owned()];
    for at in 0..words {
        let mut word = random.word(kind);
        if at + 1 == words {
            word.truncate(word.trim_end_matches(['.', ',', ':']).len());
            word.push(if random.rarely(kind.ends) { ':' } else { '.' });
        }
        let line = lines.last_mut().unwrap();
        let (used, is_first) = (line.len(), line.len() == kind.indent.len());
        if !is_first && used + 1 + word.len() > WIDTH {
            // Some of those that would begin a line are broken, as delimited URLs may be.
            let cut = word
                .starts_with('<')
                .then(|| word[..word.len() - 1].rfind('/'));
            match cut.flatten() {
                Some(cut) if random.rarely(400) && used + cut + 2 <= WIDTH => {
                    write!(line, " {}", &word[..=cut]).unwrap();
                    lines.push(format!("{}{}", kind.indent, &word[cut + 1..]));
                }
                _ => lines.push(format!("{}{word}", kind.indent)),
            }
            continue;
        }
        if !is_first {
            line.push(' ');
        }
        line.push_str(&word);
        if word.contains("://") && random.rarely(300) {
            lines.push(kind.indent.to_owned());
        }
    }
    lines
}

/// Generates pages like those of RFCs.
fn rfc(size: usize) -> String {
    let mut random = Random(1738);
    let (mut text, mut pages) = (String::new(), 0);
    let (mut lines, mut sections) = (Vec::new(), 0);
    while text.len() < size {
        while lines.len() < PAGE - 8 {
            block(&mut random, &mut lines, &mut sections);
        }
        pages += 1;
        write!(
            text,
            "{:<24}{:^24}{:>24}\n\n\n",
            "Memo", "Names of Things", "May 1996"
        )
        .unwrap();
        for line in lines.drain(..PAGE - 8) {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let page = format!("[Page {pages}]");
        write!(
            text,
            "\n\n{:<24}{:^24}{page:>24}\n\u{c}\n",
            "Doe, et al.", "Informational"
        )
        .unwrap();
    }
    text
}

/// Adds a heading, prose, a list of terms or an example, and the blank line after it.
fn block(random: &mut Random, lines: &mut Vec<String>, sections: &mut usize) {
    let mut kind = Kind {
        indent: "   ",
        urls: 13,
        mailboxes: 10,
        colons: 8,
        inner: 42,
        ends: 60,
    };
    match random.below(16) {
        0 => {
            *sections += 1;
            let [one, other] = [(); 2].map(|()| random.of(&WORDS));
            lines.push(format!(
                "{}.{}.  The {one} {other}",
                *sections / 9 + 1,
                *sections % 9
            ));
        }
        1 => {
            for _ in 0..1 + random.below(3) {
                let (term, words) = (random.of(&WORDS), 4 + random.below(5));
                kind.indent = "      ";
                let said = paragraph(random, &kind, words);
                lines.push(format!("   {term}:  {}", said[0].trim_start()));
                lines.extend_from_slice(&said[1..]);
            }
        }
        2 | 3 => {
            for _ in 0..2 + random.below(5) {
                let [name, one, other] = [(); 3].map(|()| random.of(&WORDS));
                lines.push(format!(
                    "      {name:<14} = {one} / *{other} ; {}",
                    random.below(256)
                ));
            }
        }
        _ => {
            let words = 12 + random.below(30);
            lines.extend(paragraph(random, &kind, words));
        }
    }
    lines.push(String::new());
}

/// Generates messages with header fields, every other one with CRLF.
fn mail(size: usize) -> String {
    let mut random = Random(822);
    let (mut text, mut number) = (String::new(), 0);
    while text.len() < size {
        number += 1;
        let message = message(&mut random);
        let line_break = if number % 2 == 0 { "\r\n" } else { "\n" };
        for line in message {
            text.push_str(&line);
            text.push_str(line_break);
        }
    }
    text
}

fn message(random: &mut Random) -> Vec<String> {
    let date =
        |random: &mut Random| format!("{} Mar 2003 {} +0100", 1 + random.below(28), random.clock());
    let mut lines = vec![format!("From {} Mon {}", random.mailbox(), date(random))];
    for _ in 0..1 + random.below(3) {
        let [from, by] = [(); 2].map(|()| random.of(&HOSTS[1..4]));
        lines.push(format!(
            "Received: from {from} (mail.{from} [192.0.2.{}])",
            random.below(255)
        ));
        lines.push(format!(
            "\tby {by} (8.12.{}/8.12) with ESMTP",
            random.below(10)
        ));
        let mailbox = random.mailbox();
        lines.push(format!("\tfor <{mailbox}>; Mon, {}", date(random)));
    }
    let id = |random: &mut Random| {
        format!(
            "<{:08x}.{}@{}>",
            random.below(1 << 31),
            random.below(9999),
            random.of(&HOSTS[1..4])
        )
    };
    let [one, other, third] = [(); 3].map(|()| random.of(&WORDS));
    lines.push(format!("Message-ID: {}", id(random)));
    lines.push(format!("Date: Mon, {}", date(random)));
    for field in ["From", "To", "Reply-To"] {
        lines.push(format!(
            "{field}: {} Doe <{}>",
            random.of(&NAMES),
            random.mailbox()
        ));
    }
    let reply = random.rarely(500);
    let answer = if reply { "Re: " } else { "" };
    lines.push(format!("Subject: {answer}{one} {other} {third}"));
    if reply {
        lines.push(format!("In-Reply-To: {}", id(random)));
        lines.push(format!("References: {}", id(random)));
    }
    lines.push("MIME-Version: 1.0".to_owned());
    lines.push("Content-Type: text/plain; charset=us-ascii".to_owned());
    lines.push(format!(
        "X-Mailer: Postman {}.{}",
        random.below(9),
        random.below(9)
    ));
    lines.push(format!("Lines: {}", random.below(90)));
    lines.push(String::new());
    if reply {
        lines.push(format!(
            "On Mon, {}, {} wrote:",
            date(random),
            random.mailbox()
        ));
    }
    let mut kind = Kind {
        indent: "",
        urls: 13,
        mailboxes: 12,
        colons: 60,
        inner: 40,
        ends: 60,
    };
    for part in 0..2 + random.below(8) {
        kind.indent = if reply && part % 2 == 0 { "> " } else { "" };
        let words = 10 + random.below(100);
        lines.extend(paragraph(random, &kind, words));
        lines.push(String::new());
    }
    lines.push("-- ".to_owned());
    lines.push(format!("{} Doe, {}", random.of(&NAMES), random.mailbox()));
    if random.rarely(100) {
        lines.push(random.short_url());
    }
    lines.push(format!("Tel: +49 30 555 {:04}", random.below(10_000)));
    lines.push(String::new());
    lines
}

/// Generates one URL per line.
fn dense(size: usize) -> String {
    let mut random = Random(3986);
    let mut text = String::new();
    while text.len() < size {
        text.push_str(&random.long_url());
        text.push('\n');
    }
    text
}
