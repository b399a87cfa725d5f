"""Reads what urlint prints of hostile inputs, with the parsers of Python and others, strictly.

The first argument is urlint, the second the folder of the inputs.
"""

import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
import urllib.parse
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
from sarif_pydantic import Sarif

urlint, inputs = sys.argv[1:]
CHECK = ["check", "--select", "ALL", "--hidden", "--quiet"]
EXTRACT = ["extract", "--hidden", "--quiet"]
BIDI = "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def run(*args):
    return subprocess.run([urlint, *args], cwd=inputs, stdout=subprocess.PIPE, check=False).stdout


def in_utf8(data):
    """Text with U+FFFD for each byte that is not UTF-8."""
    return re.sub("[\udc80-\udcff]", "\ufffd", data.decode("utf-8", "surrogateescape"))


def unique(pairs):
    """The object of these members, none of which comes twice."""
    made = dict(pairs)
    assert len(made) == len(pairs), pairs
    return made


def loads(text):
    return json.loads(text, strict=True, object_pairs_hook=unique)


def check():
    made = {}
    for name in "json", "sarif", "junit", "gitlab":
        made[name] = run(*CHECK, "--output-format", name).decode("utf-8")
    records = loads(made["json"])
    places = [(record["path"], record["rule"], record["line"]) for record in records]
    log = loads(made["sarif"])
    Sarif.model_validate(log)

    def path(uri):
        return in_utf8(urllib.parse.unquote_to_bytes(uri))

    physical = [(r["ruleId"], r["locations"][0]["physicalLocation"]) for r in log["runs"][0]["results"]]
    assert places == [(path(p["artifactLocation"]["uri"]), rule, p["region"]["startLine"]) for rule, p in physical]
    faults = loads(made["gitlab"])
    assert places == [(f["location"]["path"], f["check_name"], f["location"]["lines"]["begin"]) for f in faults]
    assert len({fault["fingerprint"] for fault in faults}) == len(faults)
    # What XML has in place of some characters is compared in `tests/it`.
    rules = [(rule, line) for _, rule, line in places]
    junit = ElementTree.fromstring(made["junit"])
    cases = [(case.get("name").split(" ")[0], int(case.get("line"))) for case in junit.iter("testcase")]
    assert cases == rules
    return len(records)


def extract():
    def made(name, *args):
        return run(*EXTRACT, "--fields", "all", "--output-format", name, *args)

    rows = [loads(line) for line in made("json-lines").decode("utf-8").split("\n")[:-1]]

    def cell(value):
        if isinstance(value, list):
            return " ".join(f"{v[0]}-{v[1]}" if isinstance(v, list) else v for v in value)
        if isinstance(value, bool):
            return str(value).lower()
        return "" if value is None else str(value)

    expected = [{name: cell(value) for name, value in row.items()} for row in rows]
    csv.field_size_limit(1 << 24)
    table = io.StringIO(made("csv").decode("utf-8"), newline="")
    assert list(csv.DictReader(table, strict=True)) == expected
    # As a table, what stands for a time is one.
    plain = [name for name in rows[0] if name not in ("date", "warc-date", "pieces")]
    arrow = pa.ipc.open_stream(made("arrow")).read_all().select(plain).to_pylist()
    assert arrow == [{name: row[name] for name in plain} for row in rows]
    return len(rows)


# What says whether there are colours or links.
SETTINGS = {"CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "FORCE_COLOR", "FORCE_HYPERLINK", "NO_COLOR", "TERM"}


def read_terminal(leader):
    """Everything that arrives at a terminal until its other end is closed."""
    data = bytearray()
    try:
        while part := os.read(leader, 1 << 16):
            data += part
    except OSError:
        # It is closed.
        pass
    os.close(leader)
    return data.decode("utf-8").replace("\r\n", "\n")


def printed(*args, **settings):
    """What is printed with these settings: on a terminal as output, and on another as errors.

    On a single one, which of them is written first may differ from run to run.
    """
    environment = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    environment.update(settings, TERM="xterm-256color")
    if "--hidden" in args:
        # How far the progress comes depends on the time.
        args = (args[0], "--progress", "never", *args[1:])
    (output, stdout), (errors, stderr) = pty.openpty(), pty.openpty()
    running = subprocess.Popen([urlint, *args], cwd=inputs, stdout=stdout, stderr=stderr, env=environment)
    os.close(stdout)
    os.close(stderr)
    with ThreadPoolExecutor() as readers:
        made = "".join(readers.map(read_terminal, (output, errors)))
    running.wait()
    return made


def shown(*args):
    """What is printed to a terminal without colours, and whether it differs from what is with them.

    With them it is the same but for the colours: one that is from the inputs would be missing.
    """
    plain, coloured = printed(*args, NO_COLOR="1"), printed(*args)
    without = re.sub("\x1b\\[[0-9;]*m", "", coloured)
    # With a colour between its signs, it is no command for a CI server and is left as it is; so is the
    # text of a patch.
    command = re.compile("##(?=(?:vso|teamcity)?\\[)")
    assert command.sub("#⌗", without) == command.sub("#⌗", plain), args
    return plain, coloured != plain


def terminal():
    coloured = 0
    for args in (
        (*CHECK[:-1], "."),
        ("check", "--select", "ALL", "--hidden", "--unsafe-fixes", "--diff", "."),
        ("check", "--show-files", "--verbose", "--hidden", "."),
        ("extract", "--verbose", "--hidden", "."),
        ("extract", "--verbose", "--hidden", "-0", "."),
        ("extract", "--hidden", "--fields", "all", "."),
        ("extract", "--hidden", "--fields", "all", "--output-format", "csv", "."),
        ("extract", "--hidden", "--fields", "all", "--output-format", "tsv", "."),
        ("extract", "--hidden", "--output-format", "json-lines", "--fields", "all", "."),
        ("extract", "--hidden", "--count", "."),
        ("extract", "--hidden", "--group-by", "file", "."),
        ("check", "--\x1b]0;x\x07\x9b31m\u202e"),
        ("rule", "\x1b]0;x\x07\x9b31m\u202e"),
    ):
        text, has_colours = shown(*args)
        assert text, args
        coloured += has_colours
        # A row of -0 ends with NUL.
        own = "\n\t\0" if "-0" in args else "\n\t"
        wild = {c for c in text if (unicodedata.category(c) == "Cc" and c not in own) or c in BIDI}
        assert not wild, (args, wild, [line for line in text.split("\n") if wild & set(line)][:3])
    assert coloured > 1, coloured


terminal()
print(check() > 500, extract() > 500)
