import { hash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zipArchive } from "./zip-archive.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "packages/client-python");

/** A file that pip installs. */
export interface Wheel {
  /** pip reads name and version from it. */
  readonly file: string;
  readonly content: Buffer;
}

/**
 * The Python client as pip installs it, without a build: whoever has pip needs nothing else, and this project needs no Python.
 *
 * @see Python packaging user guide, Binary distribution format and Core metadata specifications
 */
export function packPythonClient(): Wheel {
  const project = readFileSync(join(folder, "pyproject.toml"), "utf8");
  const field = (name: string) => {
    const [, text] = new RegExp(`^${name} = "(.+)"$`, "m").exec(project) ?? [];
    if (text === undefined)
      throw new Error(`pyproject.toml of the Python client has no ${name}. Add it in one line.`);
    return text;
  };
  const release = `${field("name").replaceAll("-", "_")}-${field("version")}`;
  const about = `${release}.dist-info`;
  const metadata = [
    "Metadata-Version: 2.4",
    `Name: ${field("name")}`,
    `Version: ${field("version")}`,
    `Summary: ${field("description")}`,
    `License-Expression: ${field("license")}`,
    "License-File: LICENSE",
    `Requires-Python: ${field("requires-python")}`,
    "Description-Content-Type: text/markdown",
    "",
    readFileSync(join(folder, "README.md"), "utf8"),
  ];
  const format = [
    "Wheel-Version: 1.0",
    "Generator: scorecard-pipeline",
    "Root-Is-Purelib: true",
    "Tag: py3-none-any",
    "",
  ];
  const sources = globSync("scorecard_pipeline_client/{*.py,py.typed}", { cwd: join(folder, "src") }).sort();
  const files: Record<string, Uint8Array> = {
    ...Object.fromEntries(sources.map((file) => [file, readFileSync(join(folder, "src", file))])),
    [`${about}/licenses/LICENSE`]: readFileSync(join(root, "LICENSE")),
    [`${about}/METADATA`]: Buffer.from(metadata.join("\n")),
    [`${about}/WHEEL`]: Buffer.from(format.join("\n")),
  };
  const record = Object.entries(files).map(
    ([path, content]) => `${path},sha256=${hash("sha256", content, "base64url")},${content.byteLength}\n`,
  );
  files[`${about}/RECORD`] = Buffer.from(`${record.join("")}${about}/RECORD,,\n`);
  return { file: `${release}-py3-none-any.whl`, content: zipArchive(files) };
}
