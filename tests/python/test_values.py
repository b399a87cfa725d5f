"""What calls return is compared by value, copied and pickled, and goes from one process to another."""

import concurrent.futures
import copy
import inspect
import multiprocessing
import pickle

import pyarrow as pa
import pytest
import urlint

TEXT = "<URL:ftp://ann:pw@a.example:/x\n  /y#f> and http://b.example/~z <URL:http://www-\narchive.example.org/>"
KEPT = {
    "text": pa.array([TEXT, TEXT]),
    "word": pa.array(["a", "b"]).dictionary_encode(),
    "struct": pa.array([{"x": 1}, None]),
    "view": pa.array(["a", None], pa.string_view()),
}


def values():
    """Two of each class for each case, which are made one after the other."""
    made = {
        "url": lambda: urlint.find(TEXT)[0],
        "alternatives": lambda: urlint.find(TEXT)[2],
        "diagnostic": lambda: urlint.check(TEXT, select=["ALL"])[0],
        "all diagnostics": lambda: tuple(urlint.check(TEXT, select=["ALL"])),
        "fix": lambda: urlint.check("ftp://a.example:/")[0].fix,
        "edit": lambda: urlint.check("ftp://a.example:/")[0].fix.edits[0],
        "problem": lambda: urlint.parse("http://a.example/~").problems[0],
        "schema": lambda: urlint.schema(["all"]),
        "links": lambda: urlint.extract_arrow(pa.table(KEPT), "text", keep=list(KEPT), fields=["row", "url", "pieces"]),
        "no links": lambda: urlint.extract_arrow(pa.array(["x"])),
    }
    for standard in ["rfc1738", "rfc3986", "rfc3987", "whatwg"]:
        made[standard] = lambda standard=standard: urlint.parse(b"http://a.example:80/\xe9 ~", standard=standard)
    return [pytest.param(make, id=name) for name, make in made.items()]


def seen(value):
    """All that can be seen of a value."""
    if isinstance(value, (list, tuple)):
        return [seen(item) for item in value]
    if not type(value).__module__.startswith("urlint"):
        return value
    shown = [repr(value), str(value)]
    if isinstance(value, urlint.Links):
        shown.append(pa.table(value).to_pydict())
    return shown + [(name, seen(getattr(value, name))) for name in dir(value) if not name.startswith("_")]


@pytest.mark.parametrize("make", values())
def test_the_same_after_a_round_trip(make):
    value = make()
    again = [make(), copy.copy(value), copy.deepcopy(value)]
    again += [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for other in again:
        assert other == value and not other != value and hash(other) == hash(value)
        assert seen(other) == seen(value)
    assert value != 1 and value is not None and value not in [None, "x", urlint.find("http://c.example/")[0]]


def test_other_values_are_not_equal():
    one, other = urlint.find("http://a.example/ http://a.example/")
    assert one != other and len({one, other, *urlint.find("http://a.example/ http://a.example/")}) == 2
    assert urlint.parse("http://a.example/") != urlint.parse("http://a.example/", standard="rfc3986")
    assert urlint.schema(["url"]) != urlint.schema(["url", "start"]) != urlint.schema(["start", "url"])
    links = [urlint.extract_arrow(pa.array([text])) for text in ["http://a.example/", "http://b.example/"]]
    assert links[0] != links[1]


def test_links_are_equal_however_they_are_batched():
    texts = ["http://a.example/", "http://b.example/ http://c.example/"]
    whole = urlint.extract_arrow(pa.array(texts))
    parts = urlint.extract_arrow(pa.chunked_array([[text] for text in texts]))
    assert pa.table(parts)["url"].num_chunks == 2
    for other in [parts, pickle.loads(pickle.dumps(parts))]:
        assert other == whole == other and hash(other) == hash(whole)


def test_what_is_pickled_wrongly_is_refused():
    for stream in [b"", b"x" * 100]:
        with pytest.raises(ValueError):
            urlint.Links(stream)
    with pytest.raises(TypeError):
        pickle.dumps(urlint.read([]))


def test_other_processes():
    texts = [TEXT, "", "http://a.example/~"]
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        for call in [urlint.find, urlint.extract, urlint.check, urlint.fix, urlint.parse]:
            assert list(pool.map(call, texts)) == [call(text) for text in texts]


def test_signatures():
    signatures = {
        "extract": "(text, **settings)",
        "find": "(text, **settings)",
        "check": "(text, path=None, config=None, **settings)",
        "fix": "(text, path=None, config=None, *, unsafe=None, **settings)",
        "parse": "(url, *, standard=None)",
        "extract_arrow": "(data, column=None, *, keep=None, fields=None, lazy=False, **settings)",
        "read": "(paths, *, fields=None, batch_size=65536, threads=1, on_error='raise', filesystem=None, **settings)",
        "schema": "(fields=None)",
        "spark_schema": "(fields=None)",
    }
    for name, signature in signatures.items():
        assert str(inspect.signature(getattr(urlint, name))) == signature
