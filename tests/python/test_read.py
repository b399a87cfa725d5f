"""`read`: files and archives, compared with what the command lists."""

import datetime
import gzip
import io
import os
import pathlib
import subprocess
import sys
import textwrap
import threading
import time
import weakref
import zipfile

import polars
import pyarrow as pa
import pytest
import urlint
from conftest import listed


def time_of(text):
    """A point in time as a table has it: in UTC."""
    return datetime.datetime.fromisoformat(text).astimezone(datetime.timezone.utc)


def rows(paths, **settings):
    table = pa.table(urlint.read(paths, fields=["all"], **settings))
    table.validate(full=True)
    return table


def expected(paths):
    """The rows of the command as a table of the same types."""
    schema = pa.schema(urlint.schema(["all"]))
    found = listed([os.fspath(path) for path in paths])
    for row in found:
        for field in schema:
            if pa.types.is_timestamp(field.type) and row[field.name] is not None:
                row[field.name] = time_of(row[field.name])
            elif field.name == "pieces":
                row["pieces"] = [{"start": start, "end": end} for start, end in row["pieces"]]
    return pa.Table.from_pylist(found, schema)


def readable(folder, at_most):
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size < 3_000_000)
    # From all over the folder.
    return files[:: max(1, len(files) // at_most)]


@pytest.mark.parametrize("folder", ["warc", "mail", "docs"])
def test_the_same_rows_as_the_command(corpora, folder):
    files = readable(corpora / folder, 60)
    assert files
    wanted = expected(files)
    assert wanted.num_rows > 0
    for threads in [1, 2, 8]:
        for batch_size in [7, 65_536] if threads > 1 else [1, 7, 65_536]:
            found = rows(files, threads=threads, batch_size=batch_size, on_error="collect")
            assert found.equals(wanted), (folder, threads, batch_size)
    as_sets = [{str(row) for row in table.to_pylist()} for table in (found, wanted)]
    assert as_sets[0] == as_sets[1]


@pytest.fixture
def folder(tmp_path):
    """Some files, of which each has URLs."""
    mail = "From a@a.example Thu Jan  1 00:00:00 1998\nSubject: One\nMessage-ID: <1@a.example>\n\nhttp://a.example/1\n\n"
    (tmp_path / "a.mbox").write_text(mail + mail.replace("One", "Two"))
    (tmp_path / "b.html").write_text('<p>http://b.example/ <a href="http://b.example/2?x&amp;y">two</a>')
    (tmp_path / "c.txt.gz").write_bytes(gzip.compress(b"http://c.example/ \xff " * 100))
    with zipfile.ZipFile(tmp_path / "d.zip", "w") as archive:
        archive.writestr("x/one.txt", "<URL:http://d.exam\nple/>")
        archive.writestr("two.md", "[two](http://d.example/two)")
    (tmp_path / "e.txt").write_text("")
    return tmp_path


def test_files_of_several_kinds(folder):
    files = sorted(folder.iterdir())
    wanted = expected(files)
    assert wanted.num_rows == 106
    for threads in [1, 2, 8]:
        for batch_size in [1, 7, 65_536]:
            found = rows(files, threads=threads, batch_size=batch_size)
            assert found.equals(wanted)
            sizes = [len(links) for links in urlint.read(files, threads=threads, batch_size=batch_size)]
            assert max(sizes) <= batch_size and sum(sizes) == 106 and 0 not in sizes
    assert set(found["subject"].to_pylist()) == {"One", "Two", None}


def test_paths(folder, monkeypatch):
    path = folder / "a.mbox"
    for paths in [path, str(path), os.fsencode(path), [path], (str(path),), iter([path])]:
        assert pa.table(urlint.read(paths)).num_rows == 2
    assert urlint.read([]).column_names == ["path", "member", "url", "valid", "problems", "start", "end"]
    assert list(urlint.read([])) == []
    monkeypatch.chdir(folder)
    assert pa.table(urlint.read("a.mbox"))["path"].to_pylist() == ["a.mbox"] * 2


def test_a_reader(folder):
    reader = urlint.read(folder / "b.html", fields=["url"], batch_size=1)
    assert repr(reader) == "<urlint.Reader of url>"
    assert iter(reader) is reader
    assert len(next(reader)) == 1
    # What is left goes on as a stream, and then nothing is left.
    assert polars.DataFrame(reader)["url"].to_list() == ["http://b.example/2?x&y"]
    assert list(reader) == [] and pa.table(reader).num_rows == 0
    with urlint.read(folder / "b.html", batch_size=1) as reader:
        next(reader)
    assert list(reader) == []
    reader.close()
    stream = pa.RecordBatchReader.from_stream(urlint.read(folder / "b.html", fields=["url"]))
    assert stream.schema.names == ["url"] and stream.read_all().num_rows == 2


def test_the_first_fault_is_raised_after_what_comes_before_it(folder):
    files = [folder / "b.html", folder / "missing", folder / "a.mbox"]
    for threads in [1, 8]:
        reader = urlint.read(files, threads=threads)
        assert len(next(reader)) == 2
        with pytest.raises(FileNotFoundError, match="missing: No such file or directory"):
            next(reader)
        assert list(reader) == []
    with pytest.raises(IsADirectoryError):
        list(urlint.read(folder))
    with pytest.raises(Exception, match="missing: No such file or directory"):
        pa.table(urlint.read(files))


def test_faults_are_collected(folder):
    cut = folder / "cut.gz"
    cut.write_bytes((folder / "c.txt.gz").read_bytes()[:-12])
    files = [folder / "missing", cut, folder / "b.html", folder]
    for threads in [1, 2, 8]:
        reader = urlint.read(files, threads=threads, on_error="collect")
        assert reader.failures == [] or threads
        found = pa.table(reader)
        assert found["path"].to_pylist().count(str(folder / "b.html")) == 2
        names = sorted(name for name, _ in reader.failures)
        assert names == sorted(str(path) for path in (folder / "missing", cut, folder))
        said = dict(reader.failures)
        assert "No such file" in said[str(folder / "missing")]
        assert "(at byte " in said[str(cut)]
    with pytest.raises(OSError, match="cut.gz"):
        list(urlint.read(cut))


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"threads": 0}, ValueError, "`threads` must be at least 1"),
        ({"batch_size": 0}, ValueError, "`batch_size` must be at least 1"),
        ({"batch_size": -1}, ValueError, "`batch_size` must be at least 1"),
        ({"on_error": "no"}, ValueError, '`on_error` cannot be `no`; expected one of `raise`, `collect`'),
        ({"fields": ["no"]}, ValueError, "unknown field `no`"),
        ({"fields": ["row"]}, ValueError, "unknown field `row`"),
        ({"kind": "no"}, ValueError, "no"),
        ({"colour": "red"}, TypeError, "read() got an unexpected keyword argument 'colour'"),
        ({"fields": ["url", "url"]}, ValueError, "`url` is named twice"),
    ],
)
def test_errors(settings, error, message):
    with pytest.raises(error) as raised:
        urlint.read("x", **settings)
    assert message in str(raised.value)


def test_errors_of_paths():
    for paths in [1, [1], None]:
        with pytest.raises(TypeError):
            urlint.read(paths)


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_closing_early_does_not_wait(tmp_path, threads):
    long = tmp_path / "long.txt"
    long.write_bytes(b"http://a.example/ " * 200_000)
    others = [tmp_path / f"{number}.txt" for number in range(20)]
    for other in others:
        other.write_bytes(b"http://a.example/ " * 5_000)
    start = time.monotonic()
    for taken in range(3):
        before = threading.active_count()
        with urlint.read([long, *others], threads=threads, batch_size=10) as reader:
            for _ in range(taken):
                next(reader)
        # Nobody takes anything.
        urlint.read([long, *others], threads=threads, batch_size=10)
        stream = pa.RecordBatchReader.from_stream(urlint.read([long], batch_size=10))
        stream.read_next_batch()
        del stream, reader
        assert threading.active_count() == before
    assert time.monotonic() - start < 20


def test_a_reader_in_several_threads(folder):
    files = [folder / "c.txt.gz"] * 50
    reader = urlint.read(files, fields=["url"], threads=2, batch_size=9)
    counts = []

    def take():
        counts.append(sum(len(links) for links in reader))

    takers = [threading.Thread(target=take) for _ in range(4)]
    for taker in takers:
        taker.start()
    for taker in takers:
        taker.join()
    assert sum(counts) == 5_000


def test_names_that_are_not_utf_8(tmp_path):
    path = pathlib.Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt"))
    try:
        path.write_text("http://a.example/")
    except OSError:
        pytest.skip("there are no such names here")
    [row] = pa.table(urlint.read(path)).to_pylist()
    assert row["path"].endswith("/\ufffd.txt")


def urls(*arguments, **keywords):
    with urlint.read(*arguments, fields=["url"], **keywords) as reader:
        rows = [row["url"] for links in reader for row in pa.record_batch(links).to_pylist()]
        return rows, reader


def test_settings_apply_to_each_file(tmp_path):
    names = ["a.txt", "b.log"]
    for name in names:
        (tmp_path / name).write_text("<a href='http://a.example/?x&amp;y'>")
    paths = [tmp_path / name for name in names]
    found, _ = urls(paths, types={"*.log": "html"})
    assert found == ["http://a.example/?x&amp;y", "http://a.example/?x&y"]
    found, _ = urls(paths, kind="html")
    assert found == ["http://a.example/?x&y"] * 2
    ignored = {"a.txt": ["ALL"]}
    rows = pa.table(urlint.read(paths, fields=["rules"], select=["ALL"], per_file_ignores=ignored)).to_pylist()
    assert [bool(row["rules"]) for row in rows] == [False, True]


def test_what_is_no_text_is_told(tmp_path):
    binary, rar = tmp_path / "a.bin", tmp_path / "a.rar"
    binary.write_bytes(b"\0\1\2http://a.example/\n")
    rar.write_bytes(b"Rar!\x1a\x07\0 and more")
    found, reader = urls(binary)
    assert (found, reader.skipped) == ([], [(str(binary), "a binary file")])
    found, reader = urls(binary, kind="plain")
    assert (found, reader.skipped) == (["http://a.example/"], [])
    found, reader = urls([rar, binary], on_error="collect")
    [(name, what)] = reader.failures
    assert name == str(rar) and what.startswith("a RAR archive (bsdtar ") and "which is not opened" in what
    with pytest.raises(OSError, match="a RAR archive"):
        urls(rar)


def test_an_input_that_is_no_text_has_failed(tmp_path):
    import urlint.parquet

    (tmp_path / "a.bin").write_bytes(b"\0\1\2")
    output = urlint.parquet.prepare(tmp_path / "out")
    summary = output.finish([output.write(str(tmp_path / "a.bin"))])
    assert [failure.message for failure in summary.failures] == ["skipped, a binary file"]


@pytest.mark.parametrize("key", ["baseline", "exclude", "extend", "output_format", "show"])
def test_settings_of_the_command(key):
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{key}'"):
        urlint.extract("http://a.example/", **{key: "x"})


@pytest.mark.skipif(sys.platform == "win32", reason="the current folder cannot be removed there")
def test_a_current_folder_that_is_gone():
    code = "import os, tempfile; os.chdir(folder := tempfile.mkdtemp()); os.rmdir(folder)\n"
    code += "import urlint; print(urlint.extract('http://a.example/', standard='whatwg'))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout == "['http://a.example/']\n", ran.stderr


def test_file_objects(folder):
    files = sorted(folder.iterdir())
    wanted = rows(files)
    opened = [path.open("rb") for path in files]
    try:
        assert rows(opened).equals(wanted)
        # They are at their ends.
        assert rows(opened).num_rows == 0
    finally:
        for file in opened:
            file.close()
    packed = io.BytesIO((folder / "d.zip").read_bytes())
    found = pa.table(urlint.read(packed, fields=["path", "member", "url"])).to_pylist()
    assert [row["member"] for row in found] == ["x/one.txt", "two.md"]
    assert {row["path"] for row in found} == {"<BytesIO>"}
    texts = [io.BytesIO(b"http://a.example/1"), io.BytesIO(b"http://a.example/2"), folder / "a.mbox"]
    found = pa.table(urlint.read(texts, fields=["path", "url"], threads=4)).to_pylist()
    assert [row["path"] for row in found[:2]] == ["<BytesIO>", "<BytesIO> 2"] and len(found) == 4


def test_an_open_file_is_no_list_of_paths(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("http://a.example/")
    names = tmp_path / "names.txt"
    names.write_text(f"{secret}\n")
    with names.open() as file, pytest.raises(TypeError, match="for reading bytes, not text"):
        urlint.read(file)
    with names.open("rb") as file:
        assert list(urlint.read(file)) == []


class Slow(io.RawIOBase):
    """A file without an end, which fails where it is told to."""

    def __init__(self, error=None):
        self.error = error

    def read(self, size=-1):
        if self.error is not None:
            raise self.error
        return b"http://a.example/ " * 1000


def test_file_objects_that_fail():
    reader = urlint.read([Slow(ValueError("no")), io.BytesIO(b"http://b.example/")], on_error="collect", fields=["url"])
    assert pa.table(reader)["url"].to_pylist() == ["http://b.example/"]
    assert reader.failures == [("<Slow>", "ValueError: no")]
    with pytest.raises(PermissionError, match="<Slow>"):
        list(urlint.read(Slow(PermissionError(13, "no"))))
    # What is still read does not outlive Python.
    code = "import urlint, sys; sys.path.insert(0, folder); from test_read import Slow; next(urlint.read(Slow()))"
    code = f"folder = {os.path.dirname(__file__)!r}; {code}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_urls_and_file_systems(folder):
    from pyarrow import fs

    files = sorted(folder.iterdir())
    wanted = rows(files)
    urls = [path.as_uri() for path in files]
    found = rows(urls)
    assert found.drop_columns(["path"]).equals(wanted.drop_columns(["path"]))
    assert found["path"][0].as_py() == urls[0]
    names = [path.name for path in files]
    found = rows(names, filesystem=fs.SubTreeFileSystem(str(folder), fs.LocalFileSystem()))
    assert found.drop_columns(["path"]).equals(wanted.drop_columns(["path"]))
    assert set(found["path"].to_pylist()) < set(names)
    for url in ["nowhere://a/b.txt", "nowhere://a/b c"]:
        with pytest.raises(ValueError, match=f"^{url}: nothing opens `nowhere://` here"):
            urlint.read([folder / "a.mbox", url])
    with pytest.raises(TypeError, match="`filesystem` must be"):
        urlint.read("a.txt", filesystem="s3")
    reader = urlint.read([(folder / "none.txt").as_uri()], on_error="collect")
    assert list(reader) == [] and reader.failures[0][1].startswith("FileNotFoundError")



def test_a_message_with_a_nul_ends_nothing():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("aXb.txt", b"see http://a.example/1 x\n")
    damaged = file.getvalue().replace(b"aXb.txt", b"a\0b.txt").replace(b"example/1", b"example/2", 1)
    for source in [io.BytesIO(damaged), "a\0b", Slow(ValueError("a\0b"))]:
        with pytest.raises(OSError, match=r"a\\0b"):
            pa.table(urlint.read(source))


def test_a_read_that_returns_more_than_it_was_asked_for():
    class Whole(io.RawIOBase):
        rest = b"see http://a.example/1 x\n" * 400_000

        def read(self, size=-1):
            rest, self.rest = self.rest, b""
            return rest

    assert sum(map(len, urlint.read(Whole(), fields=["url"]))) == 400_000


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
@pytest.mark.parametrize("threads", [1, 2])
def test_what_stops_a_program_is_no_failure(error, threads):
    reader = urlint.read([Slow(error), io.BytesIO(b"http://b.example/")], on_error="collect", threads=threads)
    with pytest.raises(type(error)):
        list(reader)
    assert reader.failures == []


def test_a_program_ends_while_files_are_read():
    code = """
        import time, urlint
        class Waiting:
            def read(self, size):
                time.sleep(0.05)
                return b"http://a.example/ " * 1000
        reader = urlint.read([Waiting() for _ in range(5)], threads=5, batch_size=10)
        next(reader)
    """
    for _ in range(5):
        ran = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")


def test_a_dash_is_a_name(tmp_path, monkeypatch):
    from pyarrow import fs

    store = tmp_path / "store"
    store.mkdir()
    (store / "-").write_text("http://store.example/")
    (tmp_path / "-").write_text("http://local.example/")
    monkeypatch.chdir(tmp_path)
    system = fs.SubTreeFileSystem(str(store), fs.LocalFileSystem())
    assert rows(["-"], filesystem=system)["url"].to_pylist() == ["http://store.example/"]
    assert rows(["-"])["url"].to_pylist() == ["http://local.example/"]


def test_keys_in_urls_are_not_shown(monkeypatch):
    from urlint import _sources, parquet

    monkeypatch.setattr(_sources, "place_of", lambda url: (Memory(), url))
    url = "s3://KEY:SECRET@bucket/a@b.txt"
    assert rows(url)["path"].to_pylist() == ["s3://***@bucket/a@b.txt"]
    monkeypatch.undo()
    with pytest.raises(ValueError, match=r"^nowhere://\*\*\*@b/k: nothing opens") as raised:
        urlint.read("nowhere://KEY:SECRET@b/k")
    failure = parquet.Failure(url, url, f"no {url}")
    assert not any("SECRET" in text for text in [str(raised.value), str(failure), failure.to_json()])


class Memory:
    """A file system with one text."""

    def open(self, path, mode):
        return io.BytesIO(b"http://a.example/")


class Refusing:
    """A file system that opens nothing, as fsspec tells it."""

    def __init__(self, error, status=None):
        self.error = error
        self.cause = None if status is None else Answer(status)

    def open(self, path, mode):
        raise self.error from self.cause


class Answer(Exception):
    def __init__(self, status):
        self.status = status


@pytest.mark.parametrize(
    "system, failure",
    [
        (Refusing(FileNotFoundError("http://a.example/k")), "FileNotFoundError: no such file or object"),
        (Refusing(FileNotFoundError("http://a.example/k"), 404), "FileNotFoundError: no such file or object"),
        (Refusing(FileNotFoundError("http://a.example/k"), 403), "OSError: the server answered with the status 403"),
        (Refusing(FileNotFoundError("http://a.example/k"), 500), "OSError: the server answered with the status 500"),
        (Refusing(RuntimeError("no ftp://K:S@a.example/k")), "OSError: no ftp://***@a.example/k"),
        (Refusing(PermissionError(13, "no")), "PermissionError: [Errno 13] no"),
    ],
)
def test_why_nothing_is_opened(system, failure):
    reader = urlint.read("k", filesystem=system, on_error="collect")
    assert list(reader) == [] and reader.failures == [("k", failure)]
    with pytest.raises(OSError) as raised:
        pa.table(urlint.read("k", filesystem=system))
    assert str(raised.value).count("k: ") == 1


def test_what_fsspec_opens_later():
    class Later:
        full_name, mode = "memory://K:S@a/b.txt", "rb"

        def open(self):
            return io.BytesIO(b"http://a.example/")

    assert rows(Later())["path"].to_pylist() == ["memory://***@a/b.txt"]
    assert rows([Later(), io.BytesIO(b"http://a.example/")]).num_rows == 2
    Later.mode = "rt"
    with pytest.raises(TypeError, match="not text"):
        urlint.read(Later())


def test_a_key_with_a_question_mark(monkeypatch):
    from pyarrow import fs
    from urlint import _sources

    asked = []

    def from_uri(url):
        asked.append(url)
        if url.endswith("?x=1"):
            raise pa.ArrowInvalid("Unexpected query parameter")
        return "system", url.partition("://")[2].partition("?")[0]

    monkeypatch.setattr(fs, "FileSystem", type("FileSystem", (), {"from_uri": staticmethod(from_uri)}))
    monkeypatch.setattr(_sources, "BUCKETS", {})
    assert _sources.place_of("s3://b/k?region=x") == ("system", "b/k")
    assert _sources.place_of("s3://b/k?x=1") == ("system", "b/k?x=1")
    assert asked == ["s3://b/k?region=x", "s3://b/k?x=1", "s3://b"]


class Store:
    """A file system that notes the pieces that are read of its objects, and the open ones."""

    def __init__(self, objects):
        self.objects = objects
        self.log = []
        self.files = weakref.WeakSet()

    def open(self, path, mode):
        file = File(self.log, path, self.objects[path])
        self.files.add(file)
        return file


class File:
    def __init__(self, log, path, pieces):
        self.log = log
        self.path = path
        self.pieces = iter(pieces)

    def read(self, size):
        piece = next(self.pieces, b"")
        self.log.append((self.path, len(piece)))
        return piece


def test_objects_are_read_ahead():
    piece = b"http://a.example/\n" * 100
    store = Store({"a": [piece, piece], "b": [piece], "c": [piece]})
    reader = urlint.read(["a", "b", "c"], fields=["path"], batch_size=1, filesystem=store)
    batches = iter(reader)
    next(batches)
    # The work waits for its rows to be taken, within the first piece.
    until = time.monotonic() + 60
    while ("b", len(piece)) not in store.log and time.monotonic() < until:
        time.sleep(0.01)
    assert store.log[:4] == [("a", len(piece))] * 2 + [("a", 0), ("b", len(piece))]
    assert len(list(batches)) == 399
    # Nobody takes the rest.
    store = Store({"a": [piece], "b": [piece] * 99, "c": [piece]})
    reader = urlint.read(["a", "b", "c"], fields=["path"], batch_size=1, filesystem=store)
    next(iter(reader))
    while ("b", len(piece)) not in store.log and time.monotonic() < until:
        time.sleep(0.01)
    reader.close()
    while store.files and time.monotonic() < until:
        # The files that threads have left are dropped with the next call.
        list(urlint.extract("http://a.example/"))
        time.sleep(0.01)
    assert not store.files and len(store.log) < 9
