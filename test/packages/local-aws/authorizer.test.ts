import { expect, test } from "vitest";
import { evaluatePolicy, policySchema } from "../../../packages/local-aws/api/authorizer.ts";
import { gatewayResponses, provideRun, restApi } from "./cloud-assembly.ts";

/** Says yes to whatever the credentials name, and prints that it was asked. */
const guard = {
  code: `export const handler = async ({ methodArn, headers }) => {
    console.log("asked");
    const [api, stage] = methodArn.split("/");
    const who = headers.Authorization;
    if (who === "nobody") throw new Error("Unauthorized");
    if (who === "broken") throw new Error("no table");
    if (who === "nonsense") return { principalId: who };
    const statement = (Effect, path) => ({ Effect, Action: "execute-api:Invoke", Resource: api + "/" + stage + path });
    return {
      principalId: who,
      policyDocument: {
        Version: "2012-10-17",
        Statement: [statement("Allow", "/*/" + who + "/*"), statement("Deny", "/DELETE/*")],
      },
      context: { apiSet: who, level: 3, trusted: true },
      usageIdentifierKey: "key",
    };
  };`,
};

const echo = {
  code: `export const handler = async ({ requestContext: { authorizer } }) => ({ body: JSON.stringify(authorizer) });`,
};

const method = { path: "/{apiset}/things", function: "echo", guarded: true };
const unauthorized = {
  responseParameters: { "gatewayresponse.header.WWW-Authenticate": `'Basic realm="things"'` },
};
const methods = ["GET", "DELETE"].map((verb) => ({ ...method, method: verb }));
const resources = restApi(methods, "guard", {}, gatewayResponses({ UNAUTHORIZED: unauthorized }));
const api = await provideRun({ functions: { guard, echo }, resources });

const asked = (): number => api.lines.filter(({ text }) => text === "asked").length;

function get(path: string, who?: string, method = "GET"): Promise<Response> {
  return fetch(`${api.api}${path}`, { method, headers: who === undefined ? {} : { Authorization: who } });
}

test("a request without credentials does not invoke the authorizer", async () => {
  const before = asked();
  const response = await get("/anna/things");
  expect(response.status).toBe(401);
  expect(response.headers.get("WWW-Authenticate")).toBe('Basic realm="things"');
  await expect(response.json()).resolves.toEqual({ message: "Unauthorized" });
  expect(asked()).toBe(before);
});

test("a caller whom the authorizer does not know gets 401", async () => {
  const response = await get("/anna/things", "nobody");
  expect(response.status).toBe(401);
  expect(response.headers.get("WWW-Authenticate")).toBe('Basic realm="things"');
});

test("the policy is cached for the caller and evaluated for each method", async () => {
  const before = asked();
  const first = await get("/anna/things", "anna");
  await expect(first.json()).resolves.toEqual({
    principalId: "anna",
    apiSet: "anna",
    level: "3",
    trusted: "true",
  });
  await expect.poll(asked).toBe(before + 1);
  const elsewhere = await get("/berit/things", "anna");
  expect(elsewhere.status).toBe(403);
  await expect(elsewhere.json()).resolves.toEqual({
    message: "User is not authorized to access this resource",
  });
  const denied = await get("/anna/things", "anna", "DELETE");
  expect(denied.status).toBe(403);
  await expect(denied.json()).resolves.toEqual({
    message: "User is not authorized to access this resource with an explicit deny",
  });
  expect((await get("/berit/things", "berit")).status).toBe(200);
  await expect.poll(asked).toBe(before + 2);
});

test.for(["broken", "nonsense"])("an authorizer that is %s gives 500", async (who) => {
  const response = await get("/anna/things", who);
  expect(response.status).toBe(500);
  expect(response.headers.get("x-amzn-ErrorType")).toBe("AuthorizerConfigurationException");
});

test("a policy is evaluated by IAM's rules", () => {
  const verdict = (statements: object | object[], resource = "arn:aws:x/live/GET/a/things"): string =>
    evaluatePolicy(policySchema.parse({ Statement: statements }), "execute-api:Invoke", resource);
  const allow = { Effect: "Allow", Action: "execute-api:Invoke" };
  expect(verdict({ ...allow, Resource: "*" })).toBe("allow");
  expect(verdict({ ...allow, Resource: ["b", "arn:aws:x/*/things"] })).toBe("allow");
  expect(verdict({ ...allow, Resource: "arn:aws:x/live/G?T/a/things" })).toBe("allow");
  expect(verdict({ ...allow, Resource: "arn:aws:x/live/GET/a" })).toBe("implicit deny");
  expect(verdict({ ...allow, Resource: "arn.aws.x/*" })).toBe("implicit deny");
  expect(verdict({ ...allow, Action: ["EXECUTE-API:*"], Resource: "*" })).toBe("allow");
  expect(verdict({ ...allow, Action: "s3:*", Resource: "*" })).toBe("implicit deny");
  const deny = { Effect: "Deny", Action: "*", Resource: "*/things" };
  expect(verdict([deny, { ...allow, Resource: "*" }])).toBe("deny");
  expect(() => verdict({ ...allow, Resource: "*", Condition: {} })).toThrow("Condition");
});
