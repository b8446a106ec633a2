#!/usr/bin/env node
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { createClient } from "../client.ts";
import { sendFirstCard } from "./first-card.ts";
import { readReport, toLines, toPage } from "./report.ts";

const usage = `scorecards-client first-card PLAYER MARKER
scorecards-client conformance [--days N] [--json FILE] [--page FILE]

first-card sends a card of today for a member, on the first course of the register, and says what becomes of it. MARKER is another
member number.

conformance says which deeds the API has seen of your app in the last N days, 30 by default, what is left, and why it matters. Each webhook
endpoint gets a test event and a forged one. A report is written as JSON and as a page to print; it names no person and no card.
Exit code 0 if all deeds are done, 1 if some are left.

Both read SCORECARDS_API, SCORECARDS_USERNAME, SCORECARDS_PASSWORD and, if it is not the user name, SCORECARDS_API_SET.
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
const [command, player, marker] = positionals;
const isFirstCard = command === "first-card" && player !== undefined && marker !== undefined;
const isConformance = positionals.join() === "conformance" && days >= 1 && days <= maxDays;
if (!(isFirstCard || isConformance) || !api || !username || !password) {
  process.stderr.write(usage);
  process.exit(2);
}
const { SCORECARDS_API_SET: apiSet = username } = process.env;
const client = createClient({ api, username, password, apiSet });
if (isFirstCard) for await (const line of sendFirstCard(client, player, marker)) console.log(line);
else await judge(api);

/** Asks the API for what it has seen, and writes the reports. */
async function judge(api: string): Promise<void> {
  const report = await readReport(client, days, { api, client: version });
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  if (values.page !== undefined) await writeFile(values.page, toPage(report));
  process.stdout.write(`${toLines(report).join("\n")}\n`);
  process.exitCode = report.done === report.deeds.length ? 0 : 1;
}
