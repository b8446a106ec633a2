import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { ApiSet } from "../../core/accounts/account.ts";
import type { AccountTable } from "../../core/accounts/account-table.ts";
import { isQueue } from "../../core/webhooks/endpoint.ts";
import { updateLatest, type WebhookTable, webhookTable } from "../../core/webhooks/endpoint-table.ts";
import { createFeedWakeUp, sendWebhooks } from "../../core/webhooks/queue.ts";
import type { Target } from "../base/target.ts";

/** The webhook endpoints of a stage. */
export const webhookEndpoints = ({ outputs, client }: Target): WebhookTable =>
  webhookTable(outputs.WebhookTableName, new DynamoDBClient(client("dynamodb")));

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
  const { WebhookQueueUrl } = target.outputs;
  const endpoints = webhookEndpoints(target);
  const own = (await accounts.list()).filter((account) => account.apiSet === apiSet);
  const isWithheld = own.every(({ disabled }) => disabled);
  const all = await endpoints.list(apiSet);
  const now = Date.now();
  for (const endpoint of all) {
    const changed = await updateLatest(endpoints, endpoint, ({ withheldAt }) => ({
      withheldAt: isWithheld ? (withheldAt ?? now) : undefined,
      // While nothing was posted it has not failed: a failure from before would disable it at its next one.
      ...(!isWithheld && withheldAt !== undefined && { failing: undefined }),
    }));
    if (changed === undefined)
      throw new Error(`The webhook endpoint ${endpoint.id} keeps changing. Run the same command again.`);
    // Events of an address are in its queue and come up by themselves; those of a queue are in the feed.
    if (!isWithheld && isQueue(changed))
      await sendWebhooks(new SQSClient(target.client("sqs")), WebhookQueueUrl, [createFeedWakeUp(changed)]);
  }
  return isWithheld ? all.length : 0;
}
