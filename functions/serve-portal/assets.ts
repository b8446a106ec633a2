import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The portal's script and style. lib/bundles.ts bundles portal/ and puts them into this function's bundle. */
declare const PORTAL_SCRIPT: string;
declare const PORTAL_STYLE: string;
/** JSON of the parts of the script by name, and of the names of those that the page always needs. A name changes with its part. */
declare const PORTAL_PARTS: string;

/** A file that the portal's page loads. */
interface Asset {
  /** Route at which it is served, without the slash. */
  readonly file: string;
  /** A hash of the content, which the page adds to the address, so that browsers may keep the file. */
  readonly version: string;
  readonly contentType: string;
  readonly text: string;
}

const asset = (file: string, type: string, text: string): Asset => ({
  file,
  version: hash("sha256", text, "hex").slice(0, 16),
  contentType: `${type}; charset=utf-8`,
  text,
});

/** The page's script. */
export const script = asset("portal.js", "text/javascript", PORTAL_SCRIPT);
/** The page's style. */
export const style = asset("portal.css", "text/css", PORTAL_STYLE);

const bundled = JSON.parse(PORTAL_PARTS) as {
  readonly parts: Readonly<Record<string, string>>;
  readonly firstParts: readonly string[];
  readonly worker: string;
};
/** Parts of the script that are loaded when they are needed, by name. */
export const parts: ReadonlyMap<string, string> = new Map(Object.entries(bundled.parts));
/** The parts that the page always needs. */
export const { firstParts } = bundled;
/** The part that a worker of the page runs. */
export const workerPart = bundled.worker;

let workerText: string | undefined;

/** The script of the worker. It is a file beside the bundle, so that only requests for it read it. */
export function workerScript(): string {
  workerText ??= readFileSync(new URL("table-worker.js", import.meta.url), "utf8");
  return workerText;
}
