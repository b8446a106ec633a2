import type { Resource } from "./account.ts";

/** What the last fixed segments of a route mean, the most particular first. */
const meanings: readonly (readonly [segment: string, resource: Resource])[] = [
  ["golfer_byaccesstoken", "golfer-by-token"],
  ["golfer", "golfer"],
  ["exchangedscorecards", "scorecards"],
  ["scorecardexchange", "scorecards"],
  ["courses", "courses"],
  ["clubs", "clubs"],
];

/**
 * The resource that a route of the API is part of.
 *
 * The policy names paths, and a path can be spelt in ways that a policy does not foresee; API Gateway has matched the
 * route whatever the spelling. So what is behind it is safe even where the policy was got round.
 *
 * @param route e.g. `/{apiset}/Clubs/{clubId}/courses`
 * @throws Error where the route is part of none
 */
export function resourceOfRoute(route: string): Resource {
  const segments = route.toLowerCase().split("/");
  const known = meanings.find(([segment]) => segments.includes(segment));
  if (known === undefined) throw new Error(`No resource has the route ${route}.`);
  return known[1];
}
