"""Hands many small batches over in each direction, and compares the memory that is in use.

Usage: leak.py [BATCHES]; a million by default. Exits with 1 if memory grows.
"""

import gc
import os
import sys

import pyarrow as pa
import urlint

BATCH = pa.record_batch({"text": ["http://a.example/", None, "<URL:http://b.exam\nple/é>"], "id": [1, 2, 3]})
SERIES = pa.chunked_array([["http://a.example/"], ["none"]])
# What the allocator may keep, whatever the number of batches. Less than 16 bytes of each batch is no leak.
ALLOWED = 4 << 20


def in_use() -> int:
    """Returns how many bytes of memory the process has."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except FileNotFoundError:
        import resource

        # The most so far; on a Mac in bytes.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def one(number: int) -> None:
    links = urlint.extract_arrow(BATCH, "text", keep=["id"], fields=["url", "pieces", "problems"])
    if number % 4 == 0:
        pa.record_batch(links)
    elif number % 4 == 1:
        pa.table(links)
    elif number % 4 == 2:
        # Capsules that nobody takes.
        links.__arrow_c_array__()
        links.__arrow_c_stream__()
    else:
        reader = urlint.extract_arrow(SERIES, lazy=True)
        next(reader)
        if number % 8 == 3:
            pa.schema(reader)
        else:
            pa.table(reader)
    try:
        urlint.extract_arrow(BATCH, "id")
    except ValueError:
        pass


def main(batches: int) -> int:
    for number in range(min(5_000, batches)):
        one(number)
    before = in_use()
    for number in range(batches):
        one(number)
    grown = in_use() - before
    print(f"{batches} batches: {before >> 10} KiB before, {grown >> 10:+} KiB after")
    return int(grown > ALLOWED + 16 * batches)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
