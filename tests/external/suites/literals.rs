//! The literals of Rust code.

/// A token of Rust code; numbers are words, and comments none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Text(String),
    Word(String),
    Sign(char),
}

/// Returns the tokens of `code`.
pub(super) fn tokens(code: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if let Some(raw) = rest.strip_prefix("r\"") {
            let end = raw.find('"').unwrap();
            tokens.push(Token::Text(raw[..end].to_owned()));
            rest = &raw[end + 1..];
        } else if let Some(string) = rest.strip_prefix('"') {
            let (text, after) = string_literal(string);
            tokens.push(Token::Text(text));
            rest = after;
        } else if first.is_alphanumeric() || first == '_' {
            let is_of_word = |sign: char| sign.is_alphanumeric() || sign == '_';
            let end = rest.find(|sign| !is_of_word(sign)).unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..end].to_owned()));
            rest = &rest[end..];
        } else {
            if !first.is_whitespace() {
                tokens.push(Token::Sign(first));
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    // A comma may follow the last argument.
    let is_last = |index: usize| tokens.get(index + 1) == Some(&Token::Sign(')'));
    let kept = |(index, token): (usize, &Token)| {
        (*token != Token::Sign(',') || !is_last(index)).then(|| token.clone())
    };
    tokens.iter().enumerate().filter_map(kept).collect()
}

/// Returns the text of the literal, whose opening quotation mark precedes `rest`, and the text after it.
fn string_literal(rest: &str) -> (String, &str) {
    let mut text = String::new();
    let mut signs = rest.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => return (text, &rest[at + 1..]),
            '\\' => match signs.next().unwrap().1 {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                '0' => text.push('\0'),
                '\n' => {
                    let rest = signs.as_str();
                    let blanks = rest.len() - rest.trim_start().len();
                    signs.by_ref().take(blanks).for_each(drop);
                }
                'u' => {
                    let code: String = signs
                        .by_ref()
                        .skip(1)
                        .map(|(_, digit)| digit)
                        .take_while(|digit| *digit != '}')
                        .collect();
                    text.push(char::from_u32(u32::from_str_radix(&code, 16).unwrap()).unwrap());
                }
                'x' => {
                    let code: String = signs.by_ref().take(2).map(|(_, digit)| digit).collect();
                    text.push(char::from(u8::from_str_radix(&code, 16).unwrap()));
                }
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
    panic!("a literal without an end")
}
