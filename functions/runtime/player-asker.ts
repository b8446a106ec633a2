import type { ApiSet } from "../../core/accounts/account.ts";
import type { AskForPlayer } from "../../core/players/ask-for-players.ts";
import { CredentialsUnavailableError, type UnionAccounts } from "../../core/union/account-secrets.ts";
import { memberRegister } from "../../core/union/member-register.ts";

/**
 * Makes the function that asks the union for players with a vendor's own account.
 *
 * @param secretPrefix of the names of the vendors' secrets
 * @returns undefined if the vendor's credentials cannot be read
 */
export function playerAsker(unionBaseAddress: string, secretPrefix: string, accounts: UnionAccounts) {
  return async (apiSet: ApiSet): Promise<AskForPlayer | undefined> => {
    try {
      const account = await accounts.get(secretPrefix + apiSet);
      return (unionId, timeout) =>
        memberRegister(unionBaseAddress, timeout).byNumbers(account, { unionId }, undefined);
    } catch (error) {
      if (error instanceof CredentialsUnavailableError) return undefined;
      throw error;
    }
  };
}
