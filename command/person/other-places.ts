import { type AttributeValue, type DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import type { SQSClient } from "@aws-sdk/client-sqs";
import { batchGet, batchWrite, type Item } from "../../core/aws/batch.ts";
import { lateWorkIn, lateWorkTable } from "../../core/aws/late-work-table.ts";
import { packJson, unpackJson } from "../../core/aws/packed-json.ts";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import { deadLetterQueue } from "../../core/cards/dead-letter-queue.ts";
import type { NamesPerson } from "../../core/cards/named-person.ts";
import { dayDigest, playerDigest, startListDigest } from "../../core/players/player-digests.ts";
import { claimedExternalId } from "../../core/records/claimed-rows.ts";
import { claimsIn } from "../../core/records/record-evidence-table.ts";
import { playersInStartList } from "../../core/views/start-list-table.ts";
import type { WebhookAttempt } from "../../core/webhooks/attempt-table.ts";
import { textsOf } from "./json-texts.ts";

/** What was done with something that names a person. */
export type Finding = "found" | "erased" | "kept" | "to be delivered" | "changed meanwhile";

/** Something that is held of a person outside cards' contents. */
export interface HeldData {
  readonly place: string;
  /** What it is, without the person's data. */
  readonly what: string;
  readonly finding: Finding;
  /** When it goes by itself, ISO 8601; absent if it does not. */
  readonly until?: string;
  /** The text itself, for the person's own copy. */
  readonly text: string;
}

const day = 86_400_000;

/** When DynamoDB removes an item. */
export function expiryOf({ expiresAt }: Item): { readonly until?: string } {
  return expiresAt?.N === undefined ? {} : { until: new Date(Number(expiresAt.N) * 1000).toISOString() };
}

/** Rounds of this many days are looked for, and those of the days of the person's cards. */
const daysOfRounds = 400;

/**
 * The remembered hashes of a player. They are of the UnionID alone.
 *
 * @param days `yyyymmdd`, on which the person's cards began
 */
export async function heldAsDigests(
  erase: boolean,
  unionId: string,
  days: Iterable<string>,
  secret: string,
  table: string,
  client: DynamoDBClient,
): Promise<HeldData[]> {
  const recent = Array.from({ length: daysOfRounds }, (_, ago) =>
    new Date(Date.now() + day - ago * day).toISOString().slice(0, 10).replaceAll("-", ""),
  );
  const ids = [
    playerDigest(secret, unionId),
    ...[...new Set([...recent, ...days])].map((one) => dayDigest(secret, unionId, one)),
  ];
  const items = await batchGet(
    client,
    table,
    ids.map((id) => ({ id: { S: id } })),
  );
  if (erase) {
    const deletes = items.map(({ id }) => ({ id: { S: id?.S ?? "" } }));
    await batchWrite(client, table, [], { deletes });
  }
  return items.map((item) => ({
    place: "remembered players and rounds",
    what: item.id?.S?.startsWith("player:") ? "keyed hash of the UnionID" : "keyed hash of UnionID and day",
    finding: erase ? "erased" : "found",
    text: JSON.stringify({ id: item.id?.S, rounds: item.rounds?.S }),
    ...expiryOf(item),
  }));
}

/** Cards by `claimedCard`. */
export interface NamedCards {
  /** Those on which the person is the player. */
  readonly own: ReadonlySet<string>;
  /** Those whose player has been erased, this person or another one. */
  readonly erased: ReadonlySet<string>;
}

/**
 * What is remembered of rows that were found in players' records: a hash of player and StartTime, which is found by the cards. If a
 * run ended after it had erased cards, the next finds their hashes all the same, because nobody needs one of an erased player.
 */
async function heldAsClaims(
  erase: boolean,
  names: NamesPerson,
  { own, erased }: NamedCards,
  items: readonly Item[],
  table: string,
  client: DynamoDBClient,
): Promise<HeldData[]> {
  const held: HeldData[] = [];
  const deletes: Item[] = [];
  for (const item of items) {
    const claims = claimsIn(item) ?? [];
    const cards = claims.map(({ card }) => card);
    const isOwn = cards.some((card) => own.has(card));
    if (isOwn || (erase && cards.some((card) => erased.has(card)))) {
      if (erase) deletes.push({ apiSet: item.apiSet ?? { S: "" }, at: item.at ?? { S: "" } });
      const [what, finding] = ["keyed hash of player and StartTime", erase ? "erased" : "found"] as const;
      held.push({ place: "found rounds", what, finding, text: JSON.stringify(claims), ...expiryOf(item) });
    } else {
      for (const text of cards.map(claimedExternalId).filter(names)) {
        const [what, finding] = ["ExternalID of a card", erase ? "kept" : "found"] as const;
        held.push({ place: "found rounds", what, finding, text, ...expiryOf(item) });
      }
    }
  }
  await batchWrite(client, table, [], { deletes });
  return held;
}

/** Work that waits to be done names the person. It stays: vendors are to get its events, and cards are found by its lists. */
function heldAsLateWork(erase: boolean, names: NamesPerson, work: unknown, item: Item): HeldData[] {
  const [what, finding] = ["text of a list or event", erase ? "kept" : "found"] as const;
  const texts = new Set(textsOf(work).filter(names));
  return [...texts].map((text) => ({ place: "work that waits", what, finding, text, ...expiryOf(item) }));
}

/** A UnionID, and the secret of the digests that are kept of it. */
export interface HashedNumber {
  readonly unionId: string;
  readonly secret: string;
}

/** A start list has a keyed digest of the UnionID, with a label that could name the person in spite of its form. */
async function heldInStartList(
  erase: boolean,
  names: NamesPerson,
  hashed: HashedNumber | undefined,
  item: Item,
  table: string,
  client: DynamoDBClient,
): Promise<HeldData[]> {
  const found = playersInStartList(item, (apiSet, id) => {
    const own = hashed && startListDigest(hashed.secret, apiSet, id, hashed.unionId);
    return ({ digest, label }) => digest === own || (label !== undefined && names(label));
  });
  if (found === undefined || found.texts.length === 0) return [];
  // Missing players are told by their place in the list, so an erased one leaves it empty.
  if (erase) await replaceValue(client, table, item, "players", { B: found.without });
  const [what, finding] = ["keyed hash of the UnionID, with a label", erase ? "erased" : "found"] as const;
  return found.texts.map((text) => ({ place: "start lists", what, finding, text, ...expiryOf(item) }));
}

interface Example {
  readonly externalId?: string;
  readonly pointer?: string;
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
  const documents = new Map<string, Item>();
  await scanInSegments(client, table, async (items) => {
    held.push(...(await heldAsClaims(erase, names, cards, items, table, client)));
    for (const item of items) {
      const late = lateWorkIn(item);
      if (late !== undefined && "work" in late) held.push(...heldAsLateWork(erase, names, late.work, item));
      else if (late !== undefined) documents.set(late.document, item);
      held.push(...(await heldInStartList(erase, names, hashed, item, table, client)));
      const listed = JSON.parse(item.externalIds?.S ?? "[]") as string[];
      for (const text of listed.filter(names)) {
        const what = "ExternalID of a card";
        held.push({
          place: "lists of cards",
          what,
          finding: erase ? "kept" : "found",
          text,
          ...expiryOf(item),
        });
      }
      const tournament = item.name?.S;
      if (tournament !== undefined && names(tournament)) {
        // The tournament's cards are found by a hash of its name, so its counts stay.
        if (erase) await replaceValue(client, table, item, "name", { S: "" });
        const [what, finding] = ["name of a tournament", erase ? "erased" : "found"] as const;
        held.push({ place: "tournaments", what, finding, text: tournament, ...expiryOf(item) });
      }
      if (item.faults?.B !== undefined) {
        const faults = unpackJson(item.faults.B) as unknown[];
        const others = faults.filter((fault) => !textsOf(fault).some(names));
        const isHeld = others.length < faults.length;
        if (erase && isHeld) await replaceValue(client, table, item, "faults", { B: packJson(others) });
        for (const fault of faults.filter((one) => !others.includes(one))) {
          const [what, finding] = ["fault of a card", erase ? "erased" : "found"] as const;
          held.push({
            place: "refused cards",
            what,
            finding,
            text: JSON.stringify(fault),
            ...expiryOf(item),
          });
        }
      }
      if (item.events?.B !== undefined) {
        const events = unpackJson(item.events.B) as unknown[];
        const isHeld = (event: unknown) => event !== null && textsOf(event).some(names);
        // Cursors count an item's events, so an erased one leaves its place.
        const others = events.map((event) => (isHeld(event) ? null : event));
        const found = events.filter(isHeld);
        if (erase && found.length > 0)
          await replaceValue(client, table, item, "events", { B: packJson(others) });
        for (const event of found) {
          const [what, finding] = ["an event", erase ? "erased" : "found"] as const;
          held.push({
            place: "feed of events",
            what,
            finding,
            text: JSON.stringify(event),
            ...expiryOf(item),
          });
        }
      }
      if (item.attempts?.B !== undefined) {
        const attempts = unpackJson(item.attempts.B) as readonly WebhookAttempt[];
        const isNamed = ({ body = "" }: WebhookAttempt) => textsOf(body).some(names);
        const [what, finding] = ["event that was posted", erase ? "erased" : "found"] as const;
        for (const { body: text = "" } of attempts.filter(isNamed)) {
          held.push({ place: "posts to webhook endpoints", what, finding, text, ...expiryOf(item) });
        }
        if (erase && attempts.some(isNamed)) {
          const left = attempts.map(({ body, ...attempt }) =>
            body === undefined || isNamed({ ...attempt, body }) ? attempt : { ...attempt, body },
          );
          await replaceValue(client, table, item, "attempts", { B: packJson(left) });
        }
      }
      for (const [name, { S: text }] of Object.entries(item)) {
        if (!name.startsWith("examples ") || text === undefined) continue;
        const examples = JSON.parse(text) as Example[];
        const others = examples.filter(
          ({ externalId = "", pointer = "" }) => !names(externalId) && !names(pointer),
        );
        if (others.length === examples.length) continue;
        if (erase) await replaceValue(client, table, item, name, { S: JSON.stringify(others) });
        for (const one of examples.filter((example) => !others.includes(example))) {
          const [what, finding] = ["example of a fault", erase ? "erased" : "found"] as const;
          held.push({ place: "refused cards", what, finding, text: JSON.stringify(one), ...expiryOf(item) });
        }
      }
    }
  });
  // A document has several items, which a scan reads in any order.
  const late = lateWorkTable<unknown>(table, client);
  for (const [id, item] of documents) held.push(...heldAsLateWork(erase, names, await late.read(id), item));
  return held;
}

/** @throws Error if the item has changed since it was read: the command may be run again */
async function replaceValue(
  client: DynamoDBClient,
  table: string,
  { apiSet, at, ...item }: Item,
  name: string,
  value: AttributeValue,
): Promise<void> {
  await client.send(
    new UpdateItemCommand({
      TableName: table,
      Key: { apiSet: apiSet ?? { S: "" }, at: at ?? { S: "" } },
      UpdateExpression: "SET #name = :value",
      ConditionExpression: "#name = :read",
      ExpressionAttributeNames: { "#name": name },
      ExpressionAttributeValues: { ":value": value, ":read": item[name] ?? { NULL: true } },
    }),
  );
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
const messageRetention = 14 * day;

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
