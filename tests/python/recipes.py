"""Runs the recipes of `src/manual/engines.md`, each in a process and a folder of its own.

    python tests/python/recipes.py [files|spark|ray|dask|polars|duckdb|pandas]...

Without names, all of them; pyarrow is what each of them needs. Each recipe reads `texts.parquet` or
`paths.txt`, and writes `links.parquet`, which is compared with what must be there. Recipes of an engine
that is not installed are said to be skipped on the last lines.
"""

import gzip
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import engines
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import urlint

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "src" / "manual" / "engines.md"

# Which module each section needs.
SECTIONS = {
    "files": ("Many files: one Parquet file for each", []),
    "spark": ("Spark", ["pyspark"]),
    "ray": ("Ray", ["ray", "aiohttp"]),
    "dask": ("Dask", ["dask"]),
    "polars": ("Polars", ["polars"]),
    "duckdb": ("DuckDB", ["duckdb"]),
    "pandas": ("pandas", ["pandas"]),
}

TEXTS = {
    1: "Here <URL:http://a.example/one\n  /two>, and http://b.example/.",
    2: None,
    3: "Nothing here.",
    4: "bad: http://c.example/a`b and <URL:http://c.example/a`b>",
}

WET = (
    "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://d.example/\r\n"
    "Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n"
)
PAGE_TEXT = "A page, see http://e.example/page now."
MBOX = "From nobody Mon Jan  1 00:00:00 2024\nSubject: A list\n\nSee <http://f.example/mail>.\n\n"


def make(folder):
    """The inputs of the recipes, and the rows that must come of them."""
    texts = pa.table({"id": pa.array(TEXTS, pa.int64()), "text": list(TEXTS.values())})
    pyarrow.parquet.write_table(texts, folder / "texts.parquet")
    wet = WET.format(len(PAGE_TEXT), PAGE_TEXT).encode()
    (folder / "crawl.warc.wet.gz").write_bytes(gzip.compress(wet))
    (folder / "list.mbox").write_text(MBOX)
    (folder / "note.txt").write_text("http://g.example/")
    files = [str(folder / name) for name in ("crawl.warc.wet.gz", "list.mbox", "note.txt")]
    (folder / "paths.txt").write_text("".join(f"{path}\n" for path in files))
    with zipfile.ZipFile(folder / "urlint.zip", "w") as shipped:
        for path in pathlib.Path(urlint.__file__).parent.iterdir():
            if path.is_file():
                shipped.write(path, f"urlint/{path.name}")
    of_texts = {
        (1, "http://a.example/one/two", True),
        (1, "http://b.example/", True),
        (4, "http://c.example/a", True),
        (4, "http://c.example/a`b", False),
    }
    of_files = {
        (files[0], "http://d.example/", True),
        (files[0], "http://e.example/page", True),
        (files[1], "http://f.example/mail", True),
        (files[2], "http://g.example/", True),
    }
    return of_texts, of_files


def blocks(title):
    """The recipes in a section of the page."""
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (section,) = [section for section in sections if section.startswith(f"{title}\n")]
    return re.findall(r"^```(python|sh)\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL)


def run(language, block):
    """Runs a recipe; returns how many rows it has written."""
    if "s3://commoncrawl/" not in block:
        return run_here(language, block)
    with engines.store("commoncrawl") as bucket:
        return run_here(language, block, bucket)


def put(bucket, files, manifest):
    """Puts files into a bucket, and a list of their keys; returns their names there."""
    names = {path: f"crawl-data/segment/{os.path.basename(path)}" for path in files}
    for path, key in names.items():
        engines.put(f"{bucket}/{key}", pathlib.Path(path).read_bytes())
    engines.put(manifest, gzip.compress("".join(f"{key}\n" for key in names.values()).encode()))
    return {path: f"{bucket}/{key}" for path, key in names.items()}


def run_here(language, block, bucket=None):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch).resolve()
        of_texts, of_files = make(folder)
        if bucket is not None:
            (manifest,) = re.findall(r"s3://commoncrawl/\S*paths\.gz", block)
            urls = put(bucket, sorted({path for path, *_ in of_files}), manifest)
            of_files = {(urls[path], *row) for path, *row in of_files}
        settings = {
            **os.environ,
            # The `python` of a recipe is this one.
            "PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")]),
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
            # Each task of Spark is tried four times, as on a cluster.
            "PYSPARK_SUBMIT_ARGS": "--master local[2,4] --conf spark.ui.enabled=false pyspark-shell",
            "RAY_AUTH_MODE": "disabled",
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_TMPDIR": scratch,
            "RAY_DEFAULT_OBJECT_STORE_MEMORY_PROPORTION": "0.01",
        }
        if language == "sh":
            line = ["sh", "-e", "-c", block.replace("local[8]", "local[2]")]
        else:
            (folder / "recipe.py").write_text(block, encoding="utf-8")
            line = [sys.executable, "recipe.py"]
        ran = subprocess.run(line, cwd=folder, env=settings, capture_output=True, text=True, timeout=300, check=False)
        if ran.returncode != 0:
            raise AssertionError(f"it ends with {ran.returncode}:\n{ran.stdout[-2000:]}{ran.stderr[-4000:]}")
        found = pyarrow.dataset.dataset(folder / "links.parquet", format="parquet").to_table().to_pylist()
        key = "id" if "texts.parquet" in block else "path"
        rows = [(row[key], row["url"], row["valid"]) for row in found]
        wanted = of_files if key == "path" else of_texts
        assert sorted(rows) == sorted(wanted), f"{sorted(rows)}\nnot {sorted(wanted)}"
        return len(rows)


def main(names):
    unknown = [name for name in names if name not in [*SECTIONS, "pyarrow"]]
    if unknown:
        sys.exit(f"unknown: {' '.join(unknown)}; expected {' '.join(SECTIONS)}")
    skipped, wrong = [], []
    for name, (title, modules) in SECTIONS.items():
        # What needs nothing but pyarrow.
        if names and name not in names and not (name == "files" and "pyarrow" in names):
            continue
        missing = [module for module in modules if importlib.util.find_spec(module) is None]
        if missing:
            skipped.append(f"SKIPPED: recipes for {name}: {', '.join(missing)}: not installed")
            continue
        if name == "spark" and not engines.has_java():
            skipped.append("SKIPPED: recipes for spark: no Java 17 or newer")
            continue
        recipes = blocks(title)
        assert recipes, f"no recipes under {title}"
        for number, (language, block) in enumerate(recipes, 1):
            try:
                print(f"{name} {number}: {run(language, block)} rows", flush=True)
            except engines.Skipped as why:
                skipped.append(f"SKIPPED: recipe {number} for {name}: {why}")
            except (AssertionError, OSError, subprocess.TimeoutExpired) as error:
                print(f"{name} {number}: {error}\n{block}", flush=True)
                wrong.append(f"{name} {number}")
    if wrong:
        print(f"wrong: {', '.join(wrong)}")
    for line in skipped:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
