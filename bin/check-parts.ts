import { readFileSync } from "node:fs";
import { refusedLicences } from "../lib/releases/licences.ts";

// `npm run check:parts`: fails if a package has a licence that is not allowed; `npm audit` tells of vulnerabilities.

const lockfile = new URL("../package-lock.json", import.meta.url);
const refused = refusedLicences(JSON.parse(readFileSync(lockfile, "utf8")));
for (const { folder, license } of refused)
  console.error(
    `${folder}: the licence ${license ?? "(none)"} is not allowed. Replace the package, or add it to lib/releases/licences.ts.`,
  );
process.exitCode = refused.length > 0 ? 1 : 0;
