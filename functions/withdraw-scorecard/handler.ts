import { setTimeout as delay } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { scorecardReader, scorecardWriter } from "../../core/store/scorecards.ts";
import { createWithdrawal } from "../../core/submission/withdraw.ts";
import { leanSdk } from "../lean-sdk.ts";
import { vendorApi } from "../vendor-api.ts";

const settings = z
  .object({
    SCORECARD_TABLE: z.string(),
    CARD_RETENTION_DAYS: z.coerce.number(),
    CORRECTION_DELAY_SECONDS: z.coerce.number(),
  })
  .parse(process.env);

const dynamodb = new DynamoDBClient(leanSdk);
const withdraw = createWithdrawal({
  cards: {
    ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
    ...scorecardWriter(settings.SCORECARD_TABLE, dynamodb, settings.CARD_RETENTION_DAYS),
  },
  now: () => new Date(),
  wait: delay,
  correctionDelaySeconds: settings.CORRECTION_DELAY_SECONDS,
});

/** Withdraws a card that has not been delivered. */
export const handler = vendorApi(async ({ apiSet, path }) => {
  await withdraw(apiSet, path.externalId ?? "");
  return { statusCode: 204, headers: {}, body: "" };
});
