import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import { accountOffice } from "./account-office.ts";
import type { ChangeOptions } from "./change-command.ts";
import { readUnionCredentials } from "./union-credentials.ts";

/** `scorecards account mirror USERNAME`: the account with which the pipeline itself reads clubs and courses. */
export async function mirrorCommand(
  username: string,
  options: ChangeOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const office = await accountOffice(options.stage);
  await office.putMirrorSecret(
    await readUnionCredentials({ username, apiSet: username }, options, process.env),
  );
  if (options.json) terminal.json({ username });
  else terminal.result(`Clubs and courses are mirrored as ${username}.`);
  return exitCode.done;
}
