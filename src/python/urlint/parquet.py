"""Lists of URLs as Parquet files, one for each input, in a folder that workers share.

A run that failed can be repeated: inputs whose file is there are passed over, and a file is only there
once it is whole. Needs pyarrow.
"""

import gzip
import hashlib
import json
import os
import re
import shutil
import tempfile
import uuid
import zlib
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
from pyarrow import fs

import urlint
from urlint._sources import URL, known, shown, source

SETTINGS = "_urlint.json"
FAILURES = "_failures.jsonl"
# What readers of the folder pass over begins with `_`.
UNFINISHED = "_unfinished"
INCOMPLETE = "_incomplete"
BEGUN = "begun-"

# The scheme of a URL, and the bucket or host.
PLACE = re.compile(URL.pattern + "[^/]*")

# How many bytes are sent to a store at once.
PART = 16 << 20

# After so many workers have ended while they read an input, it is given up.
MOST_DEATHS = 2


@dataclass(frozen=True)
class Failure:
    """What could not be read of an input."""

    path: str
    """The path of the input."""
    source: str
    """The path, or the path and the member of an archive, as in ``mail.zip!old.mbox``."""
    message: str
    """What is wrong with it."""

    def __str__(self) -> str:
        return shown(f"{self.source}: {self.message}")

    def to_json(self) -> str:
        """Returns the failure as a line of JSON."""
        return shown(json.dumps({"path": self.path, "source": self.source, "message": self.message}))


@dataclass(frozen=True)
class Outcome:
    """What came of an input."""

    path: str
    rows: int
    """How many URLs were written."""
    failures: tuple[Failure, ...] = ()
    is_written: bool = True
    """Whether the input has a file now."""


@dataclass
class Summary:
    """What came of a run."""

    done: int = 0
    """How many inputs were read."""
    skipped: int = 0
    """How many inputs had a file already."""
    rows: int = 0
    """How many URLs were written in this run."""
    failures: list[Failure] = field(default_factory=list)
    ended: str | None = None
    """Why the run ended before all inputs were read, if it did."""

    def __str__(self) -> str:
        failed = len({failure.path for failure in self.failures})
        return (
            f"{self.done} inputs read, {self.skipped} were there already, "
            f"{failed} failed or were read in part; {self.rows} URLs written"
        )


@dataclass(frozen=True)
class Output:
    """A folder of Parquet files, one for each input; workers get a copy of it.

    Make one with :func:`prepare`. ``write`` reads an input and writes its file.
    """

    folder: str
    run: str
    fields: tuple[Any, ...] | None
    threads: int
    batch_size: int
    settings: dict[str, Any]

    def name(self, path: str) -> str:
        """Returns the name of the file of the input ``path``.

        Other paths have other names: it has a hash of the path.
        """
        digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:32]
        last = re.split(r"[/\\]", path.rstrip("/\\"))[-1]
        # Readers pass over names that begin with `_` or `.`.
        shown = re.sub(r"[^A-Za-z0-9._-]", "-", last).lstrip("._")[:100]
        return f"{shown or 'input'}-{digest}.parquet"

    def write(self, path: str) -> Outcome:
        """Reads the input ``path`` and writes its Parquet file; what goes wrong is returned.

        Does nothing if the file is there. Whoever reads the folder sees the file once it is whole.
        """
        system, folder = at(self.folder)
        name = self.name(path)
        begun = f"{folder}/{UNFINISHED}/{self.run}/{BEGUN}{name}"
        try:
            rows = rows_in(system, f"{folder}/{name}")
            if rows is not None and not exists(system, f"{folder}/{INCOMPLETE}/{name}"):
                # Another attempt of the same task has written it.
                return Outcome(path, rows)
            # A worker that ends leaves its mark. In a store, to ask for each is one request, to list them another.
            marks = (f"{begun}.{number}" for number in range(MOST_DEATHS))
            mark = next((mark for mark in marks if not is_there(system, mark)), None)
            if mark is None:
                return failed(path, f"{MOST_DEATHS} workers ended while they read it")
            with system.open_output_stream(mark):
                pass
            outcome = None
            try:
                outcome = self._written(path, system, folder, name, was_there=rows is not None)
            finally:
                # A later attempt finds the file first. Those of a store go when the run is closed.
                if not (is_store(system) and outcome and outcome.is_written):
                    system.delete_file(mark)
            return outcome
        except Exception as error:
            return failed(path, str(error) or type(error).__name__)

    def _written(self, path: str, system: fs.FileSystem, folder: str, name: str, was_there: bool) -> Outcome:
        """Writes the file elsewhere, and then has it in its place."""
        incomplete = f"{folder}/{INCOMPLETE}/{name}"
        with ExitStack() as stack:
            scratch, place = system, f"{folder}/{UNFINISHED}/{self.run}"
            if is_store(system):
                # An object is there once it is whole, and to move it takes requests.
                scratch, place = fs.LocalFileSystem(), stack.enter_context(tempfile.TemporaryDirectory())
            temporary = f"{place}/{name}.{uuid.uuid4().hex}"
            try:
                rows, failures = self._list(path, scratch, temporary)
                if failures and rows == 0:
                    scratch.delete_file(temporary)
                    return Outcome(path, 0, failures, is_written=False)
                if failures:
                    # Before the file is there, so that a rerun does not take it for all of it.
                    lines = "".join(failure.to_json() + "\n" for failure in failures)
                    write_text(system, incomplete, lines)
                if scratch is system:
                    system.move(temporary, f"{folder}/{name}")
                else:
                    upload(temporary, system, f"{folder}/{name}")
                if was_there and not failures:
                    system.delete_file(incomplete)
            except Exception:
                if exists(scratch, temporary):
                    scratch.delete_file(temporary)
                raise
        return Outcome(path, rows, failures)

    def _list(self, path: str, system: fs.FileSystem, temporary: str) -> tuple[int, tuple[Failure, ...]]:
        """Writes the URLs in ``path`` to ``temporary``, batch by batch."""
        rows = 0
        with (
            urlint.read(
                [path],
                fields=self.fields,
                batch_size=self.batch_size,
                threads=self.threads,
                on_error="collect",
                **self.settings,
            ) as reader,
            system.open_output_stream(temporary) as sink,
        ):
            batches = pa.RecordBatchReader.from_stream(reader)
            with pq.ParquetWriter(sink, batches.schema, compression="zstd") as writer:
                for batch in batches:
                    writer.write_batch(batch)
                    rows += batch.num_rows
            skipped = [(name, f"skipped, {what}") for name, what in reader.skipped]
            failures = tuple(Failure(path, *failure) for failure in [*reader.failures, *skipped])
        if isinstance(system, fs.LocalFileSystem):
            # Otherwise the file may have its name before it has its contents.
            with open(temporary, "rb") as written:
                os.fsync(written.fileno())
        return rows, failures

    def pending(self, paths: Iterable[str]) -> list[str]:
        """Returns those of ``paths`` that have no file, or the file of an input that was read in part."""
        there = self._names()
        return [path for path in paths if self.name(path) not in there]

    def _names(self, incomplete: bool = False) -> set[str]:
        """The names of the files that are there."""
        system, folder = at(self.folder)
        names = {info.base_name for info in system.get_file_info(fs.FileSelector(folder))}
        if not incomplete:
            parts = system.get_file_info(fs.FileSelector(f"{folder}/{INCOMPLETE}"))
            names -= {info.base_name for info in parts}
        return names

    def finish(self, outcomes: Iterable[Outcome], skipped: int = 0, ended: str | None = None) -> Summary:
        """Writes what failed to ``_failures.jsonl`` in the folder, and returns a summary of the run."""
        summary = Summary(skipped=skipped, ended=ended)
        there = self._names(incomplete=True)
        for outcome in outcomes:
            failures = outcome.failures
            if outcome.is_written and self.name(outcome.path) not in there:
                message = "written, but not in the output folder: do all workers share it?"
                failures = (*failures, Failure(outcome.path, outcome.path, message))
            elif outcome.is_written:
                summary.done += 1
                summary.rows += outcome.rows
            summary.failures.extend(failures)
        self.close()
        system, folder = at(self.folder)
        if summary.failures:
            lines = "".join(failure.to_json() + "\n" for failure in summary.failures)
            write_text(system, f"{folder}/{FAILURES}", lines)
        elif exists(system, f"{folder}/{FAILURES}"):
            system.delete_file(f"{folder}/{FAILURES}")
        return summary

    def close(self) -> None:
        """Removes what workers that were ended left of files."""
        system, folder = at(self.folder)
        system.delete_dir(f"{folder}/{UNFINISHED}/{self.run}")


def prepare(
    output: str | os.PathLike[str],
    *,
    fields: Iterable[str] | None = None,
    threads: int = 1,
    batch_size: int = 65_536,
    **settings: Any,
) -> Output:
    """Makes the folder ``output``, or checks that it is one of an earlier run with the same settings.

    ``output`` is a path, or a URI that ``pyarrow.fs`` knows, such as ``s3://bucket/lists``. The keywords
    are those of ``urlint.read``, and each input is a path or a URL as there. Raises ``TypeError`` for unknown settings, ``ValueError`` for
    unknown fields, and if the folder holds anything else; ``OSError`` if it cannot be made.
    """
    output = os.fspath(output)
    if "://" not in output:
        output = os.path.abspath(output)
    names: tuple[Any, ...] | None = None if fields is None else tuple(fields)
    # Raises what is wrong with them.
    urlint.read([], fields=names, threads=threads, batch_size=batch_size, **settings)
    system, folder = at(output)
    info = system.get_file_info(folder)
    if info.type not in (fs.FileType.Directory, fs.FileType.NotFound):
        raise NotADirectoryError(shown(f"{output}: not a folder"))
    decisive = {key: value for key, value in settings.items() if key != "filesystem"}
    written = json.dumps({"fields": names, **decisive}, sort_keys=True, default=str)
    noted = f"{folder}/{SETTINGS}"
    there = []
    if info.type == fs.FileType.Directory:
        there = system.get_file_info(fs.FileSelector(folder))
    if exists(system, noted):
        with system.open_input_stream(noted) as file:
            others = file.read().decode().strip()
        is_begun = any(info.extension == "parquet" for info in there)
        if others != written and is_begun:
            raise ValueError(shown(f"{output}: written with other settings: {others}, not {written}"))
    elif there:
        raise ValueError(shown(f"{output}: not empty, and not written by urlint"))
    run = uuid.uuid4().hex
    system.create_dir(f"{folder}/{INCOMPLETE}")
    system.create_dir(f"{folder}/{UNFINISHED}/{run}")
    write_text(system, noted, written + "\n")
    return Output(output, run, names, threads, batch_size, settings)


def read_manifest(manifest: str | os.PathLike[str], prefix: str = "") -> list[str]:
    """Returns the paths in a file with a path on each line; the file may be in gzip, and in a store.

    Each is returned once, behind ``prefix``, such as ``s3://bucket/`` for a list of keys. Relative paths are taken
    from the working directory. Raises ``ValueError`` for a URL that nothing can open.
    """
    name, opener = source(manifest)
    with opener() if opener else open(name, "rb") as file:
        content = file.read()
    if content.startswith(b"\x1f\x8b"):
        try:
            content = gzip.decompress(content)
        except (EOFError, zlib.error) as error:
            raise OSError(f"{name}: damaged gzip: {error}") from error
    lines = (line.removesuffix(b"\r") for line in content.split(b"\n"))
    return absolute(prefix + os.fsdecode(line) for line in lines if line)


def absolute(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Returns each path once, and in full: workers have working directories of their own.

    Raises ``ValueError`` for a URL that nothing can open.
    """
    here = os.getcwd()
    found = dict.fromkeys(os.fspath(path) for path in paths)
    places = {match[0]: path for path in found if (match := PLACE.match(path))}
    for path in places.values():
        # Here, and not first by each of the workers.
        source(path)
    return list(dict.fromkeys(path if URL.match(path) else os.path.join(here, path) for path in found))


def at(folder: str) -> tuple[fs.FileSystem, str]:
    """Returns the file system of a folder, and the folder's path in it."""
    if "://" not in folder:
        return fs.LocalFileSystem(), folder
    if folder not in SYSTEMS:
        system, path = fs.FileSystem.from_uri(known(folder))
        if isinstance(system, fs.S3FileSystem):
            # A file of less than a part is one request.
            sign = "&" if "?" in folder else "?"
            system, path = fs.FileSystem.from_uri(f"{known(folder)}{sign}allow_delayed_open=true")
        SYSTEMS[folder] = system, path.rstrip("/")
    return SYSTEMS[folder]


# To make one takes a connection.
SYSTEMS: dict[str, tuple[fs.FileSystem, str]] = {}


def exists(system: fs.FileSystem, path: str) -> bool:
    return bool(system.get_file_info(path).type != fs.FileType.NotFound)


def is_store(system: fs.FileSystem) -> bool:
    """Whether the files of ``system`` are objects, which are there once they are whole."""
    return system.type_name in ("s3", "gcs", "abfs")


def is_there(system: fs.FileSystem, path: str) -> bool:
    """Whether there is a file, by one request."""
    try:
        system.open_input_file(path).close()
    except FileNotFoundError:
        return False
    return True


def rows_in(system: fs.FileSystem, path: str) -> int | None:
    """The number of rows of a Parquet file, or ``None`` if there is none, or it is damaged."""
    try:
        with system.open_input_file(path) as file:
            return int(pq.read_metadata(file).num_rows)
    except (FileNotFoundError, pa.ArrowInvalid):
        return None


def upload(local: str, system: fs.FileSystem, path: str) -> None:
    """Copies a file of this machine to a store."""
    try:
        with open(local, "rb") as file, system.open_output_stream(path) as copy:
            shutil.copyfileobj(file, copy, PART)
    except BaseException:
        # To close a file in a store has it there, whatever was written.
        if is_there(system, path):
            system.delete_file(path)
        raise


def write_text(system: fs.FileSystem, path: str, text: str) -> None:
    """Writes a file that is only there once it is whole."""
    temporary = path if is_store(system) else f"{path}.{uuid.uuid4().hex}"
    with system.open_output_stream(temporary) as file:
        file.write(text.encode())
    if temporary != path:
        system.move(temporary, path)


def failed(path: str, message: str) -> Outcome:
    return Outcome(path, 0, (Failure(path, path, message),), is_written=False)
