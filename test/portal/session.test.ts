import { describe, expect, test } from "vitest";
import { firstView, maySee } from "../../portal/session.ts";

const views = ["overview", "cards", "card", "refusals", "webhooks", "api", "operator"] as const;
const forVendors = ["overview", "cards", "card", "refusals", "webhooks"];

describe("an account sees exactly the views that it may use", () => {
  test.each([
    { resources: ["scorecards"], seen: [...forVendors, "api"], first: "overview" },
    { resources: ["clubs", "courses"], seen: ["api"], first: "api" },
    { resources: ["operations"], seen: ["api", "operator"], first: "operator" },
    { resources: ["scorecards", "operations"], seen: views, first: "overview" },
    { resources: [], seen: ["api"], first: "api" },
  ])("$resources: $seen", ({ resources, seen, first }) => {
    expect(views.filter((view) => maySee({ resources }, view))).toEqual(seen);
    expect(firstView({ resources }).view).toBe(first);
  });
});
