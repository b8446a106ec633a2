import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { readRunFile, runFilePath } from "./run-file.ts";

/**
 * Environment variables for an example: the address of the local run and its first demo account, and the queues there as the
 * vendor's own.
 *
 * @returns variables; none if they are set already, or if nothing runs
 */
export async function vendorEnvironment(environment: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  if (environment.SCORECARDS_API !== undefined) return {};
  const run = await readRunFile(runFilePath(environment));
  const account = run?.accounts[0];
  if (run === undefined || account === undefined) return {};
  return {
    SCORECARDS_API: run.api,
    SCORECARDS_USERNAME: account.username,
    SCORECARDS_PASSWORD: account.password,
    AWS_ENDPOINT_URL_SQS: run.services.sqs,
    AWS_REGION: run.region,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  };
}
