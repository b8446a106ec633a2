import { readApiSet } from "../../core/accounts/account.ts";
import type { StoredCard } from "../../core/cards/card.ts";
import { contentOf } from "../../core/cards/card-content.ts";
import { createDelivery } from "../../core/cards/deliver.ts";
import { mergeWakeUps } from "../../core/cards/queue.ts";
import { postTiming } from "../../core/cards/timing.ts";
import { settings } from "../../lib/settings.ts";
import { median, milliseconds } from "../median.ts";

/** What a request takes besides the work that is measured, in seconds; as AWS states or users report it within a region. */
const network = { dynamodb: 0.008, sqs: 0.012 } as const;

const { delivery } = settings.production;
/** Messages of an invocation that is given as many as it may have, each with one card. */
export const { batchSize } = delivery;
const rounds = 61;

/**
 * Seconds of an invocation of deliver-scorecards with a full batch that are not the exchange's: its own work,
 * measured now, and its requests to DynamoDB, one after the other.
 */
export async function deliverySeconds(): Promise<number> {
  const apiSet = readApiSet("measured");
  if (apiSet === undefined) throw new Error("It is an API set.");
  const acceptedAt = Date.now();
  const Holes = Array.from({ length: 18 }, (_, hole) => ({ Number: hole + 1, Par: 4, Index: 1, SPH: 1 }));
  const stored = (externalId: string): StoredCard => ({
    apiSet,
    externalId,
    version: 1,
    state: "queued",
    since: acceptedAt,
    acceptedAt,
    requestId: "measured",
    contentHash: "h",
    content: contentOf({ ExternalID: externalId, Course: { Holes }, Comment: "x".repeat(600) }),
    mustWait: false,
    attempts: 0,
    serverErrors: 0,
    atExchange: 0,
    maybeAtExchange: 0,
    earlier: [],
  });
  let tableRequests = 0;
  const counted = <Result>(result: Result): Promise<Result> => {
    tableRequests++;
    return Promise.resolve(result);
  };
  const deliver = createDelivery({
    settings: {
      postSize: delivery.postSize,
      parallelPosts: delivery.parallelPosts,
      giveUpMilliseconds: delivery.giveUpAfterSeconds * 1000,
      timing: postTiming(delivery.postTimeoutSeconds),
    },
    table: {
      read: (keys) => counted(keys.map(({ externalId }) => stored(externalId))),
      write: (changes) => counted(changes.map(() => "written")),
      readWithBreaker: (_apiSet, ids) => counted({ breaker: { version: 0 }, cards: ids.map(stored) }),
      writeBreaker: () => counted(undefined),
    },
    account: async () => ({ username: "u", password: "p", unionApiSet: "measured", token: "" }),
    forgetAccount: () => undefined,
    post: async (_account, cards) => {
      const text = `[${cards.map(({ card }) => card).join(",")}]`;
      const echo = JSON.parse(text) as { ExternalID: string }[];
      const echoed = new Set(echo.map(({ ExternalID }) => ExternalID));
      return { phase: "after", status: 200, bodyExcerpt: "", echoed };
    },
    send: async () => undefined,
    now: () => new Date(),
    random: Math.random,
    report: () => undefined,
  });
  const messages = Array.from({ length: batchSize }, (_, number) => {
    const wakeUp = { apiSet, externalId: `card-${number}`, version: 1, madeAt: acceptedAt, delaySeconds: 0 };
    const [{ body } = { body: "" }] = mergeWakeUps([wakeUp]);
    return { messageId: wakeUp.externalId, body, receives: 1 };
  });
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await milliseconds(() => deliver(messages, () => 30_000)));
  }
  return median(times) / 1000 + (tableRequests / rounds) * network.dynamodb;
}
