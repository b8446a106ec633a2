import { expect, test } from "vitest";
import { type AccessStatement, accessPolicy } from "../../../core/accounts/access-policy.ts";
import { type ApiSet, type Resource, resources } from "../../../core/accounts/account.ts";

const api = "arn:aws:execute-api:eu-north-1:123456789012:api1";

function policyOf(granted: readonly Resource[], apiSet = "green"): AccessStatement[] {
  const account = {
    username: "green",
    apiSet: apiSet as ApiSet,
    resources: granted,
    passwordHash: "",
    disabled: false,
  };
  return accessPolicy(account, `${api}/test/GET/green/Clubs`);
}

/** IAM's own rule, restated: a Deny wins, and what nothing allows is refused. */
function allows(statements: readonly AccessStatement[], request: string): boolean {
  const matches = (statement: AccessStatement) =>
    statement.Resource.some((pattern) => {
      const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
      const expression = escaped.replaceAll("*", ".*").replaceAll("?", ".");
      return new RegExp(`^${expression}$`).test(`${api}/test/${request}`);
    });
  const effects = statements.filter(matches).map(({ Effect }) => Effect);
  return effects.includes("Allow") && !effects.includes("Deny");
}

const club = "7AABAF90-0000-4552-889B-553D5CE75FC6";
const requests: Record<Resource, string[]> = {
  clubs: ["GET/green/Clubs", "GET/green/clubs", `GET/green/Clubs/${club}`],
  courses: [`GET/green/clubs/${club}/courses`, `GET/green/Clubs/${club}/Courses/${club}`],
  golfer: ["GET/green/Clubs/Golfer", "GET/green/clubs/golfer"],
  "golfer-by-token": ["GET/green/clubs/Golfer_ByAccessToken", "GET/green/clubs/golfer_byaccesstoken"],
  scorecards: [
    "POST/green/ScorecardExchange",
    "POST/green/scorecardexchange/validate",
    "GET/green/ScorecardExchange/card-1",
    "DELETE/green/ScorecardExchange/card-1",
    "POST/green/Clubs/Members/ExchangedScorecards",
    "POST/green/clubs/members/exchangedscorecards",
  ],
  records: [
    `GET/green/clubs/${club}/Memberships/Scorecards`,
    `GET/green/Clubs/${club}/memberships/scorecards`,
  ],
  operations: ["GET/Operations/Overview", "GET/operations/overview"],
};

test.each(resources)("an account with %s alone may use just that", (granted) => {
  const policy = policyOf([granted]);
  for (const [resource, paths] of Object.entries(requests)) {
    for (const path of paths) expect([path, allows(policy, path)]).toEqual([path, resource === granted]);
  }
});

test("an account with everything may use all of its own API set", () => {
  const policy = policyOf(resources);
  for (const path of Object.values(requests).flat())
    expect([path, allows(policy, path)]).toEqual([path, true]);
});

test.each(["green", "GREEN", "Green"])(
  "the API set works as it was given and in one case: %s",
  (spelling) => {
    const policy = policyOf(resources, "Green");
    for (const path of Object.values(requests).flat()) {
      expect([path, allows(policy, path.replace("/green/", `/${spelling}/`))]).toEqual([path, true]);
    }
    expect(allows(policy, "GET/gREEN/Clubs")).toBe(false);
  },
);

test("the policy of the longest API set with every resource stays below API Gateway's 8 KB", () => {
  const policy = policyOf(resources, `A${"b".repeat(63)}`);
  expect(JSON.stringify({ Version: "2012-10-17", Statement: policy }).length).toBeLessThan(8192);
});

test("no account may use another's API set", () => {
  const policy = policyOf(resources);
  const { operations: _, ...ofVendors } = requests;
  for (const path of Object.values(ofVendors).flat()) {
    expect(allows(policy, path.replace("/green/", "/red/"))).toBe(false);
  }
});

test("an account without any resource gets a policy that refuses", () => {
  const policy = policyOf([]);
  expect(policy).toHaveLength(1);
  expect(allows(policy, "GET/green/Clubs")).toBe(false);
});

test("no pattern reaches into a path of another vendor", () => {
  const policy = policyOf(resources);
  for (const method of ["GET", "PUT", "POST", "DELETE"]) {
    for (const path of ["red/ScorecardExchange/green/Webhooks", "red/Tournaments/green/Tournaments/x"]) {
      expect([path, allows(policy, `${method}/${path}`)]).toEqual([path, false]);
    }
    expect(allows(policy, `${method}/green/Webhooks/wh_1`)).toBe(true);
    expect(allows(policy, `${method}/green/Tournaments/x/Players`)).toBe(method !== "POST");
  }
});
