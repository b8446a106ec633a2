import { jsonResponse, type Operation } from "./operation.ts";

const page = (description: string) => ({
  description,
  content: { "text/html": { schema: { type: "string" } } },
});

/** Operations that need no account. */
export const openOperations: readonly Operation[] = [
  {
    method: "get",
    path: "/login.aspx",
    operationId: "showLogin",
    summary: "The login form",
    description: "A page for people, at the union's own address.",
    responses: { 200: page("The form.") },
  },
  {
    method: "post",
    path: "/login.aspx",
    operationId: "logIn",
    summary: "What the account may use",
    description: "The response is the page; there is no session.",
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
      200: page("A page that lists every request the account may make, with an example, and its limits."),
      401: page("The form again: the user name or the password is wrong."),
      413: page("The form again: the body is too long for a user name and a password."),
      415: page("The form again: the body is not the form's."),
      500: page("The form again: something failed here."),
    },
  },
  {
    method: "get",
    path: "/openapi.json",
    operationId: "describeApi",
    summary: "This document",
    description: "The API as OpenAPI 3.1, for tools that generate clients or show documentation.",
    responses: { 200: jsonResponse("OpenAPI 3.1.", { type: "object" }) },
  },
];
