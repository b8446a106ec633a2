import { readApiSet } from "../../core/account/api-set.ts";
import { correctionTimes } from "../../core/delivery/correction-times.ts";
import { createDelivery } from "../../core/delivery/deliver.ts";
import { writeMessage } from "../../core/delivery/message.ts";
import type { CardHistory } from "../../core/store/scorecard-table.ts";
import { settings } from "../../lib/settings.ts";
import { median, milliseconds } from "../median.ts";

/** What a request takes besides the work that is measured, in seconds; as AWS states or users report it within a region. */
export const network = { dynamodb: 0.008, sqs: 0.012 } as const;

const batchSize = 100;
const rounds = 61;

/**
 * Seconds of an invocation of deliver-scorecards with a full batch that are not the exchange's: its own work,
 * measured now, and its requests to DynamoDB, one after the other: a look and a record for each post.
 */
export async function deliverySeconds(): Promise<number> {
  const apiSet = readApiSet("measured");
  if (apiSet === undefined) throw new Error("It is an API set.");
  const { delivery } = settings.production;
  const acceptedAt = Date.now();
  const stored: CardHistory = {
    card: { apiSet, externalId: "", revision: "r", contentHash: "r", acceptedAt },
  };
  const deliver = createDelivery({
    settings: {
      postSize: delivery.postSize,
      parallelPosts: delivery.parallelPosts,
      postTimeoutMilliseconds: delivery.postTimeoutSeconds * 1000,
      giveUpMilliseconds: delivery.giveUpAfterSeconds * 1000,
      backoffCapSeconds: delivery.backoffCapSeconds,
      correction: correctionTimes(delivery.correctionDelaySeconds),
    },
    cards: {
      readRecords: async (keys) => keys.map(() => stored),
      putDeliveries: async () => undefined,
      putParcels: async () => undefined,
      openParcels: async () => undefined,
    },
    account: async () => ({ username: "u", password: "p", unionApiSet: "measured", token: "" }),
    forgetAccount: () => undefined,
    post: async (_apiSet, _account, cards) => {
      const text = `[${cards.map(({ card }) => card).join(",")}]`;
      const echo = JSON.parse(text) as { ExternalID: string }[];
      return {
        stage: "after",
        status: 200,
        words: "",
        echoed: new Set(echo.map(({ ExternalID }) => ExternalID)),
      };
    },
    postpone: async () => undefined,
    sendToDeadLetters: async () => undefined,
    now: () => new Date(),
    random: Math.random,
    log: () => undefined,
  });
  const Holes = Array.from({ length: 18 }, (_, hole) => ({ Number: hole + 1, Par: 4, Index: 1, SPH: 1 }));
  const messages = Array.from({ length: batchSize }, (_, number) => {
    const externalId = `card-${number}`;
    const card = JSON.stringify({ ExternalID: externalId, Course: { Holes }, Comment: "x".repeat(600) });
    const body = writeMessage({ apiSet, acceptedAt }, [
      { apiSet, externalId, revision: "r", acceptedAt, card },
    ]);
    return { messageId: externalId, receiptHandle: externalId, body, sentAt: acceptedAt, receives: 1 };
  });
  const times: number[] = [];
  for (let round = 0; round < rounds; round++)
    times.push(await milliseconds(() => deliver(messages, () => 30_000)));
  return median(times) / 1000 + (2 * batchSize * network.dynamodb) / delivery.postSize;
}
