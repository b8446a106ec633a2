import { hash } from "node:crypto";

/** A flag on a green. With it no browser requests /favicon.ico. */
export const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='8' fill='%2317643a'/%3E%3Cpath d='M6 3v10M6 3l5 2.2L6 7.5' fill='%23fff' stroke='%23fff'/%3E%3C/svg%3E";

/**
 * Headers of a page without scripts, whose only style is in the page itself: no requests, no framing, and forms are sent only to
 * the page's own origin.
 *
 * @param style exactly the text of the page's style element
 */
export function scriptlessPageHeaders(style: string): Readonly<Record<string, string>> {
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": [
      "default-src 'none'",
      `style-src 'sha256-${hash("sha256", style, "base64")}'`,
      "img-src data:",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join("; "),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Strict-Transport-Security": "max-age=31536000",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
  };
}
