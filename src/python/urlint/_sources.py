"""What `urlint.read` reads: paths, objects in stores by their URLs, and file objects."""

import io
import os
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")

# Keys of a store, or a login, before the bucket or host of a URL.
LOGIN = re.compile(r"(?<=://)[^/?#\s]*@")

# A source: its name, and a function that opens it unless it is a path of this system.
Source = tuple[str, Callable[[], Any] | None]


def sources(paths: Any, filesystem: Any = None) -> list[Source]:
    """Returns the sources that `paths` names, a path or several."""
    if isinstance(paths, (str, bytes, os.PathLike)) or hasattr(paths, "read") or hasattr(paths, "full_name"):
        paths = [paths]
    elif not isinstance(paths, Iterable):
        raise TypeError(f"expected a path or several, not {type(paths).__name__}")
    found = [source(path, filesystem) for path in paths]
    names = {name for name, opener in found if not isinstance(opener, Once)}
    return [(unlike(name, names) if isinstance(opener, Once) else name, opener) for name, opener in found]


def unlike(name: str, names: set[str]) -> str:
    """Returns `name`, with a number if it is one of `names`, and adds it to them."""
    (first, end), number = os.path.splitext(name), 1
    while name in names:
        number += 1
        name = f"{first} {number}{end}"
    names.add(name)
    return name


def source(path: Any, filesystem: Any = None) -> Source:
    """Returns the source that `path` names."""
    if hasattr(path, "read") and not isinstance(path, os.PathLike):
        if isinstance(path, io.TextIOBase):
            raise TypeError("expected a file that is open for reading bytes, not text: open it with `rb`")
        name = getattr(path, "name", None)
        named = isinstance(name, (str, bytes)) and name
        return os.fsdecode(name) if named else f"<{type(path).__name__}>", Once(path)
    if hasattr(path, "full_name"):
        # What `fsspec.open` returns.
        if "b" not in path.mode:
            raise TypeError("expected a file to be opened for reading bytes, not text: name the mode `rb`")
        return shown(path.full_name), partial(opened, path.open)
    name = os.fsdecode(path)
    if filesystem is not None:
        return name, in_system(filesystem, name)
    if not URL.match(name):
        # There is no name for standard input.
        return "./-" if name == "-" else name, None
    return shown(name), in_system(*place_of(name))


def shown(text: str) -> str:
    """Returns `text`, a URL or a message, without the keys in URLs."""
    return LOGIN.sub("***@", text)


class Once:
    """Opens a file object, which is open already."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def __call__(self) -> Any:
        file, self.file = self.file, None
        if file is None:
            raise OSError("a file object is read once")
        return file


def in_system(filesystem: Any, path: str) -> Callable[[], Any]:
    """Returns a function that opens `path` in a file system of `pyarrow.fs`, or of fsspec."""
    if hasattr(filesystem, "open_input_stream"):
        # Compressed files are opened by urlint.
        return partial(opened, filesystem.open_input_stream, path, compression=None)
    if hasattr(filesystem, "open"):
        return partial(opened, filesystem.open, path, "rb")
    raise TypeError(f"`filesystem` must be one of pyarrow.fs or fsspec, not {type(filesystem).__name__}")


def opened(opener: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """Returns the file that `opener` opens. Errors say what is wrong without its name, which the reader knows."""
    try:
        return opener(*arguments, **keywords)
    except FileNotFoundError as error:
        # fsspec has this error for each answer of a server.
        status = getattr(error.__cause__, "status", 404)
        if status in (404, 410):
            raise FileNotFoundError("no such file or object") from None
        raise OSError(f"the server answered with the status {status}") from None
    except Exception as error:
        if shown(str(error)) == str(error):
            raise
        raise OSError(shown(str(error))) from None


# What `FileSystem.from_uri` returns for a bucket: to make a file system may take a connection.
BUCKETS: dict[str, Any] = {}


def place_of(url: str) -> tuple[Any, str]:
    """Returns the file system of `url`, of `pyarrow.fs` or of fsspec, and the path in it.

    Raises `ValueError` if nothing can open it.
    """
    url = known(url)
    scheme = url.partition("://")[0].lower()
    reasons = []
    for find in (of_pyarrow, of_fsspec):
        try:
            return find(url, scheme)
        # pyarrow has errors of its own of these kinds.
        except (ImportError, NotImplementedError, ValueError) as error:
            reasons.append(str(error))
        except OSError as error:
            raise OSError(shown(f"{url}: {error}")) from None
    raise ValueError(shown(f"{url}: nothing opens `{scheme}://` here ({'; '.join(reasons)})"))


def known(url: str) -> str:
    """Returns `url` with the scheme that pyarrow has for it: those of Hadoop name the same store."""
    return re.sub("^s3[an]://", "s3://", url, flags=re.IGNORECASE)


def of_pyarrow(url: str, scheme: str) -> tuple[Any, str]:
    from pyarrow import fs  # type: ignore[import-untyped]

    bucket, _, key = url[len(scheme) + 3 :].partition("/")
    is_store = scheme in ("s3", "gs", "gcs")
    if not is_store or "?" in url:
        try:
            system, path = fs.FileSystem.from_uri(url)
            return system, path
        except ValueError:
            if not is_store:
                raise
    # A key may have any characters, also a `?` without options of pyarrow behind it.
    bucket = f"{scheme}://{bucket}"
    if bucket not in BUCKETS:
        BUCKETS[bucket] = fs.FileSystem.from_uri(bucket)
    system, root = BUCKETS[bucket]
    return system, f"{root}/{key}"


def of_fsspec(url: str, _: str) -> tuple[Any, str]:
    import fsspec.core  # type: ignore[import-not-found, import-untyped, unused-ignore]

    system, path = fsspec.core.url_to_fs(url)
    return system, path
