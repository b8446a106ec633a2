import type { WebhookEndpoint } from "../../core/webhooks/endpoint.ts";
import { shownEndpoint } from "../../core/webhooks/shown-endpoint.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { tableLines } from "../base/table-lines.ts";
import type { Terminal } from "../base/terminal.ts";
import { accountAdmin } from "./account-admin.ts";
import type { ChangeOptions } from "./change-command.ts";

/** Options of `scorecards account webhooks`. */
export interface WebhooksOptions extends ChangeOptions {
  /** ID of an endpoint. */
  readonly remove?: string;
}

/**
 * `scorecards account webhooks USERNAME`: lists the endpoints of an account's vendor, or removes one. Nobody can sign in to the portal
 * with a disabled account, and an endpoint that a thief made must be gone before the account is enabled.
 */
export async function webhooksCommand(
  username: string,
  { stage, json, remove }: WebhooksOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const admin = await accountAdmin(stage, remove === undefined ? undefined : terminal);
  const { apiSet } = await admin.find(username);
  const endpoints = admin.endpoints();
  if (remove !== undefined) {
    if ((await endpoints.find(apiSet, remove)) === undefined)
      throw new Error(`${apiSet} has no webhook endpoint ${remove}.`);
    await endpoints.remove(apiSet, remove);
    if (json) terminal.json({ id: remove, removed: true });
    else terminal.result(`${remove} of ${apiSet} is removed, with the events that waited for it.`);
    return exitCode.done;
  }
  const show = async (endpoint: WebhookEndpoint) => ({
    ...shownEndpoint(endpoint, await admin.countPending(endpoint)),
    ...(endpoint.withheldAt !== undefined && { keptSince: new Date(endpoint.withheldAt).toISOString() }),
  });
  const all = await Promise.all((await endpoints.list(apiSet)).map(show));
  if (json) terminal.json(all);
  else {
    const head = ["ID", "State", "Made", "Waiting", "Events kept since", "Address"];
    const toRow = ({ id, state, createdAt, pending, keptSince, url }: (typeof all)[number]) => {
      return [id, state, createdAt, pending, keptSince, url];
    };
    terminal.result(tableLines(head, all.map(toRow), `${apiSet} has no webhook endpoints.`));
  }
  return exitCode.done;
}
