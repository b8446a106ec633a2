import { commandProcess } from "../command-process.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import { accountAdmin } from "./account-admin.ts";
import type { ChangeOptions } from "./change-command.ts";
import { readUnionCredentials } from "./union-credentials.ts";

/** `scorecards account mirror USERNAME`: sets the union account with which the pipeline mirrors clubs and courses. */
export async function mirrorCommand(
  username: string,
  options: ChangeOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const admin = await accountAdmin(options.stage);
  await admin.putMirrorSecret(
    await readUnionCredentials({ username, apiSet: username }, options, commandProcess().env),
  );
  if (options.json) terminal.json({ username });
  else terminal.result(`Clubs and courses are mirrored as ${username}.`);
  return exitCode.done;
}
