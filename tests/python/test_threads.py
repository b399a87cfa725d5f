"""Streams of Python that fail, Ctrl-C, and threads."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pyarrow as pa
import pytest
import urlint

BATCH = pa.record_batch({"text": ["http://a.example/"] * 10})


def failing(error, after):
    def batches():
        for _ in range(after):
            yield BATCH
        raise error

    return pa.RecordBatchReader.from_batches(BATCH.schema, batches())


@pytest.mark.parametrize("after", [0, 3])
def test_a_stream_that_fails(after):
    with pytest.raises(ValueError, match="no more of it"):
        urlint.extract_arrow(failing(KeyError("no more of it"), after))
    reader = urlint.extract_arrow(failing(KeyError("no more of it"), after), lazy=True)
    for _ in range(after):
        assert len(next(reader)) == 10
    with pytest.raises(ValueError, match="no more of it"):
        next(reader)
    assert list(reader) == []
    reader = urlint.extract_arrow(failing(KeyError("no more of it"), after), lazy=True)
    with pytest.raises(Exception, match="no more of it"):
        pa.table(reader)


def test_a_stream_of_python_is_lazy():
    taken = []

    def batches():
        for number in range(100):
            taken.append(number)
            yield BATCH

    stream = pa.RecordBatchReader.from_batches(BATCH.schema, batches())
    with urlint.extract_arrow(stream, lazy=True) as reader:
        assert taken == []
        next(reader)
        assert len(taken) == 1
    assert len(taken) == 1


LONG = """
import signal, sys, threading, time, os
import pyarrow as pa, urlint

which = sys.argv[1]
long = "See <URL:http://a.example:/his\\n  tory/~old.html> and ftp://joe:pw@a.example:/x "
# Enough for more than half a second.
long *= 1_000_000 if which in ("extract", "find") else 150_000
text = "http://a.example/~ " * 20_000
column = pa.array([text] * 400)
if which == "chunks":
    column = pa.chunked_array([column[:100]] * 4)
if which == "read":
    path = sys.argv[2]
    os.mkfifo(path)
    # Somebody opens it for writing, and writes nothing.
    held = os.open(path, os.O_RDWR)

def press():
    time.sleep(0.5)
    press.at = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=press).start()
try:
    if which in ("extract", "find", "check", "fix"):
        getattr(urlint, which)(long)
    elif which == "read":
        list(urlint.read(path))
    elif which == "lazy":
        for links in urlint.extract_arrow(column, lazy=True, fields=["all"]):
            pass
    else:
        urlint.extract_arrow(column, fields=["all"])
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - press.at, flush=True)
    # Who reads the pipe would wait for ever.
    os._exit(0)
print("not interrupted")
"""


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
@pytest.mark.parametrize("which", ["extract", "find", "check", "fix", "array", "chunks", "lazy", "read"])
def test_ctrl_c(which, tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", LONG, which, str(tmp_path / "pipe")], capture_output=True, text=True, timeout=120
    )
    assert ran.stdout.startswith("interrupted"), ran
    assert float(ran.stdout.split()[1]) < 1


def test_other_threads_run_meanwhile():
    """A thread that counts gets on while another finds URLs in one call."""
    # Without optimisation, fewer of them take long enough.
    start = time.monotonic()
    urlint.extract("http://a.example/~ " * 20_000)
    is_slow = time.monotonic() - start > 0.1
    text = "http://a.example/~ " * (50_000 if is_slow else 200_000)
    column = pa.array([text])
    calls = [
        lambda: urlint.extract(text),
        lambda: urlint.find(text),
        lambda: urlint.check(text[: len(text) // 8]),
        lambda: urlint.fix(text[: len(text) // 8]),
        lambda: urlint.extract_arrow(column, fields=["all"]),
        lambda: list(urlint.extract_arrow(column, lazy=True)),
    ]
    for call in calls:
        ticks, done = [], threading.Event()

        def count():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.001)

        counter = threading.Thread(target=count)
        counter.start()
        while not ticks:
            time.sleep(0.001)
        start = time.monotonic()
        call()
        end = time.monotonic()
        done.set()
        counter.join()
        during = sum(start < tick < end for tick in ticks)
        # It may take some time to hand everything over, in which others wait.
        assert during > 5, (during, end - start)


def test_two_threads_at_once():
    text = "x http://a.example/~ é " * 20_000
    wanted = urlint.extract(text)
    failures = []

    def work():
        for _ in range(3):
            if urlint.extract(text) != wanted:
                failures.append("extract")
            if len(urlint.find(text)) != len(wanted):
                failures.append("find")
            if len(urlint.extract_arrow(pa.array([text] * 2))) != 2 * len(wanted):
                failures.append("extract_arrow")

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []


def test_memory_is_flat():
    leak = os.path.join(os.path.dirname(__file__), "leak.py")
    batches = "50000" if "URLINT_THOROUGH" in os.environ else "15000"
    ran = subprocess.run([sys.executable, leak, batches], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


if not getattr(sys, "_is_gil_enabled", lambda: True)():

    def test_the_gil_stays_off():
        """A Python without a GIL does not switch it on for this module, which would be a warning."""
        code = "import sys, urlint; sys.exit(sys._is_gil_enabled())"
        assert subprocess.run([sys.executable, "-W", "error", "-c", code]).returncode == 0
