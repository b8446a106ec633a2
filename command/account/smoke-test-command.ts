import { hashPassword, newPassword } from "../../core/accounts/password.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import type { Terminal } from "../base/terminal.ts";
import { accountAdmin } from "./account-admin.ts";
import type { ChangeOptions } from "./change-command.ts";

/**
 * `scorecards account smoke-test USERNAME`: has the smoke test send its cards as this vendor. The account gets a new password, which
 * only the smoke test knows.
 *
 * @throws Error if there is no such account
 */
export async function smokeTestCommand(
  username: string,
  options: ChangeOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const admin = await accountAdmin(options.stage, terminal);
  const account = await admin.find(username);
  const password = newPassword();
  // The secret is first: with the old password a run fails until the account has the new one, and the next run does not.
  await admin.putSmokeTestSecret({ username, password, unionApiSet: account.apiSet, token: "" });
  await admin.accounts.put({ ...account, passwordHash: hashPassword(password) });
  await admin.flushAuthorizerCache();
  if (options.json) terminal.json({ username });
  else terminal.result(`The smoke test sends its cards as ${username}, which has a new password now.`);
  return exitCode.done;
}
