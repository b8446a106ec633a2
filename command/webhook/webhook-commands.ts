import type { ScorecardsClient, WebhookInput } from "@scorecard-pipeline/scorecards-client";
import { commandProcess } from "../command-process.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { counted, type Terminal } from "../terminal.ts";
import { type VendorOptions, vendorAccess } from "../vendor-access.ts";
import { webhookLines } from "./webhook-lines.ts";

/** Options of all subcommands of `scorecards webhook`. */
export interface WebhookOptions extends VendorOptions {
  readonly json?: true;
}

/** Options of `scorecards webhook add`. */
export interface AddWebhookOptions extends WebhookOptions {
  readonly types?: NonNullable<WebhookInput["types"]>;
}

/** Options of `scorecards webhook change`. */
export interface ChangeWebhookOptions extends AddWebhookOptions {
  readonly url?: string;
  readonly enable?: true;
  readonly disable?: true;
}

/** The result of a request about endpoints: as JSON from the API, and as lines for people. */
interface Shown {
  readonly answer: unknown;
  readonly lines: readonly string[];
  readonly exit?: ExitCode;
}

async function show(
  options: WebhookOptions,
  terminal: Terminal,
  request: (client: ScorecardsClient, signal: { readonly signal: AbortSignal }) => Promise<Shown>,
): Promise<ExitCode> {
  const { client } = await vendorAccess(options, commandProcess().env);
  const { answer, lines, exit = exitCode.done } = await request(client, { signal: terminal.signal });
  if (options.json) terminal.json(answer);
  else terminal.result(lines);
  return exit;
}

const secretLines = (secret: string) => [
  `  Secret   ${secret}`,
  "The secret is shown only this once: store it where your endpoint verifies events with it.",
];

/** `scorecards webhook add URL`. */
export const addWebhook = (url: string, { types, ...options }: AddWebhookOptions, terminal: Terminal) =>
  show(options, terminal, async (client, of) => {
    const { secret, ...webhook } = await client.createWebhook({ url, ...(types && { types }) }, of);
    return { answer: { ...webhook, secret }, lines: [...webhookLines(webhook), ...secretLines(secret)] };
  });

/** `scorecards webhook list`. */
export const listWebhooks = (options: WebhookOptions, terminal: Terminal) =>
  show(options, terminal, async (client, of) => {
    const webhooks = await client.webhooks(of);
    const lines = webhooks.length === 0 ? ["No webhook endpoints."] : webhooks.flatMap(webhookLines);
    return { answer: webhooks, lines };
  });

/** `scorecards webhook change ID`. */
export async function changeWebhook(
  id: string,
  { url, types, enable, disable, ...options }: ChangeWebhookOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const enabled = enable ? true : disable ? false : undefined;
  const change = {
    ...(url !== undefined && { url }),
    ...(types && { types }),
    ...(enabled !== undefined && { enabled }),
  };
  if (Object.keys(change).length === 0) {
    throw new Error("Nothing is changed. Give --url, --types, --enable or --disable.");
  }
  return await show(options, terminal, async (client, of) => {
    const webhook = await client.changeWebhook(id, change, of);
    return { answer: webhook, lines: webhookLines(webhook) };
  });
}

/** `scorecards webhook remove ID`. */
export const removeWebhook = (id: string, options: WebhookOptions, terminal: Terminal) =>
  show(options, terminal, async (client, of) => {
    await client.removeWebhook(id, of);
    return {
      answer: { id, removed: true },
      lines: [`${id} is removed, with the events that waited for it.`],
    };
  });

/** `scorecards webhook test ID`. Exit code `done` if the endpoint took the event. */
export const testWebhook = (id: string, options: WebhookOptions, terminal: Terminal) =>
  show(options, terminal, async (client, of) => {
    const trial = await client.testWebhook(id, of);
    const { taken, status, message } = trial;
    const said = [status === undefined ? "" : `HTTP ${status}`, message ?? ""].filter(Boolean).join(": ");
    const line = `The endpoint ${taken ? "took" : "did not take"} the test event: ${said}`;
    return { answer: trial, lines: [line], exit: taken ? exitCode.done : exitCode.refused };
  });

/** `scorecards webhook rotate ID`. */
export const rotateWebhook = (id: string, options: WebhookOptions, terminal: Terminal) =>
  show(options, terminal, async (client, of) => {
    const { secret } = await client.rotateWebhookSecret(id, of);
    const both = "For a day events are signed with both secrets; then the old one is no longer used.";
    return { answer: { id, secret }, lines: [id, ...secretLines(secret), both] };
  });

/** `scorecards webhook replay ID`. */
export const replayWebhook = (id: string, options: WebhookOptions, terminal: Terminal) =>
  show(options, terminal, async (client, of) => {
    const { cards } = await client.replayWebhook(id, of);
    return { answer: { id, cards }, lines: [`The outcomes of ${counted(cards, "card")} are sent again.`] };
  });
