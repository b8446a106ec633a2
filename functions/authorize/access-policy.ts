import { type Route, routes } from "../../api/routes.ts";
import { type Account, type Resource, resources } from "../../core/accounts/account.ts";

/** A statement of an IAM policy for API Gateway. */
export interface AccessStatement {
  readonly Effect: "Allow" | "Deny";
  readonly Action: "execute-api:Invoke";
  readonly Resource: string[];
}

/** Segments of a path in a policy: `?` for each capital letter, since fixed segments also work in lower case; `*` for a parameter. */
const toPatternSegments = (path: string): string[] =>
  path
    .slice(1)
    .split("/")
    .map((segment) => {
      if (segment === "{apiset}") return segment;
      return segment.startsWith("{") ? "*" : segment.replaceAll(/[A-Z]/g, "?");
    });

/** The patterns of each resource's routes, in the order of the table; what `scorecards` only reads is under `scorecards:read`. */
function patternsByResource(toPattern: (route: Route) => string): ReadonlyMap<Resource, readonly string[]> {
  const patterns = new Map<Resource, string[]>();
  for (const route of Object.values<Route>(routes)) {
    const resource = route.readResource ?? route.resource;
    if (resource === undefined) continue;
    const known = patterns.get(resource) ?? [];
    if (known.length === 0) patterns.set(resource, known);
    known.push(toPattern(route));
  }
  return patterns;
}

const exactPatterns = patternsByResource((route) =>
  [route.method, ...toPatternSegments(route.path)].join("/"),
);

/** Methods and paths of each resource. A `*` serves for a path and those below it, since a policy may have 8 KB. */
const allowedPatterns: ReadonlyMap<Resource, readonly string[]> = new Map(
  [...exactPatterns].map(([resource, patterns]) => {
    const hasMoreBelow = (pattern: string) => patterns.some((other) => other.startsWith(`${pattern}/`));
    return [
      resource,
      withoutReached(patterns.map((pattern) => (hasMoreBelow(pattern) ? `${pattern}*` : pattern))),
    ];
  }),
);

/** Patterns without those that another one reaches, each once. */
function withoutReached(patterns: readonly string[]): string[] {
  return [...new Set(patterns)].filter(
    (pattern, _, all) =>
      !all.some(
        (other) => other !== pattern && other.endsWith("*") && pattern.startsWith(other.slice(0, -1)),
      ),
  );
}

/** The paths of each resource, also with empty segments in between: how API Gateway writes those in an ARN is not documented. */
const loosePatterns = patternsByResource(({ method, path }) => {
  const [apiSet, root, ...below] = toPatternSegments(path);
  return [`${method}/${apiSet}/${root}/`, ...below.filter((segment) => segment !== "*")].join("*");
});

/** What denies a resource by name. Golfer is the beginning of Golfer_ByAccessToken, which may be granted. */
function deniedPatterns(resource: Resource, granted: readonly Resource[]): string[] {
  const kept = granted.flatMap((other) => loosePatterns.get(other) ?? []);
  return [...new Set(loosePatterns.get(resource))].flatMap((pattern) =>
    kept.some((other) => other.startsWith(pattern)) ? [pattern, `${pattern}/*`] : `${pattern}*`,
  );
}

/** Whether allowed patterns also reach paths of a resource: `?lubs*` reaches every path below Clubs. */
function areReached(resource: Resource, allowed: readonly string[]): boolean {
  const paths = exactPatterns.get(resource) ?? [];
  const begins = allowed.filter((pattern) => pattern.indexOf("*") === pattern.length - 1);
  return begins.some((pattern) => paths.some((path) => path.startsWith(pattern.slice(0, -1))));
}

/**
 * An API set as it was given, in lower and in upper case: the union minds no case. Wildcards would let every spelling through,
 * but also other vendors' API sets of the same length, and then only the function would refuse them.
 */
const toSpellings = (apiSet: string) => {
  // Some clients write the @ of an e-mail address as %40. What else matches, each function refuses.
  const pattern = apiSet.replaceAll(/[@+=]/g, "*");
  return [...new Set([pattern, pattern.toLowerCase(), pattern.toUpperCase()])];
};

/**
 * The policy of an account: exactly its API set and its resources, whatever path was requested, so that API Gateway may cache
 * it for all of the vendor's requests.
 *
 * @param methodArn `arn:…:execute-api:{region}:{account}:{api}/{stage}/{method}/{path}`
 */
export function accessPolicy(account: Account, methodArn: string): AccessStatement[] {
  const [deployed = "", stage] = methodArn.split("/");
  // The API's ID says which API it is; its region and account would be repeated 60 times in the policy's 8 KB.
  const api = deployed.replace(/:[^:]+:\d+:(?=[^:]*$)/, ":*:*:");
  const Action = "execute-api:Invoke";
  const spellings = toSpellings(account.apiSet);
  const toArns = (patterns: readonly string[]) =>
    patterns
      .flatMap((path) =>
        path.includes("{apiset}") ? spellings.map((apiSet) => path.replace("{apiset}", apiSet)) : path,
      )
      .map((path) => `${api}/${stage}/${path}`);
  const granted = [
    ...account.resources,
    ...(account.resources.includes("scorecards") ? (["scorecards:read"] as const) : []),
  ];
  const allowed = withoutReached(granted.flatMap((resource) => allowedPatterns.get(resource) ?? []));
  const denied = resources
    .filter((resource) => !granted.includes(resource) && areReached(resource, allowed))
    .flatMap((resource) => deniedPatterns(resource, granted));
  if (allowed.length === 0) return [{ Effect: "Deny", Action, Resource: [`${api}/*`] }];
  const allow = { Effect: "Allow", Action, Resource: toArns(allowed) } as const;
  return denied.length === 0
    ? [allow]
    : [allow, { Effect: "Deny", Action, Resource: toArns([...new Set(denied)]) }];
}
