import { apiEvent } from "../api-event.ts";
import type { FunctionsInFront } from "./functions-in-front.ts";
import type { LargestInput } from "./largest-input.ts";

const times = 10;

function repeated(name: string, event: object, answered: RegExp): LargestInput[] {
  return [{ name, events: () => Array.from({ length: times }, () => event), answered }];
}

/** For authorize: a right password, ten times. */
export function usualAuthorizations({ apiSet, authorization }: FunctionsInFront): LargestInput[] {
  const methodArn = `arn:aws:execute-api:us-east-1:000000000000:api/test/GET/${apiSet}/Clubs`;
  const event = { type: "REQUEST", methodArn, headers: { Authorization: authorization } };
  return repeated("passwords", event, /^\{"principalId"/);
}

/** For describe-account: the login form, sent. */
export function usualLogins({ username, password }: FunctionsInFront): LargestInput[] {
  const event = apiEvent({
    method: "POST",
    resource: "/login.aspx",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ username, password }).toString(),
  });
  return repeated("logins", event, /^\{"statusCode":200/);
}

/** For read-operations. */
export function usualOverviews(): LargestInput[] {
  const event = apiEvent({ method: "GET", resource: "/Operations/Overview", apiSet: "operator" });
  return repeated("overviews", event, /^\{"statusCode":200/);
}

/** For describe-api: the document, for more addresses than it keeps. */
export function usualDescriptions(): LargestInput[] {
  const events = () =>
    Array.from({ length: 2 * times }, (_, host) => {
      const event = apiEvent({ method: "GET", resource: "/openapi.json" });
      return { ...event, requestContext: { ...event.requestContext, domainName: `host-${host}.example` } };
    });
  return [{ name: "the document, for twenty addresses", events, answered: /^\{"statusCode":200/ }];
}

/** For serve-portal: its page. */
export function usualPages(): LargestInput[] {
  return repeated("pages", apiEvent({ method: "GET", resource: "/portal" }), /^\{"statusCode":200/);
}

/** For measure-unsent, which is told nothing. */
export function usualCounts(): LargestInput[] {
  return repeated("counts", {}, /^\{"unsent"/);
}

/** For answer-preflights. */
export function usualPreflights({ apiSet }: FunctionsInFront): LargestInput[] {
  const event = apiEvent({
    method: "OPTIONS",
    resource: "/{apiset}/ScorecardExchange",
    path: { apiset: apiSet },
    headers: {
      Origin: "https://scores.example",
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization, content-type, token",
    },
  });
  return repeated("preflights", event, /^\{"statusCode":204/);
}
