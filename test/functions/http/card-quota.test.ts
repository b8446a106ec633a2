import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { cardQuota } from "../../../functions/http/card-quota.ts";

test("a vendor's cards are counted beside its request, which ends after that, and a quota that is used up refuses one before it does anything", async () => {
  const done: string[] = [];
  const written = Promise.withResolvers<object>();
  const client = { send: () => written.promise } as unknown as DynamoDBClient;
  const settings = { ACTIVITY_TABLE: "activity", TIME_ZONE: "UTC", CARDS_PER_DAY: { small: 1_000 } };
  const withinQuota = cardQuota(settings, client);
  const vendor = { apiSet: "green" as ApiSet, plan: "small" };
  const work = async () => done.push("work");
  const first = withinQuota(vendor, 1_000, work).then(() => done.push("answer"));
  await expect.poll(() => done).toEqual(["work"]);
  written.resolve({ Attributes: { cards: { N: "1000" } } });
  await first;
  const refusal = { problem: { status: 429, title: "Quota used up" } };
  await expect(withinQuota(vendor, 1, work)).rejects.toMatchObject(refusal);
  expect(done).toEqual(["work", "answer"]);
});
