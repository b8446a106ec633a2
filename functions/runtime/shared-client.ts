import * as z from "zod/mini";
import { readSettings } from "./read-settings.ts";

/** How many runs this environment may have at a time: Lambda sets the variable if it is more than one. */
export const { AWS_LAMBDA_MAX_CONCURRENCY: runsAtOnce } = readSettings({
  AWS_LAMBDA_MAX_CONCURRENCY: z._default(z.coerce.number(), 1),
});

/**
 * A client whose requests the runs of this environment share, if it may have many at a time; otherwise the client as it is.
 *
 * @param share each makes one kind of request shared
 * @example sharedClient(sdkClient(DynamoDBClient), shareReads, shareWrites)
 */
export function sharedClient<Client>(
  client: Client,
  ...share: readonly ((client: Client) => Client)[]
): Client {
  return runsAtOnce > 1 ? share.reduce((shared, one) => one(shared), client) : client;
}
