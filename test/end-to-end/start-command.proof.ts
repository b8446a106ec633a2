import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { smallestCard } from "../../unions/conformance/smallest-card.ts";
import { vendorOf } from "./pipeline.ts";
import { startTinyUnion, type TinyUnion } from "./tiny-union.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where the runs tell of themselves, so that one that somebody has running beside is not forgotten. */
let folder: string;
let environment: NodeJS.ProcessEnv;
let union: TinyUnion;
let started: ChildProcess;
let ready: {
  api: string;
  union: string;
  dynamodb: string;
  sqs: string;
  accounts: Parameters<typeof vendorOf>[1][];
};
let linesOfOutput: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scorecards-start-"));
  environment = { ...process.env, SCORECARDS_LOCAL_RUN: join(folder, "local-run.json") };
  union = await startTinyUnion();
  const options = ["--json", "--no-sample", "--port", "0", "--union", union.address];
  started = spawn(process.execPath, ["bin/start.ts", ...options], {
    cwd: root,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  linesOfOutput = [];
  const first = Promise.withResolvers<string>();
  if (started.stdout === null) throw new Error("There is no output to read.");
  createInterface(started.stdout).on("line", (line) => {
    linesOfOutput.push(line);
    first.resolve(line);
  });
  started.once("exit", (code) => first.reject(new Error(`It ended with ${code}.`)));
  ready = JSON.parse(await first.promise);
});
afterAll(async () => {
  started.kill("SIGKILL");
  await union.stop();
  await rm(folder, { recursive: true });
});

describe("npm start -- --json --no-sample --port 0 --union URL", () => {
  test("says in one line of JSON where everything is, and nothing else on stdout", () => {
    expect(linesOfOutput).toHaveLength(1);
    for (const address of [ready.api, ready.dynamodb, ready.sqs])
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
    expect(ready.union).toBe(union.address);
    expect(ready.accounts.length).toBeGreaterThanOrEqual(3);
    for (const account of ready.accounts)
      expect(Object.keys(account).sort()).toEqual(["apiSet", "password", "resources", "username"]);
  });

  test("works against a union that somebody else made: courses are read, a card is delivered", async () => {
    const [account] = ready.accounts;
    if (account === undefined) throw new Error("There is no account.");
    const vendor = vendorOf(ready.api, account);
    const courses = await vendor.ask("GET", `clubs/${union.clubId}/courses`);
    expect(courses.body).toMatchObject([{ ID: union.courseId, Name: "Heden" }]);

    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
    const card = smallestCard({
      externalId: "nine-holes",
      course: { CourseID: union.courseId, ClubID: union.clubId, TeeID: union.teeId },
      handicapIndex: "200000",
      courseHandicap: 10,
      player: "7-101",
      strokes: union.pars.map((par) => par + 1),
      startTime: `${yesterday}T090000`,
    });
    const answer = await vendor.submit([card]);
    expect([answer.status, answer.body[0].Result.TotalStrokes]).toEqual([201, 45]);
    await expect.poll(() => vendor.states(["nine-holes"])).toEqual(["delivered"]);
    expect(union.cards).toEqual(answer.body);
  });

  test("says what to do where its port is taken", async () => {
    const { port } = new URL(ready.api);
    const second = spawn(
      process.execPath,
      ["bin/start.ts", "--no-sample", "--port", port, "--union", union.address],
      { cwd: root, env: environment, stdio: ["ignore", "ignore", "pipe"] },
    );
    const said = text(second.stderr);
    expect(await once(second, "exit")).toEqual([2, null]);
    expect(await said).toContain(`Port ${port} is taken. Choose another with --port`);
  });

  test("says where the stand-in is commanded, which has faults from then on", async () => {
    const options = ["bin/start.ts", "--json", "--no-sample", "--port", "0"];
    const own = { ...environment, SCORECARDS_LOCAL_RUN: join(folder, "second-run.json") };
    const second = spawn(process.execPath, options, {
      cwd: root,
      env: own,
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const [line] = (await once(createInterface(second.stdout), "line")) as [string];
      const { control } = JSON.parse(line) as { readonly control: string };
      const faults = await fetch(`${control}/faults`, {
        method: "PUT",
        body: JSON.stringify({ outage: true }),
      });
      expect(faults.status).toBe(200);
    } finally {
      second.kill("SIGKILL");
    }
  });

  test("ends everything it started on Ctrl-C", async () => {
    started.kill("SIGINT");
    expect(await once(started, "exit")).toEqual([0, null]);
    await expect(fetch(ready.api)).rejects.toThrow();
    await expect(fetch(ready.dynamodb)).rejects.toThrow();
  });
});
