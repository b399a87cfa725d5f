"""Whatever a text is, each call takes it as it is, or says that it cannot."""

import json
import pathlib

import pytest
import urlint
from hypothesis import given, settings, strategies as st

# What makes urlint look closer, between any bytes.
TOKENS = st.sampled_from(
    [b"<URL:http://a.example/", b">", b"http://u:p@b.example/^", b"\n  ", b"mailto:a@b.cc", b"%41", b"\xff", "é\u202e".encode()]
)
BYTES = st.lists(TOKENS | st.binary(max_size=9), max_size=9).map(b"".join)
# Surrogates too, which no encoding has.
STRINGS = st.lists(TOKENS.map(lambda token: token.decode(errors="surrogateescape")) | st.text(st.characters(exclude_categories=()), max_size=9)).map("".join)
SCHEMA = pathlib.Path(__file__).parents[2] / "src/cli/urlint.schema.json"
KINDS = json.loads(SCHEMA.read_text(encoding="utf-8"))["properties"]["types"]["additionalProperties"]["enum"]


def calls(kind):
    return [
        lambda text: urlint.extract(text, kind=kind),
        lambda text: [(url.url, url.start, url.end, url.pieces) for url in urlint.find(text, kind=kind)],
        lambda text: [(found.rule, found.message, found.spans) for found in urlint.check(text, kind=kind, select=["ALL"])],
        lambda text: urlint.fix(text, kind=kind),
        lambda text: [(problem.start, problem.end) for problem in urlint.parse(text).problems],
    ]


@settings(max_examples=300, deadline=None)
@given(BYTES, st.sampled_from(KINDS))
def test_bytes(data, kind):
    for call in calls(kind):
        found = call(data)
        again = call(bytearray(data))
        assert found == again
    for url in urlint.find(data, kind=kind):
        assert 0 <= url.start <= url.end <= len(data)


@settings(max_examples=300, deadline=None)
@given(STRINGS, st.sampled_from(KINDS))
def test_strings(text, kind):
    # A surrogate is as long as in an encoding that has them.
    data = text.encode(errors="surrogatepass")
    for call in calls(kind):
        call(text)
    for url, same in zip(urlint.find(text, kind=kind), urlint.find(data, kind=kind), strict=True):
        assert len(text[: url.start].encode(errors="surrogatepass")) == same.start
        assert len(text[: url.end].encode(errors="surrogatepass")) == same.end


@settings(max_examples=100, deadline=None)
@given(BYTES, st.integers(-9, 30), st.integers(-9, 30), st.sampled_from([-3, -1, 1, 2, 5]))
def test_other_buffers(data, start, end, step):
    # They may be changed while they are read.
    for call in calls("plain"):
        with pytest.raises(TypeError):
            call(memoryview(data)[start:end:step])


@pytest.mark.parametrize("call", calls("plain"))
def test_what_is_no_text(call):
    for other in (None, 1, 1.5, object(), ["http://a.example/"], {"a": 1}, iter(b"a")):
        with pytest.raises(TypeError):
            call(other)
