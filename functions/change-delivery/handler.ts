import { setTimeout as wait } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { sendWakeUps, type WakeUp } from "../../core/cards/delivery/queue.ts";
import { scorecardReader, scorecardWriter } from "../../core/cards/delivery/scorecard-table.ts";
import { postTiming } from "../../core/cards/delivery/timing.ts";
import { deliverNow } from "../../core/cards/resend.ts";
import { readStatuses } from "../../core/cards/status.ts";
import { withdraw } from "../../core/cards/withdraw.ts";
import { cardsOfClub } from "../../core/views/cards-of-club.ts";
import { dailyQuota, quotaSettings } from "../http/daily-quota.ts";
import { answerOperation, type OperationAnswers } from "../http/operation-answers.ts";
import { json } from "../http/response.ts";
import { vendorApi } from "../http/vendor-api.ts";
import type { VendorRequest } from "../http/vendor-request.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";

const settings = readSettings({
  SCORECARD_TABLE: z.string(),
  CARD_RETENTION_DAYS: z.coerce.number(),
  DELIVERY_QUEUE_URL: z.string(),
  POST_TIMEOUT_SECONDS: z.coerce.number(),
  ...quotaSettings,
});

const queue = sdkClient(SQSClient);
const dynamodb = sdkClient(DynamoDBClient);
const dependencies = {
  table: {
    ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
    ...scorecardWriter(settings.SCORECARD_TABLE, dynamodb, settings.CARD_RETENTION_DAYS),
  },
  send: (wakeUps: readonly WakeUp[]) => sendWakeUps(queue, settings.DELIVERY_QUEUE_URL, wakeUps),
  now: () => new Date(),
  timing: postTiming(settings.POST_TIMEOUT_SECONDS),
  timeZone: settings.TIME_ZONE,
  wait,
};

const dependenciesFor = ({ club }: VendorRequest) => ({
  ...dependencies,
  table: cardsOfClub(dependencies.table, club),
});

const answers: OperationAnswers<"change-delivery"> = {
  deliverScorecard: async (request) => {
    const {
      apiSet,
      path: { externalId = "" },
    } = request;
    const own = dependenciesFor(request);
    await deliverNow(apiSet, externalId, own);
    const [status] = await readStatuses(own.table, apiSet, [externalId]);
    return json(202, status);
  },
  withdrawScorecard: async (request) => {
    const {
      apiSet,
      path: { externalId = "" },
    } = request;
    await withdraw(apiSet, externalId, dependenciesFor(request));
    return { statusCode: 204, headers: {}, body: "" };
  },
};

/** DELETE withdraws a card that has not been delivered; POST to its Delivery delivers it at once. */
export const handler = vendorApi(
  (request) => answerOperation(answers, request),
  dailyQuota(settings, dynamodb, queue),
);
