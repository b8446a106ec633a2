#!/usr/bin/env node
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { createClient } from "../client.ts";
import { toLines, toPage, toReport } from "./report.ts";
import { readSeen } from "./seen.ts";

const usage = `scorecards-client conformance [--days N] [--json FILE] [--page FILE]

Says which deeds the API has seen of your app in the last N days, 30 by default, what is left, and why it matters. It reads
SCORECARDS_API, SCORECARDS_USERNAME, SCORECARDS_PASSWORD and, if it is not the user name, SCORECARDS_API_SET. Each webhook
endpoint gets a test event and a forged one. A report is written as JSON and as a page to print; it names no person and no card.
Exit code 0 if all deeds are done, 1 if some are left.
`;
const maxDays = 31;
// By its own name, so that it is found in the repository and in the installed package.
const { version } = createRequire(import.meta.url)("@scorecard-pipeline/scorecards-client/package.json");

const { values, positionals } = parseArgs({
  options: {
    days: { type: "string", default: "30" },
    json: { type: "string" },
    page: { type: "string" },
  },
  allowPositionals: true,
});
const { SCORECARDS_API: api, SCORECARDS_USERNAME: username, SCORECARDS_PASSWORD: password } = process.env;
const days = Number(values.days);
const isKnown = positionals.join() === "conformance" && days >= 1 && days <= maxDays;
if (!isKnown || api === undefined || username === undefined || password === undefined) {
  process.stderr.write(usage);
  process.exit(2);
}
const { SCORECARDS_API_SET: apiSet = username } = process.env;
const client = createClient({ api, username, password, apiSet });
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const from = dayOf(Date.now() - (days - 1) * 86_400_000);
const seen = await readSeen(client, { from });
const report = toReport(seen, { apiSet, api, client: version, from });
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
if (values.page !== undefined) await writeFile(values.page, toPage(report));
process.stdout.write(`${toLines(report).join("\n")}\n`);
process.exitCode = report.done === report.deeds.length ? 0 : 1;
