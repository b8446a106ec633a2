import { demoAccounts, type StandIn, startStandIn } from "@scorecard-pipeline/stand-in";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { play } from "../../local/sample/play.ts";
import { recordMismatches } from "../../local/sample/record-mismatches.ts";
import { sampleTournament } from "../../local/sample/tournament.ts";
import { type Pipeline, startPipeline } from "./pipeline.ts";

let pipeline: Pipeline;
let restarted: StandIn | undefined;

beforeAll(async () => {
  pipeline = await startPipeline();
});
afterAll(async () => {
  await pipeline.stop();
  await restarted?.stop();
});

/** What befalls the pipeline and its union while the sample is on its way. */
async function disturb({ standIn, machine, logs }: Pipeline): Promise<{ killed: number }> {
  let killed = 0;
  const kill = (name: string) => {
    if (machine.run.killEnvironment(name)) killed += 1;
  };
  standIn.holdPosts();
  await expect.poll(() => standIn.record.requests.scorecards).toBeGreaterThan(0);
  kill("deliver-scorecards");
  kill("submit-scorecards");
  standIn.releasePosts();

  await standIn.refuseConnections();
  // A post has found nobody there.
  await expect.poll(() => logs.some((line) => line.includes('"phase":"before"'))).toBe(true);
  await standIn.acceptConnections();

  await standIn.stop();
  restarted = await startStandIn({
    port: standIn.port,
    seed: 1,
    clubs: 0,
    accounts: demoAccounts,
    now: () => new Date(),
    continues: standIn,
  });
  return { killed };
}

test("a sample whose pipeline is killed and whose union goes away and comes back ends with the right table", async () => {
  const { standIn, machine } = pipeline;
  const { clubs, courses, members } = standIn;
  const now = new Date();
  const tournament = { clubs, courses, members, seed: 7, run: "interrupted", now };
  const submissions = sampleTournament({ ...tournament, timeZone: "Europe/Copenhagen", country: "DK" });
  const [result, { killed }] = await Promise.all([
    play({ api: machine.run.api, vendors: demoVendors, submissions }),
    disturb(pipeline),
  ]);
  expect(killed).toBeGreaterThan(0);
  expect(result.unexpected).toEqual([]);
  expect(recordMismatches(standIn.received, result)).toEqual([]);
  expect(result.delivered).toBe(result.accepted);
}, 240_000);
