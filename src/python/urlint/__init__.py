"""Finds URLs in free text, puts broken ones back together, and says what is wrong with each."""

from urlint._native import (
    Links,
    Parsed,
    Problem,
    Reader,
    Schema,
    Url,
    __version__,
    extract,
    extract_arrow,
    find,
    parse,
    read,
    schema,
    spark_schema,
)

__all__ = [
    "Links",
    "Parsed",
    "Problem",
    "Reader",
    "Schema",
    "Url",
    "__version__",
    "extract",
    "extract_arrow",
    "find",
    "parse",
    "read",
    "schema",
    "spark_schema",
]
