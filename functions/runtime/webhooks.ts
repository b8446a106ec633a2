import * as z from "zod/mini";
import { readSettings } from "./read-settings.ts";

/** The endpoint's time for all of a post, in milliseconds. */
export const postTimeout = 10_000;

/**
 * Whether the function runs on a developer's machine, where endpoints on that machine are allowed. SAM's name for that; AWS lets
 * nobody set a variable that begins with AWS_.
 */
export const isLocalRun: boolean =
  readSettings({ AWS_SAM_LOCAL: z.optional(z.string()) }).AWS_SAM_LOCAL === "true";
