"""The language server in real editors, without a screen.

    drive.py URLINT KIND EDITOR

starts the program EDITOR, which is of the KIND `neovim` or `emacs`, with the recipe of
`src/manual/editors.md`. It opens a letter, edits it, and makes a fix; `drive.lua` and `drive.el` do that
as a user would, and report what the editor then has. Diagnostics have to be those of `urlint check` on the
same text, the fix the one that it offers, and each piece of the URL that is broken over three lines has to
open the whole.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LETTER = """\
Greetings, Zoë 😀,

> 😀 See <URL:http://www.a.example/archive/
> 2003/linux-
> kernel/index.html> for more.

😀 e\u0301 <http://b.example/~joe> and <http://b.example:x/>.
"""

# The first of what is replaced, and by what. Characters come before what is at fault, and lines.
EDITS = [
    ["Greetings", "Hello\n\n𝄞"],
    [":x/>", ":x/é>"],
    ["😀 e\u0301", "e\u0301é 😀😀"],
    ["for more", "for 𝄞 <ftp://joe:secret@c.example/>"],
]

# The fix, and of which text it is.
TITLE = "Encode it"
FIXED = "~joe"

# The pieces of the broken URL.
BROKEN = ["http://www.a.example/archive/", "2003/linux-", "kernel/index.html"]
WHOLE = "http://www.a.example/archive/2003/linux-kernel/index.html"

SEVERITIES = {"error": 1, "warning": 2, "hint": 3}
UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def check(urlint, folder, text):
    """Returns what `urlint check` says of `text`."""
    path = folder / "checked" / "letter.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    command = [urlint, "check", "--isolated", "--exit-zero", "--quiet", "--output-format", "json", path]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def mended(text, fix):
    """Returns `text` with the edits of `fix`."""
    data = text.encode()
    for edit in sorted(fix["edits"], key=lambda edit: -edit["start"]):
        data = data[: edit["start"]] + edit["replacement"].encode() + data[edit["end"] :]
    return data.decode()


def offset(text, place, encoding="utf-8"):
    """Returns the offset in bytes of a line and a character, which counts in `encoding`."""
    line, character = place
    lines = text.split("\n")
    codec, width = UNITS[encoding]
    before = lines[line].encode(codec)[: character * width].decode(codec)
    return sum(len(line.encode()) + 1 for line in lines[:line]) + len(before.encode())


def names(diagnostics):
    return " ".join(sorted(diagnostic["rule"] for diagnostic in diagnostics))


def by_hand(diagnostic):
    """The line of a fix that only a person can make: an editor has no action for it."""
    fix = diagnostic["fix"]
    if not fix or fix["applicability"] != "display":
        return []
    new = [edit["replacement"] for edit in fix["edits"] if edit["replacement"]]
    return [f"By hand: {fix['message']}" + (f": {new[0]}" if len(fix["edits"]) == 1 and new else "")]


def same(what, found, expected):
    if found != expected:
        sys.exit(f"{what}:\n  found    {found}\n  expected {expected}")


def run(urlint, kind, editor, folder):
    edited = LETTER
    for old, new in EDITS:
        assert edited.count(old) >= 1, old
        edited = edited.replace(old, new, 1)
    found = {"open": check(urlint, folder, LETTER), "edit": check(urlint, folder, edited)}
    [fix] = [
        diagnostic["fix"]
        for diagnostic in found["edit"]
        if diagnostic["fix"] and diagnostic["fix"]["message"].capitalize() == TITLE and diagnostic["url"].endswith(FIXED)
    ]
    texts = {"open": LETTER, "edit": edited, "fix": mended(edited, fix)}
    found["fix"] = check(urlint, folder, texts["fix"])
    # An editor waits for the rules of the next step, which so must be others.
    rules = {step: names(diagnostics) for step, diagnostics in found.items()}
    assert len(set(rules.values())) == len(rules), rules

    manual = Path(__file__).parents[2] / "src/manual/editors.md"
    section = re.search(rf"^## {kind}$(.*?)^## ", manual.read_text(), re.DOTALL | re.IGNORECASE | re.MULTILINE)[1]
    document = folder / "letter.txt"
    document.write_bytes(LETTER.encode())
    task = {
        "recipes": re.findall(r"```(?:lua|lisp)\n(.*?)```", section, re.DOTALL),
        "document": str(document),
        "report": str(folder / "report.json"),
        "rules": rules,
        "edits": EDITS,
        "title": TITLE,
        "fixed": FIXED,
    }
    script = Path(__file__).parent
    if kind == "neovim":
        arguments = ["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {script / 'drive.lua'}"]
    else:
        arguments = ["-Q", "--batch", "--load", str(script / "drive.el")]
    environment = {
        **os.environ,
        "TASK": json.dumps(task),
        # The recipes start `urlint`.
        "PATH": os.pathsep.join([str(Path(urlint).parent), os.environ["PATH"]]),
        # Nothing of the user's, and nothing left behind.
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "XDG_CACHE_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "XDG_STATE_HOME": str(folder),
    }
    done = subprocess.run(
        [editor, *arguments], cwd=folder, env=environment, timeout=60, stdin=subprocess.DEVNULL, capture_output=True
    )
    if not (folder / "report.json").exists():
        sys.exit(f"{editor} has failed:\n{done.stderr.decode(errors='replace')}")
    report = json.loads((folder / "report.json").read_text())
    if "fault" in report:
        sys.exit(f"{editor}: {report['fault']}\n{done.stderr.decode(errors='replace')}")
    same("exit status", done.returncode, 0)

    for step, text in texts.items():
        reported = report["steps"][step]
        same(f"{step}: text", reported["text"], text)
        got = [
            (
                offset(text, diagnostic["start"]),
                offset(text, diagnostic["end"]),
                diagnostic["rule"],
                diagnostic["severity"],
                diagnostic["message"],
            )
            for diagnostic in reported["diagnostics"]
        ]
        expected = [
            (
                diagnostic["start"],
                diagnostic["end"],
                diagnostic["rule"],
                SEVERITIES[diagnostic["severity"]],
                "\n".join([diagnostic["message"], *diagnostic["notes"], *by_hand(diagnostic)]),
            )
            for diagnostic in found[step]
        ]
        same(f"{step}: diagnostics", sorted(got), sorted(expected))
    same("saved text", document.read_text(), LETTER)

    text = texts["fix"]
    ranges = [
        tuple(offset(text, [place["line"], place["character"]], report["encoding"]) for place in link["range"].values())
        for link in sorted(report["links"], key=lambda link: link["range"]["start"]["line"])
        if link["target"] == WHOLE
    ]
    pieces = [text.encode()[start:end].decode() for start, end in map(sorted, ranges)]
    same("pieces that open the whole", pieces, BROKEN)
    how = "asks for diagnostics" if report["pulls"] else "is sent diagnostics"
    print(f"{report['editor']}, {report['encoding']}, {how}: as `urlint check` says")


def main():
    urlint, kind, editor = sys.argv[1:]
    urlint, editor = (str(Path(program).absolute()) for program in (urlint, editor))
    with tempfile.TemporaryDirectory() as folder:
        run(urlint, kind, editor, Path(folder).resolve())


if __name__ == "__main__":
    main()
