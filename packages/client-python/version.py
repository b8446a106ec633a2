"""The version of a build: the project's, and the commit that it was made of, so that each build has its own."""

import subprocess
from pathlib import Path

version = "0.2.0"
_describe = "git describe --always --dirty --exclude='*'"
_build = subprocess.run(_describe, shell=True, cwd=Path(__file__).parent, capture_output=True, text=True).stdout.strip()
version += f"+{_build}" if _build else ""
