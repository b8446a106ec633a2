import type { Account, Resource } from "./account.ts";

/** One statement of an IAM policy for API Gateway. */
export interface AccessStatement {
  readonly Effect: "Allow" | "Deny";
  readonly Action: "execute-api:Invoke";
  readonly Resource: string[];
}

/**
 * Methods and paths of each resource below the API set. `?` stands for the one letter whose case varies, since
 * every fixed path segment works as written and in lower case.
 */
const paths: Record<Resource, readonly string[]> = {
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

/** `clubs` allows every path below Clubs, so what lies there and is not granted is denied by name. */
const belowClubs: readonly Resource[] = ["courses", "golfer", "golfer-by-token"];

/**
 * The policy of an account: exactly its API set and its resources, whatever path was asked for, so that API
 * Gateway may keep the answer for all of the vendor's requests.
 *
 * @param methodArn `arn:…:execute-api:{region}:{account}:{api}/{stage}/{method}/{path}`
 */
export function accessPolicy(account: Account, methodArn: string): AccessStatement[] {
  const [api, stage] = methodArn.split("/");
  const arns = (resource: Resource) =>
    paths[resource].map((path) => `${api}/${stage}/${path.replace("{apiset}", account.apiSet)}`);
  const statement = (Effect: "Allow" | "Deny", granted: readonly Resource[]): AccessStatement[] =>
    granted.length === 0 ? [] : [{ Effect, Action: "execute-api:Invoke", Resource: granted.flatMap(arns) }];
  const withheld = belowClubs.filter((resource) => !account.resources.includes(resource));
  const allowed = statement("Allow", account.resources);
  if (allowed.length === 0) return [{ Effect: "Deny", Action: "execute-api:Invoke", Resource: [`${api}/*`] }];
  return account.resources.includes("clubs") ? [...allowed, ...statement("Deny", withheld)] : allowed;
}
