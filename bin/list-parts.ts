import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

// `npm run list:parts -- FOLDER`: adds to a release's files the list of parts, in CycloneDX, and the checksums of all of them.

const root = fileURLToPath(new URL("..", import.meta.url));
const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error("The folder of the release's files is missing. Run: npm run list:parts -- FOLDER");

await mkdir(folder, { recursive: true });
const sbom = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"];
const { stdout } = await promisify(execFile)("npm", sbom, { cwd: root, maxBuffer: 2 ** 26 });
await writeFile(join(folder, "parts.cdx.json"), stdout);

const files = (await readdir(folder, { withFileTypes: true })).filter(
  (entry) => entry.isFile() && entry.name !== "SHA256SUMS",
);
const lines = await Promise.all(
  files.map(async ({ name }) => {
    const sum = createHash("sha256")
      .update(await readFile(join(folder, name)))
      .digest("hex");
    return `${sum}  ${name}\n`;
  }),
);
await writeFile(join(folder, "SHA256SUMS"), lines.sort().join(""));
