//! Texts that have a password in them, in every way of writing one: `fixtures/logins.json` has the parts
//! of which they are made.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// A text with a password.
#[derive(Debug)]
pub(super) struct Form {
    /// The unique name of the file. Its extension tells the kind of document.
    pub(super) file: String,
    pub(super) text: String,
    /// Whether this run shows it to urlint.
    pub(super) is_tried: bool,
}

/// The letters of passwords: none of `http`, of vowels or of hexadecimal digits, so that four of them
/// in a row are nowhere else.
const LETTERS: &[u8] = b"GHJKMNPQRSVWXYZ";

/// How many letters of a password in a row are never shown.
pub(super) const LEAK: usize = 4;

/// How long a password is; it is written in two halves.
pub(super) const PASSWORD: usize = 10;

/// Returns letters in which no [`LEAK`] of them in a row are there twice: a sequence of de Bruijn. Each
/// password is a slice of it, so that any four letters of one tell which it is.
pub(super) fn sequence() -> String {
    let (mut sequence, mut seen) = (vec![LETTERS[0]; LEAK - 1], BTreeSet::new());
    loop {
        let last = &sequence[sequence.len() + 1 - LEAK..];
        let mut letters = LETTERS.iter().rev();
        match letters.find(|letter| seen.insert([last, &[**letter]].concat())) {
            Some(letter) => sequence.push(*letter),
            None => return String::from_utf8(sequence).unwrap(),
        }
    }
}

/// Returns all forms.
pub(super) fn forms() -> Vec<Form> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/logins.json");
    let parts: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let letters = sequence();
    let choices = parts["families"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(choices);
    let form = |(number, choice)| {
        let making = Making {
            parts: &parts,
            choice,
            number,
        };
        making.form(&letters[number * PASSWORD..][..PASSWORD])
    };
    choices.enumerate().map(form).collect()
}

/// Returns each choice of one from every list of `family`.
fn choices(family: &Value) -> Vec<Map<String, Value>> {
    let mut choices = vec![Map::new()];
    for (key, value) in family.as_object().unwrap() {
        let values = value
            .as_array()
            .map_or(std::slice::from_ref(value), Vec::as_slice);
        let with = |choice: &Map<_, _>| {
            let all = values.iter().map(|value| {
                let mut choice = choice.clone();
                choice.insert(key.clone(), value.clone());
                choice
            });
            all.collect::<Vec<_>>()
        };
        choices = choices.iter().flat_map(with).collect();
    }
    choices
}

/// A form in the making.
struct Making<'f> {
    parts: &'f Value,
    choice: Map<String, Value>,
    number: usize,
}

impl Making<'_> {
    fn form(&self, password: &str) -> Form {
        let url = ["scheme", "slashes", "login", "path"]
            .map(|key| self.part(key))
            .concat();
        let (a, b) = password.split_at(PASSWORD / 2);
        let with_password = |text: &str| text.replace("{a}", a).replace("{b}", b);
        let mut text = self.written(self.broken(&with_password(&url)));
        if self.choice.contains_key("base64") {
            text = in_base64(self.part("base64").replacen("{}", &text, 1).as_bytes());
        }
        for around in ["around", "beside"] {
            text = self.part(around).replacen("{}", &text, 1);
        }
        // The first line has the leader of the others.
        let leader = self
            .part("break")
            .trim_start_matches(['\r', '\n', '\\', '"', '=', ' ', '\t']);
        if leader.ends_with(' ') {
            text = text.replace("\nhttp:", &format!("\n{leader}http:"));
            text.insert_str(0, leader);
        }
        let (name, extension) = (self.part("name"), self.part("file"));
        Form {
            file: format!("{:04}-{name}.{extension}", self.number),
            text: self.part("head").to_owned() + &with_password(&text),
            is_tried: true,
        }
    }

    /// Returns the chosen part of a kind. If a whole list is chosen, that is each of its parts in turn.
    fn part(&self, key: &str) -> &str {
        let chosen = self.choice.get(key).unwrap_or(&self.parts["default"][key]);
        let chosen = chosen.as_str().unwrap_or_default();
        let list = self.parts.get(chosen).and_then(Value::as_array);
        list.map_or(chosen, |list| {
            list[self.number % list.len()].as_str().unwrap()
        })
    }

    /// `url` with some of it written in another way.
    fn written(&self, url: String) -> String {
        let writing = self.choice.get("writing").and_then(Value::as_object);
        let pairs = writing.into_iter().flatten();
        pairs.fold(url, |url, (from, to)| {
            url.replace(from, to.as_str().unwrap())
        })
    }

    /// `url` with a break at a place of it, or after every few characters.
    fn broken(&self, url: &str) -> String {
        let number = |key| {
            self.choice
                .get(key)
                .and_then(Value::as_u64)
                .map(|number| number as usize)
        };
        let is_place = |at| {
            number("at") == Some(at)
                || at > 0 && number("len").is_some_and(|len| at.is_multiple_of(len))
        };
        let chars = url.chars().enumerate();
        let broken = chars.map(|(at, c)| {
            if is_place(at) {
                format!("{}{c}", self.part("break"))
            } else {
                c.to_string()
            }
        });
        broken.collect()
    }
}

fn in_base64(text: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.chunks(3).flat_map(|bytes| {
        let bits = (0..3).fold(0, |bits, at| {
            bits << 8 | usize::from(*bytes.get(at).unwrap_or(&0))
        });
        let digit = move |at| char::from(DIGITS[bits >> (18 - 6 * at) & 63]);
        (0..4).map(move |at| if at <= bytes.len() { digit(at) } else { '=' })
    });
    digits.collect()
}
