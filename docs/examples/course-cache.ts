/**
 * Keeps the courses of a union in a file, and reads only what has changed since the last run. Run it every quarter of an hour:
 *
 *   npm run example -- course-cache courses.json
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { type Course, createClient } from "@scorecard-pipeline/scorecards-client";

const {
  SCORECARDS_API: api = "",
  SCORECARDS_USERNAME: username = "",
  SCORECARDS_PASSWORD: password = "",
} = process.env;
const client = createClient({ api, username, password });

interface Cache {
  /** When the run began that read the last changes, and the one that read everything; ISO 8601. */
  readAt: string;
  readAllAt: string;
  clubs: { ID: string; Name: string }[];
  /** Versions by their ID. */
  versions: Record<string, Course>;
}

const week = 7 * 86_400_000;
const [, , file = "courses.json"] = process.argv;
const kept = await readFile(file, "utf8").then(
  (text) => JSON.parse(text) as Cache,
  () => undefined,
);

// The time before the first request: what changes while this runs is read by the next run, and some changes twice.
const begun = new Date();
// Removed versions have a list of their own, by `removed`; to read everything once a week needs no more code.
const isFresh = kept !== undefined && begun.getTime() - Date.parse(kept.readAllAt) < week;
const changedsince = isFresh ? new Date(kept.readAt) : undefined;
const versions = isFresh ? kept.versions : {};

const clubs = (await client.clubs()).map(({ ID, Name }) => ({ ID, Name }));
const known = new Set(isFresh ? kept.clubs.map(({ ID }) => ID) : []);
let changed = 0;

async function readCourses(clubId: string): Promise<void> {
  // A club that is new is read whole.
  const since = known.has(clubId) && changedsince !== undefined ? { changedsince } : {};
  for (const version of await client.courses(clubId, since)) {
    versions[version.ID] = version;
    changed += 1;
  }
}

/** Four at a time, which every usage plan allows. */
const queue = clubs.values();
const work = async () => {
  for (const { ID } of queue) await readCourses(ID);
};
await Promise.all([work(), work(), work(), work()]);

const cache: Cache = {
  readAt: begun.toISOString(),
  readAllAt: isFresh ? kept.readAllAt : begun.toISOString(),
  clubs,
  versions,
};
// Renamed when it is whole, so that no reader sees half of it.
await writeFile(`${file}.new`, JSON.stringify(cache));
await rename(`${file}.new`, file);
console.log(
  `${clubs.length} clubs, ${Object.keys(versions).length} versions of courses, ${changed} read now`,
);
