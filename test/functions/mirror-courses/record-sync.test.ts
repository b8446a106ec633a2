import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type PassReport, tallyOfPass } from "../../../core/courses/sync/sync-report.ts";
import { recordPass } from "../../../functions/mirror-courses/record-sync.ts";

/** Lines of embedded metrics. */
let lines: string[];

beforeEach(() => {
  vi.stubEnv("POWERTOOLS_METRICS_NAMESPACE", "test");
  // Powertools writes to a console of its own unless it is told that it is watched.
  vi.stubEnv("POWERTOOLS_DEV", "true");
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
  lines = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  for (const name of ["info", "error"] as const) vi.spyOn(console, name).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** What the metrics say of a pass whose stalest club is of an age. */
function figuresOf(stalestMilliseconds: PassReport["stalestMilliseconds"]): Record<string, unknown> {
  const counts = { clubs: 0, removedClubs: 0, unmirrored: 0, unreadableClubs: 0 };
  recordPass("changes", tallyOfPass().report({ ...counts, stalestMilliseconds }));
  const { _aws, service: _, ...figures } = JSON.parse(lines.at(-1) ?? "{}");
  return figures;
}

const none = { MirrorClubsMirrored: 0, MirrorClubsFailed: 0, MirrorVersionsChanged: 0 };

test("the age of the mirror is that of its stalest club, in seconds", () => {
  expect(figuresOf(61_000)).toEqual({ ...none, MirrorAge: 61 });
});

test("of a mirror without a club no age is published, which has its alarm ring", () => {
  expect(figuresOf(undefined)).toEqual(none);
});
