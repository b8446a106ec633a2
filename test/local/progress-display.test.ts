import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { type ProgressStream, progressDisplay } from "../../local/progress-display.ts";

function shownOn(stream: PassThrough & { isTTY?: boolean }): string {
  const display = progressDisplay(stream as ProgressStream);
  for (let done = 0; done <= 40; done += 1) {
    const step = Math.floor(done / 10);
    display.show({ done, total: 40, text: `${done} done`, line: `Did ${done}.`, step });
  }
  display.end();
  return String(stream.read());
}

test("without a terminal, progress is a line for every step", () => {
  expect(shownOn(new PassThrough())).toBe("Did 10.\nDid 20.\nDid 30.\nDid 40.\n");
});

test("on a terminal, progress is a bar that ends full", () => {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 200 });
  expect(shownOn(stream)).toContain("100% | 40 done");
});
