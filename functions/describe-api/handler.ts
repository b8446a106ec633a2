import { openRoute } from "../http/open-route.ts";
import { serversOf } from "../http/openapi/servers.ts";
import { json } from "../http/response.ts";

/** The document's JSON without its server. lib/bundles.ts puts it into the bundle, so that no cold start makes it. */
declare const OPENAPI_DOCUMENT: string;

/** The document's text by base address, of which a deployment has one or two. */
const texts = new Map<string, string>();
const maxAddresses = 10;

/** Serves the OpenAPI document, which is generated from the schemas that requests are read with. */
export const handler = openRoute(({ base }) => {
  const text =
    texts.get(base) ?? JSON.stringify({ ...JSON.parse(OPENAPI_DOCUMENT), servers: serversOf(base) });
  if (texts.size < maxAddresses) texts.set(base, text);
  return json(200, text, {
    // The document is public, and documentation tools in browsers request it from other origins.
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "public, max-age=300",
    "X-Content-Type-Options": "nosniff",
  });
});
