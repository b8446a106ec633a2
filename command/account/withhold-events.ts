import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { ApiSet } from "../../core/accounts/account.ts";
import type { AccountTable } from "../../core/accounts/account-table.ts";
import { isQueue, type WebhookEndpoint } from "../../core/webhooks/endpoint.ts";
import { type EndpointChange, type WebhookTable, webhookTable } from "../../core/webhooks/endpoint-table.ts";
import { createFeedWakeUp, sendWebhooks } from "../../core/webhooks/queue.ts";
import type { Target } from "../base/target.ts";

/** The webhook endpoints of a stage. @throws Error if the stack has none */
export function webhookEndpoints({ outputs, client }: Target): WebhookTable {
  const { WebhookTableName: table } = outputs;
  if (table === undefined) throw new Error("The stack has no webhooks. Deploy it again with this version.");
  return webhookTable(table, new DynamoDBClient(client("dynamodb")));
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
  const endpoints = webhookEndpoints(target);
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
