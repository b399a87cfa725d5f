"""`check` and `fix`: what the command says, and settings in its words."""

import json
import subprocess

import pytest
import urlint
from conftest import command

BROKEN = "é\r\nSee <URL:http://a.example/a`b>,\n<http://b.example/`x> and http://joe:secret@c.example/^.\n"


def by_command(text, *flags):
    arguments = [command(), "check", "--isolated", "--output-format", "json-lines", *flags, "-"]
    ran = subprocess.run(arguments, input=text, capture_output=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def as_command_says(diagnostic):
    names = "rule severity message start end line column end_line end_column notes alternatives standard reference"
    row = {name: getattr(diagnostic, name) for name in names.split()}
    fix = diagnostic.fix
    return row | {
        "url": diagnostic.url or "",
        "spans": [list(span) for span in diagnostic.spans],
        "pieces": [list(piece) for piece in diagnostic.pieces],
        "fix": fix
        and {
            "message": fix.message,
            "applicability": fix.applicability,
            "edits": [
                {"start": edit.start, "end": edit.end, "replacement": edit.replacement} for edit in fix.edits
            ],
        },
    }


def assert_same(text, kind, **how):
    flags = ["--type", kind, *(["--select", "ALL"] if how else [])]
    expected = [
        {name: value for name, value in row.items() if name not in ("path", "member")}
        for row in by_command(text, *flags)
    ]
    assert [as_command_says(wrong) for wrong in urlint.check(text, kind=kind, **how)] == expected
    return expected


def test_what_the_command_says():
    assert assert_same(BROKEN.encode(), "plain", select=["ALL"])
    assert assert_same(BROKEN.encode(), "plain")


@pytest.mark.parametrize("kind, pattern", [("plain", "rfc/*.txt"), ("mbox", "mail/**/*.mbox"), ("markdown", "docs/**/*.md")])
def test_what_the_command_says_of_real_texts(kind, pattern, corpora):
    for path in sorted(corpora.glob(pattern))[:15]:
        assert_same(path.read_bytes(), kind, select=["ALL"])


def test_offsets_of_str():
    for wrong in urlint.check(BROKEN, select=["unsafe-character"]):
        assert BROKEN[wrong.start : wrong.end] in "`^"
        line = BROKEN.replace("\r\n", "\n").split("\n")[wrong.line - 1]
        assert line[wrong.column - 1] == BROKEN[wrong.start]
    assert urlint.check("") == []


def test_no_password_is_shown():
    wrong = urlint.check(BROKEN, select=["ALL"])
    assert any("***" in (diagnostic.url or "") for diagnostic in wrong)
    assert "secret" not in "".join(f"{diagnostic!r}{diagnostic}{diagnostic.url}{diagnostic.notes}" for diagnostic in wrong)


def test_suppression_comments():
    text = "<URL:http://a.example/a|b> <!-- urlint: ignore[unsafe-character] -->\n"
    assert urlint.check(text, kind="markdown") == []
    assert urlint.fix(text, kind="markdown") == text


def test_fixes_are_made():
    fixed = "é\r\nSee <URL:http://a.example/a%60b>,\n<http://b.example/%60x> and http://joe:secret@c.example/^.\n"
    assert urlint.fix(BROKEN) == fixed
    assert urlint.fix(BROKEN.encode()) == fixed.encode()
    assert urlint.fix(bytearray(BROKEN.encode())) == fixed.encode()
    assert urlint.fix(BROKEN, ignore=["unsafe-character"]) == BROKEN
    assert urlint.fix("nothing") == "nothing"
    assert urlint.fix(fixed) == fixed


def test_unsafe_fixes():
    text = "<URL:http://a.example/~joe>"
    assert urlint.fix(text) == text
    assert urlint.fix(text, unsafe=True) == urlint.fix(text, unsafe_fixes=True) == "<URL:http://a.example/%7Ejoe>"
    assert urlint.fix(text, unsafe=False, unsafe_fixes=True) == text


def test_settings():
    text = "<URL:http://a.example/a|b>"
    assert urlint.check(text, ignore=["unsafe-character"]) == []
    assert urlint.check(text, min_severity="error", severity={"unsafe-character": "hint"}) == []
    assert urlint.check(text, "a.log", per_file_ignores={"*.log": ["ALL"]}) == []
    assert urlint.check(text, ignore_urls=["http://a.example/*"]) == []
    assert [wrong.standard for wrong in urlint.check(text, standard="whatwg", select=["ALL"])][:1] == ["whatwg"]


@pytest.mark.parametrize(
    "how, message",
    [
        ({"rejoin": "x"}, "`rejoin` cannot be `x`; expected one of `never`, `judged`, `likely`"),
        ({"selct": []}, "unknown key `selct`; did you mean `select`?"),
        ({"select": ["nope"]}, "unknown rule or group `nope`"),
        ({"kind": "x"}, "`kind` cannot be `x`; expected one of `plain`"),
        ({"extend": "x.toml"}, "only a file can extend another; name the file as `config`"),
    ],
)
def test_wrong_settings(how, message):
    for call in (urlint.check, urlint.fix, urlint.extract, urlint.find):
        with pytest.raises(ValueError) as raised:
            call("text", **how)
        assert str(raised.value).startswith(message)


def test_values_of_other_types():
    with pytest.raises(TypeError, match="`rejoin` cannot be a value of type object"):
        urlint.check("", rejoin=object())
    with pytest.raises(TypeError, match="expected str, bytes or bytearray, not int"):
        urlint.check(1)


def test_configuration_files(tmp_path):
    config = tmp_path / "urlint.toml"
    config.write_text("ignore = ['unsafe-character']\n")
    text = "<URL:http://a.example/a|b>"
    assert urlint.check(text, config=config) == []
    assert urlint.check(text, config=str(config), extend_select=["ALL"], ignore=[]) != []
    config.write_text("rejoin = 'never'\nselct = []\n")
    with pytest.raises(ValueError, match="urlint.toml:2:1: unknown key `selct`; did you mean `select`?"):
        urlint.check(text, config=config)
    with pytest.raises(FileNotFoundError, match="nope.toml: No such file"):
        urlint.check(text, config=tmp_path / "nope.toml")
    # None is searched for.
    (tmp_path / "a.txt").write_text(text)
    assert urlint.check(text, tmp_path / "a.txt") != []
