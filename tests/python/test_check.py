"""`check` and `fix`, and settings as keywords."""

import json
import subprocess
import types

import pytest
import urlint
from conftest import command
from hypothesis import given, strategies as st

TEXT = "„é“ <URL:ftp://ann:pw@a.example:/x\n  /y> and http://b.example/~z\r\nhttp://c.example:80/`"


def reported(text, *arguments):
    """What the command says of a text on standard input."""
    ran = subprocess.run(
        [command(), "check", "--isolated", "--output-format", "json-lines", *arguments, "-"],
        input=text.encode() if isinstance(text, str) else text,
        capture_output=True,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.parametrize("arguments", [{}, {"select": ["ALL"]}, {"standard": "whatwg"}, {"min_severity": "warning"}])
def test_the_same_as_the_command(arguments):
    flags = [
        f"--config={key.replace('_', '-')}={json.dumps(value)}" for key, value in arguments.items()
    ]
    wanted = reported(TEXT, *flags)
    assert wanted
    in_bytes = urlint.check(TEXT.encode(), **arguments)
    found = urlint.check(TEXT, **arguments)
    assert [diagnostic.rule for diagnostic in found] == [row["rule"] for row in wanted]
    for diagnostic, same, row in zip(found, in_bytes, wanted):
        assert diagnostic.severity == row["severity"]
        assert diagnostic.message == same.message == row["message"]
        assert (diagnostic.line, diagnostic.column) == (row["line"], row["column"])
        assert (same.start, same.end) == (row["start"], row["end"])
        assert TEXT[: diagnostic.start].encode() == TEXT.encode()[: same.start]
        assert TEXT[: diagnostic.end].encode() == TEXT.encode()[: same.end]
        assert "pw" not in repr(diagnostic) + str(diagnostic) + diagnostic.message + str(diagnostic.url)
        assert diagnostic.standard == row["standard"] and diagnostic.reference == row["reference"]


def as_the_command_says(diagnostic):
    names = "rule severity message start end line column end_line end_column notes alternatives standard reference"
    fix = diagnostic.fix
    edits = [{"start": edit.start, "end": edit.end, "replacement": edit.replacement} for edit in fix.edits] if fix else []
    return {name: getattr(diagnostic, name) for name in names.split()} | {
        "url": diagnostic.url or "",
        "spans": [list(span) for span in diagnostic.spans],
        "pieces": [list(piece) for piece in diagnostic.pieces],
        "fix": fix and {"message": fix.message, "applicability": fix.applicability, "edits": edits},
    }


@pytest.mark.parametrize(("kind", "pattern"), [("plain", "rfc/*.txt"), ("mbox", "mail/**/*.mbox"), ("markdown", "docs/**/*.md")])
def test_all_that_the_command_says_of_real_texts(kind, pattern, corpora):
    for path in sorted(corpora.glob(pattern))[:15]:
        text = path.read_bytes()
        rows = reported(text, "--type", kind, "--select", "ALL")
        for row in rows:
            del row["path"], row["member"]
        assert [as_the_command_says(wrong) for wrong in urlint.check(text, kind=kind, select=["ALL"])] == rows


def test_fixes():
    text = "é <URL:ftp://a.example:/x>"
    [diagnostic] = urlint.check(text)
    assert diagnostic.fix.applicability == "safe"
    [edit] = diagnostic.fix.edits
    mended = text[: edit.start] + edit.replacement + text[edit.end :]
    assert urlint.fix(text) == mended == "é <URL:ftp://a.example/x>"
    assert urlint.fix(text.encode()) == urlint.fix(bytearray(text, "utf-8")) == mended.encode()
    assert urlint.fix(text, ignore=["empty-port"]) == text
    # Nothing to fix, and bytes that are not UTF-8.
    assert urlint.fix("") == "" and urlint.fix(b"\xff") == b"\xff"
    assert urlint.fix(b"\xff ftp://a.example:/x") == b"\xff ftp://a.example/x"


def test_unsafe_fixes():
    text = "mailto:<http://a.example/x y> http://a.example/x`"
    safe = urlint.fix(text, select=["ALL"])
    all_of_them = urlint.fix(text, unsafe=True, select=["ALL"])
    assert all_of_them == urlint.fix(text, unsafe_fixes=True, select=["ALL"])
    assert urlint.fix(text, unsafe=False, unsafe_fixes=True, select=["ALL"]) == safe


def test_suppression_comments_count():
    text = "<!-- urlint: ignore -->\n"
    assert urlint.check("ftp://a.example:/x") != []
    with_comment = "ftp://a.example:/x urlint: ignore[empty-port]\n" + text
    assert "empty-port" not in [diagnostic.rule for diagnostic in urlint.check(with_comment, "a.txt")]


def test_a_comment_is_used_by_what_is_not_severe_enough():
    text = "http://a.example/~joe <!-- urlint: ignore[unsafe-character] -->"
    for severity in ["hint", "warning"]:
        assert urlint.check(text, ignore=["host-not-public"], min_severity=severity) == [], severity


def test_diagnostics_about_comments_are_in_their_place():
    text = "<!-- urlint: ignore[empty-port] -->\n\n\nftp://a.example:/x\n"
    found = [(diagnostic.line, diagnostic.rule) for diagnostic in urlint.check(text)]
    assert found == [(1, "unused-suppression"), (4, "empty-port")]


def test_configuration_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "urlint.toml").write_text('ignore = ["empty-port"]\n[per-file-ignores]\n"b.txt" = ["ALL"]\n')
    text = "ftp://a.example:/x <URL:http://a.example/~>"
    both = [diagnostic.rule for diagnostic in urlint.check(text)]
    assert both == ["empty-port", "unsafe-character"]
    assert [diagnostic.rule for diagnostic in urlint.check(text, config="urlint.toml")] == both[1:]
    assert urlint.check(text, "b.txt", tmp_path / "urlint.toml") == []
    assert urlint.fix(text, config="urlint.toml", select=["empty-port"]) in (text, "ftp://a.example/x <URL:http://a.example/~>")
    with pytest.raises(FileNotFoundError):
        urlint.check(text, config="missing.toml")
    (tmp_path / "bad.toml").write_text("colour = 1\n")
    with pytest.raises(ValueError, match="unknown key `colour`"):
        urlint.check(text, config="bad.toml")


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"select": ["no-such-rule"]}, ValueError, "unknown rule or group `no-such-rule`"),
        ({"severity": {"password": "no"}}, ValueError, "no"),
        ({"severity": {"a: invalid type: b": "hint"}}, ValueError, "`severity`: unknown rule or group `a: invalid"),
        ({"standard": "no"}, ValueError, "no"),
        ({"kind": "no"}, ValueError, "`kind`: unknown value `no`; expected one of `plain`"),
        ({"kind": 1}, TypeError, "`kind`: invalid type: integer `1`, expected a string"),
        ({"rejoin": object()}, TypeError, "`rejoin`: invalid type: object, expected a string"),
        ({"deep": "yes"}, TypeError, "`deep`: invalid type: string \"yes\", expected a boolean"),
        ({"select": "ALL"}, TypeError, "`select`: invalid type: string \"ALL\", expected a sequence"),
        ({"ignore": ["ALL", 1]}, TypeError, "`ignore`: invalid type: integer `1`, expected a string"),
        ({"schemes": {"a": 1}}, TypeError, "`schemes`: invalid type: map, expected a sequence"),
        ({"types": ["a"]}, TypeError, "`types`: invalid type: sequence, expected a map"),
        ({"severity": {"password": 1}}, TypeError, "`severity`: invalid type: integer `1`, expected a string"),
        ({"per_file_ignores": {"a": "ALL"}}, TypeError, "`per_file_ignores`: invalid type: string \"ALL\", expected a sequence"),
        ({"ignore_urls": [{"regex": 1}]}, ValueError, "`ignore_urls`: expected a URL or `{ regex = \"...\" }`"),
        ({"min_severity": "no"}, ValueError, "`min_severity`: unknown value `no`"),
        ({"per_file_ignores": {"min-severity": ["no"]}}, ValueError, "`per_file_ignores`: unknown rule"),
        ({"colour": "red"}, TypeError, "() got an unexpected keyword argument 'colour'"),
        ({"skip-code": True}, TypeError, "() got an unexpected keyword argument 'skip-code'"),
    ],
)
def test_errors(settings, error, message):
    for call in [urlint.check, urlint.fix, urlint.find]:
        with pytest.raises(error) as raised:
            call("", **settings)
        assert message in str(raised.value)
        if "()" in message:
            assert str(raised.value).startswith(call.__name__)


def test_what_an_iterable_raises_is_raised():
    def broken():
        yield "ALL"
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        urlint.check("", select=broken())
    ports = [wrong.rule for wrong in urlint.check("ftp://a.example:/~", select=(name for name in ["empty-port"]))]
    assert ports == ["empty-port"]
    assert urlint.check("ftp://a.example:/", severity=types.MappingProxyType({"empty-port": "off"})) == []


@given(st.lists(st.sampled_from(["é", "\n", " ", "http://a.example:/`", "<URL:ftp://b.exam\nple:/~x>", "http://c.example/\u00e9"]), max_size=12))
def test_offsets_and_idempotence(parts):
    text = "".join(parts)
    for diagnostic in urlint.check(text):
        for start, end in [(diagnostic.start, diagnostic.end), *diagnostic.spans, *diagnostic.pieces]:
            assert 0 <= start <= end <= len(text)
    fixed = urlint.fix(text)
    assert urlint.fix(fixed) == fixed
    assert urlint.fix(text.encode()).decode() == fixed
