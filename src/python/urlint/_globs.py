"""The files that patterns such as ``s3://bucket/*/*.warc.gz`` name. Needs pyarrow."""

import fnmatch
import os
import re
from contextlib import suppress

from pyarrow import fs

from urlint._sources import URL, place_of

MAGIC = re.compile(r"[*?[]")


def files(pattern: str) -> dict[str, int]:
    """Returns the files that ``pattern`` names, with their sizes in bytes, 0 if that is not known.

    It is a file, a folder with files, or names with ``*``, ``?`` and ``[``.

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
    info = None if magic else system.get_file_info(folder)
    kind = info.type if info else fs.FileType.Directory
    if kind == fs.FileType.NotFound and re.search("[{,]", pattern):
        raise ValueError(f"{pattern}: no such file; several paths are a list, as in `load([...])`")
    if kind != fs.FileType.Directory:
        return {pattern: info.size or 0}
    start = folder.rstrip("/") + "/"
    if magic:
        found = matching(system, folder, rest.split("/"))
    else:
        listed = system.get_file_info(fs.FileSelector(folder, recursive=True))
        found = [info for info in listed if info.type == fs.FileType.File]
        # Not what Spark and urlint write for themselves.
        found = [info for info in found if not re.search("(^|/)[._]", info.path.removeprefix(start))]
    if not found:
        raise FileNotFoundError(f"{pattern}: no such files")
    sizes = {info.path.removeprefix(start): info.size or 0 for info in found}
    return {f"{base}/{name}" if base else name: sizes[name] for name in sorted(sizes)}


def packed(sizes: dict[str, int], most: int, cost: int) -> list[list[str]]:
    """Returns the files in groups, in order, of ``most`` bytes at most unless one has more; each counts ``cost`` more."""
    groups: list[list[str]] = []
    held = 0
    for name, size in sizes.items():
        if not groups or held + size > most:
            groups.append([])
            held = 0
        groups[-1].append(name)
        held += size + cost
    return groups


def matching(system: fs.FileSystem, folder: str, patterns: list[str]) -> list[fs.FileInfo]:
    """Returns the files below ``folder`` whose names match, level by level: a store has many others."""
    folders = [folder]
    *others, last = patterns
    for pattern in others:
        if MAGIC.search(pattern):
            folders = [info.path for info in below(system, folders, pattern, fs.FileType.Directory)]
        else:
            # The next level shows whether they are there.
            folders = [f"{folder.rstrip('/')}/{pattern}" for folder in folders]
    return below(system, folders, last, fs.FileType.File)


def below(system: fs.FileSystem, folders: list[str], pattern: str, kind: fs.FileType) -> list[fs.FileInfo]:
    """Returns what is of a kind in ``folders`` and has a name that matches."""
    infos = []
    if not MAGIC.search(pattern):
        infos = system.get_file_info([f"{folder.rstrip('/')}/{pattern}" for folder in folders])
    else:
        for folder in folders:
            # It may be a file, or the name of none.
            with suppress(NotADirectoryError):
                infos += system.get_file_info(fs.FileSelector(folder, allow_not_found=True))
        infos = [info for info in infos if fnmatch.fnmatchcase(info.base_name, pattern)]
    return [info for info in infos if info.type == kind]
