import { vi } from "vitest";
import type * as packedJson from "../../../core/aws/packed-json.ts";

/** The clock of the simulation under way. */
export const sleeping = { sleep: (_: number): Promise<void> => Promise.resolve() };

// This is a setup file, so that it comes before the code that waits by Node's own timers, whatever a test imports first.
vi.mock("node:timers/promises", async () => {
  const { sleeping } = await import("./virtual-sleep.ts");
  return {
    setTimeout: (milliseconds: number) => sleeping.sleep(milliseconds),
    setImmediate: () => sleeping.sleep(0),
  };
});

/** What was packed last, in both directions: a simulation has few contents, which it packs and unpacks again and again. */
const texts = new WeakMap<Uint8Array, string>();
const packed = new Map<string, Uint8Array>();
const maxPacked = 1_000;

vi.mock("../../../core/aws/packed-json.ts", async (original) => {
  const actual = await original<typeof packedJson>();
  const pack = (text: string) => {
    if (packed.size === maxPacked) packed.clear();
    const bytes = packed.get(text) ?? actual.packText(text);
    packed.set(text, bytes);
    texts.set(bytes, text);
    return bytes;
  };
  const unpack = (bytes: Uint8Array) => texts.get(bytes) ?? actual.unpackText(bytes);
  return { ...actual, packText: pack, unpackText: unpack };
});
