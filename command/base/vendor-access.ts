import { createClient, type ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import { findTarget } from "./find-target.ts";
import type { TargetStage } from "./target.ts";

/** Options that choose the API and the account. */
export interface VendorOptions {
  readonly stage: TargetStage;
  /** Base address of the API; replaces the stage, so that no AWS credentials are needed. */
  readonly api?: string;
  readonly username?: string;
  readonly apiSet?: string;
}

/** An API as one vendor uses it. */
export interface VendorAccess {
  readonly client: ScorecardsClient;
  /** Identifies the pipeline and its data. */
  readonly pipeline: string;
}

/** How long a request of a command that somebody waits for is retried: an API that is not there is said so within seconds. */
const briefRetrySeconds = 3;

/** The same for a command that runs for long, which should outlast a restart of the API. */
export const patientRetrySeconds = 30;

/**
 * The API and the account to use: from the options, else from SCORECARDS_USERNAME and SCORECARDS_PASSWORD, else, on the
 * local run, the first demo account. A password is never an option, because other users of the machine can see those.
 *
 * @param retrySeconds how long a single request is retried
 * @throws Error that says what is missing
 */
export async function vendorAccess(
  options: VendorOptions,
  environment: NodeJS.ProcessEnv,
  retrySeconds = briefRetrySeconds,
): Promise<VendorAccess> {
  const target = options.api === undefined ? await findTarget(options.stage) : undefined;
  const api = options.api?.replace(/\/+$/, "") ?? target?.api ?? "";
  const demos = target?.accounts ?? [];
  const named = options.username ?? environment.SCORECARDS_USERNAME;
  const demo = named === undefined ? demos[0] : demos.find(({ username }) => username === named);
  const username = named ?? demo?.username;
  const password = environment.SCORECARDS_PASSWORD ?? demo?.password;
  if (username === undefined || password === undefined) {
    const missing =
      username === undefined ? "SCORECARDS_USERNAME and SCORECARDS_PASSWORD" : "SCORECARDS_PASSWORD";
    throw new Error(`The vendor's account is missing. Set ${missing} in the environment.`);
  }
  const apiSet = options.apiSet ?? demo?.apiSet ?? username;
  const client = createClient({ api, username, password, apiSet, retrySeconds });
  return { client, pipeline: target?.id ?? api };
}
