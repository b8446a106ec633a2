import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import middy from "@middy/core";
import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import { accountOf } from "../../core/accounts/authenticate.ts";
import { accountFinder } from "../../core/dynamodb/accounts.ts";
import { readOpenRequest } from "../http/open-request.ts";
import type { HttpResponse } from "../http/response.ts";
import { log, logInvocation } from "../runtime/log.ts";
import { measure } from "../runtime/metrics.ts";
import { reportUnexpected } from "../runtime/report-unexpected.ts";
import { sdkConfig } from "../runtime/sdk-config.ts";
import { accountPage, planSchema, throttlingSchema } from "./account-page.ts";
import { loginForm, type Refusal } from "./login-page.ts";
import { pageAnswer } from "./page.ts";
import { readPostedForm } from "./posted-form.ts";

/** A variable that holds JSON. */
const json = <Schema extends z.ZodMiniType<unknown, unknown>>(schema: Schema) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text): unknown => JSON.parse(text)),
    ),
    schema,
  );

const settings = z
  .object({
    ACCOUNT_TABLE: z.string(),
    USAGE_PLANS: json(z.record(z.string(), planSchema)),
    THROTTLING: json(throttlingSchema),
  })
  .parse(process.env);

const accounts = accountFinder(settings.ACCOUNT_TABLE, new DynamoDBClient(sdkConfig));

/** Shows a login form; and, once it is sent, what the account may use. Nothing is kept between the two requests. */
export const handler = middy<unknown, HttpResponse>()
  .onError(async (request) => {
    reportUnexpected(request.error);
    const told = "Something failed here. Try again later.";
    request.response = formAgain(500, undefined, { told, username: "" });
  })
  .handler(async (event, context: Context) => {
    logInvocation(context);
    const { method, stage, base, header, body } = readOpenRequest(event);
    if (method === "GET") return pageAnswer(200, { title: "Sign in", stage, content: loginForm() });

    const posted = readPostedForm(header("content-type") ?? "", body);
    if ("told" in posted) return formAgain(posted.status, stage, { told: posted.told, username: "" });
    const account = await accountOf(posted.credentials, accounts.find);
    if (account === undefined) {
      measure({ CredentialsRefused: 1 });
      const { username } = posted.credentials;
      return formAgain(401, stage, { told: "The user name or the password is wrong.", username });
    }
    log({ message: "account described" });
    const plan = account.usage && settings.USAGE_PLANS[account.usage.plan];
    const content = accountPage(account, base, { plan, throttling: settings.THROTTLING });
    return pageAnswer(200, { title: `What ${account.username} may use`, stage, content });
  });

function formAgain(status: number, stage: string | undefined, refusal: Refusal): HttpResponse {
  const page = { title: "Error: Sign in", content: loginForm(refusal) };
  return pageAnswer(status, stage === undefined ? page : { ...page, stage });
}
