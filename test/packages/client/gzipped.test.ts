import { gunzipSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { gzipped } from "../../../packages/client/gzipped.ts";

const text = "birdie, bogey, Ærø ".repeat(100_000);
const unpacked = async () => String(gunzipSync((await gzipped(text)) ?? ""));

afterEach(() => void vi.unstubAllGlobals());

test("a text is gzipped by Node's zlib", async () => {
  expect(await unpacked()).toBe(text);
});

test("a text is gzipped in a browser, which has no zlib", async () => {
  vi.stubGlobal("process", undefined);
  const compressed = await gzipped(text);
  vi.unstubAllGlobals();
  expect(String(gunzipSync(compressed ?? ""))).toBe(text);
});

test("nothing is gzipped by an engine that cannot", async () => {
  vi.stubGlobal("process", {});
  vi.stubGlobal("CompressionStream", undefined);
  const compressed = await gzipped(text);
  expect(compressed).toBeUndefined();
});
