import { readFileSync } from "node:fs";
import { escapeHtml } from "../../http/page/html.ts";
import { scriptlessPageHeaders } from "../../http/page/page-head.ts";
import { style } from "./style.ts";

/** The base address in the page, which lib/bundles.ts makes and puts beside the bundle. */
declare const REFERENCE_BASE: string;

/** Headers of the reference, which is public, as openapi.json is. */
export const referenceHeaders = {
  ...scriptlessPageHeaders(style),
  "Cache-Control": "public, max-age=300",
};

/** The page by base address, of which a deployment has one or two. */
const pages = new Map<string, string>();
const maxAddresses = 10;

/** The reference with the base address of a request. It is a file, so that only requests for it read it. */
export function referenceFor(base: string): string {
  const kept = pages.get(base);
  if (kept !== undefined) return kept;
  const page = readFileSync(new URL("reference.html", import.meta.url), "utf8").replaceAll(
    REFERENCE_BASE,
    () => escapeHtml(base),
  );
  if (pages.size < maxAddresses) pages.set(base, page);
  return page;
}
