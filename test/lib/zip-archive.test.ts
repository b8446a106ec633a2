import { expect, test } from "vitest";
import { zipArchive } from "../../lib/zip-archive.ts";
import { unzipped } from "./unzipped.ts";

test("an archive has what was put into it, byte by byte, in the same order", () => {
  const files = Object.fromEntries(
    [0, 1, 100, 70_000].map((size) => [
      `földer/${size}.bin`,
      Uint8Array.from({ length: size }, (_, at) => (at * 37) % 256),
    ]),
  );
  const found = unzipped(zipArchive(files));
  expect(Object.keys(found)).toEqual(Object.keys(files));
  for (const [path, content] of Object.entries(files)) {
    expect(new Uint8Array(found[path] ?? [1]), path).toEqual(content);
  }
});

test("the same files make the same bytes", () => {
  const files = { a: Buffer.from("one"), b: Buffer.from("other") };
  expect(zipArchive(files)).toEqual(zipArchive(files));
});
