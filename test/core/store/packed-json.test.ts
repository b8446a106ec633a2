import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { packText, unpackText } from "../../../core/store/packed-json.ts";

const noise = (characters: number) =>
  createHash("shake256", { outputLength: characters }).update("noise").digest("base64").slice(0, characters);

test.each([0, 1, 255, 256, 257, 1_023, 2_048, 16_384, 65_536, 200_000, 2_000_000])(
  "a text of %i characters comes back as it was packed, however much it shrinks",
  (characters) => {
    for (const text of ["x".repeat(characters), noise(characters), "ł€🏌".repeat(characters / 4)]) {
      expect(unpackText(packText(text)) === text).toBe(true);
    }
  },
);

test("a packed card keeps little more memory than it takes", () => {
  const cards = 2_000;
  const before = process.memoryUsage().arrayBuffers;
  const packed = Array.from({ length: cards }, (_, card) =>
    packText(`{"ExternalID":"${card}-${noise(800)}"}`),
  );
  const kept = process.memoryUsage().arrayBuffers - before;
  const bytes = packed.reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(kept).toBeLessThan(3 * bytes);
});
