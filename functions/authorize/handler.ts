import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import middy from "@middy/core";
import { LRUCache } from "lru-cache";
import * as z from "zod/mini";
import { writeAccountClub } from "../../core/accounts/account.ts";
import { accountFinder } from "../../core/accounts/account-table.ts";
import { authenticate } from "../../core/accounts/authenticate.ts";
import { recentMilliseconds } from "../../core/accounts/find-account.ts";
import { secretReader } from "../../core/aws/secret-reader.ts";
import { headerFinder, headersSchema } from "../http/request.ts";
import { reportUnexpected } from "../runtime/log.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { accessPolicy } from "./access-policy.ts";

const settings = readSettings({ ACCOUNT_TABLE: z.string(), SESSION_SECRET: z.string() });
const accounts = accountFinder(settings.ACCOUNT_TABLE, sdkClient(DynamoDBClient));

/** Read for people's tokens only: a vendor's cold start does not wait for it. */
const secret = secretReader(sdkClient(SecretsManagerClient), settings.SESSION_SECRET);
/** Large enough for a flood of invented user names. */
const recent = new LRUCache<string, readonly string[]>({ max: 10_000, ttl: recentMilliseconds });

/** API Gateway answers 401 if an authorizer throws exactly this. */
const unauthorized = "Unauthorized";

const requestSchema = z.object({ methodArn: z.string(), headers: headersSchema });

/**
 * Returns the policy of the account whose credentials the request carries.
 *
 * @throws Error "Unauthorized" if there is no such account
 */
export const handler = middy()
  .onError(({ error }) => {
    if (error && error.message !== unauthorized) reportUnexpected(error);
  })
  .handler(async (event: unknown) => {
    const { methodArn, headers } = requestSchema.parse(event);
    const check = { find: accounts.find, now: Date.now(), secret, recent };
    const account = await authenticate(headerFinder(headers)("authorization"), check);
    if (account === undefined) throw new Error(unauthorized);
    return {
      principalId: account.username,
      policyDocument: { Version: "2012-10-17", Statement: accessPolicy(account, methodArn) },
      context: {
        apiSet: account.apiSet,
        resources: account.resources.join(","),
        ...(account.club !== undefined && { club: writeAccountClub(account.club) }),
        ...(account.usage !== undefined && { plan: account.usage.plan }),
      },
      ...(account.usage !== undefined && { usageIdentifierKey: account.usage.key }),
    };
  });
