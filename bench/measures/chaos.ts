import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StageSettings, settings } from "../../lib/settings.ts";
import { chaos } from "../../test/end-to-end/faults/chaos.ts";
import { synthesizeStage } from "../../test/synthesize-stage.ts";
import type { BenchRow } from "../bench-row.ts";

/** The test stage with its waits scaled down; cards are not given up, since none of the faults lasts for ever. */
const hurried: StageSettings = {
  ...settings.test,
  delivery: {
    ...settings.test.delivery,
    postTimeoutSeconds: 1,
    timeoutSeconds: 6,
    visibilityTimeoutSeconds: 6,
    giveUpAfterSeconds: 86_400,
  },
};

const cards = 10_000;
const submissionSize = 100;

/** Ten thousand cards of three vendors under all faults at once: nothing is lost, stale or repeated. */
export async function run(): Promise<BenchRow[]> {
  const assembly = mkdtempSync(join(tmpdir(), "scorecard-chaos-"));
  try {
    synthesizeStage(assembly, hurried);
    const report = await chaos({
      assembly,
      cards,
      submissionSize,
      seed: 7,
      patienceMilliseconds: 20 * 60_000,
      progress: (step) => process.stderr.write(`${step}\n`),
    });
    const { violations } = report;
    return [
      { name: "cards accepted", value: cards, unit: "" },
      { name: "delivered", value: report.delivered, unit: "" },
      { name: "refused by the exchange", value: report.rejected, unit: "" },
      { name: "withdrawn in time", value: report.withdrawn, unit: "" },
      { name: "bad ones, still tried", value: report.retrying, unit: "" },
      { name: "not where they belong", value: report.unsettled, unit: "", bar: 0 },
      { name: "not as last submitted", value: violations.notAsSubmitted.length, unit: "", bar: 0 },
      { name: "stale after a correction", value: violations.stale.length, unit: "", bar: 0 },
      { name: "repeated after their outcome", value: violations.repeated.length, unit: "", bar: 0 },
      { name: "posted after their withdrawal", value: violations.withdrawn.length, unit: "", bar: 0 },
      { name: "counts and lists that are wrong", value: report.miscounted.length, unit: "", bar: 0 },
      { name: "outcomes that no webhook told of", value: report.untold.length, unit: "", bar: 0 },
      { name: "cards posted again without an outcome", value: report.repeats, unit: "" },
      { name: "functions killed", value: report.kills, unit: "" },
      { name: "posts", value: report.posts, unit: "" },
      {
        name: "requests to AWS, all that was tried again included",
        value: report.requestsPerCard,
        unit: "a card",
      },
      { name: "time", value: report.seconds, unit: "s" },
    ];
  } finally {
    rmSync(assembly, { recursive: true });
  }
}
