import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { onTestFinished, test } from "vitest";

/** Each file has one import, which the rules forbid or allow. */
const forbidden = {
  "core/formats/planted.ts": 'import type { Account } from "../accounts/account.ts";',
  "core/aws/planted.ts": 'import type { StoredCard } from "../cards/card.ts";',
  "core/accounts/planted.ts": 'import type { StoredCard } from "../cards/card.ts";',
  "core/golf/planted.ts": 'import type { StoredCard } from "../cards/card.ts";',
  "core/golf/rules/planted.ts": 'import { apiSetSchema } from "../../accounts/account.ts";',
  "core/golf/waiting.ts": 'import { setTimeout } from "node:timers/promises";',
  "core/union/planted.ts": 'import type { CourseVersion } from "../golf/course.ts";',
  "core/register/planted.ts": 'import { deliver } from "../cards/delivery/deliver.ts";',
  "core/cards/planted.ts": 'import type { OutcomeEvent } from "../views/outcome-event.ts";',
  "core/cards/sdk.ts": 'import { SQSClient } from "@aws-sdk/client-sqs";',
  "core/cards/other-table.ts": 'import { QueryCommand } from "@aws-sdk/client-dynamodb";',
  "core/views/planted.ts": 'import type { WebhookEvent } from "../webhooks/event.ts";',
  "core/players/planted.ts": 'import { askForRecords } from "../records/ask-for-records.ts";',
  "core/records/planted.ts": 'import { askForPlayers } from "../players/ask-for-players.ts";',
  "core/webhooks/planted.ts": 'import { readOverview } from "../operations/overview.ts";',
  "core/operations/planted.ts": 'import { askForPlayers } from "../players/ask-for-players.ts";',
  "core/operations/handler.ts": 'import { vendorApi } from "../../functions/http/vendor-api.ts";',
  "lib/planted.ts": 'import { deliver } from "../core/cards/delivery/deliver.ts";',
};
const allowed = {
  "core/golf/types.ts": 'import type { ApiSet } from "../accounts/account.ts";',
  "core/aws/sdk.ts": 'import { SQSClient } from "@aws-sdk/client-sqs";',
  "core/aws/read-items.ts": 'import { QueryCommand } from "@aws-sdk/client-dynamodb";',
  "core/cards/planted-table.ts": 'import { DynamoDBClient } from "@aws-sdk/client-dynamodb";',
  "core/records/counts.ts": 'import type { OutcomeEvent } from "../views/outcome-event.ts";',
};

test("npm run check reports each import that the table of folders forbids, and no other", async ({
  expect,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "import-rules-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await copyFile("oxlint.config.ts", join(folder, "oxlint.config.ts"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  for (const [file, line] of Object.entries({ ...forbidden, ...allowed })) {
    await mkdir(join(folder, file, ".."), { recursive: true });
    await writeFile(join(folder, file), `${line}\n`);
  }

  const oxlint = resolve("node_modules/oxlint/bin/oxlint");
  const run = promisify(execFile)(process.execPath, [oxlint, "--format", "json", "core", "lib"], {
    cwd: folder,
  });
  const { stdout } = await run.catch((error: { stdout: string }) => error);

  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { filename: string; code?: string; message: string }[];
  };
  const reported = diagnostics.filter(({ code }) => code?.includes("no-restricted-imports"));
  expect(reported.map(({ filename }) => filename).sort()).toEqual(Object.keys(forbidden).sort());
});
