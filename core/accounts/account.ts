import * as z from "zod/mini";
import { type ApiSet, apiSetSchema } from "./api-set.ts";

/** The parts of the API that a vendor's account may use, as its page at the union lists them. */
export const vendorResources = [
  "clubs",
  "courses",
  "golfer",
  "golfer-by-token",
  "scorecards",
  "records",
] as const;

/** All parts of the API; `operations` shows all vendors together, so it is for the operator's own people. */
export const resources = [...vendorResources, "operations"] as const;

/** One part of the API that access is granted to. */
export type Resource = (typeof resources)[number];

/** The resource of a route by its fixed segments, the most specific first. */
const resourcesBySegment: readonly (readonly [segment: string, resource: Resource])[] = [
  ["golfer_byaccesstoken", "golfer-by-token"],
  ["golfer", "golfer"],
  ["memberships", "records"],
  ["exchangedscorecards", "scorecards"],
  ["scorecardexchange", "scorecards"],
  ["activity", "scorecards"],
  ["webhooks", "scorecards"],
  ["operations", "operations"],
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

/** How API Gateway counts an account's requests. */
export interface AccountUsage {
  /** Name of the usage plan. */
  readonly plan: string;
  /** The key that requests are counted by; it grants no access. */
  readonly key: string;
  /** API Gateway's own id of the key. */
  readonly keyId: string;
}

/** A vendor's API account. */
export interface Account {
  readonly username: string;
  readonly apiSet: ApiSet;
  readonly resources: readonly Resource[];
  /** As `hashPassword` gives it. */
  readonly passwordHash: string;
  readonly disabled: boolean;
  /** Without it API Gateway accepts no request of the account. */
  readonly usage?: AccountUsage | undefined;
}

/** Parses an account of the account table. */
export const accountSchema = z.object({
  username: z.string(),
  apiSet: apiSetSchema,
  resources: z.array(z.enum(resources)),
  passwordHash: z.string(),
  disabled: z.boolean(),
  usage: z.optional(z.object({ plan: z.string(), key: z.string(), keyId: z.string() })),
});
