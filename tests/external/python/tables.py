"""Reads the lists of urlint in a folder, `list.json-lines`, `list.parquet` and `list.arrow`.

`types` prints the columns of the latter two, by pyarrow. `rows` compares the rows of all three in
DuckDB, and what Polars, pandas and pyarrow read of the latter two.
"""

import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq

what, folder = sys.argv[1:]
JSON, PARQUET, ARROW = (os.path.join(folder, "list." + name) for name in ("json-lines", "parquet", "arrow"))


def stream():
    """The batches of the stream."""
    return pa.ipc.open_stream(pa.memory_map(ARROW))


def name(field):
    """The type of a field, without the names of elements."""
    kind = field.type
    if pa.types.is_list(kind):
        shown = f"list<{name(kind.value_field)}>"
    elif pa.types.is_struct(kind):
        shown = "struct<" + ", ".join(f"{part.name}: {name(part)}" for part in kind) + ">"
    else:
        shown = str(kind)
    return shown if field.nullable else shown + " not null"


def types():
    for schema in pq.read_schema(PARQUET), stream().schema:
        for field in schema:
            print(f"{field.name}: {name(field)}")
        version = schema.metadata[b"urlint.schema"].decode()
        print(f"urlint.schema={version}")


def columns(schema):
    """The columns of DuckDB as which JSON is read."""
    known = {"string": "VARCHAR", "int64": "BIGINT", "bool": "BOOLEAN", "timestamp[us, tz=UTC]": "TIMESTAMPTZ"}
    for field in schema:
        kind = str(field.type)
        if kind.startswith("list<"):
            yield field.name, "BIGINT[][]" if "struct" in kind else "VARCHAR[]"
        else:
            yield field.name, known[kind]


def rows():
    import duckdb
    import pandas as pd
    import polars as pl

    duck = duckdb.connect()
    kinds = dict(columns(stream().schema))
    arrow = stream().read_all()

    def select(source):
        """The columns of a table, ranges as JSON has them."""
        ranges = 'list_transform("{0}", lambda range: [range.start, range.end]) AS "{0}"'
        names = (ranges.format(name) if kind == "BIGINT[][]" else f'"{name}"' for name, kind in kinds.items())
        duck.execute(f"CREATE TABLE {source[0]} AS SELECT {', '.join(names)} FROM {source[1]}")

    duck.register("stream", arrow)
    select(("arrow", "stream"))
    select(("parquet", f"read_parquet('{PARQUET}')"))
    given = "{" + ", ".join(f"'{name}': '{kind}'" for name, kind in kinds.items()) + "}"
    duck.execute(
        f"CREATE TABLE json AS SELECT * FROM read_json('{JSON}', format='newline_delimited', columns={given}, "
        "maximum_object_size=67108864)"
    )
    counts = [duck.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("json", "parquet", "arrow")]
    assert len(set(counts)) == 1, counts
    for table in "parquet", "arrow":
        for column in kinds:
            differ = f'json."{column}" IS DISTINCT FROM {table}."{column}"'
            query = f'SELECT json."{column}", {table}."{column}" FROM json POSITIONAL JOIN {table} WHERE {differ}'
            found = duck.execute(query).fetchall()
            assert not found, (table, column, len(found), found[:3])

    assert pq.read_table(PARQUET).to_pylist() == arrow.to_pylist()
    polars = pl.read_parquet(PARQUET)
    assert polars.equals(pl.read_ipc_stream(ARROW))
    assert polars.equals(pl.from_arrow(arrow))
    assert polars.to_dicts() == arrow.to_pylist()
    # pandas has arrays for lists, and other kinds of nothing.
    pandas = pd.read_parquet(PARQUET)
    assert list(pandas.columns) == list(kinds) and len(pandas) == counts[0]
    for column in kinds:
        if kinds[column] in ("VARCHAR", "BIGINT"):
            present = pandas[column].notna()
            told = pandas[column].where(present, None).tolist()
            expected = arrow.column(column).to_pylist()
            assert [value for value, is_there in zip(told, present) if is_there] == [v for v in expected if v is not None]
    print(f"the same: {counts[0]}")


{"types": types, "rows": rows}[what]()
