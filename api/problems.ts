import * as z from "zod/mini";
import { knownValues } from "../core/formats/known-values.ts";
import { type Finding, faultCodes, warningCodes } from "../core/golf/findings.ts";
import { defineObject, describe, optional, type Shape, whole } from "./schema.ts";

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

/** The code of a fault. */
export const faultCode = describe(
  knownValues<string>([...faultCodes]),
  "One of the faults in docs/faults.md; others may be added at any time.",
);
/** The code of a warning. */
export const warningCode = knownValues<string>([...warningCodes]);

/** A fault or a warning of one card. */
export const findingSchema = defineObject("Finding", {
  index: describe(whole, "Index of the card in the array, from 0."),
  externalId: z.exactOptional(z.string()),
  pointer: describe(z.string(), "JSON pointer into the card; empty for the whole card."),
  code: describe(
    knownValues([...faultCodes, ...warningCodes]),
    "One of those in docs/faults.md; others may be added at any time.",
  ),
  detail: describe(z.string(), "What is wrong and what to change."),
  expected: describe(z.optional(z.unknown()), "What would be right: any JSON value."),
  received: describe(z.optional(z.unknown()), "What was sent: any JSON value."),
}) satisfies z.ZodMiniType<Finding>;

const parameterFaultSchema = defineObject("ParameterFault", {
  parameter: z.string(),
  detail: z.string(),
  received: optional(z.string(), "Absent if it may be a person's number."),
});

/** Every response that is not a success. */
export const problemSchema = z
  .looseObject({
    type: describe(
      knownValues(["about:blank", ...problemTypes]),
      "Type of the problem; about:blank if the status says it all. Others may be added at any time.",
    ),
    title: z.string(),
    status: z.int().check(z.minimum(400), z.maximum(599)),
    detail: describe(z.string(), "What happened and what to do."),
    errors: optional(z.array(findingSchema), "One entry per fault of a card."),
    errorsLeftOut: optional(whole, "Number of faults that do not fit into the response."),
    limit: optional(z.string(), "The limit that the request exceeds."),
    parameters: optional(
      z.array(parameterFaultSchema),
      "Every query parameter with a value that is not allowed.",
    ),
  })
  .check(z.meta({ id: "Problem", description: "RFC 9457, Problem Details for HTTP APIs." }));
/** An error as a document for programs and people. @see RFC 9457, Problem Details for HTTP APIs */
export type Problem = Shape<typeof problemSchema>;
