"""A Spark job: the URLs in the files of a manifest, as Parquet files.

    python -m urlint.spark MANIFEST OUTPUT --fields url,host

Each input becomes one Parquet file, which its worker writes; see ``urlint.parquet``. Needs pyspark and
pyarrow.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

try:
    from urlint import parquet
except ModuleNotFoundError as _error:
    if __name__ != "__main__":
        raise
    print(f"urlint.spark: {_error}: pip install pyspark pyarrow", file=sys.stderr)
    sys.exit(2)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# More tasks for each core gain nothing: a task takes time to start, and these are even enough.
TASKS_OF_CORE = 32

# So many failures are printed; the others are in the folder.
MOST_SHOWN = 20


def run(
    spark: "SparkSession | None",
    manifest: str | os.PathLike[str] | Iterable[str],
    output: str | os.PathLike[str],
    *,
    fields: Iterable[str] | None = None,
    threads: int = 1,
    batch_size: int = 65_536,
    partitions: int | None = None,
    **settings: Any,
) -> parquet.Summary:
    """Lists the URLs in the files of a manifest, a Parquet file for each, and returns a summary.

    ``manifest`` is the path of a file with a path on each line, or the paths themselves; each is one of a file, or
    the URL of an object in a store. The workers open them, and write to ``output``, so both must be on a file
    system that all workers share. Files that are
    there are not written again, so a run that failed can be repeated.

    ``threads`` is for each task; ``partitions`` is the number of tasks, usually some for each core.
    ``fields`` and other keywords are those of ``urlint.read``. Without ``spark``, the inputs are
    read here, one after another.

    An input that cannot be read fails nothing: it is in the ``failures`` of the summary and in
    ``_failures.jsonl`` in ``output``. Raises ``OSError`` if the manifest cannot be read, and what
    ``urlint.parquet.prepare`` raises.
    """
    if isinstance(manifest, (str, os.PathLike)):
        paths = parquet.read_manifest(manifest)
    else:
        paths = parquet.absolute(manifest)
    folder = parquet.prepare(output, fields=fields, threads=threads, batch_size=batch_size, **settings)
    return write_all(spark, paths, folder, partitions)


def register(spark: "SparkSession") -> None:
    """Registers the format ``urlint``, for ``spark.read.format("urlint").load("mail/*.mbox")``.

    See ``urlint.datasource``.
    """
    from urlint.datasource import Source

    spark.dataSource.register(Source)


def write_all(
    spark: "SparkSession | None",
    paths: list[str],
    folder: parquet.Output,
    partitions: int | None,
) -> parquet.Summary:
    """Has the files of ``paths`` written that are not there."""
    pending = folder.pending(paths)
    ended = None
    if spark is None or not pending:
        outcomes = [folder.write(path) for path in pending]
    else:
        tasks = partitions or min(len(pending), most_tasks(spark))
        outcomes, ended = distributed(spark, folder, pending, tasks)
    return folder.finish(outcomes, skipped=len(paths) - len(pending), ended=ended)


def most_tasks(spark: "SparkSession") -> int:
    """How many tasks a job has, if its inputs are so many."""
    try:
        return TASKS_OF_CORE * spark.sparkContext.defaultParallelism
    except Exception:
        # Spark Connect does not say.
        return 10_000


def distributed(
    spark: "SparkSession", folder: parquet.Output, paths: list[str], tasks: int
) -> tuple[list[parquet.Outcome], str | None]:
    """Has the workers write the files of ``paths``; tells why the job ended, if it did before all are read."""

    def write(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa  # type: ignore[import-untyped]

        for batch in batches:
            for path in batch.column("path").to_pylist():
                outcome = folder.write(os.fsdecode(path))
                failures = [[item.source, item.message] for item in outcome.failures]
                row = {
                    "path": path,
                    "rows": outcome.rows,
                    "is_written": outcome.is_written,
                    "failures": json.dumps(failures),
                }
                yield pa.RecordBatch.from_pylist([row])

    from pyspark.errors import PySparkException
    from pyspark.sql.types import BinaryType, StructField, StructType

    # Paths need not be UTF-8.
    schema = StructType([StructField("path", BinaryType())])
    rows = spark.createDataFrame([(bytearray(os.fsencode(path)),) for path in paths], schema)
    written = rows.repartition(tasks).mapInArrow(
        write, "path binary, rows bigint, is_written boolean, failures string"
    )
    try:
        return [outcome_of(row) for row in written.collect()], None
    except Exception as error:
        if not is_of_spark(error, PySparkException):
            raise
        ended = said_by(error)
    # What was written before the job ended is there; a rerun reads the rest.
    pending = set(folder.pending(paths))
    return [
        parquet.failed(path, "not read, or in part: Spark's job ended")
        if path in pending
        else parquet.Outcome(path, 0)
        for path in paths
    ], ended


def outcome_of(row: Any) -> parquet.Outcome:
    path = os.fsdecode(bytes(row.path))
    failures = tuple(parquet.Failure(path, *failure) for failure in json.loads(row.failures))
    return parquet.Outcome(path, row.rows, failures, row.is_written)


def is_of_spark(error: Exception, kind: type[Exception]) -> bool:
    """Whether Spark, or the Java it runs in, raised the error."""
    return isinstance(error, kind) or type(error).__module__.startswith("py4j.")


def said_by(error: Exception) -> str:
    """The first line of an error, and the last that names the error of a worker."""
    cause = getattr(error, "java_exception", None)
    first, *lines = str(error if cause is None else cause).strip().splitlines() or [""]
    named = [line for line in lines if re.match(r"[\w.]+(Error|Exception): ", line)]
    return f"{first} {named[-1]}" if named else first


def main(arguments: list[str] | None = None) -> int:
    """Runs the job with the arguments of the command line; returns its exit code."""
    options = parser().parse_args(arguments)
    settings = dict(setting(item) for item in options.config)
    fields = options.fields and [name for name in options.fields.split(",") if name]
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        return wrong(f"pyspark cannot be imported ({error}): pip install pyspark pyarrow")
    builder = SparkSession.builder.appName("urlint")
    if options.master:
        builder = builder.master(options.master)
    if (options.master or "local").startswith("local"):
        # Not another Python, which may lack the package.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        # Spark takes its time to start: what is wrong here is told before.
        paths = parquet.read_manifest(options.manifest, options.prefix)
        folder = parquet.prepare(options.output, fields=fields, threads=options.threads, **settings)
    except OSError as error:
        return wrong(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (TypeError, ValueError) as error:
        return wrong(str(error))
    try:
        spark = builder.getOrCreate()
    except Exception as error:
        folder.close()
        return wrong(f"Spark does not start: {said_by(error)}")
    try:
        summary = write_all(spark, paths, folder, options.partitions)
    finally:
        spark.stop()
    if summary.ended:
        say(f"Spark's job ended: {summary.ended}")
    for failure in summary.failures[:MOST_SHOWN]:
        say(str(failure))
    if len(summary.failures) > MOST_SHOWN:
        more = len(summary.failures) - MOST_SHOWN
        say(f"{more} more failures in {options.output}/{parquet.FAILURES}")
    print(summary)
    return 2 if summary.failures else 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m urlint.spark",
        description="Lists the URLs in the files of a manifest by Spark, a Parquet file for each. "
        "Files that are there are not written again, so a run that failed can be repeated.",
        epilog="Exits with 0 if all inputs were read, and with 2 if one could not be read, or for "
        "wrong arguments.",
    )
    parser.add_argument(
        "manifest", metavar="MANIFEST", help="a file with a path on each line; it may be in gzip"
    )
    parser.add_argument(
        "output", metavar="OUTPUT", help="the folder for the Parquet files, which all workers share"
    )
    parser.add_argument("--fields", metavar="NAME,...", help="the columns, as of `urlint extract --fields`")
    parser.add_argument(
        "--threads",
        metavar="NUMBER",
        type=number,
        default=1,
        help="threads of each task (usually 1)",
    )
    parser.add_argument(
        "--partitions", metavar="NUMBER", type=number, help="tasks (usually some for each core)"
    )
    parser.add_argument(
        "--prefix", metavar="TEXT", default="", help="the beginning of each path, such as `s3://commoncrawl/`"
    )
    parser.add_argument("--master", metavar="URL", help="Spark's master, such as `local[8]`")
    parser.add_argument(
        "--config",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        type=pair,
        help="a keyword of `urlint.read`, such as `standard=rfc3986`; may be repeated",
    )
    return parser


def number(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"expected KEY=VALUE, not {text!r}")
    return key.strip().replace("-", "_"), value.strip()


def setting(item: tuple[str, str]) -> tuple[str, Any]:
    """The value of a key; what is not JSON is text."""
    key, value = item
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def wrong(message: str) -> int:
    say(message)
    return 2


def say(message: str) -> None:
    # A path need not be UTF-8.
    message = message.encode(errors="replace").decode()
    print(f"urlint.spark: {message}", file=sys.stderr)


if __name__ == "__main__":
    # Workers import the module by its name, not as `__main__`.
    from urlint import spark as _spark

    sys.exit(_spark.main())
