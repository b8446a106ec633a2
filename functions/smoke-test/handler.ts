import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { ApiError, createClient } from "@scorecard-pipeline/scorecards-client";
import * as z from "zod/mini";
import { type CourseToPlay, courseToPlay, smokeTest } from "../../core/smoke-test/smoke-test.ts";
import { unionAccounts } from "../../core/union/account-secrets.ts";
import { consumer } from "../runtime/consumer.ts";
import { log, logError, logInvocation } from "../runtime/log.ts";
import { gatherFigures } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";

const settings = readSettings({
  /** Base address for vendors. */
  API_ADDRESS: z.url(),
  /** Name of the secret with the account that sends the cards: a vendor's of this pipeline. */
  SMOKE_TEST_SECRET: z.string(),
  TIME_ZONE: z.string(),
  /** UnionID of the test player; missing if the exchange gets no cards. */
  SMOKE_TEST_PLAYER: z.optional(z.string()),
});

/** Time that a run keeps for publishing what it has found. */
const reserveMilliseconds = 5_000;
/** Time for everything but the delivery. */
const answersWithinMilliseconds = 20_000;

const now = () => new Date();
const accounts = unionAccounts(sdkClient(SecretsManagerClient), now);
const figures = gatherFigures();
/** The course is looked for once: the list of a large union's clubs has megabytes. */
let found: CourseToPlay | undefined;

/** Goes the way of a vendor's card. A run that fails says why in its log, and is counted. */
export const handler = consumer({
  logInvocation,
  event: z.unknown(),
  figures,
  run: async (_event, remainingMilliseconds) => {
    const passed = await passes(remainingMilliseconds() - reserveMilliseconds);
    figures.add({ SmokeTestsFailed: passed ? 0 : 1 });
    return { passed };
  },
});

async function passes(milliseconds: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(milliseconds);
    const { unionApiSet: apiSet, username, password } = await accounts.get(settings.SMOKE_TEST_SECRET);
    const client = createClient({ api: settings.API_ADDRESS, apiSet, username, password });
    const { SMOKE_TEST_PLAYER: player, TIME_ZONE: timeZone } = settings;
    found ??= await courseToPlay(client, now(), timeZone, signal);
    const course = found;
    const result = await smokeTest(client, {
      course,
      now: now(),
      timeZone,
      player: player ?? `${course.unionNumber}-1`,
      ...(player !== undefined && {
        deliveredWithinSeconds: Math.floor((milliseconds - answersWithinMilliseconds) / 1000),
      }),
      signal,
    });
    const { good, bad, goodAsExpected, badAsExpected, isHeldUp } = result;
    const passed = (goodAsExpected || isHeldUp) && badAsExpected;
    if (!passed) {
      // The course may have been replaced.
      found = undefined;
      log({
        message: "smoke test failed",
        good: [String(good.status), good.state, ...good.faults],
        bad: [String(bad.status), bad.state, ...bad.faults],
      });
    }
    return passed;
  } catch (error) {
    accounts.forget(settings.SMOKE_TEST_SECRET);
    found = undefined;
    const status = error instanceof ApiError ? { status: error.status } : {};
    logError({ message: "smoke test failed", ...status }, error);
    return false;
  }
}
