"""Finds URLs in free text, puts broken ones back together, and says what is wrong with each.

``extract`` and ``find`` read a text, ``check`` and ``fix`` lint it, ``parse`` judges a URL,
``extract_arrow`` reads a column of texts, ``read`` reads files and archives; ``schema`` and ``spark_schema``
name the types of columns.

    >>> import urlint
    >>> urlint.extract("The overview is in <URL:http://www.a.example/his\\n  tory/>.")
    ['http://www.a.example/history/']
"""

from urlint._native import (
    Diagnostic,
    Edit,
    Fix,
    Links,
    Parsed,
    Problem,
    Reader,
    Schema,
    Url,
    __version__,
    check,
    extract,
    extract_arrow,
    find,
    fix,
    parse,
    read,
    schema,
    spark_schema,
)

__all__ = [
    "Diagnostic",
    "Edit",
    "Fix",
    "Links",
    "Parsed",
    "Problem",
    "Reader",
    "Schema",
    "Url",
    "__version__",
    "check",
    "extract",
    "extract_arrow",
    "find",
    "fix",
    "parse",
    "read",
    "schema",
    "spark_schema",
]
