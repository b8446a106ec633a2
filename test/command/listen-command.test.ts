import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { verifyWebhook } from "@scorecard-pipeline/scorecards-client";
import { expect, test } from "vitest";
import { startEndpoint } from "../../local/pipeline/webhook-endpoint.ts";
import { sharedPipelineWithNewVendors } from "../end-to-end/pipeline.ts";
import { provideCommand } from "./run-command.ts";

const { pipeline, command, vendor, card } = await provideCommand(sharedPipelineWithNewVendors);

test("listen posts each event to an address of this machine, with a signature that the client verifies", async () => {
  const endpoint = await startEndpoint();
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const { child, ended } = command.start(["listen", "--to", endpoint.url], { WEBHOOK_SECRET: secret });
  let printed = "";
  child.stdout?.on("data", (text) => {
    printed += text;
  });
  await expect
    .poll(
      async () => {
        await vendor.submit([card(`heard ${Date.now()}`)]);
        return endpoint.received.length;
      },
      { interval: 2_000 },
    )
    .toBeGreaterThan(0);
  child.kill("SIGINT");
  expect((await ended).code).toBe(0);
  endpoint.stop();
  const [first] = endpoint.received;
  const event = await verifyWebhook({ headers: first?.headers ?? {}, body: first?.body ?? "", secret });
  expect(printed).toContain(`${event.type}  heard `);
  const other = await command.run(["listen", "--to", "https://scores.example/"]);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("is not this machine")]);
});

test("a watched folder's files are sent once, moved with a report, and go on after the command was killed", async () => {
  const folder = join(command.folder, "watched");
  await mkdir(folder);
  const put = async (name: string, cards: readonly unknown[]) => {
    await writeFile(join(command.folder, name), JSON.stringify(cards));
    await rename(join(command.folder, name), join(folder, name));
  };
  const listed = async (name: string) => (await readdir(join(folder, name)).catch(() => [])).toSorted();
  // Listed, but no longer there when it is looked at.
  await symlink(join(folder, "nowhere"), join(folder, "away.json"));
  await put("good.json", [card("watched 1")]);
  const first = command.start(["submit", "--watch", folder]);
  await expect
    .poll(() => listed("sent"))
    .toMatchObject([/ good\.json$/, / good\.json\.report\.txt$/].map((name) => expect.stringMatching(name)));
  first.child.kill("SIGKILL");
  await first.ended;
  await put("bad.json", [card("watched 2", { HCP: "much" }), card("watched 3")]);
  const second = command.start(["submit", "--watch", folder]);
  await expect.poll(async () => (await listed("refused")).length).toBe(2);
  second.child.kill("SIGINT");
  expect((await second.ended).code).toBe(0);
  const [, report = ""] = await listed("refused");
  expect(await readFile(join(folder, "refused", report), "utf8")).toContain(
    "ten_thousandths_invalid at /HCP",
  );
  expect((await listed("sent")).length).toBe(2);
  await rm(join(folder, "away.json"));
  expect(await readdir(folder)).toEqual(["refused", "sent"]);
  expect(await pipeline.vendor(0).states(["watched 1", "watched 2", "watched 3"])).toEqual([
    expect.stringMatching(/queued|delivered/),
    "refused",
    expect.stringMatching(/queued|delivered/),
  ]);
});
