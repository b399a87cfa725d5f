//! nntp and news: RFC 5538.

use super::super::chars::{ANY_ASCII, ARTICLE, ATEXT, GROUP, NEWSGROUPS, PATH};
use super::super::{Components, Judge, Part, Problem, ProblemKind};
use super::mailto::is_dot_atom;
use crate::standard::escape::decoded;

/// The maximum number of digits of an `article-number`.
const ARTICLE_DIGITS: usize = 16;

impl<F: FnMut(Problem)> Judge<'_, F> {
    /// Section 3:
    /// ```text
    /// nntpURL        = "nntp:" nntp-server "/" group [ "/" article-number ]
    /// nntp-server    = "//" authority-nz
    /// ```
    pub(super) fn nntp_url(&mut self, scheme: Part, rest: Part) -> Components {
        let (components, path) = self.split(scheme, rest);
        self.authority(&components);
        self.authority_nz(scheme, components.host);
        if components.host.is_none() {
            self.characters(path, &PATH);
        } else if let Some(path) = self.after_slash(path) {
            let (group, number) = path.cut(self.url, b'/');
            self.group(group);
            if let Some(number) = number {
                self.article_number(number);
            }
        }
        self.query(components.query);
        self.refuse_query(components.query);
        self.fragment(components.fragment);
        components
    }

    /// Returns the text after the slash that must follow the server.
    fn after_slash(&mut self, path: Part) -> Option<Part> {
        if path.is_empty() {
            self.problem(ProblemKind::MissingPath, path);
            return None;
        }
        Some(path.skip(1))
    }

    /// ```text
    /// group          = 1*( group-char / pct-encoded )
    /// group-char     = ALPHA / DIGIT / "-" / "+" / "_" / "."
    /// ```
    fn group(&mut self, part: Part) {
        if part.is_empty() {
            self.problem(ProblemKind::MissingComponent, part);
        }
        self.characters(part, &GROUP);
    }

    /// ```text
    /// article-number = 1*16DIGIT
    /// ```
    fn article_number(&mut self, part: Part) {
        if part.is_empty() {
            self.problem(ProblemKind::MissingComponent, part);
            return;
        }
        let digits = part.of(self.url).iter().all(u8::is_ascii_digit);
        let is_number = digits && part.len() <= ARTICLE_DIGITS;
        if !is_number && self.characters(part, &ANY_ASCII) {
            self.problem(ProblemKind::BadArticle, part);
        }
    }

    /// Section 4:
    /// ```text
    /// newsURL        = "news:" [ server "/" ] ( article / newsgroups )
    /// server         = "//" authority
    /// newsgroups     = *( group-char / pct-encoded / "*" )
    /// ```
    pub(super) fn news_url(&mut self, scheme: Part, rest: Part) -> Components {
        let (components, path) = self.split(scheme, rest);
        self.authority(&components);
        let path = match components.host {
            Some(_) => self.after_slash(path),
            None => Some(path),
        };
        if let Some(path) = path {
            if path.of(self.url).contains(&b'@') {
                self.article(path);
            } else {
                self.characters(path, &NEWSGROUPS);
            }
        }
        self.query(components.query);
        self.refuse_query(components.query);
        self.fragment(components.fragment);
        components
    }

    /// ```text
    /// article        = 1*mid-char "@" 1*mid-char
    /// mid-char       = unreserved / pct-encoded / sub-delims / ":"
    /// ```
    /// and, after decoding, `msg-id-core`.
    fn article(&mut self, part: Part) {
        if !self.characters(part, &ARTICLE) {
            return;
        }
        let text = part.of(self.url);
        let at_signs = text.iter().filter(|&&byte| byte == b'@').count();
        if at_signs != 1 || !is_msg_id_core(&decoded(text)) {
            self.problem(ProblemKind::BadArticle, part);
        }
    }
}

/// RFC 5536, section 3.1.3:
/// ```text
/// msg-id-core     = id-left "@" id-right
/// id-left         = dot-atom-text
/// id-right        = dot-atom-text / no-fold-literal
/// no-fold-literal = "[" *mdtext "]"
/// mdtext          = %d33-61 / %d63-90 / %d94-126
/// ```
fn is_msg_id_core(text: &[u8]) -> bool {
    let is_atext = |byte| ATEXT.has(byte);
    let Some(at) = memchr::memchr(b'@', text) else {
        return false;
    };
    let (left, right) = (&text[..at], &text[at + 1..]);
    let is_id_right = match right {
        [b'[', literal @ .., b']'] => literal
            .iter()
            .all(|byte| matches!(byte, 33..=61 | 63..=90 | 94..=126)),
        _ => is_dot_atom(right, is_atext),
    };
    is_dot_atom(left, is_atext) && is_id_right
}
