import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { type Stage, stages } from "../stage-settings.ts";
import type { LastingResource } from "./lasting-resources.ts";

const resourcesSchema = z.record(z.string(), z.looseObject({ Type: z.string() }));

const releaseSchema = z.strictObject({
  /** As in CHANGELOG.md, e.g. `0.2.0`. */
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  commit: z.string().regex(/^[0-9a-f]{7,40}$/),
  dataVersion: z.int().min(1),
  /** The lasting resources of each stage's template, by logical ID. */
  resources: z.record(z.enum(stages), resourcesSchema),
});

/** What a release deployed that must outlive each update. */
export interface Release {
  readonly version: string;
  readonly commit: string;
  readonly dataVersion: number;
  readonly resources: Readonly<Record<Stage, Readonly<Record<string, LastingResource>>>>;
}

/** The folder with a file for each release. */
export const releaseFolder: string = fileURLToPath(new URL(".", import.meta.url));

/** All recorded releases, the oldest first. @throws Error if a file is not as `npm run release:record` writes it */
export function readReleases(): Release[] {
  const files = readdirSync(releaseFolder).filter((name) => name.endsWith(".json"));
  return files
    .map((name) => releaseSchema.parse(JSON.parse(readFileSync(join(releaseFolder, name), "utf8"))))
    .toSorted((one, other) => one.version.localeCompare(other.version, "en", { numeric: true }));
}
