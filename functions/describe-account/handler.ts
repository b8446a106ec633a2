import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import type { ShownOperation } from "../../api/document/shown-operations.ts";
import type { Account } from "../../core/accounts/account.ts";
import { accountFinder, sessionEnder } from "../../core/accounts/account-table.ts";
import { accountOf } from "../../core/accounts/authenticate.ts";
import { signInLimit } from "../../core/accounts/sign-in-limit.ts";
import { secretReader } from "../../core/aws/secret-reader.ts";
import { openRoute } from "../http/open-route.ts";
import { ProblemError, problem, problemResponse } from "../http/problem.ts";
import type { OpenRequest } from "../http/request.ts";
import { type HttpResponse, json } from "../http/response.ts";
import { log, logInvocation, reportUnexpected } from "../runtime/log.ts";
import { measure } from "../runtime/metrics.ts";
import { jsonOf, readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { accountDocument, planSchema, throttlingSchema } from "./account-document.ts";
import { accountPage, pageResponse } from "./account-page.ts";
import { type LoginFailure, loginForm, readPostedForm } from "./login-form.ts";
import { portalSessions } from "./portal-session.ts";

/** JSON of the operations without their schemas. lib/bundles.ts puts it into the bundle. */
declare const SHOWN_OPERATIONS: string;
const operations: readonly ShownOperation[] = JSON.parse(SHOWN_OPERATIONS);

const settings = readSettings({
  ACCOUNT_TABLE: z.string(),
  SESSION_SECRET: z.string(),
  USAGE_PLANS: jsonOf(z.record(z.string(), planSchema)),
  THROTTLING: jsonOf(throttlingSchema),
  TIME_ZONE: z.string(),
  OPERATOR_CONTACT: z.string(),
});
const { USAGE_PLANS: usagePlans, THROTTLING: throttling, TIME_ZONE: timeZone } = settings;
const operatorContact = settings.OPERATOR_CONTACT;
const dynamodb = sdkClient(DynamoDBClient);
const accounts = accountFinder(settings.ACCOUNT_TABLE, dynamodb);

/** What the page and the portal show of an account. */
const describe = (account: Account, { base, stage }: Pick<OpenRequest, "base" | "stage">) =>
  accountDocument(
    account,
    { base, stage, timeZone, operatorContact },
    { plan: account.usage && usagePlans[account.usage.plan], throttling },
    operations,
  );

const answerSession = portalSessions({
  ...accounts,
  ...sessionEnder(settings.ACCOUNT_TABLE, dynamodb),
  secret: secretReader(sdkClient(SecretsManagerClient), settings.SESSION_SECRET),
  limit: signInLimit(Date.now),
  now: Date.now,
  measure,
  describe,
});

const wrongCredentials = "The user name or the password is wrong.";

/** Shows a login form and, in response to its POST, what the account may use, without a session; and signs people in to the portal. */
export const handler = openRoute(async (request) => {
  if (request.route === "/portal/session") return answerSession(request);
  const { method, stage, header, body } = request;
  const isForProgram = header("accept")?.includes("application/json") === true;
  if (method === "GET") return pageResponse(200, { title: "Sign in", stage, content: loginForm() });

  const posted = readPostedForm(header("content-type") ?? "", body);
  if ("message" in posted) {
    return formAgain(posted.status, stage, { message: posted.message, username: "" });
  }
  const account = await accountOf(posted.credentials, { find: accounts.find, now: Date.now() });
  if (account === undefined) {
    measure({ CredentialsRefused: 1 });
    if (isForProgram)
      return problemResponse(new ProblemError(problem(401, "Unauthorized", wrongCredentials)));
    const { username } = posted.credentials;
    return formAgain(401, stage, { message: wrongCredentials, username });
  }
  log({ message: "account described" });
  const document = describe(account, request);
  if (isForProgram) {
    return json(200, document, { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
  }
  const title = `What ${account.username} may use`;
  return pageResponse(200, { title, stage, content: accountPage(document) });
})
  .before(({ context }) => logInvocation(context))
  .onError((request) => {
    reportUnexpected(request.error);
    const message = "Something failed here. Try again later.";
    request.response = formAgain(500, undefined, { message, username: "" });
  });

function formAgain(status: number, stage: string | undefined, failure: LoginFailure): HttpResponse {
  const page = { title: "Error: Sign in", content: loginForm(failure) };
  return pageResponse(status, stage === undefined ? page : { ...page, stage });
}
