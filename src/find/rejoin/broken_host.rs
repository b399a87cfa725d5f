//! Hosts that a line break has split, and URLs that continue after a dot.

use super::host::{begins_path, has_suffix, host_len, is_suffix};
use super::lines::Lines;
use super::word::{
    has_extension, has_extension_and_query, is_common, is_extension, is_number_of_section,
    top_level_domain,
};
use urlint_standard::text::ascii::WordList;

impl Lines<'_> {
    /// Returns the host of the URL so far, if it has no path.
    pub(super) fn host(&self) -> Option<&[u8]> {
        let colon = memchr::memmem::find(&self.url, b"://")?;
        let host = &self.url[colon + "://".len()..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
        (!host.is_empty() && host.iter().all(is_part)).then_some(host)
    }

    /// Returns whether the URL is a scheme and one label, and the next word makes it a host.
    pub(super) fn completes_host(&self) -> bool {
        let (name, rest) = self.token.split_at(host_len(self.token));
        let is_begun =
            |host: &[u8]| host != b"localhost" && !host.iter().any(|byte| b".-".contains(byte));
        // Where the line is full, the name of the domain may be cut.
        let is_cut = |host: &[u8]| {
            let domain = top_level_domain(host);
            let is_open = domain.is_some_and(|name| name.len() > 2 && !is_suffix(name));
            is_open && self.is_full() && !self.would_have_fitted()
        };
        self.host()
            .is_some_and(|host| is_begun(host) || (!rest.is_empty() && is_cut(host)))
            && has_suffix(name)
            && (begins_path(rest) || (rest.is_empty() && self.is_alone))
    }

    /// Returns whether the URL is that of a repository, and the next word names a branch of it rather than a page.
    pub(super) fn names_branch(&self) -> bool {
        const PAGES: WordList = WordList(
            "about atom blame blob blobdiff branches commit commitdiff commits diff history info log objects patch \
            plain raw refs releases rss shortlog snapshot src stats summary tag tree wiki",
        );
        let url = self.url.strip_suffix(b"/").unwrap_or(&self.url);
        let is_named = |url: &[u8]| url.last().is_some_and(u8::is_ascii_alphanumeric);
        let is_git = url.strip_suffix(b".git").is_some_and(is_named) && self.host().is_none();
        let mut words = self.token.split(|byte| !byte.is_ascii_alphanumeric());
        let is_page = words
            .next()
            .is_some_and(|first| first.is_empty() || PAGES.contains(first));
        is_git && !is_page
    }

    /// Returns whether the URL ends in a name that has several parts: in the number of a document, as in
    /// `doi/10.1000/182`, before the owner and the name of a repository, or before the name and its page.
    pub(super) fn completes_name(&self) -> bool {
        if self.last() == b')' {
            let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'X');
            return self.is_doi() && self.token.len() > 4 && self.token.iter().all(is_part);
        }
        let Some(url) = self.url.strip_suffix(b"/") else {
            return false;
        };
        let before = &url[..memchr::memrchr(b'/', url).unwrap_or_default()];
        let forges: [&[u8]; 2] = [b"://github.com", b"://gitlab.com"];
        let is_forge = |url: &[u8]| forges.iter().any(|forge| url.ends_with(forge));
        let owner = self
            .token
            .split(|&byte| byte == b'/')
            .next()
            .unwrap_or_default();
        let has_page = || {
            let pages: [&[u8]; 2] = [b"/issues/", b"/pull/"];
            (pages.iter()).any(|page| memchr::memmem::find(self.token, page).is_some())
        };
        (is_forge(url) && self.token.contains(&b'/') && !is_common(owner))
            || (is_forge(before) && has_page())
    }

    /// Returns whether the URL is that of a document by its number.
    fn is_doi(&self) -> bool {
        memchr::memmem::find(&self.url, b"doi").is_some()
    }

    /// Returns whether the URL continues after the dot that ends its line: the next word completes a host, the
    /// number of a document or the name of a file, or it is a host in a path.
    pub(super) fn goes_on_after_dot(&self) -> bool {
        let (name, rest) = self.token.split_at(host_len(self.token));
        let Some(first) = name.first().filter(|byte| byte.is_ascii_alphanumeric()) else {
            return false;
        };
        let before = self.url.strip_suffix(b".").unwrap_or(&self.url);
        let has_dot = name.contains(&b'.');
        let is_lower = !name.iter().any(u8::is_ascii_uppercase);
        let is_host = has_dot && has_suffix(name);
        if let Some(host) = self.host() {
            let is_whole = has_suffix(host.strip_suffix(b".").unwrap_or(host));
            let ends = rest.is_empty() && self.is_alone && !is_whole && name.len() > 2;
            let is_suffix = !has_dot && is_lower && (begins_path(rest) || ends) && is_suffix(name);
            // On a shorter line the sentence may continue, as in "in/out".
            let is_on_page = !is_whole && is_lower && begins_path(rest) && self.is_paged();
            return (is_suffix && (!is_whole || self.is_full()))
                || (is_host && !is_whole)
                || is_on_page;
        }
        let is_doi = self.is_doi() && memchr::memmem::find(&self.url, b"/10.").is_some();
        let is_number = |text: &[u8]| text.last().is_some_and(u8::is_ascii_digit);
        let is_rest = (has_dot || self.is_alone) && name.iter().any(u8::is_ascii_digit);
        if is_doi && ((is_number(before) && first.is_ascii_digit()) || is_rest) {
            return true;
        }
        // In text from PDF all goes on but words and the numbers of sections.
        let ends_in_name = || top_level_domain(name).is_some_and(is_name);
        let has_sign = rest.len() > 1 || ends_in_name();
        let is_section = rest.is_empty() && is_number_of_section(name);
        let is_word = is_section || (!has_sign && first.is_ascii_uppercase()) || is_common(name);
        if !is_word && (self.is_alone || has_sign) && self.is_paged() {
            return true;
        }
        // As in `tar.gz`, and in `8.5x11.pdf`.
        let is_short = name.len() <= 8 && self.is_full() && has_extension(name);
        let is_apart = self.word.len() > self.token.len() || self.next_mark() == Some(b'(');
        let signs = [self.is_full(), is_apart, self.is_paged()];
        let ends = self.is_alone || signs.iter().filter(|&&is_there| is_there).count() > 1;
        let is_file = is_lower && (is_extension(name) || is_short) && !has_extension(before);
        (is_file && rest.is_empty() && ends && name.len() > 1)
            || (is_file && matches!(rest, [b'?' | b'#' | b'/', _, ..]))
            || has_extension_and_query(self.token)
            || self.completes_message()
            || (is_host && begins_path(rest) && self.is_full())
    }
}

/// Returns whether `name` may be an extension or a domain.
fn is_name(name: &[u8]) -> bool {
    (2..=6).contains(&name.len()) && name.iter().all(u8::is_ascii_lowercase)
}
