import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Json } from "./sample-cards.ts";

const file = new URL("../../../../shared/data/opengolfapi-us.ndjson.gz", import.meta.url);

/** Whether the file of real courses is on this machine. */
export const realCoursesAreThere = existsSync(file);

/** Pars and stroke indexes of the real courses on which a round can be scored. */
export function realLayouts(): { readonly pars: number[]; readonly indexes: number[] }[] {
  const text = gunzipSync(readFileSync(file)).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line.includes('"scorecard"'))
    .flatMap((line) => {
      const listed: Json[] = JSON.parse(line).properties.scorecard ?? [];
      const holes = listed.toSorted((one, other) => one.hole - other.hole);
      const pars = holes.map(({ par }) => par);
      const indexes = holes.map(({ handicap_index: index }) => index);
      const isCountable =
        (holes.length === 9 || holes.length === 18) &&
        pars.every((par) => par >= 3 && par <= 6) &&
        indexes.every((index) => index >= 1 && index <= 27) &&
        new Set(indexes).size === holes.length;
      return isCountable ? [{ pars, indexes }] : [];
    });
}
