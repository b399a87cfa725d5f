"""``python -m urlint`` is the command ``urlint``."""

import os
import subprocess
import sys
import sysconfig


def command() -> str:
    """Returns the path of the command that was installed with this package."""
    name = "urlint" + sysconfig.get_config_var("EXE") if os.name == "nt" else "urlint"
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")),
        # Installed with `--target`.
        os.path.join(package, "bin"),
    ]
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    sys.exit(
        "urlint: this package was built without the command: install a wheel, "
        "or `cargo install urlint`"
    )


def main() -> None:
    arguments = [command(), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.run(arguments).returncode)
    os.execv(arguments[0], arguments)


if __name__ == "__main__":
    main()
