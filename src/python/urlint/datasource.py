"""The format ``urlint`` of Spark: the URLs in files, a partition for each file.

    urlint.spark.register(spark)
    links = spark.read.format("urlint").option("fields", "path,url,valid").load("s3://bucket/crawl/*.warc.gz")

``load`` takes a path or a URL as ``urlint.read`` does, with ``*``, ``?`` and ``[...]`` in names, or a folder. The options are
``fields``, ``on_error``, and the other keywords of ``urlint.read``. Failures with ``on_error=collect``, and files that are skipped,
are logged as warnings of ``urlint`` by the workers. Needs pyspark 4 and pyarrow.
"""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

import urlint
from urlint import parquet
from urlint._globs import files

# Of a worker, it is what Spark keeps as the standard error of its executor.
LOG = logging.getLogger("urlint")


class Source(DataSource):
    """The format ``urlint``."""

    @classmethod
    def name(cls) -> str:
        return "urlint"

    def schema(self) -> StructType:
        names = self.options.get("fields")
        fields = [name.strip() for name in names.split(",")] if names else urlint.read([]).column_names
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
        with urlint.read([partition.path], fields=self.fields, **self.settings) as reader:
            for links in reader:
                yield pa.record_batch(links)
            for name, message in [*reader.failures, *((name, f"skipped, {what}") for name, what in reader.skipped)]:
                LOG.warning("%s: %s", name, message)


def parsed(value: str) -> Any:
    """The value of an option: of JSON, or else the text."""
    try:
        return json.loads(value)
    except ValueError:
        return value
