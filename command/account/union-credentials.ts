import type { Account, Resource } from "../../core/accounts/account.ts";
import type { UnionAccount } from "../../core/union/account-secrets.ts";
import { askFor } from "../base/ask-for.ts";
import { commandProcess } from "../base/command-process.ts";
import type { AccountAdmin } from "./account-admin.ts";

/** Options for a vendor's account at the union. */
export interface UnionOptions {
  /** By default the vendor's user name here. */
  readonly unionUsername?: string;
  /** By default the vendor's API set here. */
  readonly unionApiSet?: string;
}

/** Resources that the pipeline uses at the union in the vendor's name. */
const actsAtUnion: ReadonlySet<Resource> = new Set(["scorecards", "golfer", "golfer-by-token", "records"]);

const needsCredentials = ({ resources }: Pick<Account, "resources">) =>
  resources.some((resource) => actsAtUnion.has(resource));

/** Reads and stores credentials at the union if an account needs them, and none of its API set has so far. Accounts of one share them. */
export async function storeUnionCredentials(
  account: Pick<Account, "username" | "apiSet" | "resources">,
  known: readonly Account[],
  options: UnionOptions,
  { putSecret }: Pick<AccountAdmin, "putSecret">,
): Promise<void> {
  if (needsCredentials(account) && !known.some(needsCredentials))
    await putSecret(account.apiSet, await readUnionCredentials(account, options));
}

/**
 * Reads a vendor's credentials at the union: the password from SCORECARDS_UNION_PASSWORD, else from the first line of
 * stdin, without echo on a terminal; the token, if there is one, from SCORECARDS_UNION_TOKEN.
 *
 * @throws Error if there is no password
 */
export async function readUnionCredentials(
  vendor: { readonly username: string; readonly apiSet: string },
  { unionUsername, unionApiSet }: UnionOptions,
): Promise<UnionAccount> {
  const { SCORECARDS_UNION_PASSWORD, SCORECARDS_UNION_TOKEN: token = "" } = commandProcess().env;
  const username = unionUsername ?? vendor.username;
  const password = SCORECARDS_UNION_PASSWORD ?? (await askFor(`Password of ${username} at the union: `));
  if (password === "") {
    throw new Error(
      "The vendor's password at the union is missing. Set SCORECARDS_UNION_PASSWORD, or pass it on stdin.",
    );
  }
  return { username, password, unionApiSet: unionApiSet ?? vendor.apiSet, token };
}
