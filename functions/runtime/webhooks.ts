import * as z from "zod/mini";
import { readSettings } from "./read-settings.ts";

/** The endpoint's time for all of a post, in milliseconds. */
export const postTimeout = 10_000;

/**
 * True on a developer's machine, where endpoints on that machine are allowed. The variable is AWS SAM's; on AWS nobody can set it,
 * since names that begin with AWS_ are reserved.
 */
export const isLocalRun: boolean =
  readSettings({ AWS_SAM_LOCAL: z.optional(z.string()) }).AWS_SAM_LOCAL === "true";

/**
 * The external ID of a vendor, which the trust policy of its role names. It is not the vendor's to choose: a role that trusts us for
 * one vendor is of no use to another one who names it.
 *
 * @param prefix of the stage
 * @see IAM user guide, The confused deputy problem
 */
export const externalIdOf =
  (prefix: string) =>
  (apiSet: string): string =>
    `${prefix}:${apiSet}`;
