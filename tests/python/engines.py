"""The rows that engines get of the module are those that the command lists: all columns, as sets.

    python tests/python/engines.py [pyarrow|pandas|polars|duckdb|dask|ray|spark|stores]...

Without names, all of them. Runs in a Python in which urlint is installed; `URLINT` names the command, if
it is neither installed nor built. An engine that is not installed is said to be skipped on the last lines.
"""

import collections
import contextlib
import datetime
import functools
import gzip
import importlib
import json
import logging
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import traceback
import zipfile

import pyarrow as pa
import pyarrow.compute
import pyarrow.dataset
import pyarrow.fs
import urlint
import urlint.parquet
import urlint.spark

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPORA = ROOT.parent / "shared" / "corpora"

# The kinds of documents that are put into tables, by the ends of their names.
KINDS = {"markdown": (".md",), "mail": (".eml",), "mbox": (".mbox",), "plain": (".txt",)}


class Skipped(Exception):
    """Something that a test needs is not there."""


@functools.cache
def command():
    scripts = pathlib.Path(sysconfig.get_path("scripts"))
    beside = pathlib.Path(urlint.__file__).parents[1] / "bin"
    name = "urlint" + (sysconfig.get_config_var("EXE") or "")
    places = [os.environ.get("URLINT", ""), scripts / name, beside / name, ROOT / "target" / "debug" / name]
    found = [str(place) for place in places if os.path.isfile(place)]
    if not found:
        sys.exit("the command is not there: set URLINT")
    return found[0]


def listed(paths, *arguments):
    """What the command lists."""
    ran = subprocess.run(
        [command(), "extract", "--isolated", "--output-format", "json-lines", "--fields", "all", *arguments, *paths],
        capture_output=True,
        check=False,
    )
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    for row in found:
        for name in ("date", "warc-date"):
            # A column of times knows no zone that each is from.
            row[name] = row[name] and datetime.datetime.fromisoformat(row[name])
    return found


@functools.cache
def inputs():
    """The files that are read."""
    folders = [ROOT / "fixtures"]
    if CORPORA.is_dir():
        folders = [CORPORA / name for name in ("warc", "mail", "docs")]
    return sorted(str(path) for folder in folders for path in folder.rglob("*") if path.is_file())


@functools.cache
def expected():
    """The rows of the files."""
    return rows(listed(inputs()))


@functools.cache
def texts():
    """For each kind of document, a table of names and texts."""
    tables = {}
    for kind, ends in KINDS.items():
        names = [path for path in inputs() if path.endswith(ends)]
        if not names:
            # Without a path, the command reads the current folder.
            continue
        contents = [pathlib.Path(name).read_bytes() for name in names]
        tables[kind] = pa.table({"name": names, "text": pa.array(contents, pa.binary())})
    return tables


@functools.cache
def expected_of(kind):
    """The rows of the texts of a kind."""
    found = listed(texts()[kind]["name"].to_pylist(), "--type", kind)
    for row in found:
        del row["member"]
        row["name"] = row.pop("path")
    return rows(found)


def plain(value):
    """A value as the command's JSON has it."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).isoformat(" ")
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def rows(found):
    """Rows that can be compared, with how often each is there."""
    found = found.to_pylist() if hasattr(found, "to_pylist") else found
    found = ({key: plain(value) for key, value in row.items() if key != "row"} for row in found)
    return collections.Counter(json.dumps(row, sort_keys=True) for row in found)


def same(what, got, wanted):
    got = got if isinstance(got, collections.Counter) else rows(got)
    missing, surplus = wanted - got, got - wanted
    if missing or surplus:
        for one, other in list(zip(sorted(missing), sorted(surplus)))[:2]:
            one, other = json.loads(one), json.loads(other)
            print({name: (one[name], other.get(name)) for name in one if one[name] != other.get(name)})
        raise AssertionError(f"{what}: {missing.total()} rows are missing, {surplus.total()} too many")
    print(f"  {what}: the same {wanted.total()} rows", flush=True)


def same_texts(what, extract):
    """Compares the rows that `extract` gives of the table of each kind."""
    got, wanted = collections.Counter(), collections.Counter()
    for kind, table in texts().items():
        # A path is in both, so no row is in two kinds.
        got += rows(extract(table, kind))
        wanted += expected_of(kind)
    same(what, got, wanted)


def links(data, kind, **settings):
    return urlint.extract_arrow(data, "text", keep=["name"], fields=["all"], kind=kind, **settings)


def read_all(**settings):
    return urlint.read(inputs(), fields=["all"], on_error="collect", threads=2, **settings)


def in_folder(output):
    """The rows of the Parquet files in a folder."""
    return pyarrow.dataset.dataset(output, format="parquet").to_table()


def test_pyarrow():
    same_texts("a table", lambda table, kind: pa.table(links(table, kind)))
    same_texts(
        "batches of 7",
        lambda table, kind: pa.Table.from_batches(
            [pa.record_batch(links(batch, kind)) for batch in table.to_batches(max_chunksize=7)],
        ),
    )
    same_texts(
        "a stream",
        lambda table, kind: pa.RecordBatchReader.from_stream(
            links(pa.RecordBatchReader.from_batches(table.schema, table.to_batches()), kind, lazy=True)
        ).read_all(),
    )
    same("files", pa.table(read_all()), expected())
    same(
        "files in batches of 100",
        pa.Table.from_batches([pa.record_batch(batch) for batch in read_all(batch_size=100)]),
        expected(),
    )
    with tempfile.TemporaryDirectory() as scratch:
        output = f"{scratch}/lists"
        summary = urlint.spark.run(None, inputs(), output, fields=["all"])
        assert summary.done + len({failure.path for failure in summary.failures}) >= len(inputs()), summary
        same("Parquet files", in_folder(output), expected())
        again = urlint.spark.run(None, inputs(), output, fields=["all"])
        assert again.skipped + again.done == summary.done, (again, summary)
        same("Parquet files, run again", in_folder(output), expected())
        check_names(output)
    check_failures()


def check_names(output):
    folder = urlint.parquet.prepare(output, fields=["all"])
    paths = ["/a/x", "/b/x", "/a/_x", "/a/.x", "/a/x?", "/a/x*", "/a/x/", "/", "/a/" + "x" * 300, "/a/" + "x" * 299]
    names = {folder.name(path) for path in paths}
    assert len(names) == len(paths), names
    assert all(len(name) < 200 and name[0] not in "._" for name in names), names
    folder.close()


def check_failures():
    """What cannot be read is told, in part or whole, and read again by a rerun."""
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        text = b"".join(b"see http://a.example/%d or so\n" % number for number in range(100_000))
        packed = gzip.compress(text)
        good, cut, none = f"{scratch}/good.txt", f"{scratch}/cut.txt.gz", f"{scratch}/none.txt"
        pathlib.Path(good).write_bytes(text)
        pathlib.Path(cut).write_bytes(packed[: len(packed) // 2])
        pathlib.Path("manifest").write_bytes(b"good.txt\r\n\ncut.txt.gz\nnone.txt\ngood.txt\n")
        summary = urlint.spark.run(None, "manifest", "lists", fields=["path", "url"])
        assert {failure.path for failure in summary.failures} == {cut, none}, summary
        noted = [json.loads(line) for line in pathlib.Path("lists/_failures.jsonl").read_text().splitlines()]
        assert {line["path"] for line in noted} == {cut, none}, noted
        found = in_folder("lists")["path"].to_pylist()
        assert found.count(good) == 100_000 and 0 < found.count(cut) < 100_000
        # What a worker that was killed leaves does not count.
        for number in range(3):
            pathlib.Path(f"lists/_unfinished/{number}").mkdir()
            pathlib.Path(f"lists/_unfinished/{number}/left.parquet").write_bytes(b"PAR1")
        pathlib.Path(cut).write_bytes(packed)
        pathlib.Path(none).write_bytes(b"http://b.example/")
        summary = urlint.spark.run(None, "manifest", "lists", fields=["path", "url"])
        assert (summary.skipped, summary.done, summary.failures) == (1, 2, []), summary
        assert not pathlib.Path("lists/_failures.jsonl").exists()
        found = in_folder("lists")["path"].to_pylist()
        assert found.count(good) == found.count(cut) == 100_000 and found.count(none) == 1
        # The file that is whole stays, though the input is gone.
        pathlib.Path(cut).unlink()
        summary = urlint.spark.run(None, "manifest", "lists", fields=["path", "url"])
        assert (summary.skipped, summary.failures) == (3, []), summary
        wrong = [
            (ValueError, "other settings", lambda: urlint.spark.run(None, "manifest", "lists", fields=["url"])),
            (ValueError, "not empty", lambda: urlint.spark.run(None, "manifest", ".")),
            (ValueError, "unknown field", lambda: urlint.spark.run(None, "manifest", "new", fields=["urk"])),
            (NotADirectoryError, "not a folder", lambda: urlint.spark.run(None, "manifest", "manifest")),
            (FileNotFoundError, "none", lambda: urlint.spark.run(None, "none", "new")),
        ]
        for kind, message, call in wrong:
            try:
                call()
            except kind as error:
                assert message in str(error), error
            else:
                raise AssertionError(f"no {kind.__name__}: {message}")
        assert not pathlib.Path("new").exists()
        os.chdir("/")
    print("  failures are told, and mended by a rerun", flush=True)


def test_pandas():
    import pandas as pd

    def extract(table, kind):
        found = pd.DataFrame.from_arrow(links(pd.DataFrame.from_arrow(table), kind))
        # Whole numbers with gaps are fractions in pandas.
        return pa.Table.from_pandas(found, schema=pa.schema(links(table, kind)), preserve_index=False)

    same_texts("data frames", extract)


def test_polars():
    import polars as pl

    same_texts("data frames", lambda table, kind: pl.DataFrame(links(pl.DataFrame(table), kind)).to_arrow())

    def lazily(table, kind):
        schema = pl.DataFrame(links(table.slice(0, 0), kind)).schema
        frame = pl.DataFrame(table).lazy()
        found = frame.map_batches(lambda batch: pl.DataFrame(links(batch, kind)), schema=schema, streamable=True)
        return found.collect(engine="streaming").to_arrow()

    same_texts("lazy frames", lazily)
    same("files", pl.DataFrame(read_all()).to_arrow(), expected())


def test_duckdb():
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")

        def extract(table, kind):
            relation = connection.from_arrow(table)
            reader = pa.RecordBatchReader.from_stream(links(relation, kind, lazy=True))
            # The connection of the relation is busy until the reader is read.
            return connection.cursor().sql("SELECT * FROM reader").to_arrow_table()

        same_texts("relations", extract)
        reader = pa.RecordBatchReader.from_stream(read_all())
        same("files", connection.sql("SELECT * FROM reader").to_arrow_table(), expected())


def test_dask():
    needs("dask")
    distributed = needs("distributed")
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")
    try:
        client = distributed.Client(cluster)
        try:

            def extract(table, kind):
                parts = [table.slice(start, 50) for start in range(0, len(table), 50)]
                # Otherwise slices of a table are taken for the same, and only the first is read.
                tasks = client.map(dask_links, parts, kind=kind, pure=False)
                return pa.concat_tables(client.gather(tasks))

            same_texts("tables", extract)
            with tempfile.TemporaryDirectory() as scratch:
                output = urlint.parquet.prepare(f"{scratch}/lists", fields=["all"])
                import dask.bag

                outcomes = dask.bag.from_sequence(inputs(), npartitions=16).map(output.write).compute()
                output.finish(outcomes)
                same("a bag of paths", in_folder(f"{scratch}/lists"), expected())
        finally:
            client.close()
    finally:
        cluster.close()


def dask_links(table, kind):
    return pa.table(links(table, kind))


def test_ray():
    needs("aiohttp", "Ray reads no local files without it")
    os.environ.update(RAY_AUTH_MODE="disabled", RAY_USAGE_STATS_ENABLED="0")
    ray = needs("ray")
    with tempfile.TemporaryDirectory(prefix="ray") as scratch:
        ray.init(
            num_cpus=2,
            object_store_memory=200 << 20,
            include_dashboard=False,
            log_to_driver=False,
            _temp_dir=scratch,
            _node_ip_address="127.0.0.1",
        )
        try:
            ray.data.DataContext.get_current().enable_progress_bars = False

            def extract(table, kind):
                # An extension whose module is not Ray's must be found where the workers run.
                def batch_links(batch):
                    import urlint

                    return pa.table(urlint.extract_arrow(batch, "text", keep=["name"], fields=["all"], kind=kind))

                data = ray.data.from_arrow([table.slice(start, 50) for start in range(0, len(table), 50)])
                found = data.map_batches(batch_links, batch_format="pyarrow", batch_size=None)
                return pa.concat_tables(ray.get(found.to_arrow_refs()), promote_options="permissive")

            same_texts("blocks", extract)
            output = urlint.parquet.prepare(f"{scratch}/lists", fields=["all"])

            def write(row):
                outcome = output.write(row["item"])
                return {"path": outcome.path, "rows": outcome.rows, "failures": len(outcome.failures)}

            data = ray.data.from_items(inputs(), override_num_blocks=16)
            taken = data.map(write).take_all()
            assert len(taken) == len(inputs())
            output.close()
            same("paths", in_folder(f"{scratch}/lists"), expected())
        finally:
            ray.shutdown()


def test_stores():
    """Inputs and output in a bucket, with a server that behaves as S3."""
    with store() as bucket:
        urls, wanted = stored(bucket)
        same("objects", without(bucket, urlint.read(urls, fields=["all"], on_error="collect", threads=2)), wanted)
        output = f"{bucket}/lists"
        with requests() as seen:
            summary = urlint.spark.run(None, urls, output, fields=["all"])
        # Of the input HEAD and GET; of its file HEAD and PUT; of the mark of the attempt the same.
        most = 6 * len(urls) + 40
        assert len(seen) <= most, (len(seen), most, collections.Counter(seen))
        print(f"  requests: {len(seen)} for {len(urls)} inputs", flush=True)
        same("Parquet files of objects", without(bucket, table_at(output)), wanted)
        again = urlint.spark.run(None, urls, output, fields=["all"])
        assert again.skipped + again.done == summary.done and again.skipped > 0, (again, summary)
        keys = "".join(url.removeprefix(f"{bucket}/") + "\n" for url in urls)
        put(f"{bucket}/paths.gz", gzip.compress(keys.encode()))
        found = urlint.parquet.read_manifest(f"{bucket}/paths.gz", prefix=f"{bucket}/")
        assert found == urls
        system, folder = urlint.parquet.at(bucket)
        keys = [folder + url.removeprefix(bucket) for url in urls]
        by_system = urlint.read(keys, fields=["url"], filesystem=system, on_error="collect")
        by_url = urlint.read(urls, fields=["url"], on_error="collect")
        assert pa.table(by_system) == pa.table(by_url)
        fsspec = needs("fsspec")
        with fsspec.open("memory://folder/a.txt.gz", "wb") as file:
            file.write(gzip.compress(b"http://a.example/"))
        found = pa.table(urlint.read(["memory://folder/a.txt.gz"], fields=["path", "url"])).to_pylist()
        assert found == [{"path": "memory://folder/a.txt.gz", "url": "http://a.example/"}], found
        absent = urlint.read([f"{bucket}/none.txt"], on_error="collect")
        assert list(absent) == [] and [name for name, _ in absent.failures] == [f"{bucket}/none.txt"]
    wrong = [
        lambda: urlint.read("nowhere://b/a.txt"),
        lambda: urlint.spark.run(None, ["nowhere://b/a.txt"], "new"),
    ]
    for call in wrong:
        try:
            call()
        except ValueError as error:
            assert str(error).startswith("nowhere://b/a.txt: nothing opens `nowhere://` here"), error
        else:
            raise AssertionError("no ValueError")
    print("  a URL that nothing opens is told at once", flush=True)


@contextlib.contextmanager
def requests():
    """The methods of the requests to the store meanwhile."""
    seen, log = [], logging.getLogger("werkzeug")
    handler = logging.Handler()
    # Its errors are in the same log: a client that closed the connection, say.
    handler.emit = lambda record: seen.extend(re.findall(r'"(?:\x1b\S*?m)?([A-Z]+) /', record.getMessage())[:1])
    # Not its own, which prints them.
    log.handlers, before = [handler], log.handlers
    log.setLevel(logging.INFO)
    try:
        yield seen
    finally:
        log.setLevel(logging.ERROR)
        log.handlers = before


@contextlib.contextmanager
def store(name="crawl"):
    """A bucket of a server of its own; the processes that are started meanwhile know where it is."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = needs("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    settings = {
        "AWS_ENDPOINT_URL": "http://{}:{}".format(*server.get_host_and_port()),
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    before = os.environ.copy()
    os.environ.update(settings)
    try:
        # Only the file systems of URLs look into the environment.
        endpoint = settings["AWS_ENDPOINT_URL"]
        pyarrow.fs.S3FileSystem(allow_bucket_creation=True, endpoint_override=endpoint).create_dir(name)
        yield f"s3://{name}"
    finally:
        os.environ.clear()
        os.environ.update(before)
        server.stop()


def put(url, content):
    system = pyarrow.fs.S3FileSystem(endpoint_override=os.environ["AWS_ENDPOINT_URL"])
    # A name such as `a.gz` says nothing about the format that is written.
    with system.open_output_stream(url.removeprefix("s3://"), compression=None) as file:
        file.write(content)


def stored(bucket):
    """Puts some of the inputs into a bucket; returns their URLs, and the rows of them."""
    paths = inputs()[::6]
    for path in paths:
        put(bucket + path, pathlib.Path(path).read_bytes())
    return [bucket + path for path in paths], rows(listed(paths))


def table_at(output):
    system, folder = urlint.parquet.at(output)
    return pyarrow.dataset.dataset(folder, filesystem=system, format="parquet").to_table()


def without(bucket, found):
    """The rows with the paths that the same inputs have on this machine."""
    found = pa.table(found)
    path = pa.compute.replace_substring(found["path"], bucket, "")
    return found.set_column(found.schema.get_field_index("path"), found.schema.field("path"), path)


def test_spark():
    needs("pyspark")
    if not has_java():
        raise Skipped("no Java 17 or newer")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    with tempfile.TemporaryDirectory() as scratch:
        # A task is tried four times, as on a cluster; once is usual on one machine.
        spark = session("local[2,4]", scratch, {})
        try:
            local_texts(spark, scratch)
            local_manifest(spark, scratch)
            poison(spark, inputs(), f"{scratch}/poison.txt", f"{scratch}/poisoned")
            source(spark, inputs(), expected(), lambda found: found)
        finally:
            spark.stop()
        job(scratch)
        with store() as bucket:
            in_store(bucket, scratch)
        standalone(scratch)


def has_java():
    """Whether there is a Java that Spark can use."""
    home = os.environ.get("JAVA_HOME")
    java = f"{home}/bin/java" if home else shutil.which("java")
    if not java or not os.path.exists(java):
        return False
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', said)
    return version is not None and int(version[1]) >= 17


def session(master, scratch, settings):
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.local.dir": f"{scratch}/spark",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
        "spark.sql.warehouse.dir": f"{scratch}/warehouse",
        **settings,
    }
    builder = SparkSession.builder.master(master).appName("urlint")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def spark_columns():
    fields = [name for name in urlint.schema(["all"]).names if name not in ("path", "member")]
    return "name string, " + urlint.spark_schema(fields), fields


def local_texts(spark, scratch):
    columns, fields = spark_columns()

    def extract(table, kind):
        def find(batches):
            import urlint

            for batch in batches:
                found = urlint.extract_arrow(batch, "text", keep=["name"], fields=fields, kind=kind)
                yield pa.record_batch(found)

        return spark.createDataFrame(table).repartition(4).mapInArrow(find, columns).toArrow()

    same_texts("Spark, local: a column of texts", extract)
    killed = f"{scratch}/killed"

    def dying(table, kind):
        def find(batches):
            import urlint

            for batch in batches:
                found = urlint.extract_arrow(batch, "text", keep=["name"], fields=fields, kind=kind)
                yield pa.record_batch(found)
                try:
                    os.close(os.open(f"{killed}-{kind}", os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    continue
                os.kill(os.getpid(), signal.SIGKILL)

        found = spark.createDataFrame(table).repartition(4).mapInArrow(find, columns).toArrow()
        assert os.path.exists(f"{killed}-{kind}"), "no worker was killed"
        return found

    same_texts("Spark, local: workers killed", dying)


def local_manifest(spark, scratch):
    output = f"{scratch}/local"
    manifest = f"{scratch}/manifest"
    pathlib.Path(manifest).write_text("".join(f"{path}\n" for path in inputs()) + f"{scratch}/none\n")
    summary = urlint.spark.run(spark, manifest, output, fields=["all"], partitions=8)
    assert f"{scratch}/none" in {failure.path for failure in summary.failures}, summary
    same("Spark, local: a manifest", in_folder(output), expected())
    same("Spark's own reader", spark.read.parquet(output).toArrow(), expected())
    for path in sorted(pathlib.Path(output).glob("*.parquet"))[::3]:
        path.unlink()
    again = urlint.spark.run(spark, manifest, output, fields=["all"], partitions=8)
    assert again.skipped > 0 and again.done > 0, again
    same("Spark, local: a third of the files written again", in_folder(output), expected())


class Poisoned(urlint.parquet.Output):
    """Workers end as they read one of the inputs."""

    def _list(self, path, system, temporary):
        if path.endswith("poison.txt"):
            if not self.folder.startswith("s3:"):
                pathlib.Path(temporary).write_bytes(b"PAR1")
            os.kill(os.getpid(), signal.SIGKILL)
        return super()._list(path, system, temporary)


def poison(spark, paths, poison, output):
    """An input whose workers end is given up, and all others are read."""
    if not poison.startswith("s3:"):
        pathlib.Path(poison).write_text("http://a.example/")
    folder = urlint.parquet.prepare(output, fields=["all"])
    folder = Poisoned(**vars(folder))
    summary = urlint.spark.write_all(spark, [poison, *paths], folder, 4)
    told = [failure.message for failure in summary.failures if failure.path == poison]
    assert told == ["2 workers ended while they read it"], summary
    assert summary.ended is None, summary
    if not poison.startswith("s3:"):
        same("Spark, local: an input that kills its workers", in_folder(folder.folder), expected())


def source(spark, paths, wanted, restored):
    """The format `urlint` of Spark."""
    urlint.spark.register(spark)
    load = spark.read.format("urlint").option("fields", "all").option("on_error", "collect")
    found = load.load(paths).toArrow()
    assert found.schema.field("url").nullable is False
    same("Spark: the format urlint", restored(found), wanted)
    assert load.load(paths).rdd.getNumPartitions() < len(paths)
    chosen = load.schema("url string, valid boolean").load(paths).toArrow()
    assert chosen.schema.names == ["url", "valid"] and chosen.schema.field("url").nullable
    same("Spark: the format urlint, columns chosen", chosen.select(["url"]), rows(found.select(["url"])))


def in_store(bucket, scratch):
    """Inputs and output in a bucket; a worker is killed in the middle, and one input kills its workers."""
    urls, wanted = stored(bucket)
    put(f"{bucket}/poison.txt", b"http://a.example/")
    # Java has been started before.
    where = {f"spark.executorEnv.{key}": value for key, value in os.environ.items() if key.startswith("AWS_")}
    spark = session("local[2,4]", scratch, where)
    try:
        folder = urlint.parquet.prepare(f"{bucket}/killed", fields=["all"])
        folder = Killed(**vars(folder))
        summary = urlint.spark.write_all(spark, urls, folder, 8)
        assert summary.ended is None and os.path.exists(KILLED), (summary.failures[:3], summary.ended)
        same("Spark, in a store: a worker killed", without(bucket, table_at(folder.folder)), wanted)
        poison(spark, urls, f"{bucket}/poison.txt", f"{bucket}/poisoned")
        same("Spark, in a store: poison", without(bucket, table_at(f"{bucket}/poisoned")), wanted)
        source(spark, urls, wanted, lambda found: without(bucket, found))
        put(f"{bucket}/globbed/a/1.txt", b"http://a.example/1")
        put(f"{bucket}/globbed/a/2.md", b"http://a.example/2")
        put(f"{bucket}/globbed/b/3.txt", b"http://a.example/3")
        for pattern, wanted in (("", "123"), ("/*/*.txt", "13"), ("/a/*", "12"), ("/a/[2].md", "2")):
            found = spark.read.format("urlint").option("fields", "url").load(f"{bucket}/globbed{pattern}").collect()
            assert "".join(sorted(row.url[-1] for row in found)) == wanted, (pattern, found)
    finally:
        spark.stop()


KILLED = os.path.join(tempfile.gettempdir(), f"urlint-killed-{os.getpid()}")


class Killed(urlint.parquet.Output):
    """A worker is killed once, after it has written the missing outputs."""

    def _list(self, path, system, temporary):
        found = super()._list(path, system, temporary)
        if "/mail/" in path or "fixtures" in path:
            try:
                os.close(os.open(KILLED, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return found
            os.kill(os.getpid(), signal.SIGKILL)
        return found


def job(scratch):
    """The job as it is started from a shell."""
    for folder in ("one", "two"):
        os.mkdir(f"{scratch}/{folder}")
        pathlib.Path(f"{scratch}/{folder}/same.txt").write_text(f"http://{folder}.example/")
    pathlib.Path(f"{scratch}/small").write_text("one/same.txt\ntwo/same.txt\n")
    line = [sys.executable, "-m", "urlint.spark", "small", "job", "--fields", "url,host", "--master", "local[2]"]
    for wanted, skipped in ((0, 0), (0, 2), (2, 2)):
        ran = subprocess.run(line, cwd=scratch, capture_output=True, text=True, check=False)
        assert ran.returncode == wanted, ran
        assert f", {skipped} were there already" in ran.stdout, ran
        with open(f"{scratch}/small", "a") as manifest:
            if skipped:
                manifest.write("none.txt\n")
    assert "none.txt: No such file" in ran.stderr, ran.stderr
    found = in_folder(f"{scratch}/job").to_pylist()
    hosts = sorted(row["host"] for row in found)
    assert hosts == ["one.example", "two.example"], found
    print("  Spark: python -m urlint.spark", flush=True)


def standalone(scratch):
    """A master and two workers, to which the package is shipped; one worker is killed in the middle."""
    import pyspark

    home = os.path.dirname(pyspark.__file__)
    archive = f"{scratch}/urlint.zip"
    package = pathlib.Path(urlint.__file__).parent
    with zipfile.ZipFile(archive, "w") as shipped:
        for path in package.iterdir():
            if path.is_file():
                shipped.write(path, f"urlint/{path.name}")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "SPARK_HOME": home, "SPARK_NO_DAEMONIZE": "1"}
    started = []

    def start(name, *arguments):
        log = open(f"{scratch}/{name}.log", "wb")
        line = [
            f"{home}/bin/spark-class",
            f"org.apache.spark.deploy.{arguments[0]}",
            "--host",
            "127.0.0.1",
            "--webui-port",
            "0",
            *arguments[1:],
        ]
        process = subprocess.Popen(line, stdout=log, stderr=log, env=environment, start_new_session=True)
        log.close()
        started.append(process)
        return process

    spark = None
    try:
        start("master", "master.Master", "--port", str(port))
        await_port(port)
        master = f"spark://127.0.0.1:{port}"
        workers = [
            start(name, "worker.Worker", "-c", "1", "-m", "1g", "-d", f"{scratch}/{name}", master)
            for name in ("first", "second")
        ]
        spark = session(
            master,
            scratch,
            {
                "spark.archives": f"{archive}#deps",
                "spark.executorEnv.PYTHONPATH": "deps",
                "spark.executor.memory": "512m",
                "spark.executor.heartbeatInterval": "5s",
            },
        )
        await_workers(spark, 2)

        def where(batches):
            import urlint

            for batch in batches:
                yield pa.RecordBatch.from_pylist([{"file": urlint.__file__}] * len(batch))

        shown = spark.range(0, 4, 1, 4).mapInArrow(where, "file string").toArrow()["file"].to_pylist()
        assert all("/deps/urlint/" in file and file.startswith(scratch) for file in shown), shown
        same_manifest(spark, scratch, "Spark, standalone: two workers", None)
        same_manifest(spark, scratch, "Spark, standalone: a worker killed", workers[0])
    except BaseException:
        for log in pathlib.Path(scratch).glob("*.log"):
            print(f"-- {log.name}\n" + "\n".join(log.read_text(errors="replace").splitlines()[-15:]))
        raise
    finally:
        if spark is not None:
            spark.stop()
        for process in reversed(started):
            end(process)


def same_manifest(spark, scratch, what, victim):
    output = f"{scratch}/standalone-{victim is not None}"
    seen = []

    def kill():
        # Some files are there, and others are not.
        while not seen:
            count = len(list(pathlib.Path(output).glob("*.parquet")))
            if count > len(inputs()) // 10:
                end(victim)
                seen.append(count)
            time.sleep(0.02)

    killer = threading.Thread(target=kill, daemon=True)
    if victim is not None:
        killer.start()
    summary = urlint.spark.run(spark, inputs(), output, fields=["all"], partitions=16)
    assert summary.ended is None, summary
    if victim is not None:
        killer.join(10)
        assert seen and seen[0] < len(inputs()) - 10, f"killed after {seen} of {len(inputs())}"
    same(what, in_folder(output), expected())


def await_port(port):
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("Spark's master does not start")


def await_workers(spark, count):
    executors = spark.sparkContext._jsc.sc().statusTracker()
    for _ in range(600):
        # The driver is one of them.
        if len(executors.getExecutorInfos()) > count:
            return
        time.sleep(0.1)
    raise AssertionError("Spark's workers do not start")


def end(process):
    """Ends a process that was started here, and those that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def needs(module, why="not installed"):
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise Skipped(f"{module}: {why}") from error


TESTS = {
    "pyarrow": test_pyarrow,
    "pandas": test_pandas,
    "polars": test_polars,
    "duckdb": test_duckdb,
    "dask": test_dask,
    "ray": test_ray,
    "spark": test_spark,
    "stores": test_stores,
}


def main(names):
    unknown = [name for name in names if name not in TESTS]
    if unknown:
        sys.exit(f"unknown: {' '.join(unknown)}; expected {' '.join(TESTS)}")
    skipped, wrong = [], []
    for name in names or TESTS:
        print(f"{name}:", flush=True)
        try:
            TESTS[name]()
        except Skipped as why:
            skipped.append(f"SKIPPED: {name}: {why}")
        except Exception:
            traceback.print_exc()
            wrong.append(name)
    if not CORPORA.is_dir():
        skipped.append("SKIPPED: engines: ../shared/corpora is not there, so only the fixtures were read")
    if wrong:
        print(f"wrong: {' '.join(wrong)}")
    for line in skipped:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
