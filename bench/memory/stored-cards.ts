import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../../core/account/api-set.ts";
import { partition } from "../../core/store/scorecard-items.ts";
import { scorecardTable } from "../../core/store/scorecards.ts";
import { apiEvent } from "../api-event.ts";
import { postCards } from "../backlog.ts";
import type { FunctionsInFront } from "./functions-in-front.ts";
import { emptyObjects, incompressible, largeCards, playableCourses } from "./large-cards.ts";
import type { LargestInput } from "./largest-input.ts";
import { largestCards, largestPadding } from "./largest-submissions.ts";

/** As many cards as can be asked for at once, and as a page has. */
const cardsAsked = 100;
const times = 5;
/** The words of an exchange are cut at so many characters. */
const longestWords = "x".repeat(500);

/** Has cards stored that are as large as a card may be; returns their ExternalIDs. */
async function storedCards(front: FunctionsInFront, name: string, cards: number, Padding: unknown) {
  const { run, standIn, apiSet, authorization } = front;
  const courses = playableCourses(standIn, cards);
  const all = largeCards(standIn, courses, { name, cards, Padding });
  for (let start = 0; start < cards; start += largestCards) {
    const some = all.slice(start, start + largestCards);
    await postCards(`${run.api}/${apiSet}/ScorecardExchange`, authorization, some);
  }
  return all.map(({ ExternalID }) => ExternalID);
}

/** Records that the exchange has refused cards, at length. */
async function reject({ run, dynamodb, apiSet }: FunctionsInFront, externalIds: readonly string[]) {
  const table = scorecardTable(run.resource("ScorecardTable"), dynamodb);
  const known = await table.read(apiSet as ApiSet, externalIds);
  const since = Date.now();
  await table.putDeliveries(
    externalIds.map((externalId) => ({
      apiSet: apiSet as ApiSet,
      externalId,
      revision: known.get(externalId)?.card?.revision ?? "",
      state: "rejected",
      attempts: 1,
      aloneFailures: 0,
      since,
      failure: { stage: "after", status: 400, message: longestWords },
    })),
  );
}

/** For track-scorecards: a hundred cards by name, and a page of as many that were rejected. */
export function largestTracking(front: FunctionsInFront): LargestInput[] {
  const ask = (query: Record<string, string[]>) => {
    const { apiSet } = front;
    const event = apiEvent({ method: "GET", resource: "/{apiset}/ScorecardExchange", apiSet, query });
    return Array.from({ length: times }, () => event);
  };
  const answered = /^\{"statusCode":200/;
  return [
    {
      name: `${cardsAsked} cards of 200 KB by name, text`,
      events: async () =>
        ask({ ExternalID: await storedCards(front, "t", cardsAsked, incompressible(largestPadding)) }),
      answered,
    },
    {
      name: `${cardsAsked} cards of 200 KB by name, empty objects`,
      events: async () =>
        ask({ ExternalID: await storedCards(front, "o", cardsAsked, emptyObjects(largestPadding)) }),
      answered,
    },
    {
      name: `a page of ${cardsAsked} cards of 200 KB, rejected`,
      events: async () => {
        await reject(front, await storedCards(front, "o", cardsAsked, emptyObjects(largestPadding)));
        return ask({ state: ["rejected"] });
      },
      answered,
    },
  ];
}

/** For withdraw-scorecard: the largest cards, each withdrawn for good only when no post can be under way. */
export function largestWithdrawals(front: FunctionsInFront): LargestInput[] {
  return [
    {
      name: "cards of 200 KB, empty objects",
      events: async () => {
        const externalIds = await storedCards(front, "w", 2, emptyObjects(largestPadding));
        return externalIds.map((externalId) =>
          apiEvent({
            method: "DELETE",
            resource: "/{apiset}/ScorecardExchange/{externalId}",
            apiSet: front.apiSet,
            path: { externalId },
          }),
        );
      },
      answered: /^\{"statusCode":204/,
    },
  ];
}

/** For publish-outcomes: a full batch of the table's stream, every outcome with all its words. */
export function largestOutcomes(front: FunctionsInFront): LargestInput[] {
  return [
    {
      name: `${cardsAsked} outcomes, refused at length`,
      events: async () => {
        const externalIds = await storedCards(front, "p", cardsAsked, undefined);
        await reject(front, externalIds);
        const { run, dynamodb, apiSet } = front;
        const Records = await Promise.all(
          externalIds.map(async (externalId, place) => {
            const card = partition({ apiSet: apiSet as ApiSet, externalId });
            const Key = { card: { S: card }, item: { S: "delivery" } };
            const { Item = {} } = await dynamodb.send(
              new GetItemCommand({ TableName: run.resource("ScorecardTable"), Key }),
            );
            // A stream carries binary values as base64 text.
            const image = Object.entries(Item).map(([name, value]) => [
              name,
              value.B === undefined ? value : { B: Buffer.from(value.B).toString("base64") },
            ]);
            return { dynamodb: { SequenceNumber: String(place), NewImage: Object.fromEntries(image) } };
          }),
        );
        return Array.from({ length: times }, () => ({ Records }));
      },
      answered: /^\{"batchItemFailures":\[\]\}/,
    },
  ];
}
