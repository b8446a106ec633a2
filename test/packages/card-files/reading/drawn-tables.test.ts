import { test } from "vitest";
import { expectUnderstood } from "./judge-tables.ts";

test("drawn tables of ten languages are understood with at most two questions, and no card is wrong", async () => {
  await expectUnderstood(1, 40);
});
