import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { packText, unpackJson, unpackText } from "../../../core/aws/packed-json.ts";

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
  // With a block of Node's own for each it would be thirty times; garbage comes on top.
  expect(kept).toBeLessThan(8 * bytes);
});

test("what is repeated within a large document is found again far behind", () => {
  const far = noise(20_000);
  expect(packText(far + far).byteLength).toBeLessThan(packText(far).byteLength * 1.1);
});

test("what was packed in November 2026 can still be read", () => {
  const packed = Buffer.from("g+bZxDzdzBR4HoTHMoHka46UfA1BUY+UWrDFYWxtLQA=", "base64");
  expect(unpackJson(packed)).toEqual({
    ID: "an-id",
    Course: { Holes: [{ Number: 1, Par: 4, Index: 7, Length: 312, SPH: 1 }] },
    Result: { Strokes: [5] },
  });
});

test("what was not packed is refused", () => {
  expect(() => unpackText(Buffer.from("not packed"))).toThrow();
});
