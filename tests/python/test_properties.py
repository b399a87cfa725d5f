"""Random Arrow arrays give what `find` gives text by text."""

import pyarrow as pa
import urlint
from hypothesis import given, settings, strategies as st
from test_arrow import KEYS, PLAIN, texts

WORDS = st.sampled_from(
    ["http://a.example/", "<URL:http://b.exam\nple/é>", "(ftp://c.example/#f)", "http://<host>/", "http://d.example/`", "é", "😀", "\n", "x" * 50]
)
TEXT = st.none() | st.lists(WORDS, max_size=5).map(" ".join)
CHUNK = st.tuples(st.lists(TEXT, max_size=6), st.integers(0, 3), st.integers(0, 3))
TYPE = st.sampled_from(PLAIN) | st.builds(
    pa.dictionary, st.sampled_from(KEYS), st.sampled_from([pa.string(), pa.large_string(), pa.binary(), pa.large_binary()])
)
FIELDS = ["row", "url", "fragment", "scheme", "host", "delimiter", "start", "end", "pieces", "valid", "problems", "alternatives"]


def expected(all_texts):
    rows = []
    for index, text in enumerate(all_texts):
        for url in urlint.find((text or "").encode()):
            row = {name: getattr(url, name) for name in FIELDS[1:]}
            row["pieces"] = [{"start": start, "end": end} for start, end in url.pieces]
            rows.append({"row": index, **row})
    assert [row["url"] for row in rows] == [url for text in all_texts for url in urlint.extract(text or "")]
    return rows


@settings(max_examples=300, deadline=None)
@given(TYPE, st.lists(CHUNK, max_size=4), st.booleans(), st.booleans())
def test_arrays(of_type, chunks, lazy, in_table):
    arrays, kept = [], []
    for chunk, before, after in chunks:
        array = texts(of_type, chunk)
        end = max(before, len(chunk) - after)
        arrays.append(array[before:end])
        kept += chunk[before:end]
    data = pa.chunked_array(arrays, of_type)
    assert len(data) == len(kept)
    if in_table:
        data = pa.table({"number": range(len(kept)), "text": data})
    links = urlint.extract_arrow(data, "text" if in_table else None, keep=["number"] if in_table else [], fields=FIELDS, lazy=lazy)
    found = pa.table(links)
    found.validate(full=True)
    if in_table:
        assert found["number"].to_pylist() == found["row"].to_pylist()
        found = found.drop_columns("number")
    assert found.to_pylist() == expected(kept)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(TEXT, st.booleans()), max_size=8), st.sampled_from(PLAIN), st.integers(0, 3))
def test_struct_arrays(rows, of_type, skipped):
    mask = pa.array([is_null for _, is_null in rows], pa.bool_())
    column = texts(of_type, [text for text, _ in rows])
    structs = pa.StructArray.from_arrays([column], ["text"], mask=mask)[skipped:]
    found = pa.table(urlint.extract_arrow(structs, "text", fields=FIELDS))
    assert found.to_pylist() == expected([None if is_null else text for text, is_null in rows[skipped:]])
