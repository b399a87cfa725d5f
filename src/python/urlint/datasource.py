"""The format ``urlint`` of Spark: the URLs in files, with partitions of one or several files.

    urlint.spark.register(spark)
    links = spark.read.format("urlint").option("fields", "path,url,valid").load("s3://bucket/crawl/*.warc.gz")

``load`` takes a path or a URL as ``urlint.read`` does, with ``*``, ``?`` and ``[...]`` in names, or a folder. The options are
``fields``, ``on_error``, and the other keywords of ``urlint.read``; ``.schema("url string, valid boolean")`` chooses columns,
too, and others are not computed. Small files share a partition, by ``maxPartitionBytes`` and ``openCostInBytes``
as Spark has them for files. Failures with ``on_error=collect``, and files that are skipped,
are logged as warnings of ``urlint`` by the workers. Needs pyspark 4 and pyarrow.
"""

import inspect
import json
import logging
from collections.abc import Iterator
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

import urlint
from urlint import parquet
from urlint._globs import files, packed

# As Spark has them for files.
MOST_BYTES = 128 << 20
OPEN_COST = 4 << 20

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
            if key.lower() not in ("path", "paths", "fields", "maxpartitionbytes", "opencostinbytes")
        }
        # Raises an error if they are wrong.
        urlint.read([], fields=schema.names, **settings)
        most = int(self.options.get("maxPartitionBytes", MOST_BYTES))
        cost = int(self.options.get("openCostInBytes", OPEN_COST))
        return Reader(paths, schema, settings, most, cost)

# Spark wants dates in UTC. PySpark 4.3 has to be told, and older ones cannot be.
ZONE: Any = {"timezone": "UTC"} if "timezone" in inspect.signature(to_arrow_schema).parameters else {}


class Files(InputPartition):
    """The files of a partition."""

    def __init__(self, paths: list[str]) -> None:
        self.paths = paths


class Reader(DataSourceReader):
    """Reads the files, each by itself."""

    def __init__(self, paths: list[str], schema: StructType, settings: dict[str, Any], most: int, cost: int) -> None:
        self.paths = paths
        self.schema = schema
        self.settings = settings
        self.most = most
        self.cost = cost

    def partitions(self) -> list[InputPartition]:
        named = (item for path in self.paths for item in files(path).items())
        sizes = {path: size for name, size in named for path in parquet.absolute([name])}
        return [Files(paths) for paths in packed(sizes, self.most, self.cost)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, Files)
        # A schema that was given may have other types, and allow nulls.
        schema = to_arrow_schema(self.schema, **ZONE)
        with urlint.read(partition.paths, fields=self.schema.names, **self.settings) as reader:
            for links in reader:
                yield pa.record_batch(links).cast(schema)
            for name, message in [*reader.failures, *((name, f"skipped, {what}") for name, what in reader.skipped)]:
                LOG.warning("%s: %s", name, message)


def parsed(value: str) -> Any:
    """The value of an option: of JSON, or else the text."""
    try:
        return json.loads(value)
    except ValueError:
        return value
