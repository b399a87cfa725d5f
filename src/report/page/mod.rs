//! Pages of HTML for people. Each is a single file that loads nothing else.
//!
//! URLs, names and texts are hostile. They become text, never a link or an attribute, and the content
//! security policy of the page admits only the style and the script that are part of urlint.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::{self, Display};
use std::io::Write;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use flate2::{Compression, write::GzEncoder};
use urlint_standard::text::shown::with_commas;

use super::xml::escaped;
use crate::terminal;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The SHA-256 of the style and of the script, in Base64.
const STYLE_HASH: &str = "49q48YuiEOVBeAr33cfcmscpusXNUufyLERfjl9OlBU=";
const SCRIPT_HASH: &str = "Q6V40XD4p5hX0zCX5V5oqVPZ4gXHKn0T/n5LOyZVtiw=";

/// The most keys that are counted one by one. Others are counted together.
const MOST_KEYS: usize = 1 << 17;

/// The longest key that is counted by itself, in bytes.
const LONGEST_KEY: usize = 256;

/// How many keys a chart shows at first.
const MOST_BARS: usize = 15;

/// The most years that are shown.
const MOST_YEARS: usize = 60;

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
    /// The data that the script shows on demand, as rows of cells with tabs between them: the rows that do
    /// not fit into a chart, and the table. Compressed, since it may be most of the page.
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

    /// Adds numbers with their names. `of` is the number that is all, for those that are a share of it.
    pub fn figures(&mut self, figures: &[(&str, Figure)]) {
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

    /// Adds a chart of the most frequent keys, unless there are none.
    fn chart(&mut self, caption: &str, counts: &TopCounts) {
        let mut ranked = counts.ranked();
        let rest = ranked.split_off(ranked.len().min(MOST_BARS));
        let Some(&(_, most)) = ranked.first() else {
            return;
        };
        self.add(&format!(
            "<table class=\"chart\">\n<caption>{caption}</caption>\n<tbody>\n"
        ));
        for (key, count) in ranked {
            self.add(&format!(
                "<tr><th scope=\"row\" class=\"text\">{}</th><td class=\"number\">{}</td>{}</tr>\n",
                escaped(key),
                with_commas(count),
                bar(count, most),
            ));
        }
        self.add("</tbody>\n");
        let others = rest.iter().map(|(_, count)| count).sum::<u64>() + counts.others;
        if others > 0 {
            self.add(&format!(
                "<tfoot><tr><th scope=\"row\"><i>all others</i></th><td class=\"number\">{}</td><td></td></tr></tfoot>\n",
                with_commas(others)
            ));
        }
        self.add("</table>\n");
        self.data(
            rest.iter()
                .map(|(key, count)| format!("{count}\t{}", terminal::line(key.as_bytes()))),
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
        self.add("</tr></thead>\n</table>\n<noscript><p>The rows are shown by a script.</p></noscript>\n");
    }

    /// Adds rows to the data of the script, as a section of its own.
    fn data(&mut self, rows: impl Iterator<Item = String>) {
        // Writing to memory does not fail.
        for row in rows {
            let _ = writeln!(self.data, "{row}");
        }
        let _ = self.data.write_all(b"\x0c");
    }

    /// Adds a table of years and months. The keys of `counts` are months such as `2003-08`.
    pub fn months(&mut self, counts: &TopCounts) {
        let mut years: HashMap<&str, [u64; 12]> = HashMap::new();
        for (key, &count) in &counts.counts {
            let (year, month) = key.split_once('-').unwrap_or_default();
            let months = years.entry(year).or_default();
            let month = month.parse::<usize>().unwrap_or_default().checked_sub(1);
            if let Some(known) = month.and_then(|month| months.get_mut(month)) {
                *known += count;
            }
        }
        let total = |months: &[u64; 12]| months.iter().sum::<u64>();
        let mut years: Vec<_> = years.into_iter().collect();
        years.sort_unstable_by_key(|(year, months)| (Reverse(total(months)), *year));
        years.truncate(MOST_YEARS);
        years.sort_unstable();
        let most_of_month = years.iter().flat_map(|(_, months)| months).max();
        let most_of_year = years.iter().map(|(_, months)| total(months)).max();
        let (Some(&most_of_month), Some(most_of_year)) = (most_of_month, most_of_year) else {
            return;
        };
        self.add("<h2>Years and months</h2>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"months\">\n<thead><tr><th scope=\"col\">Year</th>");
        for month in 1..=12 {
            self.add(&format!(
                "<th scope=\"col\" class=\"number\">{month:02}</th>"
            ));
        }
        self.add("<th scope=\"col\" class=\"number\">All</th><td></td></tr></thead>\n");
        for (year, months) in &years {
            self.add(&format!("<tr><th scope=\"row\">{}</th>", escaped(year)));
            for &count in months {
                let share = count as f64 / most_of_month.max(1) as f64;
                let (level, number) = ((share.sqrt() * 5.0).ceil(), with_commas(count));
                self.add(&match count {
                    0 => "<td></td>".to_owned(),
                    _ => format!("<td class=\"h{level}\">{number}</td>"),
                });
            }
            let total = total(months);
            self.add(&format!(
                "<td>{}</td>{}</tr>\n",
                with_commas(total),
                bar(total, most_of_year)
            ));
        }
        self.add("</table></div>\n");
    }

    /// Adds a heading, and the filter of the items below. `items` names them, such as `findings`; of
    /// `all` of them, `shown` follow.
    pub fn items(&mut self, items: &str, shown: u64, all: u64, more: &str) {
        let mut heading = items.to_owned();
        heading[..1].make_ascii_uppercase();
        self.add(&format!("<h2>{heading}</h2>\n"));
        if shown < all {
            self.add(&format!(
                "<p>The first {} of {}; {more}.</p>\n",
                with_commas(shown),
                with_commas(all)
            ));
        }
        self.add(&format!(
            "<p class=\"controls\" hidden><label>Only {items} with <input type=\"search\"></label> <output aria-live=\"polite\"></output></p>\n"
        ));
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

/// A number on a page.
pub enum Figure {
    /// As it is written.
    Text(String),
    /// A number.
    Number(u64),
    /// A part of all, which is not shown.
    Share(u64, u64),
}

impl Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Figure::Text(text) => f.write_str(text),
            Figure::Number(number) => f.write_str(&with_commas(*number)),
            Figure::Share(part, all) => {
                let percent = 100.0 * *part as f64 / (*all).max(1) as f64;
                write!(
                    f,
                    "{} <small>{percent:.1}&thinsp;%</small>",
                    with_commas(*part)
                )
            }
        }
    }
}

/// Returns the cell with the bar of a number. `most` is the greatest one.
fn bar(number: u64, most: u64) -> String {
    let width = 100.0 * number as f64 / most.max(1) as f64;
    format!(
        "<td class=\"bar\"><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect width=\"{width:.2}\" height=\"10\"/></svg></td>"
    )
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
