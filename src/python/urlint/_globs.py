"""The files that patterns such as ``s3://bucket/*/*.warc.gz`` name. Needs pyarrow."""

import fnmatch
import os
import re
from contextlib import suppress

from pyarrow import fs

from urlint._sources import URL, place_of

MAGIC = re.compile(r"[*?[]")


def files(pattern: str) -> list[str]:
    """Returns the files that ``pattern`` names: a file, a folder with files, or names with ``*``, ``?`` and ``[``.

    Raises ``FileNotFoundError`` if no file matches, and ``ValueError`` for what other readers take for several paths.
    """
    magic = MAGIC.search(pattern)
    base, rest = pattern.rstrip("/"), ""
    if magic:
        base, _, rest = pattern[: magic.start()].rpartition("/")
        rest += pattern[magic.start() :]
    system, folder = place_of(base) if URL.match(base) else (fs.LocalFileSystem(), os.path.abspath(base))
    if not isinstance(system, fs.FileSystem):
        system = fs.PyFileSystem(fs.FSSpecHandler(system))
    kind = fs.FileType.Directory if magic else system.get_file_info(folder).type
    if kind == fs.FileType.NotFound and re.search("[{,]", pattern):
        raise ValueError(f"{pattern}: no such file; several paths are a list, as in `load([...])`")
    if kind != fs.FileType.Directory:
        return [pattern]
    start = folder.rstrip("/") + "/"
    if magic:
        found = matching(system, folder, rest.split("/"))
    else:
        listed = system.get_file_info(fs.FileSelector(folder, recursive=True))
        paths = [info.path for info in listed if info.type == fs.FileType.File]
        # Not what Spark and urlint write for themselves.
        found = [path for path in paths if not re.search("(^|/)[._]", path.removeprefix(start))]
    if not found:
        raise FileNotFoundError(f"{pattern}: no such files")
    names = (path.removeprefix(start) for path in found)
    return sorted(f"{base}/{name}" if base else name for name in names)


def matching(system: fs.FileSystem, folder: str, patterns: list[str]) -> list[str]:
    """Returns the files below ``folder`` whose names match, level by level: a store has many others."""
    folders = [folder]
    *others, last = patterns
    for pattern in others:
        folders = below(system, folders, pattern, fs.FileType.Directory)
    return below(system, folders, last, fs.FileType.File)


def below(system: fs.FileSystem, folders: list[str], pattern: str, kind: fs.FileType) -> list[str]:
    """Returns what is of a kind in ``folders`` and has a name that matches."""
    infos = []
    if not MAGIC.search(pattern):
        paths = [f"{folder.rstrip('/')}/{pattern}" for folder in folders]
        if kind == fs.FileType.Directory:
            # The next level shows whether they are there.
            return paths
        infos = system.get_file_info(paths)
    else:
        for folder in folders:
            # It may be a file, or the name of none.
            with suppress(NotADirectoryError):
                infos += system.get_file_info(fs.FileSelector(folder, allow_not_found=True))
        infos = [info for info in infos if fnmatch.fnmatchcase(info.base_name, pattern)]
    return [info.path for info in infos if info.type == kind]
