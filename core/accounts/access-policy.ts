import { type Account, type Resource, resources } from "./account.ts";

/** A statement of an IAM policy for API Gateway. */
export interface AccessStatement {
  readonly Effect: "Allow" | "Deny";
  readonly Action: "execute-api:Invoke";
  readonly Resource: string[];
}

type Patterns = Record<Resource, readonly string[]>;

/**
 * Methods and paths of each resource. `?` is a letter whose case varies: fixed segments work as written and in lower case. `??T` is GET
 * and PUT; a `*` there would also match slashes, and so paths of other vendors. A `*` at the end serves for a path and those below
 * it, since a policy may have 8 KB.
 */
const paths: Patterns = {
  clubs: ["GET/{apiset}/?lubs", "GET/{apiset}/?lubs/*"],
  courses: ["GET/{apiset}/?lubs/*/?ourses", "GET/{apiset}/?lubs/*/?ourses/*"],
  golfer: ["GET/{apiset}/?lubs/?olfer"],
  "golfer-by-token": ["GET/{apiset}/?lubs/?olfer_?y?ccess?oken"],
  scorecards: [
    "GET/{apiset}/?corecard?x*",
    "POST/{apiset}/?corecard?x*",
    "DELETE/{apiset}/?corecard?xchange/*",
    "POST/{apiset}/?lubs/?embers/?xchanged?corecards",
    "GET/{apiset}/?ctivity",
    "GET/{apiset}/Refusals",
    "??T/{apiset}/Tournament*",
    "DELETE/{apiset}/Tournament*",
    "GET/{apiset}/Events",
    "??T/{apiset}/?ebhook*",
    "POST/{apiset}/?ebhook*",
    "DELETE/{apiset}/?ebhook*",
  ],
  records: ["GET/{apiset}/?lubs/*/?emberships/?corecards"],
  operations: ["GET/?perations/*"],
};

/**
 * `clubs` allows every path below Clubs, so resources there that are not granted are denied by name, also with empty segments
 * around it: how API Gateway writes those in an ARN is not documented.
 */
const belowClubs: Patterns = {
  clubs: [],
  courses: ["GET/{apiset}/?lubs/*ourses*"],
  golfer: ["GET/{apiset}/?lubs/*olfer", "GET/{apiset}/?lubs/*olfer/*"],
  "golfer-by-token": ["GET/{apiset}/?lubs/*olfer_*"],
  scorecards: [],
  records: ["GET/{apiset}/?lubs/*emberships*"],
  operations: [],
};

/**
 * An API set as it was given, in lower and in upper case: the union minds no case. Wildcards would let every spelling through,
 * but also other vendors' API sets of the same length, and then only the function would refuse them.
 */
const spellingsOf = (apiSet: string) => [...new Set([apiSet, apiSet.toLowerCase(), apiSet.toUpperCase()])];

/**
 * The policy of an account: exactly its API set and its resources, whatever path was requested, so that API Gateway may cache
 * it for all of the vendor's requests.
 *
 * @param methodArn `arn:…:execute-api:{region}:{account}:{api}/{stage}/{method}/{path}`
 */
export function accessPolicy(account: Account, methodArn: string): AccessStatement[] {
  const [api, stage] = methodArn.split("/");
  const Action = "execute-api:Invoke";
  const spellings = spellingsOf(account.apiSet);
  const arns = (patterns: Patterns, of: readonly Resource[]) =>
    of
      .flatMap((resource) => patterns[resource])
      .flatMap((path) =>
        path.includes("{apiset}") ? spellings.map((apiSet) => path.replace("{apiset}", apiSet)) : path,
      )
      .map((path) => `${api}/${stage}/${path}`);
  const withheld = resources.filter((resource) => !account.resources.includes(resource));
  const allowed = arns(paths, account.resources);
  const denied = account.resources.includes("clubs") ? arns(belowClubs, withheld) : [];
  if (allowed.length === 0) return [{ Effect: "Deny", Action, Resource: [`${api}/*`] }];
  const allow = { Effect: "Allow", Action, Resource: allowed } as const;
  return denied.length === 0 ? [allow] : [allow, { Effect: "Deny", Action, Resource: denied }];
}
