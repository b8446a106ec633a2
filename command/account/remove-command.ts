import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { counted, type Terminal } from "../base/terminal.ts";
import { typedCommand } from "../base/typed-command.ts";
import { accountAdmin } from "./account-admin.ts";
import type { ChangeOptions } from "./change-command.ts";

/**
 * `scorecards account remove USERNAME`: deletes a disabled account and its usage key; the last one of an API set with its
 * credentials at the union, once none of its cards waits for delivery. Its cards stay as long as all cards do. API Gateway's cache has no policy for the account, since
 * disabling it flushed the cache.
 */
export async function removeCommand(
  username: string,
  { stage, json }: ChangeOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const admin = await accountAdmin(stage, terminal);
  const account = await admin.find(username);
  if (!account.disabled) {
    const disable = typedCommand(`account disable ${username}`, stage);
    throw new Error(
      `The account ${username} is enabled. Run \`${disable}\`, and remove it when its last cards are delivered: that needs its credentials at the union.`,
    );
  }
  const isLast = (await admin.sharing(account)).length === 0;
  const waiting = isLast ? await admin.countUnfinishedCards(account.apiSet, terminal.note) : 0;
  if (waiting > 0) {
    throw new Error(
      `${counted(waiting, "card")} of ${username} ${waiting === 1 ? "waits" : "wait"} for delivery, which needs its credentials at the union. Remove it when ${waiting === 1 ? "it is" : "they are"} delivered, given up or withdrawn.`,
    );
  }
  if (account.usage !== undefined) await admin.keys.remove(account.usage.keyId);
  if (isLast) await admin.removeSecret(account.apiSet);
  await admin.accounts.remove(username);
  if (json) terminal.json({ username, removed: true });
  else {
    const credentials = isLast
      ? "are kept for seven days, in case you add it again"
      : `stay, for the other accounts of ${account.apiSet}`;
    terminal.result(`${username} is removed. Its credentials at the union ${credentials}.`);
  }
  return exitCode.done;
}
