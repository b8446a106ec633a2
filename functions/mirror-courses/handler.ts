import { setTimeout as sleep } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import { clubTable } from "../../core/register/club-table.ts";
import { courseTable } from "../../core/register/course-table.ts";
import { fullSyncDueAt } from "../../core/register/full-sync.ts";
import { mirrorStateTable } from "../../core/register/mirror-state-table.ts";
import { type SyncDependencies, syncMirror } from "../../core/register/sync.ts";
import { courseRegister } from "../../core/register/union-register.ts";
import { unionAccounts } from "../../core/union/account-secrets.ts";
import { consumer } from "../runtime/consumer.ts";
import { logInvocation } from "../runtime/log.ts";
import { gatherFigures } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { recordSync } from "./record-sync.ts";

const settings = readSettings({
  COURSE_TABLE: z.string(),
  CLUB_TABLE: z.string(),
  UNION_BASE_ADDRESS: z.url(),
  MIRROR_SECRET: z.string(),
  MIRROR_PARALLEL_REQUESTS: z.coerce.number(),
  MIRROR_OVERLAP_SECONDS: z.coerce.number(),
  FULL_SYNC_HOUR: z.coerce.number(),
  FULL_SYNC_MINUTE: z.coerce.number(),
  TIME_ZONE: z.string(),
});

const unionTimeoutMilliseconds = 20_000;
const fullSync = { hour: settings.FULL_SYNC_HOUR, minute: settings.FULL_SYNC_MINUTE };
const now = () => new Date();
const dynamodb = sdkClient(DynamoDBClient);
const accounts = unionAccounts(sdkClient(SecretsManagerClient), now);

const figures = gatherFigures();

const eventSchema = z.object({ pass: z.enum(["changes", "full"]) });

const dependencies: SyncDependencies = {
  union: courseRegister(settings.UNION_BASE_ADDRESS, unionTimeoutMilliseconds),
  account: () => accounts.get(settings.MIRROR_SECRET),
  clubs: clubTable(settings.CLUB_TABLE, dynamodb),
  courses: courseTable(settings.COURSE_TABLE, dynamodb),
  state: mirrorStateTable(settings.COURSE_TABLE, dynamodb),
  sleep,
  parallelRequests: settings.MIRROR_PARALLEL_REQUESTS,
  overlapMilliseconds: settings.MIRROR_OVERLAP_SECONDS * 1000,
  fullDueAt: (at) => fullSyncDueAt(at, fullSync, settings.TIME_ZONE),
  now,
};

/** Syncs the mirror of the union's clubs and courses, and returns the report. The event's `pass` is the kind of sync. */
export const handler = consumer({
  logInvocation,
  event: eventSchema,
  figures,
  run: async ({ pass }, remainingMilliseconds) => {
    const report = await syncMirror(dependencies, pass, remainingMilliseconds);
    recordSync(pass, report, figures);
    return report;
  },
});
