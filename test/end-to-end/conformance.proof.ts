import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { startEndpoint } from "../../local/pipeline/webhook-endpoint.ts";
import { providePipeline, startPipeline, type Vendor } from "./pipeline.ts";

const pipeline = await providePipeline(startPipeline);

const environmentOf = ({ account }: Vendor) => ({
  PATH: process.env.PATH,
  SCORECARDS_API: pipeline.machine.run.api,
  SCORECARDS_USERNAME: account.username,
  SCORECARDS_PASSWORD: account.password,
});

/** Runs the kit for a vendor. @returns the deeds that are left, and both reports */
async function judge(vendor: Vendor) {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  const [json, page] = [join(folder, "report.json"), join(folder, "page.html")];
  const kit = resolve("packages/client/conformance/program.ts");
  const ended = await new Promise<{ code: unknown; stdout: string }>((end) => {
    execFile(
      process.execPath,
      [kit, "conformance", "--json", json, "--page", page],
      { env: environmentOf(vendor) },
      (error, stdout) => end({ code: error?.code ?? 0, stdout }),
    );
  });
  const report = JSON.parse(await readFile(json, "utf8"));
  const printed = await readFile(page, "utf8");
  await rm(folder, { recursive: true });
  const left = report.deeds.filter(({ at }: { at?: string }) => at === undefined);
  return { ...ended, report, printed, left: left.map(({ id }: { id: string }) => id) };
}

test("a vendor's program of at most sixty lines does each deed within two minutes, and the report names nobody", async () => {
  const file = resolve("docs/examples/every-deed.ts");
  expect((await readFile(file, "utf8")).trimEnd().split("\n").length).toBeLessThanOrEqual(60);
  const vendor = await pipeline.createVendor();
  const began = performance.now();
  const env = { ...environmentOf(vendor), PORT: "18081" };
  const program = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  program.stdout.on("data", (chunk) => {
    said += chunk;
  });
  try {
    await expect.poll(() => said, { timeout: 240_000 }).toContain("done");
    expect(performance.now() - began).toBeLessThan(120_000);
    await expect
      .poll(async () => (await judge(vendor)).left, { timeout: 60_000, interval: 1_000 })
      .toEqual([]);
    const { code, report, printed, stdout } = await judge(vendor);
    expect([code, report.done, report.apiSet]).toEqual([0, 25, vendor.account.apiSet]);
    expect(report.traffic).toMatchObject({ cards: expect.any(Number), sentAgainShare: expect.any(Number) });
    expect(report.traffic.refused).toEqual([{ code: "strokes_count", share: expect.any(Number) }]);
    expect(printed).toMatch(/% refused \(strokes_count .* %\), .* % corrected, .* % sent again, .* % late\./);
    const written = JSON.stringify(report) + printed + stdout;
    const { FirstName = "", LastName = "" } = pipeline.standIn.members[0] ?? {};
    expect([/\b32-[123]\b/, FirstName, LastName].filter((told) => new RegExp(told).test(written))).toEqual(
      [],
    );
  } finally {
    program.kill();
  }
});

test("a program that ignores 503, repeats under a new ExternalID and verifies nothing does not do these deeds", async () => {
  const vendor = await pipeline.createVendor();
  const endpoint = await startEndpoint();
  await vendor.ask("POST", "Webhooks", JSON.stringify({ url: endpoint.url }));
  const [busy, again, slow] = ["sandbox:busy 1", "again", "sandbox:slow"].map((ExternalID) => ({
    ...minimalCard(pipeline.standIn, { ExternalID: "one round" }),
    ExternalID,
  }));
  const first = await vendor.submit([busy]);
  expect([first.status, first.headers.get("Retry-After")]).toEqual([503, "3"]);
  await vendor.submit([again]);
  // It sends a waiting card again under the same name, but with other strokes.
  await vendor.submit([slow]);
  await vendor.submit([{ ...slow, Comment: "again" }]);
  await expect
    .poll(() => vendor.states(["again", "sandbox:slow"]), { timeout: 60_000 })
    .toEqual(["delivered", "delivered"]);
  const { code, left } = await judge(vendor);
  endpoint.stop();
  expect(code).toBe(1);
  expect(left).toEqual(
    expect.arrayContaining(["busy-repeated", "repeat-is-one", "outage-waited-out", "forgery-refused"]),
  );
  expect(left).not.toContain("signature-verified");
  expect(left).not.toContain("delivered");
  const received = pipeline.standIn.received.map(({ card }) => (card as { ExternalID: string }).ExternalID);
  expect(received).toContain("again");
  expect(received.filter((name) => name.startsWith("sandbox:"))).toEqual([]);
});
