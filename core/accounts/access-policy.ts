import { type Account, type Resource, resources } from "./account.ts";

/** One statement of an IAM policy for API Gateway. */
export interface AccessStatement {
  readonly Effect: "Allow" | "Deny";
  readonly Action: "execute-api:Invoke";
  readonly Resource: string[];
}

type Patterns = Record<Resource, readonly string[]>;

/**
 * Methods and paths of each resource below the API set. `?` stands for the one letter whose case varies, since
 * every fixed path segment works as written and in lower case.
 */
const paths: Patterns = {
  clubs: ["GET/{apiset}/?lubs", "GET/{apiset}/?lubs/*"],
  courses: ["GET/{apiset}/?lubs/*/?ourses", "GET/{apiset}/?lubs/*/?ourses/*"],
  golfer: ["GET/{apiset}/?lubs/?olfer"],
  "golfer-by-token": ["GET/{apiset}/?lubs/?olfer_?y?ccess?oken"],
  scorecards: [
    "GET/{apiset}/?corecard?xchange",
    "POST/{apiset}/?corecard?xchange",
    "GET/{apiset}/?corecard?xchange/*",
    "POST/{apiset}/?corecard?xchange/*",
    "DELETE/{apiset}/?corecard?xchange/*",
    "POST/{apiset}/?lubs/?embers/?xchanged?corecards",
  ],
};

/**
 * `clubs` allows every path below Clubs, so what lies there and is not granted is denied by name, also with empty
 * segments around it: what API Gateway makes of those in an ARN is not documented.
 */
const belowClubs: Patterns = {
  clubs: [],
  courses: ["GET/{apiset}/?lubs/*ourses*"],
  golfer: ["GET/{apiset}/?lubs/*olfer", "GET/{apiset}/?lubs/*olfer/*"],
  "golfer-by-token": ["GET/{apiset}/?lubs/*olfer_*"],
  scorecards: [],
};

/**
 * The policy of an account: exactly its API set and its resources, whatever path was asked for, so that API
 * Gateway may keep the answer for all of the vendor's requests.
 *
 * @param methodArn `arn:…:execute-api:{region}:{account}:{api}/{stage}/{method}/{path}`
 */
export function accessPolicy(account: Account, methodArn: string): AccessStatement[] {
  const [api, stage] = methodArn.split("/");
  const statement = (
    Effect: "Allow" | "Deny",
    patterns: Patterns,
    of: readonly Resource[],
  ): AccessStatement[] => {
    const arns = of
      .flatMap((resource) => patterns[resource])
      .map((path) => `${api}/${stage}/${path.replace("{apiset}", account.apiSet)}`);
    return arns.length === 0 ? [] : [{ Effect, Action: "execute-api:Invoke", Resource: arns }];
  };
  const withheld = resources.filter((resource) => !account.resources.includes(resource));
  const allowed = statement("Allow", paths, account.resources);
  if (allowed.length === 0) return [{ Effect: "Deny", Action: "execute-api:Invoke", Resource: [`${api}/*`] }];
  return account.resources.includes("clubs")
    ? [...allowed, ...statement("Deny", belowClubs, withheld)]
    : allowed;
}
