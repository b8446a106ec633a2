import { icon } from "../http/page/page-head.ts";
import { firstParts, script, style } from "./assets.ts";

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
export const workerPolicy = "default-src 'none'; connect-src 'self'; require-trusted-types-for 'script'";

/** Headers of the portal's page. */
export const pageHeaders = {
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
export const portalPage = `<!doctype html>
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
