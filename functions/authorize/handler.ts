import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import middy from "@middy/core";
import * as z from "zod/mini";
import { accessPolicy } from "../../core/account/access-policy.ts";
import { authenticate } from "../../core/account/authenticate.ts";
import { accountFinder } from "../../core/store/accounts.ts";
import { leanSdk } from "../lean-sdk.ts";
import { logError } from "../log.ts";
import { measure } from "../metrics.ts";
import { variables } from "../variables.ts";

const settings = variables("ACCOUNT_TABLE");
const accounts = accountFinder(settings.ACCOUNT_TABLE, new DynamoDBClient(leanSdk));

/** API Gateway's own word for 401. */
const unauthorized = "Unauthorized";

const requestSchema = z.object({
  methodArn: z.string(),
  headers: z.nullish(z.record(z.string(), z.optional(z.string()))),
});

/**
 * Answers API Gateway with the policy of the account whose credentials the request carries.
 *
 * @throws Error "Unauthorized" where no account's credentials are given
 */
export const handler = middy()
  .onError(({ error }) => {
    if (!error || error.message === unauthorized) return;
    logError({ message: "unexpected error" }, error);
    measure({ UnexpectedErrors: 1 });
  })
  .handler(async (event: unknown) => {
    const { methodArn, headers } = requestSchema.parse(event);
    const authorization = Object.entries(headers ?? {}).find(
      ([name]) => name.toLowerCase() === "authorization",
    );
    const account = await authenticate(authorization?.[1], accounts.find);
    if (account === undefined) throw new Error(unauthorized);
    return {
      principalId: account.username,
      policyDocument: { Version: "2012-10-17", Statement: accessPolicy(account, methodArn) },
      context: { apiSet: account.apiSet, resources: account.resources.join(",") },
      ...(account.usage !== undefined && { usageIdentifierKey: account.usage.key }),
    };
  });
