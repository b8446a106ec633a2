import { openApiDocument } from "../../core/openapi/document.ts";
import { readOpenRequest } from "../open-request.ts";
import { type Answer, json } from "../vendor-api.ts";

/** The document's text by base address: of one deployment there are one or two. */
const texts = new Map<string, string>();
const mostAddresses = 10;

/** Describes the API, made of the schemas that it reads requests with, to whoever asks. */
export const handler = async (event: unknown): Promise<Answer> => {
  const { base } = readOpenRequest(event);
  const text = texts.get(base) ?? JSON.stringify(openApiDocument(base));
  if (texts.size < mostAddresses) texts.set(base, text);
  return json(200, text, {
    // Everything in it is public, and tools that show it run in browsers.
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "public, max-age=300",
    "X-Content-Type-Options": "nosniff",
  });
};
