import { afterAll } from "vitest";
import type { StandInAccount } from "../../../packages/stand-in/base/account.ts";
import type { UnionCourseVersion } from "../../../packages/stand-in/register/records.ts";
import { type StandIn, type StandInOptions, startStandIn } from "../../../packages/stand-in/stand-in.ts";

/** An account with everything. */
export const vendor: StandInAccount = { username: "acme", password: "secret", apiSet: "acme" };
/** One that may read clubs and courses only. */
export const guide: StandInAccount = {
  username: "guide",
  password: "terces",
  apiSet: "guide",
  resources: ["clubs", "courses"],
};

/** The day on which the unions of these tests begin. */
export const now = new Date("2026-06-17T09:00:00Z");

/** An answer of the union. */
export interface UnionAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed; undefined where it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
  readonly body: any;
}

/** What a request has beside its path; a header that is undefined is not sent. */
export interface UnionRequest {
  readonly method?: string;
  readonly account?: StandInAccount;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** A union for a test, with a small register and any port. */
export function startUnion(options: Partial<StandInOptions> = {}): Promise<StandIn> {
  return startStandIn({
    port: 0,
    seed: 1,
    clubs: 12,
    members: 60,
    accounts: [vendor, guide],
    now: () => now,
    ...options,
  });
}

/** A union for the tests of one file, after which it ends. */
export async function provideUnion(options: Partial<StandInOptions> = {}): Promise<StandIn> {
  const union = await startUnion(options);
  afterAll(() => union.stop());
  return union;
}

/** A course that has been played on for long. */
export function playedCourse({ courses }: Pick<StandIn, "courses">, holes = 18): UnionCourseVersion {
  const found = courses.find(
    ({ IsActive, IsHcpQualifying, NumberOfHoles, ActivationDate }) =>
      IsActive && IsHcpQualifying && NumberOfHoles === holes && ActivationDate < "20260101T000000",
  );
  if (found === undefined) throw new Error("no course");
  return found;
}

/** The credentials of an account as a header. */
export const basic = ({ username, password }: Pick<StandInAccount, "username" | "password">) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

/** Asks a union, with the four headers that every request has. */
export async function ask(
  { address }: Pick<StandIn, "address">,
  path: string,
  { method = "GET", account = vendor, headers = {}, body }: UnionRequest = {},
): Promise<UnionAnswer> {
  const all = {
    Authorization: basic(account),
    "Content-Type": "application/json",
    Accept: "application/json",
    Token: "",
    ...headers,
  };
  const sent = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined);
  const response = await fetch(`${address}${path}`, {
    method,
    headers: sent,
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** Posts cards, or any text, to the exchange. */
export function post(
  standIn: Pick<StandIn, "address">,
  cards: readonly unknown[] | string,
  request: UnionRequest = {},
): Promise<UnionAnswer> {
  const body = typeof cards === "string" ? cards : JSON.stringify(cards);
  const { apiSet } = request.account ?? vendor;
  return ask(standIn, `/${apiSet}/Clubs/Members/ExchangedScorecards`, { method: "POST", body, ...request });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
