import { type Account, type Resource, resources } from "../../core/accounts/account.ts";
import { readApiSet } from "../../core/accounts/api-set.ts";
import { hashPassword, newPassword } from "../../core/accounts/password.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { PlanName, TargetStage } from "../target.ts";
import type { Terminal } from "../terminal.ts";
import { accountOffice } from "./account-office.ts";
import { needsUnionCredentials, readUnionCredentials, type UnionOptions } from "./union-credentials.ts";

/** Options of `scorecards account add`. */
export interface AddOptions extends UnionOptions {
  readonly stage: TargetStage;
  readonly apiSet?: string;
  /** All where it is left out. */
  readonly resources?: readonly Resource[];
  readonly plan: PlanName;
  readonly json?: true;
}

/**
 * `scorecards account add USERNAME`: stores the vendor's credentials at the union, makes the key that it is counted by,
 * and adds the account last, so that an account that exists is complete. What an interrupted run has left is used by
 * the next.
 */
export async function addCommand(
  username: string,
  options: AddOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  // A colon ends the user name in HTTP Basic.
  if (!/^[^:\p{Cc}]{1,64}$/u.test(username))
    throw new Error("A user name has 1 to 64 characters and no colon.");
  const apiSet = readApiSet(options.apiSet ?? username);
  if (apiSet === undefined) {
    throw new Error(
      "An API set has 1 to 64 letters, digits, dots, dashes or underscores: give one by --api-set.",
    );
  }
  const granted = options.resources ?? resources;
  const office = await accountOffice(options.stage);
  for (const other of await office.accounts.list()) {
    if (other.username === username) throw new Error(`There is an account ${username} already.`);
    if (other.apiSet === apiSet) throw new Error(`The API set ${apiSet} is that of ${other.username}.`);
  }
  if (needsUnionCredentials(granted)) {
    await office.putSecret(apiSet, await readUnionCredentials({ username, apiSet }, options, process.env));
  }

  const password = newPassword();
  const usage = await office.createKey(username, options.plan);
  const passwordHash = hashPassword(password);
  const account: Account = { username, apiSet, resources: granted, passwordHash, disabled: false, usage };
  await office.accounts.put(account);

  const { api } = office;
  if (options.json) {
    const { plan } = options;
    terminal.json({ username, password, apiSet, resources: granted, plan, api });
  } else {
    terminal.result(`User name       ${username}`);
    terminal.result(`Password        ${password}   (shown this once)`);
    terminal.result(`Base address    ${api}`);
    terminal.result(`API set         ${apiSet}`);
    terminal.result(`Vendor address  ${api}/${apiSet}`);
    terminal.result(`May use         ${granted.join(", ")}`);
    terminal.result(`Usage plan      ${options.plan}`);
  }
  return exitCode.done;
}
