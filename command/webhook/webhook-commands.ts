import type { ScorecardsClient, WebhookInput } from "@scorecard-pipeline/scorecards-client";
import { commandProcess } from "../base/command-process.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { counted, type Terminal } from "../base/terminal.ts";
import { type VendorOptions, vendorAccess } from "../base/vendor-access.ts";
import { queueRolePolicies } from "./queue-role.ts";
import { attemptLine, secretLines, webhookLines } from "./webhook-lines.ts";

/** Options of all subcommands of `scorecards webhook`. */
export interface WebhookOptions extends VendorOptions {
  readonly json?: true;
}

/** Options of `scorecards webhook add`. */
export interface AddWebhookOptions extends WebhookOptions {
  readonly types?: NonNullable<WebhookInput["types"]>;
  readonly roleArn?: string;
  /** Each `Name: value`. */
  readonly header?: readonly string[];
}

/** The headers that `--header` names. @throws Error if one has no colon */
function headersOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = /^([^:]+):\s*(.*)$/.exec(text) ?? [];
      if (name === undefined || value === undefined) throw new Error('Give each --header as "Name: value".');
      return [name, value];
    }),
  );
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

/** `scorecards webhook add URL`. */
export const addWebhook = (
  url: string,
  { types, roleArn, header, ...options }: AddWebhookOptions,
  terminal: Terminal,
) =>
  show(options, terminal, async (client, of) => {
    const role = roleArn !== undefined && { roleArn };
    const input = { url, ...role, ...(types && { types }), ...(header && { headers: headersOf(header) }) };
    const { secret, ...webhook } = await client.createWebhook(input, of);
    return { answer: { ...webhook, secret }, lines: [...webhookLines(webhook), ...secretLines(secret)] };
  });

/** `scorecards webhook queue-role URL`. */
export const showQueueRole = (url: string, options: WebhookOptions, terminal: Terminal) =>
  show(options, terminal, async (client, of) => {
    const access = await client.queueAccess(of);
    const policies = queueRolePolicies(access, url);
    const json = (policy: object) => JSON.stringify(policy, null, 2).split("\n");
    const lines = [
      `The role's name begins with ${access.roleNamePrefix}. Its trust policy, with your external ID:`,
      ...json(policies.trust),
      "Its permissions:",
      ...json(policies.permissions),
      "Then run: scorecards webhook add QUEUE_URL --role-arn ROLE_ARN",
    ];
    return { answer: { ...access, ...policies }, lines };
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
  { url, roleArn, types, header, enable, disable, ...options }: ChangeWebhookOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const enabled = enable ? true : disable ? false : undefined;
  const change = {
    ...(url !== undefined && { url }),
    ...(roleArn !== undefined && { roleArn }),
    ...(types && { types }),
    ...(header && { headers: headersOf(header) }),
    ...(enabled !== undefined && { enabled }),
  };
  if (Object.keys(change).length === 0) {
    throw new Error("Nothing is changed. Give --url, --role-arn, --types, --header, --enable or --disable.");
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

/** Options of `scorecards webhook replay`. */
export interface ReplayWebhookOptions extends WebhookOptions {
  readonly from?: string;
  readonly to?: string;
  readonly types?: NonNullable<WebhookInput["types"]>;
  readonly preview?: true;
}

/** `scorecards webhook replay ID`. */
export const replayWebhook = (
  id: string,
  { from, to, types, preview, ...options }: ReplayWebhookOptions,
  terminal: Terminal,
) =>
  show(options, terminal, async (client, of) => {
    const selection = {
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(types && { types }),
      ...(preview && { preview }),
    };
    const { cards } = await client.replayWebhook(id, selection, of);
    const said = preview
      ? `The outcomes of ${counted(cards, "card")} would be sent again.`
      : `The outcomes of ${counted(cards, "card")} are sent again.`;
    return { answer: { id, cards }, lines: [said] };
  });

/** `scorecards webhook attempts ID`. */
export const listWebhookAttempts = (id: string, options: WebhookOptions, terminal: Terminal) =>
  show(options, terminal, async (client, of) => {
    const attempts = await client.webhookAttempts(id, of);
    const lines = attempts.length === 0 ? ["No attempts in the last week."] : attempts.map(attemptLine);
    return { answer: attempts, lines };
  });

/** `scorecards webhook resend ID ATTEMPT`. */
export const resendWebhookEvent = (
  id: string,
  attemptId: string,
  options: WebhookOptions,
  terminal: Terminal,
) =>
  show(options, terminal, async (client, of) => {
    const { eventId } = await client.resendWebhookEvent(id, attemptId, of);
    return { answer: { id, eventId }, lines: [`The event ${eventId} is sent again.`] };
  });
