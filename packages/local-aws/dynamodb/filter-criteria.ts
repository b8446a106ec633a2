import * as z from "zod";

/** FilterCriteria of an event source mapping in a template. */
export const filterCriteriaSchema = z.strictObject({
  Filters: z.array(z.strictObject({ Pattern: z.string() })),
});

/** A rule on whether a member is there. */
const existenceSchema = z.tuple([z.strictObject({ exists: z.boolean() })]);

type Matches = (value: unknown) => boolean;

/**
 * Compiles filter criteria. A record passes if it matches any of the patterns. A pattern is an object with some of the
 * record's members, each with a list of its allowed values, or with `[{"exists": …}]`.
 *
 * @throws Error for any other pattern
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function readFilterCriteria(criteria: z.output<typeof filterCriteriaSchema>): Matches {
  const patterns = criteria.Filters.map(({ Pattern }) => readPattern(JSON.parse(Pattern), Pattern, ""));
  return (record) => patterns.length === 0 || patterns.some((matches) => matches(record));
}

function readPattern(pattern: unknown, whole: string, path: string): Matches {
  const rule = existenceSchema.safeParse(pattern);
  if (rule.success) return (value) => (value !== undefined) === rule.data[0].exists;
  if (Array.isArray(pattern) && pattern.length > 0 && pattern.every(isScalar)) {
    return (value) => pattern.includes(value);
  }
  if (typeof pattern !== "object" || pattern === null || Array.isArray(pattern)) {
    throw new Error(
      `the filter pattern ${whole} has ${JSON.stringify(pattern)} at ${path || "its root"}. The local run supports only ` +
        'lists of values, such as ["INSERT"], or [{"exists":true}], in objects',
    );
  }
  const members = Object.entries(pattern).map(
    ([name, member]) => [name, readPattern(member, whole, path === "" ? name : `${path}.${name}`)] as const,
  );
  return (value) => {
    const own = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
    return members.every(([name, matches]) => matches(own[name]));
  };
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}
