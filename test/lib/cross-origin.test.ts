import { expect, test } from "vitest";
import { checkSettings } from "../../lib/check-settings.ts";
import { settings } from "../../lib/settings.ts";
import { apiOperations } from "../api-operations.ts";
import { templateOf } from "../synthesized-stack.ts";

const allowedOrigins = ["https://scores.example", "http://localhost:5173"];
const template = await templateOf({ ...settings.test, allowedOrigins });

/** All but the operators': their page is the API's own. */
const methods = () =>
  apiOperations(template.toJSON() as { Resources: Record<string, unknown> }).filter(
    ({ path }) => !/^\/operations\//i.test(path),
  );

test("every path for vendors answers preflights without credentials, and does not count them", () => {
  const placesOf = (wanted: (operation: ReturnType<typeof methods>[number]) => boolean) =>
    new Set(
      methods()
        .filter(wanted)
        .map(({ path }) => path),
    );
  const preflights = methods().filter(({ method }) => method === "OPTIONS");
  for (const preflight of preflights) {
    expect(preflight).toMatchObject({ authorized: false, counted: false });
  }
  expect(placesOf(({ method }) => method === "OPTIONS")).toEqual(placesOf(({ authorized }) => authorized));
});

test("the function that answers preflights has no permissions", () => {
  const policies = Object.entries(template.findResources("AWS::IAM::Policy"))
    .filter(([id]) => id.includes("answerpreflights"))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
    .flatMap(({ Action }: { Action: string | string[] }) => Action);
  expect(policies.filter((action) => !/^logs:/.test(action))).toEqual([]);
});

test("every function behind those paths has the allowed origins in its environment", () => {
  const functions = Object.entries(template.findResources("AWS::Lambda::Function"));
  const told = functions
    .filter(([, { Properties }]) => Properties.Environment.Variables.ALLOWED_ORIGINS !== undefined)
    .map(([, { Properties }]) => Properties.Environment.Variables.ALLOWED_ORIGINS);
  expect(new Set(told)).toEqual(new Set([allowedOrigins.join(" ")]));
  const answering = new Set(methods().map(({ integration }) => JSON.stringify(integration.uri)));
  // All except the three functions that are open to everyone.
  expect(told).toHaveLength(answering.size - 3);
});

test.each(["*", "https://scores.example/", "scores.example", "https://a.example https://b.example"])(
  "the settings refuse %s as an allowed origin",
  (origin) => {
    expect(() => checkSettings({ ...settings.test, allowedOrigins: [origin] })).toThrow("allowedOrigins.0");
  },
);

test("no stage allows an origin by default", () => {
  for (const { allowedOrigins: allowed } of Object.values(settings)) expect(allowed).toEqual([]);
});
