import { demoAccounts, type StandInAccount } from "@scorecard-pipeline/stand-in";
import {
  type Account,
  type AccountClub,
  type ApiSet,
  type Resource,
  readApiSet,
  vendorResources,
} from "../../core/accounts/account.ts";
import type { AccountTable } from "../../core/accounts/account-table.ts";
import { hashPassword } from "../../core/accounts/password.ts";
import type { UsageKeys } from "../../core/accounts/usage-keys.ts";

/** A vendor account of the local run. Its password is public: the account exists nowhere else. */
export interface DemoAccount {
  readonly username: string;
  readonly password: string;
  readonly apiSet: string;
  readonly resources: readonly Resource[];
  readonly club?: AccountClub | undefined;
}

/** The union accounts of the pipeline itself, and the names of their secrets. */
const ownAccounts: ReadonlyMap<string, string> = new Map([
  ["pipeline-mirror", "mirror"],
  ["pipeline-records", "records"],
]);

const asVendor = ({ username, password, apiSet, resources: granted }: StandInAccount): DemoAccount => ({
  username,
  password,
  apiSet,
  resources: granted ?? vendorResources,
});

/** Two vendors with all resources, and one with clubs and courses only. The stand-in has the same accounts. */
export const demoVendors: readonly DemoAccount[] = demoAccounts
  .filter(({ username }) => !ownAccounts.has(username))
  .map(asVendor);

/** An account of an operator, to look at all vendors together. The union does not know it. */
export const demoOperator: DemoAccount = {
  username: "operator",
  password: "operator-demo",
  apiSet: "operator",
  resources: ["operations"],
};

/** The plan of the demo vendors: the sample needs as many requests as a tournament system. */
const demoPlan = "tournament";

/**
 * Adds vendors to the account table, each with its own API key.
 *
 * @param planId API Gateway's id of the usage plan `tournament`
 */
export async function createVendors(
  vendors: readonly DemoAccount[],
  table: AccountTable,
  keys: UsageKeys,
  planId: string,
): Promise<void> {
  await Promise.all(
    vendors.map(async ({ username, password, apiSet, resources: granted, club }) => {
      const known: Account = {
        username,
        apiSet: readApiSet(apiSet) as ApiSet,
        resources: granted,
        club,
        passwordHash: hashPassword(password),
        disabled: false,
        usage: await keys.create(`demo-${username}`, demoPlan, planId),
      };
      await table.put(known);
    }),
  );
}

/** Credentials of accounts at the union, by the name of their secret. */
export function unionSecrets(stage: string, accounts: readonly StandInAccount[]): Record<string, string> {
  const secret = ({ username, password, apiSet }: StandInAccount) =>
    JSON.stringify({ username, password, apiSet, token: "" });
  const named = accounts.map((account) => {
    const name = ownAccounts.get(account.username) ?? `vendor/${account.apiSet}`;
    return [`scorecards/${stage}/${name}`, secret(account)];
  });
  return Object.fromEntries(named);
}
