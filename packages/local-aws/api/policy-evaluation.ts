import * as z from "zod";

/** `*` matches any number of characters, also slashes, and `?` exactly one. */
function compiled(pattern: string, flags = ""): RegExp {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${expression}$`, `s${flags}`);
}

/** Patterns are compiled here: an authorizer's policy is cached, and evaluated for each request. */
const patterns = (flags = "") =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => [value].flat().map((pattern) => compiled(pattern, flags)));

const statementSchema = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(["Allow", "Deny"]),
  Action: patterns("i"),
  Resource: patterns(),
});

/** A policy in the part of IAM's language that the local run supports; a condition is an error, not ignored. */
export const policySchema = z.strictObject({
  Version: z.string().optional(),
  Id: z.string().optional(),
  Statement: z
    .union([statementSchema, z.array(statementSchema)])
    .transform((value): z.output<typeof statementSchema>[] => [value].flat()),
});

/** A policy, with its statements as a list, and its actions and resources as expressions. */
type Policy = z.output<typeof policySchema>;

/**
 * Evaluates a policy for an action on a resource by IAM's rules: a matching Deny overrides every Allow, and without a
 * matching Allow the action is implicitly denied.
 *
 * @param action such as execute-api:Invoke; its case does not matter
 * @param resource ARN
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function evaluatePolicy(
  policy: Policy,
  action: string,
  resource: string,
): "allow" | "deny" | "implicit deny" {
  const effects = policy.Statement.filter(
    ({ Action, Resource }) =>
      Action.some((pattern) => pattern.test(action)) && Resource.some((pattern) => pattern.test(resource)),
  ).map(({ Effect }) => Effect);
  if (effects.includes("Deny")) return "deny";
  return effects.includes("Allow") ? "allow" : "implicit deny";
}
