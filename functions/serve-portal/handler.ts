import { openRoute } from "../http/open-route.ts";
import { script, style } from "./assets.ts";
import { pageHeaders, portalPage } from "./page.ts";

/** Serves the portal's page, its script and its style. API Gateway compresses them. */
export const handler = openRoute(({ route, query }) => {
  const asset = [script, style].find(({ file }) => route === `/${file}`);
  if (asset === undefined) return { statusCode: 200, headers: pageHeaders, body: portalPage };
  const { version, contentType, text } = asset;
  // A page of an earlier deployment has another version in its address, under which this content must not be kept.
  const caching = query.v === version ? "public, max-age=31536000, immutable" : "no-store";
  const headers = {
    "Content-Type": contentType,
    "Cache-Control": caching,
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
  };
  return { statusCode: 200, headers, body: text };
});
