import type { Account } from "../../core/accounts/account.ts";
import { type ApiSet, readApiSet } from "../../core/accounts/account.ts";
import type { TargetStage } from "./target.ts";
import { typedCommand } from "./typed-command.ts";

/**
 * The API sets of a stage's accounts, or the one that is named.
 *
 * @throws Error if no account has it
 */
export function knownApiSets(
  accounts: readonly Account[],
  named: string | undefined,
  stage: TargetStage,
): readonly ApiSet[] {
  const known = [...new Set(accounts.map(({ apiSet }) => apiSet))];
  if (named === undefined) return known;
  const apiSet = readApiSet(named);
  if (apiSet === undefined || !known.includes(apiSet)) {
    const list = typedCommand("account list", stage);
    throw new Error(`No account has the API set ${named}. Run \`${list}\` to see the accounts.`);
  }
  return [apiSet];
}
