"""A store far away: measures how long workers wait for its answers.

    python tests/python/latency.py [OBJECTS [MEGABYTES [WORKERS [DELAY]]]]

A server that behaves as S3 answers each request after 100 ms, or DELAY. Two workers list the URLs of objects, each of
them with `urlint.read` and with `urlint.parquet`, and the same from the machine's own files. Prints the wall and the
CPU time, the requests and the memory of a worker. With a delay of 0, the server takes as much of the machine and no
worker waits. Needs moto. A build without optimisation says nothing.
"""

import multiprocessing
import os
import random
import resource
import sys
import tempfile
import time

import pyarrow as pa
import urlint
import urlint.parquet
from engines import requests, store
from scale import web


def serve(connection, delay):
    """Runs the server until it is told to end, and then how many requests came."""
    from moto.server import DomainDispatcherApplication

    call = DomainDispatcherApplication.__call__

    def late(self, *arguments):
        time.sleep(delay / 1000)
        return call(self, *arguments)

    DomainDispatcherApplication.__call__ = late
    with store(), requests() as seen:
        connection.send({name: value for name, value in os.environ.items() if name.startswith("AWS_")})
        while connection.recv() == "count":
            connection.send(len(seen))
            seen.clear()


def worker(environment, paths, output, connection):
    """Lists the URLs in `paths`, as Parquet files if there is an `output`."""
    os.environ.update(environment)
    begin, rows = time.monotonic(), 0
    if output:
        folder = urlint.parquet.prepare(output, fields=["url"])
        rows = sum(folder.write(path).rows for path in paths)
    else:
        for batch in urlint.read(paths, fields=["url"]):
            rows += pa.record_batch(batch).num_rows
    used = resource.getrusage(resource.RUSAGE_SELF)
    connection.send((rows, time.monotonic() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))


def measured(environment, paths, workers, output=""):
    """Starts workers; returns the rows, and the worst figures of all."""
    context, results = multiprocessing.get_context("spawn"), []
    for share in (paths[number::workers] for number in range(workers)):
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=worker, args=(environment, share, output, sender))
        process.start()
        results.append(receiver)
    rows, *worst = zip(*(receiver.recv() for receiver in results), strict=True)
    return sum(rows), *map(max, worst)


def main(objects=200, megabytes=9, workers=2, delay=100):
    context = multiprocessing.get_context("spawn")
    connection, other = context.Pipe()
    server = context.Process(target=serve, args=(other, delay))
    server.start()
    environment = connection.recv()
    os.environ.update(environment)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "crawl.warc.wet.gz")
        web(random.Random(1), path, megabytes * 500)
        content = open(path, "rb").read()
        system, bucket = urlint.parquet.at("s3://crawl")
        for number in range(objects):
            with system.open_output_stream(f"{bucket}/{number}.warc.wet.gz", compression=None) as file:
                file.write(content)
        urls = [f"s3://crawl/{number}.warc.wet.gz" for number in range(objects)]
        print(f"{objects} objects of {len(content) / 1e6:.1f} MB, {workers} workers, {delay} ms a request", flush=True)
        print("| inputs | rows | wall | CPU of a worker | requests an object | MB |\n|---|---|---|---|---|---|")
        files = [f"{folder}/{number}.warc.wet.gz" for number in range(objects)]
        for name in files:
            os.link(path, name)
        for name, paths, output in [
            ("files, `read`", files, ""),
            ("objects, `read`", urls, ""),
            ("objects to objects, `parquet`", urls, "s3://crawl/lists"),
        ]:
            connection.send("count")
            connection.recv()
            rows, wall, cpu, memory = measured(environment, paths, workers, output)
            connection.send("count")
            asked = connection.recv() / objects
            print(f"| {name} | {rows} | {wall:.1f} s | {cpu:.1f} s | {asked:.1f} | {memory:.0f} |", flush=True)
    connection.send("end")
    server.join()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
