import * as z from "zod/mini";
import { type ApiSet, apiSetSchema } from "./api-set.ts";

/** The parts of the API that an account may use, as its page at the union lists them. */
export const resources = ["clubs", "courses", "golfer", "golfer-by-token", "scorecards"] as const;

/** One part of the API that access is granted to. */
export type Resource = (typeof resources)[number];

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
