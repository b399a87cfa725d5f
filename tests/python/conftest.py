"""What the tests of the Python module share."""

import json
import os
import pathlib
import subprocess
import sys
import sysconfig

import pytest
import urlint

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPORA = ROOT.parent / "shared" / "corpora"


def command() -> str:
    """Returns the path of the command that was installed with the module."""
    name = "urlint" + (sysconfig.get_config_var("EXE") or "")
    beside = pathlib.Path(urlint.__file__).parents[1] / "bin"
    # Where `cargo build` puts it, for `maturin develop` installs none.
    built = ROOT / "target" / "debug"
    for folder in (beside, pathlib.Path(sysconfig.get_path("scripts")), built):
        if (folder / name).is_file():
            return str(folder / name)
    pytest.fail("the command is not installed")


def listed(paths, *arguments):
    """Returns the rows that the command lists for ``paths``, with all fields."""
    ran = subprocess.run(
        [command(), "extract", "--isolated", "--output-format", "json-lines", "--fields", "all", *arguments, *paths],
        capture_output=True,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.fixture(scope="session")
def corpora():
    """The folder with documents of others, which are beside the checkout where they are there at all."""
    if not CORPORA.is_dir():
        pytest.skip("../shared/corpora is not there")
    return CORPORA


def pytest_report_header():
    return f"urlint {urlint.__version__} of {os.path.dirname(urlint.__file__)}, Python {sys.version.split()[0]}"
