//! `--add-ignore`: comments stand only where they change nothing else, and suppress everything.

use crate::support::command::Folder;

const URL: &str = "http://a.example/x{y";

/// Adds comments to a file and compares it with what is expected, in which a line `+keyword` is an
/// added comment, and ` +ignore` one at the end of a line. `URL` stands for a URL with a diagnostic.
fn assert_added(name: &str, marked: &str) {
    let (opening, closing) = match name.rsplit('.').next().unwrap() {
        "py" | "sh" | "yaml" | "toml" => ("# ", ""),
        "rs" | "js" | "go" | "adoc" => ("// ", ""),
        "rst" => (".. ", ""),
        "tex" => ("% ", ""),
        "1" => (".\\\" ", ""),
        _ => ("<!-- ", " -->"),
    };
    let comment = |keyword: &str| format!("{opening}urlint: {keyword}[unsafe-character]{closing}");
    let (mut old, mut new) = (String::new(), String::new());
    for line in marked.split_inclusive('\n') {
        let line = line.replace("URL", URL);
        if let Some(keyword) = line.strip_prefix('+') {
            let indent = &keyword[..keyword.len() - keyword.trim_start().len()];
            new.push_str(&format!("{indent}{}\n", comment(keyword.trim())));
            // A comment of reStructuredText is a block.
            if name.ends_with(".rst") {
                new.push('\n');
            }
        } else if let Some((before, after)) = line.split_once(" +ignore") {
            old.push_str(&format!("{before}{after}"));
            new.push_str(&format!("{before} {}{after}", comment("ignore")));
        } else {
            old.push_str(&line);
            new.push_str(&line);
        }
    }
    let folder = Folder::of(&[(name, &old)]);
    let ran = folder.run(&["check", "--add-ignore", name], b"");
    assert_eq!(folder.read(name), new, "{name}: {}", ran.stderr);
    let is_left = old == new;
    assert_eq!(ran.code, Some(if is_left { 2 } else { 0 }), "{name}: {new}");
    if is_left {
        assert!(ran.stderr.contains("--baseline FILE"), "{}", ran.stderr);
        return;
    }
    // Nothing is reported, and no comment is there in vain.
    let ran = folder.run(
        &["check", "--extend-select", "unused-suppression", name],
        b"",
    );
    assert_eq!(ran.code, Some(0), "{name}: {}", ran.text());
}

#[test]
fn markdown() {
    for text in [
        "see\n<URL> here +ignore\nmore\n",
        "- one URL +ignore\n- two\n\n  text <URL> +ignore\n",
        "> quoted <URL> +ignore\n",
        "+ignore\n# Head <URL>\n",
        "+ignore\nHead <URL>\n====\n",
        "text\n\n+disable\n```sh\ncurl URL\n```\n\n+enable\nmore\n",
        "+disable\n| a | b |\n|---|---|\n| <URL> | c |\n\n+enable\nmore\n",
        "+ignore\n[one]: URL\n[two]: http://b.example/\n+ignore\n[three]: URL\n\n[one]\n",
        "+disable\n- item\n\n  ```sh\n  curl URL\n  ```\n",
        "line <URL> +ignore  \nbreak\n",
        // Nothing may come before front matter.
        "---\nurl: URL\n---\n\ntext\n",
    ] {
        assert_added("a.md", text);
    }
}

#[test]
fn restructured_text() {
    for text in [
        "Title\n=====\n\n+disable\nSee URL here.\n\n+enable\nMore.\n",
        "+disable\nSee.\n\n* one\n* URL\n\n* two\n\n+enable\nMore.\n",
        "+disable\nCode::\n\n  URL\n\nNext.\n\n+enable\nMore.\n",
        "+disable\nText.\n\n.. _a: URL\n\nSection\n=======\n\n+enable\nMore.\n",
        "+disable\nText.\n\nterm\n  URL\n\n+enable\nMore.\n",
    ] {
        assert_added("a.rst", text);
    }
}

#[test]
fn source_code_and_configuration() {
    for (name, text) in [
        ("a.py", "#!/usr/bin/python3\n+ignore\nX = 'URL'\n"),
        (
            "a.py",
            "+disable\nX = \"\"\"\nURL\n\"\"\"\n+enable\nY = 1\n",
        ),
        (
            "a.py",
            "def f():\n+    disable\n    '''URL\n\n    URL'''\n+    enable\n    pass\n",
        ),
        (
            "a.py",
            "+disable\nx = 1 + \\\n  len('URL')\n+enable\ny = 2\n",
        ),
        ("a.py", "# -*- coding: latin-1 -*-\n+ignore\n# URL\n"),
        ("a.sh", "+disable\ncat <<END\nURL\nEND\n+enable\necho\n"),
        (
            "a.sh",
            "+disable\ncat <<'A' <<-B\nURL\nA\nURL\n\tB\n+enable\necho\n",
        ),
        ("a.sh", "+disable\necho \"\nURL\"\n+enable\necho\n"),
        ("a.sh", "x=$((1 << 2))\n+ignore\necho URL\n"),
        ("a.yaml", "+ignore\nurl: URL\nlist:\n+  ignore\n  - URL\n"),
        (
            "a.yaml",
            "+disable\ntext: |\n  one URL\n  two\n+enable\nend: 1\n",
        ),
        ("a.yaml", "+disable\nrun: >-\n\n  URL\n"),
        (
            "a.yaml",
            "+disable\ntext: one\n  two URL\n+enable\nend: 1\n",
        ),
        ("a.toml", "+disable\nx = '''\nURL'''\n+enable\ny = 1\n"),
        (
            "a.rs",
            "+disable\nlet x = r#\"\n\"URL\n\"#;\n+enable\nlet y = '\"';\n+ignore\n// URL\n",
        ),
        ("a.go", "+disable\nx := `\nURL`\n+enable\ny := 1\n"),
        ("a.js", "+disable\nx = `\nURL`;\n+enable\ny = 1;\n"),
        ("a.js", "x = <p>\nURL\n</p>;\n"),
        (
            "a.adoc",
            "See.\n\n+disable\n----\nURL\n----\n+enable\n\nEnd.\n",
        ),
        (
            "a.adoc",
            "+disable\n----\n-----\n\nURL\n----\n+enable\n\nEnd.\n",
        ),
        // A string that goes on may have lines like entries.
        ("a.yaml", "text: 'one\n  two: URL'\nlist:\n- x\n"),
        (
            "a.tex",
            "+disable\n\\begin{verbatim}\nURL\n\\end{verbatim}\n+enable\nEnd.\n",
        ),
        ("a.1", ".TH A 1\n+disable\n.TS\nURL\n.TE\n+enable\n.PP\n"),
    ] {
        assert_added(name, text);
    }
}

#[test]
fn markup() {
    for text in [
        "<!DOCTYPE html>\n+ignore\n<p>See URL</p>\n",
        "<html>\n+disable\n<pre>\nURL\n</pre>\n+enable\n<p>x</p>\n",
        "<html>\n+disable\n<a\n href=\"URL\">x</a>\n+enable\n<p>x</p>\n",
    ] {
        assert_added("a.html", text);
    }
    let text = format!(
        "<?xml version=\"1.0\"?>\n<rfc><t>See\n{URL}\n</t><artwork>\n{URL}\n</artwork>\n<x>\n\n  \
         {URL}\n</x>\n</rfc>\n"
    );
    let folder = Folder::of(&[("a.xml", text)]);
    let ran = folder.run(&["check", "--add-ignore", "."], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    // White space counts in XML, so that a comment takes no line.
    let comment = |keyword: &str| format!("<!-- urlint: {keyword}[unsafe-character] -->");
    let [ignore, disable, enable] = ["ignore", "disable", "enable"].map(comment);
    let expected = format!(
        "<?xml version=\"1.0\"?>\n<rfc><t>See\n{ignore}{URL}\n{disable}</t><artwork>\n{URL}\n\
         </artwork>\n{enable}<x>\n\n  {ignore}{URL}\n</x>\n</rfc>\n"
    );
    assert_eq!(folder.read("a.xml"), expected);
    assert_eq!(folder.run(&["check"], b"").code, Some(0));
}
