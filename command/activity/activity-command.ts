import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { DaysQuery } from "@scorecard-pipeline/scorecards-client";
import type { Activity } from "../../api/activity.ts";
import type { ApiSet } from "../../core/accounts/account.ts";
import { accountTable } from "../../core/accounts/account-table.ts";
import { scorecardReader } from "../../core/cards/delivery/scorecard-table.ts";
import { dayOf } from "../../core/formats/union-time.ts";
import { readActivity } from "../../core/views/activity.ts";
import { activityReader } from "../../core/views/activity-table.ts";
import { settings } from "../../lib/settings.ts";
import { commandProcess } from "../base/command-process.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import { knownApiSets } from "../base/known-api-sets.ts";
import type { Terminal } from "../base/terminal.ts";
import { vendorAccess } from "../base/vendor-access.ts";
import type { CardReaderOptions } from "../follow/card-reader.ts";
import { activityLines } from "./activity-lines.ts";

/** Options of `scorecards activity`. */
export interface ActivityOptions extends CardReaderOptions, DaysQuery {
  readonly json?: true;
}

/** `scorecards activity`. */
export async function activityCommand(options: ActivityOptions, terminal: Terminal): Promise<ExitCode> {
  const activity = await activityOf(options, terminal.signal);
  if (options.json) terminal.json(activity);
  else terminal.result(activityLines(activity, terminal.width));
  return exitCode.done;
}

/** With `vendor` from the stage's tables, so that an operator needs no password of the vendor, else from the API. */
async function activityOf(options: ActivityOptions, signal: AbortSignal): Promise<Activity> {
  const { vendor, from, to } = options;
  if (vendor === undefined) {
    const { client } = await vendorAccess(options, commandProcess().env);
    return await client.activity({ from, to }, { signal });
  }
  const { stage, outputs, client } = await findTarget(options.stage);
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const accounts = await accountTable(outputs.AccountTableName, dynamodb).list();
  const [apiSet] = knownApiSets(accounts, vendor, options.stage);
  const { timeZone } = settings[stage].union;
  const now = Date.now();
  const last = to ?? dayOf(now, timeZone);
  const days = { from: from ?? last, to: last };
  if (days.from > days.to) throw new Error("--from is after --to. Give the first day with --from.");
  const tables = {
    activity: activityReader(outputs.ActivityTableName, dynamodb),
    table: scorecardReader(outputs.ScorecardTableName, dynamodb),
  };
  return await readActivity(tables, apiSet as ApiSet, days, { now, timeZone });
}
