//! The notations of templates, format strings, shells and regular expressions, as a table.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::Regex;

use super::Language::{self, Code, Tex};

/// The notations with each sign, and the language that has them, if not all have. Of those that begin at the same
/// place, the first counts. The group is the placeholder; a row without a group is none, and is passed over. White
/// space is for the reader. `%H` is a hexadecimal digit, and `%F` the width and the precision of a conversion.
#[rustfmt::skip]
const NOTATIONS: &[(u8, Option<Language>, &[&str])] = &[
    (b'{', None, &[
        // `#{x["y"]}`, and other templates whose ends are outside the URL.
        r"(\$\{.+ | \{[{%].* | \#\{[A-Za-z@_:].*)$",
    ]),
    (b'<', None, &[
        r"(<%=.* | <\?php.* | <!--\#.*)$",
    ]),
    (b'$', None, &[
        // `$(cmd)`, and `$\sim$` of TeX.
        r"(\$\([A-Za-z_/][^()]*(?:\([^()]*\)[^()]*)*\))",
        r"(\$\\)[A-Za-z]",
        // `$1`, but not a price.
        r"\$[1-9](?:[0-9] | [.,][0-9])",
        r"(\$[1-9])",
        // `$X`. In `Map$Entry` and `a$b` the `$` is part of a name, and `?$top=5` is an OData parameter.
        r"/\$(?:metadata|batch|count|value|ref)\b",
        r"[?&]\$\w+=",
        r"[A-Za-z0-9](\$(?:[A-Z_][A-Z0-9_]+\b | [a-z]\w+))",
        r"[A-Za-z0-9](?:\$[A-Za-z_]\w*)+",
        r"(\$[A-Za-z_]\w*)",
    ]),
    (b'%', None, &[
        r"[^%]?(?:%[1-9A-F]%H)+",
        // `%02d`, read as an escape, would be a control character followed by a letter.
        r"[^%]?(%0[2-8][dxXui])",
        // `%kernel.cache_dir%` and `%env(HOST)%`, without an escape at the end.
        r"[^%]?(%[a-z]+(?:[_.][a-z_.]*(?:\([^()]*\))? | \([^()]*\))%)%H?(?:$ | [^0-9A-Fa-f])",
        r"[^%]?%%H%H",
        // `%(x)s`, `%1$s`, `%0$1`, and a percent sign in formats and settings of programs.
        r"(%\([^()]*(?:\([^()]*\)[^()]*)*\)[A-Za-z])",
        r"[^%]?(%[1-9]\$[sd] | %0\$[0-9] | %%%H%H)",
        // A whole segment, as the language of a page.
        r"/(%[A-Za-z])(?:$ | /)",
        // `%APPDATA%`, `%commit%`, and `%file;`, a parameter entity of a DTD.
        r"[^%]?(%[A-Z_:]{3,}%)",
        r"[^%]?(?:(%[a-z]{3,};) | (%[a-z]{3,}%)%H?(?:$ | [^0-9A-Fa-f]))",
        // The conversions of format strings: `%s`, `%.2f`, `%ld`; `%H` and `%T` come from git and from formats of dates.
        r"(%%F(?:[lzh][dux] | [sSivqdcfxXuoprghHTYnt]))(?:$ | [^A-Za-z0-9])",
        r"[/=:@.\-_%&](%%F[sSivq])",
        r"[/=:@.\-_%&](%%F(?:[lzh][dx] | [dcfxX]))(?:$ | [^a-z])",
        r"(%%F[lzh]?d)x%",
    ]),
    (b'[', None, &[
        // `/[name]/` in a path, and `=[YOUR_KEY]`.
        r"^[^?\#]*[/~](\[(?:\.\.\.)?[A-Za-z][\w-]*\])(?:$ | [/?.:])",
        r"=(\[[A-Z]+_[A-Z_]*\])",
        // A class of characters or a `*`, which no host has.
        r"^[^/?\#]*://(?:[^/?\#]*@)?[^/?\#@]+?(\[[^/?\#]-[^/?\#]\])[^/?\#@]*(?:$ | [/?\#])",
    ]),
    (b'*', None, &[
        r"^[^/?\#]*://(?:[^/?\#]*@)?[^/?\#@]*?(\*)[^/?\#@]*(?:$ | [/?\#])",
        // `.*`, but not in a version, `/1.*/`; `.+`.
        r"(?:^ | [^0-9])(\.\*)",
    ]),
    (b'+', None, &[
        r"[/(=](\.\+)(?:$ | [/)$?\\])",
    ]),
    (b'(', None, &[
        // The groups of regular expressions: `(?:www)`, `(www|ftp)` and `(www\.)?`, after which no query begins.
        r"(\(\?[:P<=!i](?:[^()]*(?:\([^()]*\)[^()]*)*\) | .*$))",
        r"^[^?\#]*?(\([^()?\#]*\|[^()]*\))",
        r"(\([^(]*\)\?)(?:$ | [/\\$(\[.])",
        r"^[^/?\#]*://(?:[^/?\#]*@)?[^/?\#@]*(\([^(/?\#@]*\)\?)",
    ]),
    (b'|', None, &[
        // Alternatives of a regular expression: `http://|https://`.
        r"(\|)\w{2,}:// | ://(\|)",
    ]),
    (b'@', None, &[
        // `@HOST@`.
        r"(@[A-Z0-9_-]*[A-Z][A-Z0-9_-]*@)",
    ]),
    (b'\\', None, &[
        // `\.`, `\d+`, `\1`, `\E`, and characters of a program: `\u00E9`, `\u{E9}`, `\xE9`.
        r"(\\[.?+*()\[\]{}|^$/\-:\#])",
        r"(\\[dwsDWS])[+*?{)\]/$.\-]",
        r"(\\[0-9])(?:$ | [^A-Za-z0-9])",
        r"(\\E)$ | (\\u)(?:\{ | %H{4}) | (\\x)%H{2}",
        // A macro of TeX with a parameter.
        r"(\\[A-Za-z@_:])[A-Za-z@_:]+/\#[1-9]$",
    ]),
    (b'\\', Some(Code), &[
        // A quotation mark in a program, or in a shell a character that would end a command.
        r#"(\\['"&;])"#,
    ]),
    (b'+', Some(Code), &[
        // A program puts a value between two strings: `'+x+'`.
        r#"('\+[^']*\+' | "\+[^"]*\+")"#,
    ]),
    (b':', Some(Code), &[
        // The parameter of a route.
        r"/(:[A-Za-z_]\w*)(?:$ | [/?.(:])",
    ]),
    (b'%', Some(Tex), &[
        r"(%)$",
    ]),
    (b'\\', Some(Tex), &[
        r"(\\[A-Za-z@_:])[A-Za-z@_:]",
    ]),
    (b'#', Some(Tex), &[
        r"(\#[1-9])(?:$ | [^0-9])",
    ]),
];

/// The expression of each row, once a URL has its sign. A test says that none is missing.
static EXPRESSIONS: [OnceLock<Option<Regex>>; NOTATIONS.len()] =
    [const { OnceLock::new() }; NOTATIONS.len()];

/// Returns the notations of a row as one expression.
fn expression(notations: &[&str]) -> Option<Regex> {
    let all = notations.join("|").replace("%H", "[0-9A-Fa-f]");
    let all = all.replace("%F", r"-?[0-9]{0,3}(?:\.[0-9])?");
    Regex::new(&format!("(?xs-u){all}")).ok()
}

/// Returns the range of the first of the notations in `url`.
pub(super) fn first(url: &[u8], language: Language) -> Option<Range<usize>> {
    let is_file = url
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"file:"));
    // The path of a file on Windows, or of VMS: `disk$user`.
    let is_of_path = |range: &Range<usize>| match url[range.start] {
        b'\\' => language != Code,
        b'$' => url[..range.start]
            .last()
            .is_some_and(u8::is_ascii_alphanumeric),
        _ => false,
    };
    let rows = NOTATIONS.iter().zip(&EXPRESSIONS);
    let found = rows.filter_map(|(&(sign, own, notations), row)| {
        let is_of_language = own.is_none_or(|own| own == language);
        let mut signs = memchr::memchr_iter(sign, url).filter(|_| is_of_language);
        // `@HOST@` has two; most URLs with one have a login.
        signs.nth(usize::from(sign == b'@'))?;
        let row = row.get_or_init(|| expression(notations)).as_ref()?;
        // Nothing is allocated unless there is a placeholder.
        let row = row.is_match(url).then_some(row)?;
        row.captures_iter(url).find_map(|found| {
            let group = found.iter().skip(1).flatten().next()?.range();
            (!is_file || !is_of_path(&group)).then_some(group)
        })
    });
    found.min_by_key(|range| range.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_an_expression() {
        assert!(NOTATIONS.iter().all(|(.., row)| expression(row).is_some()));
    }
}
