import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { dailyCounter } from "../../core/accounts/daily-count-table.ts";
import { dayOf } from "../../core/formats/union-time.ts";
import { jsonOf } from "../runtime/read-settings.ts";
import { ProblemError, problem } from "./problem.ts";
import type { VendorRequest } from "./vendor-request.ts";

/** The settings of a function that takes cards, to be spread into a schema. */
export const cardQuotaSettings = {
  ACTIVITY_TABLE: z.string(),
  TIME_ZONE: z.string(),
  /** By usage plan. */
  CARDS_PER_DAY: jsonOf(z.record(z.string(), z.number())),
};

type Settings = {
  readonly [Name in keyof typeof cardQuotaSettings]: z.infer<(typeof cardQuotaSettings)[Name]>;
};

/**
 * Counts the cards of a request, good or bad, against the vendor's quota of the day, beside what the request does.
 *
 * @throws ProblemError 429 if the quota is used up: then nothing is done
 */
export function cardQuota({ ACTIVITY_TABLE, TIME_ZONE, CARDS_PER_DAY }: Settings, dynamodb: DynamoDBClient) {
  const count = dailyCounter(ACTIVITY_TABLE, dynamodb, () => dayOf(Date.now(), TIME_ZONE));
  return async <Done>(
    { apiSet, plan = "" }: Pick<VendorRequest, "apiSet" | "plan">,
    cards: number,
    work: () => Promise<Done>,
  ): Promise<Done> => {
    const limit = CARDS_PER_DAY[plan] ?? Number.POSITIVE_INFINITY;
    const { isWithin, written } = count(apiSet, cards, limit);
    if (!isWithin) {
      const detail = `This account's ${limit.toLocaleString("en")} cards for today are used up, those of validations included.`;
      throw new ProblemError(problem(429, "Quota used up", detail), { headers: { "Retry-After": "3600" } });
    }
    try {
      return await work();
    } finally {
      await written;
    }
  };
}
