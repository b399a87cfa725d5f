//! Classifies words by their characters alone.

use urlint_standard::text::ascii::WordList;
use urlint_standard::url::escape::escape_at;

/// Returns whether `url` has a `//` after its scheme.
pub(super) fn has_slashes(url: &[u8]) -> bool {
    memchr::memchr(b':', url).is_some_and(|colon| url[colon..].starts_with(b"://"))
}

/// Returns whether `text` begins with the key of a query and its `=`.
pub(super) fn has_key(text: &[u8]) -> bool {
    let is_name = |&&byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.%[]".contains(&byte);
    let len = text.iter().take_while(is_name).count();
    len > 0 && text.get(len) == Some(&b'=')
}

/// Returns whether `word` is the label of a field, another URL, or a time, rather than a part of a
/// URL that contains a colon: no delimiter of URLs comes before the colon.
pub(super) fn is_label(word: &[u8]) -> bool {
    memchr::memchr(b':', word)
        .is_some_and(|colon| !word[..colon].iter().any(|byte| b"/?=&%~".contains(byte)))
}

/// Returns whether `word` is the number of a list item: `12.`, `3)`.
pub(super) fn is_number_of_item(word: &[u8]) -> bool {
    match word {
        [number @ .., b'.' | b')'] => number.len() < 4 && number.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Returns whether `token` is the number of a section: `4`, `1.5`.
pub(super) fn is_number_of_section(token: &[u8]) -> bool {
    let mut numbers = token.split(|&byte| byte == b'.');
    numbers.all(|number| number.len() < 3 && number.iter().all(u8::is_ascii_digit))
}

/// Returns whether `word` contains a rule drawn with hyphens or the like, or begins with one of
/// two characters: `-o-o-o`.
pub(super) fn is_drawn(word: &[u8]) -> bool {
    let is_drawn = |byte: &u8| b"-=_*~#+.".contains(byte);
    let is_run = |run: &[u8]| is_drawn(&run[0]) && run.iter().all(|&byte| byte == run[0]);
    let is_pattern = |run: &[u8; 6]| run[..2].iter().any(is_drawn) && run[..4] == run[2..];
    word.windows(4).any(is_run) || word.first_chunk().is_some_and(is_pattern)
}

/// Returns whether `token` is a time or a date: `08.22`, `08.22.36`, `12/05/96`, `1996-05-12`.
pub(super) fn is_time(token: &[u8]) -> bool {
    let mut numbers = token.split(|byte| b"./-".contains(byte));
    let is_number =
        |text: &[u8]| matches!(text.len(), 2 | 4) && text.iter().all(u8::is_ascii_digit);
    numbers.clone().count() > 1 && numbers.all(is_number)
}

/// Returns whether `url` ends where that of an archived page follows: `https://web.archive.org/web/20110325004849/`.
pub(crate) fn is_before_archived(url: &[u8]) -> bool {
    url.strip_suffix(b"/").is_some_and(|url| {
        let digits = url.iter().rev().take_while(|byte| byte.is_ascii_digit());
        let digits = digits.count();
        matches!(digits, 4..=14) && url[..url.len() - digits].ends_with(b"/web/")
    })
}

/// Returns whether `word` is a name with a colon in it, as in `Category:Files`, or a title with hyphens before one.
pub(crate) fn is_name_with_colon(word: &[u8]) -> bool {
    let mut parts = word.splitn(2, |&byte| byte == b':');
    let mut next = || parts.next().unwrap_or_default();
    let (space, name) = (next(), next());
    let is_name = matches!(space, [b'A'..=b'Z', b'a'..=b'z', ..]);
    (is_name && name.first().is_some_and(u8::is_ascii_alphanumeric))
        || space.iter().filter(|&&byte| byte == b'-').count() > 2
}

/// Returns whether `token`, after `url`, contains a URL that is not a value of the query.
pub(super) fn holds_url(url: &[u8], token: &[u8]) -> bool {
    memchr::memmem::find(token, b"://").is_some_and(|at| {
        let before = &token[..at];
        !before.contains(&b'=') || !url.contains(&b'?') && !before.contains(&b'?')
    })
}

/// Returns whether `token` is two words with a slash between them: `and/or`.
pub(super) fn is_two_words(token: &[u8]) -> bool {
    let mut words = token.split(|&byte| byte == b'/');
    let mut is_word = || {
        let word = words.next().unwrap_or_default();
        !word.is_empty() && word.iter().all(u8::is_ascii_alphabetic)
    };
    is_word() && is_word() && words.next().is_none()
}

/// Returns whether `token` is not a word of a language: it has a digit, or one of `- . _ #` or a
/// capital after its first letter, but is not in capitals throughout.
pub(super) fn is_odd(token: &[u8]) -> bool {
    let inner = &token[..token.len().saturating_sub(1)];
    token.iter().any(u8::is_ascii_digit)
        || inner.iter().any(|byte| b"-._#".contains(byte))
        || (token.iter().skip(1).any(u8::is_ascii_uppercase)
            && token.iter().any(u8::is_ascii_lowercase))
}

/// Returns whether `token` is one of the words that people write below a URL.
pub(super) fn is_common(token: &[u8]) -> bool {
    const WORDS: WordList = WordList(
        "and or see also for from with thanks thx regards cheers bye the this that which where first while as endif \
        else fi",
    );
    WORDS.contains(token)
}

/// Returns whether `token` has `&key=` or an escape in it, as words do not.
pub(super) fn has_pair_or_escape(token: &[u8]) -> bool {
    let mut places = memchr::memchr2_iter(b'&', b'%', token);
    places.any(|at| match token[at] {
        b'&' => has_key(&token[at + 1..]),
        _ => escape_at(token, at).is_some(),
    })
}

/// Returns whether `text` begins with the extension of a file and a query.
pub(super) fn has_extension_and_query(text: &[u8]) -> bool {
    let len = text
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    (1..=5).contains(&len) && text.get(len) == Some(&b'?') && has_key(&text[len + 1..])
}

/// Returns whether `token` may be a word of prose: it has no digit, and none of `. / = ? % _ # ~`
/// inside.
pub(crate) fn is_prose(token: &[u8]) -> bool {
    let inner = &token[..token.len().saturating_sub(1)];
    !token.iter().any(u8::is_ascii_digit) && !inner.iter().any(|byte| b"./=?%_#~".contains(byte))
}

/// Returns whether `token` is an email address: `joe@a.example`.
pub(super) fn is_address(token: &[u8]) -> bool {
    let has_delimiter = token.iter().any(|byte| b"/?=&".contains(byte));
    !has_delimiter && memchr::memchr(b'@', token).is_some_and(|at| at > 0)
}

/// Returns the last label of `host`, if it has several.
pub(super) fn top_level_domain(host: &[u8]) -> Option<&[u8]> {
    memchr::memrchr(b'.', host).map(|dot| &host[dot + 1..])
}

/// Returns whether `token` is the path of a local file: `/home/joe`.
pub(super) fn is_rooted(token: &[u8]) -> bool {
    const ROOTS: WordList = WordList("home usr etc var tmp root pub dev opt proc bin mnt run sys");
    let mut names = token.split(|&byte| byte == b'/');
    let is_root = |name: &[u8]| ROOTS.iter().any(|root| name == root.as_bytes());
    names.next() == Some(b"") && names.next().is_some_and(is_root)
}

/// Returns whether `path` ends in a file extension that is common on the web.
pub(crate) fn has_extension(path: &[u8]) -> bool {
    let tail = &path[path.len().saturating_sub(8)..];
    memchr::memrchr(b'.', tail).is_some_and(|dot| is_extension(&tail[dot + 1..]))
}

pub(super) fn is_extension(name: &[u8]) -> bool {
    // To split a list of words takes too long for each URL at the end of a line.
    const EXTENSIONS: [&str; 75] = [
        "asc", "asp", "aspx", "bz2", "c", "cfm", "cgi", "cpp", "css", "csv", "deb", "diff", "doc",
        "docx", "dvi", "epub", "exe", "gif", "git", "gz", "h", "htm", "html", "ico", "iso", "jar",
        "jpeg", "jpg", "js", "json", "jsp", "md", "mp3", "mp4", "msg", "odt", "patch", "pdf",
        "php", "php3", "phtml", "pl", "png", "pom", "ppt", "pptx", "ps", "py", "rar", "rb", "rdf",
        "rpm", "rs", "rss", "rst", "rtf", "sha1", "shtml", "svg", "tar", "tex", "tgz", "ts", "txt",
        "wav", "wasm", "xls", "xlsx", "xml", "xsd", "xsl", "xz", "yaml", "yml", "zip",
    ];
    let mut known = EXTENSIONS.iter();
    (1..=5).contains(&name.len()) && known.any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}
