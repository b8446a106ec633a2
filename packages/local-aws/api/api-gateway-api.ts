import * as z from "zod";
import { jsonEndpoint, ServiceError } from "../base/json-endpoint.ts";
import { type LoopbackServer, startLoopbackServer } from "../base/loopback-server.ts";
import type { ApiKey, UsagePlans } from "./usage-plans.ts";

/** @see API Gateway developer guide, Usage plans and API keys: the characters of a key */
const newKeySchema = z.object({ name: z.string(), value: z.string().regex(/^[A-Za-z0-9]{20,128}$/) });
const planKeySchema = z.object({ keyId: z.string(), keyType: z.literal("API_KEY") });

const summary = ({ id, name }: ApiKey) => ({ id, name, enabled: true });

function found(isFound: boolean, what: string): void {
  if (!isFound) throw new ServiceError("NotFoundException", `Invalid ${what} identifier specified`, 404);
}

/**
 * Starts the part of API Gateway's own API that creates API keys, adds them to usage plans, tells today's usage and
 * empties the authorizer's cache, on 127.0.0.1. Any other request is answered with an error that names it.
 *
 * @param forgetAuthorizations empties the authorizer's cache
 */
export function startApiGatewayApi(
  usagePlans: UsagePlans,
  forgetAuthorizations: () => void,
): Promise<LoopbackServer> {
  return startLoopbackServer(
    jsonEndpoint(({ method, url = "/" }, body) => {
      const { pathname, searchParams } = new URL(url, "http://apigateway");
      const [first, id = "", ...rest] = pathname.split("/").filter(Boolean).map(decodeURIComponent);
      const asked = `${method} ${[first, ...rest].join(" ")}`;
      if (asked === "GET apikeys" && id === "") {
        const name = searchParams.get("name") ?? "";
        const keys = [...usagePlans.keys.values()].filter((key) => key.name.startsWith(name));
        return { status: 200, body: { item: keys.map(summary) } };
      }
      if (asked === "POST apikeys") {
        const { name, value } = newKeySchema.parse(body);
        return { status: 201, body: { ...summary(usagePlans.createKey(name, value)), value } };
      }
      if (asked === "DELETE apikeys") {
        found(usagePlans.deleteKey(id), "API Key");
        return { status: 202, body: {} };
      }
      if (asked === "POST usageplans keys") {
        const { keyId, keyType } = planKeySchema.parse(body);
        found(usagePlans.addToPlan(id, keyId), "Usage Plan or API Key");
        return { status: 201, body: { id: keyId, type: keyType } };
      }
      if (asked === "GET usageplans usage") {
        found(usagePlans.plans.has(id), "Usage Plan");
        const values = Object.entries(usagePlans.usage(id)).map(([keyId, today]) => [keyId, [today]]);
        return { status: 200, body: { usagePlanId: id, values: Object.fromEntries(values) } };
      }
      if (method === "DELETE" && first === "restapis" && pathname.endsWith("/cache/authorizers")) {
        forgetAuthorizations();
        return { status: 202, body: {} };
      }
      throw new ServiceError(
        "NotFoundException",
        `the local API Gateway API has nothing at ${method} ${pathname}`,
        404,
      );
    }),
  );
}
