import { expect, test } from "vitest";
import { listShownOperations } from "../../../api/document/shown-operations.ts";
import type { Account, ApiSet } from "../../../core/accounts/account.ts";
import { accountDocument } from "../../../functions/describe-account/account-document.ts";
import { accountPage } from "../../../functions/describe-account/account-page.ts";
import { settings } from "../../../lib/settings.ts";
import type { Stage } from "../../../lib/stage-settings.ts";
import { withBurst } from "../../../lib/usage-limits.ts";

function pageOf(stage: Stage, plan: "standard" | "tournament", ratePerSecond = 1_000): string {
  const account: Account = {
    username: "greens",
    apiSet: "greens" as ApiSet,
    resources: ["clubs", "golfer"],
    passwordHash: "",
    disabled: false,
    usage: { plan, key: "key", keyId: "1" },
  };
  const { usagePlans } = settings[stage];
  const throttling = withBurst({ ratePerSecond });
  const limits = { plan: withBurst(usagePlans[plan]), throttling };
  const deployment = { base: "https://scores.example/test", stage, timeZone: "UTC", operatorContact: "us" };
  return accountPage(accountDocument(account, deployment, limits, listShownOperations())).markup;
}

test.each([
  ["test", "standard", 100, "20 a second, 40 at once, 200,000 a day (plan standard)"],
  [
    "test",
    "tournament",
    100,
    "100 a second, 200 at once of each request below, shared with other accounts; 250 a second, 500 at once of all of them; 500,000 a day (plan tournament)",
  ],
  ["production", "tournament", 1_000, "250 a second, 500 at once, 500,000 a day (plan tournament)"],
] as const)(
  "an account's page on %s with the plan %s states the limits that apply",
  (stage, plan, ratePerSecond, promised) => {
    expect(pageOf(stage, plan, ratePerSecond)).toContain(`<dt>Requests</dt><dd>${promised}</dd>`);
  },
);

test("an account's page says which examples need values", () => {
  const page = pageOf("test", "standard");
  expect(page).toContain("Each works as it stands, unless a note says what to put in.");
  expect(page).toContain("Put in a member&#39;s UnionID");
});
