import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type ApiSet, readApiSet } from "../../core/accounts/account.ts";
import { accountTable } from "../../core/accounts/account-table.ts";
import type { Target, TargetStage } from "./target.ts";
import { typedCommand } from "./typed-command.ts";

/**
 * Reads the API sets of a stage's accounts, or the one that is named.
 *
 * @throws Error if no account has it
 */
export async function knownApiSets(
  { outputs }: Target,
  client: DynamoDBClient,
  { vendor: named, stage }: { readonly vendor?: string; readonly stage: TargetStage },
): Promise<readonly ApiSet[]> {
  const accounts = await accountTable(outputs.AccountTableName, client).list();
  const known = [...new Set(accounts.map(({ apiSet }) => apiSet))];
  if (named === undefined) return known;
  const apiSet = readApiSet(named);
  if (apiSet === undefined || !known.includes(apiSet)) {
    const list = typedCommand("account list", stage);
    throw new Error(`No account has the API set ${named}. Run \`${list}\` to see the accounts.`);
  }
  return [apiSet];
}
