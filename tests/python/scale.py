"""Measures the figures of the page `speed` of the manual, and prints its tables.

    python tests/python/scale.py [URLINT]

URLINT is the command, as it is installed or released: a build without optimisation says nothing. The
texts are made anew each time, from a seed, shaped like web text and mail. What is measured is CPU
time, the least of five runs, of files in the page cache.
"""

import gzip
import os
import random
import resource
import subprocess
import sys
import tempfile

#: What is assumed of the data. A monthly crawl of Common Crawl: some 90,000 WET files of 90 MB in gzip.
CRAWL = 8e12
MAIL = 100e12

#: Money for an hour of a core, in dollars: on demand, and what is left over and may be taken back.
ON_DEMAND, SPOT = 0.04, 0.015

#: The cores of one large machine.
CORES = 64

WORDS = (
    "the of and to in is that for it on with as are be this was by have not or from at which you "
    "archive message network protocol document server address section standard version available "
    "information following between another however different people system"
).split()


def prose(chance, length):
    """Returns text with a URL in about every 1,200 bytes."""
    parts, size = [], 0
    while size < length:
        if chance.random() < 0.005:
            part = f"http://www{chance.randrange(999)}.example.org/{chance.choice(WORDS)}/{chance.randrange(10**6)}.html"
        else:
            part = chance.choice(WORDS)
        parts.append(part + ("\n" if chance.random() < 0.08 else " "))
        size += len(parts[-1])
    return "".join(parts)


def web(chance, path, records):
    """Writes a WET file, in gzip record by record, as crawls are published."""
    plain = 0
    with open(path, "wb") as file:
        for number in range(records):
            text = prose(chance, 4000).encode()
            record = (
                "WARC/1.0\r\nWARC-Type: conversion\r\n"
                f"WARC-Target-URI: http://host{number % 997}.example/{number}\r\n"
                "WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: text/plain\r\n"
                f"Content-Length: {len(text)}\r\n\r\n"
            ).encode()
            record += text + b"\r\n\r\n"
            plain += len(record)
            file.write(gzip.compress(record, 6))
    return plain


def mail(chance, path, messages):
    """Writes a mailbox."""
    with open(path, "w", newline="") as file:
        for number in range(messages):
            file.write(
                f"From joe@a.example Mon Mar  3 12:00:00 2003\nMessage-ID: <{number}@a.example>\n"
                "Date: Mon, 3 Mar 2003 12:00:00 +0000\nFrom: Joe <joe@a.example>\n"
                f"To: list@b.example\nSubject: {chance.choice(WORDS)}\n\n{prose(chance, 3000)}\n\n"
            )
    return os.path.getsize(path)


def cpu_seconds(command):
    """Returns the least CPU time of five runs."""
    least = None
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = took if least is None else min(least, took)
    return least


def shown(hours):
    """Returns a time of some hours as people say it."""
    return f"{hours:,.0f} h" if hours >= 1 else f"{hours * 60:.0f} min"


def main():
    urlint = sys.argv[1] if len(sys.argv) > 1 else "urlint"
    chance = random.Random(1994)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        wet, mailbox = os.path.join(folder, "a.warc.wet.gz"), os.path.join(folder, "a.mbox")
        plain = web(chance, wet, 25_000)
        for name, path, total in [("WET of a monthly crawl", wet, CRAWL), ("mail", mailbox, MAIL)]:
            if path == mailbox:
                plain = mail(chance, mailbox, 60_000)
            stored = os.path.getsize(path)
            seconds = cpu_seconds([urlint, "extract", "--threads", "1", path])
            rows.append((name, total, stored / seconds, plain / seconds))
    print("| data | stored | stored MB/s a core | text MB/s a core | core-hours | on demand | spot | 64 cores |")
    print("|---|---|---|---|---|---|---|---|")
    for name, total, stored_rate, rate in rows:
        hours = total / stored_rate / 3600
        print(
            f"| {name} | {total / 1e12:.0f} TB | {stored_rate / 1e6:.0f} | {rate / 1e6:.0f} | {hours:,.0f} "
            f"| ${hours * ON_DEMAND:,.2f} | ${hours * SPOT:,.2f} | {shown(hours / CORES)} |"
        )
    print()
    print("| one machine reads in an hour | 2 cores | 16 cores | 64 cores |")
    print("|---|---|---|---|")
    for name, _, stored_rate, _ in rows:
        sizes = [stored_rate * cores * 3600 / 1e12 for cores in (2, 16, CORES)]
        print(f"| {name} | " + " | ".join(f"{size:.1f} TB" for size in sizes) + " |")


if __name__ == "__main__":
    main()
