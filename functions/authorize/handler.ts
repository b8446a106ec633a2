import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import middy from "@middy/core";
import * as z from "zod";
import { accessPolicy } from "../../core/account/access-policy.ts";
import { authenticate } from "../../core/account/authenticate.ts";
import { accountTable } from "../../core/store/accounts.ts";

const settings = z.object({ ACCOUNT_TABLE: z.string() }).parse(process.env);
const accounts = accountTable(settings.ACCOUNT_TABLE, new DynamoDBClient());

const requestSchema = z.object({
  methodArn: z.string(),
  headers: z.record(z.string(), z.string().optional()).nullish(),
});

/**
 * Answers API Gateway with the policy of the account whose credentials the request carries.
 *
 * @throws Error "Unauthorized", API Gateway's own word for 401, where no account's credentials are given
 */
export const handler = middy().handler(async (event: unknown) => {
  const { methodArn, headers } = requestSchema.parse(event);
  const authorization = Object.entries(headers ?? {}).find(
    ([name]) => name.toLowerCase() === "authorization",
  );
  const account = await authenticate(authorization?.[1], accounts.find);
  if (account === undefined) throw new Error("Unauthorized");
  return {
    principalId: account.username,
    policyDocument: { Version: "2012-10-17", Statement: accessPolicy(account, methodArn) },
    context: { apiSet: account.apiSet },
    ...(account.usage !== undefined && { usageIdentifierKey: account.usage.key }),
  };
});
