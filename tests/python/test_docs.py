"""The documentation is there, and its examples run."""

import ast
import doctest
import inspect
import json
import pathlib
import subprocess
import sys

import pytest
import urlint
from conftest import ROOT, command, listed

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


def test_without_other_packages():
    """None of those that take and give Arrow has to be installed."""
    code = "import sys; sys.modules.update(dict.fromkeys(['pyarrow', 'polars', 'pandas', 'duckdb', 'numpy']))\n"
    code += "import pickle, urlint\n"
    code += "with urlint.read([sys.argv[1]]) as reader: [links] = reader\n"
    code += "again = urlint.extract_arrow(links, 'url', keep=['path'])\n"
    code += "print(len(links), len(again), pickle.loads(pickle.dumps(again)) == again)"
    sample = ROOT / "fixtures" / "sample.txt"
    ran = subprocess.run([sys.executable, "-c", code, sample], capture_output=True, text=True)
    assert ran.stdout == "7 7 True\n", ran.stderr


def test_keywords_are_the_keys_of_the_configuration():
    """Each key is a keyword with a type, both in the module and in its stub, but for those of the command."""
    ran = subprocess.run([command(), "schema"], capture_output=True, text=True, check=True)
    keys = {key.replace("-", "_") for key in json.loads(ran.stdout)["properties"]}
    keys -= {"baseline", "exclude", "extend", "output_format", "show", "url_rules"}
    stub = ast.parse(pathlib.Path(urlint.__file__).with_name("_native.pyi").read_text(encoding="utf-8"))
    [settings] = [item for item in stub.body if isinstance(item, ast.ClassDef) and item.name == "_Settings"]
    assert {item.target.id for item in settings.body if isinstance(item, ast.AnnAssign)} == keys | {"kind"}
    for key in keys:
        with pytest.raises(TypeError, match=f"`{key}`: invalid type: object"):
            urlint.find("", **{key: object()})


def test_the_stub_names_all_kinds():
    ran = subprocess.run([command(), "schema"], capture_output=True, text=True, check=True)
    kinds = json.loads(ran.stdout)["properties"]["types"]["additionalProperties"]["enum"]
    stub = ast.parse(pathlib.Path(urlint.__file__).with_name("_native.pyi").read_text(encoding="utf-8"))
    [kind] = [item for item in stub.body if isinstance(item, ast.AnnAssign) and item.target.id == "_Kind"]
    assert [item.value for item in ast.walk(kind.value) if isinstance(item, ast.Constant)] == kinds


def test_fields_are_those_of_the_command():
    [row, *_] = listed([ROOT / "fixtures" / "sample.txt"])
    assert urlint.schema(["all"]).names == list(row)


@pytest.mark.parametrize("page", ["README.md", "src/manual/python.md"])
def test_pages_of_the_manual(page, tmp_path, monkeypatch):
    text = pathlib.Path(ROOT, page).read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    assert blocks
    monkeypatch.chdir(ROOT)
    # One after another, as a reader types them.
    run(page, "\n".join(blocks))
