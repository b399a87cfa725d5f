"""The format ``urlint`` of Spark: the URLs in files, a partition for each file.

    urlint.spark.register(spark)
    links = spark.read.format("urlint").option("fields", "path,url,valid").load("s3://bucket/crawl/*.warc.gz")

``load`` takes a path or a URL as ``urlint.read`` does, with ``*``, ``?`` and ``[...]`` in names, or a folder. The options are
``fields``, ``on_error``, and the other keywords of ``urlint.read``. Needs pyspark 4 and pyarrow.
"""

import fnmatch
import json
import os
import re
from collections.abc import Iterator
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow import fs
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

import urlint
from urlint import parquet
from urlint._sources import URL, place_of

MAGIC = re.compile(r"[*?[]")


class Source(DataSource):
    """The format ``urlint``."""

    @classmethod
    def name(cls) -> str:
        return "urlint"

    def schema(self) -> StructType:
        names = self.options.get("fields")
        fields = names.split(",") if names else urlint.read([]).column_names
        return from_arrow_schema(pa.schema(urlint.schema(fields)))

    def reader(self, schema: StructType) -> DataSourceReader:
        given = self.options.get("path")
        paths = [given] if given else json.loads(self.options.get("paths", "[]"))
        settings = {
            key.replace("-", "_"): parsed(value)
            for key, value in self.options.items()
            if key not in ("path", "paths", "fields")
        }
        # Raises an error if they are wrong.
        urlint.read([], fields=schema.names, **settings)
        return Reader(paths, schema.names, settings)


class File(InputPartition):
    """A file, which is a partition."""

    def __init__(self, path: str) -> None:
        self.path = path


class Reader(DataSourceReader):
    """Reads the files, each by itself."""

    def __init__(self, paths: list[str], fields: list[str], settings: dict[str, Any]) -> None:
        self.paths = paths
        self.fields = fields
        self.settings = settings

    def partitions(self) -> list[InputPartition]:
        return [File(path) for path in parquet.absolute(file for path in self.paths for file in files(path))]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, File)
        for links in urlint.read([partition.path], fields=self.fields, **self.settings):
            yield pa.record_batch(links)


def parsed(value: str) -> Any:
    """The value of an option: of JSON, or else the text."""
    try:
        return json.loads(value)
    except ValueError:
        return value


def files(pattern: str) -> list[str]:
    """Returns the files that ``pattern`` names: a file, a folder with files, or names with ``*``, ``?`` and ``[``."""
    magic = MAGIC.search(pattern)
    base, rest = pattern.rstrip("/"), "**"
    if magic:
        base, _, rest = pattern[: magic.start()].rpartition("/")
        rest += pattern[magic.start() :]
    system, folder = place_of(base) if URL.match(base) else (fs.LocalFileSystem(), os.path.abspath(base))
    if not isinstance(system, fs.FileSystem):
        system = fs.PyFileSystem(fs.FSSpecHandler(system))
    if not magic and system.get_file_info(folder).type != fs.FileType.Directory:
        return [pattern]
    start = folder.rstrip("/") + "/"
    listed = system.get_file_info(fs.FileSelector(folder, recursive=rest == "**" or "/" in rest))
    names = (info.path.removeprefix(start) for info in listed if info.type == fs.FileType.File)
    found = sorted(f"{base}/{name}" if base else name for name in names if matches(name, rest))
    if not found:
        raise FileNotFoundError(f"{pattern}: no such files")
    return found


def matches(path: str, pattern: str) -> bool:
    """Whether each name of `path` matches that of `pattern`."""
    names, patterns = path.split("/"), pattern.split("/")
    if pattern == "**":
        # What Spark and urlint write for themselves.
        return not any(name[0] in "._" for name in names)
    return len(names) == len(patterns) and all(map(fnmatch.fnmatchcase, names, patterns))
