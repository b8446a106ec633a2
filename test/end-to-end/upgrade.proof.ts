import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readReleases } from "../../lib/releases/release.ts";
import { settings } from "../../lib/settings.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import {
  behindDeployedApi,
  readTemplate,
  replaceTemplate,
  rollBackFaults,
  type StackTemplate,
} from "../../local/releases/roll-back.ts";
import { hasCommit, synthesizeCommit } from "../../local/releases/synthesize-release.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { type Deployed, type LastingEngines, startLastingEngines } from "./lasting-engines.ts";

let engines: LastingEngines;
let folder: string;

beforeAll(async () => {
  engines = await startLastingEngines();
  folder = await mkdtemp(join(tmpdir(), "release-"));
});
afterAll(async () => {
  await engines?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const { version, commit } = readReleases().at(-1) ?? { version: "", commit: "" };
/** The messages of a run that ended while it delivered come back after a minute. */
const patience = { timeout: 180_000 };

/**
 * Leaves out what a release declares and today's template does not of any resource of the kind: the local run does not know it. It has
 * no traces and no metadata, and repeats a whole batch of a stream.
 */
function leaveOutUnknown<T extends StackTemplate>(released: T, { Resources: today }: StackTemplate): T {
  const kindOf = ({ Type, Properties = {} }: (typeof today)[string]) =>
    `${Type} ${"StartingPosition" in Properties}`;
  const known = new Map<string, Set<string>>();
  for (const one of Object.values(today)) {
    const names = known.get(kindOf(one)) ?? [];
    known.set(kindOf(one), new Set([...names, ...Object.keys(one.Properties ?? {})]));
  }
  const kept = Object.entries(released.Resources).flatMap(([id, one]) => {
    const names = known.get(kindOf(one));
    const properties = Object.entries(one.Properties ?? {}).filter(([name]) => names?.has(name));
    return names === undefined ? [] : [[id, { ...one, Properties: Object.fromEntries(properties) }]];
  });
  return { ...released, Resources: Object.fromEntries(kept) };
}

const names = (name: string, count: number) =>
  Array.from({ length: count }, (_, place) => `${name}-${place}`);

async function submit(to: Deployed, externalIds: readonly string[], change: object = {}): Promise<void> {
  const cards = externalIds.map((ExternalID) => minimalCard(engines.standIn, { ExternalID, ...change }));
  const { status, body } = await to.vendor(0).submit(cards);
  expect(status, JSON.stringify(body)).toBe(201);
}

const statesOf = async (of: Deployed, externalIds: readonly string[]) => [
  ...new Set(await of.vendor(0).states(externalIds)),
];

/** Each card that the exchange has taken, with its comment, once for each post. */
const taken = () =>
  engines.standIn.received
    .map(({ card }) => card as { ExternalID: string; Comment?: string })
    .map(({ ExternalID, Comment = "" }) => `${ExternalID} ${Comment}`.trim())
    .toSorted();

test(`cards that wait while ${version} is updated, rolled back and updated again are all delivered, and none twice`, {
  timeout: 600_000,
}, async () => {
  if (!(await hasCommit(commit))) {
    console.warn(
      `Not tried: this clone lacks commit ${commit} of release ${version}. Run "git fetch --unshallow" first.`,
    );
    return;
  }
  const released = await synthesizeCommit(commit, folder, ["stage=test"]);
  const current = await assemblyOf(settings.test);
  // The local run makes an API only of one OpenAPI body, and 0.2.0 made it of many resources: it begins as a rollback ends.
  const [old, deployed] = [await readTemplate(released, "test"), await readTemplate(current, "test")];
  expect(rollBackFaults(old, deployed)).toEqual([]);
  const behind = leaveOutUnknown(behindDeployedApi(old, deployed, commit), deployed);
  await replaceTemplate(released, "test", behind);
  const { faults } = engines.standIn;

  const first = await engines.deploy(released);
  await submit(first, names("before", 12));
  await expect.poll(() => statesOf(first, names("before", 12)), patience).toEqual(["delivered"]);
  faults.outage = true;
  await submit(first, names("waits-in-release", 10));
  await submit(first, ["before-0"], { Comment: "corrected" });
  const tables = (({ ScorecardTableName, AccountTableName, DeliveryQueueUrl }) => ({
    ScorecardTableName,
    AccountTableName,
    DeliveryQueueUrl,
  }))(first.machine.run.outputs);
  await first.stop();

  const updated = await engines.deploy(current);
  expect(updated.machine.run.outputs).toMatchObject(tables);
  expect(updated.machine.run.resource("VendorApi66947FE7")).toBeTruthy();
  await submit(updated, names("waits-in-update", 10));
  await submit(updated, ["waits-in-release-0"], { Comment: "corrected" });
  const waiting = [...names("waits-in-release", 10), ...names("waits-in-update", 10), "before-0"];
  expect((await statesOf(updated, waiting)).filter((state) => state === "delivered")).toEqual([]);
  await updated.stop();

  const back = await engines.deploy(released);
  await submit(back, names("waits-after-rollback", 10));
  await submit(back, ["waits-in-update-0"], { Comment: "corrected" });
  faults.outage = false;
  await expect.poll(() => statesOf(back, waiting), patience).toEqual(["delivered"]);
  await expect.poll(() => statesOf(back, names("waits-after-rollback", 10)), patience).toEqual(["delivered"]);
  faults.outage = true;
  await submit(back, names("waits-again", 10));
  await back.stop();

  const again = await engines.deploy(current);
  faults.outage = false;
  await expect.poll(() => statesOf(again, names("waits-again", 10)), patience).toEqual(["delivered"]);
  const corrected = ["before-0", "waits-in-release-0", "waits-in-update-0"];
  const all = [
    ...names("before", 12),
    ...names("waits-in-release", 10).slice(1),
    ...names("waits-in-update", 10).slice(1),
    ...names("waits-after-rollback", 10),
    ...names("waits-again", 10),
    ...corrected.map((name) => `${name} corrected`),
  ];
  expect(taken()).toEqual(all.toSorted());
  await expect
    .poll(async () => {
      const { totals, waiting: left } = (await again.vendor(0).ask("GET", "Activity")).body;
      return { accepted: totals.accepted, corrected: totals.corrected, delivered: totals.delivered, ...left };
    }, patience)
    .toMatchObject({ accepted: 52, corrected: 3, delivered: 53, cards: 0 });
  await again.stop();
});
