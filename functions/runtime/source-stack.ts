import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** A place in a bundle, as a stack names it. A path has no colon, so that no part of a stack is looked through twice. */
const place = /(file:\/\/[^\s():]+\.mjs):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

function readMap(bundle: string): SourceMap | undefined {
  if (!maps.has(bundle)) {
    try {
      maps.set(bundle, new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(bundle)}.map`, "utf8"))));
    } catch {
      maps.set(bundle, undefined);
    }
  }
  return maps.get(bundle);
}

/**
 * An error's stack with the places in the sources instead of those in the bundle.
 *
 * The map is read with the first error. Node's own --enable-source-maps reads it at every start, which
 * makes each start a quarter longer.
 */
export function sourceStack({ stack = "" }: Error): string {
  return stack.replace(place, (found: string, bundle: string, line: string, column: string) => {
    const origin = readMap(bundle)?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !("fileName" in origin)) return found;
    return `${origin.fileName.replace(/^(\.\.\/)+/, "")}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}
