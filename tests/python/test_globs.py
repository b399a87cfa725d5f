"""Which files patterns name, and the format of Spark, as far as it can be tested without Spark."""

import importlib
import logging
import os
import sys
import types

import pyarrow as pa
import pytest
from pyarrow import fs
from urlint import _globs, _sources


class Counted(fs.FileSystemHandler):
    """A file system of the machine that notes which folders are listed, and how."""

    def __init__(self):
        self.listed = []

    def get_file_info(self, paths):
        return fs.LocalFileSystem().get_file_info(paths)

    def get_file_info_selector(self, selector):
        self.listed.append((selector.base_dir, selector.recursive))
        return fs.LocalFileSystem().get_file_info(selector)

    def unused(self, *_):
        raise NotImplementedError

    copy_file = create_dir = delete_dir = delete_dir_contents = delete_file = delete_root_dir_contents = unused
    get_type_name = move = normalize_path = open_append_stream = open_input_file = unused
    open_input_stream = open_output_stream = unused


@pytest.fixture
def tree(tmp_path):
    for segment in ["003.1", "003.2", "004"]:
        for kind in ["wet", "warc"]:
            (tmp_path / segment / kind).mkdir(parents=True)
            for number in range(3):
                (tmp_path / segment / kind / f"{number}.gz").write_text("x")
    (tmp_path / "003.3").mkdir()
    (tmp_path / "003.3" / "wet").write_text("a file")
    (tmp_path / "003.4").write_text("a file")
    (tmp_path / "004" / "_made").write_text("x")
    return tmp_path


@pytest.mark.parametrize(
    "pattern, wanted",
    [
        ("003.*/wet/*", [f"003.{segment}/wet/{number}.gz" for segment in (1, 2) for number in range(3)]),
        ("*/wet/0.gz", ["003.1/wet/0.gz", "003.2/wet/0.gz", "004/wet/0.gz"]),
        ("003.?/w[a]rc/[!0].gz", [f"003.{segment}/warc/{number}.gz" for segment in (1, 2) for number in (1, 2)]),
        ("003.*", ["003.4"]),
        ("004", [f"004/{kind}/{number}.gz" for kind in ("warc", "wet") for number in range(3)]),
        ("004/", [f"004/{kind}/{number}.gz" for kind in ("warc", "wet") for number in range(3)]),
        ("003.4", ["003.4"]),
        ("none", ["none"]),
    ],
)
def test_patterns(tree, monkeypatch, pattern, wanted):
    base = str(tree)
    found = _globs.files(f"{base}/{pattern}")
    assert list(found) == [f"{base}/{name}" for name in wanted]
    assert all(size == os.path.getsize(path) for path, size in found.items() if os.path.exists(path))
    # From a folder with a name that is not absolute.
    monkeypatch.chdir(tree)
    assert list(_globs.files(pattern)) == wanted
    for nothing in ["005*", "003.*/none/*", "none/*"]:
        with pytest.raises(FileNotFoundError, match="no such files"):
            _globs.files(nothing)
    for several in ["{003.1,004}/wet", "003.1/wet/0.gz,003.1/wet/1.gz"]:
        with pytest.raises(ValueError, match="several paths are a list"):
            _globs.files(several)


def test_small_files_share_a_group():
    sizes = {"a": 5, "b": 0, "c": 3, "d": 20, "e": 1, "f": 0}
    assert _globs.packed(sizes, 10, 1) == [["a", "b", "c"], ["d"], ["e", "f"]]
    assert _globs.packed({}, 10, 1) == []
    assert _globs.packed(dict.fromkeys("abcd", 0), 10, 5) == [["a", "b", "c"], ["d"]]


def test_only_folders_that_match_are_listed(tree, monkeypatch):
    system = Counted()
    monkeypatch.setattr(_globs, "place_of", lambda url: (fs.PyFileSystem(system), str(tree)))
    assert len(_globs.files("s3://bucket/003.*/wet/*")) == 6
    wanted = [str(tree), *(f"{tree}/003.{number}/wet" for number in (1, 2, 3))]
    assert sorted(system.listed) == [(folder, False) for folder in wanted]


def test_schemes_of_hadoop(monkeypatch):
    monkeypatch.setattr(_sources, "of_pyarrow", lambda url, scheme: (url, scheme))
    for url in ["s3a://bucket/k", "s3n://bucket/k", "s3://bucket/k", "S3A://bucket/k"]:
        assert _sources.place_of(url) == ("s3://bucket/k", "s3")


@pytest.fixture
def format_of_spark(monkeypatch):
    """The module, whose classes are those of Spark in name only."""
    names = {
        "pyspark.sql.datasource": ["DataSource", "DataSourceReader", "InputPartition"],
        "pyspark.sql.pandas.types": ["from_arrow_schema", "to_arrow_schema"],
        "pyspark.sql.types": ["StructType"],
    }
    for name in ["pyspark", "pyspark.sql", "pyspark.sql.pandas", *names]:
        module = types.ModuleType(name)
        for item in names.get(name, []):
            setattr(module, item, type(item, (), {}))
        monkeypatch.setitem(sys.modules, name, module)
    module = importlib.import_module("urlint.datasource")
    for name in names["pyspark.sql.pandas.types"]:
        monkeypatch.setattr(module, name, lambda schema: schema)
    yield module
    sys.modules.pop("urlint.datasource")


def test_what_fails_in_spark_is_logged(format_of_spark, tmp_path, caplog):
    (tmp_path / "a.bin").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "a.txt").write_text("http://a.example/")
    schema = pa.schema([("url", pa.large_string())])
    reader = format_of_spark.Reader([], schema, {"on_error": "collect"}, 10, 1)
    with caplog.at_level(logging.WARNING):
        paths = [str(tmp_path / name) for name in ["a.txt", "none.txt", "a.bin"]]
        found = [list(reader.read(format_of_spark.Files([path]))) for path in paths]
    assert [sum(batch.num_rows for batch in batches) for batches in found] == [1, 0, 0]
    assert found[0][0].schema == schema
    said = [record.getMessage() for record in caplog.records]
    assert [text.partition(": ")[0] for text in said] == paths[1:] and ": skipped, " in said[1]


def test_fields_may_have_blanks(format_of_spark):
    source = format_of_spark.Source()
    source.options = {"fields": "path, url"}
    assert source.schema().names == pa.schema([("path", pa.string()), ("url", pa.string())]).names
