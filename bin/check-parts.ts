import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { refusedLicences } from "../lib/releases/licences.ts";

// `npm run check:parts`: fails if a package has a licence that is not allowed, or a known vulnerability that is high.

const root = fileURLToPath(new URL("..", import.meta.url));

const refused = refusedLicences(JSON.parse(await readFile(`${root}package-lock.json`, "utf8")));
for (const { folder, license } of refused)
  console.error(
    `${folder}: the licence ${license ?? "(none)"} is not allowed. Replace the package, or add it to lib/releases/licences.ts.`,
  );

/** What `npm audit` says; undefined if the registry does not answer. */
async function audit(): Promise<{ readonly high: number } | undefined> {
  const { stdout } = await promisify(execFile)("npm", ["audit", "--json"], {
    cwd: root,
    maxBuffer: 2 ** 26,
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? "" }));
  try {
    const { high = 0, critical = 0 } = JSON.parse(stdout).metadata.vulnerabilities;
    return { high: high + critical };
  } catch {
    return undefined;
  }
}

const found = await audit();
if (found === undefined)
  console.log("The registry does not answer npm audit: vulnerabilities were not checked.");
else console.log(`npm audit: ${found.high} of high or critical severity.`);
if (refused.length === 0) console.log("All licences are allowed.");
process.exitCode = refused.length > 0 || (found?.high ?? 0) > 0 ? 1 : 0;
