"""The documentation is there, and its examples run."""

import doctest
import inspect
import pathlib

import pytest
import urlint
from conftest import ROOT

PUBLIC = [getattr(urlint, name) for name in urlint.__all__ if name != "__version__"]


def run(name, text):
    examples = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    assert examples.examples, f"{name} has no example"
    said = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(examples, out=said.append)
    assert runner.failures == 0, "".join(said)


@pytest.mark.parametrize("item", [urlint, *PUBLIC], ids=lambda item: item.__name__)
def test_examples(item):
    run(item.__name__, item.__doc__)


def test_everything_is_documented():
    for item in PUBLIC:
        if not inspect.isclass(item):
            continue
        for name, member in vars(item).items():
            if not name.startswith("_"):
                assert member.__doc__, f"{item.__name__}.{name}"
                assert member.__doc__[0].isupper() and member.__doc__.rstrip().endswith("."), member.__doc__


def test_all_names_are_there():
    assert set(urlint.__all__) == {name for name in urlint._native.__all__}
    assert sorted(urlint.__all__) == urlint.__all__
    for item in PUBLIC:
        assert item.__module__ in ("urlint", "urlint._native"), item


@pytest.mark.parametrize("page", ["src/manual/python.md"])
def test_pages_of_the_manual(page, tmp_path, monkeypatch):
    text = pathlib.Path(ROOT, page).read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    assert blocks
    monkeypatch.chdir(ROOT)
    # One after another, as a reader types them.
    run(page, "\n".join(blocks))
