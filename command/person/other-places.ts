import type { SQSClient } from "@aws-sdk/client-sqs";
import type { Item } from "../../core/aws/batch.ts";
import { deadLetterQueue } from "../../core/aws/dead-letter-queue.ts";
import { lateWorkIn, lateWorkTable } from "../../core/aws/late-work-table.ts";
import { packJson, unpackJson } from "../../core/aws/packed-json.ts";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import { dayMilliseconds } from "../../core/formats/days.ts";
import type { NamesPerson } from "../../core/formats/named-person.ts";
import type { WebhookAttempt } from "../../core/webhooks/attempt-table.ts";
import {
  expiryOf,
  type FoundData,
  type HeldData,
  recordErasure,
  searchValue,
  type TableSearch,
} from "./held-data.ts";
import { type ActivitySearch, searchClaims } from "./held-digests.ts";
import { collectTexts } from "./json-texts.ts";

const kept = ({ erase }: Pick<TableSearch, "erase">): FoundData => (erase ? "kept" : "found");

const toRows = (item: Item, row: Omit<HeldData, "text" | "until">, texts: readonly string[]): HeldData[] =>
  texts.map((text) => ({ ...row, text, ...expiryOf(item) }));

/** Work that waits to be done names the person. It stays: vendors are to get its events, and cards are found by its lists. */
function searchLateWork(search: ActivitySearch, work: unknown, item: Item): void {
  const texts = new Set(collectTexts(work).filter(search.names));
  const row = { place: "work that waits", what: "text of a list or event", finding: kept(search) };
  search.held.push(...toRows(item, row, [...texts]));
}

async function searchList(search: ActivitySearch, item: Item): Promise<void> {
  const listed = JSON.parse(item.externalIds?.S ?? "[]") as string[];
  const row = { place: "lists of cards", what: "ExternalID of a card", finding: kept(search) };
  search.held.push(...toRows(item, row, listed.filter(search.names)));
}

async function searchTournament(search: ActivitySearch, item: Item): Promise<void> {
  const row = { place: "tournaments", what: "name of a tournament" };
  // The tournament's cards are found by a hash of its name, so its counts stay.
  await searchValue(search, item, "name", row, ({ name }) => ({
    texts: [name?.S ?? ""].filter(search.names),
    without: { S: "" },
  }));
}

/** A list that is packed in an item. */
interface PackedList {
  readonly name: string;
  readonly place: string;
  readonly what: string;
  readonly text: (entry: never) => string;
  /** What takes the place of an erased entry. */
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

async function searchPackedLists(search: ActivitySearch, item: Item): Promise<void> {
  for (const { name, place, what, text, rest } of packedLists) {
    await searchValue(search, item, name, { place, what }, (read) => {
      const packed = read[name]?.B;
      const entries = packed === undefined ? [] : (unpackJson(packed) as never[]);
      const isFound = (entry: never) => entry !== null && collectTexts(text(entry)).some(search.names);
      const texts = entries.filter(isFound).map((entry) => text(entry));
      if (texts.length === 0) return { texts, without: { NULL: true } };
      const left = entries.flatMap((entry) => (isFound(entry) ? rest(entry) : [entry]));
      return { texts, without: { B: packJson(left) } };
    });
  }
}

async function searchExamples(search: ActivitySearch, item: Item): Promise<void> {
  const row = { place: "refused cards", what: "example of a fault" };
  for (const name of Object.keys(item).filter((one) => one.startsWith("examples "))) {
    await searchValue(search, item, name, row, (read) => {
      const examples = JSON.parse(read[name]?.S ?? "[]") as {
        readonly externalId?: string;
        readonly pointer?: string;
      }[];
      const isFound = ({ externalId = "", pointer = "" }) =>
        search.names(externalId) || search.names(pointer);
      const left = examples.filter((example) => !isFound(example));
      return {
        texts: examples.filter(isFound).map((example) => JSON.stringify(example)),
        without: { S: JSON.stringify(left) },
      };
    });
  }
}

/**
 * Lists, names of tournaments, refused cards, events of feeds and posted ones, whose ExternalIDs or fields name the person, rounds that
 * were found in records, and work that waits. ExternalIDs of lists stay, because cards are found by them.
 */
export async function searchActivity(search: ActivitySearch): Promise<void> {
  const { table, client } = search;
  const documents = new Map<string, Item>();
  await scanInSegments(client, table, async (items) => {
    await searchClaims(search, items);
    for (const item of items) {
      const late = lateWorkIn(item);
      if (late !== undefined && "work" in late) searchLateWork(search, late.work, item);
      else if (late !== undefined) documents.set(late.document, item);
      for (const searchItem of [searchList, searchTournament, searchPackedLists, searchExamples])
        await searchItem(search, item);
    }
  });
  // A document has several items, which a scan reads in any order.
  const late = lateWorkTable<unknown>(table, client);
  for (const [id, item] of documents) searchLateWork(search, await late.read(id), item);
}

/** Addresses of vendors' endpoints, which are the vendors' to change. */
export async function searchEndpoints(search: TableSearch, names: NamesPerson): Promise<void> {
  await scanInSegments(search.client, search.table, async (items) => {
    for (const { url } of items) {
      const text = decoded(url?.S ?? "");
      const what = "a vendor's address";
      if (names(text)) search.held.push({ place: "webhook endpoints", what, finding: kept(search), text });
    }
  });
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
export async function searchQueue(
  erase: boolean,
  names: NamesPerson,
  place: "dead letters" | "webhooks that wait",
  queueUrl: string,
  client: SQSClient,
  held: HeldData[],
): Promise<void> {
  const queue = deadLetterQueue(client, queueUrl);
  const until = new Date(Date.now() + messageRetention).toISOString();
  const removes = erase && place === "dead letters";
  const finding: FoundData = removes ? "erased" : erase ? "kept" : "found";
  await queue.each(async (letters) => {
    const found = letters.filter(({ body }) => collectTexts(body).some(names));
    const rows = found.map(({ body }) => ({ place, what: "a message", finding, text: body, until }));
    await recordErasure(
      held,
      async () => (removes ? queue.remove(found) : undefined),
      () => rows,
    );
  });
}
