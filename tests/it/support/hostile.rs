//! Inputs that try to break out of the output: each payload in each place of which a part is shown.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::command::Folder;
use super::packing::{tar_named, zip};

/// The payloads for texts and names, each after its name in the names of files.
pub(crate) const PAYLOADS: &[(&str, &[u8])] = &[
    // Terminals.
    ("colour", b"\x1b[31m"),
    ("title", b"\x1b]0;x\x07"),
    ("link", b"\x1b]8;;http://e.example/\x1b\\e\x1b]8;;\x1b\\"),
    ("clear", b"\x1b[2J\x1b[H"),
    ("c1-utf8", b"\xc2\x9b31m\xc2\x9d0;x\xc2\x9c"),
    ("c1-byte", b"\x9b31m"),
    ("backspace", b"\x08\x08\x08"),
    ("delete", b"\x7f"),
    ("bell", b"\x07\x05\x0e\x0f\x01\x1f"),
    ("nul", b"\0"),
    // The direction of the text, and invisible characters.
    ("override", "\u{202e}gpj".as_bytes()),
    ("embedding", "\u{202a}\u{202b}\u{202c}\u{202d}".as_bytes()),
    ("isolate", "\u{2066}\u{2067}\u{2068}\u{2069}".as_bytes()),
    ("mark", "\u{200e}\u{200f}\u{61c}".as_bytes()),
    (
        "zero-width",
        "\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}".as_bytes(),
    ),
    ("tag", "\u{e0001}\u{e0041}\u{ad}".as_bytes()),
    // Ends of lines.
    ("lf", b"a\nb"),
    ("cr", b"a\rb"),
    ("crlf", b"a\r\nb"),
    ("nel", "a\u{85}b".as_bytes()),
    ("ls", "a\u{2028}b".as_bytes()),
    ("ps", "a\u{2029}b".as_bytes()),
    ("vt", b"a\x0bb"),
    ("ff", b"a\x0cb"),
    ("separators", b"a\x1cb\x1db\x1eb"),
    ("tab", b"a\tb"),
    ("padded", b" a  b "),
    // Commands of CI servers.
    ("github", b"::error file=x,line=1::y"),
    ("github-line", b"a\n::set-output name=x::y"),
    ("github-space", "\u{3000}::stop-commands::x".as_bytes()),
    ("github-old", b"##[error]y"),
    ("azure", b"##vso[task.setvariable variable=x]y"),
    ("teamcity", b"##teamcity[buildStatus status='SUCCESS']"),
    ("escaped", b"%0A::error::y%0D%25"),
    // Markup and quotes.
    ("cdata", b"]]>"),
    ("comment", b"<!--"),
    ("element", b"</failure><x a=\"b\">"),
    ("reference", b"&amp;&#0;&x;"),
    ("quotes", b"\"'`"),
    ("json", b"\",\"rule\":\"x\"},{\"\\"),
    ("backslash", b"\\n\\t\\"),
    ("braces", b"{0}[x](http://e.example/)"),
    // Characters that XML and JSON do not allow.
    ("nonchar", "\u{fffe}\u{ffff}\u{1fffe}".as_bytes()),
    ("surrogate", b"\xed\xa0\x80"),
    ("pair", b"\xed\xa0\xbd\xed\xb8\x80"),
    ("overlong", b"\xc0\xaf\xe0\x80\xaf"),
    ("cut-short", b"\xe2\x82"),
    ("invalid", b"\xff\xfe"),
    ("private", "\u{e000}\u{10ffff}\u{fffd}".as_bytes()),
    // Spreadsheets.
    ("formula", b"=cmd|' /C calc'!A0"),
    ("plus", b"+1+1"),
    ("minus", b"-1+1"),
    ("at", b"@SUM(1+1)"),
    ("tab-formula", b"\t=1+1"),
    ("cr-formula", b"\r=1+1"),
    ("cells", b"a,b;c\"d\te"),
    // Paths.
    ("parents", b"../../x"),
    ("absolute", b"/etc/passwd"),
    ("windows", b"C:\\x"),
];

/// A text with a URL at fault, and where it lies.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) path: Vec<u8>,
    pub(crate) member: Option<Vec<u8>>,
    pub(crate) text: Vec<u8>,
}

/// A folder with all inputs.
pub(crate) struct Hostile {
    pub(crate) folder: Folder,
    pub(crate) inputs: Vec<Input>,
}

/// A text that has a URL with a fault and is otherwise harmless.
const TEXT: &[u8] = b"see <URL:http://a.example/^x> end\n";

impl Hostile {
    /// Writes all inputs to a new folder.
    pub(crate) fn new() -> Self {
        let mut hostile = Hostile {
            folder: Folder::new(),
            inputs: Vec::new(),
        };
        let mut members = Vec::new();
        for &(name, payload) in PAYLOADS {
            let texts = [
                (
                    "url.txt",
                    [b"see <URL:http://a.example/^", payload, b"x> end\n"].concat(),
                ),
                (
                    "host.txt",
                    [b"see <URL:http://^", payload, b".example/> end\n"].concat(),
                ),
                (
                    "bare.txt",
                    [b"see http://a.example/^", payload, b"x end\n"].concat(),
                ),
                (
                    "line.txt",
                    [payload, b" <URL:http://a.example/^x> ", payload, b"\n"].concat(),
                ),
                (
                    "broken.txt",
                    [
                        b"<URL:http://www-\n  a.example/^",
                        payload,
                        b"x> ",
                        payload,
                        b"\n",
                    ]
                    .concat(),
                ),
                ("page.html", html(payload)),
                ("page.md", markdown(payload)),
                ("message.eml", mail(payload)),
                ("data.json", json(payload)),
            ];
            for (kind, text) in texts {
                let path = format!("{name}-{kind}");
                hostile.folder.write(&path, &text);
                hostile.add(path.into_bytes(), None, text);
            }
            hostile.named(name, payload);
            members.push([payload, b"-", name.as_bytes(), b".txt"].concat());
        }
        for (archive, pack) in ARCHIVES {
            hostile.folder.write(archive, pack(&members));
            for member in &members {
                // In tar a NUL ends the name.
                let end = member
                    .iter()
                    .position(|&byte| byte == 0 && archive == "members.tar");
                let name = member[..end.unwrap_or(member.len())].to_vec();
                hostile.add(archive.as_bytes().to_vec(), Some(name), TEXT.to_vec());
            }
        }
        hostile
    }

    fn add(&mut self, path: Vec<u8>, member: Option<Vec<u8>>, text: Vec<u8>) {
        self.inputs.push(Input { path, member, text });
    }

    /// Adds a file and a folder that are named after a payload, if the system has such names.
    fn named(&mut self, name: &str, payload: &[u8]) {
        let payload = payload
            .iter()
            .copied()
            .filter(|byte| !b"\0/".contains(byte));
        let name: Vec<u8> = payload.chain(format!("-{name}.txt").into_bytes()).collect();
        let Some(path) = path(&name) else { return };
        if fs::write(self.folder.path().join(&path), TEXT).is_ok() {
            self.add(name, None, TEXT.to_vec());
        }
    }

    /// Returns the texts by where they lie, as JSON names that.
    pub(crate) fn texts(&self) -> BTreeMap<(String, Option<String>), &[u8]> {
        let inputs = self.inputs.iter();
        inputs
            .map(|input| {
                let member = input.member.as_deref().map(in_utf8);
                ((in_utf8(&input.path), member), &*input.text)
            })
            .collect()
    }
}

/// Packs texts under these names.
type PackNames = fn(&[Vec<u8>]) -> Vec<u8>;

/// Packs members.
type Pack = fn(&[(&str, &[u8])]) -> Vec<u8>;

/// Archives with the same members.
const ARCHIVES: [(&str, PackNames); 2] = [
    ("members.tar", |names| {
        tar_named(
            &names
                .iter()
                .map(|name| (&name[..], TEXT))
                .collect::<Vec<_>>(),
        )
    }),
    ("members.zip", |names| renamed(zip, names)),
];

/// Packs members of any names with a function that takes UTF-8 alone: it gets others as long, which are
/// replaced in the archive.
fn renamed(pack: Pack, names: &[Vec<u8>]) -> Vec<u8> {
    let stand_in =
        |(at, name): (usize, &Vec<u8>)| format!("{:~<1$}", format!("#{at}#"), name.len());
    let stand_ins: Vec<_> = names.iter().enumerate().map(stand_in).collect();
    let members: Vec<_> = stand_ins.iter().map(|name| (&**name, TEXT)).collect();
    let mut archive = pack(&members);
    for (stand_in, name) in stand_ins.iter().zip(names) {
        let found: Vec<_> = memchr::memmem::find_iter(&archive, stand_in).collect();
        assert!(!found.is_empty());
        for at in found {
            archive[at..][..name.len()].copy_from_slice(name);
        }
    }
    archive
}

#[cfg(unix)]
fn path(name: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(std::ffi::OsStr::from_bytes(name).into())
}

#[cfg(not(unix))]
fn path(_: &[u8]) -> Option<PathBuf> {
    None
}

/// Returns `bytes` as UTF-8: each byte that is not becomes U+FFFD.
pub(crate) fn in_utf8(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}

/// Links with the payload as their text, title and target, by references or, where it is not UTF-8, as it
/// is.
fn html(payload: &[u8]) -> Vec<u8> {
    let payload = match str::from_utf8(payload) {
        Ok(text) => text
            .chars()
            .map(|c| format!("&#{};", u32::from(c)))
            .collect::<String>()
            .into_bytes(),
        Err(_) => payload.to_vec(),
    };
    [
        b"<a href=\"http://a.example/^x\" title=\"",
        &payload[..],
        b"\" rel=\"",
        &payload,
        b"\">",
        &payload,
        b"</a>\n<a href=\"http://a.example/^",
        &payload,
        b"x\">b</a>\n",
    ]
    .concat()
}

fn markdown(payload: &[u8]) -> Vec<u8> {
    [
        b"[",
        payload,
        b"](http://a.example/^x \"",
        payload,
        b"\")\n\n[b](<http://a.example/^",
        payload,
        b"x>)\n\n<http://a.example/^x>\n",
    ]
    .concat()
}

/// A message with the payload in encoded words and in the body.
fn mail(payload: &[u8]) -> Vec<u8> {
    let word: String = payload.iter().map(|byte| format!("={byte:02X}")).collect();
    let head = format!(
        "From: =?utf-8?Q?{word}?= <a@a.example>\nTo: b@b.example\nSubject: =?utf-8?Q?{word}?=\n\
         Message-ID: <{word}@a.example>\nList-Id: =?utf-8?Q?{word}?= <l.a.example>\n\
         Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
         see <URL:http://a.example/^x> and <URL:http://a.example/^{word}x> {word}\n"
    );
    head.into_bytes()
}

/// A JSON document with the payload as an escaped string, surrogates by themselves. No name is before a string with
/// it: with an `@`, a diff would hide a password there.
fn json(payload: &[u8]) -> Vec<u8> {
    let mut escaped = String::new();
    for chunk in payload.utf8_chunks() {
        for unit in chunk.valid().encode_utf16() {
            escaped.push_str(&format!("\\u{unit:04x}"));
        }
        if !chunk.invalid().is_empty() {
            escaped.push_str("\\ud800");
        }
    }
    let text = format!(
        "{{\"a\": [\"http://a.example/^{escaped}x\", \"{escaped} http://a.example/^x {escaped}\"], \"{escaped}\": 1}}\n"
    );
    text.into_bytes()
}
