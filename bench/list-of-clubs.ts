import { Agent, get } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { demoAccounts } from "../packages/stand-in/demo-accounts.ts";
import type { BenchRow } from "./bench-row.ts";
import { median, milliseconds } from "./median.ts";
import type { MirroredUnion } from "./mirrored-union.ts";

const requests = 20;
/** Milliseconds that one warm answer may take. */
const mostMilliseconds = 300;

/** Reads the list of all clubs gzipped, again and again, as a client on a kept connection does. */
export async function listOfClubs({ run, standIn }: MirroredUnion): Promise<BenchRow[]> {
  const [{ username, password, apiSet }] = demoAccounts as [(typeof demoAccounts)[number]];
  const agent = new Agent({ keepAlive: true });
  const read = (): Promise<Buffer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const headers = { "Accept-Encoding": "gzip" };
    const auth = `${username}:${password}`;
    get(`${run.api}/${apiSet}/Clubs`, { agent, auth, headers }, (response) => {
      buffer(response).then((body) => {
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`The list of clubs is answered with ${response.statusCode}: ${body}`));
      }, reject);
    }).on("error", reject);
    return promise;
  };
  try {
    let body: Buffer = Buffer.alloc(0);
    const first = await milliseconds(async () => {
      body = await read();
    });
    const times: number[] = [];
    for (let count = 0; count < requests; count++) times.push(await milliseconds(read));
    const clubs: unknown[] = JSON.parse(gunzipSync(body).toString());
    if (clubs.length !== standIn.clubs.length) throw new Error(`The list has ${clubs.length} clubs.`);
    return [
      { name: "the list of all clubs, gzipped", value: body.byteLength / 1000, unit: "kB" },
      { name: "  the first time", value: first, unit: "ms" },
      { name: "  warm, half of them within", value: median(times), unit: "ms" },
      { name: "  warm, the slowest of 20", value: Math.max(...times), unit: "ms", bar: mostMilliseconds },
    ];
  } finally {
    agent.destroy();
  }
}
