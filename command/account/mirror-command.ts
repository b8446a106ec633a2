import { courseRegister } from "../../core/register/union-register.ts";
import { UnionUnavailableError } from "../../core/union/union-unavailable-error.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import type { Terminal } from "../base/terminal.ts";
import { accountAdmin } from "./account-admin.ts";
import type { ChangeOptions } from "./change-command.ts";
import { readUnionCredentials } from "./union-credentials.ts";

const timeoutMilliseconds = 20_000;

/**
 * `scorecards account mirror USERNAME`: sets the union account with which the pipeline mirrors clubs and courses, after one
 * request with it. Exit code `refused` if the union did not answer that, so the password is not checked.
 *
 * @throws Error if the union refuses the account; nothing is stored then
 */
export async function mirrorCommand(
  username: string,
  options: ChangeOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const admin = await accountAdmin(options.stage, terminal);
  const account = await readUnionCredentials({ username, apiSet: username }, options);
  const unchecked = await courseRegister(admin.union, timeoutMilliseconds)
    .clubs(account)
    .then(() => undefined)
    .catch((error: unknown) => {
      if (error instanceof UnionUnavailableError) return error;
      throw error;
    });
  if (unchecked?.status === 401 || unchecked?.status === 403) {
    throw new Error(
      `The union refuses ${username} with ${unchecked.status}. Nothing is stored: check the name, the password and --union-api-set.`,
      { cause: unchecked },
    );
  }
  await admin.putMirrorSecret(account);
  if (options.json) terminal.json({ username, checked: unchecked === undefined });
  else terminal.result(`Clubs and courses are mirrored as ${username}.`);
  if (unchecked !== undefined) {
    terminal.note(
      `The password is stored, but not checked: ${unchecked.message} Run the same command again later.`,
    );
  }
  return unchecked === undefined ? exitCode.done : exitCode.refused;
}
