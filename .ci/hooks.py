"""Builds what pre-commit installs for the hooks: an empty package that needs the wheel of this version."""

import pathlib
import re
import zipfile


def build_wheel(folder, config_settings=None, metadata_directory=None):
    manifest = pathlib.Path("Cargo.toml").read_text("utf-8")
    version = re.search(r'^version = "(.*)"', manifest, re.MULTILINE)[1]
    name = f"urlint_hooks-{version}"
    files = {
        "METADATA": f"Metadata-Version: 2.1\nName: urlint-hooks\nVersion: {version}\nRequires-Dist: urlint=={version}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: urlint\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files["RECORD"] = "".join(f"{name}.dist-info/{file},,\n" for file in [*files, "RECORD"])
    wheel = f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder, wheel), "w") as archive:
        for file, text in files.items():
            archive.writestr(f"{name}.dist-info/{file}", text)
    return wheel
