import { gzipSync } from "node:zlib";
import { serversOf } from "../http/openapi/servers.ts";
import { acceptsGzip, type OpenRequest } from "../http/request.ts";
import { jsonContentType } from "../http/response.ts";
import { streamedOpenRoute } from "../http/streamed-open-route.ts";
import type { StreamedResponse } from "../http/streamed-response.ts";

/** The document's JSON without its server. lib/bundles.ts puts it into the bundle, so that no cold start makes it. */
declare const OPENAPI_DOCUMENT: string;
/** JSON of the client packages. lib/bundles.ts packs them, so they are of the version that is deployed. */
declare const CLIENT_PACKAGES: string;

interface ClientPackage {
  /** Its path without the slash. */
  readonly file: string;
  /** SHA-256 in hex. */
  readonly checksum: string;
  readonly base64: string;
}

const packages: readonly ClientPackage[] = JSON.parse(CLIENT_PACKAGES);

/** Serves the OpenAPI document, which is generated from the schemas that requests are read with, and the client packages. */
export const handler = streamedOpenRoute((request) => {
  const wanted = packages.find(({ file }) => request.route === `/${file}`);
  if (wanted !== undefined) return packageResponse(wanted, request);
  return request.route === "/SHA256SUMS" ? checksumsResponse() : documentResponse(request);
});

const fileHeaders = {
  // All of it is public, and documentation tools in browsers request the document from other origins.
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": "public, max-age=300",
  "X-Content-Type-Options": "nosniff",
};

function packageResponse({ checksum, base64 }: ClientPackage, { header }: OpenRequest): StreamedResponse {
  const tag = `"${checksum}"`;
  const headers = { ...fileHeaders, ETag: tag };
  // A cache on the way may have made the tag weak.
  const known = (header("if-none-match") ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  if (known.includes(tag) || known.includes("*")) return { statusCode: 304, headers, body: "" };
  return {
    statusCode: 200,
    headers: { "Content-Type": "application/octet-stream", ...headers },
    body: Buffer.from(base64, "base64"),
  };
}

/** As `sha256sum` writes and checks them. */
function checksumsResponse(): StreamedResponse {
  const headers = { "Content-Type": "text/plain; charset=utf-8", ...fileHeaders };
  const lines = packages.map(({ file, checksum }) => `${checksum}  ${file}\n`);
  return { statusCode: 200, headers, body: lines.join("") };
}

interface Texts {
  readonly plain: string;
  readonly gzipped: Uint8Array;
}

/** The document's texts by base address, of which a deployment has one or two. */
const texts = new Map<string, Texts>();
const maxAddresses = 10;

function documentResponse({ base, header }: OpenRequest): StreamedResponse {
  const { plain, gzipped } = texts.get(base) ?? textsFor(base);
  const headers = { ...jsonContentType, ...fileHeaders, Vary: "Accept-Encoding" };
  return acceptsGzip(header("accept-encoding"))
    ? { statusCode: 200, headers: { ...headers, "Content-Encoding": "gzip" }, body: gzipped }
    : { statusCode: 200, headers, body: plain };
}

function textsFor(base: string): Texts {
  const plain = JSON.stringify({ ...JSON.parse(OPENAPI_DOCUMENT), servers: serversOf(base) });
  const made = { plain, gzipped: gzipSync(plain) };
  if (texts.size < maxAddresses) texts.set(base, made);
  return made;
}
