import { join } from "node:path";
import {
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { expect, onTestFinished, test } from "vitest";
import { writeRunFile } from "../../local/pipeline/run-file.ts";
import { receivedCards, sharedPipelineWithNewVendors } from "../end-to-end/pipeline.ts";
import { startRefusingProxy } from "./refusing-proxy.ts";
import { provideCommand } from "./run-command.ts";

const { pipeline, command, hold, vendor, card } = await provideCommand(sharedPipelineWithNewVendors);

/** Switches the function on or off that writes the lists of a day. */
async function followOutcomes(Enabled: boolean): Promise<void> {
  const { region, lambda: endpoint } = pipeline.machine.run;
  const lambda = new LambdaClient({ region, endpoint, credentials: localCredentials });
  const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
  for (const { UUID, FunctionArn = "" } of EventSourceMappings)
    if (/FollowOutcomes/i.test(FunctionArn))
      await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
}

const posts = (externalId: string, of = vendor) => receivedCards(pipeline, of, externalId);

test("cards that are accepted while delivery is on hold wait until it is released", async () => {
  expect(await hold("--json")).toMatchObject({ code: 0, json: [{ delivery: "held" }] });
  expect((await vendor.submit([card("held")])).status).toBe(201);
  const watched = await command.run(["watch", "held", "--timeout", "3"]);
  expect([watched.code, watched.stdout]).toEqual([2, "held  queued\n1 queued.\n"]);
  expect(posts("held")).toHaveLength(0);
  expect((await hold()).code).toBe(0);
  const released = await command.run(["release"]);
  expect([released.code, released.stdout]).toEqual([0, "Delivery resumed.\n"]);
  const followed = await command.run(["watch", "held", "--json"]);
  expect([followed.code, followed.json.at(-1)]).toMatchObject([0, { state: "delivered" }]);
});

test("a vendor's cards of a time are listed, and those that are not at the exchange are withdrawn, also if lists lag and more are accepted meanwhile", async () => {
  const { apiSet } = vendor.account;
  await vendor.submit([card("before-theft"), card("corrected-by-thief")]);
  const before = ["before-theft", "corrected-by-thief"];
  await expect.poll(() => vendor.states(before)).toEqual(["delivered", "delivered"]);
  const from = new Date().toISOString();
  await vendor.submit([card("stolen-sent")]);
  await expect.poll(() => vendor.states(["stolen-sent"])).toEqual(["delivered"]);
  await hold();
  // The lists of a day are written by this function: they lack what the thief sends.
  await followOutcomes(false);
  onTestFinished(() => followOutcomes(true));
  await vendor.submit([card("stolen-1"), card("stolen-2"), card("corrected-by-thief", { Comment: "b" })]);
  const of = ["--vendor", apiSet, "--from", from];
  const listed: readonly { readonly externalId: string; readonly state: string }[] = (
    await command.run(["cards", ...of, "--json"])
  ).json[0];
  expect(listed.map(({ externalId, state }) => `${externalId} ${state}`).toSorted()).toEqual([
    "corrected-by-thief queued",
    "stolen-1 queued",
    "stolen-2 queued",
    "stolen-sent delivered",
  ]);
  const upTo = await command.run(["cards", ...of, "--to", from]);
  expect([upTo.code, upTo.stdout]).toEqual([0, expect.stringContaining("No card was accepted in this time")]);

  const preview = await command.run(["withdraw", ...of]);
  expect([preview.code, preview.stdout]).toEqual([
    1,
    expect.stringMatching(
      /Not to be withdrawn[\s\S]*corrected-by-thief[\s\S]*withdraws 2 cards; 1 delivered/,
    ),
  ]);
  expect(await vendor.states(["stolen-1", "stolen-2"])).toEqual(["queued", "queued"]);
  const [done] = await Promise.all([
    command.run(["withdraw", ...of, "--yes", "--json"]),
    vendor.submit([card("stolen-meanwhile")]),
    expect
      .poll(() => vendor.states(["stolen-1"]))
      .toEqual(["withdrawing"])
      .then(() => vendor.submit([card("stolen-1", { Comment: "sent again" })])),
  ]);
  expect([done.code, done.json]).toMatchObject([
    1,
    [
      {
        ...{ withdrawn: 3, tooLate: [], failed: [], left: 0, delivered: ["stolen-sent"] },
        maybeDelivered: ["corrected-by-thief"],
      },
    ],
  ]);
  expect(await vendor.states(["stolen-meanwhile"])).toEqual(["withdrawn"]);
  expect(await vendor.states(["stolen-1", "stolen-2", "before-theft"])).toEqual([
    "withdrawn",
    "withdrawn",
    "delivered",
  ]);
  await command.run(["release"]);
  const again = await command.run(["withdraw", ...of, "--yes"]);
  expect([again.code, again.stdout]).toEqual([
    1,
    // A message that was received as the hold began comes back as one whose run may have posted its cards.
    expect.stringMatching(/^0 cards withdrawn; [2-4] at the exchange, or possibly there; 0 left/),
  ]);
  expect(posts("stolen-1")).toHaveLength(0);
});

test.each([
  [["redrive", "--state", "queued"], "Allowed choices are rejected, undelivered"],
  [["redrive", "--state", "delivered"], "Say with --from"],
  [["redrive", "--since", "soon"], "Give a day, e.g. 2026-07-04"],
  [["redrive", "--code", "4"], "Give an HTTP status, e.g. 404"],
  [["redrive", "--vendor", "nobody"], "No account has the API set nobody"],
  [["cards", "--vendor", "nobody", "--from", "2026-07-04"], "No account has the API set nobody"],
  [["withdraw", "--vendor", "greens-app"], "--from"],
  [["withdraw", "--vendor", "greens-app", "--from", "soon"], "Give a day, e.g. 2026-07-04"],
])("%j is refused with what to give", async (parameters, said) => {
  const { code, stderr } = await command.run(parameters);
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
});

test("the check of backups says that the local run's tables cannot be restored", async () => {
  const { code, json } = await command.run(["backup", "check", "--json"]);
  const lost = ["cards", "accounts", "webhooks", "counts"].map((name) => ({ name, restorable: false }));
  expect([code, json[0]]).toMatchObject([1, lost]);
});

test("the check of backups shows what AWS tells, and says what it does not tell", async () => {
  const { run } = pipeline.machine;
  const withoutBackups = await startRefusingProxy(run.dynamodb, "AccessDeniedException", ({ headers }) =>
    String(headers["x-amz-target"]).endsWith("DescribeContinuousBackups"),
  );
  onTestFinished(() => withoutBackups.stop());
  const runFile = join(command.folder, "without-backups.json");
  await writeRunFile(runFile, "without", { ...run, dynamodb: withoutBackups.address }, []);
  const { code, stdout, stderr } = await command.run(["backup", "check"], { SCORECARDS_LOCAL_RUN: runFile });
  expect([code, stderr]).toEqual([2, expect.stringContaining("error: cards: not allowed")]);
  expect(stdout).toMatch(/cards .* unknown /);
});
