import { Logger } from "@aws-lambda-powertools/logger";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emptyReport, type SyncReport } from "../../../core/register/sync-report.ts";
import { recordSync } from "../../../functions/mirror-courses/record-sync.ts";
import { gatherFigures } from "../../../functions/runtime/metrics.ts";

/** Lines of embedded metrics. */
let lines: string[];

beforeEach(() => {
  vi.stubEnv("POWERTOOLS_METRICS_NAMESPACE", "test");
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
  lines = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  for (const name of ["info", "error"] as const) vi.spyOn(console, name).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Records a sync, and publishes its metrics as the end of a run does. */
function recorded(report: SyncReport): Record<string, unknown> {
  const metrics = gatherFigures();
  recordSync("changes", report, metrics);
  metrics.publish();
  return JSON.parse(lines.at(-1) ?? "{}");
}

/** The metrics of a sync after which the stalest club has this age. */
function figuresOf(stalestMilliseconds: SyncReport["stalestMilliseconds"]): Record<string, unknown> {
  const { _aws, service: _, ...figures } = recorded({ ...emptyReport(), stalestMilliseconds });
  return figures;
}

const none = {
  MirrorClubsMirrored: 0,
  MirrorClubsFailed: 0,
  MirrorVersionsChanged: 0,
  MirrorEntriesSkipped: 0,
  MirrorClubsUnlisted: 0,
};

test("the age of the mirror is that of its stalest club, in seconds", () => {
  expect(figuresOf(61_000)).toEqual({ ...none, MirrorAge: 61 });
});

test("a mirror without clubs publishes no age, so that its alarm rings", () => {
  expect(figuresOf(undefined)).toEqual(none);
});

test("entries that could not be mirrored are counted, and the log names the club and the reason", () => {
  const logged = vi.spyOn(Logger.prototype, "error").mockReturnValue(undefined);
  const skipped = { club: "the list of clubs", count: 2, reason: "Entry 1 has no ID." };
  const report = emptyReport();
  const published = recorded({
    ...report,
    skippedEntries: 2,
    examples: { ...report.examples, skipped: [skipped] },
  });
  expect(published).toMatchObject({ MirrorEntriesSkipped: 2 });
  expect(logged.mock.calls).toEqual([["entries not mirrored", skipped]]);
});
