import {
  isSameName,
  isUsername,
  type Resource,
  readApiSet,
  vendorResources,
} from "../../core/accounts/account.ts";
import { hashPassword, newPassword } from "../../core/accounts/password.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import type { PlanName, TargetStage } from "../base/target.ts";
import type { Terminal } from "../base/terminal.ts";
import { accountAdmin } from "./account-admin.ts";
import { storeUnionCredentials, type UnionOptions } from "./union-credentials.ts";

/** Options of `scorecards account add`. */
export interface AddOptions extends UnionOptions {
  readonly stage: TargetStage;
  readonly apiSet?: string;
  /** ID or official number of the club that it is bound to. */
  readonly club?: string;
  /** All of a vendor's by default. */
  readonly resources?: readonly Resource[];
  /** Adds `operations`, which is by itself then unless `resources` are named. */
  readonly operator?: true;
  readonly plan: PlanName;
  readonly json?: true;
}

/**
 * `scorecards account add USERNAME`: stores the vendor's credentials at the union, creates its API key, and adds the
 * account last, so that an account that exists is complete. The next run reuses what an interrupted one has created.
 */
export async function addCommand(
  username: string,
  options: AddOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (!isUsername(username)) {
    throw new Error(
      "The user name is invalid. Use 1 to 64 printable ASCII characters, no colon, and no space at an end.",
    );
  }
  const asked = readApiSet(options.apiSet ?? username);
  if (asked === undefined) {
    throw new Error(
      "The API set is invalid. Use 1 to 64 letters, digits or . _ @ + = -, and no name of a path such as operations, with --api-set if it is not the user name.",
    );
  }
  const operations = options.operator ? (["operations"] as const) : [];
  const named = options.resources ?? (options.operator ? [] : vendorResources);
  const granted = [...new Set<Resource>([...named, ...operations])];
  if (options.club !== undefined && granted.includes("operations"))
    throw new Error("An account that is bound to a club cannot have `operations`: leave one of them out.");
  const admin = await accountAdmin(options.stage, terminal);
  const club = options.club === undefined ? undefined : await admin.findClub(options.club);
  const others = await admin.accounts.list();
  const namesake = others.find((other) => isSameName(other.username, username));
  if (namesake !== undefined) throw new Error(`The account ${namesake.username} exists already.`);
  const sharing = others.filter((other) => isSameName(other.apiSet, asked));
  const apiSet = sharing[0]?.apiSet ?? asked;
  if (sharing[0] !== undefined && options.apiSet === undefined) {
    throw new Error(
      `The API set ${apiSet} belongs to ${sharing[0].username}. Name it with --api-set if this account shares it, else choose another.`,
    );
  }
  await storeUnionCredentials({ username, apiSet, resources: granted }, sharing, options, admin);

  const password = newPassword();
  const usage = await admin.createKey(username, options.plan);
  const rights = { resources: granted, club, disabled: false };
  await admin.accounts.put({ username, apiSet, ...rights, passwordHash: hashPassword(password), usage });
  // The events of an API set that had an account before are sent again.
  await admin.withholdEvents(apiSet);

  const { api } = admin;
  if (options.json) {
    const { plan } = options;
    terminal.json({ username, password, apiSet, resources: granted, club, plan, api });
  } else {
    terminal.result(`User name       ${username}`);
    terminal.result(`Password        ${password}   (shown this once)`);
    terminal.result(`Base address    ${api}`);
    terminal.result(`API set         ${apiSet}`);
    terminal.result(`Vendor address  ${api}/${apiSet}`);
    terminal.result(`May use         ${granted.join(", ")}`);
    if (club !== undefined) terminal.result(`Club            ${club.number} (${club.id})`);
    terminal.result(`Usage plan      ${options.plan}`);
  }
  return exitCode.done;
}
