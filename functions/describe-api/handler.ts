import { readOpenRequest } from "../http/open-request.ts";
import { type HttpResponse, json } from "../http/response.ts";

/** The document's JSON, without its server. lib/bundles.ts puts it into the bundle: no start has to make it. */
declare const OPENAPI_DOCUMENT: string;

/** The document's text by base address; a deployment has one or two. */
const texts = new Map<string, string>();
const mostAddresses = 10;

function textFor(base: string): string {
  return JSON.stringify({ ...JSON.parse(OPENAPI_DOCUMENT), servers: [{ url: base }] });
}

/** Answers anybody with the API's OpenAPI document, which is made of the schemas that requests are read with. */
export const handler = async (event: unknown): Promise<HttpResponse> => {
  const { base } = readOpenRequest(event);
  const text = texts.get(base) ?? textFor(base);
  if (texts.size < mostAddresses) texts.set(base, text);
  return json(200, text, {
    // Everything in it is public, and tools that show it run in browsers.
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "public, max-age=300",
    "X-Content-Type-Options": "nosniff",
  });
};
