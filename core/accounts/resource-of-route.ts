import type { Resource } from "./account.ts";

/** The resource of a route by its fixed segments, the most specific first. */
const resourcesBySegment: readonly (readonly [segment: string, resource: Resource])[] = [
  ["golfer_byaccesstoken", "golfer-by-token"],
  ["golfer", "golfer"],
  ["exchangedscorecards", "scorecards"],
  ["scorecardexchange", "scorecards"],
  ["courses", "courses"],
  ["clubs", "clubs"],
];

/**
 * The resource that a route of the API belongs to.
 *
 * The account's policy names paths, and a spelling of a path could bypass it. API Gateway has matched the route whatever the
 * spelling, so checking this protects a function even then.
 *
 * @param route e.g. `/{apiset}/Clubs/{clubId}/courses`
 * @throws Error if it belongs to none
 */
export function resourceOfRoute(route: string): Resource {
  const segments = route.toLowerCase().split("/");
  const known = resourcesBySegment.find(([segment]) => segments.includes(segment));
  if (known === undefined) throw new Error(`No resource has the route ${route}.`);
  return known[1];
}
