import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { dollarsOf, times } from "../../bench/cost/charged.ts";
import { methodLimits } from "../../lib/usage-limits.ts";
import { servedOperations } from "../../lib/vendor-routes.ts";
import { providePipeline, sharedPipeline } from "./pipeline.ts";

const pipeline = await providePipeline(sharedPipeline);

/** The portal's page, and the addresses of its script and style. */
async function portal() {
  const answer = await pipeline.ask("GET", "portal");
  const files = Array.from(answer.text.matchAll(/(?:src|href)="(portal\.[^"]+)"/g), ([, file = ""]) => file);
  return { answer, files };
}

test("the portal's page is kept and framed by nobody, and runs its own script and style only", async () => {
  const { answer } = await portal();
  const header = (name: string) => answer.headers.get(name);
  expect(answer.status).toBe(200);
  expect(header("content-type")).toBe("text/html; charset=utf-8");
  expect(header("cache-control")).toBe("no-store");
  expect(header("referrer-policy")).toBe("no-referrer");
  expect(header("x-content-type-options")).toBe("nosniff");
  expect(header("x-frame-options")).toBe("DENY");
  expect(header("set-cookie")).toBeNull();
  expect(header("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; " +
      "frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types table-worker",
  );
  expect(answer.text).not.toMatch(/<style|<script(?![^>]* src=)|javascript:|\son\w+=|\sstyle=/i);
});

test("a browser may keep the portal's files, whose addresses change with their content", async () => {
  const { files } = await portal();
  const plain = files.map((file) => file.replace(/[0-9a-f]{16}$|[0-9A-Z]{8}$/, "HASH")).sort();
  expect([...new Set(plain)]).toEqual(["portal.css?v=HASH", "portal.js?part=chunk-HASH", "portal.js?v=HASH"]);
  for (const file of files) {
    const kept = await pipeline.ask("GET", file);
    expect(kept.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(kept.headers.get("content-encoding")).toBe("gzip");
    expect(kept.headers.get("x-content-type-options")).toBe("nosniff");
    const other = await pipeline.ask(
      "GET",
      file.replace(/v=.*/, "v=0123456789abcdef").replace(/part=.*/, "part=other"),
    );
    // A page of an earlier deployment that got the whole script in place of a part would run it beside itself.
    const expected = file.includes("part=") ? [404, null] : [200, "no-store"];
    expect([other.status, other.headers.get("cache-control")]).toEqual(expected);
  }
});

const bytesOf = async (file: string) => gzipSync((await pipeline.ask("GET", file)).text).byteLength;

/** The parts of the script that the page loads later, and the script of its worker. */
async function laterParts(files: readonly string[]) {
  const [main = ""] = files.filter((file) => file.startsWith("portal.js?v="));
  const named = (await pipeline.ask("GET", main)).text.matchAll(/portal\.js\?part=[\w-]+/g);
  const later = [...new Set(Array.from(named, ([part]) => part))].filter((part) => !files.includes(part));
  const [tables = ""] = later.filter((part) => part.includes("part=tables-"));
  const [worker = ""] =
    /portal\.js\?part=table-worker-\w+/.exec((await pipeline.ask("GET", tables)).text) ?? [];
  return { later, worker };
}

/** Bytes of an answer to a client that accepts no compression. */
function plainBytes(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${pipeline.machine.run.api}/${path}`, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.byteLength));
      response.on("end", () => resolve(bytes));
    });
    sent.on("error", reject).end();
  });
}

test("all that a stranger may ask for in a day costs at most 50 US dollars", async () => {
  const { worker } = await laterParts((await portal()).files);
  let dollars = 0;
  for (const { operationId, route, paths } of servedOperations) {
    if (route.resource !== undefined) continue;
    if (route.limitedBy === undefined) throw new Error(`${operationId} has no limit of its own.`);
    const { ratePerSecond } = methodLimits[route.limitedBy];
    const path = operationId === "loadPortalScript" ? worker : (paths[0] ?? "").slice(1);
    const one = {
      apiRequests: 1,
      functionRuns: 1,
      gigabyteSeconds: 0.5 * 0.02,
      writeUnits: 0,
      readUnits: 1,
      sqsRequests: 0,
      logBytes: 300,
      answerBytes: route.method === "GET" ? await plainBytes(path) : 1_000,
    };
    dollars += dollarsOf(times(ratePerSecond * 86_400, one));
  }
  expect(dollars).toBeLessThanOrEqual(50);
});

test("the portal's first load is at most 85 KB as it is sent, and its scripts at most 75 KB; what else it loads is small", async () => {
  const { answer, files } = await portal();
  const texts = [answer.text];
  for (const file of files) texts.push((await pipeline.ask("GET", file)).text);
  const bytes = texts.reduce((sum, text) => sum + gzipSync(text).byteLength, 0);
  expect(bytes).toBeLessThan(85_000);
  const scripts = files.filter((file) => file.startsWith("portal.js"));
  const sizes = await Promise.all(scripts.map(bytesOf));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(75 * 1_024);
  const { later, worker } = await laterParts(files);
  const names = later.map((part) => part.replace(/.*part=(.+)-.*/, "$1")).toSorted();
  expect(names).toEqual(["deeds", "tables", "tournaments"]);
  for (const part of later) expect(await bytesOf(part)).toBeLessThan(22_000);
  // It is loaded once a file is chosen, and reads workbooks of all kinds: that is two thirds of it.
  expect(await bytesOf(worker)).toBeLessThan(190_000);
});

const headers = { "Content-Type": "application/json" };
const signIn = (username: string, password: string) =>
  pipeline.ask("POST", "portal/session", JSON.stringify({ username, password }), headers);

test("signing in to the portal answers what the account may use, and nothing else, to the right password only", async () => {
  const { username, password, apiSet, resources } = pipeline.vendor(2).account;
  const { status, body, headers: answered } = await signIn(username, password);
  expect(status).toBe(200);
  expect(answered.get("cache-control")).toBe("no-store");
  const { account } = body;
  expect(account).toMatchObject({
    username,
    apiSet,
    resources,
    stage: "test",
    timeZone: "Europe/Copenhagen",
  });
  const of = account.operations.map(({ resource }: { resource: string }) => resource);
  expect(new Set(of)).toEqual(new Set(resources));
  const wrong = await signIn(username, "wrong");
  const unknown = await signIn("nobody", "wrong");
  expect([wrong.status, unknown.status]).toEqual([401, 401]);
  expect(wrong.headers.get("www-authenticate")).toBeNull();
  expect(wrong.headers.get("set-cookie")).toBeNull();
  expect(wrong.body).toEqual(unknown.body);
  expect(wrong.body.detail).toBe("The user name or the password is wrong.");
});

test("the token of a session reads what its account may read, and nothing of another's", async () => {
  const [one, other] = [pipeline.vendor(0).account, pipeline.vendor(1).account];
  const { token } = (await signIn(one.username, one.password)).body;
  const authorization = { Authorization: `Bearer ${token}` };
  const read = (apiSet: string, given: Record<string, string>) =>
    pipeline.ask("GET", `${apiSet}/Activity`, undefined, given);
  expect((await read(one.apiSet, authorization)).status).toBe(200);
  expect((await read(other.apiSet, authorization)).status).toBe(403);
  expect((await read(one.apiSet, { Authorization: `Bearer ${token}x` })).status).toBe(401);
});

/** The status of an attempt to sign in from another address of this machine. */
function attemptFrom(localAddress: string, username: string, password: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const url = `${pipeline.machine.run.api}/portal/session`;
    const sent = request(url, { method: "POST", headers, localAddress }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject).end(JSON.stringify({ username, password }));
  });
}

test("200 wrong passwords from one address shut nobody at another one out", async () => {
  const { username, password } = pipeline.vendor(0).account;
  const attempts = Array.from({ length: 200 }, (_, place) =>
    attemptFrom("127.0.0.2", `guess-${place}`, "wrong"),
  );
  const meanwhile = await signIn(username, password);
  const statuses = await Promise.all(attempts);
  expect(meanwhile.status).toBe(200);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect((await signIn(username, password)).status).toBe(200);
});
