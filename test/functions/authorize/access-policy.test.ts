import { expect, test } from "vitest";
import { findGrant } from "../../../api/routes.ts";
import { type ApiSet, type Resource, resources } from "../../../core/accounts/account.ts";
import { type AccessStatement, accessPolicy } from "../../../functions/authorize/access-policy.ts";
import { servedOperations } from "../../../lib/vendor-routes.ts";

const api = "arn:aws:execute-api:ap-southeast-1:123456789012:abcdefghij";

function policyOf(granted: readonly Resource[], apiSet = "green"): AccessStatement[] {
  const account = {
    username: "green",
    apiSet: apiSet as ApiSet,
    resources: granted,
    passwordHash: "",
    disabled: false,
  };
  return accessPolicy(account, `${api}/production/GET/green/Clubs`);
}

/** IAM's own rule, restated: a Deny wins, and what nothing allows is refused. */
function allows(statements: readonly AccessStatement[], request: string): boolean {
  const matches = (statement: AccessStatement) =>
    statement.Resource.some((pattern) => {
      const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
      const expression = escaped.replaceAll("*", ".*").replaceAll("?", ".");
      return new RegExp(`^${expression}$`).test(`${api}/production/${request}`);
    });
  const effects = statements.filter(matches).map(({ Effect }) => Effect);
  return effects.includes("Allow") && !effects.includes("Deny");
}

const club = "7AABAF90-0000-4552-889B-553D5CE75FC6";

/** Every request that needs a grant, as API Gateway names it, in each spelling of its path. */
const requests = servedOperations.flatMap(({ route, paths }) => {
  const { method, resource } = route;
  return resource === undefined
    ? []
    : paths.map((path) => ({
        route,
        resource,
        request: `${method}${path.replace("{apiset}", "green").replaceAll(/\{\w+\}/g, club)}`,
      }));
});

/** Every choice of resources, but none; who may send cards may read them. */
const choices = Array.from({ length: 2 ** resources.length - 1 }, (_, choice) =>
  resources.filter((_, place) => ((choice + 1) >> place) & 1),
).filter((chosen) => !(chosen.includes("scorecards") && chosen.includes("scorecards:read")));

test("an account may send the requests of its resources and no others, whichever resources it has", () => {
  const wrong = choices.flatMap((granted) => {
    const policy = policyOf(granted);
    return requests
      .filter(({ route, request }) => allows(policy, request) !== (findGrant(route, granted) !== undefined))
      .map(({ request }) => `${request} with ${granted}`);
  });
  expect(wrong).toEqual([]);
});

test("a resource below Clubs that is not granted stays refused with empty segments in its path", () => {
  const below = requests.filter(
    ({ resource, request }) => /^GET\/green\/clubs\/.+/i.test(request) && resource !== "clubs",
  );
  const policy = policyOf(["clubs"]);
  for (const { request } of below) {
    const [method, apiSet, root, ...rest] = request.split("/");
    for (const path of [["", ...rest], [...rest, ""], rest.flatMap((segment) => ["", segment])]) {
      const spelling = [method, apiSet, root, ...path].join("/");
      expect([spelling, allows(policy, spelling)]).toEqual([spelling, false]);
    }
  }
  expect(new Set(below.map(({ resource }) => resource)).size).toBe(4);
});

test.each(["green", "GREEN", "Green"])(
  "the API set works as it was given and in one case: %s",
  (spelling) => {
    const policy = policyOf(resources, "Green");
    for (const { request } of requests) {
      const spelt = request.replace("/green/", `/${spelling}/`);
      expect([spelt, allows(policy, spelt)]).toEqual([spelt, true]);
    }
    expect(allows(policy, "GET/gREEN/Clubs")).toBe(false);
  },
);

test("the policy of the longest API set stays below API Gateway's 8 KB, whichever resources it has", () => {
  const sizes = choices.map((granted) => {
    const statements = policyOf(granted, `A${"b".repeat(63)}`);
    return JSON.stringify({ Version: "2012-10-17", Statement: statements }).length;
  });
  expect(Math.max(...sizes)).toBeLessThan(8192);
});

test("an account without any resource gets a policy that refuses", () => {
  const policy = policyOf([]);
  expect(policy).toHaveLength(1);
  expect(allows(policy, "GET/green/Clubs")).toBe(false);
});

test("no pattern reaches into a path of another vendor, however it is spelled", () => {
  const policy = policyOf(resources);
  const below = [
    "ScorecardExchange/green/Webhooks",
    "Tournaments/green/Tournaments/x",
    "Clubs",
    "clubs/Golfer",
  ];
  const spellings = [
    "red/",
    "/red/",
    "red//",
    "RED/",
    "%72ed/",
    "red%2f",
    "red;x=1/",
    "red%09/",
    "red%20/",
    "red/./",
    "red%00/",
  ];
  for (const method of ["GET", "PUT", "POST", "DELETE"]) {
    for (const path of below.flatMap((rest) => spellings.map((spelling) => spelling + rest))) {
      expect([path, allows(policy, `${method}/${path}`)]).toEqual([path, false]);
    }
  }
});
