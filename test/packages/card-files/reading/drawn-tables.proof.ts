import { test } from "vitest";
import { expectUnderstood } from "./judge-tables.ts";

test("of 300 drawn tables 98 % are understood with at most two questions, the others are stopped, and no card is wrong", async () => {
  await expectUnderstood(1, 300);
});
