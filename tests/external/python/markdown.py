"""Reads documents in Markdown, separated by NUL, and writes for each the destinations of its
links as markdown-it has them, one a line: those of inline links and images, and those of reference
definitions, used or not. A NUL ends each answer."""

import sys

try:
    from markdown_it import MarkdownIt
except ImportError:
    sys.exit(77)

USE = "reference-use:"


def mark_uses(state):
    """Makes the use of a reference something else than an inline link."""
    for reference in state.env.get("references", {}).values():
        reference["written"] = reference["href"]
        reference["href"] = USE


def reader():
    markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    markdown.normalizeLink = lambda url: url
    markdown.validateLink = lambda url: True
    markdown.core.ruler.before("inline", "mark_uses", mark_uses)
    return markdown


def destinations(tokens):
    for token in tokens:
        if token.type == "link_open" and token.markup != "autolink":
            yield token.attrs["href"]
        elif token.type == "image":
            yield token.attrs["src"]
        yield from destinations(token.children or [])


def without_front_matter(text):
    text = text.removeprefix("\ufeff")
    lines = text.split("\n")
    fence = lines[0].rstrip()
    if fence not in ("---", "+++") or len(lines) < 2 or not lines[1].strip():
        return text
    for number, line in enumerate(lines[1:], 1):
        if fence == "---" and line[:4] == "--- " and line[4:5].isalpha():
            return "\n".join(lines[number:])
        if line.rstrip() == fence or (fence == "---" and line.rstrip() == "..."):
            return "\n".join(lines[number + 1 :])
    return text


def main():
    markdown = reader()
    documents = sys.stdin.buffer.read().decode().split("\0")
    for document in documents[:-1]:
        env = {}
        tokens = markdown.parse(without_front_matter(document), env)
        found = [url for url in destinations(tokens) if url != USE]
        for label, reference in env.get("references", {}).items():
            if not label.startswith("^"):
                found.append(reference["written"])
        answer = "".join(url.replace("\n", " ") + "\n" for url in found)
        sys.stdout.buffer.write(answer.encode() + b"\0")


main()
