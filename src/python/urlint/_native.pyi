"""Types of the module that is written in Rust; `help(urlint)` says what it does."""

from collections.abc import Iterable, Mapping
from os import PathLike
from types import TracebackType
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, final, overload

from typing_extensions import CapsuleType, Self, Unpack

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

__version__: str

_Text: TypeAlias = str | bytes | bytearray
_Path: TypeAlias = str | bytes | PathLike[str] | PathLike[bytes]

class _File(Protocol):
    def read(self, size: int, /) -> bytes: ...

_Standard: TypeAlias = Literal["rfc1738", "rfc3986", "rfc3987", "whatwg"]
_Severity: TypeAlias = Literal["error", "warning", "hint"]
_Spans: TypeAlias = list[tuple[int, int]]
_Kind: TypeAlias = Literal[
    "plain",
    "mail",
    "mbox",
    "html",
    "xml",
    "markdown",
    "mdx",
    "kramdown",
    "rst",
    "asciidoc",
    "mediawiki",
    "roff",
    "tex",
    "json",
    "csv",
    "tsv",
    "po",
    "calendar",
    "properties",
    "rtf",
    "urls",
]

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: CapsuleType | None = None) -> tuple[CapsuleType, CapsuleType]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: CapsuleType | None = None) -> CapsuleType: ...

class _Settings(TypedDict, total=False):
    """How a text is read and judged: settings of `urlint.toml`, but for `path`."""

    kind: _Kind | None
    select: Iterable[str]
    extend_select: Iterable[str]
    ignore: Iterable[str]
    severity: Mapping[str, Literal["error", "warning", "hint", "off"]]
    per_file_ignores: Mapping[str, Iterable[str]]
    ignore_urls: Iterable[str | Mapping[Literal["regex"], str]]
    url_lists: Iterable[Literal["retired-hosts", "references", "trackers", "shorteners"]]
    min_severity: _Severity
    types: Mapping[str, _Kind]
    unsafe_fixes: bool
    standard: _Standard
    schemes: Iterable[str]
    rejoin: Literal["never", "judged", "likely"]
    profile: Literal["default", "strict", "ietf"]
    hyphen: Literal["auto", "keep", "drop"]
    schemeless: bool
    deep: bool
    skip_code: bool

class _NamedSettings(_Settings, total=False):
    """The same, and the name of the text."""

    path: str | PathLike[str]

class _RowSettings(_NamedSettings, total=False):
    """The same, and how URLs are listed."""

    redact: bool
    normalize: bool
    context_chars: int

def extract(text: _Text, **settings: Unpack[_NamedSettings]) -> list[str]: ...
def find(text: _Text, **settings: Unpack[_NamedSettings]) -> list[Url]: ...
def check(
    text: _Text,
    path: str | PathLike[str] | None = None,
    config: str | PathLike[str] | None = None,
    **settings: Unpack[_Settings],
) -> list[Diagnostic]: ...
@overload
def fix(
    text: str,
    path: str | PathLike[str] | None = None,
    config: str | PathLike[str] | None = None,
    *,
    unsafe: bool | None = None,
    **settings: Unpack[_Settings],
) -> str: ...
@overload
def fix(
    text: bytes | bytearray,
    path: str | PathLike[str] | None = None,
    config: str | PathLike[str] | None = None,
    *,
    unsafe: bool | None = None,
    **settings: Unpack[_Settings],
) -> bytes: ...
def parse(url: _Text, *, standard: _Standard | None = None) -> Parsed: ...
@overload
def extract_arrow(
    data: _ArrowArray | _ArrowStream,
    column: str | None = None,
    *,
    keep: Iterable[str] | None = None,
    fields: Iterable[str] | None = None,
    lazy: Literal[False] = False,
    **settings: Unpack[_RowSettings],
) -> Links: ...
@overload
def extract_arrow(
    data: _ArrowArray | _ArrowStream,
    column: str | None = None,
    *,
    keep: Iterable[str] | None = None,
    fields: Iterable[str] | None = None,
    lazy: Literal[True],
    **settings: Unpack[_RowSettings],
) -> Reader: ...
@overload
def extract_arrow(
    data: _ArrowArray | _ArrowStream,
    column: str | None = None,
    *,
    keep: Iterable[str] | None = None,
    fields: Iterable[str] | None = None,
    lazy: bool,
    **settings: Unpack[_RowSettings],
) -> Links | Reader: ...
def read(
    paths: _Path | _File | Iterable[_Path | _File],
    *,
    fields: Iterable[str] | None = None,
    batch_size: int = 65536,
    threads: int = 1,
    on_error: Literal["raise", "collect"] = "raise",
    filesystem: Any = None,
    **settings: Unpack[_RowSettings],
) -> Reader: ...
def schema(fields: Iterable[str] | None = None) -> Schema: ...
def spark_schema(fields: Iterable[str] | None = None) -> str: ...

@final
class Url:
    def __new__(
        cls,
        url: str, fragment: str | None, scheme: str | None, host: str | None, delimiter: str,
        start: int, end: int, pieces: _Spans, valid: bool | None, problems: list[str], alternatives: list[str],
    ) -> Self: ...
    @property
    def url(self) -> str: ...
    @property
    def fragment(self) -> str | None: ...
    @property
    def scheme(self) -> str | None: ...
    @property
    def host(self) -> str | None: ...
    @property
    def delimiter(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def pieces(self) -> _Spans: ...
    @property
    def valid(self) -> bool | None: ...
    @property
    def problems(self) -> list[str]: ...
    @property
    def alternatives(self) -> list[str]: ...

@final
class Diagnostic:
    def __new__(
        cls,
        rule: str, severity: _Severity, message: str, url: str | None, member: int | None,
        start: int, end: int, line: int, column: int, end_line: int, end_column: int, spans: _Spans, pieces: _Spans,
        notes: list[str], alternatives: list[str], fix: Fix | None, standard: _Standard, reference: str,
    ) -> Self: ...
    @property
    def rule(self) -> str: ...
    @property
    def severity(self) -> _Severity: ...
    @property
    def message(self) -> str: ...
    @property
    def url(self) -> str | None: ...
    @property
    def member(self) -> int | None: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def end_line(self) -> int: ...
    @property
    def end_column(self) -> int: ...
    @property
    def spans(self) -> _Spans: ...
    @property
    def pieces(self) -> _Spans: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def alternatives(self) -> list[str]: ...
    @property
    def fix(self) -> Fix | None: ...
    @property
    def standard(self) -> _Standard: ...
    @property
    def reference(self) -> str: ...

@final
class Fix:
    def __new__(cls, message: str, applicability: Literal["safe", "unsafe"], edits: list[Edit]) -> Self: ...
    @property
    def message(self) -> str: ...
    @property
    def applicability(self) -> Literal["safe", "unsafe"]: ...
    @property
    def edits(self) -> list[Edit]: ...

@final
class Edit:
    def __new__(cls, start: int, end: int, replacement: str) -> Self: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def replacement(self) -> str: ...

@final
class Parsed:
    def __new__(
        cls,
        url: str, standard: _Standard, scheme: str | None, valid: bool, components: dict[str, str | None],
        problems: list[Problem], host_kind: str | None, href: str | None,
    ) -> Self: ...
    @property
    def url(self) -> str: ...
    @property
    def standard(self) -> _Standard: ...
    @property
    def scheme(self) -> str | None: ...
    @property
    def valid(self) -> bool: ...
    @property
    def components(self) -> dict[str, str | None]: ...
    @property
    def problems(self) -> list[Problem]: ...
    @property
    def host_kind(self) -> str | None: ...
    @property
    def href(self) -> str | None: ...

@final
class Problem:
    def __new__(cls, rule: str, start: int, end: int, message: str) -> Self: ...
    @property
    def rule(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def message(self) -> str: ...

@final
class Schema:
    @property
    def names(self) -> list[str]: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...

@final
class Links:
    def __new__(cls, bytes: bytes) -> Self: ...
    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...
    def __arrow_c_array__(self, requested_schema: CapsuleType | None = None) -> tuple[CapsuleType, CapsuleType]: ...
    def __arrow_c_stream__(self, requested_schema: CapsuleType | None = None) -> CapsuleType: ...

@final
class Reader:
    @property
    def column_names(self) -> list[str]: ...
    @property
    def failures(self) -> list[tuple[str, str]]: ...
    @property
    def skipped(self) -> list[tuple[str, str]]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        *exception: type[BaseException] | BaseException | TracebackType | None,
    ) -> None: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> Links: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...
    def __arrow_c_stream__(self, requested_schema: CapsuleType | None = None) -> CapsuleType: ...
