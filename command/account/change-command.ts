import { setTimeout } from "node:timers/promises";
import { type Account, type Resource, resources } from "../../core/accounts/account.ts";
import { recentMilliseconds } from "../../core/accounts/find-account.ts";
import { hashPassword, newPassword } from "../../core/accounts/password.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import type { PlanName, TargetStage } from "../base/target.ts";
import { counted, type Terminal } from "../base/terminal.ts";
import { type AccountAdmin, accountAdmin } from "./account-admin.ts";
import { storeUnionCredentials, type UnionOptions } from "./union-credentials.ts";

/** A change of an account. */
export type Change =
  | { readonly kind: "disable" | "enable" }
  | { readonly kind: "password"; readonly overlap: number | undefined }
  | { readonly kind: "grant" | "revoke"; readonly resources: readonly Resource[] }
  | { readonly kind: "plan"; readonly plan: PlanName };

/** Options of the subcommands that change an account. */
export interface ChangeOptions extends UnionOptions {
  /** How long the former password stays valid, in milliseconds. */
  readonly overlap?: number;
  readonly stage: TargetStage;
  readonly json?: true;
}

/** `scorecards account disable|enable|password|grant|revoke|plan USERNAME …`. The change is in effect at once. */
export const changeCommand =
  (change: Change) =>
  async (username: string, options: ChangeOptions, terminal: Terminal): Promise<ExitCode> => {
    const admin = await accountAdmin(options.stage, terminal);
    const account = await admin.find(username);
    const password = change.kind === "password" ? newPassword() : undefined;
    const changed = await applied(admin, account, change, password, options);
    await admin.accounts.change(account, changed);
    // Until the cache is empty, API Gateway may still send the previous key.
    await admin.flushAuthorizerCache();
    // Where the former password was just checked, a new one is refused for that long.
    if (password !== undefined) await setTimeout(recentMilliseconds);
    const isSwitched = change.kind === "disable" || change.kind === "enable";
    const withheld = isSwitched ? await admin.withholdEvents(account.apiSet) : 0;
    if (change.kind === "plan") {
      const { usage } = account;
      if (usage !== undefined && usage.keyId !== changed.usage?.keyId) await admin.keys.remove(usage.keyId);
      await admin.removeOtherKeys(username, change.plan);
    }

    const { disabled, usage } = changed;
    const shown = { username, resources: changed.resources, plan: usage?.plan, disabled };
    if (options.json) terminal.json({ ...shown, ...(password !== undefined && { password }) });
    else {
      const may = disabled ? "is disabled" : `may use ${changed.resources.join(", ") || "nothing"}`;
      terminal.result(`${username} ${may}; usage plan ${usage?.plan ?? "none"}.`);
      if (withheld > 0) {
        terminal.result(
          `Events for its ${counted(withheld, "webhook endpoint")} are kept, and sent once it is enabled. \`account webhooks ${username}\` shows them: remove those that are not the vendor's.`,
        );
      }
      if (password !== undefined) terminal.result(`Password  ${password}   (shown this once)`);
    }
    return exitCode.done;
  };

async function applied(
  admin: AccountAdmin,
  account: Account,
  change: Change,
  password: string | undefined,
  options: ChangeOptions,
): Promise<Account> {
  switch (change.kind) {
    case "disable":
      return { ...account, disabled: true };
    case "enable":
      return { ...account, disabled: false };
    case "password": {
      const passwordHash = hashPassword(password ?? "");
      if (change.overlap === undefined)
        return { ...account, passwordHash, formerPassword: undefined, sessionsFrom: Date.now() };
      const formerPassword = { hash: account.passwordHash, until: Date.now() + change.overlap };
      return { ...account, passwordHash, formerPassword };
    }
    case "plan": {
      if (account.usage?.plan === change.plan) return account;
      return { ...account, usage: await admin.createKey(account.username, change.plan) };
    }
    case "revoke":
      return { ...account, resources: account.resources.filter((one) => !change.resources.includes(one)) };
    case "grant": {
      if (account.club !== undefined && change.resources.includes("operations"))
        throw new Error(`${account.username} is bound to a club and cannot have \`operations\`.`);
      const granted = resources.filter(
        (one) => account.resources.includes(one) || change.resources.includes(one),
      );
      const changed = { ...account, resources: granted };
      await storeUnionCredentials(changed, [account, ...(await admin.sharing(account))], options, admin);
      return changed;
    }
  }
}
