import { courseRegister } from "../../core/register/union-register.ts";
import { UnionUnavailableError } from "../../core/union/union-unavailable-error.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import type { Terminal } from "../base/terminal.ts";
import { accountAdmin } from "./account-admin.ts";
import type { ChangeOptions } from "./change-command.ts";
import { readUnionCredentials } from "./union-credentials.ts";

const timeoutMilliseconds = 20_000;

/**
 * `scorecards account union|mirror USERNAME`: sets a vendor's account at the union, or that with which the pipeline mirrors clubs
 * and courses, after one request with it. Exit code `refused` if the union did not answer that, so the password is not checked.
 *
 * @throws Error if the union refuses the account; nothing is stored then
 */
export const setUnionAccount =
  (owner: "vendor" | "mirror") =>
  async (username: string, options: ChangeOptions, terminal: Terminal): Promise<ExitCode> => {
    const admin = await accountAdmin(options.stage, terminal);
    const vendor = owner === "vendor" ? await admin.find(username) : undefined;
    const named = vendor ?? { username, apiSet: username };
    const account = await readUnionCredentials(named, options);
    const unchecked = await courseRegister(admin.union, timeoutMilliseconds)
      .clubs(account)
      .then(() => undefined)
      .catch((error: unknown) => {
        if (error instanceof UnionUnavailableError) return error;
        throw error;
      });
    // The union may let a vendor post cards and not read clubs.
    if (unchecked?.status === 401 || (unchecked?.status === 403 && vendor === undefined)) {
      throw new Error(
        `The union refuses ${account.username} with ${unchecked.status}. Nothing is stored: check the name, the password and --union-api-set.`,
        { cause: unchecked },
      );
    }
    await (vendor ? admin.putSecret(vendor.apiSet, account) : admin.putMirrorSecret(account));
    const use = vendor ? "Cards are delivered" : "Clubs and courses are mirrored";
    if (options.json) terminal.json({ username, checked: unchecked === undefined });
    else terminal.result(`${use} as ${account.username}.`);
    if (unchecked === undefined) return exitCode.done;
    terminal.note(
      `The password is stored, but not checked: ${unchecked.message} Run the same command again later.`,
    );
    return exitCode.refused;
  };
