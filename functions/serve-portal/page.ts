import { firstParts, script, style } from "./assets.ts";

/** A flag on a green, as on the login page. With it no browser requests /favicon.ico. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='8' fill='%2317643a'/%3E%3Cpath d='M6 3v10M6 3l5 2.2L6 7.5' fill='%23fff' stroke='%23fff'/%3E%3C/svg%3E";

/** Only its own two files, requests to its own origin only, no forms, no framing, and no text of an answer becomes markup. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

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
