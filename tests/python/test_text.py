"""`extract`, `find` and `parse`: one text, one URL."""

import subprocess
import sys

import pytest
import urlint
from conftest import command
from hypothesis import given, strategies as st

TEXT = "Ein \u201eGruß\u201c 😀 <URL:http://ann:secret@www.a.example/x\n  /y#top>, (http://b.example/é) ftp://c.example/"


@pytest.mark.parametrize("of", [str, str.encode, lambda text: bytearray(text, "utf-8")])
def test_texts_of_every_type(of):
    text = of(TEXT)
    urls = ["http://ann:secret@www.a.example/x/y#top", "http://b.example/é", "ftp://c.example/"]
    assert urlint.extract(text) == urls
    found = urlint.find(text)
    assert [url.url for url in found] == [str(url) for url in found] == urls
    first = found[0]
    assert (first.scheme, first.host, first.fragment, first.delimiter) == ("http", "www.a.example", "top", "wrapper")
    assert (first.valid, first.problems, first.alternatives) == (False, ["userinfo-not-allowed"], [])
    assert [url.valid for url in found] == [False, False, True]


def test_a_text_without_urls():
    for text in ["", b"", "nothing", b"\xff\xfe\x00", bytearray()]:
        assert urlint.extract(text) == [] == urlint.find(text)


def test_bytes_that_are_not_utf_8():
    [url] = urlint.find(b"<URL:http://a.example/\xe9>")
    assert url.url == "http://a.example/\ufffd"
    assert url.pieces == [(5, 23)]


def test_placeholders_and_alternatives():
    [url] = urlint.find("http://<host>/index.html")
    assert url.valid is None
    [url] = urlint.find("<URL:http://www-\narchive.example.org/>")
    assert url.alternatives == ["http://wwwarchive.example.org/"]


def sliced(text, url):
    """Compares the offsets of a URL with what Python's slices give."""
    outer = text[url.start : url.end]
    pieces = [text[start:end] for start, end in url.pieces]
    joined = "".join(pieces) if isinstance(text, str) else b"".join(pieces).decode()
    assert joined == url.url
    assert url.start <= url.pieces[0][0] and url.pieces[-1][1] <= url.end
    assert pieces[0] in outer and pieces[-1] in outer


# Letters of one to four bytes, and texts over several steps of 1,024 bytes.
FILLING = st.text(alphabet="a é\u20ac😀\n.", max_size=12)
PARTS = st.lists(
    st.tuples(FILLING, st.integers(0, 700), st.sampled_from(["http://a.example/é😀", "<URL:http://b.exam\nple/x>", ""])),
    max_size=8,
)


@given(PARTS)
def test_offsets_are_those_of_slices(parts):
    text = "".join(f"{filling * times} {url} " for filling, times, url in parts)
    found = urlint.find(text)
    in_bytes = urlint.find(text.encode())
    assert [url.url for url in found] == [url.url for url in in_bytes] == urlint.extract(text)
    for url, same in zip(found, in_bytes):
        sliced(text, url)
        sliced(text.encode(), same)
        assert text[: url.start].encode() == text.encode()[: same.start]
        assert text[: url.end].encode() == text.encode()[: same.end]


def test_offsets_at_every_edge_of_a_step():
    for before in [*range(1000, 1030), *range(2040, 2055)]:
        for letter in "é\u20ac😀":
            text = " " * before + letter * 3 + " http://a.example/" + letter + " http://b.example/"
            for url in urlint.find(text):
                assert text[url.start : url.end] == url.url


def test_settings():
    page = '<a href="http://a.example/?a&amp;b">'
    assert urlint.extract(page, kind="html") == ["http://a.example/?a&b"]
    assert urlint.extract(page, path="x/index.html") == ["http://a.example/?a&b"]
    assert urlint.extract(page, kind=None) == urlint.extract(page)
    [url] = urlint.find("http://a.example/~x", standard="rfc3986")
    assert url.valid


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: urlint.extract(1), TypeError, "expected str, bytes or bytearray, not int"),
        (lambda: urlint.find(None), TypeError, "expected str, bytes or bytearray, not NoneType"),
        (lambda: urlint.find(memoryview(b"")), TypeError, "expected str, bytes or bytearray, not memoryview"),
        (lambda: urlint.parse(1), TypeError, "expected str, bytes or bytearray, not int"),
        (lambda: urlint.extract("", kind="no"), ValueError, "no"),
        (lambda: urlint.extract("", standard="no"), ValueError, "no"),
        (lambda: urlint.extract("", colour="red"), TypeError, "extract() got an unexpected keyword argument 'colour'"),
        (lambda: urlint.parse("", colour="red"), TypeError, "parse() got an unexpected keyword argument 'colour'"),
        (lambda: urlint.schema(["url", "start", "url"]), ValueError, "`url` is named twice"),
        (
            lambda: urlint.parse("x", standard="no"),
            ValueError,
            "`standard` cannot be `no`; expected one of `rfc1738`, `rfc3986`, `rfc3987`, `whatwg`",
        ),
        (lambda: urlint.schema(["url", "no"]), ValueError, "unknown field `no`: expected one of `all`, `path`"),
        (lambda: urlint.schema("url"), TypeError, "expected several names, not one str: write `[name]`"),
        (lambda: urlint.spark_schema(["no"]), ValueError, "unknown field `no`"),
    ],
)
def test_errors(call, error, message):
    with pytest.raises(error) as raised:
        call()
    assert message in str(raised.value)


def test_surrogates_are_data():
    text = b"Gr\xf6\xdfe: <URL:http://a.example:/caf\xe9>, http://b.example/".decode(errors="surrogateescape")
    first, second = urlint.find(text)
    assert text[first.start : first.end] == "<URL:http://a.example:/caf\udce9>"
    assert (second.url, text[second.start : second.end]) == ("http://b.example/", "http://b.example/")
    assert not first.valid and first.url.startswith("http://a.example:/caf\ufffd")
    assert urlint.extract(text) == [first.url, second.url]
    assert {"empty-port", "non-ascii"} <= {found.rule for found in urlint.check(text)}
    assert urlint.fix(text) == text.replace(":/caf", "/caf")
    assert urlint.fix("\ud800") == "\ud800"
    assert urlint.parse("http://a.example/\ud800").problems


def test_help_names_the_settings():
    for name in "kind", "path", "standard", "schemes", "schemeless", "rejoin", "hyphen", "deep", "skip_code":
        assert f"`{name}`" in urlint.find.__doc__
        urlint.find("", **{name: {"kind": "html", "path": "a.md", "standard": "whatwg", "schemes": ["x"], "rejoin": "never", "hyphen": "keep"}.get(name, True)})


def test_parse():
    parsed = urlint.parse("http://a.example:80/x?y`")
    assert (parsed.url, parsed.standard, parsed.scheme) == ("http://a.example:80/x?y`", "rfc1738", "http")
    assert parsed.components == {"host": "a.example", "port": "80", "path": "x", "search": "y`"}
    [problem] = parsed.problems
    assert (problem.rule, problem.start, problem.end) == ("unsafe-character", 23, 24)
    assert problem.message and not parsed.valid
    assert parsed.href is None and parsed.host_kind is None

    parsed = urlint.parse(b"HTTP://A.example/a/../b", standard="whatwg")
    assert parsed.href == "http://a.example/b"
    parsed = urlint.parse("http://192.0.2.1/", standard="rfc3986")
    assert parsed.valid and parsed.host_kind == "ipv4"
    parsed = urlint.parse("http://a.example/é x", standard="rfc3987")
    assert [(problem.start, problem.end) for problem in parsed.problems] == [(18, 19)]
    for url in ["", "://", b"\xff", "http://["]:
        for standard in ["rfc1738", "rfc3986", "rfc3987", "whatwg"]:
            assert isinstance(urlint.parse(url, standard=standard).valid, bool)


@given(st.text(max_size=40))
def test_parse_takes_any_text(url):
    if any("\ud800" <= letter <= "\udfff" for letter in url):
        return
    for standard in ["rfc1738", "rfc3986", "rfc3987", "whatwg"]:
        parsed = urlint.parse(url, standard=standard)
        for problem in parsed.problems:
            assert 0 <= problem.start <= problem.end <= len(url)


def test_parse_keeps_the_limits_of_check():
    for standard in ["rfc1738", "rfc3986", "whatwg"]:
        parsed = urlint.parse("http://a.example/\u00e9" + "^" * 16_000_000, standard=standard)
        assert len(parsed.url) == 16_000_018 and len(parsed.problems) <= 1_002
        # The letter has two bytes.
        assert (parsed.problems[-1].rule, parsed.problems[-1].start) == ("too-long", 65_535)


def test_passwords_are_not_shown():
    text = "ftp://ann:secret@a.example/"
    [url] = urlint.find(text)
    assert repr(url) == '<urlint.Url "ftp://ann:***@a.example/" at 0:27>'
    assert str(url) == text
    for standard in ["rfc1738", "rfc3986", "whatwg"]:
        assert "secret" not in repr(urlint.parse(text, standard=standard))
        assert "secret" not in repr(urlint.parse(text + " `", standard=standard).problems)


def test_what_is_returned_cannot_be_changed():
    [url] = urlint.find("http://a.example/")
    with pytest.raises(AttributeError):
        url.url = "http://b.example/"
    with pytest.raises(TypeError):
        urlint.Url()


def test_the_command_is_there():
    version = f"urlint {urlint.__version__}"
    ran = subprocess.run([command(), "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith(version)
    ran = subprocess.run([sys.executable, "-m", "urlint", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith(version)
    ran = subprocess.run([sys.executable, "-m", "urlint", "extract", "-"], input="http://a.example/", capture_output=True, text=True)
    assert (ran.stdout, ran.returncode) == ("http://a.example/\n", 0)
