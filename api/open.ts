import { denmark } from "../unions/denmark.ts";
import { exampleApiSet } from "./examples.ts";
import { defineOperation, jsonResponse, problemResponse, query } from "./operation.ts";
import { problemSchema } from "./problems.ts";
import { refer } from "./schema.ts";

const text = { schema: { type: "string" } };
const page = (description: string) => ({ description, content: { "text/html": text } });

const portalVersion = query("v", "Hash of the content.", { type: "string" }, "0123456789abcdef");

const portalPart = query("part", "Name of a part that is loaded when it is needed.", { type: "string" });

/** An example of the response that the portal gets when somebody signs in. */
const accountExample = {
  username: exampleApiSet,
  apiSet: exampleApiSet,
  stage: "production",
  base: "https://scorecards.example/production",
  timeZone: denmark.timeZone,
  resources: ["scorecards"],
  requests: "50 a second, 100 at once, 100,000 a day (plan standard)",
  operations: [],
};

const sessionResponse = {
  description:
    "A token for requests of the page, for how many seconds it is valid, and what the account may use.",
  content: {
    "application/json": {
      schema: { type: "object" },
      example: { token: "…", expiresIn: 900, account: accountExample },
    },
  },
};

/** Operations that need no account. */
export const openOperations = [
  defineOperation("showLogin", {
    summary: "The login form",
    description: "A page for people, at the union's own address.",
    responses: { 200: page("The form.") },
  }),
  defineOperation("logIn", {
    summary: "What the account may use",
    description: "The response is the page, or JSON for the portal; there is no session.",
    requestBody: {
      required: true,
      content: {
        "application/x-www-form-urlencoded": {
          schema: {
            type: "object",
            properties: { username: { type: "string" }, password: { type: "string" } },
            required: ["username", "password"],
          },
        },
      },
    },
    responses: {
      200: {
        description:
          "Every request that the account may make, with an example, and its limits: a page, or JSON if accepted.",
        content: {
          "text/html": text,
          "application/json": { schema: { type: "object" }, example: accountExample },
        },
      },
      401: {
        description:
          "The user name or the password is wrong: the form again, or a problem if JSON is accepted.",
        content: { "text/html": text, "application/problem+json": { schema: refer(problemSchema) } },
      },
      400: page("The form again: the user name or the password is missing."),
      413: page("The form again: the body is too long for a user name and a password."),
      415: page("The form again: the body is not the form's."),
      500: page("The form again: something failed here."),
    },
  }),
  defineOperation("signIn", {
    summary: "Sign in to the portal",
    description:
      "For the portal's page; programs send Basic credentials. The token is valid for 15 minutes, the session in the cookie for eight hours.",
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: { username: { type: "string" }, password: { type: "string" } },
            required: ["username", "password"],
          },
          example: { username: exampleApiSet, password: "…" },
        },
      },
    },
    responses: {
      200: sessionResponse,
      400: problemResponse("The body is not a user name and a password."),
      401: problemResponse("The user name or the password is wrong."),
      403: problemResponse("Another site's page asks."),
      413: problemResponse("The body is too long for a user name and a password."),
      415: problemResponse("The body is not JSON."),
      429: problemResponse("Too many attempts have failed from this address."),
    },
  }),
  defineOperation("renewSession", {
    summary: "Another token for the portal",
    description: "For the portal's page: another token for the session of its cookie.",
    responses: {
      200: sessionResponse,
      401: problemResponse("There is no session, or it has ended."),
      403: problemResponse("Another site's page asks."),
    },
  }),
  defineOperation("signOut", {
    summary: "Sign out of the portal",
    description: "For the portal's page: the browser forgets the session.",
    responses: {
      204: { description: "The cookie is removed." },
      403: problemResponse("Another site's page asks."),
    },
  }),
  defineOperation("describeApi", {
    summary: "This document",
    description: "The API as OpenAPI 3.1, for tools that generate clients or show documentation.",
    responses: { 200: jsonResponse("OpenAPI 3.1.", { type: "object" }) },
  }),
  defineOperation("showReference", {
    summary: "The API reference",
    description: "This document as a page for people.",
    responses: { 200: page("The page.") },
  }),
  defineOperation("showPortal", {
    summary: "The portal",
    description: "A page for people: what became of cards, why some were refused, and what waits.",
    responses: { 200: page("The page. It asks for an account, and reads the rest from this API.") },
  }),
  defineOperation("loadPortalScript", {
    summary: "The portal's script",
    description: "The page names it with a version, which changes with the content.",
    parameters: [portalVersion, portalPart],
    responses: {
      200: { description: "The script.", content: { "text/javascript": text } },
      404: problemResponse("The part is of another version of the portal."),
    },
  }),
  defineOperation("loadPortalStyle", {
    summary: "The portal's style",
    description: "The page names it with a version, which changes with the content.",
    parameters: [portalVersion],
    responses: { 200: { description: "The style.", content: { "text/css": text } } },
  }),
];
