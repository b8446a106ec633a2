"""Makes the requests and their types of openapi.json, each time the package is built."""

import os
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GenerateRequests(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        scripts = sysconfig.get_path("scripts")
        command = [Path(scripts, "openapi-python-client"), "generate", "--meta", "none", "--overwrite", "--fail-on-warning"]
        document = root.parent.parent / "api" / "openapi.json"
        generated = root / "src" / "scorecard_pipeline_client" / "generated"
        # The generator formats with the ruff that is installed beside it.
        path = os.pathsep.join([scripts, os.environ["PATH"]])
        subprocess.run(
            [*command, "--path", document, "--output-path", generated], check=True, env={**os.environ, "PATH": path}
        )
