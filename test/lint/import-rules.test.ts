import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { onTestFinished, test } from "vitest";

/** Each file has one import, which the rules forbid or allow. */
const forbidden = {
  "core/golf/waiting.ts": 'import { setTimeout } from "node:timers/promises";',
  "core/cards/served.ts": 'import { createServer } from "node:http";',
  "core/cards/sdk.ts": 'import { SQSClient } from "@aws-sdk/client-sqs";',
  "core/cards/life/sdk.ts": 'import { SQSClient } from "@aws-sdk/client-sqs";',
  "core/cards/other-table.ts": 'import { QueryCommand } from "@aws-sdk/client-dynamodb";',
  "functions/authorize/list.ts": 'import { ScanCommand } from "@aws-sdk/client-dynamodb";',
  "packages/client/read-file.ts": 'import { readFile } from "node:fs/promises";',
  "packages/card-files/reading/read-file.ts": 'import { readFile } from "node:fs/promises";',
  "packages/whs/read-file.ts": 'import { readFile } from "node:fs/promises";',
  "portal/views/read-file.tsx": 'import { readFile } from "node:fs/promises";',
};
const allowed = {
  "core/aws/sdk.ts": 'import { SQSClient } from "@aws-sdk/client-sqs";',
  "core/aws/read-items.ts": 'import { QueryCommand } from "@aws-sdk/client-dynamodb";',
  "core/cards/planted-table.ts": 'import { DynamoDBClient } from "@aws-sdk/client-dynamodb";',
  "core/union/send-request.ts": 'import { request } from "node:https";',
};

test("npm run check reports each import of a package that its part may not use, and no other", async ({
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
  const rooms = ["core", "functions", "packages", "portal"];
  const run = promisify(execFile)(process.execPath, [oxlint, "--format", "json", ...rooms], { cwd: folder });
  const { stdout } = await run.catch((error: { stdout: string }) => error);

  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { filename: string; code?: string; message: string }[];
  };
  const reported = diagnostics.filter(({ code }) => code?.includes("no-restricted-imports"));
  expect(reported.map(({ filename }) => filename).sort()).toEqual(Object.keys(forbidden).sort());
});
