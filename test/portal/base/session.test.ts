import { describe, expect, test } from "vitest";
import { firstView, maySee } from "../../../portal/base/session.ts";

const forVendors = [
  "overview",
  "cards",
  "card",
  "tournaments",
  "tournament",
  "refusals",
  "webhooks",
] as const;
const views = [...forVendors, "api", "operator"] as const;

describe("an account sees exactly the views that it may use", () => {
  test.each([
    { resources: ["scorecards"], seen: [...forVendors, "api"], first: "overview" },
    { resources: ["clubs", "courses"], seen: ["api"], first: "api" },
    { resources: ["operations"], seen: ["api", "operator"], first: "operator" },
    { resources: ["scorecards", "operations"], seen: views, first: "overview" },
    { resources: [], seen: ["api"], first: "api" },
    {
      ...{ resources: ["scorecards"], club: { number: 1 }, first: "tournaments" },
      seen: ["cards", "card", "tournaments", "tournament", "api"],
    },
  ])("$resources $club: $seen", ({ seen, first, ...account }) => {
    expect(views.filter((view) => maySee(account, view))).toEqual(seen);
    expect(firstView(account).view).toBe(first);
  });
});
