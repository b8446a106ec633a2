import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { App } from "aws-cdk-lib";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { settings } from "../../lib/settings.ts";
import { demoAccounts } from "../../packages/stand-in/demo-accounts.ts";
import { emptyRecord } from "../../packages/stand-in/exchange/record.ts";
import { startStandIn } from "../../packages/stand-in/stand-in.ts";
import type { BenchRow } from "../bench-row.ts";
import { median, milliseconds } from "../median.ts";
import { startOwnProcess } from "../own-process.ts";
import type { PipelineReady } from "../pipeline-process.ts";
import { addConstantEndpoints } from "../reads/constant-endpoints.ts";
import { registerOf } from "../reads/register-of.ts";

const clubCount = 400;
const versionsOfClub = 4;
const rounds = 201;
/** Requests of one round, so that a round is longer than what disturbs it. */
const requestsOfRound = 3;
/** Longer than anything that was read before the mirror was filled is kept. */
const mirroredWithinMilliseconds = 120_000;

const nightly = "?active=1&sort=ActivationDate:1&sortTee=TotalLength:1&changedsince=20200101T000000";

/** Reading clubs and courses again, against endpoints that return constants of the same size. */
export async function run(): Promise<BenchRow[]> {
  const assembly = mkdtempSync(join(tmpdir(), "scorecard-bench-"));
  const app = new App({ outdir: assembly });
  const stack = new PipelineStack(app, "scorecard-pipeline-test", { settings: settings.test });
  const constant = addConstantEndpoints(stack, ["constant-clubs", "constant-courses", "constant-nightly"]);
  app.synth();

  const now = () => new Date();
  const continues = { data: registerOf(clubCount, versionsOfClub, now()), record: emptyRecord() };
  const union = await startStandIn({ port: 0, seed: 1, clubs: 0, accounts: demoAccounts, now, continues });
  const pipeline = await startOwnProcess<PipelineReady>(new URL("../pipeline-process.ts", import.meta.url), {
    assembly,
    union: union.address,
  });
  const agent = new Agent({ keepAlive: true });
  try {
    const read = reader(pipeline.ready.api, agent);
    const clubs = (await settled(() => read("Clubs"), clubCount)).toString();
    // The last club that the mirror reaches.
    const clubId = continues.data.clubs.at(-1)?.ID;
    const courses = (await settled(() => read(`clubs/${clubId}/courses`), versionsOfClub)).toString();
    const asked = {
      clubs: ["Clubs", clubs, "constant-clubs"],
      courses: [`clubs/${clubId}/courses`, courses, "constant-courses"],
      nightly: [
        `clubs/${clubId}/courses${nightly}`,
        (await read(`clubs/${clubId}/courses${nightly}`)).toString(),
        "constant-nightly",
      ],
    } as const;
    const rows: BenchRow[] = [];
    for (const [name, [path, text, fixed]] of Object.entries(asked)) {
      constant.answerWith(fixed, text);
      const same = (await read(constant.path(fixed))).equals(await read(path));
      if (!same) throw new Error(`The constant of ${name} is not the answer.`);
      const times = { ours: [] as number[], constant: [] as number[] };
      for (let round = 0; round < rounds; round++) {
        times.ours.push(await milliseconds(() => repeated(() => read(path))));
        times.constant.push(await milliseconds(() => repeated(() => read(constant.path(fixed)))));
      }
      const [ours, least] = [times.ours, times.constant].map(
        (all) => median(all.slice(all.length >> 2)) / requestsOfRound,
      ) as [number, number];
      const kilobytes = `${(text.length / 1000).toFixed(0)} kB`;
      rows.push(
        { name: `${name}, ${kilobytes}`, value: ours, unit: "ms" },
        { name: `a constant of ${kilobytes}`, value: least, unit: "ms" },
        { name: `${name}, against the constant`, value: ours / least, unit: "x", bar: 3 },
      );
    }
    return rows;
  } finally {
    agent.destroy();
    await pipeline.stop();
    await union.stop();
    rmSync(assembly, { recursive: true });
    constant.remove();
  }
}

async function repeated(request: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < requestsOfRound; count++) await request();
}

/** Reads a path below the API set, uncompressed: zipping takes longer than all the rest, and the same for all. */
function reader(api: string, agent: Agent): (path: string) => Promise<Buffer> {
  const [vendor] = demoAccounts;
  if (vendor === undefined) throw new Error("There is no demo account.");
  const auth = `${vendor.username}:${vendor.password}`;
  return (path) =>
    new Promise((resolve, reject) => {
      get(`${api}/${vendor.apiSet}/${path}`, { agent, auth }, async (response) => {
        const body = await buffer(response);
        if (response.statusCode === 200 || response.statusCode === 404) resolve(body);
        else reject(new Error(`${path} answered ${response.statusCode}: ${body}`));
      }).on("error", reject);
    });
}

/** The answer, once it lists all entries. */
async function settled(read: () => Promise<Buffer>, entries: number): Promise<Buffer> {
  const until = performance.now() + mirroredWithinMilliseconds;
  for (;;) {
    const answer = await read();
    const listed: unknown = JSON.parse(answer.toString());
    if (Array.isArray(listed) && listed.length === entries) return answer;
    if (performance.now() > until) throw new Error("The mirror has not been filled in time.");
    await delay(1000);
  }
}
