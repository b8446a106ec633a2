import { type Account, type Resource, resources } from "../core/account/account.ts";
import { type ApiSet, readApiSet } from "../core/account/api-set.ts";
import { hashPassword } from "../core/account/password.ts";
import type { AccountTable } from "../core/store/accounts.ts";

/** A vendor account of the local run, with its password in clear: it opens nothing anywhere else. */
export interface DemoAccount {
  readonly username: string;
  readonly password: string;
  readonly apiSet: string;
  readonly resources: readonly Resource[];
}

const account = (username: string, granted: readonly Resource[]): DemoAccount => ({
  username,
  password: `${username}-demo`,
  apiSet: username,
  resources: granted,
});

/** Two vendors with everything, and one that only reads clubs and courses. */
export const demoVendors: readonly DemoAccount[] = [
  account("greens-app", resources),
  account("fairway-live", resources),
  account("course-guide", ["clubs", "courses"]),
];

/** The account with which the pipeline itself reads clubs and courses at the union. */
export const demoMirror: DemoAccount = account("pipeline-mirror", ["clubs", "courses"]);

/** Puts the demo vendors into the account table. */
export async function createDemoVendors(table: AccountTable): Promise<void> {
  await Promise.all(
    demoVendors.map(async ({ username, password, apiSet, resources: granted }) => {
      const known: Account = {
        username,
        apiSet: readApiSet(apiSet) as ApiSet,
        resources: granted,
        passwordHash: await hashPassword(password),
        disabled: false,
      };
      await table.put(known);
    }),
  );
}

/** The secrets that the demo accounts have at the union, by name. */
export function demoSecrets(stage: string): Record<string, string> {
  const secret = ({ username, password, apiSet }: DemoAccount) =>
    JSON.stringify({ username, password, apiSet, token: "" });
  const vendors = demoVendors.map((vendor) => [
    `scorecards/${stage}/vendor/${vendor.apiSet}`,
    secret(vendor),
  ]);
  return { ...Object.fromEntries(vendors), [`scorecards/${stage}/mirror`]: secret(demoMirror) };
}
