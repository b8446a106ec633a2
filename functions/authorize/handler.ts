import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import middy from "@middy/core";
import { LRUCache } from "lru-cache";
import * as z from "zod/mini";
import { accessPolicy } from "../../core/accounts/access-policy.ts";
import { authenticate } from "../../core/accounts/authenticate.ts";
import { accountFinder } from "../../core/dynamodb/accounts.ts";
import { headerFinder, headersSchema } from "../http/gateway-event.ts";
import { reportUnexpected } from "../runtime/report-unexpected.ts";
import { sdkConfig } from "../runtime/sdk-config.ts";
import { variables } from "../runtime/variables.ts";

const settings = variables("ACCOUNT_TABLE");
const accounts = accountFinder(settings.ACCOUNT_TABLE, new DynamoDBClient(sdkConfig));

/** For a second: a changed password counts after that at the latest. As many names as a flood of made-up ones may have in it. */
const recent = new LRUCache<string, string>({ max: 10_000, ttl: 1000 });

/** API Gateway answers 401 where an authorizer throws exactly this. */
const unauthorized = "Unauthorized";

const requestSchema = z.object({ methodArn: z.string(), headers: headersSchema });

/**
 * Answers API Gateway with the policy of the account whose credentials the request carries.
 *
 * @throws Error "Unauthorized" where no account's credentials are given
 */
export const handler = middy()
  .onError(({ error }) => {
    if (error && error.message !== unauthorized) reportUnexpected(error);
  })
  .handler(async (event: unknown) => {
    const { methodArn, headers } = requestSchema.parse(event);
    const account = await authenticate(headerFinder(headers)("authorization"), accounts.find, recent);
    if (account === undefined) throw new Error(unauthorized);
    return {
      principalId: account.username,
      policyDocument: { Version: "2012-10-17", Statement: accessPolicy(account, methodArn) },
      context: { apiSet: account.apiSet, resources: account.resources.join(",") },
      ...(account.usage !== undefined && { usageIdentifierKey: account.usage.key }),
    };
  });
