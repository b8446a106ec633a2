import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../../core/accounts/account.ts";
import { scorecardTable } from "../../core/cards/scorecard-table.ts";
import { webhookTable } from "../../core/webhooks/endpoint-table.ts";
import { apiEvent } from "../api-event.ts";
import { postCards } from "../backlog.ts";
import type { FunctionsInFront } from "./functions-in-front.ts";
import { emptyObjects, incompressible, largeCards, playableCourses } from "./large-cards.ts";
import type { LargestInput } from "./largest-input.ts";
import { largestCards, largestPadding } from "./largest-submissions.ts";

/** As many cards as can be asked for at once, and as a page has. */
const cardsAsked = 100;
const times = 5;
/** The padding with which a full batch of the stream, each card before and after, is just within Lambda's 6 MB. */
const paddingOfOutcome = 26_000;
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
  const since = Date.now();
  const failure = { phase: "after", status: 400, message: longestWords } as const;
  const results = await table.write(
    externalIds.map((externalId) => ({
      apiSet: apiSet as ApiSet,
      externalId,
      expects: { version: 1, states: ["queued"] },
      set: { state: "rejected", attempts: 1, since, failure },
    })),
  );
  if (results.includes("lost")) throw new Error("A card is not stored, or not queued.");
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

/** For change-delivery: the largest cards, tried at once, and withdrawn, which waits until no post can be under way. */
export function largestChanges(front: FunctionsInFront): LargestInput[] {
  const changes = (name: string, cards: number, method: "DELETE" | "POST", resource: string) => async () => {
    const externalIds = await storedCards(front, name, cards, emptyObjects(largestPadding));
    const { apiSet } = front;
    return externalIds.map((externalId) => apiEvent({ method, resource, apiSet, path: { externalId } }));
  };
  const card = "/{apiset}/ScorecardExchange/{externalId}";
  return [
    {
      name: "cards of 200 KB, empty objects, withdrawn",
      events: changes("w", 2, "DELETE", card),
      answered: /^\{"statusCode":204/,
    },
    {
      name: "cards of 200 KB, empty objects, tried at once",
      events: changes("d", times, "POST", `${card}/Delivery`),
      answered: /^\{"statusCode":202/,
    },
  ];
}

/** Full batches of the table's stream: every card's outcome, with a state before and what else the new item has. */
async function streamed(
  { run, dynamodb, apiSet }: FunctionsInFront,
  externalIds: readonly string[],
  set: Readonly<Record<string, { readonly S: string }>> = {},
): Promise<object[]> {
  const Records = await Promise.all(
    externalIds.map(async (externalId, place) => {
      const Key = { id: { S: `${apiSet}#${externalId}` } };
      const { Item = {} } = await dynamodb.send(
        new GetItemCommand({ TableName: run.resource("ScorecardTable"), Key }),
      );
      // A stream carries binary values as base64 text.
      const image = Object.entries(Item).map(([name, value]) => [
        name,
        value.B === undefined ? value : { B: Buffer.from(value.B).toString("base64") },
      ]);
      const NewImage = { ...Object.fromEntries(image), ...set };
      const OldImage = { ...NewImage, state: { S: "queued" } };
      return { dynamodb: { SequenceNumber: String(place), NewImage, OldImage } };
    }),
  );
  return Array.from({ length: times }, () => ({ Records, shardId: "shardId-1" }));
}

/** For follow-outcomes: a full batch of the table's stream, every outcome with all its words. */
export function largestOutcomes(front: FunctionsInFront): LargestInput[] {
  return [
    {
      name: `${cardsAsked} outcomes of cards of 27 KB, refused at length`,
      events: async () => {
        const externalIds = await storedCards(front, "p", cardsAsked, incompressible(paddingOfOutcome));
        await reject(front, externalIds);
        return streamed(front, externalIds);
      },
      answered: /^\{"state":\{\},"batchItemFailures":\[\]\}/,
    },
  ];
}

/** For check-players: a full batch of the table's stream, and cards that are packed small. */
export function largestChecks(front: FunctionsInFront): LargestInput[] {
  const delivered = { state: { S: "delivered" } };
  const answered = /^undefined$|^null$/;
  return [
    {
      name: `${cardsAsked} delivered cards of 27 KB`,
      events: async () => {
        const externalIds = await storedCards(front, "q", cardsAsked, incompressible(paddingOfOutcome));
        return streamed(front, externalIds, delivered);
      },
      answered,
    },
    {
      name: `${cardsAsked} delivered cards of 200 KB, empty objects`,
      events: async () => {
        const externalIds = await storedCards(front, "r", cardsAsked, emptyObjects(largestPadding));
        return streamed(front, externalIds, delivered);
      },
      answered,
    },
  ];
}

const endpointId = "wh_1";
/** As large as SQS takes them. */
const largestEvent = 200_000;

/** For deliver-webhooks: ten of the largest events for an endpoint that does not answer. */
export function largestEvents({ run, dynamodb, apiSet }: FunctionsInFront): LargestInput[] {
  return [
    {
      name: "ten events of 200 KB",
      events: async () => {
        await webhookTable(run.resource("WebhookTable"), dynamodb).insert({
          apiSet: apiSet as ApiSet,
          id: endpointId,
          version: 1,
          url: "https://127.0.0.1:1/",
          types: [],
          secrets: [],
          createdAt: 0,
        });
        const event = { apiSet, endpointId, eventId: "evt_1", body: "x".repeat(largestEvent) };
        const body = JSON.stringify({ form: 1, ...event, attempts: 0, firstAt: 0, notBefore: 0 });
        const Records = Array.from({ length: 10 }, (_, place) => ({ messageId: String(place), body }));
        return Array.from({ length: times }, () => ({ Records }));
      },
      answered: /^\{"batchItemFailures":\[\]\}/,
    },
  ];
}

/** For manage-webhooks: a list of endpoints. */
export function usualEndpoints({ apiSet }: FunctionsInFront): LargestInput[] {
  const event = apiEvent({ method: "GET", resource: "/{apiset}/Webhooks", apiSet, path: {} });
  return [
    {
      name: "a vendor's webhook endpoints",
      events: async () => Array.from({ length: times }, () => event),
      answered: /^\{"statusCode":200/,
    },
  ];
}
