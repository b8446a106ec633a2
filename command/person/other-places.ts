import type { AttributeValue, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { SQSClient } from "@aws-sdk/client-sqs";
import type { Item } from "../../core/aws/batch.ts";
import { deadLetterQueue } from "../../core/aws/dead-letter-queue.ts";
import { lateWorkIn, lateWorkTable } from "../../core/aws/late-work-table.ts";
import { packJson, unpackJson } from "../../core/aws/packed-json.ts";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import { dayMilliseconds } from "../../core/formats/days.ts";
import type { NamesPerson } from "../../core/formats/named-person.ts";
import type { WebhookAttempt } from "../../core/webhooks/attempt-table.ts";
import { expiryOf, type Finding, type HeldData, replaceValue } from "./held-data.ts";
import { type HashedNumber, heldAsDigestsInActivity, type NamedCards } from "./held-digests.ts";
import { textsOf } from "./json-texts.ts";

/** How items of the table of activity are searched. */
interface ItemSearch {
  readonly names: NamesPerson;
  /** What is reported of texts that an erasure removes, and of those that it keeps. */
  readonly erased: Finding;
  readonly kept: Finding;
  /** Replaces an attribute if the person is to be erased. */
  readonly replace: (item: Item, name: string, value: AttributeValue) => Promise<void>;
}

const rowsOf = (item: Item, row: Omit<HeldData, "text" | "until">, texts: readonly string[]): HeldData[] =>
  texts.map((text) => ({ ...row, text, ...expiryOf(item) }));

/** Work that waits to be done names the person. It stays: vendors are to get its events, and cards are found by its lists. */
function searchLateWork({ names, kept: finding }: ItemSearch, work: unknown, item: Item): HeldData[] {
  const texts = new Set(textsOf(work).filter(names));
  return rowsOf(item, { place: "work that waits", what: "text of a list or event", finding }, [...texts]);
}

async function searchList({ names, kept: finding }: ItemSearch, item: Item): Promise<HeldData[]> {
  const listed = JSON.parse(item.externalIds?.S ?? "[]") as string[];
  const row = { place: "lists of cards", what: "ExternalID of a card", finding };
  return rowsOf(item, row, listed.filter(names));
}

async function searchTournament({ names, erased: finding, replace }: ItemSearch, item: Item) {
  const tournament = item.name?.S;
  if (tournament === undefined || !names(tournament)) return [];
  // The tournament's cards are found by a hash of its name, so its counts stay.
  await replace(item, "name", { S: "" });
  return rowsOf(item, { place: "tournaments", what: "name of a tournament", finding }, [tournament]);
}

/** A list that is packed in an item. */
interface PackedList {
  readonly name: string;
  readonly place: string;
  readonly what: string;
  readonly text: (entry: never) => string;
  /** What the list has in place of an entry that is erased. */
  readonly rest: (entry: never) => readonly unknown[];
}

const packedLists: readonly PackedList[] = [
  { name: "faults", place: "refused cards", what: "fault of a card", text: JSON.stringify, rest: () => [] },
  // Cursors count an item's events, so an erased one leaves its place.
  { name: "events", place: "feed of events", what: "an event", text: JSON.stringify, rest: () => [null] },
  {
    name: "attempts",
    place: "posts to webhook endpoints",
    what: "event that was posted",
    text: ({ body = "" }: WebhookAttempt) => body,
    rest: ({ body: _, ...attempt }: WebhookAttempt) => [attempt],
  },
];

async function searchPackedLists({ names, erased: finding, replace }: ItemSearch, item: Item) {
  const held: HeldData[] = [];
  for (const { name, place, what, text, rest } of packedLists) {
    const packed = item[name]?.B;
    if (packed === undefined) continue;
    const entries = unpackJson(packed) as never[];
    const isFound = (entry: never) => entry !== null && textsOf(text(entry)).some(names);
    const found = entries.filter(isFound).map((entry) => text(entry));
    const left = entries.flatMap((entry) => (isFound(entry) ? rest(entry) : [entry]));
    if (found.length > 0) await replace(item, name, { B: packJson(left) });
    held.push(...rowsOf(item, { place, what, finding }, found));
  }
  return held;
}

async function searchExamples({ names, erased: finding, replace }: ItemSearch, item: Item) {
  const held: HeldData[] = [];
  for (const [name, { S: text }] of Object.entries(item)) {
    if (!name.startsWith("examples ") || text === undefined) continue;
    const examples = JSON.parse(text) as { readonly externalId?: string; readonly pointer?: string }[];
    const isFound = ({ externalId = "", pointer = "" }) => names(externalId) || names(pointer);
    const found = examples.filter(isFound).map((example) => JSON.stringify(example));
    const left = examples.filter((example) => !isFound(example));
    if (found.length > 0) await replace(item, name, { S: JSON.stringify(left) });
    held.push(...rowsOf(item, { place: "refused cards", what: "example of a fault", finding }, found));
  }
  return held;
}

/**
 * Lists, names of tournaments, refused cards, events of feeds and posted ones, whose ExternalIDs or fields name the person, rounds that
 * were found in records, start lists, and work that waits. ExternalIDs of lists stay, because cards are found by them.
 *
 * @param hashed without it start lists are searched for labels only
 */
export async function heldInActivity(
  erase: boolean,
  names: NamesPerson,
  cards: NamedCards,
  hashed: HashedNumber | undefined,
  table: string,
  client: DynamoDBClient,
): Promise<HeldData[]> {
  const held: HeldData[] = [];
  const search: ItemSearch = {
    names,
    erased: erase ? "erased" : "found",
    kept: erase ? "kept" : "found",
    replace: async (...change) => (erase ? replaceValue(client, table, ...change) : undefined),
  };
  const documents = new Map<string, Item>();
  await scanInSegments(client, table, async (items) => {
    held.push(...(await heldAsDigestsInActivity({ erase, names, cards, hashed }, items, table, client)));
    for (const item of items) {
      const late = lateWorkIn(item);
      if (late !== undefined && "work" in late) held.push(...searchLateWork(search, late.work, item));
      else if (late !== undefined) documents.set(late.document, item);
      for (const searchItem of [searchList, searchTournament, searchPackedLists, searchExamples])
        held.push(...(await searchItem(search, item)));
    }
  });
  // A document has several items, which a scan reads in any order.
  const late = lateWorkTable<unknown>(table, client);
  for (const [id, item] of documents) held.push(...searchLateWork(search, await late.read(id), item));
  return held;
}

/** Addresses of vendors' endpoints, which are the vendors' to change. */
export async function heldInEndpoints(
  erase: boolean,
  names: NamesPerson,
  table: string,
  client: DynamoDBClient,
): Promise<HeldData[]> {
  const held: HeldData[] = [];
  await scanInSegments(client, table, async (items) => {
    for (const { url } of items) {
      const text = decoded(url?.S ?? "");
      const what = "a vendor's address";
      if (names(text))
        held.push({ place: "webhook endpoints", what, finding: erase ? "kept" : "found", text });
    }
  });
  return held;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** SQS removes messages then; the queues are created with it. */
const messageRetention = 14 * dayMilliseconds;

/**
 * Messages that name the person. Dead letters are removed; events that wait are left, because their vendors are to get them.
 *
 * @param place `dead letters` or `webhooks that wait`
 */
export async function heldInQueue(
  erase: boolean,
  names: NamesPerson,
  place: "dead letters" | "webhooks that wait",
  queueUrl: string,
  client: SQSClient,
): Promise<HeldData[]> {
  const queue = deadLetterQueue(client, queueUrl);
  const held: HeldData[] = [];
  const until = new Date(Date.now() + messageRetention).toISOString();
  const removes = erase && place === "dead letters";
  const finding: Finding = removes ? "erased" : erase ? "kept" : "found";
  await queue.each(async (letters) => {
    const found = letters.filter(({ body }) => textsOf(body).some(names));
    if (removes) await queue.remove(found);
    for (const { body } of found) held.push({ place, what: "a message", finding, text: body, until });
  });
  return held;
}
