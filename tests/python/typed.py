"""What a program with types writes; it is checked by `mypy --strict` and not run."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import urlint
from urlint import Diagnostic, Edit, Links, Parsed, Reader, Url


def texts() -> list[str]:
    urls: list[str] = urlint.extract("http://a.example/", standard="whatwg", kind="html", schemes=["mailto"])
    urls += urlint.extract(b"http://a.example/", path="a.md", rejoin="judged", skip_code=True)
    return urls


def places(text: str) -> Iterator[tuple[str, int, int, bool | None]]:
    url: Url
    for url in urlint.find(text, hyphen="drop", deep=False, schemeless=True):
        yield text[url.start : url.end], url.start, url.end, url.valid


def judged(url: str) -> dict[str, str | None]:
    parsed: Parsed = urlint.parse(url, standard="rfc3986")
    rules: list[str] = [problem.rule for problem in parsed.problems]
    return {**parsed.components, "rules": ",".join(rules), "href": parsed.href}


def mended(text: str, config: Path) -> str:
    diagnostics: list[Diagnostic] = urlint.check(
        text, "a.md", config, select=["ALL"], severity={"password": "off"}, ignore_urls=[{"regex": "a"}, "http://b.example"]
    )
    for diagnostic in diagnostics:
        edits: list[Edit] = diagnostic.fix.edits if diagnostic.fix else []
        print(diagnostic.line, [text[edit.start : edit.end] + edit.replacement for edit in edits])
    as_bytes: bytes = urlint.fix(text.encode(), unsafe=True, min_severity="warning")
    return urlint.fix(text, per_file_ignores={"*.md": ["password"]}) + as_bytes.decode()


def columns(table: pa.Table) -> int:
    links: Links = urlint.extract_arrow(table, "text", keep=("id",), fields=["row", "url"], redact=True)
    reader: Reader = urlint.extract_arrow(table, lazy=True, context_chars=10)
    with reader as batches:
        return len(links) + sum(len(batch) for batch in batches)


def files(folder: Path) -> list[tuple[str, str]]:
    reader = urlint.read(folder.iterdir(), fields=["path", "warc-date"], threads=2, on_error="collect", normalize=True)
    for batch in reader:
        names: list[str] = batch.column_names
        print(names)
    return reader.failures


def names() -> str:
    return urlint.spark_schema(["all"]) + ", ".join(urlint.schema().names)


def wrong() -> None:
    urlint.extract(1)  # type: ignore[arg-type]
    urlint.extract("", kind="no")  # type: ignore[arg-type]
    urlint.extract("", colour="red")  # type: ignore[call-arg]
    urlint.read("a", fields=[1])  # type: ignore[list-item]
    urlint.check("a", severity={"password": "no"})  # type: ignore[dict-item]
    urlint.fix(b"a").encode()  # type: ignore[attr-defined]
    urlint.Url().start = 1  # type: ignore[call-arg, misc]
