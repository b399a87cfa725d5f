//! The suppression comment that an editor proposes: it is added only where it changes nothing else.

use std::path::Path;

use urlint::config::{Options, Source};
use urlint::lint::{Checked, Checker, add_ignore};
use urlint::{Diagnostic, fix};

const URL: &str = "http://a.example/x{y";

/// Returns `text`, the file `name`, with a comment for each diagnostic that has a place for one, and whether some has
/// none.
fn added(name: &str, text: &str) -> (String, bool) {
    let source = Source::new("a test", Path::new("/nowhere"));
    let toml = "deep = true\nextend-select = ['unused-suppression']";
    let options = Options::from_toml(toml, &source).unwrap();
    let settings = options
        .resolve()
        .for_file(&Path::new("/nowhere").join(name));
    let (checker, reader) = (Checker::new(settings.lint()), settings.reader());
    let (name, mut text) = (name.as_bytes(), text.as_bytes().to_vec());
    loop {
        let mut found: Vec<Diagnostic> = Vec::new();
        let checked = checker.check(&reader, name, &text[..], &mut |checked| {
            if let Checked::Diagnostic(diagnostic, _) = checked {
                found.push(diagnostic);
            }
            Ok::<(), std::io::Error>(())
        });
        checked.unwrap();
        let comment = |one| add_ignore::insertion(&checker, &reader, name, &text, one);
        match found.iter().find_map(comment) {
            Some(comment) => text = fix::apply(&text, [&comment]).bytes,
            None => return (String::from_utf8(text).unwrap(), !found.is_empty()),
        }
    }
}

/// Adds comments to a file and compares it with the expected text `marked`. There a line `+` is an added
/// comment, and `(+)` is one within a line. `URL` stands for a URL with a diagnostic. If there are no added
/// comments, the file stays as it is.
fn assert_added(name: &str, marked: &str) {
    let (opening, closing) = match name.rsplit('.').next().unwrap() {
        "md" | "html" | "xml" => ("<!--", " -->"),
        "py" | "sh" | "yaml" | "toml" => ("#", ""),
        _ => ("//", ""),
    };
    let comment = format!("{opening} urlint: ignore[unsafe-character]{closing}");
    let (mut old, mut new) = (String::new(), String::new());
    for line in marked.split_inclusive('\n') {
        let line = line.replace("URL", URL);
        if line.trim() == "+" {
            new.push_str(&line.replace('+', &comment));
        } else {
            new.push_str(&line.replace("(+)", &comment));
            // In Markdown it is apart from the text.
            let mark = if name.ends_with(".md") { " (+)" } else { "(+)" };
            old.push_str(&line.replace(mark, ""));
        }
    }
    assert_eq!(
        added(name, &old),
        (new.clone(), old == new),
        "{name}: {old}"
    );
}

#[test]
fn markdown() {
    for text in [
        "see\n<URL> here (+)\nmore\n",
        "- one URL (+)\n- two\n\n  text <URL> (+)\n",
        "> quoted <URL> (+)\n> \n> # Head <URL> (+)\n",
        "+\n# Head <URL>\n",
        "+\nHead <URL>\n====\n",
        "+\n[one]: URL\n[two]: http://b.example/\n+\n[three]: URL\n\n[one]\n",
        "line <URL> (+)  \nbreak\n",
        "`code\nURL` (+)\n",
        "text URL (+)\r\nmore\r\n",
    ] {
        assert_added("a.md", text);
    }
    for text in [
        "text\n\n```sh\ncurl URL\n```\n",
        "text\n\n    curl URL\n",
        "- item\n\n  ```sh\n  curl URL\n  ```\n",
        "<div>\nURL\n</div>\n",
        "text\n<b title='\nURL'>\n",
        "break URL\\\nmore\n",
        // Nothing may come before front matter.
        "---\nurl: URL\n---\n\ntext\n",
        "\u{feff}# Head <URL>\n",
    ] {
        assert_added("a.md", text);
    }
}

#[test]
fn source_code_and_configuration() {
    for (name, text) in [
        ("a.py", "#!/usr/bin/python3\n+\nX = 'URL'\n"),
        ("a.py", "# -*- coding: latin-1 -*-\n+\n# URL\n"),
        ("a.py", "def f():\n    +\n    return 'URL'\n"),
        ("a.toml", "+\nx = 'URL'\ny = [\n  +\n  'URL',\n]\n"),
        (
            "a.sh",
            "x=$((1 + 2)) # don't\n+\necho URL\necho \"a 'b\"\n+\n# URL\n",
        ),
        ("a.yaml", "+\nurl: URL\nlist:\n  # x\n  +\n  - name: URL\n"),
        ("a.rs", "let x = \"'\"; // \"\n+\n// URL\n"),
        ("a.go", "+\nx := \"URL\"\n"),
        ("a.js", "+\nx = 'URL';\n"),
        ("a.c", "/*\n * x\n +\n * URL\n */\n"),
        ("a.java", "class A {\n\t+\n\tString x = \"URL\";\n}\n"),
        ("a.cs", "+\n// URL\n"),
    ] {
        assert_added(name, text);
    }
    for (name, text) in [
        ("a.py", "X = \"\"\"\nURL\n\"\"\"\n"),
        ("a.py", "def f():\n    \'\'\'x\n\n    URL\'\'\'\n"),
        ("a.py", "x = 1 + \\\n  len('URL')\n"),
        ("a.py", "# URL\n# coding: latin-1\n"),
        ("a.py", "#!/usr/bin/env URL\n"),
        ("a.py", "\u{feff}# URL\n"),
        ("a.toml", "x = \'\'\'\nURL\'\'\'\n"),
        ("a.sh", "cat <<END\nURL\nEND\n"),
        ("a.sh", "echo \"\nURL\"\n"),
        ("a.sh", "echo 'it'\\\'' \"is'\nURL\"\n"),
        ("a.sh", "x=\"$(echo \"\nURL\"\n)\"\n"),
        ("a.yaml", "text: |\n  one URL: x\n"),
        ("a.yaml", "run: >-\n\n  x: URL\n"),
        ("a.yaml", "text: one\n  two URL\nend: 1\n"),
        ("a.yaml", "text: one\n  - two URL\n"),
        // A string that goes on may have lines like entries.
        ("a.yaml", "text: 'one\n  two: URL'\n"),
        ("a.rs", "let x = r#\"\n\"URL\n\"#;\n"),
        ("a.rs", "let x = \"\nURL\";\n"),
        ("a.rs", "let x = ['\"', \"a\n// URL\"];\n"),
        ("a.go", "x := `\nURL`\n"),
        ("a.js", "x = `\nURL`;\n"),
        ("a.js", "x = <p>\nURL\n</p>;\n"),
        ("a.cpp", "x = R\"(\nURL)\";\n"),
        ("a.c", "#define X \\\n  \"URL\"\n"),
        ("a.cs", "x = @\"\nURL\";\n"),
    ] {
        assert_added(name, text);
    }
}

#[test]
fn no_comments_where_nothing_tells_what_they_would_change() {
    for name in [
        "a.rst", "a.adoc", "a.tex", "a.1", "a.json", "a.po", "a.rb", "a.txt", "Makefile",
    ] {
        // Of a catalogue, only translations are judged.
        let text = "msgstr \"See URL there.\n".replace("URL", URL);
        assert_eq!(added(name, &text), (text.clone(), true), "{name}");
    }
}

#[test]
fn markup() {
    for (name, text) in [
        ("a.html", "<!DOCTYPE html>\n(+)<p>See URL</p>\n"),
        ("a.html", "<html>\n<pre>\n  x\n  (+)URL\n</pre>\n"),
        ("a.html", "<p>one\n(+)URL two\n"),
        // White space counts in XML, so that a comment takes no line.
        (
            "a.xml",
            "<?xml version=\"1.0\"?>\n<rfc><t>See\n(+)URL\n</t><x>\n\n  (+)URL\n</x>\n</rfc>\n",
        ),
    ] {
        assert_added(name, text);
    }
    for (name, text) in [
        ("a.html", "<html>\n<a\n href=\"URL\">x</a>\n"),
        ("a.html", "<title>\nURL</title>\n"),
        ("a.html", "<textarea>\nURL</textarea>\n"),
        ("a.xml", "<?xml version=\"1.0\"?><t>URL</t>\n"),
        ("a.xml", "<t><![CDATA[\nURL\n]]></t>\n"),
        ("a.xml", "<t\n a='URL'/>\n"),
    ] {
        assert_added(name, text);
    }
    // Scripts and styles have no comments of HTML.
    for element in ["script", "style"] {
        let text = format!("<{element}>\nx = '{URL}';\n</{element}>\n");
        assert_eq!(added("a.html", &text), (text.clone(), true));
    }
}

#[test]
fn lines_and_breaks_stay_as_they_are() {
    let cases = [
        (
            "a.md",
            "see\n http://a.example/^x  \nmore\n",
            "see\n http://a.example/^x <!-- urlint: ignore[unsafe-character] -->  \nmore\n",
        ),
        (
            "a.py",
            "x\r\n  # http://a.example/^x\r\n",
            "x\r\n  # urlint: ignore[unsafe-character]\r\n  # http://a.example/^x\r\n",
        ),
        (
            "a.html",
            "<p>http://a.example/^x</p>",
            "<!-- urlint: ignore[unsafe-character] --><p>http://a.example/^x</p>",
        ),
        ("fine.py", "# http://a.example/\n", "# http://a.example/\n"),
        // In the middle of a URL, without comments: left alone.
        (
            "middle.py",
            "# <URL:http://a.example/\n# x> http://b.example/^y\n",
            "# <URL:http://a.example/\n# x> http://b.example/^y\n",
        ),
        ("a.txt", "http://a.example/^x", "http://a.example/^x"),
    ];
    for (name, text, expected) in cases {
        let is_left = text == expected && name != "fine.py";
        assert_eq!(added(name, text), (expected.to_owned(), is_left), "{name}");
    }
}

#[test]
fn lines_without_a_place_have_no_comments() {
    let code = format!("```sh\ncurl {URL}\n```\n\n");
    let text = format!("see <{URL}> here\n\n{code}{code}and <{URL}> there\n");
    let expected = text.replace(" here", " here <!-- urlint: ignore[unsafe-character] -->");
    let expected = expected.replace(" there", " there <!-- urlint: ignore[unsafe-character] -->");
    assert_eq!(added("a.md", &text), (expected, true));
}
