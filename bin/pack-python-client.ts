import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packPythonClient } from "../lib/python-package.ts";

// Writes the Python client, as pip installs it, into the folder of the first argument, by default the current one.

const { file, content } = packPythonClient();
await writeFile(join(process.argv[2] ?? ".", file), content);
console.log(file);
