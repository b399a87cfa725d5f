#!/usr/bin/env python3
"""Counts how the work and the memory of the command grow with its input.

    growth.py                     the cases of `cases.txt`, and the folders of `trees.py`
    growth.py --search SECONDS    texts made at random of the tokens of `fixtures/fuzz/tokens.dict`
    growth.py --seed NUMBER       the same texts again

Each text is read at N and at 8 N bytes, and the code that was run is counted: a build of the command
with `-C instrument-coverage` writes for each place in the code how often it was passed. What eight
times the text takes may be less than nine times as much, whatever the machine is doing. So it is with
folders that have N and 8 N files, folders, hosts or rules.

What the standard library does in one call, such as moving bytes, counts once; since all of it is fast,
the time that a text takes is limited too, but only to what shows that it is not linear at all.

The memory of a process at its peak is what the kernel says; each byte of a text may take a number of them.
"""

import argparse
import ast
import concurrent.futures
import itertools
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from editor import edit
from trees import TREES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = ROOT / "target" / "counted"
BINARY = TARGET / "release" / "urlint"

# The shortest length, in bytes.
SHORT = 16 << 10
TIMES = 8
ALLOWED = 9.0

# How often code may be passed for each byte of the longer text, on average: more than looking at what is
# around each URL of a text of nothing but short ones, and less than looking at all within its window.
ALLOWED_EACH = 60_000

# How many bytes of memory each byte of a text may take: more than the reports of a text of nothing but short
# URLs do. What takes more than the other must not take still more for a longer text.
ALLOWED_MEMORY = 200
NOTABLE_MEMORY = 50

# An editor asks five times, and a row may have fields of the message of 8,192 bytes.
ASKED = {"editor": 5, "rows": 2}

# Seconds for each `SHORT * TIMES` bytes; hundreds of times what they take.
TOO_LONG = 120

# What the command does with a text, by the name that `cases.txt` has for it.
ALL = ["--select", "ALL", "--exit-zero"]
WAYS = {
    "check": ["check", *ALL, "--output-format", "concise"],
    "full": ["check", *ALL, "--schemeless"],
    "rfc3986": ["check", *ALL, "--standard", "rfc3987", "--output-format", "sarif"],
    "whatwg": ["check", *ALL, "--standard", "whatwg", "--output-format", "json-lines"],
    "judged": ["check", *ALL, "--rejoin", "judged", "--hyphen", "drop", "--output-format", "junit"],
    "diff": ["check", *ALL, "--unsafe-fixes", "--diff"],
    "deep": ["check", *ALL, "--deep", "--output-format", "concise"],
    "list": ["extract", "--schemeless"],
    "rows": ["extract", "--output-format", "json-lines", "--fields", "all", "--redact"],
    "unique": ["extract", "--output-format", "csv", "--fields", "all", "--unique"],
    "parse": ["parse", "--standard", "all", "--redact"],
    "editor": ["lsp"],
}
# What reads a file, which is all in memory; the others read standard input, in pieces.
OF_FILES = {"check", "unique"}
READING = ["--isolated", "--quiet", "--threads", "1", "--type"]
SCHEMA = json.loads((ROOT / "src/cli/urlint.schema.json").read_text())
KINDS = SCHEMA["properties"]["types"]["additionalProperties"]["enum"]


def build():
    """Builds the command so that it counts."""
    environment = dict(
        os.environ,
        CARGO_INCREMENTAL="0",
        CARGO_PROFILE_RELEASE_OPT_LEVEL="1",
        CARGO_PROFILE_RELEASE_LTO="off",
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS="16",
        RUSTFLAGS="-C instrument-coverage",
        # Macros that the compiler runs are compiled with the same flags, and write what they counted too.
        LLVM_PROFILE_FILE="/dev/null",
    )
    command = ["cargo", "build", "--release", "--target-dir", str(TARGET), "--features", "lsp", "--bin", "urlint"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


class Unreadable(Exception):
    """A raw profile of another version than this reads."""


def counted(profile):
    """Returns the sum of all counters in a raw profile of LLVM, which is bytes."""
    (_, version, ids, records, before, counters) = struct.unpack_from("<6Q", profile)
    if version & 0xFF != 10:
        raise Unreadable(f"raw profile of version {version & 0xFF}, not 10")
    start = 16 * 8 + ids + records * 64 + before
    return sum(memoryview(profile)[start : start + 8 * counters].cast("Q"))


# Runs a command for so many seconds at most, and prints its exit code and its memory at the peak, in
# kilobytes. That is never less than what runs it has, so that this must be small.
RUN = """
import os, resource, subprocess, sys
seconds = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 10))
process = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def too_long(length):
    """Returns how many seconds are too long for a text of this length."""
    return TOO_LONG * max(1, length // (SHORT * TIMES))


def ran(command, environment, given):
    """Runs a command to its end; returns its memory at the peak in bytes, or nothing if it was too slow."""
    run = [sys.executable, "-I", "-S", "-c", RUN, str(too_long(len(given))), *command]
    done = subprocess.run(run, input=given, env=environment, capture_output=True, check=True)
    code, memory = map(int, done.stdout.split())
    if code == -signal.SIGXCPU:
        return None
    if code not in (0, 1):
        raise SystemExit(f"{command} {given[:200]!r}: {done.stderr.decode(errors='replace')}")
    return memory * 1024


class Counter:
    """Runs the command and counts, in a folder for temporary files."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.at_rest = {}

    def count(self, way, kind, text):
        """Returns how much code was run to read `text` and the memory that it took, if known; nothing if it
        took too long."""
        own = self.folder / str(threading.get_ident())
        own.mkdir(exist_ok=True)
        profile = own / "profile"
        environment = {"LLVM_PROFILE_FILE": str(profile), "PATH": os.environ["PATH"]}
        if way == "editor":
            command = [BINARY, *WAYS[way], "--isolated"]
            memory = 0 if edit(command, environment, kind, text, too_long(len(text))) else None
        else:
            name = "-"
            if way in OF_FILES:
                name = own / "text"
                name.write_bytes(text)
            command = [BINARY, *WAYS[way], *([] if way == "parse" else [*READING, kind]), name]
            memory = ran(command, environment, text)
        return None if memory is None else (counted(profile.read_bytes()), memory)

    def count_tree(self, tree, number):
        """Returns how much code was run to read the folder that `tree` makes with a `number` of its parts."""
        own = self.folder / str(threading.get_ident())
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            arguments = tree.make(Path(folder), number)
            own.mkdir(exist_ok=True)
            environment = {"LLVM_PROFILE_FILE": str(own / "profile"), "PATH": os.environ["PATH"]}
            run = subprocess.run(
                [BINARY, *arguments, "--threads", "1"],
                cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=TOO_LONG,
            )
        if run.returncode not in (0, 1):
            raise SystemExit(f"{tree.name}: {run.stderr.decode(errors='replace')}")
        return counted((own / "profile").read_bytes())

    def fault_of_tree(self, tree):
        """Returns what is wrong with how the work grows with the folder that `tree` makes, if anything."""
        rest, short, long = (self.count_tree(tree, number) for number in (0, tree.number, TIMES * tree.number))
        growth = (long - rest) / max(short - rest, 1)
        return f"{growth:.1f} times for {TIMES * tree.number:,}" if growth > tree.allowed else None

    def fault(self, way, kind, text):
        """Returns what is wrong with how the work grows, if anything: `text` is a function of the length."""
        rest = self.at_rest.get((way, kind))
        if rest is None:
            rest = self.at_rest[way, kind] = self.count(way, kind, b"")
        fault, before = None, None
        length, short = SHORT, self.count(way, kind, text(SHORT))
        # What is limited to a number of bytes that lies between the two lengths grows more until then.
        for _ in range(3):
            length *= TIMES
            long = self.count(way, kind, text(length))
            if short is None or long is None:
                return f"{length:,} bytes took more than {too_long(length)} s"
            work, memory = ((long[i] - rest[i]) / length for i in range(2))
            if work > ALLOWED_EACH * ASKED.get(way, 1):
                return f"{work:,.0f} a byte"
            still_more = before is not None and memory > max(1.5 * before, NOTABLE_MEMORY)
            if memory > ALLOWED_MEMORY or still_more:
                return f"{memory:,.0f} bytes of memory a byte for {length:,} bytes"
            is_bounded = memory <= NOTABLE_MEMORY or before is not None
            before = memory
            growth = (long[0] - rest[0]) / max(short[0] - rest[0], 1)
            if growth <= ALLOWED and is_bounded:
                return None
            fault, short = f"{growth:.1f} times for {length:,} bytes", long
        return fault


def repeated(start, unit, end):
    """Returns a function that makes a text of a length, nearly."""
    return lambda length: start + unit * (length // len(unit)) + end


def tokens():
    """Returns the tokens for each kind of document."""
    by_kind = {kind: [] for kind in KINDS}
    now = []
    for line in (ROOT / "fixtures" / "fuzz" / "tokens.dict").read_text().splitlines():
        if line.startswith('"'):
            token = ast.literal_eval("b" + line)
            for kind in now:
                by_kind[kind].append(token)
        elif line.startswith("# "):
            now = KINDS if line == "# any" else [word for word in line.split() if word in KINDS]
    return by_kind


TEXT = r'"(?:[^"\\]|\\.)*"'
TEXTS = rf"({TEXT}(?:\s*\|\s*{TEXT})*)"
ROW = re.compile(rf"(\S+)\s+(\S+)\s+{TEXTS}\s+{TEXTS}\s+{TEXTS}\s*")


def cases():
    """Yields the cases of `cases.txt`: ways, kinds, and what the text is made of."""
    for row in re.split(r"\n(?!\s)", (HERE / "cases.txt").read_text()):
        if row.strip() and not row.startswith("#"):
            ways, kinds, *columns = ROW.fullmatch(row).groups()
            kinds = KINDS if kinds == "*" else kinds.split(",")
            texts = ([ast.literal_eval("b" + text) for text in re.findall(TEXT, column)] for column in columns)
            yield from itertools.product(ways.split(","), kinds, *texts)


def searched(seconds, seed):
    """Yields cases made at random, for so many seconds."""
    until = time.monotonic() + seconds
    chance = random.Random(seed)
    by_kind = tokens()

    def some(kind, most):
        own = by_kind[kind]
        return b"".join(chance.choice(own) for _ in range(chance.randint(0, most)))

    while time.monotonic() < until:
        kind = chance.choice(KINDS)
        unit = some(kind, 5)
        if unit:
            yield chance.choice(list(WAYS)), kind, some(kind, 2), unit, some(kind, 2)


def quoted(text):
    """Returns `text` as `cases.txt` has it."""
    shown = "".join(
        chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\x{byte:02x}" for byte in text
    )
    return f'"{shown}"'


def measured(texts):
    """Yields each of `texts`, which are cases, with what is wrong with it; two are measured at once."""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        counter = Counter(folder)

        def fault(case):
            way, kind, start, unit, end = case
            return case, counter.fault(way, kind, repeated(start, unit, end))

        waiting = set()
        for case in texts:
            waiting.add(pool.submit(fault, case))
            if len(waiting) == 4:
                done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                yield from (each.result() for each in done)
        yield from (each.result() for each in concurrent.futures.as_completed(waiting))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--search", type=float, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--no-build", action="store_true")
    arguments = parser.parse_args()
    if not arguments.no_build:
        build()
    if arguments.search is None:
        texts = cases()
    else:
        print(f"--seed {arguments.seed}")
        texts = searched(arguments.search, arguments.seed)

    number, faults = 0, 0
    if arguments.search is None:
        with tempfile.TemporaryDirectory() as folder:
            counter = Counter(folder)
            for tree in TREES:
                number += 1
                fault = counter.fault_of_tree(tree)
                if fault:
                    faults += 1
                    print(f"{fault}: the folder `{tree.name}`", flush=True)
    start = time.monotonic()
    for (way, kind, *text), fault in measured(texts):
        number += 1
        if number % 100 == 0:
            print(f"{number} after {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
        if fault:
            faults += 1
            print(f"{fault}:", way, kind, *map(quoted, text), flush=True)
    print(f"{number} texts and folders, {faults} faults")
    return 1 if faults or number == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
