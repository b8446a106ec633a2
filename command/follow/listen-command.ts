import { randomBytes } from "node:crypto";
import type { FeedEvent } from "@scorecard-pipeline/scorecards-client";
import { hostOf, isLoopback } from "../../core/webhooks/post-event.ts";
import { newSecret, signedHeaders } from "../../core/webhooks/sign.ts";
import { commandProcess } from "../base/command-process.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import type { Terminal } from "../base/terminal.ts";
import { patientRetrySeconds, type VendorOptions, vendorAccess } from "../base/vendor-access.ts";

/** Options of `scorecards listen`. */
export interface ListenOptions extends VendorOptions {
  /** Address on this machine that each event is posted to. */
  readonly to?: string;
  readonly after: string;
  readonly json?: true;
}

/** `scorecards listen`: prints the events of the feed as they come, and posts each to a local address, until Ctrl-C. */
export async function listenCommand(options: ListenOptions, terminal: Terminal): Promise<ExitCode> {
  const { to, after, json } = options;
  const { env } = commandProcess();
  const host = to === undefined ? "localhost" : hostOf(new URL(to));
  if (host !== "localhost" && !isLoopback(host))
    throw new Error(`${host} is not this machine. Give --to an address such as http://localhost:8080/.`);
  const { client } = await vendorAccess(options, env, patientRetrySeconds);
  const secret = env.WEBHOOK_SECRET ?? newSecret(randomBytes(24));
  if (to !== undefined) terminal.note(`Events are signed with the secret ${secret}`);
  const { signal } = terminal;
  try {
    for await (const { events } of client.followEvents({ after, signal })) {
      for (const event of events) {
        const answer = to === undefined ? undefined : await postEvent(to, secret, event, signal);
        const named = event.data.cards?.map(({ externalId, state }) => `${externalId} ${state}`) ?? [];
        if (json) terminal.json({ ...event, ...(answer !== undefined && { answer }) });
        else terminal.result([event.timestamp, event.type, ...named, answer ?? ""].join("  ").trimEnd());
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return exitCode.done;
}

/** Posts an event as an endpoint gets it. @returns the status of the answer, or why there is none */
async function postEvent(
  to: string,
  secret: string,
  { id, ...event }: FeedEvent,
  signal: AbortSignal,
): Promise<string> {
  const body = JSON.stringify(event);
  const headers = { "Content-Type": "application/json", ...signedHeaders([secret], id, new Date(), body) };
  const answer = await fetch(to, { method: "POST", headers, body, signal }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer === undefined ? "no answer" : String(answer.status);
}
