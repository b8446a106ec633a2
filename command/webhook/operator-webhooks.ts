import { randomBytes } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { ApiSet } from "../../core/accounts/account.ts";
import { type AccountTable, accountTable } from "../../core/accounts/account-table.ts";
import { isQueue, type WebhookEndpoint, withNewSecret } from "../../core/webhooks/endpoint.ts";
import { type EndpointChange, type WebhookTable, webhookTable } from "../../core/webhooks/endpoint-table.ts";
import { createFeedWakeUp, sendWebhooks } from "../../core/webhooks/queue.ts";
import { shownEndpoint } from "../../core/webhooks/shown-endpoint.ts";
import { newSecret } from "../../core/webhooks/sign.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import { knownApiSets } from "../base/known-api-sets.ts";
import type { Target, TargetStage } from "../base/target.ts";
import type { Terminal } from "../base/terminal.ts";
import { secretLines, webhookLines } from "./webhook-lines.ts";

/** Options of the subcommands with which the operator manages a vendor's endpoints. */
export interface OperatorWebhookOptions {
  readonly stage: TargetStage;
  /** The vendor's API set. */
  readonly vendor: string;
  readonly json?: true;
}

function endpointsOf({ outputs, client }: Target): WebhookTable {
  const { WebhookTableName: table } = outputs;
  if (table === undefined) throw new Error("The stack has no webhooks. Deploy it again with this version.");
  return webhookTable(table, new DynamoDBClient(client("dynamodb")));
}

/** The endpoints of the vendor that the options name. @param changing shows where that is @throws Error if no account is the vendor's */
async function ofVendor({ stage, vendor }: OperatorWebhookOptions, changing?: Terminal) {
  const target = await findTarget(stage, changing);
  const accounts = accountTable(
    target.outputs.AccountTableName,
    new DynamoDBClient(target.client("dynamodb")),
  );
  const [apiSet] = knownApiSets(await accounts.list(), vendor, stage) as [ApiSet];
  return { apiSet, endpoints: endpointsOf(target) };
}

/** Changes an endpoint, also if it is changed at the same time. @throws Error if it is not there, or is changed all the time */
async function update(
  endpoints: WebhookTable,
  { apiSet, id }: Pick<WebhookEndpoint, "apiSet" | "id">,
  change: (endpoint: WebhookEndpoint) => EndpointChange,
): Promise<WebhookEndpoint> {
  for (let tries = 0; tries < 10; tries++) {
    const read = await endpoints.find(apiSet, id);
    if (read === undefined) throw new Error(`${apiSet} has no webhook endpoint ${id}.`);
    const stored = await endpoints.update(read, change(read));
    if (stored !== undefined) return stored;
  }
  throw new Error(`The webhook endpoint ${id} is being changed all the time. Run the same command again.`);
}

/** `scorecards webhook list --vendor`. */
export async function listVendorWebhooks(
  options: OperatorWebhookOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { apiSet, endpoints } = await ofVendor(options);
  const all = await endpoints.list(apiSet);
  if (options.json) terminal.json(all.map((one) => shownEndpoint(one, Date.now())));
  else {
    const lines = all.flatMap((one) => [
      ...webhookLines(shownEndpoint(one, Date.now())),
      ...(one.withheldAt === undefined
        ? []
        : [
            `  Kept     events wait since ${new Date(one.withheldAt).toISOString()}: the account is disabled`,
          ]),
    ]);
    terminal.result(all.length === 0 ? `${apiSet} has no webhook endpoints.` : lines);
  }
  return exitCode.done;
}

/** `scorecards webhook remove ID --vendor`. */
export async function removeVendorWebhook(
  id: string,
  options: OperatorWebhookOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { apiSet, endpoints } = await ofVendor(options, terminal);
  if ((await endpoints.find(apiSet, id)) === undefined)
    throw new Error(`${apiSet} has no webhook endpoint ${id}.`);
  await endpoints.remove(apiSet, id);
  if (options.json) terminal.json({ id, removed: true });
  else terminal.result(`${id} of ${apiSet} is removed, with the events that waited for it.`);
  return exitCode.done;
}

/** `scorecards webhook rotate ID --vendor`. */
export async function rotateVendorWebhook(
  id: string,
  options: OperatorWebhookOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { apiSet, endpoints } = await ofVendor(options, terminal);
  const secret = newSecret(randomBytes(32));
  await update(endpoints, { apiSet, id }, (endpoint) => ({
    secrets: withNewSecret(endpoint, secret, Date.now()),
  }));
  if (options.json) terminal.json({ id, secret });
  else terminal.result([id, ...secretLines(secret)]);
  return exitCode.done;
}

/**
 * Has the events of a vendor kept, and not sent, if all its accounts are disabled; otherwise has them sent.
 *
 * @returns how many endpoints have their events kept
 */
export async function withholdEvents(
  target: Target,
  accounts: Pick<AccountTable, "list">,
  apiSet: ApiSet,
): Promise<number> {
  const { WebhookTableName, WebhookQueueUrl } = target.outputs;
  if (WebhookTableName === undefined || WebhookQueueUrl === undefined) return 0;
  const endpoints = endpointsOf(target);
  const own = (await accounts.list()).filter((account) => account.apiSet === apiSet);
  const isWithheld = own.every(({ disabled }) => disabled);
  const all = await endpoints.list(apiSet);
  const now = Date.now();
  for (const endpoint of all) {
    const changed = await update(endpoints, endpoint, ({ withheldAt }) => ({
      withheldAt: isWithheld ? (withheldAt ?? now) : undefined,
      // While nothing was posted it has not failed: a failure from before would disable it at its next one.
      ...(!isWithheld && withheldAt !== undefined && { failing: undefined }),
    }));
    // Events of an address are in its queue and come up by themselves; those of a queue are in the feed.
    if (!isWithheld && isQueue(changed))
      await sendWebhooks(new SQSClient(target.client("sqs")), WebhookQueueUrl, [createFeedWakeUp(changed)]);
  }
  return isWithheld ? all.length : 0;
}
