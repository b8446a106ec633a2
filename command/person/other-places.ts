import type { SQSClient } from "@aws-sdk/client-sqs";
import type { Item } from "../../core/aws/batch.ts";
import { countMessages } from "../../core/aws/count-messages.ts";
import { type DeadLetter, deadLetterQueue } from "../../core/aws/dead-letter-queue.ts";
import { lateDocumentIn, lateWorkTable } from "../../core/aws/late-work-table.ts";
import { packJson, unpackJson } from "../../core/aws/packed-json.ts";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import { messageJson, sendMessages } from "../../core/aws/send-messages.ts";
import type { OpenBreaker } from "../../core/cards/delivery/breaker.ts";
import { dayMilliseconds } from "../../core/formats/days.ts";
import type { NamesPerson } from "../../core/formats/named-person.ts";
import { collectTexts, parseNested } from "../../core/formats/nested-texts.ts";
import type { WebhookAttempt } from "../../core/webhooks/attempt-table.ts";
import {
  type AttributeSearch,
  type FoundData,
  noteResembling,
  type PersonSearch,
  searchItem,
  type TableSearch,
} from "./held-data.ts";
import { searchClaims } from "./held-digests.ts";

type Find = NonNullable<AttributeSearch["find"]>;

/** Finds the entries of a list that name the person; the list is packed, or JSON. @param rest what takes the place of one */
const inEntries =
  (rest: (entry: never) => readonly unknown[]): Find =>
  (value, names) => {
    const entries = (value.B ? unpackJson(value.B) : JSON.parse(value.S ?? "[]")) as never[];
    const isFound = (entry: never) => collectTexts(entry).some(names);
    const texts = entries.filter(isFound).map((entry) => JSON.stringify(entry));
    if (texts.length === 0) return { texts, without: value };
    const left = entries.flatMap((entry) => (isFound(entry) ? rest(entry) : [entry]));
    return { texts, without: value.B ? { B: packJson(left) } : { S: JSON.stringify(left) } };
  };

const inText: Find = (value, names) =>
  names(value.S ?? "") ? { texts: [value.S ?? ""], without: { S: "" } } : { texts: [], without: value };

const inOutage: Find = (value, names) => {
  const { failure, ...open } = JSON.parse(value.S ?? "{}") as OpenBreaker;
  if (!names(failure.message)) return { texts: [], without: value };
  const without = { ...open, failure: { ...failure, message: "erased" } };
  return { texts: [failure.message], without: { S: JSON.stringify(without) } };
};

/** Of an event that was posted, and when and how; neither its body nor what was answered stays. */
const withoutBody = ({ body: _, message, ...attempt }: WebhookAttempt) => [
  message === undefined ? attempt : { ...attempt, message: "erased" },
];

const workThatWaits = { place: "work that waits", what: "text of a list or event" };

const activitySearches: Readonly<Record<string, AttributeSearch>> = {
  faults: { place: "refused cards", what: "fault of a card", find: inEntries(() => []) },
  "examples ": { place: "refused cards", what: "example of a fault", find: inEntries(() => []) },
  // Cursors count an item's events, so an erased one leaves its place.
  events: { place: "feed of events", what: "an event", find: inEntries(() => [null]) },
  attempts: {
    place: "posts to webhook endpoints",
    what: "event that was posted",
    find: inEntries(withoutBody),
  },
  // The tournament's cards are found by a hash of its name, so its counts stay.
  name: { place: "tournaments", what: "name of a tournament", find: inText },
  externalIds: { place: "lists of cards", what: "ExternalID of a card" },
  work: workThatWaits,
};

/**
 * Lists, names of tournaments, refused cards, events of feeds and posted ones, whose ExternalIDs or fields name the person, rounds that
 * were found in records, and work that waits.
 */
export async function searchActivity(search: TableSearch): Promise<void> {
  const { table, client } = search;
  const documents = new Map<string, Item>();
  await scanInSegments(client, table, async (items) => {
    await searchClaims(search, items);
    for (const item of items) {
      const document = lateDocumentIn(item);
      if (document !== undefined) documents.set(document, item);
      else await searchItem(search, item, "table of activity", activitySearches, (name) => name === "claims");
    }
  });
  // A document has several items, which a scan reads in any order.
  const late = lateWorkTable<unknown>(table, client);
  for (const [id, { expiresAt = { NULL: true } }] of documents) {
    const document = { S: JSON.stringify(await late.read(id)) ?? "" };
    await searchItem(search, { document, expiresAt }, "", { document: workThatWaits });
  }
}

/** Searches an item of the table of cards that is no card. */
export const searchOtherThanCard = (search: TableSearch, item: Item): Promise<void> =>
  searchItem(search, item, "table of cards", {
    open: { place: "breakers", what: "words of the exchange", find: inOutage },
  });

/** Searches a table whose entries are their vendors' to change: endpoints with their addresses and headers, or accounts. */
export const searchVendorTable = (search: TableSearch, place: string): Promise<void> =>
  scanInSegments(search.client, search.table, async (items) => {
    for (const item of items) await searchItem(search, item, place);
  });

/** Replaces letters of several events, which waited for one endpoint, by letters without those that name the person. */
const withoutEvents = (letters: readonly DeadLetter[], names: NamesPerson) =>
  letters.flatMap((letter) => {
    const { events, ...message } = Object(parseNested(letter.body)) as Readonly<Record<string, unknown>>;
    const left = [events ?? []].flat().filter((event) => !collectTexts(event).some(names));
    const body = messageJson({ ...message, events: left });
    const stays = left.length > 0 && !collectTexts(body).some(names);
    return stays ? [{ body, group: String(message.endpointId), delaySeconds: 0 }] : [];
  });

/** SQS removes messages then; the queues are created with it. */
const messageRetention = 14 * dayMilliseconds;

/**
 * Messages that name the person. Dead letters are removed; events that wait are left, because their vendors are to get them. No receive
 * returns a message that is delayed or in flight, such as an event for an endpoint that fails: these are counted.
 *
 * @param place `dead letters` or `webhooks that wait`
 */
export async function searchQueue(
  search: PersonSearch,
  place: "dead letters" | "webhooks that wait",
  queueUrl: string,
  client: SQSClient,
): Promise<void> {
  const { erase, names, held, notLookedAt } = search;
  const queue = deadLetterQueue(client, queueUrl);
  const until = new Date(Date.now() + messageRetention).toISOString();
  const removes = erase && place === "dead letters";
  const finding: FoundData = removes ? "erased" : erase ? "kept" : "found";
  const searchLetters = async (letters: readonly DeadLetter[]) => {
    for (const { body } of letters) noteResembling(search, collectTexts(body));
    const found = letters.filter(({ body }) => collectTexts(body).some(names));
    if (removes) {
      await sendMessages(client, queueUrl, withoutEvents(found, names));
      await queue.remove(found);
    }
    held.push(...found.map(({ body }) => ({ place, what: "a message", finding, text: body, until })));
  };
  await queue.each(searchLetters, async (staying) => {
    const hidden = (await countMessages(client, queueUrl)) - staying;
    if (hidden > 0)
      notLookedAt.push(`${place}: messages that are delayed or in flight (${hidden}): run this again later`);
  });
}
