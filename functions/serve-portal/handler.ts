import { gzipSync } from "node:zlib";
import { openRoute } from "../http/open-route.ts";
import { ProblemError, problem, problemResponse } from "../http/problem.ts";
import type { OpenRequest } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import { streamedResponse } from "../http/streamed-response.ts";
import { parts, script, style, workerPart, workerScript } from "./assets.ts";
import { pageHeaders, portalPage, workerPolicy } from "./page.ts";
import { referenceFor, referenceHeaders } from "./reference/served-page.ts";

/**
 * Serves the portal's page, its scripts and its style, and the reference of the API. They are for browsers, which all take gzip:
 * uncompressed, a stranger could ask for ten times as many bytes at our cost.
 */
export const handler = streamedResponse(
  openRoute((request) => {
    const { body, headers, ...answer } = answerPage(request);
    return { ...answer, headers: { ...headers, "Content-Encoding": "gzip" }, body: gzipped(body) };
  }),
);

/** Bodies of a deployment, gzipped: its files, and the reference at one or two addresses. */
const kept = new Map<string, Uint8Array>();
const maxKept = 100;

function gzipped(body: string): Uint8Array {
  const bytes = kept.get(body) ?? gzipSync(body);
  if (kept.size < maxKept) kept.set(body, bytes);
  return bytes;
}

function answerPage({ route, query, base }: OpenRequest): HttpResponse {
  if (route === "/reference") return { statusCode: 200, headers: referenceHeaders, body: referenceFor(base) };
  const asset = [script, style].find(({ file }) => route === `/${file}`);
  if (asset === undefined) return { statusCode: 200, headers: pageHeaders, body: portalPage };
  const { version, contentType, text } = asset;
  if (asset === script && query.part === workerPart) {
    const headers = { ...fileHeaders(contentType, true), "Content-Security-Policy": workerPolicy };
    return { statusCode: 200, headers, body: workerScript() };
  }
  if (asset === script && query.part !== undefined) {
    const part = parts.get(query.part);
    return part === undefined
      ? noSuchPart
      : { statusCode: 200, headers: fileHeaders(contentType, true), body: part };
  }
  // A page of an earlier deployment has another version in its address, under which this content must not be kept.
  return { statusCode: 200, headers: fileHeaders(contentType, query.v === version), body: text };
}

const fileHeaders = (contentType: string, isKept: boolean) => ({
  "Content-Type": contentType,
  "Cache-Control": isKept ? "public, max-age=31536000, immutable" : "no-store",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
});

/** Of another deployment's part the page must not run the script of this one. */
const noSuchPart = problemResponse(
  new ProblemError(
    problem(404, "No such part", "This part of the portal is of another version: load the page again."),
  ),
);
