import type { Vendor } from "../client/vendor-api.ts";
import { findTarget } from "./find-target.ts";
import type { TargetStage } from "./target.ts";

/** Which API, and as whom. */
export interface VendorOptions {
  readonly stage: TargetStage;
  /** An API by its base address: no stack has to be found, and no AWS credentials are needed. */
  readonly api?: string;
  readonly username?: string;
  readonly apiSet?: string;
}

/** A vendor at an API. */
export interface VendorAccess {
  readonly api: string;
  /** Names the pipeline and its data. */
  readonly pipeline: string;
  readonly vendor: Vendor;
}

/**
 * The API and the account to use: options first, then SCORECARDS_USERNAME and SCORECARDS_PASSWORD, then, on the local
 * run, the first demo account. A password never comes from an option, since those can be seen by other users.
 *
 * @throws Error that says what is missing
 */
export async function vendorAccess(
  options: VendorOptions,
  environment: NodeJS.ProcessEnv,
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
    throw new Error(`Set ${missing} in the environment to the vendor account's.`);
  }
  const apiSet = options.apiSet ?? demo?.apiSet ?? username;
  return { api, pipeline: target?.id ?? api, vendor: { username, password, apiSet } };
}
