import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Pipeline, sharedPipeline } from "./pipeline.ts";

let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = await sharedPipeline();
});
afterAll(() => pipeline?.stop());

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
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; " +
      "frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'",
  );
  expect(answer.text).not.toMatch(/<style|<script(?![^>]* src=)|javascript:|\son\w+=|\sstyle=/i);
});

test("a browser may keep the portal's files, whose addresses change with their content", async () => {
  const { files } = await portal();
  expect(files.map((file) => file.replace(/[0-9a-f]{16}$/, "HASH")).sort()).toEqual([
    "portal.css?v=HASH",
    "portal.js?v=HASH",
  ]);
  for (const file of files) {
    const kept = await pipeline.ask("GET", file);
    expect(kept.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(kept.headers.get("content-encoding")).toBe("gzip");
    expect(kept.headers.get("x-content-type-options")).toBe("nosniff");
    const other = await pipeline.ask("GET", file.replace(/v=.*/, "v=0123456789abcdef"));
    expect([other.status, other.headers.get("cache-control")]).toEqual([200, "no-store"]);
  }
});

test("the portal is at most 100 KB as it is sent", async () => {
  const { answer, files } = await portal();
  const texts = [answer.text];
  for (const file of files) texts.push((await pipeline.ask("GET", file)).text);
  const bytes = texts.reduce((sum, text) => sum + gzipSync(text).byteLength, 0);
  expect(bytes).toBeLessThan(100_000);
});

test("signing in to the portal answers what the account may use, and nothing else, to the right password only", async () => {
  const headers = { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" };
  const signIn = (username: string, password: string) =>
    pipeline.ask("POST", "login.aspx", new URLSearchParams({ username, password }).toString(), headers);
  const { username, password, apiSet, resources } = pipeline.vendor(2).account;
  const { status, body, headers: answered } = await signIn(username, password);
  expect(status).toBe(200);
  expect(answered.get("cache-control")).toBe("no-store");
  expect(body).toMatchObject({ username, apiSet, resources, stage: "test", timeZone: "Europe/Copenhagen" });
  const of = body.operations.map(({ resource }: { resource: string }) => resource);
  expect(new Set(of)).toEqual(new Set(resources));
  const wrong = await signIn(username, "wrong");
  const unknown = await signIn("nobody", "wrong");
  expect([wrong.status, unknown.status]).toEqual([401, 401]);
  expect(wrong.headers.get("www-authenticate")).toBeNull();
  expect(wrong.body).toEqual(unknown.body);
  expect(wrong.body.detail).toBe("The user name or the password is wrong.");
});
