"""Folders that `growth.py` makes with a number of files, folders, hosts or rules, and what is run in them."""

import random
from pathlib import Path

LINE = "see http://a.example/x and https://b.example/y\n"


class Tree:
    """A folder that can be made larger: `write` makes it with a number of parts and returns the arguments of the
    command."""

    def __init__(self, name, number, write, allowed=9.0):
        self.name = name
        self.number = number
        self.write = write
        # How many times as much work eight times the number may be.
        self.allowed = allowed

    def make(self, folder, number):
        """Makes the folder, and returns the arguments to run in it."""
        return self.write(Path(folder), number)


def in_folders(folder, number):
    """Writes a file into each of so many folders beside each other, and returns their paths."""
    paths = [f"p{index}/a.md" for index in range(number)]
    for path in paths:
        (folder / path).parent.mkdir()
        (folder / path).write_text(LINE)
    return paths or ["."]


def named(folder, number):
    return ["check", "--isolated", *in_folders(folder, number)]


def named_by_hook(folder, number):
    (folder / ".gitignore").write_text("*.log\n/build/\n")
    return ["check", "--isolated", "--force-exclude", *in_folders(folder, number)]


def found(folder, number):
    in_folders(folder, number)
    return ["check", "--isolated", "."]


def listed(folder, number):
    in_folders(folder, number)
    return ["extract", "--isolated", "."]


def verbose(folder, number):
    for index in range(number):
        (folder / f".hidden{index}").write_text(LINE)
    return ["check", "--isolated", "--verbose", "."]


def in_one_folder(folder, number):
    for index in range(number):
        (folder / f"a{index}.md").write_text(LINE)
    return ["check", "--isolated", "--diff", "."]


def deep(folder, number):
    """Writes so many folders in each other, with a file in the last and the first."""
    (folder / "a.md").write_text(LINE)
    path = folder.joinpath(*["d"] * number)
    path.mkdir(parents=True, exist_ok=True)
    (path / "a.md").write_text(LINE)
    return ["check", "."]


def configured(folder, number):
    """Writes a configuration file into each folder."""
    in_folders(folder, number)
    for index in range(number):
        (folder / f"p{index}/urlint.toml").write_text('extend-select = ["style"]\n')
    return ["check", "."]


def patterns(folder, number):
    """Writes a configuration with so many patterns, and a file with as many URLs."""
    urls = ", ".join(f'"http://a{index}.example/"' for index in range(number))
    ignored = "".join(f'"/b{index}/*.md" = ["style"]\n' for index in range(number))
    (folder / "urlint.toml").write_text(f"ignore-urls = [{urls}]\n[per-file-ignores]\n{ignored}")
    (folder / "a.md").write_text("<http://a.example/^>\n" * number)
    return ["check", "."]


def expressions(folder, number):
    """Writes a configuration with so many regular expressions, and a long URL that all of them may match."""
    ignored = ", ".join(f"{{ regex = '(x?){{40}}y{index}' }}" for index in range(number))
    (folder / "urlint.toml").write_text(f"ignore-urls = [{ignored}]\n")
    (folder / "a.md").write_text("<http://a.example/" + "x" * 4000 + "^>\n")
    return ["check", "."]


def rules(folder, number):
    """Writes so many rules with a replacement, and as many URLs."""
    rule = "[url-rules.a{}]\nregex = '(x+)$'\nmessage = 'm'\nreplace = '{}y'\nexamples.bad = ['http://a/x']\n"
    text = "".join(rule.format(index, "${1}" * 100) for index in range(number))
    (folder / "urlint.toml").write_text(text)
    (folder / "a.md").write_text(f"<http://a.example/{'x' * 500}>\n" * 20)
    return ["check", "--exit-zero", "."]


def extended(folder, number):
    """Writes so many configuration files, each of which extends the next."""
    for index in range(number):
        extends = f"extend = 'c{index + 1}.toml'\n" if index + 1 < number else ""
        ignored = ", ".join(f"'http://a{index}.example/{k}'" for k in range(100))
        (folder / f"c{index}.toml").write_text(f"{extends}ignore-urls = [{ignored}]\n")
    (folder / "a.md").write_text(LINE)
    return ["check", *(["--config", "c0.toml"] if number else ["--isolated"]), "a.md"]


TREES = [
    Tree("named", 400, named),
    Tree("named-by-hook", 400, named_by_hook),
    Tree("found", 100, found),
    Tree("listed", 100, listed),
    Tree("verbose", 100, verbose),
    Tree("in-one-folder", 100, in_one_folder),
    # The paths have 64 times as many bytes. Beyond 256 folders nothing is read.
    Tree("deep", 30, deep, allowed=64.0),
    Tree("configured", 50, configured),
    Tree("patterns", 100, patterns),
    Tree("expressions", 12, expressions),
    Tree("rules", 8, rules),
    Tree("extended", 2, extended),
]
