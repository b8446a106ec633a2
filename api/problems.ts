import * as z from "zod/mini";
import { knownValues } from "../core/formats/known-values.ts";
import { type Finding, faultCodes, warningCodes } from "../core/golf/findings.ts";
import type { Shape } from "./schema.ts";

/** Types of problems that need more than a status. docs/faults.md says what to do about each. */
export const problemTypes = [
  "urn:scorecards:problem:invalid-cards",
  "urn:scorecards:problem:too-large",
  "urn:scorecards:problem:try-again",
  "urn:scorecards:problem:token-refused",
  "urn:scorecards:problem:union-forbids",
  "urn:scorecards:problem:union-credentials",
  "urn:scorecards:problem:union-unavailable",
  "urn:scorecards:problem:cursor-gone",
] as const satisfies readonly `urn:scorecards:problem:${string}`[];

/** Type of a problem: `about:blank` if the status says it all. */
export type ProblemType = "about:blank" | (typeof problemTypes)[number];

const whole = z.int();

/** A fault or a warning of one card. */
export const findingSchema = z
  .object({
    index: whole.check(z.describe("Index of the card in the array, from 0.")),
    externalId: z.exactOptional(z.string()),
    pointer: z.string().check(z.describe("JSON pointer into the card; empty for the whole card.")),
    code: knownValues([...faultCodes, ...warningCodes]).check(
      z.describe("One of those in docs/faults.md; others may be added at any time."),
    ),
    detail: z.string().check(z.describe("What is wrong and what to change.")),
    expected: z.optional(z.unknown()).check(z.describe("What would be right: any JSON value.")),
    received: z.optional(z.unknown()).check(z.describe("What was sent: any JSON value.")),
  })
  .check(z.meta({ id: "Finding" })) satisfies z.ZodMiniType<Finding>;

const parameterFaultSchema = z
  .object({
    parameter: z.string(),
    detail: z.string(),
    received: z.exactOptional(z.string()).check(z.describe("Absent if it may be a person's number.")),
  })
  .check(z.meta({ id: "ParameterFault" }));

/** Every response that is not a success. */
export const problemSchema = z
  .looseObject({
    type: knownValues(["about:blank", ...problemTypes]).check(
      z.describe(
        "Type of the problem; about:blank if the status says it all. Others may be added at any time.",
      ),
    ),
    title: z.string(),
    status: z.int().check(z.minimum(400), z.maximum(599)),
    detail: z.string().check(z.describe("What happened and what to do.")),
    errors: z.exactOptional(z.array(findingSchema)).check(z.describe("One entry per fault of a card.")),
    errorsLeftOut: z
      .exactOptional(whole)
      .check(z.describe("Number of faults that do not fit into the response.")),
    limit: z.exactOptional(z.string()).check(z.describe("The limit that the request exceeds.")),
    parameters: z
      .exactOptional(z.array(parameterFaultSchema))
      .check(z.describe("Every query parameter with a value that is not allowed.")),
  })
  .check(z.meta({ id: "Problem", description: "RFC 9457, Problem Details for HTTP APIs." }));
/** An error as a document for programs and people. @see RFC 9457, Problem Details for HTTP APIs */
export type Problem = Shape<typeof problemSchema>;
