import { gzipSync } from "node:zlib";
import { serversOf } from "../../api/document/servers.ts";
import { openRoute } from "../http/open-route.ts";
import { acceptsGzip } from "../http/request.ts";
import { jsonContentType } from "../http/response.ts";
import { streamedResponse } from "../http/streamed-response.ts";

/** The document's JSON without its server. lib/bundles.ts puts it into the bundle, so that no cold start makes it. */
declare const OPENAPI_DOCUMENT: string;
/** Serves the OpenAPI document, which is generated from the schemas that requests are read with. */
export const handler = streamedResponse(
  openRoute<string | Uint8Array>(({ base, header }) => {
    const { plain, gzipped } = texts.get(base) ?? textsFor(base);
    return acceptsGzip(header("accept-encoding"))
      ? { statusCode: 200, headers: { ...headers, "Content-Encoding": "gzip" }, body: gzipped }
      : { statusCode: 200, headers, body: plain };
  }),
);

const headers = {
  ...jsonContentType,
  // All of it is public, and documentation tools in browsers request the document from other origins.
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": "public, max-age=300",
  "X-Content-Type-Options": "nosniff",
  Vary: "Accept-Encoding",
};

interface Texts {
  readonly plain: string;
  readonly gzipped: Uint8Array;
}

/** The document's texts by base address, of which a deployment has one or two. */
const texts = new Map<string, Texts>();
const maxAddresses = 10;

function textsFor(base: string): Texts {
  const plain = JSON.stringify({ ...JSON.parse(OPENAPI_DOCUMENT), servers: serversOf(base) });
  const made = { plain, gzipped: gzipSync(plain) };
  if (texts.size < maxAddresses) texts.set(base, made);
  return made;
}
