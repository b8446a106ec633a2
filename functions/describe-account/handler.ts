import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import middy from "@middy/core";
import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import { accountFinder } from "../../core/accounts/account-table.ts";
import { accountOf } from "../../core/accounts/authenticate.ts";
import { ProblemError, problem, problemResponse } from "../http/problem.ts";
import { readOpenRequest } from "../http/request.ts";
import { type HttpResponse, json } from "../http/response.ts";
import { log, logInvocation, reportUnexpected } from "../runtime/log.ts";
import { measure } from "../runtime/metrics.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { variables } from "../runtime/variables.ts";
import { accountDocument } from "./account-document.ts";
import { accountPage, planSchema, throttlingSchema } from "./account-page.ts";
import { type LoginFailure, loginForm, readPostedForm } from "./login-form.ts";
import { pageResponse } from "./page.ts";

const settings = variables("ACCOUNT_TABLE", "USAGE_PLANS", "THROTTLING", "TIME_ZONE");
const usagePlans = z.record(z.string(), planSchema).parse(JSON.parse(settings.USAGE_PLANS));
const throttling = throttlingSchema.parse(JSON.parse(settings.THROTTLING));

const accounts = accountFinder(settings.ACCOUNT_TABLE, sdkClient(DynamoDBClient));

const wrongCredentials = "The user name or the password is wrong.";

/** Shows a login form and, once it is posted, what the account may use. There is no session. */
export const handler = middy<unknown, HttpResponse>()
  .onError(async (request) => {
    reportUnexpected(request.error);
    const message = "Something failed here. Try again later.";
    request.response = formAgain(500, undefined, { message, username: "" });
  })
  .handler(async (event, context: Context) => {
    logInvocation(context);
    const { method, stage, base, header, body } = readOpenRequest(event);
    // The portal signs in here too.
    const isForPortal = header("accept")?.includes("application/json") === true;
    if (method === "GET") return pageResponse(200, { title: "Sign in", stage, content: loginForm() });

    const posted = readPostedForm(header("content-type") ?? "", body);
    if ("message" in posted) {
      return formAgain(posted.status, stage, { message: posted.message, username: "" });
    }
    const account = await accountOf(posted.credentials, accounts.find);
    if (account === undefined) {
      measure({ CredentialsRefused: 1 });
      if (isForPortal)
        return problemResponse(new ProblemError(problem(401, "Unauthorized", wrongCredentials)));
      const { username } = posted.credentials;
      return formAgain(401, stage, { message: wrongCredentials, username });
    }
    log({ message: "account described" });
    const plan = account.usage && usagePlans[account.usage.plan];
    const limits = { plan, throttling };
    if (isForPortal) {
      const document = accountDocument(account, { base, stage, timeZone: settings.TIME_ZONE }, limits);
      return json(200, document, { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
    }
    const content = accountPage(account, base, limits);
    return pageResponse(200, { title: `What ${account.username} may use`, stage, content });
  });

function formAgain(status: number, stage: string | undefined, failure: LoginFailure): HttpResponse {
  const page = { title: "Error: Sign in", content: loginForm(failure) };
  return pageResponse(status, stage === undefined ? page : { ...page, stage });
}
