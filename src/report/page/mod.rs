//! Pages of HTML for people. Each is a single file that loads nothing else.
//!
//! URLs, names and texts are hostile. They become text, never a link or an attribute, and the content
//! security policy of the page admits only the style and the script that are part of urlint.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::Write;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use flate2::{Compression, write::GzEncoder};
use urlint_standard::text::shown::with_commas;

use crate::terminal;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The SHA-256 of the style and of the script, in Base64.
const STYLE_HASH: &str = "U1I8Lqxauu//XRC/x8kLlosC7RdWr55xUcoh0qe7Lz0=";
const SCRIPT_HASH: &str = "AxubO1qDqGczdEISOArnHPsUAKbusQNy/WasuSEM4Qg=";

/// The most keys that are counted one by one. Others are counted together.
const MOST_KEYS: usize = 1 << 17;

/// The longest key that is counted by itself, in bytes.
const LONGEST_KEY: usize = 256;

/// How often each key occurs.
#[derive(Debug, Default)]
pub struct TopCounts {
    counts: HashMap<String, u64>,
    /// How often all keys occur that were too many or too long.
    others: u64,
}

impl TopCounts {
    /// Counts `key` once more.
    pub fn add(&mut self, key: &str) {
        if let Some(count) = self.counts.get_mut(key) {
            *count += 1;
        } else if self.counts.len() < MOST_KEYS && key.len() <= LONGEST_KEY {
            self.counts.insert(key.to_owned(), 1);
        } else {
            self.others += 1;
        }
    }

    /// Returns the keys, the most frequent first.
    pub fn keys(&self) -> Vec<&str> {
        self.ranked().into_iter().map(|(key, _)| key).collect()
    }

    /// Returns how many keys there are, as a text: at least so many, if they were too many.
    pub fn number(&self) -> String {
        let more = if self.others > 0 { "more than " } else { "" };
        format!("{more}{}", with_commas(self.counts.len() as u64))
    }

    /// Returns the keys and how often they occur, the most frequent first.
    fn ranked(&self) -> Vec<(&str, u64)> {
        let counts = self.counts.iter().map(|(key, &count)| (&**key, count));
        let mut ranked: Vec<_> = counts.collect();
        ranked.sort_unstable_by_key(|&(key, count)| (Reverse(count), key));
        ranked
    }
}

/// A page that is being written.
pub struct Page {
    html: String,
    /// The data that the script shows, as rows of cells with tabs between them: those of the charts, the months, and the
    /// table, each that there is. Compressed, since it may be most of the page.
    data: GzEncoder<Vec<u8>>,
}

impl Page {
    /// Begins a page. `about` describes it in a sentence. It is HTML, like all texts of urlint's own.
    pub fn new(title: &str, about: &str) -> Self {
        let html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'sha256-{STYLE_HASH}'; script-src 'sha256-{SCRIPT_HASH}'; base-uri 'none'; \
             form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <meta name=\"generator\" content=\"urlint {}\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n<p>{about}</p>\n",
            env!("CARGO_PKG_VERSION"),
        );
        let data = GzEncoder::new(Vec::new(), Compression::default());
        Page { html, data }
    }

    /// Adds text that is HTML already.
    pub fn add(&mut self, html: &str) {
        self.html += html;
    }

    /// Adds figures with their names.
    pub fn figures(&mut self, figures: &[(&str, String)]) {
        self.add("<dl>\n");
        for (name, figure) in figures {
            self.add(&format!("<div><dt>{name}</dt><dd>{figure}</dd></div>\n"));
        }
        self.add("</dl>\n");
    }

    /// Adds charts beside each other.
    pub fn charts(&mut self, charts: &[(&str, &TopCounts)]) {
        self.add("<div class=\"charts\">\n");
        for (caption, counts) in charts {
            self.chart(caption, counts);
        }
        self.add("</div>\n");
    }

    /// Adds a chart of the most frequent keys, unless there are none. The script draws it.
    fn chart(&mut self, caption: &str, counts: &TopCounts) {
        if counts.counts.is_empty() {
            return;
        }
        self.add(&format!(
            "<table class=\"chart\">\n<caption>{caption}</caption>\n</table>\n"
        ));
        // Those that were not counted one by one have no name.
        let others = (counts.others > 0).then_some(("", counts.others));
        let ranked = counts.ranked().into_iter().chain(others);
        self.data(
            ranked.map(|(key, count)| format!("{count}\t{}", terminal::line(key.as_bytes()))),
        );
    }

    /// Adds a table with these columns, each a class and a heading. The cells of a row are separated by
    /// tabs. The script writes the rows as far as the user scrolls.
    pub fn table(&mut self, columns: &[(&str, &str)], rows: impl Iterator<Item = String>) {
        self.data(rows);
        self.add("<table class=\"rows\">\n<thead><tr>");
        for (class, heading) in columns {
            self.add(&format!(
                "<th scope=\"col\" class=\"{class}\">{heading}</th>"
            ));
        }
        self.add("</tr></thead>\n</table>\n<noscript><p>The charts and rows are shown by a script.</p></noscript>\n");
    }

    /// Adds rows to the data of the script, as a section of its own.
    fn data(&mut self, rows: impl Iterator<Item = String>) {
        // Writing to memory does not fail.
        for row in rows {
            let _ = writeln!(self.data, "{row}");
        }
        let _ = self.data.write_all(b"\x0c");
    }

    /// Adds a table of years and months, unless there are none. The keys of `counts` are months such as `2003-08`. The script
    /// draws it.
    pub fn months(&mut self, counts: &TopCounts) {
        if counts.counts.is_empty() {
            return;
        }
        self.add("<h2>Years and months</h2>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"months\"></table></div>\n");
        let counts = counts.counts.iter();
        self.data(counts.map(|(month, count)| format!("{count}\t{month}")));
    }

    /// Adds the heading and the filter of the table. Of `all` links, it has `shown`; `more` says how to see the others.
    pub fn filter(&mut self, shown: u64, all: u64, more: &str) {
        self.add("<h2>Links</h2>\n");
        if shown < all {
            let [shown, all] = [shown, all].map(with_commas);
            self.add(&format!("<p>The first {shown} of {all}; {more}.</p>\n"));
        }
        self.add("<p class=\"controls\" hidden><label>Only links with <input type=\"search\"></label> <output aria-live=\"polite\"></output></p>\n");
    }

    /// Returns the page.
    pub fn finish(self) -> String {
        let Page { mut html, data } = self;
        let data = BASE64_STANDARD.encode(data.finish().unwrap_or_default());
        html += &format!(
            "</main>\n<script type=\"text/plain\">{data}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
        );
        html
    }
}

/// Returns a part of `all`, which is not shown, as a figure.
pub fn share(part: u64, all: u64) -> String {
    let percent = 100.0 * part as f64 / all.max(1) as f64;
    let part = with_commas(part);
    format!("{part} <small>{percent:.1}&thinsp;%</small>")
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    /// Returns the SHA-256 of `text` in Base64.
    fn hash(text: &str) -> String {
        BASE64_STANDARD.encode(Sha256::digest(text))
    }

    #[test]
    fn the_policy_admits_the_style_and_the_script() {
        assert_eq!(STYLE_HASH, hash(STYLE));
        assert_eq!(SCRIPT_HASH, hash(SCRIPT));
    }
}
