import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { openRoute } from "../http/open-route.ts";
import { escapeHtml } from "../http/page/html.ts";
import { icon, scriptlessPageHeaders } from "../http/page/page-head.ts";
import { ProblemError, problem, problemResponse } from "../http/problem.ts";
import type { OpenRequest } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import { streamedResponse } from "../http/streamed-response.ts";
import { firstParts, parts, script, style, workerPart, workerScript } from "./assets.ts";
import { style as referenceStyle } from "./reference/style.ts";

/** The base address in the page, which lib/bundles.ts makes and puts beside the bundle. */
declare const REFERENCE_BASE: string;

/** Headers of the reference, which is public, as openapi.json is. */
const referenceHeaders = {
  ...scriptlessPageHeaders(referenceStyle),
  "Cache-Control": "public, max-age=300",
};

let reference: string | undefined;

/** The reference with the base address of a request. It is a file, so that only requests for it read it. */
function referenceFor(base: string): string {
  reference ??= readFileSync(new URL("reference.html", import.meta.url), "utf8");
  return reference.replaceAll(REFERENCE_BASE, () => escapeHtml(base));
}

/**
 * Only its own files, also in a worker, requests to its own origin only, no forms, no framing, and no text of an answer becomes
 * markup. One policy may make the address of a script: that of the worker, which refuses all other addresses.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types table-worker",
].join("; ");

/** A worker has the policy that it is served with, not the page's. It asks the API, and loads nothing. */
const workerPolicy = "default-src 'none'; connect-src 'self'; require-trusted-types-for 'script'";

/** Headers of the portal's page. */
const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": contentSecurityPolicy,
  // Also keeps the page out of the browser's cache of left pages, in which the password would stay in memory.
  "Cache-Control": "no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/** The portal's page. Its script makes all the rest. */
const portalPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Scorecards</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${style.file}?v=${style.version}">
${firstParts.map((part) => `<link rel="modulepreload" href="${script.file}?part=${part}">\n`).join("")}<script type="module" src="${script.file}?v=${script.version}"></script>
</head>
<body>
<noscript><p>This page needs JavaScript. What your account may use is also at <a href="login.aspx">login.aspx</a>.</p></noscript>
</body>
</html>
`;

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
