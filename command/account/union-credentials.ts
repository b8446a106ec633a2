import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Resource } from "../../core/accounts/account.ts";
import type { UnionAccount } from "../../core/union/account.ts";
import { printable } from "../terminal.ts";

/** What is not secret about a vendor's account at the union. */
export interface UnionOptions {
  /** Where it is not the vendor's user name here. */
  readonly unionUsername?: string;
  /** Where it is not the vendor's API set here. */
  readonly unionApiSet?: string;
}

/** What is done at the union in the vendor's name. */
const actsAtUnion: ReadonlySet<Resource> = new Set(["scorecards", "golfer", "golfer-by-token"]);

/** Whether an account with these resources needs credentials at the union. */
export function needsUnionCredentials(resources: readonly Resource[]): boolean {
  return resources.some((resource) => actsAtUnion.has(resource));
}

/**
 * A vendor's credentials at the union: the password from SCORECARDS_UNION_PASSWORD, else asked for on a terminal
 * without being shown, else the first line of stdin. A token, for those that have one, from SCORECARDS_UNION_TOKEN.
 *
 * @throws Error where there is no password
 */
export async function readUnionCredentials(
  vendor: { readonly username: string; readonly apiSet: string },
  { unionUsername, unionApiSet }: UnionOptions,
  environment: NodeJS.ProcessEnv,
): Promise<UnionAccount> {
  const username = unionUsername ?? vendor.username;
  const password =
    environment.SCORECARDS_UNION_PASSWORD ?? (await askFor(`Password of ${username} at the union: `));
  if (password === "") {
    throw new Error(
      "The vendor's password at the union is needed: in SCORECARDS_UNION_PASSWORD or on stdin.",
    );
  }
  const token = environment.SCORECARDS_UNION_TOKEN ?? "";
  return { username, password, unionApiSet: unionApiSet ?? vendor.apiSet, token };
}

/** One line of stdin; on a terminal what is typed is not shown. */
async function askFor(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isTerminal) process.stderr.write(printable(question));
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  try {
    for await (const line of lines) return line.trim();
    return "";
  } finally {
    lines.close();
    if (isTerminal) process.stderr.write("\n");
  }
}
