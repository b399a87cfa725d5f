"""Types of the module that is written in Rust; `help(urlint)` says what it does."""

from collections.abc import Iterable, Mapping
from os import PathLike
from types import TracebackType
from typing import Literal, Protocol, TypeAlias, TypedDict, final, overload

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
_Standard: TypeAlias = Literal["rfc1738", "rfc3986", "rfc3987", "whatwg"]
_Kind: TypeAlias = Literal[
    "plain",
    "mail",
    "mbox",
    "html",
    "xml",
    "markdown",
    "rst",
    "asciidoc",
    "roff",
    "tex",
    "json",
    "po",
    "urls",
]

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: CapsuleType | None = None) -> tuple[CapsuleType, CapsuleType]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: CapsuleType | None = None) -> CapsuleType: ...

class _How(TypedDict, total=False):
    """How a text is read and judged: settings of `urlint.toml`, but for `path`."""

    kind: _Kind | None
    select: Iterable[str]
    extend_select: Iterable[str]
    ignore: Iterable[str]
    severity: Mapping[str, Literal["error", "warning", "hint", "off"]]
    per_file_ignores: Mapping[str, Iterable[str]]
    ignore_urls: Iterable[str | Mapping[Literal["regex"], str]]
    min_severity: Literal["error", "warning", "hint"]
    types: Mapping[str, _Kind]
    unsafe_fixes: bool
    standard: _Standard
    schemes: Iterable[str]
    rejoin: Literal["never", "judged", "likely"]
    hyphen: Literal["keep", "drop"]
    schemeless: bool
    deep: bool
    skip_code: bool

class _HowNamed(_How, total=False):
    """The same, and the name of the text."""

    path: str | PathLike[str]

class _Looks(_HowNamed, total=False):
    """The same, and how URLs are listed."""

    redact: bool
    normalize: bool
    context_chars: int

def extract(text: _Text, **how: Unpack[_HowNamed]) -> list[str]: ...
def find(text: _Text, **how: Unpack[_HowNamed]) -> list[Url]: ...
def check(
    text: _Text,
    path: str | PathLike[str] | None = None,
    config: str | PathLike[str] | None = None,
    **how: Unpack[_How],
) -> list[Diagnostic]: ...
@overload
def fix(
    text: str,
    path: str | PathLike[str] | None = None,
    config: str | PathLike[str] | None = None,
    *,
    unsafe: bool | None = None,
    **how: Unpack[_How],
) -> str: ...
@overload
def fix(
    text: bytes | bytearray,
    path: str | PathLike[str] | None = None,
    config: str | PathLike[str] | None = None,
    *,
    unsafe: bool | None = None,
    **how: Unpack[_How],
) -> bytes: ...
def parse(url: _Text, *, standard: _Standard | None = None) -> Parsed: ...
@overload
def extract_arrow(
    data: _ArrowArray | _ArrowStream,
    column: str | None = None,
    *,
    keep: Iterable[str] = ...,
    fields: Iterable[str] | None = None,
    lazy: Literal[False] = False,
    **how: Unpack[_Looks],
) -> Links: ...
@overload
def extract_arrow(
    data: _ArrowArray | _ArrowStream,
    column: str | None = None,
    *,
    keep: Iterable[str] = ...,
    fields: Iterable[str] | None = None,
    lazy: Literal[True],
    **how: Unpack[_Looks],
) -> Reader: ...
@overload
def extract_arrow(
    data: _ArrowArray | _ArrowStream,
    column: str | None = None,
    *,
    keep: Iterable[str] = ...,
    fields: Iterable[str] | None = None,
    lazy: bool,
    **how: Unpack[_Looks],
) -> Links | Reader: ...
def read(
    paths: _Path | Iterable[_Path],
    *,
    fields: Iterable[str] | None = None,
    batch_size: int = 65536,
    threads: int = 1,
    on_error: Literal["raise", "collect"] = "raise",
    **how: Unpack[_Looks],
) -> Reader: ...
def schema(fields: Iterable[str] | None = None) -> Schema: ...
def spark_schema(fields: Iterable[str] | None = None) -> str: ...

@final
class Url:
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
    def pieces(self) -> list[tuple[int, int]]: ...
    @property
    def valid(self) -> bool | None: ...
    @property
    def problems(self) -> list[str]: ...
    @property
    def alternatives(self) -> list[str]: ...

@final
class Diagnostic:
    @property
    def rule(self) -> str: ...
    @property
    def severity(self) -> Literal["error", "warning", "hint"]: ...
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
    def spans(self) -> list[tuple[int, int]]: ...
    @property
    def pieces(self) -> list[tuple[int, int]]: ...
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
    @property
    def message(self) -> str: ...
    @property
    def applicability(self) -> Literal["safe", "unsafe"]: ...
    @property
    def edits(self) -> list[Edit]: ...

@final
class Edit:
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def replacement(self) -> str: ...

@final
class Parsed:
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
