"""`extract_arrow` and the Arrow PyCapsule interface."""

import datetime

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import urlint

TEXTS = ["one http://a.example/é", None, "", "<URL:http://b.exam\nple/x> http://c.example/~", "none"]
ROWS = [
    {"row": 0, "url": "http://a.example/é", "start": 4},
    {"row": 3, "url": "http://b.example/x", "start": 0},
    {"row": 3, "url": "http://c.example/~", "start": 26},
]
FIELDS = ["row", "url", "start"]
TWINS = pa.table([["x"], ["y"], ["http://a.example/"]], names=["a", "a", "b"])

PLAIN = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]
KEYS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]


def rows(data, *args, **kwargs):
    return pa.table(urlint.extract_arrow(data, *args, fields=FIELDS, **kwargs)).to_pylist()


def texts(of_type, texts=TEXTS):
    if pa.types.is_dictionary(of_type):
        values = list(dict.fromkeys(text for text in texts if text is not None))
        keys = pa.array([None if text is None else values.index(text) for text in texts], of_type.index_type)
        return pa.DictionaryArray.from_arrays(keys, pa.array(values, pa.string()).cast(of_type.value_type))
    if pa.types.is_binary(of_type) or pa.types.is_large_binary(of_type) or of_type == pa.binary_view():
        texts = [None if text is None else text.encode() for text in texts]
    return pa.array(texts, of_type)


def dictionaries():
    return [pa.dictionary(key, value) for key in KEYS for value in PLAIN if "view" not in str(value)]


@pytest.mark.parametrize("of_type", [*PLAIN, *dictionaries()], ids=str)
def test_every_type_of_text(of_type):
    array = texts(of_type)
    assert array.type == of_type
    assert rows(array) == ROWS
    assert rows(pa.chunked_array([array])) == ROWS
    assert rows(pa.table({"text": array})) == ROWS
    assert rows(array, lazy=True) == ROWS
    # Offsets that are not 0.
    padded = texts(of_type, ["http://not.example/", *TEXTS, "http://not.example/"])
    assert rows(padded.slice(1, len(TEXTS))) == ROWS
    batch = pa.record_batch({"text": padded}).slice(1, len(TEXTS))
    assert rows(batch) == ROWS
    assert rows(array.slice(0, 0)) == []


def test_dictionaries_with_views_nulls_and_in_dictionaries():
    values = pa.array(["http://a.example/", None, "http://b.example/"])
    keys = pa.array([2, None, 1, 0, 2], pa.int8())
    array = pa.DictionaryArray.from_arrays(keys, values)
    assert [row["row"] for row in rows(array)] == [0, 3, 4]
    for view in [pa.string_view(), pa.binary_view()]:
        array = pa.DictionaryArray.from_arrays(keys, values.cast(pa.binary()).cast(view) if "bin" in str(view) else values.cast(view))
        assert [row["url"] for row in rows(array)] == ["http://b.example/", "http://a.example/", "http://b.example/"]


def test_nothing():
    for empty in [
        pa.nulls(3),
        pa.array([], pa.string()),
        pa.chunked_array([], pa.string()),
        pa.table({"text": pa.array([], pa.string())}),
        pa.record_batch({"text": pa.nulls(2)}),
        pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), []),
    ]:
        links = urlint.extract_arrow(empty)
        assert len(links) == 0
        table = pa.table(links)
        assert table.num_rows == 0 and table.column_names == ["row", *urlint.schema().names]
        assert pa.record_batch(links).num_rows == 0


def test_chunks_are_one_column():
    chunked = pa.chunked_array([TEXTS[:1], [], TEXTS[1:3], TEXTS[3:]], pa.string())
    assert rows(chunked) == ROWS
    assert rows(chunked, lazy=True) == ROWS
    reader = urlint.extract_arrow(pa.table({"text": chunked}).to_reader(1), fields=FIELDS, lazy=True)
    assert [pa.record_batch(links).to_pylist() for links in reader] == [ROWS[:1], ROWS[1:]]


def test_keep():
    column = pa.array(TEXTS)
    kept = {
        "text": column,
        "number": pa.array([5, 4, None, 2, 1], pa.uint8()),
        "list": pa.array([[1], None, [], [2, 3], None]),
        "word": pa.array(["a", "b", "c", "d", "e"]).dictionary_encode(),
        "view": pa.array(["a", "b", "c", "d", "e"], pa.string_view()),
        "struct": pa.array([{"x": number} for number in range(5)]),
        "null": pa.nulls(5),
        "when": pa.array([datetime.date(2026, 1, day + 1) for day in range(5)]),
    }
    table = pa.table(kept)
    keep = list(kept)
    found = pa.table(urlint.extract_arrow(table, "text", keep=keep, fields=["row", "url"]))
    assert found.column_names == [*keep, "row", "url"]
    given = table.to_pylist()
    assert found.select(keep).to_pylist() == [given[row] for row in found["row"].to_pylist()]
    for name in keep:
        assert found.schema.field(name).type == table.schema.field(name).type
    # The order of `keep`, and none at all.
    found = urlint.extract_arrow(table, "text", keep=("number", "null"), fields=["url"])
    assert found.column_names == ["number", "null", "url"]
    for keep in [None, []]:
        assert urlint.extract_arrow(table, "text", keep=keep, fields=["url"]).column_names == ["url"]
    # Columns of one name that nobody asks for do no harm.
    assert len(urlint.extract_arrow(TWINS, "b")) == 1


def test_rows_that_are_null():
    names, text = pa.array(["a", "b", "c"]), pa.array(["http://a.example/", "http://b.example/", "http://c.example/"])
    structs = pa.StructArray.from_arrays([names, text], ["name", "text"], mask=pa.array([False, True, False]))
    found = pa.table(urlint.extract_arrow(structs, "text", keep=["name"], fields=["row", "url"])).to_pylist()
    assert [row["row"] for row in found] == [0, 2]
    assert [row["name"] for row in found] == ["a", "c"]
    assert rows(structs.slice(1, 2), "text") == [{"row": 1, "url": "http://c.example/", "start": 0}]
    for of_type in [pa.string_view(), pa.large_binary(), pa.dictionary(pa.int8(), pa.string())]:
        mask = pa.array([False, True, False])
        column = texts(of_type, text.to_pylist())
        structs = pa.StructArray.from_arrays([column], ["text"], mask=mask)
        assert [row["row"] for row in rows(structs)] == [0, 2]
    structs = pa.StructArray.from_arrays([pa.nulls(3)], ["text"], mask=pa.array([False, True, False]))
    assert rows(structs) == []


def test_other_libraries():
    table = pa.table({"id": range(5), "text": TEXTS})
    for frame in [polars.DataFrame(table), table.to_pandas(), duckdb.from_arrow(table)]:
        found = pa.table(urlint.extract_arrow(frame, "text", keep=["id"], fields=FIELDS)).to_pylist()
        assert [{name: row[name] for name in FIELDS} for row in found] == ROWS
        assert [row["id"] for row in found] == [0, 3, 3]
    assert rows(polars.Series(TEXTS)) == ROWS
    assert rows(polars.Series(TEXTS, dtype=polars.Categorical)) == ROWS
    assert rows(pandas.Series(TEXTS, dtype="str")) == ROWS
    assert rows(pandas.Series(TEXTS, dtype=pandas.ArrowDtype(pa.string()))) == ROWS
    assert rows(duckdb.sql("select unnest(['http://a.example/', null]) as text")) == [{"row": 0, "url": "http://a.example/", "start": 0}]
    # What comes out goes into them as well.
    links = urlint.extract_arrow(pa.array(TEXTS), fields=FIELDS)
    assert polars.DataFrame(links).to_dicts() == ROWS
    assert pandas.DataFrame.from_arrow(links).to_dict("records") == ROWS
    assert duckdb.sql("select * from links").fetchall() == [tuple(row.values()) for row in ROWS]
    reader = urlint.extract_arrow(polars.Series(TEXTS), fields=FIELDS, lazy=True)
    assert duckdb.sql("select url from reader").fetchall() == [(row["url"],) for row in ROWS]
    reader = urlint.extract_arrow(pa.array(TEXTS), fields=FIELDS, lazy=True)
    assert polars.DataFrame(reader).to_dicts() == ROWS


def simple(data_type):
    """Whether Spark and all others take a type: signed integers, plain texts and what is made of them."""
    if pa.types.is_list(data_type):
        return simple(data_type.value_type)
    if pa.types.is_struct(data_type):
        return all(simple(field.type) for field in data_type)
    return data_type in [pa.int64(), pa.bool_(), pa.string(), pa.timestamp("us", "UTC")]


def test_what_comes_out():
    schema = pa.schema(urlint.schema(["all"]))
    assert all(simple(field.type) for field in schema)
    links = urlint.extract_arrow(pa.array(TEXTS), fields=["all"])
    found = pa.schema(links)
    assert found.names == ["row", *(name for name in schema.names if name not in ("path", "member"))]
    assert found.field("row") == pa.field("row", pa.int64(), nullable=False)
    assert all(found.field(name) == schema.field(name) for name in found.names[1:])
    table = pa.table(links)
    table.validate(full=True)
    assert table.schema == found
    for field in found:
        assert field.nullable or table[field.name].null_count == 0, field
    reader = urlint.extract_arrow(pa.array(TEXTS), fields=["all"], lazy=True)
    assert pa.schema(reader) == found
    assert pa.table(reader) == table
    assert urlint.schema().names == ["url", "valid", "problems", "start", "end"]
    assert urlint.schema(name for name in ("url",)).names == ["url"]
    assert urlint.spark_schema(["pieces"]) == "`pieces` array<struct<start: bigint, end: bigint>> NOT NULL"


def test_looks():
    text = pa.array(["x http://ann:secret@A.example:80 y"])
    found = pa.table(urlint.extract_arrow(text, fields=["url", "context"], redact=True, normalize=True, context_chars=1))
    [row] = found.to_pylist()
    assert row["url"] == "http://ann:***@a.example/"
    assert "secret" not in str(row)


def test_links_are_given_as_often_as_asked():
    links = urlint.extract_arrow(pa.array(TEXTS), fields=FIELDS)
    assert repr(links) == "<urlint.Links of 3 URLs: row, url, start>"
    for _ in range(3):
        assert pa.table(links).to_pylist() == pa.record_batch(links).to_pylist() == ROWS
    schema, array = links.__arrow_c_array__(None)
    assert 'arrow_schema' in repr(schema) and 'arrow_array' in repr(array)
    # Nothing is copied.
    taken = [pa.record_batch(links)["url"].buffers()[-1].address for _ in range(2)]
    assert taken[0] == taken[1]
    # Capsules that nobody takes are let go.
    del schema, array
    links.__arrow_c_stream__()
    links.__arrow_c_schema__()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: urlint.extract_arrow(1), TypeError, "expected data with __arrow_c_array__ or __arrow_c_stream__, not int"),
        (lambda: urlint.extract_arrow(["x"]), TypeError, "not list"),
        (lambda: urlint.extract_arrow(pa.array([1])), ValueError, "expected a column of texts, not of Int64"),
        (lambda: urlint.extract_arrow(pa.array([["x"]])), ValueError, "expected a column of texts, not of List"),
        (lambda: urlint.extract_arrow(pa.array([1]).dictionary_encode()), ValueError, "not of Int64"),
        (lambda: urlint.extract_arrow(pa.table({"a": ["x"], "b": ["y"]})), ValueError, "several columns: `column` names"),
        (lambda: urlint.extract_arrow(pa.table({"a": ["x"]}), "z"), ValueError, "no column `z`"),
        (lambda: urlint.extract_arrow(pa.table({"a": ["x"]}), keep=["z"]), ValueError, "no column `z`"),
        (lambda: urlint.extract_arrow(pa.table({})), ValueError, ""),
        (lambda: urlint.extract_arrow(pa.array(["x"]), "z"), ValueError, "has no columns: leave out `column` and `keep`"),
        (lambda: urlint.extract_arrow(pa.array(["x"]), fields=["path"]), ValueError, "no field `path`: keep a column"),
        (lambda: urlint.extract_arrow(pa.array(["x"]), fields=["no"]), ValueError, "unknown field `no`"),
        (lambda: urlint.extract_arrow(pa.array(["x"]), fields="url"), TypeError, "expected several names, not one str"),
        (lambda: urlint.extract_arrow(pa.table({"url": ["x"]}), keep=["url"]), ValueError, "two columns would be named `url`"),
        (lambda: urlint.extract_arrow(pa.table({"x": ["x"]}), keep=["x", "x"]), ValueError, "`x` is named twice"),
        (lambda: urlint.extract_arrow(pa.array(["x"]), fields=["row", "url", "row"]), ValueError, "`row` is named twice"),
        (lambda: urlint.extract_arrow(TWINS, "a"), ValueError, "two columns are named `a`"),
        (lambda: urlint.extract_arrow(TWINS, "b", keep=["a"]), ValueError, "two columns are named `a`"),
        (lambda: urlint.extract_arrow(pa.array(["x"]), redact="no"), TypeError, "not an instance of 'bool'"),
        (lambda: urlint.extract_arrow(pa.array(["x"]), colour="red"), TypeError, "extract_arrow() got an unexpected keyword argument 'colour'"),
    ],
)
def test_errors(call, error, message):
    with pytest.raises(error) as raised:
        call()
    assert message in str(raised.value)


class Wrong:
    """Hands over something else than it says."""

    def __init__(self, what):
        self.what = what

    def __arrow_c_array__(self, requested_schema=None):
        return self.what


def test_capsules_of_another_kind_are_refused():
    array = pa.array(["x"])
    schema, data = array.__arrow_c_array__()
    for what in [(data, schema), (schema, schema), (1, 2), (schema,), None]:
        with pytest.raises((TypeError, ValueError, IndexError)):
            urlint.extract_arrow(Wrong(what))
    # What was handed over once is used up.
    pair = array.__arrow_c_array__()
    assert len(urlint.extract_arrow(Wrong(pair))) == 0
    fresh = array.__arrow_c_array__()
    for what in [pair, (pair[0], fresh[1]), (array.__arrow_c_array__()[0], pair[1])]:
        with pytest.raises(ValueError, match="the array has already been consumed"):
            urlint.extract_arrow(Wrong(what))


def test_a_long_column_is_found_whole():
    text = "x" * 4000 + " http://a.example/ "
    column = pa.array([text] * 5000)
    links = urlint.extract_arrow(column, fields=["row", "start"])
    table = pa.table(links)
    assert pc.sum(table["row"]).as_py() == 5000 * 4999 // 2
    assert pc.unique(table["start"]).to_pylist() == [4001]


def test_what_is_kept_is_not_too_long_for_a_batch():
    # 20,000 times 64 KiB are more than the offsets of an array can tell.
    text = "http://a.example/ " * 20_000
    table = pa.table({"text": [text], "long": ["y" * 65_536]})
    reader = urlint.extract_arrow(table, "text", keep=["long"], fields=["url"], lazy=True)
    sizes = [len(links) for links in reader]
    assert sum(sizes) == 20_000 and len(sizes) == 5
